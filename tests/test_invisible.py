"""What belongs to a property that somebody may not see is in no list, page, search, count, log or export (F12, SEC-1)."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from detection.models import MonitoredRun, Property, PropertyGroup, Source
from reviews.models import HallucinationReview, Lease
from tests.access_table import SCREENS
from tests.api_calls import Caller
from tests.reviews.test_facts_pages import rejected, remembered
from tests.reviews.test_traces_page import audited

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
SECRET = "zebra"
"""Stands in everything of the hidden property, whatever its case, and nowhere else."""


@pytest.fixture
def elm() -> Property:
    """A property that only its group may see."""
    elm = Property.objects.create(code="ZEBRA-1", name="Zebra Court")
    elm.groups.add(PropertyGroup.objects.create(name="those of the court"))
    return elm


@pytest.fixture
def hidden(
    elm: Property, make_period: Any, make_answer: Any, make_review: Any, senior: User
) -> dict[str, Any]:
    """One row of every kind about it."""
    answer = make_answer(
        "NOI of zebra court was $1,612,000 [S0] and occupancy was 85.5% in Q3 2024.",
        period=make_period("ZEBRA-1"),
        model="zebra-writer",
    )
    Source.objects.create(answer=answer, ref="S0", title="Zebra lease", text="The zebra lease.", position=0)
    elm.groups.get().members.add(senior)
    review: HallucinationReview = make_review(answer)
    Lease.take(review, senior)
    Lease.release(review, senior, reason="zebra handed over")
    MonitoredRun.objects.create(
        run=review.run, finished_on="2026-01-01", property=elm, model="zebra-writer", language="en", risk_score=0.9,
        high_risk=True,
    )  # fmt: skip
    trace = audited(elm, question="What was the zebra's rent?")
    fact = remembered("The zebra roof is new.", property=elm)
    rejected("The zebra moon is ours.", property=elm)
    return {"reviews": review, "answers": answer, "traces": trace, "facts": fact}


@pytest.fixture
def browser_of(make_user: Any) -> Callable[..., Client]:
    """``browser_of("viewer")``: somebody with this role, of the property's group when ``inside``."""

    def opened(*roles: str, inside: bool = False, staff: bool = False) -> Client:
        person: User = make_user(f"{'-'.join(roles)} {inside}", *roles)
        User.objects.filter(pk=person.pk).update(is_staff=staff)
        if inside:
            PropertyGroup.objects.get(name="those of the court").members.add(person)
        if staff:
            person.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
        client = Client()
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return opened


def shown(client: Client, url: str, **params: str) -> str:
    """A page's content in lower case, whole if it is streamed; without the words that were looked for."""
    response: Any = client.get(url, params)
    assert response.status_code in (200, 302, 204), (url, response.status_code)
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return str(content.decode().lower())


CLOSED = {"tuning/versions/new/"}
"""Not for whoever sees only some properties (tests/reviews/test_thresholds_for_all.py)."""
OPEN = SCREENS.keys() - CLOSED
LISTS = sorted(r for r in OPEN if "GET" in SCREENS[r] and "<" not in r and "login" not in r)
SEARCHES = ("queue/", "answers/", "facts/", "facts/rejected/", "traces/")
TELLING = {
    "",
    "queue/",
    "answers/",
    "facts/",
    "facts/rejected/",
    "traces/",
    "monitoring/",
    "audit/",
    "audit/export/",
}
"""The lists in which the group's people find it."""


def detail_urls(hidden: dict[str, Any], method: str) -> list[str]:
    """The URL of every screen about a hidden row that has this method."""
    urls = []
    for route, rows in SCREENS.items():
        kind = route.split("/")[0]
        if method in rows and ":pk>" in route and kind in hidden:
            route = re.sub(r"<\w+:pk>", str(hidden[kind].pk), route)
            run = hidden["reviews"].run.claims.first()
            urls.append("/" + route.replace("<int:claim>", str(run.pk)).replace("<int:position>", "0"))
    return urls


