"""Who works on a review: take, keep, release, expire (transitions T2 and T3).

Taking and releasing leave the review's ``version`` alone: it counts what a decision rests on, so that a verdict given
just after one's lease ran out is still accepted when nobody else holds the review.
"""

import uuid
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext

from detection.access import roles
from reviews.models.errors import NotAllowed
from reviews.models.events import ReviewEvent
from reviews.models.guards import check_consent, check_open_to
from reviews.models.states import State
from reviews.models.transition import transition

if TYPE_CHECKING:
    from reviews.models.passes import ReviewPass
    from reviews.models.review import HallucinationReview


class Lease(models.Model):
    """Somebody is working on a review now. Transient: it protects against wasted work, while the
    review's ``version`` protects against lost data."""

    review = models.OneToOneField(
        "reviews.HallucinationReview", on_delete=models.CASCADE, related_name="lease"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="leases")
    pass_no = models.PositiveSmallIntegerField()
    token = models.UUIDField(default=uuid.uuid4)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.user} until {self.expires_at:%H:%M}"

    @property
    def is_live(self) -> bool:
        """Whether the lease still holds others off."""
        return self.expires_at > timezone.now()

    @classmethod
    def take(cls, review: "HallucinationReview", user: User) -> "ReviewPass":
        """T2: hold ``review`` for ``settings.REVIEW_LEASE_SECONDS`` and return one's pass.

        Taking what one holds extends it. Raises :class:`Conflict` when somebody else holds it or it has
        ended, :class:`NotAllowed` when it is snoozed, assigned to another (a senior may all the same) or
        already judged by ``user``.
        """
        with transition(review, user):
            check_open_to(review, user)
            return cls.grant(review, user)

    @classmethod
    @transaction.atomic
    def keep(cls, review: "HallucinationReview", user: User) -> datetime:
        """Keep one's lease and count the time as active; returns the new end.

        Raises :class:`Conflict` when the lease is no longer there: a release by a senior stays one, and
        :class:`NotAllowed` by a key that does not act for ``user``.
        """
        check_consent(user)
        until = _lease_end()
        if not cls.objects.filter(review_id=review.pk, user=user).update(expires_at=until):
            raise ReviewEvent.last_change(review)
        review_pass = review.pass_of(user)
        if review_pass:
            review_pass.touch(timezone.now())
        return until

    @classmethod
    def release(cls, review: "HallucinationReview", user: User, *, reason: str = "") -> None:
        """T3: give ``review`` back; the draft stays. Releasing what nobody holds changes nothing.

        A senior may release another person's hold, with a reason. Raises :class:`NotAllowed` otherwise.
        """
        with transition(review, user, may=None):
            lease = cls._on(review)
            if lease is None:
                return
            if lease.user_id == user.pk:
                lease.end("released", actor=user, reason=reason)
                return
            if "senior" not in roles(user):
                raise NotAllowed(gettext("Only its holder or a senior can release a review."))
            if not reason.strip():
                raise NotAllowed(gettext("Say why you release somebody else's review."))
            lease.end("force_released", actor=user, reason=reason)

    @classmethod
    def expire(cls, now: datetime | None = None) -> int:
        """T3 for the sweeper: end every lease that ran out by ``now``; returns how many."""
        return cls._end_all("lease_expired", expires_at__lte=now or timezone.now())

    @classmethod
    def release_all(cls, user: User) -> int:
        """T3 at sign-out: give back whatever ``user`` holds; drafts stay. Returns how many it were."""
        return cls._end_all("released", actor=user, user=user)

    @classmethod
    def _end_all(cls, action: str, *, actor: User | None = None, **condition: Any) -> int:
        """End the leases of which ``condition`` still holds once their review is locked."""
        ended = 0
        for found in list(cls.objects.filter(**condition).select_related("review")):
            with transition(found.review, actor, may=None):
                lease = cls._on(found.review, **condition)
                if lease:
                    lease.end(action, actor=actor)
                    ended += 1
        return ended

    @classmethod
    def renew(cls, review: "HallucinationReview", user: User) -> "ReviewPass":
        """What every write of a holder begins with: the lease is mine, or mine again where it ran out and nobody
        has it. The row is locked."""
        check_open_to(review, user)
        review_pass = cls.grant(review, user)
        review_pass.touch(timezone.now())
        return review_pass

    @classmethod
    def grant(cls, review: "HallucinationReview", user: User, *, quietly: bool = False) -> "ReviewPass":
        """Give ``user`` the lease and a pass. The row is locked and nobody else holds it. ``quietly`` is for
        what has a row of its own in the history."""
        lease = cls._on(review)
        if lease and lease.user_id != user.pk:
            lease.end("lease_expired")
            lease = None
        review_pass = review.draft_of(user)
        cls.objects.update_or_create(
            review_id=review.pk,
            defaults={"user": user, "pass_no": review_pass.pass_no, "expires_at": _lease_end()},
        )
        if lease is None:
            _move(review, State.OPEN, State.IN_REVIEW)
            if not quietly:
                ReviewEvent.append(review, "taken", actor=user, after={"pass_no": review_pass.pass_no})
        review.refresh_from_db()
        return review_pass

    @classmethod
    def give_up(cls, review: "HallucinationReview", user: User) -> bool:
        """End ``user``'s own lease, without a row of its own in the history; whether they had a live one."""
        lease = cls._on(review, user=user)
        return lease is not None and lease._drop()

    @classmethod
    def hand_over(cls, review: "HallucinationReview", user: User, whose: int) -> bool:
        """End the hold of everybody but the new assignee; whether ``user`` had it."""
        lease = cls._on(review)
        if lease is None or lease.user_id == whose:
            return False
        if lease.user_id == user.pk:
            return lease._drop()
        lease.end("force_released" if lease.is_live else "lease_expired", actor=user)
        return False

    @classmethod
    def _on(cls, review: "HallucinationReview", **condition: Any) -> Self | None:
        """The lease on ``review``, live or not, if ``condition`` holds."""
        lease = cls.objects.filter(review_id=review.pk, **condition).first()
        if lease:
            lease.review = review
        return lease

    def end(self, action: str, *, actor: User | None = None, reason: str = "") -> None:
        """Give the review back, with a row in its history."""
        self._drop()
        ReviewEvent.append(self.review, action, actor=actor, before={"holder": self.user_id}, reason=reason)

    def _drop(self) -> bool:
        """Give the review back; whether the lease was live."""
        self.delete()
        _move(self.review, State.IN_REVIEW, State.OPEN)
        self.review.refresh_from_db()
        return self.is_live


def _move(review: "HallucinationReview", before: State, after: State) -> None:
    """``before`` becomes ``after``; other states, such as a second review, stay while held."""
    type(review)._default_manager.filter(pk=review.pk, state=before).update(state=after)


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.REVIEW_LEASE_SECONDS)
