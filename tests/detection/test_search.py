"""An answer is found by any text that stands in it, its question or its sources."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detection import search
from detection.models import Answer, Query, Source
from reviews.queue.search import answers_saying

pytestmark = pytest.mark.postgres

TEXTS = {
    "en": "NOI grew to $1,234,567.89 in Q3 2024, an occupancy of 85.5%.",
    "he": "שיעור התפוסה היה 85.5% בסוף הרבעון",
    "zh": "第三季度净营业收入增长了5.2%",
}


def found(text: str) -> set[str]:
    """Languages of the answers that a search finds."""
    return set(Answer.objects.filter(answers_saying(text)).values_list("language", flat=True))


@pytest.fixture
def answers(make_answer: Callable[..., Answer]) -> dict[str, Answer]:
    """One answer in each language, indexed."""
    made = {language: make_answer(text, language=language) for language, text in TEXTS.items()}
    for answer in made.values():
        search.keep(answer, search.groups_of(answer))
    return made


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("occupancy", {"en"}),
        ("CCUPAN", {"en"}),
        ("234,567", {"en"}),
        ("567.89 in Q3", {"en"}),
        ("85.5%", {"en", "he"}),
        ("Q3", {"en"}),
        ("תפוסה", {"he"}),
        ("וסה היה", {"he"}),
        ("收入", {"zh"}),
        ("收", {"zh"}),
        ("收入增长了5", {"zh"}),
        ("5.", {"en", "he", "zh"}),
        ("%", {"en", "he", "zh"}),
        ("nothing says this", set()),
        ("'; DROP TABLE detection_answer --", set()),
        ('" OR groups MATCH "', set()),
    ],
)
def test_an_answer_is_found_by_what_stands_in_it(
    answers: dict[str, Answer], text: str, languages: set[str]
) -> None:
    assert found(text) == languages


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["base rent", "rent roll", "was noi", "4.20"])
def test_an_answer_is_found_by_its_sources_and_its_question(text: str) -> None:
    answer = Answer.objects.create(query=Query.objects.create(), question="What was NOI?", language="en")
    Source.objects.create(answer=answer, ref="S0", title="Rent roll", text="Base rent is 4.20", position=0)
    search.keep(answer, search.groups_of(answer))
    assert found(text) == {"en"}


def test_keeping_an_answer_again_changes_nothing(answers: dict[str, Answer]) -> None:
    search.keep(answers["en"], search.kept_groups("something else"))
    assert found("occupancy") == {"en"}
    assert found("something else") == set()


@given(st.text(max_size=60), st.data())
@settings(max_examples=300)
def test_whatever_contains_a_text_has_all_its_groups(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    part = text[start : data.draw(st.integers(start, len(text)))]
    short_word = len(part.strip()) < search.LETTERS
    if not short_word:
        assert search.asked_groups(part) <= search.kept_groups(text)
