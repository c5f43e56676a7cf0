"""Which versions of an answer a review page speaks of: the newer one, and the one its suggestions come from (F25)."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from detection.models import Answer
from reviews.models import ClaimVerdict, HallucinationReview


@dataclass(frozen=True, slots=True)
class Versions:
    """The answer that replaced this one and its review, once it has one; the review that ``suggestions`` were
    carried from, None when that is this one on an earlier check."""

    newer_answer: UUID | None = None
    newer_review: int | None = None
    older_review: int | None = None
    suggestions: int = 0


def versions(review: HallucinationReview, carried: Mapping[int, ClaimVerdict]) -> Versions:
    """How ``review`` and its suggestions ``carried`` stand to other versions. One query more where a newer answer exists, none for the older one."""
    newer = Answer.objects.filter(supersedes=review.answer_id).values_list("pk", flat=True).first()
    replacement = review.replacement if newer else None
    sources = (verdict.carried_from for verdict in carried.values() if verdict.carried_from)
    older = next((given.review_pass.review_id for given in sources), None)
    return Versions(
        newer_answer=newer,
        newer_review=replacement.pk if replacement else None,
        older_review=older if older != review.pk else None,
        suggestions=len(carried),
    )
