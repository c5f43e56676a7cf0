"""Undo (F07, transition T14): the last step is taken back by a compensating event; nothing is erased.

What a step changed stands in its event. A step can be taken back while what it left is still there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.access import may_review
from detection.models import Answer, Claim
from detection.models.events import STILL_TOLD
from reviews.models.errors import NotAllowed, ReviewError
from reviews.models.events import ReviewEvent
from reviews.models.guards import check_open_to
from reviews.models.leases import Lease
from reviews.models.passes import ReviewPass
from reviews.models.review import AWAKE, UNRESOLVED, HallucinationReview
from reviews.models.skips import Skip
from reviews.models.states import State
from reviews.models.transition import Step, transition
from reviews.models.verdicts import ClaimVerdict

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WINDOW = timedelta(seconds=15)
"""How long a resolution can be undone."""
BARRIERS = ("resolved", "reopened", "voided", "run_adopted")
"""What was done before one of these cannot be undone any more, whoever did it."""


@dataclass(frozen=True, slots=True)
class Undoable:
    """A step that can be taken back: what was done, in words, and until when (None: as long as it stands).
    ``claim`` is the number of its claim, from 1; ``step`` names it to :func:`undo_step`."""

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


def undoable(review: HallucinationReview, user: User) -> Undoable | None:
    """The step that :func:`undo_step` would take back now; None when there is none."""
    last = _last_step(review, user) if may_review(user) else None
    if last is None:
        return None
    until = review.resolved_at + WINDOW if review.resolved_at else None
    return Undoable(last.action, INVERSE[last.action].done % _words(last), until, _number(last), last.seq)


def undo_step(review: HallucinationReview, user: User, *, step: int | None = None) -> Undone:
    """Take back ``user``'s last step on ``review`` that is not taken back yet: a verdict, an added claim,
    examining the rest, a snooze, an assignment or a skip while it stands; a resolution for 15 s while
    nothing else has happened.

    ``step`` is the step that the person saw offered (:attr:`Undoable.step`): no other is taken back in its
    stead, and asked for twice it is taken back once. Everything is as before, but for ``version`` and the
    history, which grow. The lease comes back where nobody else has it. Raises :class:`NotAllowed` when there
    is nothing to take back.
    """
    with transition(review, user) as undoing:
        last = _last_step(review, user)
        if step is not None and (last is None or last.seq != step):
            return _undone(_already_taken_back(review, user, step))
        if last is None:
            raise NotAllowed(
                gettext("There is nothing to undo here. A resolution can be undone for 15 seconds.")
            )
        INVERSE[last.action].restore(undoing, user, last)
        undoing.log("undone", after={"undoes": last.seq, "action": last.action})
        return _undone(last)


def _already_taken_back(review: HallucinationReview, user: User, step: int) -> ReviewEvent:
    asked = review.events.filter(seq=step, actor=user, action__in=INVERSE).first()
    if asked is None or step not in _taken_back(review.events.all()):
        raise NotAllowed(gettext("This step cannot be undone any more. Something else has happened since."))
    return asked


def _taken_back(steps: QuerySet[ReviewEvent]) -> list[int]:
    undone = steps.filter(STILL_TOLD, action="undone")
    return list(undone.values_list("body__after__undoes", flat=True))


def _last_step(review: HallucinationReview, user: User) -> ReviewEvent | None:
    """The newest step of ``user`` that was not taken back, if what it left is still there."""
    steps = review.events.all()
    known = Q(actor=user, action__in=INVERSE) | Q(action__in=BARRIERS)
    last = steps.filter(known).exclude(seq__in=_taken_back(steps)).order_by("-seq").first()
    if last is None or last.actor_id != user.pk or last.action not in INVERSE:
        return None
    ended = last.action != "resolved" and not review.is_live
    return None if ended or not INVERSE[last.action].stands(review, user, last) else last


def _is_open_to(review: HallucinationReview, user: User, step: ReviewEvent) -> bool:
    """Whether ``user`` may still work on the review, and has a draft there."""
    try:
        check_open_to(review, user)
    except ReviewError:
        return False
    mine = review.pass_of(user)
    return mine is not None and mine.state == ReviewPass.State.DRAFT


def _resolved_just_now(review: HallucinationReview, user: User, step: ReviewEvent) -> bool:
    ended = review.resolved_at if review.state == State.RESOLVED else None
    if ended is None or timezone.now() > ended + WINDOW:
        return False
    later = review.events.filter(seq__gt=step.seq)
    newer = Answer.objects.filter(supersedes=review.answer_id)
    return not (later.exists() or newer.exists() or review.live_of(review.answer))


def _still_snoozed(review: HallucinationReview, user: User, step: ReviewEvent) -> bool:
    return review.state == State.SNOOZED and _time(step.after["until"]) == review.snoozed_until


def _still_assigned(review: HallucinationReview, user: User, step: ReviewEvent) -> bool:
    return review.assignee_id == step.after["assignee"] and review.holder in (None, user)


def _still_skipped(review: HallucinationReview, user: User, step: ReviewEvent) -> bool:
    return Skip.objects.filter(review=review, user=user, reason=step.after["skip"]).exists()


def _restore_verdict(undoing: Step, user: User, step: ReviewEvent) -> None:
    mine = Lease.grant(undoing.review, user)
    given = mine.verdicts.get(claim__index=step.after["claim"], claim__run=undoing.review.run_id)
    _put_back(given, step.before)
    undoing.write()


def _remove_claim(undoing: Step, user: User, step: ReviewEvent) -> None:
    run, index = undoing.review.run_id, step.after["claim"]
    claim = Claim.objects.get(run=run, index=index, origin=Claim.Origin.REVIEWER)
    Lease.grant(undoing.review, user).verdicts.filter(claim=claim).delete()
    claim.delete()
    undoing.write()


def _restore_rest(undoing: Step, user: User, step: ReviewEvent) -> None:
    mine = Lease.grant(undoing.review, user)
    given = mine.verdicts.filter(claim__run=undoing.review.run_id, claim__index__in=step.after["claims"])
    suggested = given.filter(claim__index__in=step.before["suggested"])
    given.exclude(pk__in=list(suggested.values_list("pk", flat=True))).delete()
    suggested.update(decided_at=None, examined=False)
    undoing.write()


def _unresolve(undoing: Step, user: User, step: ReviewEvent) -> None:
    review = undoing.review
    undoing.write(state=step.before["state"], **UNRESOLVED)
    submitted = review.passes.filter(reviewer=user, state=ReviewPass.State.SUBMITTED)
    submitted.update(state=ReviewPass.State.DRAFT, submitted_at=None)
    Lease.grant(review, user, quietly=True)


def _unsnooze(undoing: Step, user: User, step: ReviewEvent) -> None:
    undoing.write(**AWAKE, returned_at=_time(step.before["returned_at"]))
    _regain(undoing, user, step)


def _restore_assignee(undoing: Step, user: User, step: ReviewEvent) -> None:
    before = step.before["assignee"]
    undoing.write(assignee=User.objects.filter(pk=before).first() if before else None)
    _regain(undoing, user, step)


def _unskip(undoing: Step, user: User, step: ReviewEvent) -> None:
    mine = Skip.objects.filter(review=undoing.review, user=user)
    if step.before["skip"]:
        mine.update(reason=step.before["skip"])
    else:
        mine.delete()
    _regain(undoing, user, step)


def _regain(undoing: Step, user: User, step: ReviewEvent) -> None:
    """Hold again what the step let go of, unless it is not ``user``'s to hold any more."""
    if step.before["held"] and _is_open_to(undoing.review, user, step):
        Lease.grant(undoing.review, user, quietly=True)


