"""A number that its nearest words lead elsewhere is weighed against all ways to it; what no words name supports nothing."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detection.core import evidence
from detection.core.matching.weighing import weights
from detection.core.matching.weighing.terms import EVERY, terms
from detection.core.types import Case, Source, never
from tests.core.document_cases import judged
from tests.core.record_cases import NOI, QUARTERS, case, findings

pytestmark = pytest.mark.requirement("NUM-06")
SHOPS = (
    "| Shop | Sales 2024 ($) | Rent 2024 ($) |\n|---|---|---|\n| Harbour | 512,400 | 60,200 |\n| Market | 733,900 | 88,410 |\n"
    "| Station | 418,250 | 51,730 |"
)


def code(answer: str, number: str) -> str:
    """What is found of a number of an answer about OAK in Q3 2024."""
    return findings(case(answer))[number].code


def test_a_figure_that_the_sentence_names_after_another_is_found() -> None:
    answer = (
        "NOI rose from $1,173,500 in Q2 2024 to $1,234,567, while debt service, at $710,000, hardly moved."
    )
    found = findings(case(answer))
    assert {found[number].code for number in ("$1,173,500", "$1,234,567", "$710,000")} == {"exact"}


def test_a_wrong_sign_beside_the_right_words_is_not_weighed_away() -> None:
    assert code("Net operating income of OAK was -$1,234,567 in Q3 2024.", "-$1,234,567") == "sign"
    assert code("Net operating income of OAK was $1,234,567 in Q3 2024.", "$1,234,567") == "exact"


def test_what_a_column_comes_to_is_reckoned() -> None:
    found = judged("The three shops sold $1,664,550 in 2024 in total.", SHOPS, number="$1,664,550")
    assert found.code == "derived"
    assert found.matched is not None
    assert found.matched.arithmetic == "512,400 + 733,900 + 418,250"


def test_another_sum_of_a_column_is_refused() -> None:
    found = judged("The three shops sold $1,646,550 in 2024 in total.", SHOPS, number="$1,646,550")
    assert found.status in ("contradicted", "unsupported")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(QUARTERS), st.sampled_from(NOI))
def test_the_value_of_a_quarter_that_no_words_name_is_no_support(quarter: str, value: str) -> None:
    """Whatever quarter is named: another quarter's value of the same figure stays refused."""
    shown = f"${int(value):,}"
    right = NOI[QUARTERS.index(quarter)] == value
    found = findings(case(f"Net operating income was {shown} in {quarter}."))[shown]
    assert (found.status == "supported") is right


def test_the_value_of_a_property_that_no_words_name_is_no_support() -> None:
    assert code("Net operating income was $1,134,567 in Q3 2024.", "$1,134,567") == "off_property"


def test_documents_do_not_tell_what_is_on_record_otherwise() -> None:
    assert code("Net operating income was $1,111,111 in Q3 2024.", "$1,111,111") == "contradicted"


def test_nothing_is_reckoned_to_nothing() -> None:
    """Every value less itself is zero."""
    found = judged("Sales of the Market shop less its rent came to $0 in 2024.", SHOPS, number="$0")
    assert found.status != "supported"


def test_totals_are_added_only_over_what_is_alike() -> None:
    """Columns of a list are of different things; rows of one column are not."""
    known = evidence.read(Case("", sources=(Source("S0", SHOPS),)), never)
    totals = [term for term in terms(known.all).own if EVERY in term.place]
    assert {term.worth.value for term in totals} == {Decimal(1_664_550), Decimal(200_340)}
    assert all(term.pieces == 3 for term in totals)


def test_all_that_decides_has_a_weight() -> None:
    """The file holds both regressions and a least score for each kind of evidence."""
    told = weights.Refusal("contradicted", "", "currency", 0, recorded=True)
    assert weights.fit({"asked": 1.0}) != 0
    assert weights.accepts("stated", 50.0, 1, told)
    assert not weights.accepts("stated", -50.0, 1, told)


@settings(max_examples=50, deadline=None)
@given(st.floats(-20, 20), st.floats(0, 10))
def test_what_fits_better_is_not_refused_where_worse_is_taken(fitting: float, more: float) -> None:
    told = weights.Refusal("not_found", "", "percentage", 1, recorded=False)
    assert weights.accepts("ratio", fitting + more, 3, told) or not weights.accepts("ratio", fitting, 3, told)


PORTS = (
    "| | Q1 2024 | Q2 2024 | Q3 2024 | Q4 2024 | FY 2024 |\n|---|---|---|---|---|---|\n"
    "| Containers handled (TEU) | 4,120 | 4,480 | 4,610 | 4,390 | 17,600 |\n| Dues ($m) | 6.1 | 6.7 | 7.2 | 6.4 | |"
)


def test_what_is_said_to_be_an_average_is_no_sum() -> None:
    assert judged("Dues in 2024 came to $26.4 million.", PORTS, number="$26.4 million").code == "derived"
    answer = "Average quarterly dues in 2024 came to {}."
    assert judged(answer.format("$6.6 million"), PORTS, number="$6.6 million").code == "derived"
    assert judged(answer.format("$26.4 million"), PORTS, number="$26.4 million").status == "contradicted"


def test_a_count_of_a_year_is_none_of_an_average_quarter() -> None:
    answer = "In an average quarter of 2024 the port handled {} containers."
    assert judged(answer.format("4,400"), PORTS, number="4,400").code == "derived"
    assert judged(answer.format("17,600"), PORTS, number="17,600").status == "contradicted"


def test_no_rounding_brings_a_result_over_a_bound() -> None:
    table = "| Mill | Output 2024 (t) | Output 2023 (t) |\n|---|---|---|\n| Alder | 1,643 | 1,498 |\n| Birch | 988 | 902 |"
    answer = "Output at Alder advanced by {} 10%, to 1,643 tonnes."
    assert judged(answer.format("less than"), table, number="10%").status == "supported"
    assert judged(answer.format("nearly"), table, number="10%").status == "supported"
    assert judged(answer.format("more than"), table, number="10%").status == "contradicted"
