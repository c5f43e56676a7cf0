"""What the words of a number name for certain stands when the number is weighed; what goes on in a list, behind a sign or
at a further period is read with what came before."""

import pytest

from tests.core.document_cases import judged
from tests.core.record_cases import FIGURES, PERIODS, case, figure, findings, told
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-05")
REFUSED = {"contradicted", "not_found", "off_period", "off_metric", "off_property", "off_role", "sign"}
WITH_INCOME = (
    *FIGURES,
    figure("net_income", "210000", PERIODS[4]),
    figure("net_income", "-18350", PERIODS[0]),
    figure("net_income", "-12760", PERIODS[3]),
)


def refused(answer: str) -> list[str]:
    """The texts of an answer about OAK in Q3 2024 that are refused."""
    found = findings(case(answer, figures=WITH_INCOME))
    return [text for text, one in found.items() if one.code in REFUSED]


@each_case(
    ("answer", "wrong"),
    [
        ("OAK closed Q3 2024 with net income of {} and occupancy of 95.4%.", ("$210,000", "$1,234,567")),
        ("NOI of {} was more than the $710,000 of debt service in Q3 2024.", ("$1,234,567", "$700,000")),
        ("In 2024, NOI was highest in Q4, at {}.", ("$1,300,000", "$1,234,567")),
        ("Net losses were posted in Q3 2023 ($18,350) and Q2 2024 ({}).", ("$12,760", "$18,350")),
        ("OAK kept {} of each revenue dollar as NOI in Q3 2024.", ("59 cents", "54 cents")),
        ("Q3 2024 on Q3 2023 – NOI: {}, operating expenses: +8.2%.", ("+23.5%", "+26.5%")),
    ],
)
def test_a_number_is_that_of_its_own_words(answer: str, wrong: tuple[str, str]) -> None:
    right, other = wrong
    assert refused(answer.format(right)) == []
    assert refused(answer.format(other)) != []


def test_what_is_over_one_number_is_not_what_another_clause_names() -> None:
    assert (
        refused("Operating expenses were $865,433, and NOI was therefore slightly over $1.2 million.") == []
    )


def test_a_superlative_beside_a_quarter_is_that_quarters() -> None:
    assert refused("In 2024, NOI was highest in Q2, at $1,300,000.") == ["$1,300,000"]


def test_points_go_on_through_a_list() -> None:
    text = "Occupancy | Q3 2024 | Q3 2023\nOak | 95.4% | 91.0%\nElm | 90.2% | 88.7%\nAsh | 80.0% | 78.8%"
    answer = "Against Q3 2023 occupancy rose by 4.4 points at Oak, {} at Elm and 1.2 at Ash."
    found = [judged(answer.format(each), text, number=each).code for each in ("1.5", "2.5")]
    assert found == ["derived", "contradicted"]


LEASES = (
    "Tenant | Area (sf) | Annual rent ($) | Lease ends\n"
    "Anchor Pharmacy | 3,300 | 112,200 | 08-31-2024\nElm Imaging | 9,500 | 299,250 | 12-31-2025"
)


@each_case(
    ("answer", "code"),
    [
        ("Anchor Pharmacy, whose lease ends in August 2024, pays an annual rent of $112,200.", "exact"),
        ("Elm Imaging, whose lease ends in December 2025, pays an annual rent of $112,200.", "off_property"),
    ],
)
def test_a_date_that_a_row_holds_is_no_period_of_its_amounts(answer: str, code: str) -> None:
    assert judged(answer, LEASES).code == code


MONTHS = (
    "Month | New registrations\n2025-01 | 11,240\n2025-02 | 10,870\n2025-03 | 15,960\n"
    "2025-04 | 12,310\n2025-05 | 12,780\n2025-06 | 13,940"
)


def test_the_only_year_of_a_document_is_that_of_its_quarters() -> None:
    answer = "Second-quarter registrations of {} exceeded the first quarter's."
    found = [judged(answer.format(each), MONTHS).code for each in ("39,030", "38,070")]
    assert found == ["derived", "contradicted"]


@each_case(
    ("answer", "holds"),
    [
        ("Revenue exceeded operating expenses in Q1 2024 and Q2 2024.", "holds"),
        ("Operating expenses exceeded revenue in Q1 2024 and Q2 2024.", "contradicted"),
    ],
)
def test_an_order_must_hold_in_every_period_that_is_listed(answer: str, holds: str) -> None:
    assert told(case(answer))["exceeded"] == holds


def test_a_figure_that_is_not_on_record_is_judged_by_no_other() -> None:
    assert (
        told(case("NOI rose because the loan was refinanced at a lower interest rate."))["lower"]
        == "not_compared"
    )
