"""What people wrote about answers, erased with them: corrections, notes, and what histories tell. Who decided what and
when stays."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Case, Q, Value, When

from detection.models import DetectionRun, Erasure
from reviews.models.blocks import SIZE, MeasuredBlock
from reviews.models.events import ReviewEvent
from reviews.models.idempotency import IdempotencyRecord
from reviews.models.queue_columns import LIVE
from reviews.models.review import HallucinationReview
from reviews.models.states import ENDED, VoidCause
from reviews.models.verdicts import ClaimVerdict

GONE = "[…]"
"""What stands where a correction was: there is none without a value."""
WORDLESS = ("taken", "lease_expired", "woken", "skipped", "requeued", "carried", "undone")
"""Events that tell codes and numbers alone: nobody's words, and what dashboards count by."""


def empty_reviews(answers: Collection[UUID], order: Erasure) -> int:
    """Take the words out of all reviews of ``answers``; whichever is live ends without a decision. Returns how many bodies
    of their histories went. Inside the transaction that erases the answers."""
    reviews = HallucinationReview.objects.filter(answer__in=answers).order_by("pk")
    for review in reviews.filter(LIVE):
        review.void(VoidCause.ERASED)
    reviews.update(corrected_answer="", user=None)
    corrected = When(~Q(corrected_value=""), then=Value(GONE))
    given = ClaimVerdict.objects.filter(review_pass__review__answer__in=answers)
    given.exclude(note="", corrected_value="").update(
        note="", corrected_value=Case(corrected, default=Value(""))
    )
    IdempotencyRecord.objects.filter(answer__in=answers).delete()
    _forget_blocks(answers)
    return erase_histories(list(reviews.values_list("pk", flat=True)), order)


def erase_histories(reviews: Collection[int], order: Erasure) -> int:
    """Erase what the histories of these reviews tell in words; how each stands is told once more."""
    rows = HallucinationReview.objects.filter(pk__in=reviews)
    standing = {review.pk: _standing(review) for review in rows}
    told = {pk: stands | {"erasure": order.pk} for pk, stands in standing.items()}
    return ReviewEvent.erase_bodies(told, actor=order.ordered_by, kept=WORDLESS)


def _standing(review: HallucinationReview) -> dict[str, Any]:
    return {
        "state": review.state if review.state in ENDED else "live",
        "outcome": review.outcome,
        "final_confidence": review.final_confidence,
        "corrected_answer": review.corrected_answer,
        "resolved_by": review.resolved_by_id,
        "void_cause": review.void_cause,
    }


def _forget_blocks(answers: Collection[UUID]) -> None:
    """What was packed of their runs is packed anew without them."""
    runs = DetectionRun.objects.filter(answer__in=answers).values_list("pk", flat=True)
    MeasuredBlock.objects.filter(first__in={pk - pk % SIZE for pk in runs}).delete()
