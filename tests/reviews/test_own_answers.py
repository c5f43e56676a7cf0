"""Whoever submitted an answer, a person or a key, does not settle it, and a key settles for a person who agreed (SEC-34)."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from detection import origin
from detection.models import AccessEvent, Answer, ApiKey
from reviews.models import HallucinationReview, Lease, NotAllowed, ReviewEvent, ReviewPass
from reviews.models.states import VoidCause
from reviews.queue.counts import counts
from reviews.queue.next_review import free_for, next_for
from reviews.review_page.actions import assignable
from tests.api_calls import WRONG, Caller, portfolio, submitted

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.requirement("SEC-34")]
FOR_YOU = "This answer was submitted for you; somebody else has to settle it."
BY_THE_KEY = "This answer was submitted by the same API key; somebody else has to settle it."
STEPS: dict[str, dict[str, Any]] = {
    "take": {},
    "verdict": {"version": 1, "claim": 0, "verdict": "supported"},
    "resolve": {"version": 1},
}


def review_of(pk: str) -> HallucinationReview:
    return HallucinationReview.objects.get(answer=UUID(pk))


@pytest.fixture
def own(reviewer: User) -> HallucinationReview:
    """The review of an answer that a key submitted for dana."""
    portfolio()
    return review_of(submitted(Caller("submit", user=reviewer), WRONG))


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_an_answer_knows_the_key_and_the_person_it_came_for(own: HallucinationReview, reviewer: User) -> None:
    assert own.answer.submitted_for == reviewer
    assert own.answer.submitted_by is not None
    anybodys = Answer.objects.get(pk=submitted(Caller("submit"), WRONG))
    assert anybodys.submitted_for is None


def test_the_person_whom_it_came_for_settles_nothing_of_it(own: HallucinationReview, reviewer: User) -> None:
    claim = own.run.claims.first()
    assert claim is not None
    before = ReviewEvent.objects.count()
    for act in (
        lambda: Lease.take(own, reviewer),
        lambda: ReviewPass.decide(own, reviewer, own.version, claim, "supported"),
        lambda: ReviewPass.examine_rest(own, reviewer, own.version),
        lambda: own.resolve(reviewer, own.version, final_confidence=0.5),
    ):
        with pytest.raises(NotAllowed, match=FOR_YOU):
            act()
    assert ReviewEvent.objects.count() == before


def test_neither_a_draft_nor_a_hold_of_before_lets_them(own: HallucinationReview, reviewer: User) -> None:
    """A hold that was given before the answer was known to be theirs."""
    Answer.objects.filter(pk=own.answer_id).update(submitted_for=None)
    Lease.take(own, reviewer)
    Answer.objects.filter(pk=own.answer_id).update(submitted_for=reviewer)
    own = HallucinationReview.objects.get(pk=own.pk)
    with pytest.raises(NotAllowed, match=FOR_YOU):
        own.resolve(reviewer, own.version, final_confidence=0.5)


@pytest.mark.parametrize("step", STEPS)
def test_another_key_that_acts_for_the_same_person_settles_nothing(
    own: HallucinationReview, reviewer: User, step: str
) -> None:
    other = Caller("review", user=reviewer)
    refused = other.post(f"reviews/{own.pk}/{step}/", STEPS[step])
    assert (refused.status_code, refused.json()["detail"]) == (403, FOR_YOU)


@pytest.mark.parametrize("step", STEPS)
def test_the_same_key_settles_nothing_even_for_another_person(reviewer: User, step: str) -> None:
    portfolio()
    caller = Caller("submit", "review")
    review = review_of(submitted(caller, WRONG))
    caller.row.change(user=reviewer)
    caller.row.agree(reviewer, caller.row.last_event())
    refused = caller.post(f"reviews/{review.pk}/{step}/", STEPS[step])
    assert (refused.status_code, refused.json()["detail"]) == (403, BY_THE_KEY)
    assert Caller("review", user=reviewer).post(f"reviews/{review.pk}/take/").status_code == 200


def test_an_answer_of_before_is_credited_to_its_key_alone(own: HallucinationReview, reviewer: User) -> None:
    Answer.objects.filter(pk=own.answer_id).update(submitted_for=None)
    with origin.unknown():
        origin.sent_by(ApiKey.objects.get())
        with pytest.raises(NotAllowed, match=BY_THE_KEY):
            Lease.take(own, reviewer)
    Lease.take(HallucinationReview.objects.get(pk=own.pk), reviewer)


def test_a_senior_neither_withdraws_nor_reopens_what_came_for_them(senior: User, colleague: User) -> None:
    portfolio()
    own = review_of(submitted(Caller("submit", user=senior), WRONG))
    with pytest.raises(NotAllowed, match=FOR_YOU):
        own.void(VoidCause.values[0], actor=senior)
    Lease.take(own, colleague)
    for claim in own.to_decide():
        ReviewPass.decide(own, colleague, own.version, claim, "rejected")
    own.resolve(colleague, own.version, final_confidence=0.5)
    with pytest.raises(NotAllowed, match=FOR_YOU):
        own.reopen(senior, "I was right")
    page = browser_of(senior).get(reverse("review", args=[own.pk])).content.decode()
    assert 'action="' + reverse("review-reopen", args=[own.pk]) not in page


def test_it_is_given_to_nobody_whom_it_came_for(
    own: HallucinationReview, reviewer: User, senior: User
) -> None:
    with pytest.raises(ValidationError, match="submitted for this person"):
        own.assign(senior, own.version, reviewer)
    assert set(assignable(own)) == {senior}


def test_the_queue_offers_it_to_everybody_else(
    own: HallucinationReview, reviewer: User, colleague: User
) -> None:
    assert next_for(reviewer) is None
    assert not free_for(reviewer).exists()
    assert (counts(reviewer).free, counts(colleague).free) == (0, 1)
    assert next_for(colleague) == own


def test_the_page_says_why(own: HallucinationReview, reviewer: User, colleague: User) -> None:
    page = browser_of(reviewer).get(reverse("review", args=[own.pk])).content.decode()
    assert FOR_YOU in page
    own.refresh_from_db()
    assert own.holder is None
    assert FOR_YOU not in browser_of(colleague).get(reverse("review", args=[own.pk])).content.decode()


def test_several_at_once_leave_it_out_and_say_why(own: HallucinationReview, reviewer: User) -> None:
    sent = {"action": "snooze", "pick": f"{own.pk}:{own.version}", "day": "2099-01-01"}
    page = browser_of(reviewer).post(reverse("queue-several"), sent).content.decode()
    assert FOR_YOU in page


# --- consent ---
@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("step", STEPS)
def test_a_key_settles_nothing_for_somebody_who_has_not_agreed(
    review: HallucinationReview, reviewer: User, step: str
) -> None:
    caller = Caller("submit", "read", "review", user=reviewer)
    caller.row.withdraw(reviewer)
    refused = caller.post(f"reviews/{review.pk}/{step}/", STEPS[step])
    assert refused.status_code == 403
    assert "has not agreed" in refused.json()["detail"]
    assert not Lease.objects.exists()
    assert caller.get("answers/").status_code == caller.get("reviews/").status_code == 200
    assert caller.post("answers/", {"answer": "x"}).status_code == 202
    caller.row.agree(reviewer, caller.row.last_event())
    assert caller.post(f"reviews/{review.pk}/take/").status_code == 200


@pytest.mark.requirement("SEC-7")
def test_consent_is_asked_for_under_the_lock_of_each_step(
    review: HallucinationReview, reviewer: User
) -> None:
    """What was withdrawn while a request was under way counts."""
    caller = Caller("review", user=reviewer)
    with origin.unknown():
        origin.sent_by(caller.row)
        Lease.take(review, reviewer)
        ApiKey.objects.get().withdraw(reviewer)
        for act in (Lease.take, Lease.keep, Lease.release, HallucinationReview.wake):
            with pytest.raises(NotAllowed, match="has not agreed"):
                act(review, reviewer)
    assert Lease.objects.get().user == reviewer


@pytest.mark.requirement("SEC-7")
def test_no_key_settles_in_the_name_of_another_than_its_person(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    with origin.unknown():
        origin.sent_by(Caller("review", user=reviewer).row)
        with pytest.raises(NotAllowed, match="has not agreed"):
            Lease.take(review, colleague)


@pytest.mark.requirement("SEC-7")
def test_a_person_agrees_and_withdraws_on_a_page_of_their_own(reviewer: User, colleague: User) -> None:
    key, _ = ApiKey.issue("assistant", ["review"], all_properties=True, user=reviewer)
    ApiKey.issue("theirs", ["review"], user=colleague)
    ended, _ = ApiKey.issue("ended", ["review"], user=reviewer)
    ended.revoke()
    browser, url = browser_of(reviewer), reverse("acting")
    page = browser.get(url).content.decode()
    assert "assistant" in page
    assert "all properties" in page
    assert "Waits for you" in page
    assert "theirs" not in page
    assert "ended" not in page
    seen = {"key": key.pk, "seen": key.last_event()}
    assert "acts for you from now on" in browser.post(url, seen, follow=True).content.decode()
    key.refresh_from_db()
    assert key.acts_for == reviewer
    assert (
        "no longer acts for you"
        in browser.post(url, {"key": key.pk, "withdraw": "1"}, follow=True).content.decode()
    )
    steps = AccessEvent.objects.filter(subject=key).order_by("seq").values_list("action", "actor")
    assert list(steps) == [
        ("issued", None),
        ("consented", reviewer.pk),
        ("consent_withdrawn", reviewer.pk),
    ]
    assert browser.post(url, {"key": ended.pk, "seen": ended.last_event()}).status_code == 404
    assert browser.post(url, {"key": "x"}).status_code == 404


@pytest.mark.requirement("SEC-7")
def test_a_key_that_changed_while_the_page_was_open_is_looked_at_again(reviewer: User) -> None:
    key, _ = ApiKey.issue("assistant", ["review"], user=reviewer)
    seen = {"key": key.pk, "seen": key.last_event()}
    key.change(scopes=["review", "admin"])
    page = browser_of(reviewer).post(reverse("acting"), seen, follow=True).content.decode()
    assert "This key has changed meanwhile" in page
    key.refresh_from_db()
    assert key.acts_for is None


def test_the_demos_key_acts_for_nobody() -> None:
    from reviews.demo.people import seed_people

    plain = seed_people()["API key"]
    key = ApiKey.find(plain)
    assert key is not None
    assert (key.user, key.all_properties, key.scopes) == (None, True, ["submit", "read"])
    ApiKey.objects.filter(pk=key.pk).update(
        user=User.objects.get(username="dana"), scopes=["submit", "review"]
    )
    assert seed_people()["API key"] == plain
    key.refresh_from_db()
    assert (key.user, key.scopes) == (None, ["submit", "read"])
