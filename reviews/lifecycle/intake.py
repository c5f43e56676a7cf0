"""Answers in, verdicts out: the two transactions that own the life of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from detection import runs, spans
from detection.core import text
from detection.models import (
    Answer,
    ApiKey,
    DetectionRun,
    FinancialPeriod,
    OwedVerification,
    Property,
    Query,
    Source,
)
from reviews.lifecycle import publishing, sampling, shadows
from reviews.models import HallucinationReview, open_review

SETTLED = Exists(HallucinationReview.objects.filter(answer=OuterRef("answer"), resolved_at__isnull=False))
"""Of a run: whether a person has settled its answer."""


class Gone(Exception):
    """The answer was erased: nobody judges it any more."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A validated submission (contracts §2). ``sources`` are mappings with ``id``, ``text`` and the
    optional keys of a source."""

    answer: str = ""
    external_id: str | None = None
    question: str = ""
    asked_by: str = ""
    original_confidence: float | None = None
    language: str | None = None
    property: Property | None = None
    period: FinancialPeriod | None = None
    sources: Sequence[Mapping[str, Any]] = ()
    detectors: Sequence[str] | None = None
    iteration: int | None = None
    max_iterations: int | None = None
    question_type: str | None = None
    model: str = ""


def submit(submission: Submission, caller: ApiKey | None = None) -> DetectionRun:
    """Store an answer with its sources whose detection is pending; it is published on commit.

    A newer answer to a query the caller has asked before supersedes the older one.
    """
    with (
        spans.span("take in", {"hallu.sources": len(submission.sources)}) as span,
        transaction.atomic(savepoint=False),
    ):
        run = _stored(submission, caller)
        span.note({"hallu.answer": str(run.answer_id), "hallu.run": run.pk})
        return run


def _stored(submission: Submission, caller: ApiKey | None) -> DetectionRun:
    query, newest = _query(submission, caller)
    answer = Answer.objects.create(
        query=query,
        question=submission.question,
        property=submission.property,
        period=submission.period,
        text=submission.answer,
        language=submission.language or text.detect_language(submission.answer),
        direction=text.direction(submission.answer),
        original_confidence=submission.original_confidence,
        model=submission.model,
        question_type=submission.question_type or "",
        iteration=submission.iteration,
        max_iterations=submission.max_iterations,
        requested_detectors=submission.detectors,
        submitted_by=caller,
        submitted_for_id=caller.user_id if caller else None,
        supersedes=newest,
    )
    sources = [_source(answer, n, given) for n, given in enumerate(submission.sources)]
    Source.objects.bulk_create(sources, batch_size=500)
    return _owe(runs.start(answer, characters=sum(len(source.text) for source in sources)))


def _query(submission: Submission, caller: ApiKey | None) -> tuple[Query, Answer | None]:
    """The query, locked, so that two answers to it come one after the other, and the newest answer to it. It keeps who
    asked it first."""
    asked = {"asked_by": submission.asked_by}
    if submission.external_id is None or caller is None:
        return Query.objects.create(submitted_by=caller, external_id=submission.external_id, **asked), None
    query, is_new = Query.objects.select_for_update().get_or_create(
        submitted_by=caller, external_id=submission.external_id, defaults=asked
    )
    if is_new:
        return query, None
    if submission.asked_by:
        Query.objects.filter(pk=query.pk, asked_by="").update(**asked)
    return query, query.answers.filter(superseded_by=None).order_by("-created_at").first()


def _source(answer: Answer, position: int, given: Mapping[str, Any]) -> Source:
    return Source(
        answer=answer,
        position=position,
        ref=given["id"],
        parent_ref=given.get("parent_id"),
        text=given.get("text") or "",
        title=given.get("title") or "",
        score=given.get("score"),
        quality=given.get("quality"),
        metadata=given.get("metadata") or {},
    )


@transaction.atomic
def rescreen(answer: Answer) -> DetectionRun:
    """Judge an answer again under the active profile, which pays what it is owed; the unfinished run, if there is one, is
    enough. Raises :class:`Gone` for one that was erased."""
    if not Answer.with_words().select_for_update().filter(pk=answer.pk).exists():
        raise Gone(f"answer {answer.pk} was erased")
    unfinished = answer.runs.filter(finished_at=None, failed_reason="").exclude(purpose="shadow").first()
    if unfinished:
        return unfinished
    again = runs.start(answer, purpose=DetectionRun.Purpose.RESCREEN)
    OwedVerification.pay(answer, again)
    return _owe(again)


def renew(run: DetectionRun) -> DetectionRun | None:
    """Judge an answer anew that ``run`` judged, in the same trace; None when nothing waits for it any more."""
    with spans.span("judge again", {"hallu.run": run.pk}, parent=run.traceparent), transaction.atomic():
        return _renewed(run)


def _renewed(run: DetectionRun) -> DetectionRun | None:
    answer = Answer.objects.select_for_update().get(pk=run.answer_id)
    return rescreen(answer) if answer.erasure_id is None and _is_waited_for(run) else None


def _is_waited_for(run: DetectionRun) -> bool:
    """Whether no newer run is there, and its answer is :func:`undecided`."""
    return undecided(DetectionRun.newest().filter(pk=run.pk)).exists()


def undecided(judged: QuerySet[DetectionRun]) -> QuerySet[DetectionRun]:
    """Those runs whose answers no newer answer has replaced and no person has settled."""
    return judged.filter(~SETTLED, answer__superseded_by=None)


def _owe(run: DetectionRun) -> DetectionRun:
    publishing.publish(run, run.due)
    return run


def conclude(run: DetectionRun, prepared: runs.Prepared | None = None) -> bool:
    """Close a run and open its review, or the audit it was drawn for: both or neither. Without what was ``prepared`` it
    is decided by the reports that are stored.

    False when somebody else closed it. Deciding comes first: the transaction only writes.
    """
    prepared = prepared or runs.prepare(run)
    drawn = sampling.draw(run, prepared)
    if drawn:
        prepared = replace(prepared, columns=drawn.columns)
    shadowed = shadows.prepare(run)
    with transaction.atomic():
        won = runs.conclude(run, prepared)
        if won:
            open_review(run, audit=drawn.selection if drawn else None)
            shadows.keep(run, shadowed)
    return won
