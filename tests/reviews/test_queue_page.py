"""The queue page: filters as chips, the kept order, news, several rows at once, and what it all costs."""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import Answer, FinancialPeriod
from reviews.models import HallucinationReview, Lease, ReviewEvent, ReviewPass, Skip
from reviews.queue import listing

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def client(reviewer: User) -> Client:
    """A browser of Dana, a reviewer."""
    return browser_of(reviewer)


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def shown(html: str) -> list[int]:
    """The reviews in the list, in their order."""
    return [int(pk) for pk in re.findall(r'data-testid="queue-row" data-review-id="(\d+)"', html)]


def state(html: str, hook: str) -> str:
    """The ``data-state`` of the element with a test hook; empty when it is not there."""
    found = re.search(rf'data-testid="{hook}" data-state="(\w+)"', html)
    return found[1] if found else ""


def get(client: Client, address: str = "/queue/", **headers: str) -> str:
    return client.get(address, headers=headers).content.decode()


# --- filters and order --------------------------------------------------------------------------------


def test_each_filter_is_a_chip_that_goes_by_itself(client: Client, make_review: MakeReview) -> None:
    make_review()
    html = get(client, "/queue/?risk=high&kind=currency&sort=due")
    chips = re.findall(r'class="chip" href="([^"]*)" data-testid="chip"><span>([^<]*)<bdi>([^<]*)', html)
    assert chips == [
        ("?kind=currency&amp;sort=due", "Priority: ", "High"),
        ("?risk=high&amp;sort=due", "Flagged claim: ", "Currency"),
    ]
    assert 'href="?sort=due" data-testid="clear"' in html


def test_filters_that_no_control_shows_stay_while_others_change(
    client: Client, make_review: MakeReview, colleague: User
) -> None:
    Lease.take(make_review(), colleague)
    html = get(client, "/queue/?holder=erez")
    assert '<input type="hidden" name="holder" value="erez">' in html
    assert "Held by: <bdi>erez</bdi>" in html


def test_the_order_chosen_last_is_kept_and_said_in_the_address(
    client: Client, make_review: MakeReview
) -> None:
    first, second = make_review(), make_review()
    Review.objects.filter(pk=second.pk).update(due_at=timezone.now())
    assert shown(get(client)) == [first.pk, second.pk]
    assert shown(get(client, "/queue/?sort=due")) == [second.pk, first.pk]
    assert client.get("/queue/?risk=high")["Location"] == "/queue/?risk=high&sort=due"
    assert shown(get(client, "/queue/?sort=")) == [first.pk, second.pk]
    assert client.get("/queue/").status_code == 200


@pytest.mark.parametrize(
    "address", ["?sort=sideways", "?after=nonsense", "?before=%FF", "?sort=due&after=WzEsMl0="]
)
def test_an_address_that_means_nothing_leads_to_the_first_page(client: Client, address: str) -> None:
    assert client.get(f"/queue/{address}").status_code == 302


@pytest.mark.parametrize("value", ["\0", "%", "'; drop table x --", "#999999999999999999", "é" * 5000, "‮12"])
def test_a_search_for_anything_is_a_search(client: Client, make_review: MakeReview, value: str) -> None:
    make_review()
    response = client.get("/queue/", {"q": value})
    assert response.status_code == 200


def test_a_number_sign_finds_the_review_of_that_number(client: Client, make_review: MakeReview) -> None:
    make_review()
    wanted = make_review()
    assert shown(get(client, f"/queue/?q=%23{wanted.pk}")) == [wanted.pk]


def test_a_fragment_brings_the_rows_the_views_and_its_address(
    client: Client, make_review: MakeReview
) -> None:
    review = make_review()
    response = client.get("/queue/?risk=high&kind=&q=+", headers=HTMX)
    html = response.content.decode()
    assert response["HX-Push-Url"] == "/queue/?risk=high"
    assert shown(html) == [review.pk]
    assert 'id="counters"' in html
    assert "<html" not in html


