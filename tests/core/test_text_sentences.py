"""Where sentences begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.text import sentences
from tests.core.sentence_cases import EN, HE, LINES, ZH, cases
from tests.tables import each_case

DIVIDED = [
    pytest.param(language, text, expected, id=f"{language}-{index}")
    for language, block in (("en", EN), ("he", HE), ("zh", ZH))
    for index, (text, expected) in enumerate(cases(block))
]
PIECES = st.lists(
    st.sampled_from(
        [
            *"abZ1.!?…。！？；\n\t |[](){}\"'“”«»《》-•*,;:",
            "[S0]",
            "Inc.",
            "e.g.",
            " The ",
            "1. ",
            "שלום",
            "收入",
            "\0",
            "\ud800",
        ]
    ),
    max_size=60,
).map("".join)


def divided(text: str, language: str | None = None) -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.requirement("GOV-01")
@each_case(("language", "text", "expected"), DIVIDED)
def test_a_reader_would_divide_it_the_same_way(language: str, text: str, expected: list[str]) -> None:
    assert divided(text, language) == expected


@each_case(("text", "expected"), LINES)
def test_lines_bullets_and_table_rows_end_sentences(text: str, expected: list[str]) -> None:
    assert divided(text) == expected


@pytest.mark.parametrize(("language", "block", "least"), [("en", EN, 40), ("he", HE, 100), ("zh", ZH, 100)])
def test_each_language_has_enough_cases(language: str, block: str, least: int) -> None:
    assert len(cases(block)) >= least


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Das sind z.B. Mieten. Sie stiegen.", ["Das sind z.B. Mieten.", "Sie stiegen."]),
        ("fr", "Selon M. Dupont, le loyer monte. Il paie.", ["Selon M. Dupont, le loyer monte.", "Il paie."]),
        ("ru", "Доход вырос, т.е. Прибыль тоже. Да.", ["Доход вырос, т.е. Прибыль тоже.", "Да."]),
        ("ar", "هل ارتفع الدخل؟ نعم.", ["هل ارتفع الدخل؟", "نعم."]),
        ("hi", "आय बढ़ी। व्यय घटा।", ["आय बढ़ी।", "व्यय घटा।"]),
        ("ja", "収入は増えた。支出は減った。", ["収入は増えた。", "支出は減った。"]),
    ],
)
def test_other_languages_use_their_own_abbreviations_and_full_stops(
    language: str, text: str, expected: list[str]
) -> None:
    assert divided(text, language) == expected


@pytest.mark.parametrize("text", ["", " ", "\n\t\u2003\n", "\x1c\x1f"])
def test_white_space_holds_no_sentence(text: str) -> None:
    assert sentences(text) == []


@given(
    st.one_of(st.text(alphabet=st.characters(codec=None), max_size=200), PIECES),
    st.sampled_from([None, "en", "he", "zh", "de", "xx"]),
)
def test_every_character_lies_in_exactly_one_sentence(text: str, language: str | None) -> None:
    covered: list[int] = []
    for start, end in sentences(text, language):
        piece = text[start:end]
        assert piece == piece.strip() != ""
        covered += range(start, end)
    assert covered == sorted(set(covered))
    assert {place for place, character in enumerate(text) if not character.isspace()} <= set(covered)


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "(",
        '"',
        "a.",
        ". ",
        "! ",
        "foo(x.) ",
        "[S0]",
        " ",
        "1. ",
        "e.g.",
        "\n",
        "x. [S0] ",
        "“",
        ".a(",
        "– ",
    ],
)
def test_a_long_answer_of_anything_is_read(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    covered = sum(end - start for start, end in sentences(text))
    assert covered >= sum(not character.isspace() for character in text)
