"""What the review page offers besides verdicts: skipping, putting aside, handing over, undoing, what changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from detection.access import may_review
from detection.models import Claim, DetectionRun
from reviews.display import wording
from reviews.forms import snooze_times
from reviews.models import HallucinationReview, ReviewEvent, Skip, name_of, undoable
from reviews.models.guards import LONGEST_SNOOZE
from reviews.models.undoing import Undoable
from reviews.rights import judges_blind

SKIPS: list[tuple[str, str | Promise, str]] = [
    (code, label, letter) for (code, label), letter in zip(Skip.Reason.choices, "NTULO", strict=True)
]
"""Reasons for passing on a review, with the letter that picks each."""
SNOOZES = {
    "today": (gettext_lazy("Later today"), "L"),
    "tomorrow": (gettext_lazy("Tomorrow"), "T"),
    "monday": (gettext_lazy("Monday"), "M"),
}
"""The times offered for putting a review aside, with the letter that picks each."""
CHANGES: dict[str, str | Promise] = {
    "taken": gettext_lazy("%(who)s is reviewing this now."),
    "released": gettext_lazy("%(who)s gave this review back."),
    "force_released": gettext_lazy("%(who)s released this review for somebody else."),
    "lease_expired": gettext_lazy("This review was given back: the time ran out."),
    "resolved": gettext_lazy("%(who)s resolved this review: %(outcome)s."),
    "reopened": gettext_lazy("%(who)s reopened this review."),
    "voided": gettext_lazy("This review was withdrawn: a newer answer replaced it, or its source is gone."),
    "snoozed": gettext_lazy("%(who)s put this review aside."),
    "woken": gettext_lazy("This review is back from being put aside."),
    "assigned": gettext_lazy("%(who)s assigned this review."),
    "undone": gettext_lazy("%(who)s undid the last step."),
    "rest_examined": gettext_lazy("%(who)s checked all remaining claims."),
    "skipped": gettext_lazy("%(who)s passed on this review."),
    "requeued": gettext_lazy("%(who)s put this review back into their queue."),
    "run_adopted": gettext_lazy("%(who)s went on with a newer check."),
    "claim_added": gettext_lazy("%(who)s added a claim."),
}
"""What somebody did, as a sentence; a verdict has a sentence of its own."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way of putting a review aside: its words, when it comes back, the letter that picks it."""

    label: str | Promise
    at: datetime
    letter: str


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that somebody did to a review while it was on a screen."""

    text: str
    at: datetime
    actor: int | None
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Actions:
    """``revision`` and ``seen`` say which state a page shows; the rest is what it offers now."""

    revision: str
    seen: int
    skips: Sequence[tuple[str, Any, str]] = ()
    snoozes: Sequence[Choice] = ()
    first_day: str = ""
    last_day: str = ""
    people: Sequence[tuple[int, str]] = ()
    unexamined: int = 0
    checking: bool = False
    newer: bool = False
    undo: Undoable | None = None
    assignee: str = ""
    returned: bool = False
    may_wake: bool = False


def actions(review: HallucinationReview, user: User, *, editable: bool, open_: bool) -> Actions:
    """What ``user`` is offered on the page of ``review``; ``editable`` while they hold it, ``open_`` while it
    can be put aside or handed over."""
    now, later = timezone.now(), later_runs(review)
    return Actions(
        revision=_revision(review, later),
        seen=last_seen(review),
        skips=SKIPS if editable else (),
        snoozes=_snoozes(now) if open_ else (),
        first_day=(now + timedelta(days=1)).date().isoformat(),
        last_day=(now + LONGEST_SNOOZE).date().isoformat(),
        people=_people(review) if open_ else (),
        unexamined=unexamined(review, user) if editable else 0,
        checking=review.is_live and later.checking,
        newer=review.is_live and later.finished > 0,
        undo=undoable(review, user) if review.is_live else None,
        assignee=name_of(review.assignee) if review.assignee_id else "",
        returned=review.is_live and review.returned_at is not None,
        may_wake=review.state == HallucinationReview.State.SNOOZED and may_review(user),
    )


def _snoozes(now: datetime) -> list[Choice]:
    return [Choice(SNOOZES[name][0], at, SNOOZES[name][1]) for name, at in snooze_times(now).items()]


def _people(review: HallucinationReview) -> list[tuple[int, str]]:
    return [(person.pk, name_of(person)) for person in assignable(review)]


def assignable(review: HallucinationReview) -> Sequence[User]:
    """Who may do a review: reviewers and seniors that may see its property and did not submit its answer, by name."""
    people = User.objects.filter(is_active=True, groups__name__in=("reviewer", "senior"))
    people = people.exclude(submitted_answers=review.answer_id)
    if review.property_id:
        groups = Q(property_groups__properties=review.property_id) | Q(property_groups__all_properties=True)
        if review.property.groups.exists():  # type: ignore[union-attr]  # it has a property
            people = people.filter(groups | Q(is_superuser=True))
    return sorted(people.distinct(), key=lambda person: name_of(person).casefold())


def unexamined(review: HallucinationReview, user: User) -> int:
    """How many claims need no decision and have none: those that one key marks as checked."""
    given = review.pass_of(user)
    if given is None or given.blind:
        return 0
    return (
        review.claims_in(given).filter(flagged=False).exclude(pk__in=given.decided().values("claim")).count()
    )


@dataclass(frozen=True, slots=True)
class LaterRuns:
    """Runs of the answer after the one that a review judges: the last ``finished`` one, 0 without any, and
    whether one is under way."""

    finished: int = 0
    checking: bool = False


def revision(review: HallucinationReview) -> str:
    """A word that changes whenever something changes that a page of ``review`` shows."""
    return _revision(review, later_runs(review))


def _revision(review: HallucinationReview, later: LaterRuns) -> str:
    holder = review.holder
    parts = (
        review.version,
        review.state,
        holder.pk if holder else 0,
        review.assignee_id or 0,
        later.finished,
    )
    return ".".join(map(str, parts))


def later_runs(review: HallucinationReview) -> LaterRuns:
    """What became of the answer's checks since the run that ``review`` judges; one query."""
    runs = DetectionRun.objects.filter(answer_id=review.answer_id, pk__gt=review.run_id).exclude(
        purpose="shadow"
    )
    rows = list(runs.values_list("pk", "finished_at", "failed_reason"))
    finished = max((pk for pk, finished_at, _failed in rows if finished_at), default=0)
    return LaterRuns(finished, any(not finished_at and not failed for _pk, finished_at, failed in rows))


