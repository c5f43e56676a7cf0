"""The Result of a stored answer: what its latest run found, and what a person made of it."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from detection import runs
from detection.models import Answer, DetectionRun
from detection.runs import Effective
from reviews.models import HallucinationReview, name_of
from reviews.rights import hidden_answers

STATUSES = {True: "hallucination_detected", False: "success", None: None}
"""The status of an answer by whether a person found something wrong in it."""


def live_runs() -> QuerySet[DetectionRun]:
    """The runs that speak for their answers, newest first; shadow runs do not."""
    return DetectionRun.objects.exclude(purpose=DetectionRun.Purpose.SHADOW).order_by("-id")


def result_of(answer: Answer, reader: Any = None) -> dict[str, Any]:
    """The Result as delivered; before the run has finished, what is there of it and no verdict. A ``reader`` (the
    person a key acts for) who may have to judge it blind gets neither verdict nor claims until it is resolved.

    A verdict over half of the checks would look like a clear answer, so there is none until all reports are in.
    """
    run = live_runs().select_related("profile").filter(answer=answer).first()
    if run is None:
        raise DetectionRun.DoesNotExist(f"answer {answer.pk} has no run")
    named = {"id": str(answer.pk), "external_id": answer.query.external_id, "status": run.state}
    if hidden_answers(reader, [answer.pk]):
        return {**named, "verdict": None, "effective": None, "claims": [], "review": review_of(answer)}
    body = run.result if run.finished_at else _partial(run)
    failed = {"failed_reason": run.failed_reason} if run.failed_reason else {}
    counts = effective_of([answer.pk]).get(answer.pk)
    told = {"effective": counts.shown() if counts else None, "review": review_of(answer)}
    return {**named, **(body or {}), **failed, **told}


def _partial(run: DetectionRun) -> dict[str, Any]:
    loaded = runs.load(run)
    return {**runs.render(run, loaded.case, runs.decide(run, loaded)), "verdict": None}


def review_of(answer: Answer) -> dict[str, Any] | None:
    """The answer's latest review, None when none was opened."""
    reviews = HallucinationReview.objects.filter(answer=answer)
    review = (
        reviews.exclude(selection_reason=HallucinationReview.SelectionReason.GOLD).order_by("-id").first()
    )
    return review_section(review) if review else None


def review_section(review: HallucinationReview) -> dict[str, Any]:
    """Id and status; once resolved, the decision."""
    shown: dict[str, Any] = {"id": review.pk, "status": review.state}
    if review.resolved_at:
        shown |= {
            "outcome": review.outcome,
            "final_confidence": review.final_confidence,
            "corrected_answer": review.corrected_answer or None,
            "resolved_at": review.resolved_at.isoformat(),
        }
    return shown


def effective_of(answers: Collection[UUID], reader: Any = None) -> dict[UUID, Effective]:
    """The verdict that counts now of each of ``answers``, in four queries whatever their number; nothing for those that
    are not judged yet, and for those of which ``reader`` (as of :func:`result_of`) may not be told.

    A newer answer comes first, then what a person said, then the detectors.
    """
    counts = _by_machine(answers) | _by_person(answers) | _by_supersession(answers)
    hidden = hidden_answers(reader, answers)
    return {answer: one for answer, one in counts.items() if answer not in hidden}


def _by_machine(answers: Iterable[UUID]) -> dict[UUID, Effective]:
    """Those whose latest run has finished."""
    latest = {run.answer_id: run for run in live_runs().defer("result").filter(answer__in=answers).reverse()}
    return {
        answer: runs.by_machine(run, run.finished_at) for answer, run in latest.items() if run.finished_at
    }


def _by_person(answers: Iterable[UUID]) -> dict[UUID, Effective]:
    """Those whose newest review is resolved: live, opened again or anew, it says that this is in doubt. One that was
    withdrawn says nothing, nor does gold."""
    reviews = HallucinationReview.objects.filter(answer__in=answers).exclude(
        state=HallucinationReview.State.VOID
    )
    real = reviews.exclude(selection_reason=HallucinationReview.SelectionReason.GOLD)
    rows = real.select_related("resolved_by").defer("corrected_answer").order_by("id")
    newest = {review.answer_id: review for review in rows}
    return {answer: _said(review) for answer, review in newest.items() if review.resolved_at}


def _said(review: HallucinationReview) -> Effective:
    wrong = HallucinationReview.Outcome(review.outcome).found_wrong
    return Effective(
        by="person",
        who=name_of(review.resolved_by),
        at=review.resolved_at,
        has_hallucinations=wrong,
        answer_status=STATUSES[wrong],
        outcome=review.outcome,
    )


def _by_supersession(answers: Iterable[UUID]) -> dict[UUID, Effective]:
    """Those to whose query there is a newer answer."""
    newer = Answer.objects.filter(supersedes__in=answers).values_list("supersedes", "pk", "created_at")
    return {older: Effective(by="supersession", at=at, superseded_by=pk) for older, pk, at in newer}
