"""The Result of a stored answer: what its latest run found, and what a person made of it."""

from typing import Any

from django.db.models import QuerySet

from detection import runs
from detection.models import Answer, DetectionRun
from reviews.models import HallucinationReview
from reviews.rights import hidden_answers


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
        return {**named, "verdict": None, "claims": [], "review": review_of(answer)}
    body = run.result if run.finished_at else _partial(run)
    failed = {"failed_reason": run.failed_reason} if run.failed_reason else {}
    return {**named, **(body or {}), **failed, "review": review_of(answer)}


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
