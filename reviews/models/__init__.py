"""The rows of reviews: the review, who works on it, what they say, its history, and what was answered."""

from reviews.models.audits import AuditDraw
from reviews.models.blocks import MeasuredBlock
from reviews.models.errors import Conflict, KeyReused, NotAllowed, ReviewError, Undecided, name_of
from reviews.models.events import ReviewEvent
from reviews.models.idempotency import IdempotencyRecord
from reviews.models.leases import Lease
from reviews.models.opening import open_audit, open_review, send_to_review
from reviews.models.passes import ReviewPass
from reviews.models.preferences import Preferences
from reviews.models.review import HallucinationReview
from reviews.models.skips import SKIP_REASONS, Skip
from reviews.models.superseding import adopt_run, newer_run, replacement_of
from reviews.models.undoing import Undoable, Undone, undo_step, undoable
from reviews.models.verdicts import ClaimVerdict

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
    "adopt_run",
    "name_of",
    "newer_run",
    "open_audit",
    "open_review",
    "replacement_of",
    "send_to_review",
    "undo_step",
    "undoable",
]
