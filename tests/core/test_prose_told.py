"""Prose tells how its figures moved, which of an enumeration is the highest, and whose a number is."""

import pytest

from detection.core.types import Case, Source
from tests.core.document_cases import judged
from tests.core.record_cases import told
from tests.tables import each_case

SALES = "Sales of the yard were $3.0 million in 2023. In 2024 they reached $7.5 million, after costs fell from $90,000 to $60,000."
OPENED = "The contract opened the week at $4.20 a bushel and closed it at $4.65."
LISTED = "Bookings were 410 in April, 560 in May and 530 in June."
FUND = "The fund took in $9.5 million, of which $4.0 million came from members, $3.2 million from the city and $1.8 million from sales."
SHIPS = "A total of 90 ships called: 40 tankers, 30 ferries and 20 barges."
NAMED = "The ferry to Orr takes 35 minutes, to Selsey 50 minutes and to Brack 80 minutes."
LOSSES = "The mill's net result was -$8 million in 2023 and -$5 million in 2024."
FELL = "The net loss fell to $5 million from $8 million."
LOSS_TABLE = "| Year | Net result, $m |\n|---|---|\n| 2023 | -8 |\n| 2024 | -5 |"
OCCUPANCY = "| | 2023 | 2024 |\n|---|---|---|\n| Occupancy | 91% | 88% |"


def change(answer: str, source: str, language: str = "en") -> dict[str, str]:
    return told(Case(answer, language=language, sources=(Source("S0", source),)))


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("Sales more than doubled in 2024.", SALES, "doubled", "holds"),
        ("Sales more than tripled in 2024.", SALES, "tripled", "contradicted"),
        ("Sales fell in 2024.", SALES, "fell", "contradicted"),
        ("Costs fell by a third.", SALES, "by a third", "holds"),
        ("Costs fell by a quarter.", SALES, "by a quarter", "contradicted"),
        ("The contract rose over the week.", OPENED, "rose", "holds"),
        ("The contract fell over the week.", OPENED, "fell", "contradicted"),
    ],
)
def test_prose_tells_how_a_figure_moved(answer: str, source: str, phrase: str, code: str) -> None:
    assert change(answer, source)[phrase] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("Bookings were highest in May.", LISTED, "highest", "holds"),
        ("Bookings were highest in June.", LISTED, "highest", "contradicted"),
        ("The highest number of bookings, 530, was that of June.", LISTED, "highest", "contradicted"),
        ("The ferry to Brack is the longest.", NAMED, "longest", "holds"),
        ("The ferry to Selsey is the longest.", NAMED, "longest", "contradicted"),
        ("Bookings of 560 were the highest in ten years.", LISTED, "highest", "not_compared"),
        ("Members were the largest source.", FUND, "largest", "holds"),
        ("The city was the largest source at $3.2 million.", FUND, "largest", "contradicted"),
        ("Tankers were the largest group.", SHIPS, "largest", "holds"),
        ("Ferries, 30, were the largest group.", SHIPS, "largest", "contradicted"),
    ],
)
def test_the_places_of_an_enumeration_are_told(answer: str, source: str, phrase: str, code: str) -> None:
    assert change(answer, source)[phrase] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("The loss shrank.", LOSSES, "shrank", "holds"),
        ("The loss grew.", LOSSES, "grew", "contradicted"),
        ("The net result improved.", LOSSES, "improved", "holds"),
        ("The net result worsened.", LOSSES, "worsened", "contradicted"),
        ("The net result improved.", FELL, "improved", "holds"),
        ("The net result worsened.", FELL, "worsened", "contradicted"),
        ("The net loss rose.", FELL, "rose", "contradicted"),
        ("The net result improved by $3 million.", LOSS_TABLE, "improved", "holds"),
        ("The net loss improved from $8 million to $5 million.", LOSS_TABLE, "improved", "holds"),
        ("The net loss widened from $5 million to $8 million.", LOSS_TABLE, "widened", "contradicted"),
        ("Occupancy rose from 88% to 91%.", OCCUPANCY, "rose", "contradicted"),
        ("Occupancy fell from 91% to 88%.", OCCUPANCY, "fell", "holds"),
    ],
)
def test_losses_and_ends_that_are_turned_are_told(answer: str, source: str, phrase: str, code: str) -> None:
    assert change(answer, source)[phrase] == code


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "supported"),
    [
        ("Freight revenue was $6 million.", "Freight revenue was $9 million; charter revenue was $6 million.", False),
        ("Charter revenue was $6 million.", "Freight revenue was $9 million; charter revenue was $6 million.", True),
        ("The Lyon depot handled 640 parcels.", "The Lyon depot handled 510 parcels. The Metz depot handled 640 parcels.", False),
        ("The Metz depot handled 640 parcels.", "The Lyon depot handled 510 parcels. The Metz depot handled 640 parcels.", True),
        ("Block B is 84% let.", "Block A is 84% let while Block B is 71% let.", False),
        ("Block A is 84% let.", "Block A is 84% let while Block B is 71% let.", True),
        ("The B loan bears 4.4%.", "The A loan bears 4.4% and the B loan 6.1% interest.", False),
        ("Vans made up 35% of the fleet.", "Vans made up 52% of the fleet and 35% of new orders.", False),
        ("Vans made up 35% of new orders.", "Vans made up 52% of the fleet and 35% of new orders.", True),
    ],
)  # fmt: skip
def test_a_number_of_prose_is_not_that_of_another_that_the_words_name(
    answer: str, source: str, supported: bool
) -> None:
    assert (judged(answer, source).status == "supported") == supported


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "supported"),
    [
        ("Sales in Q2 were $5 million.", "In Q1 sales were $4 million; in Q2 they were $5 million.", True),
        ("Sales in Q1 were $5 million.", "In Q1 sales were $4 million; in Q2 they were $5 million.", False),
        ("The price was $21 in March.", "Prices: January $19, February $20, March $21.", True),
        ("The price was $20 in March.", "Prices: January $19, February $20, March $21.", False),
    ],
)
def test_periods_are_told_apart_where_no_year_is_named(answer: str, source: str, supported: bool) -> None:
    assert (judged(answer, source).status == "supported") == supported


