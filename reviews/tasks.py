"""The workers' tasks. A run goes through its lanes one after the other; each step does what is pending.

``screen`` (queue ``fast``) measures with the fast detectors, ``verify`` (queue ``verify``) with the slow
ones; whichever finds that no report is missing concludes the run. So a run whose worker died at any point,
between the last report and the conclusion too, goes on with its next message.
"""

import logging
from collections.abc import Collection
from typing import Any

from celery import Task, shared_task
from django.conf import settings

from detection import logs, runs
from detection.models import DetectionRun
from detection.models.runs import FAST, SLOW, StaleLease
from reviews.lifecycle import intake, publishing, strict

logger = logging.getLogger(__name__)


@shared_task(name="reviews.screen", bind=True)
def screen(self: "Task[Any, Any]", run_id: int) -> None:
    """Read a run's claims and measure them with the fast detectors: milliseconds."""
    with logs.working_for(_request(self)):
        step(run_id, FAST)


@shared_task(name="reviews.verify", bind=True)
def verify(self: "Task[Any, Any]", run_id: int) -> None:
    """Measure a run's claims with the slow detectors: as long as the verifier takes."""
    with logs.working_for(_request(self)):
        step(run_id, SLOW)


@shared_task(name="reviews.answer_strictly", bind=True)
def answer_strictly(self: "Task[Any, Any]", pk: str) -> None:
    """Write and check a pending strict answer: as long as its model takes."""
    with logs.working_for(_request(self)):
        strict.work(pk)


def _request(task: "Task[Any, Any]") -> str:
    return str(task.request.get(publishing.REQUEST) or "")


def step(run_id: int, lane: Collection[str]) -> None:
    """Do for a run what is pending in ``lane``; nothing when it is held, waiting, finished or unknown."""
    run = DetectionRun.take(run_id, seconds=settings.RUN_LEASE_SECONDS, limit=settings.RUN_ATTEMPTS)
    if run is None:
        return
    try:
        runs.read(run)
        _screen(run, lane)
    except StaleLease as stale:
        logger.warning("stale_attempt %s", stale)
    except Exception:
        run.release(progressed=False)
        raise


def _screen(run: DetectionRun, lane: Collection[str]) -> None:
    """Run what is pending in this lane, then conclude the run or hand it to the other lane."""
    missing = run.missing()
    prepared = runs.screen(run, lane, lease_seconds=settings.RUN_LEASE_SECONDS)
    if prepared:
        intake.conclude(run, prepared)
        return
    left = run.missing()
    run.release(progressed=len(left) < len(missing))
    # What is still this lane's was rate-limited: the sweep publishes it, once its time has come.
    if not set(left) & set(lane):
        publishing.publish(run)
