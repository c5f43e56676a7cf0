"""What a person may do with a review now, and why not; the server decides it again on every write."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from detection.access import may_review, roles
from reviews.models import HallucinationReview, ReviewPass, name_of
from reviews.models.guards import OWN_REOPENING, own_answer
from reviews.models.queue_columns import LIVE
from reviews.models.states import BLIND

State = HallucinationReview.State


@dataclass(frozen=True, slots=True)
class Lease:
    """Who holds a review, and until when; ``holder`` is somebody else's name."""

    mine: bool = False
    holder: str = ""
    until: datetime | None = None

    @property
    def state(self) -> str:
        """mine, other or free."""
        return "mine" if self.mine else "other" if self.holder else "free"

    @property
    def tone(self) -> str:
        """The tone of the lease line."""
        return "warn" if self.holder else ""


@dataclass(frozen=True, slots=True)
class Rights:
    """What the page offers."""

    lease: Lease = field(default_factory=Lease)
    may_review: bool = False
    editable: bool = False
    may_take: bool = False
    may_reopen: bool = False
    take_at_once: bool = False
    read_only: str = ""


def rights(review: HallucinationReview, user: Any) -> Rights:
    """What ``user`` may do with ``review`` now."""
    lease, able = lease_of(review, user), may_review(user)
    refused = "" if lease.mine else _refusal(review, user, lease, able=able)
    open_to = review.is_live and not refused and not lease.mine
    return Rights(
        lease=lease,
        may_review=able,
        editable=review.is_live and lease.mine and able,
        may_take=open_to,
        take_at_once=open_to and review.assignee_id in (None, user.pk),
        may_reopen=able and _may_reopen(review, user),
        read_only=refused or (gettext("Take the review to give verdicts.") if open_to else ""),
    )


def judges_blind(review: HallucinationReview, own: ReviewPass | None) -> bool:
    """Whether somebody whose pass is ``own`` must not be told what the detectors concluded; the blind lane is
    so before it is taken, or reading it first would tell."""
    return review.is_live and (own.blind if own else review.judged_blind)


HIDDEN = LIVE & BLIND
"""Reviews of which nobody who may judge them is told anything that the detectors concluded."""


def in_blind_lane(review: HallucinationReview) -> bool:
    """Whether nobody who may judge ``review`` is told what was concluded, wherever it is listed; :data:`HIDDEN` for a row."""
    return review.is_live and review.judged_blind


def hidden_answers(user: Any, answers: Iterable[UUID]) -> set[UUID]:
    """Which of ``answers`` must not show ``user`` what was concluded: while a blind review of them is live nobody
    who may judge is told, wherever they look, nor whoever is giving a blind second opinion. Keys that act for nobody
    (``user`` None) and people who cannot judge are told."""
    if user is None or not may_review(user):
        return set()
    mine = Q(passes__reviewer=user, passes__blind=True, passes__state=ReviewPass.State.DRAFT)
    found = HallucinationReview.objects.filter(LIVE, BLIND | mine, answer__in=answers)
    return set(found.values_list("answer_id", flat=True))


def lease_of(review: HallucinationReview, user: Any) -> Lease:
    """Who holds ``review``, as ``user`` is told."""
    holder = review.holder
    if holder is None:
        return Lease()
    mine = holder.pk == user.pk
    return Lease(mine=mine, holder="" if mine else name_of(holder), until=review.lease.expires_at)


def _refusal(review: HallucinationReview, user: Any, lease: Lease, *, able: bool) -> str:
    """Why ``user`` cannot work on ``review``; empty when they can take it."""
    judged = review.pass_of(user)
    if not able:
        return gettext("Read only: your role may look, not judge.")
    if lease.holder:
        return gettext("%(name)s is reviewing this; you can read along.") % {"name": lease.holder}
    if review.state == State.SNOOZED:
        return gettext("Snoozed; it comes back by itself.")
    if review.state == State.VOID:
        return gettext("Withdrawn: %(cause)s.") % {"cause": review.get_void_cause_display().lower()}
    if judged and judged.state == ReviewPass.State.SUBMITTED and review.is_live:
        return gettext("You have judged this review already.")
    if review.is_live and (why := own_answer(review, user)):
        return why
    if review.assignee_id not in (None, user.pk) and "senior" not in roles(user):
        return gettext("Assigned to %(name)s.") % {"name": name_of(review.assignee)}
    return ""


def _may_reopen(review: HallucinationReview, user: Any) -> bool:
    if review.state != State.RESOLVED:
        return False
    fresh = review.resolved_at is not None and timezone.now() - review.resolved_at <= OWN_REOPENING
    may = "senior" in roles(user) or (review.resolved_by_id == user.pk and fresh)
    return may and not own_answer(review, user)