@pytest.mark.parametrize("roles", [("viewer", "reviewer"), ("senior", "admin")])
def test_a_person_outside_the_group_finds_nothing(
    roles: tuple[str, ...], hidden: dict[str, Any], browser_of: Any
) -> None:
    client = browser_of(*roles)
    may = {r for r in LISTS if any(role in SCREENS[r]["GET"].who for role in roles)}
    assert {route for route in may if SECRET in shown(client, f"/{route}")} == set()
    for route in may & set(SEARCHES):
        assert "85.5%" not in shown(client, f"/{route}", q=SECRET), route
        assert "roof is new" not in shown(client, f"/{route}", q=SECRET), route
    for url in detail_urls(hidden, "GET"):
        assert client.get(url).status_code == 404, url
    for url in detail_urls(hidden, "POST"):
        assert client.post(url, {"version": 1, "verdict": "supported"}).status_code == 404, url
    hidden["reviews"].refresh_from_db()
    assert (hidden["reviews"].state, hidden["reviews"].version) == ("open", 1)


def test_a_person_of_the_group_finds_it_everywhere(hidden: dict[str, Any], browser_of: Any) -> None:
    client = browser_of("reviewer", "senior", inside=True)
    HallucinationReview.objects.update(assignee=User.objects.get(username__startswith="reviewer"))
    may = {r for r in LISTS if SCREENS[r]["GET"].who & {"reviewer", "senior"}}
    told = {route for route in may if SECRET in shown(client, f"/{route}")}
    assert told >= TELLING
    for url in detail_urls(hidden, "GET"):
        assert SECRET in shown(client, url) or url.endswith("/state/"), url


def test_counts_and_polls_tell_nothing_of_it(hidden: dict[str, Any], browser_of: Any) -> None:
    outside, inside = browser_of("reviewer"), browser_of("senior", inside=True)
    for url in ("/queue/", "/queue/live/"):
        figures = [re.findall(r">\s*(\d+)\s*<", shown(client, url)) for client in (outside, inside)]
        assert set(figures[0]) <= {"0"}, url
        assert figures[1] != figures[0] or url != "/queue/", url


def test_an_administrator_outside_the_group_finds_nothing_in_the_administration(
    hidden: dict[str, Any], browser_of: Any
) -> None:
    outside, inside = browser_of("admin", staff=True), browser_of("admin", inside=True, staff=True)
    models = (
        "property", "answer", "detectionrun", "monitoredrun", "claim", "fact", "rejectedfact", "trace", "tracestep",
        "factevent",
    )  # fmt: skip
    lists = [f"/admin/detection/{name}/" for name in models]
    lists += [f"/admin/reviews/{name}/" for name in ("hallucinationreview", "reviewpass", "reviewevent")]
    for url in lists:
        found = [len(re.findall('<t[hd] class="field-', shown(client, url))) for client in (outside, inside)]
        assert (found[0], found[1] > 0) == (0, True), url
    for name, kind in (("answer", "answers"), ("trace", "traces"), ("fact", "facts")):
        assert outside.get(f"/admin/detection/{name}/{hidden[kind].pk}/change/").status_code == 302
        assert inside.get(f"/admin/detection/{name}/{hidden[kind].pk}/change/").status_code == 200


def test_a_key_of_another_property_finds_nothing(hidden: dict[str, Any]) -> None:
    oak = Property.objects.create(code="OAK", name="Oak")
    caller = Caller("read", "review").bound_to(oak)
    for path in (
        "answers/",
        "reviews/",
        "facts/",
        "facts/rejected/",
        "traces/",
        "properties/",
        "monitoring/",
    ):
        response = caller.get(path)
        assert response.status_code == 200
        assert SECRET not in response.content.decode().lower(), path
    for kind, row in hidden.items():
        assert caller.get(f"{kind}/{row.pk}/").status_code == 404
    everything = Caller("read", "review")
    assert SECRET in everything.get("answers/").content.decode().lower()


def test_leaving_the_group_takes_it_away_at_once(hidden: dict[str, Any], browser_of: Any) -> None:
    client = browser_of("reviewer", inside=True)
    url = f"/reviews/{hidden['reviews'].pk}/"
    assert client.get(url).status_code == 200
    PropertyGroup.objects.get(name="those of the court").members.clear()
    assert client.get(url).status_code == 404