def last_seen(review: HallucinationReview) -> int:
    """The number of the last event of ``review``."""
    return ReviewEvent.objects.filter(subject=review).aggregate(last=Max("seq"))["last"] or 0


def happened(review: HallucinationReview, seen: int, user: User) -> list[Happened]:
    """What was done to ``review`` after event number ``seen``, the newest first; whoever judges it blind is not told
    the verdicts of others."""
    events = ReviewEvent.objects.filter(subject=review, seq__gt=seen).select_related("actor")
    blind = judges_blind(review, review.pass_of(user))
    return [_told(event, blind=blind) for event in events.order_by("-seq")[:20]]


def _told(event: ReviewEvent, *, blind: bool) -> Happened:
    who = name_of(event.actor) if event.actor else _("The system")
    after: Mapping[str, Any] = event.after
    claim = after.get("claim")
    if event.action == "decided" and claim is not None and not blind:
        verdict = str(wording.WORDS.get(after.get("verdict", ""), after.get("verdict", "")))
        words = {"who": who, "n": claim + 1, "verdict": verdict}
        text = _("%(who)s gave a verdict on claim %(n)s: %(verdict)s.") % words
    else:
        outcome = str(wording.WORDS.get(after.get("outcome", ""), ""))
        sentence = CHANGES.get(event.action, gettext_lazy("%(who)s changed this review."))
        text = str(sentence) % {"who": who, "outcome": outcome}
    return Happened(text, event.created_at, event.actor_id, claim)


def clashes(changes: Sequence[Happened], user: User, claim: Claim | None) -> bool:
    """Whether somebody else said something of ``claim`` meanwhile; then nobody's word goes over the other's.

    Without a claim the action concerns the whole review, and any change by somebody else clashes.
    """
    others = [change for change in changes if change.actor != user.pk]
    return any(claim is None or change.claim == claim.index for change in others)
