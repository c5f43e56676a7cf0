"""Undo (F07, transition T14): the last step is taken back by a compensating event; nothing is erased.

What a step changed stands in its event. A step can be taken back while what it left is still there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.access import may_review
from detection.models import Answer, Claim
from reviews.models.errors import NotAllowed, ReviewError
from reviews.models.events import ReviewEvent
from reviews.models.holding import require_reviewer
from reviews.models.passes import ClaimVerdict, ReviewPass
from reviews.models.record import ENDED, SelectionReason, State
from reviews.models.shelving import Shelving
from reviews.models.skips import Skip
from reviews.models.sorting import LIVE

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WINDOW = timedelta(seconds=15)
"""How long a resolution can be undone."""

DONE: "dict[str, StrOrPromise]" = {
    "decided": _("Claim %(claim)s: %(verdict)s."),
    "claim_added": _("Claim %(claim)s added."),
    "rest_examined": _("The remaining claims are marked as examined."),
    "resolved": _("The review is resolved."),
    "snoozed": _("The review is snoozed."),
    "assigned": _("The assignment is changed."),
    "skipped": _("The review is skipped."),
}
TAKEN_BACK: "dict[str, StrOrPromise]" = {
    "decided": _("Undone: the verdict on claim %(claim)s is as it was before."),
    "claim_added": _("Undone: claim %(claim)s is no longer added."),
    "rest_examined": _("Undone: the remaining claims are not marked as examined."),
    "resolved": _("Undone: the review is open again."),
    "snoozed": _("Undone: the review is no longer snoozed."),
    "assigned": _("Undone: the assignment is as it was before."),
    "skipped": _("Undone: the review is in your queue again."),
}
BARRIERS = ("resolved", "reopened", "voided", "run_adopted")
"""What was done before one of these cannot be undone any more, whoever did it."""


@dataclass(frozen=True, slots=True)
class Undoable:
    """A step that can be taken back: what was done, in words, and until when (None: as long as it stands).
    ``claim`` is the number of its claim, from 1; ``step`` names it to :meth:`Undoing.undo`."""

    action: str
    text: str
    until: datetime | None = None
    claim: int | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """A step that was taken back, in words; ``claim`` is the number of its claim, from 1."""

    action: str
    text: str
    claim: int | None = None


class Undoing(Shelving):
    """The last step taken back."""

    class Meta(Shelving.Meta):
        abstract = True

    def undoable(self, user: User) -> Undoable | None:
        """The step that :meth:`undo` would take back now; None when there is none."""
        step = self._last_step(user) if may_review(user) else None
        if step is None:
            return None
        until = self.resolved_at + WINDOW if self.resolved_at else None
        return Undoable(step.action, DONE[step.action] % _words(step), until, _number(step), step.seq)

    @transaction.atomic
    def undo(self, user: User, *, step: int | None = None) -> Undone:
        """Take back ``user``'s last step on this review that is not taken back yet: a verdict, an added claim,
        examining the rest, a snooze, an assignment or a skip while it stands; a resolution for 15 s while
        nothing else has happened.

        ``step`` is the step that the person saw offered (:attr:`Undoable.step`): no other is taken back in its
        stead, and asked for twice it is taken back once. Everything is as before, but for ``version`` and the
        history, which grow. The lease comes back where nobody else has it. Raises :class:`NotAllowed` when there
        is nothing to take back.
        """
        require_reviewer(user)
        self._lock()
        last = self._last_step(user)
        if step is not None and (last is None or last.seq != step):
            return _undone(self._already_taken_back(user, step))
        if last is None:
            raise NotAllowed(
                gettext("There is nothing to undo here. A resolution can be undone for 15 seconds.")
            )
        RESTORE[last.action](self, user, last)
        self._log("undone", actor=user, after={"undoes": last.seq, "action": last.action})
        return _undone(last)

    def _already_taken_back(self, user: User, step: int) -> ReviewEvent:
        asked = self._steps().filter(seq=step, actor=user, action__in=DONE).first()
        if asked is None or step not in self._taken_back():
            raise NotAllowed(
                gettext("This step cannot be undone any more. Something else has happened since.")
            )
        return asked

    def _steps(self) -> QuerySet[ReviewEvent]:
        return ReviewEvent.objects.filter(subject_id=self.pk)

    def _taken_back(self) -> list[int]:
        return [
            after["undoes"] for after in self._steps().filter(action="undone").values_list("after", flat=True)
        ]

    def _last_step(self, user: User) -> ReviewEvent | None:
        """The newest step of ``user`` that was not taken back, if what it left is still there."""
        known = Q(actor=user, action__in=DONE) | Q(action__in=BARRIERS)
        steps = self._steps().filter(known).exclude(seq__in=self._taken_back())
        last = steps.order_by("-seq").first()
        mine = last is not None and last.actor_id == user.pk and last.action in DONE
        return last if last and mine and self._stands(last, user) else None

    def _stands(self, step: ReviewEvent, user: User) -> bool:
        """Whether what the step left is still there, and ``user`` still the one to change it."""
        if step.action == "resolved":
            return self._resolved_just_now(step)
        if self.state in ENDED:
            return False
        if step.action == "snoozed":
            return self.state == State.SNOOZED and _time(step.after["until"]) == self.snoozed_until
        if step.action == "skipped":
            return Skip.objects.filter(review_id=self.pk, user=user, reason=step.after["skip"]).exists()
        if step.action == "assigned":
            return self.assignee_id == step.after["assignee"] and self.holder in (None, user)
        return self._is_open_to(user)

    def _resolved_just_now(self, step: ReviewEvent) -> bool:
        if (
            self.state != State.RESOLVED
            or self.resolved_at is None
            or timezone.now() > self.resolved_at + WINDOW
        ):
            return False
        later = self._steps().filter(seq__gt=step.seq)
        newer = Answer.objects.filter(supersedes=self.answer_id)
        live = type(self)._default_manager.filter(LIVE, answer=self.answer_id)
        return not (
            later.exists() or newer.exists() or live.exclude(selection_reason=SelectionReason.GOLD).exists()
        )

    def _is_open_to(self, user: User) -> bool:
        try:
            self._check_open_to(user)
        except ReviewError:
            return False
        mine = self.pass_of(user)
        return mine is not None and mine.state == ReviewPass.State.DRAFT

    def _restore_verdict(self, user: User, step: ReviewEvent) -> None:
        given = self._hold(user).verdicts.get(claim__index=step.after["claim"], claim__run=self.run_id)
        _put_back(given, step.before)
        self._write(self.version)

    def _remove_claim(self, user: User, step: ReviewEvent) -> None:
        claim = Claim.objects.get(run=self.run_id, index=step.after["claim"], origin=Claim.Origin.REVIEWER)
        self._hold(user).verdicts.filter(claim=claim).delete()
        claim.delete()
        self._write(self.version)

    def _restore_rest(self, user: User, step: ReviewEvent) -> None:
        given = self._hold(user).verdicts.filter(
            claim__run=self.run_id, claim__index__in=step.after["claims"]
        )
        suggested = given.filter(claim__index__in=step.before["suggested"])
        given.exclude(pk__in=list(suggested.values_list("pk", flat=True))).delete()
        suggested.update(decided_at=None, examined=False)
        self._write(self.version)

    def _restore_unresolved(self, user: User, step: ReviewEvent) -> None:
        self._write(
            self.version,
            state=step.before["state"],
            outcome="",
            final_confidence=None,
            corrected_answer="",
            resolved_at=None,
            resolved_by=None,
        )
        submitted = ReviewPass.objects.filter(
            review_id=self.pk, reviewer=user, state=ReviewPass.State.SUBMITTED
        )
        submitted.update(state=ReviewPass.State.DRAFT, submitted_at=None)
        self._hold(user, quietly=True)

    def _restore_unsnoozed(self, user: User, step: ReviewEvent) -> None:
        self._write(
            self.version,
            state=State.OPEN,
            snoozed_until=None,
            awaits_evidence_since=None,
            returned_at=_time(step.before["returned_at"]),
        )
        self._regain(user, step)

    def _restore_assignee(self, user: User, step: ReviewEvent) -> None:
        before = step.before["assignee"]
        self._write(self.version, assignee=User.objects.filter(pk=before).first() if before else None)
        self._regain(user, step)

    def _restore_unskipped(self, user: User, step: ReviewEvent) -> None:
        mine = Skip.objects.filter(review_id=self.pk, user=user)
        if step.before["skip"]:
            mine.update(reason=step.before["skip"])
        else:
            mine.delete()
        self._regain(user, step)

    def _regain(self, user: User, step: ReviewEvent) -> None:
        """Hold again what the step let go of, unless it is not ``user``'s to hold any more."""
        if step.before["held"] and self._is_open_to(user):
            self._hold(user, quietly=True)


