"""The rows of reviews: the review, who works on it, what they say, its history, and what was answered."""

from reviews.models.audits import AuditDraw
from reviews.models.blocks import MeasuredBlock
from reviews.models.errors import Conflict, KeyReused, NotAllowed, ReviewError, Undecided, name_of
from reviews.models.events import ReviewEvent
from reviews.models.idempotency import IdempotencyRecord
from reviews.models.passes import ClaimVerdict, Lease, ReviewPass
from reviews.models.preferences import Preferences
from reviews.models.review import HallucinationReview
from reviews.models.skips import SKIP_REASONS, Skip
from reviews.models.undoing import Undoable, Undone

__all__ = [
    "SKIP_REASONS",
    "AuditDraw",
    "ClaimVerdict",
    "Conflict",
    "HallucinationReview",
    "IdempotencyRecord",
    "KeyReused",
    "Lease",
    "MeasuredBlock",
    "NotAllowed",
    "Preferences",
    "ReviewError",
    "ReviewEvent",
    "ReviewPass",
    "Skip",
    "Undecided",
    "Undoable",
    "Undone",
    "name_of",
]
