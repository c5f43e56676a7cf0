"""Rows of a table are compared as words say, though no words name the figure alone: all that may be meant must agree."""

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Source

pytestmark = pytest.mark.requirement("NUM-05")

CLUBS = (
    "| Club | Members, start | Members, end | Monthly fee (£) |\n|---|---|---|---|\n"
    "| Canal Street | 1,240 | 1,418 | 39 |\n| Old Mill | 2,310 | 2,205 | 34 |\n| Fernside | 880 | 760 | 42 |"
)
POWER = "| Source | 2021 | 2022 | 2023 |\n|---|---|---|---|\n| Wind | 25 | 31 | 36 |\n| Coal | 38 | 29 | 18 |\n| Gas | 36 | 34 | 30 |"


def told(answer: str, table: str = CLUBS) -> dict[str, str]:
    """What becomes of each claim without digits of an answer over a table."""
    case = Case(answer=answer, sources=(Source("S0", table),))
    read = claims.read(case)
    context = Context(case, read)
    found = numeric.decide(numeric.measure(context), context).findings
    return {
        read[one.claim].text: one.status
        for one in found
        if (n := read[one.claim].number) and n.kind == "change"
    }


@pytest.mark.parametrize(
    ("answer", "words", "status"),
    [
        ("Fernside has fewer members than Old Mill.", "fewer members than", "supported"),
        ("Old Mill has fewer members than Fernside.", "fewer members than", "contradicted"),
        ("Old Mill has more members than any of the others.", "more members than", "supported"),
        ("Fernside has more members than any of the others.", "more members than", "contradicted"),
        (
            "Old Mill has more members than Canal Street and Fernside together.",
            "more members than",
            "supported",
        ),
        (
            "Canal Street has more members than Old Mill and Fernside together.",
            "more members than",
            "contradicted",
        ),
        (
            "Old Mill ended the year as the club with more people than Canal Street at 2,205.",
            "more people than",
            "supported",
        ),
        ("Old Mill has a bigger membership fee than Fernside.", "bigger membership fee than", "contradicted"),
    ],
)
def test_a_row_lies_where_it_is_said_to_lie_of_others(answer: str, words: str, status: str) -> None:
    assert told(answer)[words] == status


@pytest.mark.parametrize(
    "answer",
    [
        "Old Mill is livelier than Fernside.",  # no word of order
        "Canal Street gained 178 members, more than Old Mill.",  # how far something went is no figure of the table
        "Old Mill has fewer staff than Fernside.",  # no column of the table
        "All clubs but Old Mill have more members than Fernside.",  # some are excepted
        "It has more members than Fernside.",  # nobody is named
    ],
)
def test_what_names_no_row_or_no_figure_of_the_table_is_left(answer: str) -> None:
    assert set(told(answer).values()) <= {"not_checked"}


def test_the_period_that_is_named_is_the_one() -> None:
    assert told("In 2023 wind produced a bigger output than gas.", POWER) == {
        "bigger output than": "supported"
    }
    assert told("In 2021 wind produced a bigger output than gas.", POWER) == {
        "bigger output than": "contradicted"
    }


@pytest.mark.parametrize(
    ("text", "side"),
    [("longer than", "ahead"), ("cheaper than", "behind"), ("a heavier load than", "ahead")],
)
def test_a_comparative_says_the_side_of_its_superlative(text: str, side: str) -> None:
    read = claims.read(Case(answer=f"The first is {text} the second."))
    (found,) = (one.number for one in read if one.number and one.number.kind == "change")
    assert found.value == f"order:{side}"


@pytest.mark.parametrize(
    "text", ["filed later than planned", "opened earlier than the second", "of an older kind than"]
)
def test_what_lies_before_or_behind_in_time_is_no_order_of_rows(text: str) -> None:
    read = claims.read(Case(answer=f"The first was {text} that."))
    assert not [one.text for one in read if one.number and one.number.kind == "change"]
