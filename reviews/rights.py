"""What a person may do with a review now, and why not; the server decides it again on every write."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from detection.access import may_review, roles
from reviews.models import HallucinationReview, ReviewPass, name_of
from reviews.models.review import OWN_REOPENING

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
        read_only=refused or ("Take the review to give verdicts." if open_to else ""),
    )


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
        return "Read only: your role may look, not judge."
    if lease.holder:
        return f"{lease.holder} is reviewing this; you can read along."
    if review.state == State.SNOOZED:
        return "Snoozed; it comes back by itself."
    if review.state == State.VOID:
        return f"Withdrawn: {review.get_void_cause_display().lower()}."
    if judged and judged.state == ReviewPass.State.SUBMITTED and review.is_live:
        return "You have judged this review already."
    if review.assignee_id not in (None, user.pk) and "senior" not in roles(user):
        return f"Assigned to {name_of(review.assignee)}."
    return ""


def _may_reopen(review: HallucinationReview, user: Any) -> bool:
    if review.state != State.RESOLVED:
        return False
    fresh = review.resolved_at is not None and timezone.now() - review.resolved_at <= OWN_REOPENING
    return "senior" in roles(user) or (review.resolved_by_id == user.pk and fresh)
