"""The numbers inside the statements, and the order of all claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.claims import read
from detection.core.types import Case, Claim, Source

WORDS = [
    "NOI",
    "was",
    "$1,234.56",
    "5 %",
    "in Q3 2024",
    "[S0]",
    ".",
    ";",
    ", but",
    "\n",
    "？",
    "收入增长了5%。",
    "עלתה ל-3",
    "1.25x",
    "may",
    "\0",
    "\ud800",
    "(confidence: 90%)",
]
ANSWERS = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)


def read_all(answer: str, language: str = "en") -> tuple[Claim, ...]:
    return read(Case(answer=answer, language=language, sources=(Source("S0", "NOI was 5"),)))


@pytest.mark.requirement("SPEC-08.08")
def test_numbers_follow_their_statement_and_share_its_citations() -> None:
    found = read_all("NOI was $1,234,567.89 [S0]. The DSCR was 1.25x.")
    assert [(claim.index, claim.kind, claim.statement, claim.text, claim.citations) for claim in found] == [
        (0, "statement", None, "NOI was $1,234,567.89 [S0].", ("S0",)),
        (1, "currency", 0, "$1,234,567.89", ("S0",)),
        (2, "statement", None, "The DSCR was 1.25x.", ()),
        (3, "ratio", 2, "1.25x", ()),
    ]


def test_a_number_belongs_to_its_own_clause() -> None:
    found = read_all("Revenue was $500 in 2024; expenses were $300 in 2023.")
    owners = {claim.text: claim.statement for claim in found if claim.kind == "currency"}
    assert [found[owners[text] or 0].text for text in ("$500", "$300")] == [
        "Revenue was $500 in 2024",
        "expenses were $300 in 2023.",
    ]


def test_the_stated_confidence_is_no_number_to_verify() -> None:
    found = read_all("NOI rose by 5 % (confidence: 90%).")
    assert [claim.text for claim in found if claim.kind == "percentage"] == ["5 %"]


def test_numbers_of_a_question_are_read_too() -> None:
    found = read_all("Was NOI $500 or $600?")
    assert [claim.kind for claim in found] == ["statement", "currency", "currency"]
    assert found[0].excluded == "question"


def test_what_is_said_without_digits_is_a_claim_in_its_place() -> None:
    found = read_all("NOI rose to $500 and was the highest of the year.")
    assert [(claim.kind, claim.text) for claim in found[1:]] == [
        ("change", "rose"), ("currency", "$500"), ("change", "highest"),
    ]  # fmt: skip
    assert {claim.statement for claim in found[1:]} == {0}


@given(ANSWERS, st.sampled_from(["en", "he", "zh", "de"]))
def test_every_claim_slices_back_and_stands_in_order(answer: str, language: str) -> None:
    found = read_all(answer, language)
    assert [claim.index for claim in found] == list(range(len(found)))
    for claim in found:
        assert answer[claim.start : claim.end] == claim.text
        if claim.statement is not None:
            parent = found[claim.statement]
            assert parent.kind == "statement"
            assert parent.index < claim.index
            assert parent.sentence == claim.sentence
            assert parent.start <= claim.start
    starts = [claim.start for claim in found if claim.kind == "statement"]
    assert starts == sorted(starts)


@given(st.text(alphabet=st.characters(codec=None), max_size=150))
def test_any_text_is_read(answer: str) -> None:
    assert all(answer[claim.start : claim.end] == claim.text for claim in read_all(answer))


@pytest.mark.parametrize(
    ("unit", "times", "expected"),
    [
        ("NOI was $1,234.56 [S0]. ", 5_000, 10_000),
        ("$1,234.56 ", 10_000, 10_001),
        ("[S0]", 10_000, 0),
        ("NOI rose, and ", 10_000, 10_001),
        ("NOI $5 " * 500 + ". X ", 5, 2_506),
        ("5\n", 10_000, 20_000),
        ("|5|6|\n", 2_000, 6_000),
        ("置信度" + " " * 20_000 + "x", 2, 1),
        ("a", 200_000, 1),
        ("$5 and $6; NOI and DSCR; ", 3_000, 6_001),
        ("LTV and DSCR and covenants targets ", 3_000, 1),
        ("| NOI | $5 |\n", 3_000, 6_000),
        ("It rose to $5. ", 3_000, 9_000),
        ("$5 more than in the prior quarter, ", 3_000, 3_001),
    ],
)
def test_long_answers_are_read_in_one_pass(unit: str, times: int, expected: int) -> None:
    assert len(read_all(unit * times)) == expected
