"""The answer cut at its claims: nothing is lost, nothing is added, every slice knows what covers it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.display.highlights import Span, cut, differing, replaced, window

TEXTS = st.text(max_size=60)
OFFSETS = st.integers(-5, 70)
SPANS = st.lists(st.tuples(OFFSETS, OFFSETS), max_size=8).map(
    lambda pairs: [Span(start, end, n) for n, (start, end) in enumerate(pairs)]
)


@given(TEXTS, SPANS)
def test_pieces_put_together_are_the_text(text: str, spans: list[Span]) -> None:
    assert "".join(piece.text for piece in cut(text, spans)) == text


@given(TEXTS, SPANS)
def test_every_piece_lists_exactly_the_spans_that_cover_it(text: str, spans: list[Span]) -> None:
    at = 0
    for piece in cut(text, spans):
        covering = {s.key for s in spans if s.start <= at < s.end and s.end > at and piece.text}
        assert set(piece.keys) == covering
        at += len(piece.text)


@given(TEXTS, SPANS)
def test_every_span_opens_once_and_closes_once(text: str, spans: list[Span]) -> None:
    pieces = cut(text, spans)
    visible = sorted(s.key for s in spans if max(s.start, 0) < min(s.end, len(text)))
    assert sorted(key for piece in pieces for key in piece.opens) == visible
    assert sorted(key for piece in pieces for key in piece.closes) == visible


def test_the_innermost_span_comes_last() -> None:
    pieces = cut("NOI was $5 then", [Span(8, 10, "number"), Span(0, 15, "statement")])
    assert [(p.text, p.keys) for p in pieces] == [
        ("NOI was ", ("statement",)),
        ("$5", ("statement", "number")),
        (" then", ("statement",)),
    ]


def test_offsets_are_code_points_beyond_the_basic_plane() -> None:
    assert [p.text for p in cut("🏢🏢85.5％", [Span(2, 7, 1)])] == ["🏢🏢", "85.5％"]


@given(TEXTS, st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59), st.text(max_size=5)), max_size=6))
def test_a_diff_keeps_every_character_of_the_answer(text: str, given_: list[tuple[int, int, str]]) -> None:
    inside = [(a, b, new) for a, b, new in given_ if a < b <= len(text)]
    changes = replaced(text, inside)
    assert "".join(change.kept or change.removed for change in changes) == text


def test_a_diff_changes_the_claims_span_alone() -> None:
    changes = replaced("NOI was $5.", [(8, 10, "$6")])
    assert [(c.kept, c.removed, c.added) for c in changes] == [
        ("NOI was ", "", ""),
        ("", "$5", "$6"),
        (".", "", ""),
    ]


@pytest.mark.parametrize(
    ("claimed", "expected", "left"),
    [
        ("1,243,567.89", "1,234,567.89", [("1,2", False), ("43", True), (",567.89", False)]),
        ("85.5", "85.5", [("85.5", False)]),
        ("1,200,000", "1,200", [("1,200", False), (",000", True)]),
    ],
)
def test_the_digits_that_differ_are_told_apart(
    claimed: str, expected: str, left: list[tuple[str, bool]]
) -> None:
    assert differing(claimed, expected)[0] == left


@given(st.text(max_size=20), st.text(max_size=20))
def test_runs_of_digits_put_together_are_the_values(one: str, other: str) -> None:
    left, right = differing(one, other)
    assert ("".join(t for t, _ in left), "".join(t for t, _ in right)) == (one, other)


def test_a_short_chunk_is_shown_whole_and_a_long_one_around_its_match() -> None:
    assert window("short", [(0, 5)]) == (0, 5)
    text = "word " * 1000
    start, end = window(text, [(2500, 2504)])
    assert start <= 2500 - 400 < 2504 <= end < len(text)
    assert text[start - 1] == " "
