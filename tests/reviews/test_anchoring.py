"""Anchoring: the place a quote came from, in code points, whatever happened to its white space on the way."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reviews.anchoring import CONTEXT, MOST, Ambiguous, NotFound, anchored, context
from tests.tables import each_case


@each_case(
    ("text", "quote", "found"),
    [
        ("NOI was $1,200 in Q3.", "$1,200", "$1,200"),
        ("📈📉 NOI was $1,200 in Q3.", "$1,200", "$1,200"),
        ("👩‍👩‍👧 rose 5% 👍🏽 then", "5% 👍🏽", "5% 👍🏽"),
        ("ההכנסה הייתה 1,234 ש\"ח ברבעון", "1,234 ש\"ח", "1,234 ש\"ח"),
        ("净营业收入为123.5万美元。", "123.5万美元", "123.5万美元"),
        ("one\r\ntwo\r\nthree", "one\ntwo", "one\r\ntwo"),
        ("one\ntwo", "one\r\ntwo", "one\ntwo"),
        ("first part\n\nsecond part", "part second", "part\n\nsecond"),
        ("a\u00a0b  c", "a b c", "a\u00a0b  c"),
        ("  NOI was high ", "  NOI was high  ", "NOI was high"),
        ("e\u0301te\u0301 5%", "e\u0301 5", "e\u0301 5"),
        ("x \u202e5%\u202c y", "\u202e5%\u202c", "\u202e5%\u202c"),
    ],
)  # fmt: skip
def test_a_quote_is_found_where_it_stands(text: str, quote: str, found: str) -> None:
    start, end = anchored(text, quote)
    assert text[start:end] == found


@pytest.mark.parametrize("quote", ["", "   ", "\n", "6%", "noi", "NOI is"])
def test_what_the_text_does_not_say_is_not_found(quote: str) -> None:
    with pytest.raises(NotFound):
        anchored("NOI was 5% in Q3.", quote)


TWICE = "NOI rose 5% in Q2 and 5% in Q3, costs fell 5%."


@pytest.mark.parametrize(
    ("prefix", "suffix", "before"),
    [
        ("NOI rose ", "", "NOI rose "),
        ("and ", "", "and "),
        ("", " in Q3", "and "),
        ("rose 5% in Q2 and", "in Q3, costs", "and "),
        ("fell", "", "costs fell "),
        ("", ".", "costs fell "),
        ("\ufffd and ", "", "and "),
        ("Q2\r\nand\n", "", "and "),
    ],
)
def test_the_surroundings_tell_equal_quotes_apart(prefix: str, suffix: str, before: str) -> None:
    start, end = anchored(TWICE, "5%", prefix, suffix)
    assert TWICE[start:end] == "5%"
    assert TWICE[:start].endswith(before)


@pytest.mark.parametrize(("prefix", "suffix"), [("", ""), ("", " in Q"), ("nothing of it", "neither")])
def test_a_quote_that_is_there_several_times_needs_telling_surroundings(prefix: str, suffix: str) -> None:
    with pytest.raises(Ambiguous):
        anchored(TWICE, "5%", prefix, suffix)


def test_a_letter_out_of_200_thousand_says_too_little() -> None:
    with pytest.raises(Ambiguous):
        anchored("a" * 200_000, "a", "aaa", "aaa")
    assert anchored("a" * MOST + "b", "b") == (MOST, MOST + 1)


def test_the_context_ends_with_the_text_and_after_so_many_code_points() -> None:
    text = "x" * 100 + "5%" + "y" * 3
    assert context(text, 100, 102) == ("x" * CONTEXT, "yyy")


TEXTS = st.text(alphabet="ab 5%\n\r\u00a0😀אב", min_size=1, max_size=60)


@given(text=TEXTS, data=st.data())
def test_a_selection_with_all_of_its_surroundings_is_found_or_refused_and_never_elsewhere(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    assume(quote.strip())
    try:
        found = anchored(text, quote, text[:start], text[end:])
    except Ambiguous:
        assert len(text) > len(quote)
        return
    assert text[found[0] : found[1]].split() == quote.split()
    assert start <= found[0] < found[1] <= end or text.count(quote) > 1
