"""The scan reads the usual shapes of numbers and dates as the full patterns would, and passes none over."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.numbers import (
    APPROXIMATE,
    AT_LEAST,
    AT_MOST,
    CUES_AFTER,
    DOWN,
    NO_CUES,
    UP,
    cue_may_follow,
    cue_may_precede,
    cues_after,
    cues_before,
    folding,
    spans,
)

BRACKETED = re.compile(r"\[[\w\s,;#:.^&-]{1,60}\]")
WORD = re.compile(r"[a-z0-9_]")


def tried_everywhere(folded: str) -> Iterator[tuple[str, int, int]]:
    """The marks of ``folded``, found by trying the full pattern wherever a word, a number or a sign begins."""
    place = 0
    for start, sign in enumerate(folded):
        if start < place or (start and _goes_on(folded[start - 1], sign)):
            continue
        bracketed = BRACKETED.match(folded, start)
        match = None if bracketed else spans._full(sign).match(folded, start)
        if bracketed:
            place = bracketed.end()
            yield "skip", start, place
        elif match:
            first, place = match.span(match.lastgroup)
            yield match.lastgroup, first, place


def _goes_on(previous: str, sign: str) -> bool:
    if WORD.match(sign):
        return WORD.match(previous) is not None
    hebrew = "א" <= sign <= "ת" and "א" <= previous <= "ת"
    return hebrew or (sign in spans._CHINESE and previous in spans._CHINESE)


NUMBERS = ["1,234,567.89", "12.5", "38", "5", "2024", "1.25", "1,2345", "1.2.3", "0501234567", "212", "1e6", ".5", "12,34,567", "3,5", "12.345,6"]  # fmt: skip
DATES = ["Q3 2024", "FY2024", "fy 24", "March 2024", "March 5, 2024", "march 25 2024", "2024-03-05", "03/05/2024", "3/5/24", "31.12.2024", "2024-03", "Q1-Q3 2024", "may 2024", "January to March 2024", "5 May 2024", "first quarter of 2024"]  # fmt: skip
AROUND = [
    "", " ", "$", "(", ")", "[", "]", "-", "/", ".", ",", ":", "%", "x", "k", "m", " percent", " pm", " a.m.", " of", " million", "usd", "=",
    "\u00a0", "\n", "'", "+", "five", "second", "year ended ", "רבעון", "五百万", "元", "בדצמבר ", "一", "财年", "#", "@", "_", "e5", "https://a.b/c", "€", "₪",
]  # fmt: skip
SURROUNDED = st.lists(
    st.one_of(st.sampled_from(AROUND), st.sampled_from(NUMBERS), st.sampled_from(DATES)), max_size=8
)


@given(SURROUNDED, st.sampled_from(["", " "]))
def test_the_scan_finds_what_the_full_patterns_find(pieces: list[str], between: str) -> None:
    folded = folding.fold(between.join(pieces))[0]
    assert list(spans.marks(folded)) == list(tried_everywhere(folded))


@pytest.mark.parametrize("usual", ["$1,234,567.89 ", "72.0 percent", "38% ", "1.25x", "156k", "Q3 2024", "FY2024", "December 31, 2024", "2024-12-31", "12/31/2024", "[S0]"])  # fmt: skip
def test_the_usual_shapes_need_no_full_pattern(usual: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "_matched", lambda *_: pytest.fail("a full pattern was tried"))
    assert len(list(spans.marks(f" {usual}".lower()))) == 1


@given(
    st.lists(st.sampled_from([*UP, *DOWN, *APPROXIMATE, *AT_LEAST, *AT_MOST, "by", "of", "a", "revenue", "the", "בשיעור", "了"]), min_size=1, max_size=4),
    st.sampled_from([" ", "  ", "\n"]),
)  # fmt: skip
def test_no_cue_before_a_number_is_passed_over(cues: list[str], between: str) -> None:
    folded = f"noi {between.join(cues)} "
    if cues_before(folded) is not NO_CUES:
        assert cue_may_precede(folded, len(folded))


@given(
    st.sampled_from([*CUES_AFTER, "or more", "or less", "year-over-year growth", "quarterly decline"]),
    st.sampled_from(["", " "]),
)
def test_no_cue_behind_a_number_is_passed_over(cue: str, between: str) -> None:
    folded = f"5{between}{cue}"
    if cues_after(folded[1:]) is not NO_CUES:
        assert cue_may_follow(folded, 1)
