"""The whole of which a share or a count is one: what names it, and whether the share holds."""

import pytest

from tests.core.document_cases import judged

COSTS = "Cost | $ million\nWages | 36\nRent | 12\nPower | 6\nOther | 18\nTotal | 72"
ISLANDS = "The harbour has 48 berths, of which 42 were taken at the end of May. Fees brought in $210,000."
WARDS = "Ward,Beds,Patients,Cost (thousand EUR)\nEast,50,44,930\nWest,30,24,610\nTotal,80,68,1540"
ACCOUNTS = {
    "en": "$ thousand | 2024 | 2023\nSales | 60,500 | 52,400\nCost of sales | 39,300 | 35,900\nGross profit | 21,200 | 16,500",
    "he": 'באלפי ש"ח | 2024 | 2023\nהכנסות | 60,500 | 52,400\nעלות המכר | 39,300 | 35,900\nרווח גולמי | 21,200 | 16,500',
}
RESULTS = "$ million | Revenue | Operating profit\nRoads | 410 | 27\nBridges | 260 | -19\nGroup | 670 | 8"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "number", "status"),
    [
        ("Wages take half of the $72 million, at $36 million.", "$72 million", "supported"),
        ("Wages take half of the $62 million, at $36 million.", "$62 million", "contradicted"),
        ("Rent is a third of the $36 million.", "$36 million", "contradicted"),
        ("Wages take half of the $72 million, at $36 million.", "half of", "supported"),
        ("Rent takes half of the $72 million, at $12 million.", "half of", "contradicted"),
        ("Wages were $36 million, half of the $72 million.", "half of", "supported"),
        ("Rent was $12 million, half of the $72 million.", "half of", "contradicted"),
    ],
)
def test_a_whole_behind_a_share_is_the_total_of_the_table(answer: str, number: str, status: str) -> None:
    assert judged(answer, COSTS, number=number).status == status


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "number", "status"),
    [
        ("Forty-two of the 48 berths were taken.", "48", "supported"),
        ("Forty-two of the 58 berths were taken.", "58", "contradicted"),
        ("42 out of 48 berths were taken.", "48", "supported"),
    ],
)
def test_what_is_said_of_a_part_does_not_name_its_whole(answer: str, number: str, status: str) -> None:
    assert judged(answer, ISLANDS, number=number).status == status


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "number", "status"),
    [
        ("Forty-four of the 50 beds in East were taken.", "50", "supported"),
        ("Forty-four of the 50 beds in East were taken.", "Forty-four", "supported"),
        ("Forty-two of the 50 beds in East were taken.", "Forty-two", "unsupported"),
        ("Twenty-four of the 50 beds in East were taken.", "Twenty-four", "contradicted"),
        ("East cost EUR 930,000, about 60 % of the EUR 1.54 million.", "EUR 1.54 million", "supported"),
        ("East cost EUR 930,000, about 60 % of the EUR 1.45 million.", "EUR 1.45 million", "contradicted"),
        ("East cost EUR 930,000, half of the EUR 1.54 million.", "half of", "contradicted"),
    ],
)
def test_wholes_of_a_list_stand_in_its_total(answer: str, number: str, status: str) -> None:
    assert judged(answer, WARDS, number=number).status == status


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("language", "answer", "number", "status"),
    [
        ("he", 'הרווח הגולמי היה כ-21.2 מיליון ש"ח, 35% מההכנסות.', "35%", "supported"),
        ("he", 'הרווח הגולמי היה כ-21.2 מיליון ש"ח, 35% מההכנסות.', '21.2 מיליון ש"ח', "supported"),
        ("he", 'הרווח הגולמי היה כ-21.2 מיליון ש"ח, 45% מההכנסות.', "45%", "unsupported"),
        ("en", "The gross profit was $21.2 million, 35 % of sales.", "35 %", "supported"),
        ("en", "The gross profit was $21.2 million, 45 % of sales.", "45 %", "unsupported"),
    ],
)
def test_a_share_is_taken_of_what_stands_behind_it(
    language: str, answer: str, number: str, status: str
) -> None:
    assert judged(answer, ACCOUNTS[language], language=language, number=number).status == status


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "number", "status"),
    [
        ("Bridges ran a loss of $19 million.", "$19 million", "supported"),
        ("Roads earned $27 million.", "$27 million", "supported"),
        ("Bridges earned $19 million.", "$19 million", "contradicted"),
        ("Roads ran a loss of $37 million.", "$37 million", "contradicted"),
    ],
)
def test_a_loss_names_the_one_figure_that_can_be_one(answer: str, number: str, status: str) -> None:
    assert judged(answer, RESULTS, number=number).status == status


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(("price", "status"), [("41 cents", "supported"), ("39 cents", "contradicted")])
def test_what_is_counted_does_not_name_its_price(price: str, status: str) -> None:
    table = "Month | Litres | Price (cents)\nMay | 8,200 | 41\nJune | 7,900 | 39"
    assert judged(f"In May the price fell: 8,200 litres at {price}.", table, number=price).status == status


