"""The workers' tasks. A run goes through its lanes one after the other; each step does what is pending.

``screen`` (queue ``fast``) measures with the fast detectors, ``verify`` (queue ``verify``) with those that may wait for an
endpoint, ``judge_large`` (queue ``large``) with all of them what would hold those two up; whichever finds that no report is missing
concludes the run. So a run whose worker died at any point,
between the last report and the conclusion too, goes on with its next message.
"""

import logging
import time
from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.utils import timezone

from detection import logs, runs, spans
from detection.core.context import Context
from detection.models import DetectionRun
from detection.models.runs import FAST, SLOW, StaleLease
from detection.operations import leases, verifying
from detection.operations.cpu_time import OutOfTime
from detection.runs import screening
from reviews.demo import history
from reviews.lifecycle import detecting, intake, publishing, strict

logger = logging.getLogger(__name__)
EVERY = (*FAST, *SLOW)


@shared_task(name="reviews.screen", bind=True)
def screen(self: "Task[Any, Any]", run_id: int) -> None:
    """Read a run's claims and measure them with the fast detectors, or with all where none may wait for an endpoint:
    milliseconds."""
    with logs.working_for(_request(self)):
        step(run_id, FAST if verifying.asks_a_network(SLOW) else EVERY)


@shared_task(name="reviews.verify", bind=True)
def verify(self: "Task[Any, Any]", run_id: int) -> None:
    """Measure a run's claims with the slow detectors: as long as the verifier takes."""
    with logs.working_for(_request(self)):
        step(run_id, SLOW)


@shared_task(name="reviews.judge_large", bind=True)
def judge_large(self: "Task[Any, Any]", run_id: int) -> None:
    """Judge a large answer with every detector: minutes, in parts."""
    with logs.working_for(_request(self)):
        step(run_id, EVERY, large=True)


@shared_task(name="reviews.answer_strictly", bind=True)
def answer_strictly(self: "Task[Any, Any]", pk: str) -> None:
    """Write and check a pending strict answer: as long as its model takes."""
    noted = {"hallu.strict_answer": pk}
    with logs.working_for(_request(self)), spans.span("answer strictly", noted, parent="", kind="consumer"):
        strict.work(pk)


@shared_task(name="reviews.detect", bind=True)
def detect(self: "Task[Any, Any]", pk: str) -> None:
    """Judge what a caller waits for, if they still do."""
    with logs.working_for(_request(self)):
        detecting.work(pk)


@shared_task(name="reviews.settle_demo")
def settle_demo(_name: str) -> None:
    """Judge and settle one answer of the demo's history, then let the next worker go on with it."""
    if history.settle_next():
        publishing.publish_history()


def _request(task: "Task[Any, Any]") -> str:
    return str(task.request.get(publishing.REQUEST) or "")


def step(run_id: int, detectors: Collection[str], *, large: bool = False) -> None:
    """Do for a run what is pending of ``detectors``; nothing when it is held, waiting, finished or unknown. In the lane of ``large``
    answers it may take minutes."""
    run = DetectionRun.take(run_id, seconds=settings.RUN_LEASE_SECONDS, limit=settings.RUN_ATTEMPTS)
    if run is None:
        return
    with _span(run, detectors) as span:
        _attempt(run, detectors, large=large)
        span.note({"hallu.finished": run.finished_at is not None})


def _span(run: DetectionRun, detectors: Collection[str]) -> AbstractContextManager[spans.Span]:
    """What a worker does for a run is part of the trace that asked for it."""
    name = publishing.lane(detectors, large=run.large)
    noted: spans.Noted = {
        "hallu.answer": str(run.answer_id),
        "hallu.run": run.pk,
        "hallu.lane": name,
        "hallu.purpose": run.purpose,
        "hallu.attempt": run.attempts,
    }
    return spans.span(f"judge {name}", noted, parent=run.traceparent, kind="consumer")


def _attempt(run: DetectionRun, detectors: Collection[str], *, large: bool) -> None:
    """One attempt, under a lease that is kept; what fails is given back."""
    try:
        with leases.kept(run, seconds=settings.RUN_LEASE_SECONDS):
            _work(run, detectors, large=large)
    except StaleLease as stale:
        logger.warning("stale_attempt %s", stale)
    except Exception:
        if DetectionRun.objects.filter(pk=run.pk, erasure__isnull=False).exists():
            logger.warning("erased_attempt %s", run)  # there was nothing left to read
            return
        run.release(progressed=False)
        raise


def _work(run: DetectionRun, detectors: Collection[str], *, large: bool) -> None:
    """Read a run's claims, then what is pending of ``detectors``; a large answer found in another lane goes to its own."""
    if run.large and not large:
        _hand_on(run, progressed=False)
        return
    begun = time.thread_time()
    try:
        context = runs.read(run)
    except OutOfTime:
        _too_long(run)
        return
    if context and time.thread_time() - begun > screening.PART_SECONDS:
        _hand_on(run, progressed=True)
    else:
        _screen(run, detectors, context)


def _too_long(run: DetectionRun) -> None:
    """What takes longer to read than an answer of its size does goes to the lane of large ones; there it is too much."""
    if run.large:
        run.fail(f"too_long: more than {runs.seconds_for(large=True):g} s to read its claims")
    else:
        run.enlarge()
        _hand_on(run, progressed=True)


def _screen(run: DetectionRun, detectors: Collection[str], context: Context | None) -> None:
    """Run what is pending of ``detectors``, then conclude the run or hand it on: to the other lane, or what there was no time
    for to the next message."""
    missing, was_large = run.missing(), run.large
    prepared = runs.screen(
        run, detectors, context=context, lacking=missing, lease_seconds=settings.RUN_LEASE_SECONDS
    )
    if prepared:
        intake.conclude(run, prepared)
        return
    left = run.missing()
    _hand_on(run, progressed=len(left) < len(missing) or run.large != was_large)


def _hand_on(run: DetectionRun, *, progressed: bool) -> None:
    """Give a run back and let the next worker know, unless one has it already."""
    run.release(progressed=progressed)
    if DetectionRun.pending(timezone.now()).filter(pk=run.pk).exists():
        publishing.publish(run)
