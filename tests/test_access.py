"""The role × URL matrix: every URL of the project, every method, every role (F12, E18)."""

import html
import re
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from detection.access import may_review
from detection.models import ApiKey
from reviews.models import HallucinationReview, Lease, ReviewPass
from tests.access_table import (
    ADMIN,
    ADMIN_PAGES,
    ADMINS,
    ANYBODY,
    API,
    OPEN,
    SCREENS,
    Row,
    endpoints,
    every_route,
    of_a_model,
)
from tests.filled_routes import routes_filled

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROLES = sorted(ANYBODY)
NOTHING = Row(frozenset(), 0)


@pytest.fixture
def urls() -> Callable[[str], str]:
    """Fills the places of a route with rows that are there."""
    return routes_filled()


@pytest.fixture
def browser_of(make_user: Any) -> Callable[[str], Client]:
    """``browser_of("senior")``: somebody with that role alone; an admin is staff and sees everything, as seeded.
    "all others" is staff too, and has every other role."""

    def opened(role: str) -> Client:
        if role == "anonymous":
            return Client()
        if role == "service":
            _, key = ApiKey.issue("service", ["submit", "read", "review", "admin"], all_properties=True)
            return Client(headers={"authorization": f"Bearer {key}"})
        held = {"nobody": (), "all others": ("viewer", "reviewer", "senior")}.get(role, (role,))
        person = make_user(f"one {role}", *held)
        staff = role in ("admin", "all others")
        User.objects.filter(pk=person.pk).update(is_staff=staff, is_superuser=role == "admin")
        client = Client()
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return opened


def decided(review: HallucinationReview, person: User) -> None:
    """Every claim that asks for a verdict has one."""
    for claim in review.to_decide():
        ReviewPass.decide(review, person, review.version, claim, "supported")


def resolved(review: HallucinationReview, person: User) -> None:
    """The same, and the review is over."""
    decided(review, person)
    review.resolve(person, review.version, final_confidence=0.5)


def snoozed(review: HallucinationReview, person: User) -> None:
    """The review comes back by itself."""
    review.snooze(person, review.version, timezone.now() + timedelta(days=1))


def checked_again(review: HallucinationReview, person: User) -> None:
    """There is a newer run of the same answer."""
    run = review.run
    run.pk, run._state.adding, run.purpose = None, True, "rescreen"
    run.save()


BEFORE: dict[str, Callable[[HallucinationReview, User], Any]] = {
    "taken": lambda review, person: Lease.take(review, person),
    "decided": decided,
    "resolved": resolved,
    "snoozed": snoozed,
    "checked_again": checked_again,
}


def whose(client: Client) -> User | None:
    """Who is logged in."""
    if settings.SESSION_COOKIE_NAME not in client.cookies:
        return None
    return User.objects.filter(pk=client.session["_auth_user_id"]).first()