RESTORE: dict[str, Callable[[Undoing, User, ReviewEvent], None]] = {
    "decided": Undoing._restore_verdict,
    "claim_added": Undoing._remove_claim,
    "rest_examined": Undoing._restore_rest,
    "resolved": Undoing._restore_unresolved,
    "snoozed": Undoing._restore_unsnoozed,
    "assigned": Undoing._restore_assignee,
    "skipped": Undoing._restore_unskipped,
}


def _put_back(given: ClaimVerdict, before: Mapping[str, Any]) -> None:
    """A verdict as its history has it from before: none, a suggestion, or another one."""
    if not before:
        given.delete()
        return
    for name in given.content():
        setattr(given, name, before[name])
    given.decided_at = _time(before["decided_at"])
    given.examined = given.decided_at is not None
    given.save()


def _undone(step: ReviewEvent) -> Undone:
    return Undone(step.action, TAKEN_BACK[step.action] % _words(step), _number(step))


def _words(step: ReviewEvent) -> dict[str, Any]:
    verdict = step.after.get("verdict", "")
    known = verdict in ClaimVerdict.Verdict.values
    return {"claim": _number(step), "verdict": ClaimVerdict.Verdict(verdict).label if known else ""}


def _number(step: ReviewEvent) -> int | None:
    claim = step.after.get("claim")
    return claim + 1 if isinstance(claim, int) else None


def _time(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None
