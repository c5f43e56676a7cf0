"""How a review opens: by a run, by a person, by a later draw (transition T1)."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from detection.models import Answer, DetectionRun, OwedVerification
from reviews.chances import chance
from reviews.models.errors import NotAllowed
from reviews.models.events import ReviewEvent
from reviews.models.guards import require_reviewer
from reviews.models.queue_columns import LIVE
from reviews.models.review import HallucinationReview
from reviews.models.states import AUDITS, DUE_IN, Priority, SelectionReason, VoidCause
from reviews.models.superseding import carry_from, columns_of, scores_of


@transaction.atomic(savepoint=False)
def open_review(
    run: DetectionRun, *, audit: tuple[SelectionReason, float] | None = None
) -> HallucinationReview | None:
    """T1: open the review that a finished run asks for (``run.needs_review``), or the ``audit`` it was drawn
    for (reason and probability), and end the live reviews of the answers that this one supersedes.

    None when the run asks for none, is a shadow run, its answer is superseded, or a review of this
    run has ended already. A live review of the same answer is returned: it keeps the run it judges, the
    newer run is offered beside it, and if it was snoozed until new evidence it wakes. One that nobody has touched, of a run whose
    verification was owed, is withdrawn when ``run`` pays it and asks for none.
    """
    if run.purpose == DetectionRun.Purpose.SHADOW:
        return None
    answer = _locked(run.answer_id)
    if older := _older(answer):
        for review in HallucinationReview.objects.filter(LIVE, answer__in=older).order_by("pk"):
            review.void(VoidCause.SUPERSEDED, replacement=answer)
    there = list(HallucinationReview.objects.filter(answer=answer))
    live = next((one for one in there if one.is_live and one.selection_reason != SelectionReason.GOLD), None)
    if live and _is_unwarranted(live, run) and live.withdraw_untouched():
        live = None
    if live and live.awaits_evidence_since and run.pk > live.run_id:
        live.wake(None, "new_detection")
    ended = any(one.run_id == run.pk and not one.is_live for one in there)
    if live or ended or not (run.needs_review or audit) or answer.is_superseded or answer.erasure_id:
        return live
    selection, probability = audit or (SelectionReason.FLAGGED, 1.0)
    return _open(answer, run, selection, probability=probability)


def _is_unwarranted(review: HallucinationReview, run: DetectionRun) -> bool:
    """Whether a review was opened for a run whose verification was owed, and ``run`` verified it and asks for
    none. What the detectors flagged with their verifier at hand stays, as does what a person or a draw put there."""
    if run.needs_review or review.selection_reason != SelectionReason.FLAGGED:
        return False
    owed = OwedVerification.objects.filter(answer=review.answer_id)
    return owed.filter(run=review.run_id).exists() and not owed.filter(run=run).exists()


@transaction.atomic
def send_to_review(answer: Answer, run: DetectionRun, user: User, reason: str) -> HallucinationReview:
    """T1 by hand: put an answer into the queue, with a reason; a live review is returned as it is.

    Raises :class:`NotAllowed` without the reviewer role or a reason, for a superseded answer and for a
    run that is not finished or judges another answer.
    """
    require_reviewer(user)
    answer = _locked(answer.pk)
    if not reason.strip():
        raise NotAllowed(gettext("Say why this answer needs a review."))
    if run.answer_id != answer.pk or run.finished_at is None:
        raise NotAllowed(gettext("This answer has no finished run yet. Wait for it, then send the answer."))
    if answer.is_superseded:
        raise NotAllowed(gettext("A newer answer replaced this one. Send the newer one."))
    if answer.erasure_id:
        raise NotAllowed(gettext("This answer was erased. There is nothing left to review."))
    live = HallucinationReview.live_of(answer)
    return live or _open(answer, run, SelectionReason.MANUAL, actor=user, reason=reason)


@transaction.atomic
def open_audit(run: DetectionRun, probability: float) -> bool:
    """T1 by a later draw: open the audit of an unflagged run, drawn with ``probability``. False when its answer
    has been superseded or reviewed meanwhile. Who drew stands with the draw: the history of a review that is
    judged blind would tell by it what it is."""
    answer = _locked(run.answer_id)
    if answer.is_superseded or answer.erasure_id or answer.reviews.exists():
        return False
    _open(answer, run, SelectionReason.AUDIT_BOUNDARY, probability=probability)
    return True


def _locked(answer: Any) -> Answer:
    """The answer with this id, locked, so that two openings see each other."""
    return Answer.objects.select_for_update().select_related("query").get(pk=answer)


def _open(
    answer: Answer,
    run: DetectionRun,
    selection: SelectionReason,
    *,
    probability: float | None = None,
    actor: User | None = None,
    reason: str = "",
) -> HallucinationReview:
    columns, now = columns_of(run) | _lane(answer, selection), timezone.now()
    review = HallucinationReview.objects.create(
        answer=answer,
        **columns,
        user=answer.query.user,
        property=answer.property,
        period=answer.period,
        created_at=now,
        due_at=now + DUE_IN[columns["priority"]],
        selection_reason=selection,
        selection_probability=probability,
        original_confidence=answer.original_confidence,
    )
    opened = {"selection_reason": selection.value, "selection_probability": probability, **scores_of(run)}
    ReviewEvent.begin(review, "opened", actor=actor, profile=run.profile, after=opened, reason=reason)
    if older := _older(answer):
        carry_from(review, older)
    return review


def _lane(answer: Answer, selection: SelectionReason) -> dict[str, Any]:
    """Whether a review is judged blind, and where an audit waits: audits always are, and a share of what is flagged,
    so that neither tells itself from the other. Most audits wait among the least urgent, a few above them, or whatever
    is blind and urgent would be known to be flagged."""
    if selection in AUDITS:
        place = chance(answer, "priority")
        priority = Priority.HIGH if place < 0.05 else Priority.MEDIUM if place < 0.2 else Priority.LOW
        return {"blind": True, "priority": priority}
    mixed_in = selection == SelectionReason.FLAGGED and chance(answer, "blind") < settings.HALLU_BLIND_SHARE
    return {"blind": mixed_in}


def _older(answer: Answer) -> list[Any]:
    """The ids of all answers that ``answer`` supersedes, the newest first."""
    older, versions = answer.supersedes_id, []
    while older:
        versions.append(older)
        older = Answer.objects.values_list("supersedes_id", flat=True).get(pk=older)
    return versions
