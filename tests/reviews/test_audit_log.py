"""The audit log and the history of a review: what they tell, to whom, in what order, as a page and as CSV (F13)."""

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from detection.models import ApiKey, Fact, FactEvent, PersonEvent, Property, PropertyGroup, ThresholdProfile
from reviews.audit import listing
from reviews.display.cells import plain
from reviews.models import HallucinationReview, Lease, ReviewEvent, ReviewPass
from reviews.thresholds.changes import version_of
from tests.api_calls import Caller
from tests.conftest import NOI
from tests.reviews.test_facts_pages import remembered
from tests.tables import each_case

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-03")]


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    """A browser in which a person is logged in."""

    def logged_in(user: User) -> Client:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return logged_in


@pytest.fixture
def admin(make_user: Any) -> User:
    """An administrator who sees every property."""
    person: User = make_user("ada", "admin")
    User.objects.filter(pk=person.pk).update(is_staff=True, is_superuser=True)
    person.refresh_from_db()
    return person


@pytest.fixture
def worked(review: HallucinationReview, reviewer: User) -> HallucinationReview:
    """A review whose first claim was judged twice."""
    claim = review.run.claims.get(text=NOI)
    Lease.take(review, reviewer)
    ReviewPass.decide(review, reviewer, review.version, claim, "supported")
    ReviewPass.decide(
        review, reviewer, review.version, claim, "rejected", reason_code="wrong_period", note="=HYPERLINK(1)"
    )
    return review


def rows(page: Any) -> list[tuple[str, str]]:
    """(history, action) of each row of the log."""
    return re.findall(r'data-testid="audit-row" data-kind="(\w+)" data-action="(\w+)"', page.content.decode())


