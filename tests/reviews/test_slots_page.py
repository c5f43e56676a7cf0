"""The slots of a number on the page of its review: without a script, in each language, and without verdicts where blind."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from reviews.display import slots
from reviews.models import HallucinationReview
from tests.reviews import answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
HOSTILE = "<script>alert(1)</script>"


def page(person: User, review: HallucinationReview) -> str:
    client = Client()
    client.force_login(person)
    return client.get(f"/reviews/{review.pk}/").content.decode()


def stored(*found: dict[str, object], **more: object) -> HallucinationReview:
    """The review of an answer with one number of these slots."""
    written = answers.Written("NOI was $5.00.")
    written.claim("$5.00", "currency", "contradicted", "contradicted", slots=list(found), evidence=[answers.record("7", "USD", "noi")],
        numeric=answers.number("5", "7", "USD", "net_operating_income", tolerance=None), **more)  # fmt: skip
    return written.store(*answers.portfolio())


def test_each_slot_is_a_chip_with_its_verdict_in_words_and_signs(reviewer: User) -> None:
    shown = page(reviewer, stored(
        answers.slot("metric", "NOI", "net operating income", "agree"),
        answers.slot("property", "OAK", "OAK", "assumed", by="link"),
        answers.slot("period", "Q3 2024", "Q2 2024", "conflict", by="question"),
        answers.slot("role", "budget", "", "open"),
        answers.slot("bound", "", "at_least", "open", by=""),
    ))  # fmt: skip
    for name, verdict in (("metric", "agree"), ("property", "assumed"), ("period", "conflict"), ("role", "open"), ("bound", "open")):  # fmt: skip
        assert re.search(rf'data-slot="{name}"\s+data-verdict="{verdict}"', shown), name
    for words in (
        "not in the evidence",
        "not named in the answer",
        "assumed",
        "(the question)",
        "<bdi>at least</bdi>",
    ):
        assert words in shown
    assert shown.count('data-testid="read-as"') == 1


def test_words_are_marked_in_the_answer_and_what_is_inherited_says_from_where(reviewer: User) -> None:
    shown = page(reviewer, stored(
        answers.slot("metric", "NOI", "net operating income", "agree", start=0, end=3),
        answers.slot("period", "Q3 2024", "Q3 2024", "agree", by="question"),
    ))  # fmt: skip
    assert re.findall(r'class="naming now"[^>]*data-slot-name="(\w+)">([^<]*)<', shown) == [("metric", "NOI")]
    assert re.search(r"<q\s+data-here\s*><bdi>NOI", shown)
    assert re.search(r"<q\s*><bdi>Q3 2024</bdi></q>\s*<span class=\"dim\">\(the question\)", shown)


def test_words_of_several_places_are_listed_each_with_its_place(reviewer: User) -> None:
    parts = [
        {"said": "Q2 2024", "by": "sentence", "start": 0, "end": 3},
        {"said": "Q3 2024", "by": "question"},
    ]
    shown = page(reviewer, stored(answers.slot("period", "Q2 2024, Q3 2024", "Q3 2024, Q2 2024", "agree", parts=parts, start=0, end=3)))  # fmt: skip
    assert len(re.findall(r'class="named" data-slot="period"', shown)) == 2
    assert len(re.findall(r'data-slot-name="period"', shown)) == 1


def test_a_slot_that_agrees_without_a_word_of_the_evidence_says_what_the_answer_says(reviewer: User) -> None:
    shown = page(reviewer, stored(answers.slot("bound", "at_least", "", "agree")))
    assert re.search(r'data-verdict="agree"\s*>bound[^/]*</span>[^/]*</span>\s*<bdi>at least</bdi>', shown)


def test_words_in_which_a_mistake_lies_are_marked_too(reviewer: User) -> None:
    look = answers.look("7", "USD", "", slip="sign", says="has the opposite sign",
        slots=[answers.slot("sign", "NOI", "loss", "conflict", start=0, end=3)])  # fmt: skip
    shown = page(reviewer, stored(answers.slot("unit", "USD", "USD", "agree"),
        slips=[{"code": "sign", "text": "has the opposite sign"}], looked_at=[look]))  # fmt: skip
    assert re.search(r'class="naming now"[^>]*data-slot-name="sign">NOI<', shown)


def test_a_conflict_that_the_comparison_tells_is_not_told_again(reviewer: User) -> None:
    conflict = answers.slot("direction", "fell", "up", "conflict")
    look = answers.look("7", "USD", "", slip="sign", says="has the opposite sign", slots=[conflict])
    shown = page(reviewer, stored(conflict, slips=[{"code": "sign", "text": "has the opposite sign"}], looked_at=[look]))  # fmt: skip
    assert 'data-testid="slip"' in shown or 'data-testid="proposal"' in shown
    assert 'data-testid="apart"' not in shown


@pytest.mark.parametrize(
    ("language", "said", "states"), [("en", "kilowatt", "cubic metre"), ("zh-hans", "千瓦", "立方米")]
)
def test_units_are_told_by_what_people_call_them(
    reviewer: User, language: str, said: str, states: str
) -> None:
    with translation.override(language):
        (found,) = slots.slots([answers.slot("unit", "kilowatt", "cubic_metre", "conflict")])
    assert (found.said, found.states) == (said, states)


def test_words_of_an_answer_are_no_markup(reviewer: User) -> None:
    assert HOSTILE not in page(reviewer, stored(answers.slot("metric", HOSTILE, HOSTILE, "conflict")))


def test_without_a_tolerance_there_is_no_row_for_one(reviewer: User) -> None:
    assert "Tolerance" not in page(reviewer, stored(answers.slot("metric", "NOI", "noi", "agree")))


@pytest.mark.parametrize("language", ["he", "zh-hans", "zh-hant"])
def test_every_code_and_name_is_told_in_every_language(language: str) -> None:
    codes = {str(words) for table in slots.CODES.values() for words in table.values()}
    english = codes | {str(words) for table in (slots.FIELDS, slots.PLACES) for words in table.values()}
    with translation.override(language):
        told = {str(words) for table in slots.CODES.values() for words in table.values()}
        told |= {str(words) for table in (slots.FIELDS, slots.PLACES) for words in table.values()}
    assert told.isdisjoint(english)
