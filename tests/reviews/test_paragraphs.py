"""Each paragraph has its own direction and language, by what is written in it (F09)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.display.highlights import Span, cut
from reviews.display.paragraphs import direction_of, ends, language_of, paragraphs, tagged

pytestmark = pytest.mark.requirement("APP-03")


@pytest.mark.parametrize(
    ("text", "usual", "towards"),
    [
        ("NOI היה 1.2 מיליון", "ltr", "rtl"),
        ("Q3 2024 ההכנסה עלתה", "ltr", "rtl"),
        ("Net income rose, as the report (דוח) says", "rtl", "ltr"),
        ("$1,234,567.89", "rtl", "rtl"),
        ("12.5-15%", "ltr", "ltr"),
    ],
)
def test_the_majority_of_strong_characters_decides_and_else_what_is_usual(
    text: str, usual: str, towards: str
) -> None:
    assert direction_of(text, usual) == towards


@pytest.mark.parametrize(
    ("text", "stated", "tag"),
    [
        ("第三季度净营业收入为123.5万美元", "zh", "zh-Hans"),
        ("第三季淨營業收入為123.5萬美元", "zh", "zh-Hant"),
        ("第三季淨營業收入為123.5萬美元", "", "zh-Hant"),
        ("任何文字", "zh-TW", "zh-Hant"),
        ("Der Umsatz stieg", "de", "de"),
        ("ההכנסה עלתה", "en", "he"),
        ("Net income rose", "he", "en"),
        ("$1,234,567.89", "he", "he"),
    ],
)
def test_a_text_names_its_language_and_chinese_its_script(text: str, stated: str, tag: str) -> None:
    assert language_of(text, stated) == tag


def test_chinese_that_says_nothing_of_its_script_is_taken_as_simplified() -> None:
    assert tagged("zh", "123") == "zh-Hans"
    assert tagged("en", "净淨") == "en"


def test_paragraphs_end_where_the_writing_direction_starts_anew() -> None:
    text = "First.\nשנייה.\r\n\u2029Third [S0]"
    pieces = cut(text, [Span(2, 9, 1), Span(20, 24, "m")], ends(text))
    found = paragraphs(pieces, "ltr", "en")
    assert ["".join(piece.text for piece in p.pieces) for p in found] == [
        "First.\n",
        "שנייה.\r\n\u2029",
        "Third [S0]",
    ]
    assert [(p.direction, p.language, p.number) for p in found] == [
        ("ltr", "en", 0),
        ("rtl", "he", 1),
        ("ltr", "en", 2),
    ]


@given(
    st.text(alphabet="ab א\n\r\u2029\u202e9", max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4),
)
def test_paragraphs_put_together_are_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    pieces = cut(text, [Span(min(pair), max(pair), n) for n, pair in enumerate(spans)], ends(text))
    found = paragraphs(pieces, "ltr", "en")
    assert "".join(piece.text for p in found for piece in p.pieces) == text
    assert all(piece.text for p in found for piece in p.pieces)
