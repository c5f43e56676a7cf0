"""The pages of facts: what is remembered beside its evidence, and for seniors what was rejected."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from detection.models import Fact, Property, PropertyGroup, RejectedFact, ThresholdProfile
from tests.detection.facts import gate_on

pytestmark = pytest.mark.django_db
MEASURED = {
    "p1_low": 0.9, "p1_high": 0.9, "p0_low": 0.2, "p0_high": 0.2, "required_bits": 1.5, "observed_bits": 1.2,
    "budget_gap": 0.3, "method": "logprobs", "model": "stub-7b", "finding": "grounded",
    "reason": "The evidence gives 1.20 of the 1.50 bits.",
}  # fmt: skip
ROOF = "The roof was renewed in 2021."


def columns(content: str = ROOF, **fields: Any) -> dict[str, Any]:
    source = {"id": "S0", "title": "Survey", "text": f"As agreed: {content}"}
    given = {"content": content, "language": "en", "evidence": [source], "stated_confidence": 0.95}
    return given | MEASURED | {"confidence": 0.76, "profile": ThresholdProfile.active()} | fields


def remembered(content: str = ROOF, **fields: Any) -> Fact:
    return Fact.store(**columns(content, **({"status": "verified"} | fields)))


def rejected(content: str = "The moon is ours.", **fields: Any) -> RejectedFact:
    return RejectedFact.objects.create(**columns(content, **({"finding": "over_budget"} | fields)))


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    """A browser in which a person is logged in."""

    def logged_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return logged_in


@pytest.fixture
def read(as_user: Any, viewer: User) -> Callable[..., str]:
    """``read("facts", q="roof")``: what a viewer is shown."""

    def page(name: str, *args: Any, **params: str) -> str:
        response = as_user(viewer).get(reverse(name, args=args), params)
        assert response.status_code == 200
        return str(response.content.decode())

    return page


def test_a_fact_stands_beside_its_evidence_with_its_budget(read: Any) -> None:
    remembered()
    html = read("facts")
    assert ROOF in html
    assert f"As agreed: {ROOF}" in html
    assert "0.95 → 0.76" in html
    assert "1.50 bits" in html
    assert "1.20 bits" in html
    assert "logprobs · stub-7b" in html


def test_what_is_not_verified_says_so_and_why(read: Any) -> None:
    remembered(
        status="unverified",
        reduced=True,
        verify_after=timezone.now(),
        finding="timeout",
        reason="It was late.",
    )
    html = read("facts")
    assert "not verified" in html
    assert "reduced confidence" in html
    assert "It was late." in html


@pytest.mark.parametrize(
    ("attempts", "is_due", "told"),
    [
        (0, True, ("Tried 1 time without a result.", "The next one is on")),
        (3, True, ("Tried 4 times without a result.", "The next one is on")),
        (12, False, ("Tried 13 times without a result.", "It is not tried again by itself.")),
        (0, False, ()),
    ],
)
def test_what_is_not_verified_says_how_often_it_was_tried(
    read: Any, attempts: int, is_due: bool, told: Sequence[str]
) -> None:
    due = timezone.now() if is_due else None
    remembered(status="unverified", reduced=True, attempts=attempts, verify_after=due, finding="timeout")
    html = re.sub(r"</?bdi>", "", read("facts"))
    assert ('data-testid="attempts"' in html) is bool(told)
    assert [one for one in told if one not in re.sub(r"\s+", " ", html)] == []


def test_nothing_is_promised_where_nothing_is(read: Any) -> None:
    html = read("facts")
    assert "No facts yet" in html
    assert "The memory gate is switched off" in html
    with gate_on():
        assert "switched off" not in read("facts")
    assert "No facts match" in read("facts", q="roof")


def test_facts_are_found_by_words_and_status(read: Any) -> None:
    remembered()
    remembered("The lobby was painted.", status="unverified")
    gone = remembered("The lift works.")
    gone.withdraw(reason="It does not.")
    assert (ROOF in read("facts", q="ROOF"), "lobby" in read("facts", q="ROOF")) == (True, False)
    assert ("lobby" in read("facts", status="unverified"), ROOF in read("facts", status="unverified")) == (
        True,
        False,
    )
    assert "The lift works." not in read("facts")
    assert "It does not." in read("facts", status="withdrawn")


def test_older_facts_are_one_click_away(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviews.answers.facts.SIZE", 1)
    remembered("The lobby was painted.")
    second = remembered()
    html = read("facts")
    assert (ROOF in html, "lobby" in html, f"after={second.pk}" in html) == (True, False, True)
    html = read("facts", after=str(second.pk))
    assert ("lobby" in html, ROOF in html, ">Older<" in html) == (True, False, False)
    assert ROOF in read("facts", after="nonsense")


def test_a_facts_own_page_shows_all_its_evidence_and_its_history(read: Any) -> None:
    sources = [{"id": f"S{n}", "title": "", "text": f"Passage {n}. " + "x" * 500} for n in range(5)]
    fact = remembered(evidence=sources)
    assert "Passage 4" not in read("facts")
    assert "and 2 more sources" in read("facts")
    fact.withdraw(reason="The survey was wrong.")
    html = read("fact", fact.pk)
    assert "Passage 4" in html
    assert 'data-action="stored"' in html
    assert 'data-action="withdrawn"' in html
    assert "The survey was wrong." in html


def test_text_is_shown_as_text_and_reads_from_its_own_side(read: Any) -> None:
    remembered("<script>alert(1)</script> הגג תוקן.", language="he")
    html = read("facts")
    assert "<script>alert" not in html
    assert 'lang="he"' in html


def test_a_page_is_a_fixed_number_of_queries(read: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            read("facts")
        return len(seen)

    remembered()
    once = queries()
    for n in range(10):
        remembered(f"Fact {n} is here.", property=Property.objects.create(code=f"P{n}", name=f"Place {n}"))
    assert queries() == once


@pytest.mark.requirement("SPEC-08.18")
@pytest.mark.parametrize(
    ("role", "status"), [("viewer", 403), ("reviewer", 403), ("senior", 200), ("admin", 200)]
)
def test_rejected_facts_are_for_seniors(as_user: Any, make_user: Any, role: str, status: int) -> None:
    rejected()
    client = as_user(make_user("pat", role))
    response = client.get(reverse("facts-rejected"))
    assert response.status_code == status
    assert ("The moon is ours." in response.content.decode()) == (status == 200)
    listing = client.get(reverse("facts")).content.decode()
    assert (reverse("facts-rejected") in listing) == (status == 200)
    assert "The moon is ours." not in listing


def test_facts_of_a_foreign_property_are_not_found(as_user: Any, senior: User) -> None:
    place = Property.objects.create(code="OAK", name="Oak")
    place.groups.add(PropertyGroup.objects.create(name="others"))
    fact = remembered(property=place)
    rejected(property=place)
    client = as_user(senior)
    assert ROOF not in client.get(reverse("facts")).content.decode()
    assert "moon" not in client.get(reverse("facts-rejected")).content.decode()
    assert client.get(reverse("fact", args=[fact.pk])).status_code == 404


def test_nobody_sees_facts_before_logging_in(client: Client) -> None:
    fact = remembered()
    for url in (reverse("facts"), reverse("facts-rejected"), reverse("fact", args=[fact.pk])):
        assert client.get(url)["Location"].startswith("/login/")
