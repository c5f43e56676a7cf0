"""How statuses, verdicts, priorities and times are shown: a tone (colour and underline), an icon, a word."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from reviews.models import ClaimVerdict, HallucinationReview


@dataclass(frozen=True, slots=True)
class Shown:
    """``tone`` names the colour and the underline style; colour is never alone (WCAG 1.4.1)."""

    tone: str
    icon: str
    word: str


STATUSES = {
    "supported": Shown("ok", "✓", "supported"),
    "contradicted": Shown("bad", "≠", "contradicted"),
    "unsupported": Shown("warn", "?", "not supported"),
    "unverified": Shown("idle", "…", "not verified"),
    "not_checked": Shown("idle", "…", "not checked"),
}
FINDINGS = {
    "overload": Shown("idle", "…", "skipped under load"),
    "inexact": Shown("near", "≈", "within tolerance"),
    "borderline": Shown("near", "≈", "borderline"),
    "miscited": Shown("warn", "?", "miscited"),
    "not_found": Shown("warn", "?", "not found"),
    "off_period": Shown("bad", "≠", "wrong period"),
    "off_metric": Shown("bad", "≠", "wrong metric"),
    "off_property": Shown("bad", "≠", "wrong property"),
    "transposed": Shown("bad", "≠", "digits swapped"),
    "scale": Shown("bad", "≠", "wrong scale"),
    "sign": Shown("bad", "≠", "wrong sign"),
}
SLIP_REASONS = {
    "transposed": "wrong_value",
    "scale": "wrong_unit_or_scale",
    "sign": "wrong_value",
    "period": "wrong_period",
    "property": "wrong_entity",
    "metric": "wrong_metric",
}
"""The reason code that a recognised slip suggests."""

HIDDEN = Shown("plain", "·", "your judgement")
PRIORITIES = {
    HallucinationReview.Priority.HIGH: Shown("bad", "", "High"),
    HallucinationReview.Priority.MEDIUM: Shown("warn", "", "Medium"),
    HallucinationReview.Priority.LOW: Shown("", "", "Low"),
}
RISKS = {
    "high": Shown("bad", "", "High"),
    "moderate": Shown("warn", "", "Moderate"),
    "low": Shown("ok", "", "Low"),
}
LETTERS = "VPEMURSIWFBXDO"
REASONS = [
    (code, label, letter) for (code, label), letter in zip(ClaimVerdict.Reason.choices, LETTERS, strict=True)
]
"""Reason codes with the letter that picks each while an inline row is open (review-queue §3.3)."""

DONE = {
    "opened": "Opened",
    "taken": "Taken",
    "released": "Released",
    "force_released": "Released for somebody else",
    "lease_expired": "Given back: the time ran out",
    "decided": "Verdict",
    "resolved": "Resolved",
    "reopened": "Reopened",
    "voided": "Withdrawn",
}


WORDS: dict[str, str] = {
    **dict(ClaimVerdict.Reason.choices),
    **dict(ClaimVerdict.Verdict.choices),
    **dict(HallucinationReview.Outcome.choices),
    **dict(HallucinationReview.State.choices),
    **dict(HallucinationReview.SelectionReason.choices),
}
"""Stored codes as people read them."""


def shown(status: str, finding: str) -> Shown:
    """How a claim's status and finding look."""
    return FINDINGS.get(finding) or STATUSES.get(status, STATUSES["not_checked"])


def confidence(value: float | None) -> str:
    """A confidence with two digits; empty when none was stated."""
    return "" if value is None else f"{value:.2f}"


def age(then: datetime, now: datetime) -> str:
    """How long ago, in one unit: ``5 min``, ``3 h``, ``2 d``."""
    return span(now - then)


def span(time: timedelta) -> str:
    """A length of time in one unit."""
    minutes = int(abs(time.total_seconds()) // 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // 1440} d"


def due(at: datetime, now: datetime) -> Shown:
    """The due chip: amber from two hours before, red after."""
    left = at - now
    if left < timedelta(0):
        return Shown("bad", "", f"overdue {span(left)}")
    return Shown("warn" if left < timedelta(hours=2) else "", "", f"due in {span(left)}")
