"""Who works on a review: take, heartbeat, release, expiry (transitions T2 and T3).

Taking and releasing leave ``version`` alone: it counts what a decision rests on, so that a verdict given
just after one's lease ran out is still accepted when nobody else holds the review.
"""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from detection.access import may_review, roles
from reviews.models.errors import HAPPENED, HELD, Conflict, NotAllowed
from reviews.models.passes import Lease, ReviewPass
from reviews.models.record import AUDITS, ENDED, ReviewRecord, State


class Holding(ReviewRecord):
    """Leases and passes."""

    class Meta(ReviewRecord.Meta):
        abstract = True

    @property
    def is_live(self) -> bool:
        """Neither resolved nor void."""
        return self.state not in ENDED

    @property
    def judged_blind(self) -> bool:
        """Whether this review belongs to the blind lane (F22): every audit, and what was mixed in."""
        return self.blind or self.selection_reason in AUDITS

    @property
    def holder(self) -> User | None:
        """Who holds the review now. ``select_related("lease__user")`` makes it free in lists."""
        lease: Lease | None = getattr(self, "lease", None)
        return lease.user if lease and lease.is_live else None

    def pass_of(self, user: User) -> ReviewPass | None:
        """The pass that ``user`` has here, draft or submitted; None when they have none in force."""
        passes = ReviewPass.objects.filter(review_id=self.pk, reviewer=user)
        return passes.exclude(state=ReviewPass.State.WITHDRAWN).first()

    def current_pass(self) -> ReviewPass | None:
        """The pass being worked on (the holder's), else the one submitted last."""
        passes = ReviewPass.objects.filter(review_id=self.pk)
        holder = self.holder
        if holder:
            return passes.filter(reviewer=holder, state=ReviewPass.State.DRAFT).first()
        return passes.filter(state=ReviewPass.State.SUBMITTED).order_by("-pass_no").first()

    @transaction.atomic
    def take(self, user: User) -> ReviewPass:
        """T2: hold the review for ``settings.REVIEW_LEASE_SECONDS`` and return one's pass.

        Taking what one holds extends it. Raises :class:`Conflict` when somebody else holds it or it has
        ended, :class:`NotAllowed` when it is snoozed, assigned to another (a senior may all the same) or
        already judged by ``user``.
        """
        require_reviewer(user)
        self._lock()
        self._check_open_to(user)
        return self._hold(user)

    @transaction.atomic
    def heartbeat(self, user: User) -> datetime:
        """Keep one's lease and count the time as active; returns the new end.

        Raises :class:`Conflict` when the lease is no longer there: a release by a senior stays one.
        """
        until = _lease_end()
        if not Lease.objects.filter(review_id=self.pk, user=user).update(expires_at=until):
            raise self._last_change()
        review_pass = self.pass_of(user)
        if review_pass:
            review_pass.touch(timezone.now())
        return until

    @transaction.atomic
    def release(self, user: User, *, reason: str = "") -> None:
        """T3: give the review back; the draft stays. Releasing what nobody holds changes nothing.

        A senior may release another person's hold, with a reason. Raises :class:`NotAllowed` otherwise.
        """
        self._lock()
        lease = Lease.objects.filter(review_id=self.pk).select_related("user").first()
        if lease is None:
            return
        if lease.user_id == user.pk:
            self._end_lease(lease, "released", actor=user, reason=reason)
            return
        if "senior" not in roles(user):
            raise NotAllowed(gettext("Only its holder or a senior can release a review."))
        if not reason.strip():
            raise NotAllowed(gettext("Say why you release somebody else's review."))
        self._end_lease(lease, "force_released", actor=user, reason=reason)

    @classmethod
    def expire_leases(cls, now: datetime | None = None) -> int:
        """T3 for the sweeper: end every lease that ran out by ``now``; returns how many."""
        now = now or timezone.now()
        overdue = Lease.objects.filter(expires_at__lte=now).values_list("review_id", flat=True)
        return sum(cls._default_manager.get(pk=pk)._expire(now) for pk in list(overdue))

    @classmethod
    def release_all(cls, user: User) -> int:
        """T3 at sign-out: give back whatever ``user`` holds; drafts stay. Returns how many it were."""
        held = Lease.objects.filter(user=user).values_list("review_id", flat=True)
        return sum(cls._default_manager.get(pk=pk)._let_go(user) for pk in list(held))

    @transaction.atomic
    def _let_go(self, user: User) -> bool:
        """End ``user``'s lease, with its history; False when they have none."""
        self._lock()
        lease = Lease.objects.filter(review_id=self.pk, user=user).first()
        if lease:
            self._end_lease(lease, "released", actor=user)
        return lease is not None

    @transaction.atomic
    def _expire(self, now: datetime) -> bool:
        self._lock()
        lease = Lease.objects.filter(review_id=self.pk, expires_at__lte=now).first()
        if lease:
            self._end_lease(lease, "lease_expired")
        return lease is not None

    def _check_open_to(self, user: User) -> None:
        """Refuse whatever forbids ``user`` to work on this review now. The row is locked."""
        self._check_unended()
        holder = self.holder
        if holder and holder.pk != user.pk:
            raise Conflict(HELD, who=holder, when=self._lease_ends())
        if self.assignee_id not in (None, user.pk) and "senior" not in roles(user):
            raise NotAllowed(
                gettext("This review is assigned to somebody else. Ask for it, or take the next one.")
            )
        mine = self.pass_of(user)
        if mine and mine.state == ReviewPass.State.SUBMITTED:
            raise NotAllowed(
                gettext("You have judged this review already; somebody else has to look at it now.")
            )

    def _check_unended(self) -> None:
        if self.state == State.SNOOZED:
            until = f"{self.snoozed_until:%Y-%m-%d %H:%M}"
            raise NotAllowed(
                gettext("Snoozed until %(until)s UTC; it comes back by itself.") % {"until": until}
            )
        if self.state == State.RESOLVED:
            raise Conflict(HAPPENED["resolved"], who=self.resolved_by, when=self.resolved_at)
        if self.state == State.VOID:
            raise self._last_change()

    def _hold(self, user: User, *, quietly: bool = False) -> ReviewPass:
        """Give ``user`` the lease and a pass. The row is locked and nobody else holds it. ``quietly`` is for
        what has a row of its own in the history."""
        lease = Lease.objects.filter(review_id=self.pk).select_related("user").first()
        if lease and lease.user_id != user.pk:
            self._end_lease(lease, "lease_expired")
            lease = None
        review_pass = self._draft_of(user)
        Lease.objects.update_or_create(
            review_id=self.pk,
            defaults={"user": user, "pass_no": review_pass.pass_no, "expires_at": _lease_end()},
        )
        if lease is None:
            self._set_state(State.OPEN, State.IN_REVIEW)
            if not quietly:
                self._log("taken", actor=user, after={"pass_no": review_pass.pass_no})
        self.refresh_from_db()
        return review_pass

    def _draft_of(self, user: User) -> ReviewPass:
        """One's draft, made when missing. Blindness is fixed here: second opinions and the blind lane are."""
        submitted = ReviewPass.objects.filter(review_id=self.pk, state=ReviewPass.State.SUBMITTED).count()
        blind = submitted > 0 or self.judged_blind
        return ReviewPass.objects.get_or_create(
            review_id=self.pk,
            reviewer=user,
            state=ReviewPass.State.DRAFT,
            defaults={"pass_no": submitted + 1, "blind": blind},
        )[0]

    def _end_lease(self, lease: Lease, action: str, *, actor: Any = None, reason: str = "") -> None:
        lease.delete()
        self._set_state(State.IN_REVIEW, State.OPEN)
        self._log(action, actor=actor, before={"holder": lease.user_id}, reason=reason)
        self.refresh_from_db()

    def _set_state(self, before: State, after: State) -> None:
        """``before`` becomes ``after``; other states, such as a second review, stay while held."""
        type(self)._default_manager.filter(pk=self.pk, state=before).update(state=after)

    def _lease_ends(self) -> datetime:
        return Lease.objects.get(review_id=self.pk).expires_at


def require_reviewer(user: User) -> None:
    """Raise :class:`NotAllowed` for whoever may not give verdicts."""
    if not may_review(user):
        raise NotAllowed(
            gettext("Only reviewers and seniors may do that. Ask an admin for the reviewer role.")
        )


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.REVIEW_LEASE_SECONDS)
