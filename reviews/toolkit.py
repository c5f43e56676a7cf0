"""The numeric detector of the documents with its review queue (NUM-11)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from detection import runs
from detection.models import DetectionRun, FinancialPeriod, Property
from detection.runs import mapping_of, source_of
from detection.toolkit import Detector
from reviews.lifecycle import intake
from reviews.models import HallucinationReview

LEASE_SECONDS = 60


class HallucinationDetector(Detector):
    """``detect_hallucinations``, ``adjust_confidence`` and ``flag_for_review`` in one place."""

    def flag_for_review(
        self,
        nlq_query_id: int | str,
        user_id: int | None,
        answer: str,
        original_confidence: float,
        detection_result: Mapping[str, Any],
        property_id: int | None = None,
        period_id: int | None = None,
        sources: Sequence[Mapping[str, Any]] = (),
    ) -> HallucinationReview | None:
        """Open a review for an answer with unverified numbers, tied to query, user, property and period.

        The answer is stored and judged again with ``sources``, those that it was detected with, so that the
        review has its evidence. Returns None when ``detection_result`` has nothing to flag, and when the
        active profile opens no review for it (``review_queue_enabled``, ``auto_flag_unverified``).
        """
        if not detection_result.get("has_hallucinations"):
            return None
        submission = intake.Submission(
            answer=answer,
            external_id=str(nlq_query_id),
            original_confidence=original_confidence,
            property=Property.objects.filter(pk=property_id).first() if property_id else None,
            period=FinancialPeriod.objects.filter(pk=period_id).first() if period_id else None,
            detectors=["numeric"],
            sources=[as_submitted(source) for source in sources],
        )
        with transaction.atomic():
            run = intake.submit(submission)
            run.answer.query.user = User.objects.filter(pk=user_id).first() if user_id else None
            run.answer.query.save(update_fields=["user"])
            # Held before any worker can hear of it, so that the review is there when this returns.
            held = DetectionRun.take(run.pk, seconds=LEASE_SECONDS, limit=1)
        _finish(held)
        return HallucinationReview.objects.filter(answer=run.answer).first()


def screen_now(run: DetectionRun) -> None:
    """Do a run's work in this process instead of waiting for a worker; harmless when one is faster."""
    _finish(DetectionRun.take(run.pk, seconds=LEASE_SECONDS, limit=5))
    run.refresh_from_db()


def _finish(taken: DetectionRun | None) -> None:
    if taken is None:
        return
    runs.read(taken)
    intake.conclude(taken, runs.screen(taken))


def as_submitted(given: Mapping[str, Any]) -> dict[str, Any]:
    """A source of the Python face (``chunk_id`` / ``chunk_text`` allowed) as a submission has it."""
    return mapping_of(source_of(given))
