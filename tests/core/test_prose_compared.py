"""Prose that compares: "310, against 248" says that it rose from 248; "better" goes the way that is good for the figure; a
profit lies as far from a loss as both come to; a figure of which more is good is none of which less is."""

import pytest

from tests.core.document_cases import judged
from tests.core.test_prose_told import change
from tests.tables import each_case

BOOKED = "The yard booked 310 repairs in the season, against 248. Its crane hire was $44,000, compared with $61,000 at Holm."
EMPTY = "Vacancy in the arcade is 12.4% today; a year ago it was 11.0%."
ADDED = (
    "Parcel volume was 61,000, against 40,000 in the year before, and delays were 8.1%, compared with 7.5%."
)
TURNED = "The ferry line made a loss of $2.6 million in 2023, after a profit of $4.1 million in 2022."


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("Repairs rose by a quarter.", "by a quarter", "holds"),
        ("Repairs rose by a third.", "by a third", "contradicted"),
        ("The yard's repairs rose to 310.", "rose", "holds"),
        ("The yard's repairs fell to 310.", "fell", "contradicted"),
        ("Crane hire fell to $44,000.", "fell", "not_compared"),  # Holm's hire is another's
    ],
)
def test_what_a_figure_is_merely_compared_with_was_its_earlier_one(
    answer: str, phrase: str, code: str
) -> None:
    assert change(answer, BOOKED)[phrase] == code


FARES = "Fares of the six months to 30 June were £5.5 million, against £4.4 million. A berth costs £800 a quarter."
TAKEN = "| | Q2 2024 | Q3 2024 |\n|---|---|---|\n| Takings | $610 | $650 |"
SHOPS = "| Shop | Sales, €000 |\n|---|---|\n| Orchard | 60 |\n| Quay | 75 |\n| Mill | 15 |"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("Repairs were a quarter above the year before.", BOOKED, "a quarter above", "holds"),
        ("Repairs were a quarter below the year before.", BOOKED, "a quarter below", "contradicted"),
        ("Repairs were up nearly a third.", BOOKED, "a third", "contradicted"),
        ("Delays rose to 8.1% and the parcel volume of 61,000 was about a half higher.", ADDED, "a half", "holds"),
        ("Delays rose to 8.1% and the parcel volume of 61,000 was about a fifth higher.", ADDED, "a fifth", "contradicted"),
        ("Quay sold a quarter more than Orchard.", SHOPS, "a quarter more", "holds"),
        ("Quay sold a third more than Orchard.", SHOPS, "a third", "contradicted"),
        ("Orchard sold a fifth less than Quay.", SHOPS, "a fifth", "holds"),
        ("Orchard sold a fifth more than Quay.", SHOPS, "a fifth", "contradicted"),
        ("The yard booked 310 repairs against 248, which is a quarter more.", BOOKED, "a quarter more", "holds"),
        ("The yard booked 310 repairs against 248, which is a third more.", BOOKED, "a third", "contradicted"),
    ],
)  # fmt: skip
def test_a_share_above_or_below_is_a_distance(answer: str, source: str, phrase: str, code: str) -> None:
    assert change(answer, source)[phrase] == code


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "number", "right"),
    [
        ("The yard booked 310 repairs.", BOOKED, "310", True),
        ("The yard booked 248 repairs.", BOOKED, "248", False),
        ("Fares rose by a quarter to £5.5 million.", FARES, "£5.5 million", True),
        ("The berth costs £800 a quarter.", FARES, "£800", True),
        ("The berth costs £800 a month.", FARES, "£800", False),
        ("Vacancy is 1.4 points worse than a year ago.", EMPTY, "1.4", True),
        ("Vacancy is 1.4 points better than a year ago.", EMPTY, "1.4", False),
        ("Takings in Q2 2024 were $40 less than in Q3 2024.", TAKEN, "$40", True),
        ("Takings in Q2 2024 were $40 more than in Q3 2024.", TAKEN, "$40", False),
        ("Takings in Q3 2024 were $40 more than in Q2 2024.", TAKEN, "$40", True),
        ("Takings in Q3 2024 were 7% above their Q2 2024 level.", TAKEN, "7%", True),
        ("Takings in Q3 2024 were $40 less than in Q2 2024.", TAKEN, "$40", False),
        ("The year was a swing of $6.7 million from the profit before.", TURNED, "$6.7 million", True),
        ("The year was a swing of $1.5 million from the profit before.", TURNED, "$1.5 million", False),
    ],
)
def test_a_number_goes_the_way_that_words_say(answer: str, source: str, number: str, right: bool) -> None:
    assert (judged(answer, source, number=number).code in ("exact", "derived", "approximate")) is right


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(("number", "status"), [("14.8%", "supported"), ("12.1%", "contradicted")])
def test_a_number_between_commas_is_not_of_what_it_is_compared_with(number: str, status: str) -> None:
    yards = "| Yard | Scrap rate (%) |\n|---|---|\n| Norrby | 14.8 |\n| Lund | 12.1 |\n| Sand | 9.9 |"
    said = f"Norrby is the larger yard. Its scrap rate, {number}, was higher than Sand's 9.9%."
    assert judged(said, yards, number=number).status == status


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "number"),
    [
        ("Occupancy was 9.3%.", "Vacancy at the quay was 9.3%.", "9.3%"),
        ("Revenue of the Sever mill was $5m.", "Costs of the Sever mill were $5m.", "$5m"),
        ("Total assets were €88 million.", "Total liabilities were €88 million.", "€88 million"),
        ("Net debt was £14m.", "Cash at bank was £14m.", "£14m"),
    ],
)
def test_a_figure_of_which_more_is_good_is_none_of_which_less_is(
    answer: str, source: str, number: str
) -> None:
    assert judged(answer, source, number=number).code == "off_metric"


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "number"),
    [
        ("Turnover was $5m.", "Revenue of the mill was $5m.", "$5m"),
        ("The fees were $5m.", "Parking fees were $5m in July.", "$5m"),
        ("The bank's loan balance was €9 million.", "Loans outstanding were €9 million.", "€9 million"),
    ],
)
def test_another_name_of_a_figure_is_not_refused(answer: str, source: str, number: str) -> None:
    assert judged(answer, source, number=number).code in ("exact", "unbound")
