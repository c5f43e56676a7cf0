"""A review set aside: skipped by one person (F04), assigned to one, snoozed until a time or new evidence
(F11, transitions T4 and T5)."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext

from detection.access import answer_scope, may_review, roles
from reviews.models.errors import HELD, Conflict, NotAllowed
from reviews.models.holding import require_reviewer
from reviews.models.idempotency import IdempotencyRecord
from reviews.models.missed import Missed
from reviews.models.passes import Lease
from reviews.models.record import ENDED, State
from reviews.models.skips import Skip

LONGEST_SNOOZE = timedelta(days=14)


class Shelving(Missed):
    """Skip, assign, snooze, wake."""

    class Meta(Missed.Meta):
        abstract = True

    @transaction.atomic
    def skip(self, user: User, reason: str, *, idempotency_key: str = "") -> None:
        """F04: pass on the review, for a reason of :data:`SKIP_REASONS`. It leaves ``user``'s queue and
        nobody else's; their lease ends, their draft stays, and the review is as it was for everybody else.

        Skipping again only changes the reason. Raises :class:`NotAllowed` for whoever is no reviewer,
        :class:`Conflict` when the review has ended, :class:`KeyReused`, and :class:`ValidationError` for an
        unknown reason.
        """
        require_reviewer(user)
        body = {"action": "skip", "review": self.pk, "reason": reason}
        self._lock()
        if IdempotencyRecord.find(user, idempotency_key, body):
            return
        if self.state in ENDED:
            raise self._last_change()
        if reason not in Skip.Reason.values:
            raise ValidationError({"reason": gettext("Choose why you skip this review.")})
        earlier = Skip.objects.filter(review_id=self.pk, user=user).first()
        Skip.objects.update_or_create(review_id=self.pk, user=user, defaults={"reason": reason})
        before = {"skip": earlier.reason if earlier else None, "held": self._give_up(user)}
        self._log("skipped", actor=user, before=before, after={"skip": reason})
        IdempotencyRecord.remember(user, idempotency_key, body, {})

    @classmethod
    @transaction.atomic
    def requeue_skips(cls, user: User) -> int:
        """Take back everything that ``user`` passed on and that is still there to do; returns how many."""
        rows = Skip.objects.filter(user=user).exclude(review__state__in=ENDED).order_by("review")
        back = cls._default_manager.filter(pk__in=rows.values("review")).order_by("pk")
        for review in back:
            review._log("requeued", actor=user)
        rows.delete()
        return len(back)

    @transaction.atomic
    def assign(
        self,
        user: User,
        version: int,
        assignee: User | None,
        note: str = "",
        *,
        idempotency_key: str = "",
    ) -> None:
        """F11: say whose work it is; ``None`` gives it back to everybody. ``note`` is a word of handover.

        A reviewer assigns what nobody or they themselves have; a senior anything. Whoever hands over what
        they hold lets go of it, and a senior ends another's hold. Assigning to who has it already changes
        nothing. Raises :class:`Conflict` for a stale ``version``, an ended review and one that somebody else
        holds, :class:`NotAllowed`, :class:`KeyReused`, and :class:`ValidationError` for an assignee who is no
        reviewer or may not see the answer.
        """
        require_reviewer(user)
        whose = assignee.pk if assignee else None
        body = {"action": "assign", "review": self.pk, "assignee": whose, "note": note}
        self._lock()
        if IdempotencyRecord.find(user, idempotency_key, body):
            return
        self._check_may_assign(user, version, assignee)
        before = {"assignee": self.assignee_id, "held": False}
        if before["assignee"] != whose:
            if whose is not None:
                before["held"] = self._hand_over(user, whose)
            self._write(version, assignee=assignee)
            self._log("assigned", actor=user, before=before, after={"assignee": whose}, reason=note.strip())
        IdempotencyRecord.remember(user, idempotency_key, body, {"version": self.version})

    def _check_may_assign(self, user: User, version: int, assignee: User | None) -> None:
        if self.state in ENDED:
            raise self._last_change()
        self._check_version(version)
        senior = "senior" in roles(user)
        holder = self.holder
        if holder and holder.pk != user.pk and not senior:
            raise Conflict(HELD, who=holder, when=self._lease_ends())
        if self.assignee_id not in (None, user.pk) and not senior:
            raise NotAllowed(
                gettext("This review is assigned to somebody else. Only they or a senior can pass it on.")
            )
        if assignee and not (assignee.is_active and may_review(assignee)):
            raise ValidationError({"assignee": gettext("Choose somebody who reviews.")})
        if assignee and not self._default_manager_of(assignee).exists():
            raise ValidationError(
                {"assignee": gettext("This person may not see the property of this answer.")}
            )

    def _default_manager_of(self, user: User) -> Any:
        return type(self)._default_manager.filter(answer_scope(user, "answer__"), pk=self.pk)

    @transaction.atomic
    def snooze(
        self,
        user: User,
        version: int,
        until: datetime,
        *,
        reason: str = "",
        on_evidence: bool = False,
        idempotency_key: str = "",
    ) -> None:
        """T4: set the review aside until ``until`` (aware), 14 days at most. With ``on_evidence`` it comes back
        earlier when a newer run or newer figures of its period arrive.

        The hold ends, the drafts stay. Raises :class:`Conflict` for a stale ``version``, an ended review and
        one that somebody else holds, :class:`NotAllowed` when it is snoozed already, assigned to another, in
        a second review, or overdue (a senior may all the same), :class:`KeyReused`, and
        :class:`ValidationError` for a time that is past or too far.
        """
        require_reviewer(user)
        body = {
            "action": "snooze",
            "review": self.pk,
            "until": until,
            "reason": reason,
            "evidence": on_evidence,
        }
        self._lock()
        if IdempotencyRecord.find(user, idempotency_key, body):
            return
        self._put_away(user, version, until, reason=reason.strip(), on_evidence=on_evidence)
        IdempotencyRecord.remember(user, idempotency_key, body, {"version": self.version})

    def _put_away(self, user: User, version: int, until: datetime, *, reason: str, on_evidence: bool) -> None:
        """Check, change and log. The row is locked."""
        now = timezone.now()
        self._check_unended()
        self._check_version(version)
        self._check_open_to(user)
        self._check_may_snooze(user, until, now)
        before = {"held": self._give_up(user), "returned_at": _iso(self.returned_at)}
        since = now if on_evidence else None
        self._write(
            version, state=State.SNOOZED, snoozed_until=until, awaits_evidence_since=since, returned_at=None
        )
        after = {"until": until.isoformat(), "on_evidence": on_evidence}
        self._log("snoozed", actor=user, before=before, after=after, reason=reason)

    def _check_may_snooze(self, user: User, until: datetime, now: datetime) -> None:
        if self.state not in (State.OPEN, State.IN_REVIEW):
            raise NotAllowed(gettext("A second review or an adjudication cannot be snoozed."))
        if self.due_at <= now and "senior" not in roles(user):
            raise NotAllowed(gettext("This review is overdue. Only a senior can snooze it."))
        if not now < until <= now + LONGEST_SNOOZE:
            raise ValidationError({"until": gettext("Choose a time within the next 14 days.")})

    @transaction.atomic
    def wake(self, user: User | None, cause: str = "woken") -> None:
        """T5: bring a snoozed review back to the top of its priority. ``user`` None is the system; ``cause`` is
        ``woken`` (by a person), ``due``, ``new_detection`` or ``new_figures``.

        Raises :class:`Conflict` when it is not snoozed, :class:`NotAllowed` for whoever is no reviewer.
        """
        if user is not None:
            require_reviewer(user)
        self._lock()
        if self.state != State.SNOOZED:
            raise self._last_change()
        self._write(
            self.version,
            state=State.OPEN,
            snoozed_until=None,
            awaits_evidence_since=None,
            returned_at=timezone.now(),
        )
        self._log("woken", actor=user, after={"cause": cause})

    @classmethod
    def wake_due(cls, now: datetime | None = None) -> int:
        """T5 for the sweeper: wake whatever is due by ``now``, and what waits for evidence that is there;
        returns how many."""
        now, woken = now or timezone.now(), 0
        for cause, condition in (("due", Q(snoozed_until__lte=now)), ("new_figures", NEW_FIGURES)):
            asleep = cls._default_manager.filter(condition, state=State.SNOOZED).order_by("pk")
            for pk in set(asleep.values_list("pk", flat=True)):
                woken += cls._default_manager.get(pk=pk)._wake_if(condition, cause)
        return woken

    @transaction.atomic
    def _wake_if(self, condition: Q, cause: str) -> bool:
        """Wake the review if the condition still holds once it is locked; False when somebody was first."""
        self._lock()
        still = type(self)._default_manager.filter(condition, pk=self.pk, state=State.SNOOZED).exists()
        if still:
            self.wake(None, cause)
        return still

    def _give_up(self, user: User) -> bool:
        """End ``user``'s own lease, without a row of its own in the history; whether they had a live one."""
        lease = Lease.objects.filter(review_id=self.pk, user=user).first()
        if lease is None:
            return False
        lease.delete()
        self._set_state(State.IN_REVIEW, State.OPEN)
        self.refresh_from_db()
        return lease.is_live

    def _hand_over(self, user: User, whose: int) -> bool:
        """End the hold of everybody but the new assignee; whether ``user`` had it."""
        lease = Lease.objects.filter(review_id=self.pk).exclude(user=whose).select_related("user").first()
        if lease is None:
            return False
        if lease.user_id == user.pk:
            return self._give_up(user)
        self._end_lease(lease, "force_released" if lease.is_live else "lease_expired", actor=user)
        return False


NEW_FIGURES = Q(period__metrics__updated_at__gt=F("awaits_evidence_since")) | Q(
    period__statement_lines__updated_at__gt=F("awaits_evidence_since")
)


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