@pytest.mark.requirement("NUM-07")
@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Wages were $48 million.", "contradicted"),
        ("Wages were $8 million.", "contradicted"),
        ("Wages were $2.1 million.", "unsupported"),
        ("Wages were $970 million.", "unsupported"),
        ("Wages were $36 billion.", "contradicted"),  # the digits at another scale
    ],
)
def test_a_figure_of_a_document_refutes_what_is_near_it(answer: str, status: str) -> None:
    assert judged(answer, COSTS).status == status


BERTHS = "The harbour has 48 berths, of which 42 were taken at the end of May. The dock was 97.5 % full."


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "number", "status"),
    [
        ("42 of the 48 berths were taken, or 87.5 %.", "87.5 %", "supported"),
        ("42 of the 48 berths were taken, or 97.5 %.", "97.5 %", "contradicted"),
        ("42 of the 48 berths were taken (just over 87 %).", "87 %", "supported"),
        ("42 of the 48 berths were taken, just over 88 %.", "88 %", "contradicted"),
        ("42 of the 48 berths were taken, and the dock was 97.5 % full.", "97.5 %", "supported"),
    ],
)
def test_a_share_right_behind_its_part_and_whole_is_of_these(answer: str, number: str, status: str) -> None:
    assert judged(answer, BERTHS, number=number).status == status


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "status"),
    [("Loan B is $18 million.", "supported"), ("Loan A is $18 million.", "contradicted")],
)
def test_a_letter_under_a_heading_is_called_by_both(answer: str, status: str) -> None:
    table = "Loan | Balance ($m) | Rate\nA | 42.0 | 5.1%\nB | 18.0 | 6.3%\nC | 9.5 | 5.8%"
    assert judged(answer, table).status == status


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Roads were $60,000 over budget.", "supported"),
        ("Parks were $15,000 over budget.", "contradicted"),
        ("Parks were $15,000 below their budget.", "supported"),
    ],
)
def test_what_came_about_is_in_the_money_of_its_budget(answer: str, status: str) -> None:
    table = "Department | Budget | Actual\nParks | 310,000 | 295,000\nRoads | 880,000 | 940,000"
    assert judged(answer, table).status == status


YARDS = "| Yard | Cranes | Stoppages | Lost tonnes |\n|---|---|---|---|\n| Ose | 14 | 8 | 60 |\n| Vik | 11 | 10 | 95 |\n| Ral | 6 | 1 | 7 |"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "number", "status"),
    [
        ("Vik accounts for more than half of all stoppages.", "half of all", "supported"),
        ("Ose accounts for more than half of all stoppages.", "half of all", "contradicted"),
        ("A stoppage at Vik cost 9.5 tonnes on average.", "9.5", "supported"),
        ("A stoppage at Vik cost 7.9 tonnes on average.", "7.9", "unsupported"),
    ],
)
def test_rows_without_a_total_make_up_the_whole(answer: str, number: str, status: str) -> None:
    assert judged(answer, YARDS, number=number).status == status
