"""The states a review can be in, how it ends, why it is there, how urgent it is, and what is against its answer."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class State(models.TextChoices):
    """Where a review stands. Open to adjudication are live; resolved and void are ends."""

    OPEN = "open", _("Open")
    IN_REVIEW = "in_review", _("In review")
    SECOND_REVIEW = "second_review", _("Second review")
    ADJUDICATION = "adjudication", _("Adjudication")
    RESOLVED = "resolved", _("Resolved")
    SNOOZED = "snoozed", _("Snoozed")
    VOID = "void", _("Void")


class Outcome(models.TextChoices):
    """How a review ended."""

    APPROVED = "approved", _("Approved")
    CORRECTED = "corrected", _("Corrected")
    REJECTED = "rejected", _("Rejected")
    NO_DECISION = "no_decision", _("No decision")

    @property
    def found_wrong(self) -> bool | None:
        """Whether something is wrong in the answer as it was delivered: not in an approved one, in a corrected or
        rejected one; None where the person could not decide."""
        return {self.APPROVED: False, self.NO_DECISION: None}.get(self, True)


class SelectionReason(models.TextChoices):
    """Why an answer is in the queue."""

    FLAGGED = "flagged", _("Flagged by the detectors")
    AUDIT_RANDOM = "audit_random", _("Random audit")
    AUDIT_BOUNDARY = "audit_boundary", _("Audit near a threshold")
    MANUAL = "manual", _("Sent by a person")
    AUDIT_SHADOW = "audit_shadow", _("Audit of a shadow profile")
    AUDIT_STRATUM = "audit_stratum", _("Audit of a stratum")
    GOLD = "gold", _("Gold")
    REOPENED = "reopened", _("Reopened")


class VoidCause(models.TextChoices):
    """Why a review ended without a decision."""

    SUPERSEDED = "superseded", _("A newer answer replaced it")
    DUPLICATE = "duplicate", _("Duplicate")
    WITHDRAWN = "withdrawn", _("Source withdrawn")
    VERIFIED = "verified", _("Verified since, and not flagged")
    ERASED = "erased", _("The answer was erased")


class Priority(models.IntegerChoices):
    """Smaller is more urgent, so that one ascending index is the order of the queue."""

    HIGH = 0, _("High")
    MEDIUM = 1, _("Medium")
    LOW = 2, _("Low")


class Against(models.TextChoices):
    """Conclusions against a claim, the gravest first: two by proof, the last by an opinion alone."""

    WRONG = "wrong", pgettext_lazy("conclusion", "Proved wrong")
    NOT_IN_EVIDENCE = "not_in_evidence", pgettext_lazy("conclusion", "Not in the evidence")
    DOUBTFUL = "doubtful", pgettext_lazy("conclusion", "Only doubted")

    @classmethod
    def gravest(cls, conclusions: Iterable[str]) -> str:
        """The gravest of ``conclusions``; empty where none of them is against its claim."""
        found = set(conclusions)
        return next((word.value for word in cls if word.value in found), "")


AUDITS = (
    SelectionReason.AUDIT_RANDOM,
    SelectionReason.AUDIT_BOUNDARY,
    SelectionReason.AUDIT_SHADOW,
    SelectionReason.AUDIT_STRATUM,
)
PROOF = (Against.WRONG, Against.NOT_IN_EVIDENCE)
"""What is against an answer by more than an opinion: it goes first among what is as urgent."""
STEPS = 4
"""Places in the order of the queue that a priority has: back from snooze, by proof, and neither; what is judged blind is
placed as if by an opinion, or its place would tell."""
BLIND = Q(blind=True) | Q(selection_reason__in=AUDITS)
"""The blind lane (F22): every audit, and what was mixed in."""
ENDED = (State.RESOLVED, State.VOID)

PRIORITY_OF_RISK = {"high": Priority.HIGH, "moderate": Priority.MEDIUM, "low": Priority.LOW}
DUE_IN = {
    Priority.HIGH: timedelta(hours=4),
    Priority.MEDIUM: timedelta(days=1),
    Priority.LOW: timedelta(days=3),
}
"""Time to a decision by priority; wall-clock hours."""
