"""Every sentence of every page is looked up in the reader's language, those of the code as well (F39)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from reviews.models import HallucinationReview, Lease, ReviewPass
from tests.reviews import answers, pseudo
from tests.reviews.test_facts_pages import rejected, remembered
from tests.reviews.test_traces_page import audited

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
DATA = ("Oak Plaza", "Harbor View", "Q3 2024", "OAK", "sofia", "dana", *dict(settings.LANGUAGES).values())


@pytest.fixture
def client_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[User], Client]:
    """A browser in which a person is logged in, who reads the marked language from now on."""

    def logged_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        pseudo.speak(monkeypatch)
        return client

    return logged_in


Pages = list[tuple[str, tuple[Any, ...], dict[str, str]]]


def unmarked(client: Client, pages: Pages) -> dict[str, list[str]]:
    """What was not looked up, by page."""
    found = {}
    for name, args, params in pages:
        response = client.get(reverse(name, args=args), params)
        assert response.status_code in (200, 403, 404), name
        assert pseudo.BEGIN in response.content.decode(), name
        found[f"{name} {params}"] = pseudo.unmarked(response.content.decode(), *DATA)
    return {page: texts for page, texts in found.items() if texts}


def test_the_lists_and_the_pages_around_them(client_of: Any, senior: User) -> None:
    oak = answers.oak_plaza()
    fact, trace = remembered(), audited()
    rejected()
    plain = (
        "home",
        "queue",
        "answers",
        "facts",
        "facts-rejected",
        "traces",
        "monitoring",
        "preferences",
        "help",
        "password",
        "audit",
    )
    of_one: Pages = [
        ("answer", (oak.answer_id,), {}),
        ("fact", (fact.pk,), {}),
        ("trace", (trace.pk,), {}),
        ("source", (oak.answer_id, 0), {}),
        ("review", (10**6,), {}),
    ]
    empty: Pages = [
        (name, (), {"q": "zebra", "property": "ZEBRA"})
        for name in ("queue", "answers", "facts", "traces", "monitoring")
    ]
    assert unmarked(client_of(senior), [*((name, (), {}) for name in plain), *of_one, *empty]) == {}


def test_a_review_in_its_states(client_of: Any, senior: User, reviewer: User) -> None:
    oak, other, third = answers.oak_plaza(), answers.off_period(), answers.hebrew()
    Lease.take(oak, senior)
    Lease.take(other, reviewer)
    client = client_of(senior)
    seen = {
        r.pk: unmarked(client, [("review", (r.pk,), {}), ("review-history", (r.pk,), {})])
        for r in (oak, other, third)
    }
    settle(oak, senior)
    seen[0] = unmarked(
        client,
        [
            ("review", (oak.pk,), {}),
            ("review-history", (oak.pk,), {}),
            ("queue", (), {"state": "resolved"}),
            ("home", (), {}),
        ],
    )
    assert {n: texts for n, texts in seen.items() if texts} == {}


def settle(review: HallucinationReview, user: User) -> None:
    """Every verdict and the resolution, each another one."""
    for claim in review.to_decide():
        ReviewPass.decide(review, user, review.version, claim, "rejected", reason_code="wrong_value")
        review.refresh_from_db()
    review.resolve(user, review.version, final_confidence=0.3)


def test_what_a_review_answers_to_its_actions(client_of: Any, senior: User, reviewer: User) -> None:
    oak, other = answers.oak_plaza(), answers.off_period()
    Lease.take(oak, senior)
    Lease.take(other, reviewer)
    client = client_of(senior)
    first = oak.to_decide()[0]
    posts: list[tuple[str, list[int], dict[str, Any]]] = [
        ("claim-verdict", [oak.pk, first.pk], {"version": 99, "verdict": "supported"}),
        ("claim-verdict", [oak.pk, first.pk], {"version": oak.version, "verdict": "corrected"}),
        ("claim-verdict", [oak.pk, first.pk], {"version": oak.version, "verdict": "supported"}),
        ("review-resolve", [oak.pk], {"version": oak.version + 1, "final_confidence": "7"}),
        ("review-resolve", [oak.pk], {"version": oak.version + 1, "final_confidence": "0.5"}),
        ("review-snooze", [oak.pk], {"version": oak.version + 1}),
        ("review-skip", [oak.pk], {}),
        ("review-skip", [oak.pk], {"reason": "unclear"}),
        ("review-undo", [oak.pk], {}),
        (
            "review-add-claim",
            [oak.pk],
            {"version": 0, "quote": "nowhere", "kind": "number", "verdict": "rejected"},
        ),
        ("review-take", [other.pk], {}),
        ("queue-next", [], {}),
    ]
    found = {}
    for name, args, data in posts:
        response = client.post(reverse(name, args=args), data, headers={"HX-Request": "true"})
        found[f"{name} {data}"] = pseudo.unmarked(response.content.decode(), *DATA)
    assert {page: texts for page, texts in found.items() if texts} == {}


def test_the_door(client: Client, monkeypatch: pytest.MonkeyPatch, reviewer: User) -> None:
    pseudo.speak(monkeypatch)
    wrong = {"username": "dana", "password": "not that one"}
    pages = [
        client.get(reverse("login"), {"next": "/facts/"}),
        *(client.post(reverse("login"), wrong) for _ in range(7)),
    ]
    assert {text for page in pages for text in pseudo.unmarked(page.content.decode(), *DATA)} == set()
    assert pages[-1].status_code == 429


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>⟦Open⟧ it</p>", ["it"]),
        ('<a title="Go there">⟦Go⟧</a>', ["Go there"]),
        ("<p>⟦cites <bdi>S0</bdi>, ⟦twice⟧⟧ <b lang='en'>as it says</b> 7 UTC</p>", []),
        ("<input placeholder='⟦Search⟧ /'><bdi>Oak Plaza</bdi><kbd>Ctrl</kbd>", []),
    ],
)
def test_a_text_outside_the_marks_is_found_and_content_is_not(html: str, found: list[str]) -> None:
    assert pseudo.unmarked(html) == found