# --- what it costs --------------------------------------------------------------------------------------


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert client.get(address).status_code in (200, 204)
    return len(found)


@pytest.mark.parametrize(
    ("query", "most"),
    [
        ("", 8),
        ("?sort=oldest", 8),
        ("?risk=high&property=P1&kind=currency", 8),
        ("?state=in_review&language=en", 8),
        ("?mine=both&risk=high", 9),
        ("?state=all&kind=currency", 8),
        ("?q=NOI&sort=due", 10),
    ],
)
def test_a_page_costs_the_same_for_one_row_and_for_many(
    client: Client,
    reviewer: User,
    make_review: MakeReview,
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
    query: str,
    most: int,
) -> None:
    Lease.take(make_review(make_answer(period=make_period("P1"))), reviewer)
    get(client, f"/queue/{query}")
    before = queries(client, f"/queue/{query}")
    for number in range(2, 10):
        Lease.take(make_review(make_answer(period=make_period(f"P{number}"))), reviewer)
    assert queries(client, f"/queue/{query}") == before <= most


def test_a_page_far_down_costs_what_the_first_does(
    client: Client, make_review: MakeReview, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "page", partial(listing.page, size=2))
    for _ in range(7):
        make_review()
    addresses = ["/queue/"]
    for _ in range(3):
        after = re.search(r'href="(\?[^"]*after=[^"]+)"', get(client, addresses[-1]))
        assert after is not None
        addresses.append("/queue/" + after[1].replace("&amp;", "&"))
    assert {queries(client, address) <= 8 for address in addresses} == {True}


# --- news -----------------------------------------------------------------------------------------------


def live(client: Client, html: str) -> Any:
    """What the page is told when it asks whether anything changed."""
    address = re.search(r'id="news" class="news" hx-get="([^"]+)"', html)
    assert address is not None
    return client.get(address[1].replace("&amp;", "&"), headers=HTMX)


def test_asking_again_costs_five_queries_when_nothing_happened(
    client: Client, make_review: MakeReview
) -> None:
    make_review()
    html = get(client)
    with CaptureQueriesContext(connection) as found:
        response = live(client, html)
    assert (response.status_code, response.content) == (204, b"")
    assert len(found) <= 5


def test_what_came_is_counted_and_no_row_is_sent(client: Client, make_review: MakeReview) -> None:
    make_review()
    html = get(client, "/queue/?risk=high")
    make_review()
    make_review(risk_level="low")
    answer = live(client, html).content.decode()
    assert "<span>1 new</span>" in answer
    assert 'href="/queue/?risk=high"' in answer
    assert shown(answer) == []
    assert live(client, answer).status_code == 204


def test_rows_on_the_page_are_told_who_has_them_where_they_stand(
    client: Client, make_review: MakeReview, colleague: User
) -> None:
    held, other = make_review(), make_review()
    html = get(client)
    Lease.take(held, colleague)
    answer = live(client, html).content.decode()
    assert f'id="standing-{held.pk}"' in answer
    assert "held by erez" in answer
    assert f'id="standing-{other.pk}"' not in answer
    assert "new</span>" not in answer


def test_nobody_is_told_of_what_they_may_not_see(
    make_review: MakeReview,
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
    viewer: User,
) -> None:
    from detection.models import PropertyGroup

    browser, secret = browser_of(viewer), make_period("SECRET")
    secret.property.groups.add(PropertyGroup.objects.create(name="others"))
    html = get(browser)
    hidden = make_review(make_answer(period=secret))
    answer = live(browser, html.replace("rows=", f"rows={hidden.pk}.")).content.decode()
    assert "new</span>" not in answer
    assert f"standing-{hidden.pk}" not in answer


# --- why nothing is there (E11) -------------------------------------------------------------------------


