"""The rows of reviews: the review, who works on it, what they say, its history, and what was answered."""

from reviews.models.errors import Conflict, KeyReused, NotAllowed, ReviewError, Undecided, name_of
from reviews.models.events import ReviewEvent
from reviews.models.idempotency import IdempotencyRecord
from reviews.models.passes import ClaimVerdict, Lease, ReviewPass
from reviews.models.review import HallucinationReview

__all__ = [
    "ClaimVerdict",
    "Conflict",
    "HallucinationReview",
    "IdempotencyRecord",
    "KeyReused",
    "Lease",
    "NotAllowed",
    "ReviewError",
    "ReviewEvent",
    "ReviewPass",
    "Undecided",
    "name_of",
]
