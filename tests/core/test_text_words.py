"""Words, direction, language, and near-duplicates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.text import detect_language, direction, literal_words, shingles, words
from tests.tables import each_case


@pytest.mark.requirement("RAG-08")
@each_case(
    ("text", "expected"),
    [
        ("NOI Rose, by 5.2%! [S0]", ["noi", "rose", "by", "5.2"]),
        ("$1,234,567.89", ["1234567.89"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("don't can’t", ["dont", "cant"]),
        ('סה"כ ש״ח', ["סהכ", "שח"]),
        ("שָׁלוֹם", ["שלום"]),
        ("收入增长5%", ["收入", "入增", "增长", "5"]),
        ("增", ["增"]),
        ("Q3２０２４", ["q32024"]),
        ("in\u00advis\u200bible", ["invisible"]),
        ("[S0] — … !", []),
        ("", []),
    ],
)
def test_words_are_letters_and_digits_case_folded_without_marks(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_has_the_same_words_beside_a_letter_that_is_not_ascii(text: str) -> None:
    assert words(f"{text} é") == [*words(text), "é"]


@pytest.mark.requirement("RAG-08")
def test_literal_words_are_split_as_the_document_does() -> None:
    assert literal_words("NOI rose, noi  rose. [S0]") == {"noi", "rose,", "rose.", "[s0]"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NOI היה 1.2 מיליון ש״ח", "rtl"),
        ("Q3 2024 ההכנסה עלתה", "rtl"),
        ("The word שלום means peace", "ltr"),
        ("收入增长", "ltr"),
        ("ارتفع الدخل", "rtl"),
        ("1,234 %", "ltr"),
        ("", "ltr"),
        ("אב ab", "ltr"),
        ("הכנסה [Source One] [Source Two]", "rtl"),
    ],
)
def test_direction_follows_the_majority_of_strong_characters(text: str, expected: str) -> None:
    assert direction(text) == expected


@each_case(
    ("text", "expected"),
    [
        ("NOI rose by 5 %.", "en"),
        ("ה-NOI עלה ב-5%.", "he"),
        ("NOI在2024年第三季度为$1.2M", "zh"),
        ("淨營業收入增長", "zh"),
        ("収入は増えた。", "ja"),
        ("수입이 늘었다", "ko"),
        ("Доход вырос", "ru"),
        ("ارتفع الدخل", "ar"),
        ("1,234", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_told_by_its_script(text: str, expected: str) -> None:
    assert detect_language(text) == expected


def test_short_texts_are_one_shingle_and_empty_ones_none() -> None:
    assert shingles("NOI rose") == {("noi", "rose")}
    assert shingles("…") == frozenset()


@given(st.text(alphabet=st.characters(codec=None), max_size=200))
def test_any_text_has_words_direction_and_language(text: str) -> None:
    assert all(words(text))
    assert direction(text) in ("ltr", "rtl")
    assert len(detect_language(text)) == 2