def text_of(page: Any) -> str:
    """A page's words."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page.content.decode()))


def exported(response: Any) -> list[list[str]]:
    """The lines of an export."""
    content = b"".join(response.streaming_content).decode()
    assert content.startswith("\ufeff")
    return list(csv.reader(io.StringIO(content.removeprefix("\ufeff"))))


# --- the history of a review ------------------------------------------------------------------------
def test_a_changed_verdict_is_two_rows_of_which_the_first_stays(
    as_user: Any, worked: HallucinationReview, viewer: User
) -> None:
    first = ReviewEvent.objects.get(subject=worked, seq=3)
    assert (first.before, first.after["verdict"]) == ({}, "supported")
    page = as_user(viewer).get(reverse("review-history", args=[worked.pk]))
    actions = re.findall(r'data-testid="event" data-action="(\w+)"', page.content.decode())
    assert actions == ["opened", "taken", "decided", "decided"]
    told = text_of(page).split("Verdict on claim 1")[2]
    assert "by dana" in told
    for before, after in (("Supported", "Rejected"), ("", "Wrong period"), ("", "=HYPERLINK(1)")):
        assert re.search(f"{before}.*after: {re.escape(after)}", told), (before, after)


def test_the_history_names_the_request_the_thresholds_and_every_version_of_the_answer(
    as_user: Any, make_answer: Any, make_review: Any, viewer: User
) -> None:
    old = make_review()
    draft = ThresholdProfile.draft({"base": {"currency_tolerance": 3.0}}, note="stricter")
    draft.activate(reason="agreed")
    newer = make_review(make_answer(supersedes=old.answer), profile=draft)
    hidden = make_answer(supersedes=newer.answer)
    hidden.property = Property.objects.create(code="ELM", name="Elm")
    hidden.save()
    hidden.property.groups.add(PropertyGroup.objects.create(name="others"))
    page = as_user(viewer).get(reverse("review-history", args=[newer.pk]), headers={"X-Request-ID": "r-1"})
    html, told = page.content.decode(), text_of(page)
    assert reverse("answer", args=[old.answer_id]) in html
    assert reverse("review-history", args=[old.pk]) in html
    assert str(hidden.pk) not in html
    assert "What it changed against version 1:" in told
    assert "currency_tolerancebefore: 5.0 → after: 3.0" in told
    assert f"Thresholds version {draft.version}" in told


def test_a_version_says_which_one_is_in_use_now() -> None:
    first = ThresholdProfile.active()
    second = ThresholdProfile.draft(
        {"base": {}, "overrides": [{"when": {"language": "he"}, "values": {"overlap": 0.4}}]}
    )
    second.activate()
    assert (version_of(first).active, version_of(first).changes) == (second.version, ())
    changes = version_of(second).changes
    assert [(c.name, c.before, c.after) for c in changes] == [("language=he", "", "overlap 0.4")]


def test_an_action_keeps_the_number_of_its_request(
    as_user: Any, review: HallucinationReview, reviewer: User
) -> None:
    as_user(reviewer).post(
        reverse("review-take", args=[review.pk]), headers={"X-Request-ID": "from-the-proxy"}
    )
    assert review.events.get(action="taken").request_id == "from-the-proxy"
    caller = Caller("review", user=reviewer)
    released = caller.post(f"reviews/{review.pk}/release/", {}, x_request_id="r-17")
    assert released.status_code == 200
    event = review.events.get(action="released")
    assert (event.request_id, event.actor, event.key) == ("r-17", reviewer, caller.row)
    assert ReviewEvent.broken_at(review) is None


def test_a_heartbeat_is_no_event(as_user: Any, review: HallucinationReview, reviewer: User) -> None:
    Lease.take(review, reviewer)
    before = review.events.count()
    as_user(reviewer).post(reverse("review-heartbeat", args=[review.pk]))
    Lease.take(review, reviewer)
    assert review.events.count() == before


def test_a_key_without_a_person_is_named_in_what_it_did() -> None:
    caller, fact = Caller("submit", "admin"), remembered()
    assert caller.call("DELETE", f"facts/{fact.pk}/?reason=sold").status_code == 204
    event = FactEvent.objects.get(subject=fact, action="withdrawn")
    assert (event.actor, event.key, event.reason) == (None, caller.row, "sold")
    assert FactEvent.broken_at(fact) is None
    later = Fact.objects.get(pk=fact.pk)
    later._log("looked_at")
    assert FactEvent.objects.get(subject=fact, action="looked_at").key is None


# --- the log ----------------------------------------------------------------------------------------
def test_the_log_is_all_histories_newest_first(
    as_user: Any, worked: HallucinationReview, admin: User, senior: User
) -> None:
    remembered()
    ThresholdProfile.draft({"base": {}}, actor=admin)
    ApiKey.issue("nlq", ["read"], actor=admin)
    page = as_user(admin).get(reverse("audit"))
    assert rows(page) == [
        ("key", "issued"),
        ("profile", "drafted"),
        ("fact", "stored"),
        ("review", "decided"),
        ("review", "decided"),
        ("review", "taken"),
        ("review", "opened"),
    ]
    assert reverse("review-history", args=[worked.pk]) in page.content.decode()
    seen = as_user(senior).get(reverse("audit"))
    assert "key" not in {kind for kind, _ in rows(seen)}
    assert "API keys and people themselves are for administrators" in text_of(seen)


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"kind": "fact"}, [("fact", "stored")]),
        ({"action": "decided"}, [("review", "decided")] * 2),
        ({"kind": "review", "subject": "#REVIEW", "action": "opened"}, [("review", "opened")]),
        ({"kind": "review", "subject": "999999"}, []),
        ({"kind": "fact", "subject": "FACT"}, [("fact", "stored")]),
        ({"kind": "key", "subject": "nlq"}, [("key", "issued")]),
        ({"kind": "profile", "subject": "1"}, []),
        ({"who": "dana", "action": "taken"}, [("review", "taken")]),
        ({"who": "nlq"}, []),
        ({"kind": "fact", "first": "TODAY", "last": "TODAY"}, [("fact", "stored")]),
        ({"last": "2001-01-01"}, []),
        ({"first": "2001-01-01", "kind": "fact"}, [("fact", "stored")]),
    ],
)
def test_the_log_is_narrowed_by_who_what_which_and_when(
    as_user: Any, worked: HallucinationReview, admin: User, params: dict[str, str], found: list[Any]
) -> None:
    fact = remembered()
    ApiKey.issue("nlq", ["read"])
    known = {"REVIEW": str(worked.pk), "FACT": str(fact.pk), "TODAY": f"{datetime.now(UTC):%Y-%m-%d}"}
    for name, value in params.items():
        for word, meant in known.items():
            params = {**params, name: (value := value.replace(word, meant))}
    page = as_user(admin).get(reverse("audit"), params)
    assert page.status_code == 200
    assert rows(page) == found
    lines = exported(as_user(admin).get(reverse("audit-export"), params))
    assert [(line[3], line[6]) for line in lines[1:]] == found


@pytest.mark.parametrize(
    ("params", "fault"),
    [
        ({"who": "nobody-at-all"}, "Nobody and no API key has this name."),
        ({"subject": "7"}, "Say as well what it is"),
        ({"kind": "review", "subject": "x" * 200}, "This is not how it is named."),
        ({"kind": "fact", "subject": "7"}, "This is not how it is named."),
        ({"kind": "moon"}, "moon is not one of the available choices"),
        ({"first": "yesterday"}, "Enter a valid date"),
        ({"who": "a\x00b"}, "Null characters are not allowed"),
        ({"action": "x" * 41}, "at most 40 characters"),
    ],
)
def test_a_filter_that_cannot_be_read_is_named_and_shows_nothing(
    as_user: Any, worked: HallucinationReview, senior: User, params: dict[str, str], fault: str
) -> None:
    for name in ("audit", "audit-export"):
        page = as_user(senior).get(reverse(name), params)
        assert page.status_code == 422
        assert fault in text_of(page)
        assert rows(page) == []


@pytest.mark.parametrize(
    "after", ["x", "~~", "2024-01-01~review~1", "0001-01-01T00:00:00+14:00~review~1", "2024-01-01~moon~1",
              "9999-12-31T23:59:59-14:00~fact~1", f"2024-01-01T00:00:00+00:00~review~{10**30}", "\x00", "2024-01-01~key~-1"],
)  # fmt: skip
def test_a_place_that_is_none_begins_at_the_newest(
    as_user: Any, worked: HallucinationReview, senior: User, after: str
) -> None:
    page = as_user(senior).get(reverse("audit"), {"after": after})
    assert page.status_code == 200
    known = listing.Cursor.read(after)
    assert (rows(page) == []) == (known is not None and known.at.year <= 2024)


def test_pages_of_the_log_neither_repeat_nor_leave_out_whatever_has_the_same_time(
    worked: HallucinationReview, make_review: Any, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "SIZE", 2)
    monkeypatch.setattr(listing, "CHUNK", 3)
    now = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr("detection.models.events.timezone.now", lambda: now)
    for content in ("The roof is new.", "The lift is old."):
        remembered(content)
    ThresholdProfile.draft({"base": {}})
    make_review()
    found: list[Any] = []
    place: listing.Cursor | None = None
    while True:
        page, place = listing.page(admin, listing.Asked(), place)
        found += [(kind, event.pk) for kind, event in page]
        if place is None:
            break
        place = listing.Cursor.read(str(place))
    assert len(found) == len(set(found)) == 8
    assert [(kind, event.pk) for kind, event in listing.every(admin, listing.Asked())] == found


def test_the_number_of_queries_is_the_same_for_one_event_and_for_many(
    as_user: Any, worked: HallucinationReview, senior: User, reviewer: User
) -> None:
    client = as_user(senior)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("audit")).status_code == 200
        return len(queries)

    Lease.release(worked, reviewer)
    Lease.take(worked, reviewer)
    few = asked()
    for _ in range(10):
        Lease.release(worked, reviewer)
        Lease.take(worked, reviewer)
    assert asked() == few


# --- the export -------------------------------------------------------------------------------------
def test_the_export_has_every_event_and_no_formula(
    as_user: Any, worked: HallucinationReview, senior: User, reviewer: User
) -> None:
    Lease.release(worked, reviewer)
    Lease.take(worked, senior)
    Lease.release(worked, senior, reason="=2+5")
    before = ReviewEvent.objects.count()
    response = as_user(senior).get(reverse("audit-export"))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(
        r'attachment; filename="hallu-audit-\d{8}-\d{4}\.csv"', response["Content-Disposition"]
    )
    head, *lines = exported(response)
    assert head[:3] == ["time", "person", "api_key"]
    assert len(lines) == before == ReviewEvent.objects.count(), "reading the log is no event"
    released = next(line for line in lines if line[6] == "released")
    assert dict(zip(head, released, strict=True))["reason"] == "'=2+5"
    hashes = {event.hash for event in ReviewEvent.objects.all()}
    assert {line[-1] for line in lines} == hashes


@each_case(
    ("cell", "written"),
    [
        ("=1", "'=1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("  =1", "'  =1"), ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"), ("\n=1", "'\n=1"), ("＝1", "'＝1"), ("", ""), ("a=1", "a=1"), ("1", "1"), ("שלום", "שלום"),
    ],
)  # fmt: skip
def test_a_cell_is_never_a_formula(cell: str, written: str) -> None:
    assert plain(cell) == written


# --- people -----------------------------------------------------------------------------------------
def test_giving_a_role_is_written_down_with_who_gave_it(as_user: Any, admin: User, viewer: User) -> None:
    browser, group = as_user(admin), PropertyGroup.objects.create(name="north")
    senior_role = viewer.groups.model.objects.get_or_create(name="senior")[0]
    url = reverse("admin:auth_user_change", args=[viewer.pk])
    given = {"username": "vera", "is_active": "on", "groups": [senior_role.pk]}
    joined = {"date_joined_0": "2024-01-01", "date_joined_1": "00:00:00"}
    assert browser.post(url, {**given, **joined}).status_code == 302
    browser.post(
        reverse("admin:detection_propertygroup_change", args=[group.pk]),
        {"name": "north", "members": [viewer.pk]},
    )
    browser.post(reverse("admin:detection_propertygroup_change", args=[group.pk]), {"name": "north"})
    browser.post(reverse("admin:detection_propertygroup_delete", args=[group.pk]), {"post": "yes"})
    assert not PropertyGroup.objects.exists()
    events = PersonEvent.objects.filter(subject=viewer)
    assert [(event.actor, event.before, event.after) for event in events] == [
        (admin, {"roles": ["viewer"]}, {"roles": ["senior"]}),
        (admin, {"property_groups": []}, {"property_groups": ["north"]}),
        (admin, {"property_groups": ["north"]}, {"property_groups": []}),
    ]
    assert PersonEvent.broken_at(viewer) is None
    browser.post(url, {**given, **joined})
    assert events.count() == 3, "what changes nothing is no event"


def test_an_administrator_who_sees_not_everything_gives_nobody_everything(
    as_user: Any, make_user: Any
) -> None:
    from django.contrib.auth.models import Permission

    person: User = make_user("adam", "admin")
    User.objects.filter(pk=person.pk).update(is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    url = reverse("admin:auth_user_change", args=[person.pk])
    sent = {"username": "adam", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    as_user(person).post(url, {**sent, "date_joined_0": "2024-01-01", "date_joined_1": "00:00:00"})
    person.refresh_from_db()
    assert not person.is_superuser


def test_a_day_or_a_number_that_nothing_can_have_is_no_fault(
    as_user: Callable[[User], Client], senior: User
) -> None:
    browser = as_user(senior)
    assert browser.get("/audit/?first=0001-01-01&last=9999-12-31").status_code == 200
    for number in ("9" * 30, "-1"):
        assert browser.get(f"/audit/?kind=review&subject={number}").status_code == 422