def test_a_list_says_why_it_is_empty(client: Client, make_review: MakeReview, reviewer: User) -> None:
    assert state(get(client), "empty") == "new"
    review = make_review()
    assert "0 of 1 match" in get(client, "/queue/?risk=low")
    assert state(get(client, "/queue/?risk=low"), "empty") == "filtered"
    review.snooze(reviewer, review.version, timezone.now() + timedelta(hours=3))
    html = get(client)
    assert state(html, "empty") == "snoozed"
    assert "1 review is snoozed and comes back by itself." in html
    assert shown(get(client, "/queue/?state=snoozed")) == [review.pk]
    review.wake(reviewer)
    for claim in review.undecided():
        ReviewPass.decide(review, reviewer, review.version, claim, "supported")
    review.resolve(reviewer, review.version, final_confidence=0.9)
    html = get(client)
    assert state(html, "empty") == "done"
    assert "by dana" in html
    assert "Resolved today: 1." in html


def test_a_person_with_nothing_to_take_is_told_why_and_given_a_way_on(
    client: Client, make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    held, assigned, skipped = make_review(), make_review(), make_review()
    Lease.take(held, colleague)
    assigned.assign(colleague, assigned.version, colleague)
    Skip.leave(skipped, reviewer, "later")
    html = get(client)
    assert state(html, "nothing-free") == "held"
    assert "1 review is being reviewed by others: erez (1, until" in html
    assert "You passed on 1 review." in html
    assert "1 review is assigned to others: erez (1)." in html
    assert shown(html) == [held.pk, assigned.pk, skipped.pk]
    assert client.post("/queue/next/", follow=True).content.decode().count("1 review is being reviewed") >= 1
    told = client.post("/queue/requeue/", follow=True).content.decode()
    assert "1 review is back in your queue." in told
    assert state(told, "nothing-free") == ""
    assert not Skip.objects.exists()


def test_only_the_skips_left_is_said_as_such(client: Client, make_review: MakeReview, reviewer: User) -> None:
    Skip.leave(make_review(), reviewer, "unclear")
    html = get(client)
    assert state(html, "nothing-free") == "skipped"
    assert 'action="/queue/requeue/"' in html


def test_whoever_sees_some_properties_only_is_told_so_by_an_empty_list(
    client: Client, make_period: Callable[..., FinancialPeriod]
) -> None:
    from detection.models import PropertyGroup

    make_period("OAK")
    make_period("ELM").property.groups.add(PropertyGroup.objects.create(name="others"))
    assert "You see the answers about 1 property and those about none." in get(client)


def test_a_viewer_is_offered_nothing_to_do(viewer: User, make_review: MakeReview) -> None:
    make_review()
    html = get(browser_of(viewer))
    assert "Your role reads only." in html
    for hook in ("start", "pick", "assign", "snooze"):
        assert f'data-testid="{hook}"' not in html
    for address in ("/queue/several/", "/queue/undo/", "/queue/requeue/"):
        response = browser_of(viewer).post(address, {"action": "snooze", "pick": "1:1"})
        assert response.status_code == 403, address


# --- several rows ---------------------------------------------------------------------------------------


def pick(*reviews: HallucinationReview) -> list[str]:
    return [f"{review.pk}:{review.version}" for review in reviews]


def test_a_preview_says_what_an_action_leaves_out_and_writes_nothing(
    client: Client, make_review: MakeReview, colleague: User
) -> None:
    free, held, stale, overdue = (make_review() for _ in range(4))
    Lease.take(held, colleague)
    picked = pick(free, held, stale, overdue)
    stale.assign(colleague, stale.version, None)
    Review.objects.filter(pk=stale.pk).update(version=7)
    Review.objects.filter(pk=overdue.pk).update(due_at=timezone.now() - timedelta(hours=1))
    events = ReviewEvent.objects.count()
    html = client.post("/queue/several/", {"action": "snooze", "pick": picked}, headers=HTMX).content.decode()
    assert "Snooze 4 reviews" in html
    assert "3 are left as they are:" in html
    assert "erez" in html
    assert "overdue" in html
    assert re.findall(r'name="pick" value="([^"]+)"', html) == pick(free)
    assert ReviewEvent.objects.count() == events
    assert set(Review.objects.values_list("state", flat=True)) == {"open", "in_review"}


def test_several_are_snoozed_and_taken_back_together(
    client: Client, make_review: MakeReview, colleague: User
) -> None:
    one, two, held = make_review(), make_review(), make_review()
    picked = pick(one, two, held)
    Lease.take(held, colleague)
    tomorrow = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M%z")
    sent = {"action": "snooze", "pick": picked, "apply": "1", "until": tomorrow, "back": "/queue/?risk=high"}
    response = client.post("/queue/several/", sent)
    assert response["Location"] == "/queue/?risk=high"
    html = get(client, "/queue/?risk=high")
    assert "2 reviews snoozed." in html
    assert f'<a href="/reviews/{held.pk}/">#{held.pk}</a>' in html
    assert shown(html) == [held.pk]
    undo = re.findall(r'<input type="hidden" name="pick" value="(\d+:\d+)">', html)
    told = client.post("/queue/undo/", {"pick": undo}, follow=True).content.decode()
    assert "Undone for 2 reviews." in told
    assert shown(told) == [one.pk, two.pk, held.pk]


def test_what_was_done_to_several_is_taken_back_alone(
    client: Client, make_review: MakeReview, colleague: User
) -> None:
    one, two = make_review(), make_review()
    dana = User.objects.get(username="dana")
    sent = {"action": "assign", "pick": pick(one, two), "apply": "1", "assignee": dana.pk}
    client.post("/queue/several/", sent)
    undo = re.findall(r'<input type="hidden" name="pick" value="(\d+:\d+)">', get(client, "/queue/"))
    one.refresh_from_db()
    one.snooze(dana, one.version, timezone.now() + timedelta(days=1))
    told = client.post("/queue/undo/", {"pick": undo}, follow=True).content.decode()
    assert "Undone for 1 review." in told
    assert list(Review.objects.order_by("pk").values_list("state", "assignee")) == [
        ("snoozed", dana.pk),
        ("open", None),
    ]


def test_an_address_with_a_number_that_no_row_can_have_starts_again(client: Client) -> None:
    for place in (
        [0, "2026-01-01T00:00:00+00:00", 10**30],
        [0, "9999-12-31T23:00:00-23:00", 1],
        [1e999, "", 1],
    ):
        cursor = urlsafe_b64encode(json.dumps(place).encode()).decode()
        assert client.get("/queue/", {"after": cursor})["Location"] == "/queue/"


def test_several_are_assigned_to_somebody(client: Client, make_review: MakeReview, colleague: User) -> None:
    one, two = make_review(), make_review()
    sent: dict[str, Any] = {"action": "assign", "pick": pick(one, two), "apply": "1", "note": "your field"}
    client.post("/queue/several/", {**sent, "assignee": "other", "other": colleague.pk})
    assert set(Review.objects.values_list("assignee", flat=True)) == {colleague.pk}
    assert ReviewEvent.objects.filter(action="assigned", body__reason="your field").count() == 2


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"action": "snooze"}, 302),
        ({"action": "delete", "pick": ["1:1"]}, 302),
        ({"action": "snooze", "pick": ["x", "1", "1:x", ":", "99999999999:1"]}, 302),
        ({"action": "snooze", "pick": ["999:1"], "apply": "1"}, 422),
        ({"action": "snooze", "pick": ["999:1"], "apply": "1", "until": "never"}, 422),
        ({"action": "assign", "pick": ["999:1"], "apply": "1", "assignee": "77777"}, 422),
    ],
)
def test_what_means_nothing_changes_nothing(
    client: Client, review: HallucinationReview, sent: dict[str, Any], status: int
) -> None:
    events = ReviewEvent.objects.count()
    assert client.post("/queue/several/", sent).status_code == status
    assert ReviewEvent.objects.count() == events


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/admin/", "javascript:alert(1)"]
)
def test_the_way_back_is_always_the_queue(client: Client, back: str) -> None:
    response = client.post("/queue/several/", {"action": "snooze", "back": back})
    assert response["Location"] == "/queue/"
