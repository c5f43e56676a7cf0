"""Citation marks: what is one, and which source it means."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.text import citation_marks, known_ids, mark_spans, resolve, strip_marks
from tests.tables import each_case


def refs(text: str, ids: tuple[str, ...] = ()) -> list[str]:
    return [ref for ref, _, _ in citation_marks(text, ids)]


@pytest.mark.requirement("GOV-01")
@pytest.mark.requirement("CIT-01")
@each_case(
    ("text", "expected"),
    [
        ("NOI rose [S0].", ["S0"]),
        ("NOI rose [S0][S1].", ["S0", "S1"]),
        ("NOI rose [S0, S1; S2].", ["S0", "S1", "S2"]),
        ("收入增长【S0】，支出［S1］下降[S2、S3]。", ["S0", "S1", "S2", "S3"]),
        ("ההכנסה עלתה [S0].", ["S0"]),
        ("see [S0](https://example.com/a)", ["S0"]),
        ("[S99999999999] [S-1] [S٣] [[S1]]", ["S99999999999", "S-1", "S٣", "S1"]),
        ("a [path/../../etc] b [  S0  ]", ["path/../../etc", "S0"]),
        ("NOI rose[1]. Costs fell [^2].", ["1", "^2"]),
        ("total[S0] rose, see (Smith [4])", ["S0", "4"]),
    ],
)
def test_every_bracketed_id_is_a_citation(text: str, expected: list[str]) -> None:
    assert refs(text) == expected


@each_case(
    "text",
    [
        "[sic]", "[…]", "[...]", "[ . . . ]", "[]", "[ ]", "[x]", "[citation needed]", "[EVIDENCE REMOVED]",
        "[T]he rent", "[原文如此]", "[כך במקור]", "![chart](a.png)", "[Annual report](https://example.com)",
        "[here](https://example.com)", "`rows[0]`", "``` \nrent[1]\n```", "rows[0] = 5", "data[0].total", "f[i](x)",
        "data[\"rent\"] += 1", "[^1]: Rent roll", "The rent.\n  [2]: https://example.com", "[open", "closed]", "[two\nlines]", f"[{'x' * 201}]",
    ],
)  # fmt: skip
def test_what_editors_and_markdown_put_in_brackets_is_no_citation(text: str) -> None:
    assert citation_marks(text) == []


def test_a_mark_has_the_place_of_its_whole_bracket() -> None:
    assert citation_marks("NOI [S0, S1].") == [("S0", 4, 12), ("S1", 4, 12)]


@pytest.mark.requirement("RAG-06")
@each_case(
    ("written", "ids", "meant"),
    [
        ("S0", ("S0", "S1"), "S0"),
        ("Source 1", ("1", "Source 1"), "Source 1"),
        ("Source 1", ("0", "1"), "1"),
        ("source  #1", ("1",), "1"),
        ("Doc: a7", ("a7",), "a7"),
        ("מקור 2", ("2",), "2"),
        ("来源1", ("1",), "1"),
        ("^1", ("1",), "1"),
        ("S2", ("S0", "S1"), None),
        ("1", ("S0", "S1"), None),
        ("1", ("0",), None),
        ("s0", ("S0",), None),
        ("S01", ("S1",), None),
        ("Source", ("1",), None),
        ("", ("",), ""),
    ],
)
def test_a_ref_means_only_the_id_that_it_names(written: str, ids: tuple[str, ...], meant: str | None) -> None:
    assert resolve(written, ids) == meant
    assert resolve(written, known_ids(ids)) == meant


def test_an_id_with_a_comma_is_not_taken_apart() -> None:
    assert refs("[Smith, 2020] [Smith, 2021]", ("Smith, 2020",)) == ["Smith, 2020", "Smith", "2021"]


def test_refs_are_given_as_the_ids_they_mean() -> None:
    assert refs("[Source 1, S9]", ("1",)) == ["1", "S9"]


@each_case(
    ("text", "ids", "expected"),
    [
        ("[1-3]", ("1", "2", "3"), ["1", "2", "3"]),
        ("[S1–S3]", ("S1", "S2", "S3"), ["S1", "S2", "S3"]),
        ("[S1-3, S7]", ("S1", "S2", "S3", "S7"), ["S1", "S2", "S3", "S7"]),
        ("[Sources 1-2]", ("1", "2"), ["1", "2"]),
        ("[1-3]", ("1", "3"), ["1", "2", "3"]),
        ("[2024-11]", ("2024-11",), ["2024-11"]),
        ("[2020-2023]", ("S0",), ["2020-2023"]),
        ("[3-1]", ("1", "3"), ["3-1"]),
        ("[1-999999]", ("1", "2"), ["1-999999"]),
        ("[1-3]", (), ["1-3"]),
    ],
)
def test_a_range_cites_every_source_in_it(text: str, ids: tuple[str, ...], expected: list[str]) -> None:
    assert refs(text, ids) == expected


def test_a_footnote_means_the_source_that_it_names() -> None:
    text = "NOI rose [^1]. Rent fell [2].\n\n[^1]: S0\n[2]: Rent roll"
    assert refs(text, ("S0", "Rent roll")) == ["S0", "Rent roll"]


def test_a_footnote_cannot_rename_a_source() -> None:
    assert refs("NOI rose [S1].\n[S1]: S0", ("S0", "S1")) == ["S1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NOI rose [S0].", "NOI rose."),
        ("NOI rose. [S0] Costs fell [S1, S2].", "NOI rose. Costs fell."),
        ("收入增长【S0】。", "收入增长。"),
        ("He wrote [sic] so.", "He wrote [sic] so."),
        ("[S0]", ""),
    ],
)
def test_marks_are_stripped_with_the_space_before_them(text: str, expected: str) -> None:
    assert strip_marks(text) == expected


@given(st.text(alphabet="[]【】S0, \n(sic)…!a", max_size=80))
def test_marks_are_disjoint_brackets_in_order(text: str) -> None:
    spans = mark_spans(text)
    assert all(text[start] in "[【" and text[end - 1] in "]】" for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert {(start, end) for _, start, end in citation_marks(text)} <= set(spans)


@given(st.text(alphabet=st.characters(codec=None), max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    stripped = strip_marks(text)
    assert len(stripped) <= len(text)


@pytest.mark.parametrize("unit", ["[", "]", "[S", "[S0] ", "[[S1]]", "[a,", "【", "`` ` ", "\n[^1]: S0"])
def test_many_brackets_are_read_in_one_pass(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    assert len(mark_spans(text)) == text.count("[S0]") + text.count("[S1]")