def asked(client: Client, method: str, url: str, row: Row = NOTHING, **headers: str) -> Any:
    """One request of which nothing stays, so that the next one finds everything as it was."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        body = prepared(client, row) if row.sent or row.after else {}
        answered = getattr(client, method.lower())(url, body, headers=headers)
        if getattr(answered, "streaming", False):
            b"".join(answered.streaming_content)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answered


def prepared(client: Client, row: Row) -> dict[str, str]:
    """What a row sends, after what has to happen before it."""
    review = HallucinationReview.objects.order_by("pk").first()
    person = whose(client) if row.after else None
    if row.after and review and person and may_review(person):
        BEFORE[row.after](review, person)
    known = {"REVIEW": str(review.pk if review else 0), "NOW": str(review.version if review else 0)}
    known["TOMORROW"] = f"{timezone.now() + timedelta(days=1):%Y-%m-%d}"
    return {name: _with(known, value) for name, value in row.sent.items()}


def _with(known: dict[str, str], value: Any) -> str:
    for word, meant in known.items():
        value = str(value).replace(word, meant)
    return str(value)


# --- the table is whole -----------------------------------------------------------------------------
def test_every_url_stands_in_the_table() -> None:
    routes = {route for route, _ in every_route()}
    screens = {r for r in routes if not r.startswith(("admin/", "api/")) and r not in OPEN}
    assert screens == set(SCREENS)
    assert set(OPEN) <= routes
    assert endpoints() == set(API)
    ours = {r for r in routes if r.startswith("admin/")}
    models = {of[0] for r in ours if (of := of_a_model(r))}
    assert models == set(ADMIN)
    assert {r for r in ours if not of_a_model(r)} == set(ADMIN_PAGES)
    rest = routes - screens - set(OPEN) - ours
    assert {r for r in rest if not r.startswith("api/v1/")} == set()


def test_a_method_without_a_row_is_refused(urls: Any, make_user: Any) -> None:
    client = Client()
    client.force_login(
        make_user("all", "viewer", "reviewer", "senior", "admin"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    for route, rows in {**SCREENS, **OPEN}.items():
        who = Client() if route == "login/" else client  # it sends on whoever is logged in, before all else
        got = {m: asked(who, m, urls(route)).status_code for m in METHODS if m not in rows}
        assert set(got.values()) <= {405}, (route, got)


# --- the screens ------------------------------------------------------------------------------------
def wrong(row: Row, role: str, method: str, url: str, client: Client) -> str:
    """What is wrong with the answer, empty when it is the one of the table."""
    answered = asked(client, method, url, row)
    if role in row.who:
        should = row.for_role(role)
        return (
            "" if answered.status_code == should else f"{answered.status_code}, not {should}{_told(answered)}"
        )
    if role in ("anonymous", "service"):
        to_log_in = answered.status_code == 302 and answered["Location"].startswith("/login/?next=")
        return "" if to_log_in else f"{answered.status_code}, not the log-in"
    if answered.status_code != 403 or b"Not allowed" not in answered.content:
        return f"{answered.status_code}, not a 403 in words"
    return ""


def _told(answered: Any) -> str:
    """What a page says is wrong, for the message of a failure."""
    page = "" if answered.streaming else answered.content.decode()
    said = re.findall(
        r'data-testid="(?:form-error|problem|problem-page|conflict)"[^>]*>(.*?)</', page, re.DOTALL
    )
    return f": {html.unescape(' '.join(said))[:300]}" if said else ""


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_of_the_screens_what_the_table_says(role: str, urls: Any, browser_of: Any) -> None:
    client = browser_of(role)
    found = {
        (method, route): said
        for route, rows in {**SCREENS, **OPEN}.items()
        for method, row in rows.items()
        if (said := wrong(row, role, method, urls(route), client))
    }
    assert not found, "\n".join(f"{place}: {said}" for place, said in found.items())


@pytest.mark.parametrize("role", ["anonymous", "nobody", "viewer", "admin"])
def test_a_refused_fragment_is_one_and_says_why(role: str, urls: Any, browser_of: Any) -> None:
    client = browser_of(role)
    for route, rows in SCREENS.items():
        for method, row in rows.items():
            if role in row.who:
                continue
            answered = asked(client, method, urls(route), row, **{"HX-Request": "true"})
            page = answered.content.decode()
            assert answered.status_code == (401 if role == "anonymous" else 403), (method, route)
            assert "<html" not in page, (method, route)
            assert role == "anonymous" or re.search(
                r"<strong>Not allowed\.</strong> <bdi>\w.{15,}</bdi>", page
            )


# --- the API and the administration -----------------------------------------------------------------
@pytest.mark.parametrize("role", ["anonymous", "service", "all others", "admin"])
def test_the_api_knows_keys_alone(role: str, urls: Any, browser_of: Any) -> None:
    client = browser_of(role)
    for method, path in API:
        status = asked(client, method, "/api/v1" + urls(path)).status_code
        assert (status not in (401, 403)) == (role == "service"), (method, path, status)
        assert status < 500, (method, path)


@pytest.mark.budget(40)  # it opens every page of the administration
@pytest.mark.parametrize("role", ["anonymous", "all others", "admin"])
def test_the_administration_opens_to_administrators_alone(role: str, urls: Any, browser_of: Any) -> None:
    client = browser_of(role)
    found = {}
    for route, _ in every_route():
        if route.startswith("admin/"):
            url = urls(route.replace("^(?P<app_label>axes|auth|detection|reviews)/$", "detection/"))
            url = url.replace("(?P<url>.*)$", "nowhere")
            for method in ("GET", "POST"):
                status = asked(client, method, url).status_code
                if status != (should := administered(role, route, method, status)):
                    found[method, route] = (status, should)
    assert found == {}


def administered(role: str, route: str, method: str, status: int) -> int:
    """The status that a role should get; where any but a 403 will do, the one that it got."""
    if role not in ADMINS:
        entering = route in ("admin/login/", "admin/logout/", "admin/jsi18n/")
        if role == "anonymous":
            return status if entering and status != 403 else 302
        return status if route == "admin/logout/" and method == "GET" else 403
    of = of_a_model(route)
    if of is None:
        return ADMIN_PAGES[route].get(method, status)
    model, step = of
    needed = {"add": "add", "delete": "delete", "change": "change" if method == "POST" else ""}.get(step, "")
    if (step == "list" and method == "POST") or not needed or needed in ADMIN[model]:
        return status if status in (200, 302) else 200
    return 403


def test_staff_without_the_role_and_the_role_without_staff_do_not_administer(make_user: Any) -> None:
    for roles, staff in ((("senior",), True), (("admin",), False)):
        person = make_user(f"{roles}", *roles)
        User.objects.filter(pk=person.pk).update(is_staff=staff)
        client = Client()
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        refused = client.get("/admin/")
        assert refused.status_code == 403
        assert b"These pages are for administrators." in refused.content


def test_the_administration_has_no_log_in_of_its_own(client: Client) -> None:
    for asked_for in (client.get, client.post):
        sent_on = asked_for("/admin/login/?next=/admin/auth/user/")
        assert (sent_on.status_code, sent_on["Location"]) == (302, "/login/?next=/admin/auth/user/")
