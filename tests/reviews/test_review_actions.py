"""The actions of the review page as forms and fragments: what they do, refuse and answer (F02, F04, F07, F11)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection.models import Claim, DetectionRun
from reviews.display import keys
from reviews.forms import snooze_times
from reviews.lifecycle import publishing
from reviews.models import (
    ClaimVerdict,
    HallucinationReview,
    Lease,
    Preferences,
    ReviewEvent,
    ReviewPass,
    Skip,
)
from reviews.review_page import actions
from tests.reviews import answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
HTMX = {"HX-Request": "true"}
AsUser = Callable[[User], Client]


@pytest.fixture
def as_user(client: Client) -> AsUser:
    """A client signed in as somebody."""

    def signed_in(user: User) -> Client:
        client.force_login(user)
        return client

    return signed_in


@pytest.fixture
def oak(reviewer: User) -> HallucinationReview:
    """Oak Plaza, held by dana: claims 2, 3 and 6 to decide."""
    review = answers.oak_plaza()
    Lease.take(review, reviewer)
    return review


def post(
    client: Client, review: HallucinationReview, name: str, *, htmx: bool = True, **data: Any
) -> HttpResponse:
    """An action with the state that ``review`` shows, unless ``data`` says otherwise."""
    seen = actions.last_seen(review)
    content = {"version": review.version, "seen": seen, **data}
    response = client.post(reverse(name, args=[review.pk]), content, headers=HTMX if htmx else {})
    review.refresh_from_db()
    return response  # type: ignore[return-value]


def decide(
    client: Client, review: HallucinationReview, index: int, verdict: str, **data: Any
) -> HttpResponse:
    """A verdict as the bar sends it."""
    claim = review.run.claims.get(index=index)
    content = {"version": review.version, "seen": actions.last_seen(review), "verdict": verdict, **data}
    return client.post(reverse("claim-verdict", args=[review.pk, claim.pk]), content, headers=HTMX)  # type: ignore[return-value]


# --- what changed -----------------------------------------------------------------------------------
def state(client: Client, review: HallucinationReview, **query: Any) -> HttpResponse:
    """What the poll of a page is told."""
    return client.get(reverse("review-state", args=[review.pk]), query, headers=HTMX)  # type: ignore[return-value]


def test_a_poll_says_nothing_until_something_changed(
    as_user: AsUser,
    colleague: User,
    reviewer: User,
    oak: HallucinationReview,
    django_assert_max_num_queries: Any,
) -> None:
    client = as_user(colleague)
    now = {"rev": actions.revision(oak), "seen": actions.last_seen(oak)}
    with django_assert_max_num_queries(6):
        assert state(client, oak, **now).status_code == 204
    ReviewPass.decide(
        oak, reviewer, oak.version, oak.run.claims.get(index=1), "rejected", reason_code="wrong_period"
    )
    changed = state(client, oak, **now).content.decode()
    assert "dana gave a verdict on claim 2: Rejected." in changed
    assert 'id="lease" class="lease warn" hx-swap-oob="true"' in changed
    assert "<html" not in changed


@pytest.mark.parametrize("query", [{}, {"rev": "x", "seen": "-1"}, {"rev": "1" * 5000, "seen": "9" * 400}])
def test_a_poll_with_nonsense_shows_what_there_is(
    as_user: AsUser, colleague: User, oak: HallucinationReview, query: dict[str, str]
) -> None:
    assert state(as_user(colleague), oak, **query).status_code == 200


def test_the_revision_moves_with_lease_assignee_state_and_a_newer_run(
    reviewer: User, oak: HallucinationReview
) -> None:
    seen = {actions.revision(oak)}
    Lease.release(oak, reviewer)
    seen.add(actions.revision(oak))
    oak.assign(reviewer, oak.version, reviewer)
    seen.add(actions.revision(oak))
    finished = {"finished_at": timezone.now(), "result": {}, "risk_level": "high"}
    DetectionRun.objects.create(answer=oak.answer, profile=oak.profile, purpose="rescreen", **finished)
    seen.add(actions.revision(oak))
    assert len(seen) == 4


# --- conflicts --------------------------------------------------------------------------------------
def test_mine_is_not_put_over_what_a_colleague_said_of_the_same_claim(
    as_user: AsUser, reviewer: User, colleague: User, oak: HallucinationReview
) -> None:
    seen, version = actions.last_seen(oak), oak.version
    Lease.release(oak, reviewer)
    Lease.take(oak, colleague)
    ReviewPass.decide(oak, colleague, oak.version, oak.run.claims.get(index=1), "supported")
    Lease.release(oak, colleague)
    Lease.take(oak, reviewer)
    client = as_user(reviewer)
    same = decide(client, oak, 1, "rejected", version=version, seen=seen).content.decode()
    assert "erez gave a verdict on claim 2: Supported." in same
    assert "apply-mine" not in same
    other = decide(client, oak, 2, "rejected", version=version, seen=seen)
    assert (other.status_code, "apply-mine" in other.content.decode()) == (409, True)
    assert ClaimVerdict.objects.count() == 1


def test_a_conflict_repeats_what_was_typed_as_text(
    as_user: AsUser, reviewer: User, oak: HallucinationReview
) -> None:
    decide(as_user(reviewer), oak, 1, "supported")
    typed = "<script>alert(1)</script> \u202eright to left"
    html = decide(as_user(reviewer), oak, 2, "corrected", note=typed, corrected_value="$1").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<script>" not in html


def test_a_refusal_is_all_in_the_language_of_the_person(
    as_user: AsUser, reviewer: User, oak: HallucinationReview
) -> None:
    Preferences.keep(reviewer, language="he")
    client = as_user(reviewer)
    conflict = decide(client, oak, 1, "supported", version=oak.version + 1).content.decode()
    assert conflict.count("לא נשמר") == 1
    refused = post(client, oak, "review-resolve", final_confidence="7").content.decode()
    assert "רמת ביטחון סופית" in refused
    assert "Final confidence" not in refused


# --- the ways out -----------------------------------------------------------------------------------
def test_skip_snooze_and_assign_go_on_to_the_next_and_offer_undo_there(
    as_user: AsUser, reviewer: User, colleague: User, oak: HallucinationReview
) -> None:
    following, client = answers.hebrew(), as_user(reviewer)
    tomorrow = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M%z")
    for name, data, back in (
        ("review-skip", {"reason": "later"}, "skipped"),
        ("review-snooze", {"until": tomorrow}, "snoozed"),
        ("review-assign", {"assignee": colleague.pk}, "assignment"),
    ):
        response = post(client, oak, name, **data)
        assert (response.status_code, response["HX-Redirect"]) == (204, f"/reviews/{following.pk}/")
        page = client.get(f"/reviews/{following.pk}/").content.decode()
        assert 'data-testid="toast"' in page
        assert back in page
        assert post(client, oak, "review-undo")["HX-Redirect"] == f"/reviews/{oak.pk}/"
        assert oak.holder == reviewer
        assert 'data-testid="toast"' not in client.get(f"/reviews/{oak.pk}/").content.decode()
    assert (Skip.objects.count(), oak.state, oak.assignee) == (0, "in_review", None)


def test_who_goes_on_gives_back_what_they_only_looked_at(
    as_user: AsUser, reviewer: User, oak: HallucinationReview
) -> None:
    other, third = answers.hebrew(), answers.chinese()
    client = as_user(reviewer)
    decide(client, oak, 1, "supported")
    for review in (other, third):
        client.post(reverse("review-take", args=[review.pk]))
    for review in (oak, other, third):
        review.refresh_from_db()
    assert [review.holder for review in (oak, other, third)] == [reviewer, None, reviewer]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("review-skip", {"reason": "bored"}, "Reason:"),
        ("review-snooze", {}, "Choose when it should come back."),
        ("review-snooze", {"day": "2020-01-01"}, "within the next 14 days"),
        ("review-snooze", {"until": "<b>"}, "Until:"),
        ("review-assign", {"assignee": "99999"}, "Assigned to:"),
        ("review-assign", {"assignee": "x" * 4000}, "Assigned to:"),
        ("review-add-claim", {"quote": "not in it", "kind": "number", "verdict": "rejected"}, "answer"),
        (
            "review-add-claim",
            {"quote": "", "kind": "number", "verdict": "rejected"},
            "The words of the answer, exactly:",
        ),
        ("review-add-claim", {"quote": "NOI", "kind": "poem", "verdict": "rejected"}, "What it is:"),
        ("review-resolve", {"final_confidence": "7"}, "Final confidence:"),
    ],
)
@pytest.mark.parametrize("htmx", [True, False])
def test_bad_input_is_named_and_changes_nothing(
    as_user: AsUser,
    reviewer: User,
    oak: HallucinationReview,
    name: str,
    data: dict[str, str],
    said: str,
    htmx: bool,
) -> None:
    before = ReviewEvent.objects.count()
    response = post(as_user(reviewer), oak, name, htmx=htmx, **data)
    html = response.content.decode()
    assert (response.status_code, said in html) == (422, True)
    assert ("<html" in html) is not htmx
    assert (ReviewEvent.objects.count(), oak.version) == (before, 1)


def test_the_same_form_twice_acts_once(as_user: AsUser, reviewer: User, oak: HallucinationReview) -> None:
    client = as_user(reviewer)
    for _ in range(2):
        response = post(client, oak, "review-examine-rest", version=1, idempotency_key="k1")
        assert response.status_code == 200
    assert ReviewEvent.objects.filter(subject=oak, action="rest_examined").count() == 1


# --- verdicts on what nobody asked about, and undo -------------------------------------------------
def test_a_missed_claim_is_added_selected_and_taken_back(
    as_user: AsUser, reviewer: User, oak: HallucinationReview
) -> None:
    client, count = as_user(reviewer), oak.run.claims.count()
    data: dict[str, Any] = {"quote": "Leasing momentum", "kind": "statement", "verdict": "rejected"}
    there = post(client, oak, "review-add-claim", **data)["HX-Redirect"]
    added = Claim.objects.get(run=oak.run, origin="reviewer")
    html = client.get(there).content.decode()
    assert added.text == "Leasing momentum"
    assert f'<a href="?claim={added.index + 1}" data-select="{added.pk}" aria-current="true">' in html
    response = post(client, oak, "review-undo")
    assert response.status_code == 204
    assert oak.run.claims.count() == count


def test_the_page_offers_undo_only_for_what_is_mine_and_still_there(
    as_user: AsUser, reviewer: User, colleague: User, oak: HallucinationReview
) -> None:
    client = as_user(reviewer)
    page = f"/reviews/{oak.pk}/"
    assert 'data-testid="undo"' not in client.get(page).content.decode()
    decide(client, oak, 1, "supported")
    assert 'data-testid="undo"' in client.get(page).content.decode()
    Lease.release(oak, reviewer)
    Lease.take(oak, colleague)
    assert 'data-testid="undo"' not in as_user(colleague).get(page).content.decode()
    assert post(as_user(colleague), oak, "review-undo").status_code == 403
    assert ClaimVerdict.objects.count() == 1


# --- checking again ---------------------------------------------------------------------------------
def test_a_check_run_again_is_announced_then_offered_and_adopted(
    as_user: AsUser, reviewer: User, oak: HallucinationReview, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[DetectionRun] = []
    monkeypatch.setattr(publishing, "publish", lambda run, _: published.append(run))
    client = as_user(reviewer)
    decide(client, oak, 1, "supported")
    assert b'data-testid="checking"' in post(client, oak, "review-rescreen").content
    (run,) = published
    assert run.purpose == "rescreen"
    for claim in oak.run.claims.all():
        claim.pk, claim.run = None, run
        claim.save()
    DetectionRun.objects.filter(pk=run.pk).update(
        finished_at=timezone.now(), result=oak.run.result, risk_level="high"
    )
    offered = state(client, oak, rev="old", seen=actions.last_seen(oak)).content.decode()
    assert 'data-testid="newer-run"' in offered
    assert 'data-testid="adopt"' in offered
    oak.refresh_from_db()
    post(client, oak, "review-adopt")
    assert oak.run == run
    assert [given.decided_at for given in ClaimVerdict.objects.filter(claim__run=run)] == [None]


# --- keys and times ---------------------------------------------------------------------------------
def test_a_person_has_the_registry_with_their_own_keys() -> None:
    own = keys.keys_of(
        Preferences(keymap={"supported": "KeyG", "resolve": "KeyB", "gone": "KeyH", "skip": "Tab"})
    )
    assert (own["supported"].codes, own["supported"].hint) == ("KeyG", "G")
    assert own["resolve"] == keys.KEYS["resolve"]
    assert own["skip"] == keys.KEYS["skip"]
    assert keys.keys_of(Preferences(keymap={"undo": "KeyB"}))["undo"].codes == "KeyB Ctrl+KeyZ"


def test_switched_off_only_keys_held_with_control_are_left() -> None:
    own = keys.keys_of(Preferences(shortcuts=False))
    assert {name for name, key in own.items() if key.codes} == {"resolve", "resolve_stay", "undo", "close"}
    assert own["undo"].hint == "Ctrl Z"


ALONE = ("retry", "begin")
"""Actions whose control stands where the other one with its key does not: after a failure, on My work."""


def test_no_two_actions_of_a_screen_share_a_key() -> None:
    for screen in ("review", "queue"):
        codes = [
            code
            for name, key in keys.KEYS.items()
            if key.screen in (screen, "both") and name not in ALONE
            for code in key.codes.split()
        ]
        assert len(codes) == len(set(codes)), screen


@pytest.mark.parametrize(
    ("now", "offered"),
    [
        (datetime(2026, 11, 25, 9, 40, tzinfo=UTC), ["25 12:00", "26 08:00", "30 08:00"]),
        (datetime(2026, 11, 25, 22, 0, tzinfo=UTC), ["26 08:00", "30 08:00"]),
        (datetime(2026, 11, 29, 9, 0, tzinfo=UTC), ["29 12:00", "30 08:00"]),
    ],
)
def test_a_snooze_offers_later_today_tomorrow_and_monday(now: datetime, offered: list[str]) -> None:
    assert [time.strftime("%d %H:%M") for time in snooze_times(now).values()] == offered
