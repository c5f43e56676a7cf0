"""Who may do what with a review, in which state, and the sentence that says why not."""

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext

from detection import origin
from detection.access import answer_scope, may_review, roles
from detection.models import Answer, ApiKey
from reviews.models.errors import HAPPENED, HELD, Conflict, NotAllowed
from reviews.models.events import ReviewEvent
from reviews.models.states import ENDED, Outcome, State

if TYPE_CHECKING:
    from reviews.models.review import HallucinationReview

LONGEST_SNOOZE = timedelta(days=14)
OWN_REOPENING = timedelta(hours=24)
"""How long a reviewer may reopen what they resolved themselves."""


def require_reviewer(user: User) -> None:
    """Raise :class:`NotAllowed` for whoever may not give verdicts."""
    if not may_review(user):
        raise NotAllowed(
            gettext("Only reviewers and seniors may do that. Ask an admin for the reviewer role.")
        )


def require_senior(user: User) -> None:
    """Raise :class:`NotAllowed` for whoever may not withdraw a review."""
    if "senior" not in roles(user):
        raise NotAllowed(gettext("Only a senior can withdraw a review from the queue."))


def check_consent(user: User) -> None:
    """Refuse what an API key does for somebody who has not agreed to it, or no longer does: its row is locked."""
    key = origin.key()
    if key is None:
        return
    person = ApiKey.objects.select_for_update(no_key=True).get(pk=key.pk).acts_for
    if person is None or person.pk != user.pk:
        raise NotAllowed(
            gettext("The person this API key acts for has not agreed: Preferences, Keys that act for me.")
        )


def check_live(review: "HallucinationReview") -> None:
    """Refuse a review that has ended."""
    if review.state in ENDED:
        raise ReviewEvent.last_change(review)


def check_workable(review: "HallucinationReview") -> None:
    """Refuse a review that has ended or is snoozed."""
    if review.state == State.SNOOZED:
        until = f"{review.snoozed_until:%Y-%m-%d %H:%M}"
        raise NotAllowed(gettext("Snoozed until %(until)s UTC; it comes back by itself.") % {"until": until})
    if review.state == State.RESOLVED:
        raise Conflict(HAPPENED["resolved"], who=review.resolved_by, when=review.resolved_at)
    check_live(review)


def check_unheld(review: "HallucinationReview", user: User) -> None:
    """Refuse a review that somebody else holds."""
    holder = review.holder
    if holder and holder.pk != user.pk:
        raise Conflict(HELD, who=holder, when=review.lease.expires_at)


def own_answer(review: "HallucinationReview", user: User) -> str:
    """Why ``user``, or the API key at hand, may not settle this review: they submitted its answer (SEC-34). Empty when
    they did not."""
    answer, key = review.answer, origin.key()
    if answer.submitted_for_id == user.pk:
        return gettext("This answer was submitted for you; somebody else has to settle it.")
    if key is not None and answer.submitted_by_id == key.pk:
        return gettext("This answer was submitted by the same API key; somebody else has to settle it.")
    return ""


def check_not_own(review: "HallucinationReview", user: User) -> None:
    """Refuse whoever submitted the answer."""
    if why := own_answer(review, user):
        raise NotAllowed(why)


def check_open_to(review: "HallucinationReview", user: User) -> None:
    """Refuse whatever forbids ``user`` to work on this review now. The row is locked."""
    check_workable(review)
    check_not_own(review, user)
    check_unheld(review, user)
    if review.assignee_id not in (None, user.pk) and "senior" not in roles(user):
        raise NotAllowed(
            gettext("This review is assigned to somebody else. Ask for it, or take the next one.")
        )
    mine = review.pass_of(user)
    if mine and mine.state == mine.State.SUBMITTED:
        raise NotAllowed(gettext("You have judged this review already; somebody else has to look at it now."))


def check_may_assign(review: "HallucinationReview", user: User, assignee: User | None) -> None:
    """Refuse to hand over what is somebody else's, and to hand it to somebody who cannot judge it."""
    senior = "senior" in roles(user)
    if not senior:
        check_unheld(review, user)
    if review.assignee_id not in (None, user.pk) and not senior:
        raise NotAllowed(
            gettext("This review is assigned to somebody else. Only they or a senior can pass it on.")
        )
    if assignee and not (assignee.is_active and may_review(assignee)):
        raise ValidationError({"assignee": gettext("Choose somebody who reviews.")})
    if assignee and not Answer.objects.filter(answer_scope(assignee), pk=review.answer_id).exists():
        raise ValidationError({"assignee": gettext("This person may not see the property of this answer.")})
    if assignee and review.answer.submitted_for_id == assignee.pk:
        raise ValidationError({"assignee": gettext("This answer was submitted for this person.")})


def check_may_snooze(review: "HallucinationReview", user: User, until: datetime, now: datetime) -> None:
    """Refuse to set aside what is not ``user``'s, what cannot wait, and a time out of bounds."""
    check_open_to(review, user)
    if review.state not in (State.OPEN, State.IN_REVIEW):
        raise NotAllowed(gettext("A second review or an adjudication cannot be snoozed."))
    if review.due_at <= now and "senior" not in roles(user):
        raise NotAllowed(gettext("This review is overdue. Only a senior can snooze it."))
    if not now < until <= now + LONGEST_SNOOZE:
        raise ValidationError({"until": gettext("Choose a time within the next 14 days.")})


def check_may_reopen(review: "HallucinationReview", user: User, reason: str) -> None:
    """Refuse what is not resolved, or not ``user``'s to reopen, and what something else has taken the place of."""
    if review.state != State.RESOLVED:
        raise ReviewEvent.last_change(review)
    fresh = review.resolved_at and timezone.now() - review.resolved_at <= OWN_REOPENING
    if "senior" not in roles(user) and not (review.resolved_by_id == user.pk and fresh):
        raise NotAllowed(gettext("You can reopen your own reviews for 24 hours; ask a senior for this one."))
    if not reason.strip():
        raise NotAllowed(gettext("Say why you reopen this review."))
    check_not_own(review, user)
    answer = Answer.objects.select_for_update().get(pk=review.answer_id)
    if answer.is_superseded:
        raise NotAllowed(gettext("A newer answer replaced this one. Review the newer one."))
    if answer.erasure_id:
        raise NotAllowed(gettext("This answer was erased. There is nothing left to review."))
    if review.live_of(answer):
        raise NotAllowed(gettext("This answer is in the queue already, by another review. Work on that one."))


def check_resolution(confidence: float | None, outcome: str | None, derived: Outcome, reason: str) -> None:
    """Refuse a confidence outside 0–1, an unknown outcome, and an override without its reason."""
    if confidence is not None and not (math.isfinite(confidence) and 0 <= confidence <= 1):
        raise ValidationError({"final_confidence": gettext("Give a confidence from 0 to 1.")})
    if outcome and outcome not in Outcome.values:
        known = ", ".join(Outcome.values)
        raise ValidationError({"outcome": gettext("Outcomes are %(known)s.") % {"known": known}})
    if outcome and outcome != derived and not reason.strip():
        meant, said = derived.label, Outcome(outcome).label
        why = gettext("The verdicts mean “%(meant)s”. Say why it is “%(said)s” all the same.")
        raise ValidationError({"reason": why % {"meant": meant, "said": said}})
