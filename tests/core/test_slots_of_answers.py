"""What an answer says beside a number, and what it only points back at: rates, shares in brackets, signs, places in a line."""

import pytest

from tests.core.document_cases import judged

MILLS = (
    "Mill | Hands | Cloth 2023 (metres) | Waste 2023 (%) | Profit 2023 (EUR thousand)\n"
    "Oxley | 40 | 9,200 | 6.5 | 310\nTarn | 25 | 6,500 | 4.8 | (85)\nWick Mill | 35 | 8,300 | 5.1 | 120\nTotal | 100 | 24,000 | 5.6 | 345"
)
PROSE = (
    "Passengers took 800,000 rides in 2024. Fares brought in $2.40 million and running the boats cost $2.72 million. "
    "Anglers bought 5,000 permits."
)


def code(answer: str, source: str, *, number: str, language: str = "en") -> str:
    """The code of the number of an answer that is written so."""
    return judged(answer, source, language=language, number=number).code


@pytest.mark.requirement("NUM-08")
@pytest.mark.parametrize(
    ("answer", "number", "expected"),
    [
        ("Fares came to $3.00 per ride in 2024.", "$3.00", "derived"),
        ("Running costs were $3.40 a ride.", "$3.40", "derived"),
        ("The loss per ride was 40 cents in 2024.", "40 cents", "derived"),
        ("Fares came to $3.60 per ride in 2024.", "$3.60", "not_found"),
    ],
)
def test_an_amount_by_the_thing_is_reckoned_from_both(answer: str, number: str, expected: str) -> None:
    assert code(answer, PROSE, number=number) == expected


@pytest.mark.requirement("NUM-08")
@pytest.mark.parametrize(("value", "expected"), [("230", "derived"), ("260", "contradicted")])
def test_a_rate_of_a_row_is_of_that_row(value: str, expected: str) -> None:
    told = f"At Oxley, {value} metres of cloth per hand were woven in 2023."
    assert code(told, MILLS, number=value) == expected


@pytest.mark.requirement("NUM-08")
@pytest.mark.parametrize(("share", "expected"), [("38%", "derived"), ("27%", "contradicted")])
def test_a_share_in_brackets_is_of_the_total_of_its_column(share: str, expected: str) -> None:
    assert code(f"Oxley wove 9,200 metres of cloth in 2023 ({share}).", MILLS, number=share) == expected


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    "answer",
    [
        "Tarn's profit in 2023 was +€85,000.",
        "Tarn made a surplus of €85,000 in 2023.",
    ],
)
def test_a_loss_is_no_surplus(answer: str) -> None:
    number = "+€85,000" if "+" in answer else "€85,000"
    assert code(answer, MILLS, number=number) == "sign"


@pytest.mark.requirement("NUM-05")
def test_a_share_is_in_no_unit_of_measure() -> None:
    told = "Tarn, the smallest at 6,500 metres, did best with 4.8%."
    assert code(told, MILLS, number="4.8%") in ("exact", "unbound")


@pytest.mark.requirement("NUM-05")
def test_a_mill_that_is_pointed_at_is_none_that_is_called_mill() -> None:
    told = "Cloth woven at Oxley rose in 2023. That mill wove 9,200 metres of cloth."
    assert code(told, MILLS, number="9,200") == "exact"


@pytest.mark.requirement("NUM-05")
def test_what_a_part_is_of_names_no_row_for_the_number_behind_it() -> None:
    told = "Oxley wove 9,200 metres in 2023, over a third of the total cloth, but it also had the highest waste at 6.5%."
    assert code(told, MILLS, number="6.5%") == "exact"


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(("value", "expected"), [("41万", "exact"), ("36万", "off_property")])
def test_chinese_lines_are_told_apart_by_their_number(value: str, expected: str) -> None:
    table = "线路 | 2023年客流\n1号线 | 41万\n2号线 | 36万\n3号线 | 18万"
    assert code(f"2023年1号线客流为{value}。", table, number=value, language="zh") == expected


@pytest.mark.requirement("NUM-05")
def test_a_word_of_a_metric_makes_no_plan_of_a_column() -> None:
    table = "Line | Claims incurred 2023 ($ million) | Underwriting result 2023 ($ million)\nHulls | 41.5 | 6.2\nCargo | 22.8 | (3.4)"
    assert (
        code("The underwriting result of Hulls was $6.2 million in 2023.", table, number="$6.2 million")
        == "exact"
    )
    assert (
        code("Claims incurred in Cargo were $22.8 million in 2023.", table, number="$22.8 million") == "exact"
    )


@pytest.mark.requirement("NUM-08")
@pytest.mark.parametrize(("share", "expected"), [("53%", "supported"), ("63%", "unsupported")])
def test_a_table_that_lies_on_its_side_has_its_total_in_a_column(share: str, expected: str) -> None:
    table = "| | Wheat | Barley | Rape | Total |\n|---|---|---|---|---|\n| Area (ha) | 1,240 | 685 | 415 | 2,340 |\n| Harvest (t) | 10,044 | 4,316 | 1,394 | 15,754 |"
    told = f"Wheat took up about {share} of the cropped area and yielded a harvest of 10,044 tonnes."
    assert judged(told, table, number=share).status == expected