BEDS = "| Ward | Beds | Patients |\n|---|---|---|\n| East | 20 | 18 |\n| West | 16 | 19 |"
COSTS = "Travel cost $40,000; training cost $55,000."


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("West has more patients than beds.", BEDS, "more patients than", "holds"),
        ("East has more patients than beds.", BEDS, "more patients than", "contradicted"),
        ("East has fewer patients than beds.", BEDS, "fewer patients than", "holds"),
        ("Travel cost less than training.", COSTS, "less than", "holds"),
        ("Travel cost more than training.", COSTS, "more than", "contradicted"),
        ("It took more than a year.", COSTS, "more than", "not_compared"),
    ],
)
def test_more_or_less_than_another_thing_is_a_claim(answer: str, source: str, phrase: str, code: str) -> None:
    assert change(answer, source)[phrase] == code


def test_more_than_an_amount_is_a_bound_and_no_claim() -> None:
    assert change("Travel cost more than $30,000, $15,000 less than training.", COSTS) == {}


FLOORS = "The first-floor tenant pays $25 per square foot, the second-floor tenant $30."
COVENANT = "DSCR for Q3 2024 was 1.32x. The covenant requires at least 1.20x."
QUARTERS = (
    "| | Q1 2023 | Q2 2023 | Q3 2023 | Q4 2023 | Q1 2024 | Q2 2024 | Q3 2024 | Q4 2024 |\n"
    "|---|---|---|---|---|---|---|---|---|\n| NOI ($) | 100 | 110 | 120 | 130 | 140 | 150 | 160 | 170 |"
)
RUNNING = "Revenue for Q3 2024 was $4 million, after $3 million in Q2 2024, at a margin of 12%."


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "number", "supported"),
    [
        ("The second-floor tenant pays $25.", FLOORS, "$25", False),
        ("The first-floor tenant pays $25.", FLOORS, "$25", True),
        ("DSCR was 1.32x, 0.12x above the covenant.", COVENANT, "0.12x", True),
        ("DSCR was 1.32x, 0.12x short of the covenant.", COVENANT, "0.12x", False),
        ("NOI averaged $155 a quarter in 2024, against $115 in 2023.", QUARTERS, "$115", True),
        ("NOI averaged $155 a quarter in 2024, against $110 in 2023.", QUARTERS, "$110", False),
        ("The margin was 12% in Q3 2024.", RUNNING, "12%", True),
        ("The margin was 12% in Q2 2024.", RUNNING, "12%", False),
    ],
)
def test_what_one_sentence_says_of_several_is_kept_apart(
    answer: str, source: str, number: str, supported: bool
) -> None:
    assert (judged(answer, source, number=number).status == "supported") == supported


def test_the_way_of_a_loss_is_told_by_last_year_and_this() -> None:
    source = "公司上年净亏损800万元，今年净亏损500万元。"
    assert change("净亏损收窄了。", source, "zh")["收窄"] == "holds"
    assert change("净亏损扩大了。", source, "zh")["扩大"] == "contradicted"