@dataclass(frozen=True, slots=True)
class Inverse:
    """How a step is taken back: what was done and what is then undone, in words; whether what it left still
    stands, ``user`` still being the one to change it; the command that restores what was before."""

    done: "StrOrPromise"
    undone: "StrOrPromise"
    stands: Callable[[HallucinationReview, User, ReviewEvent], bool]
    restore: Callable[[Step, User, ReviewEvent], None]


INVERSE = {
    "decided": Inverse(
        _("Claim %(claim)s: %(verdict)s."),
        _("Undone: the verdict on claim %(claim)s is as it was before."),
        _is_open_to,
        _restore_verdict,
    ),
    "claim_added": Inverse(
        _("Claim %(claim)s added."),
        _("Undone: claim %(claim)s is no longer added."),
        _is_open_to,
        _remove_claim,
    ),
    "rest_examined": Inverse(
        _("The remaining claims are marked as examined."),
        _("Undone: the remaining claims are not marked as examined."),
        _is_open_to,
        _restore_rest,
    ),
    "resolved": Inverse(
        _("The review is resolved."),
        _("Undone: the review is open again."),
        _resolved_just_now,
        _unresolve,
    ),
    "snoozed": Inverse(
        _("The review is snoozed."),
        _("Undone: the review is no longer snoozed."),
        _still_snoozed,
        _unsnooze,
    ),
    "assigned": Inverse(
        _("The assignment is changed."),
        _("Undone: the assignment is as it was before."),
        _still_assigned,
        _restore_assignee,
    ),
    "skipped": Inverse(
        _("The review is skipped."),
        _("Undone: the review is in your queue again."),
        _still_skipped,
        _unskip,
    ),
}
"""What undoes each kind of step."""


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
    return Undone(step.action, INVERSE[step.action].undone % _words(step), _number(step))


def _words(step: ReviewEvent) -> dict[str, Any]:
    verdict = step.after.get("verdict", "")
    known = verdict in ClaimVerdict.Verdict.values
    return {"claim": _number(step), "verdict": ClaimVerdict.Verdict(verdict).label if known else ""}


def _number(step: ReviewEvent) -> int | None:
    claim = step.after.get("claim")
    return claim + 1 if isinstance(claim, int) else None


def _time(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None
