"""How statuses, verdicts, priorities and times are shown: a tone (colour and underline), an icon, a word."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from detection.core.verdict import concluded
from detection.models import Answer, DetectionRun
from detection.runs import Effective
from reviews.models import ClaimVerdict, HallucinationReview
from reviews.models.states import Against

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Badge:
    """``tone`` names the colour and the underline style; colour is never alone (WCAG 1.4.1)."""

    tone: str
    icon: str
    word: "StrOrPromise"


STATUSES = {
    "supported": Badge("ok", "✓", _("supported")),
    "contradicted": Badge("bad", "≠", _("contradicted")),
    "unsupported": Badge("warn", "?", _("not supported")),
    "unverified": Badge("idle", "…", _("not verified")),
    "not_checked": Badge("idle", "…", _("not checked")),
}
FINDINGS = {
    "overload": Badge("idle", "…", _("skipped under load")),
    "inexact": Badge("near", "≈", _("within tolerance")),
    "borderline": Badge("near", "≈", _("borderline")),
    "miscited": Badge("warn", "?", _("miscited")),
    "not_found": Badge("warn", "?", _("not found")),
    "off_period": Badge("bad", "≠", _("wrong period")),
    "off_metric": Badge("bad", "≠", _("wrong metric")),
    "off_property": Badge("bad", "≠", _("wrong property")),
    "transposed": Badge("bad", "≠", _("digits swapped")),
    "scale": Badge("bad", "≠", _("wrong scale")),
    "sign": Badge("bad", "≠", _("wrong sign")),
    "off_role": Badge("bad", "≠", _("wrong role")),
    "off_unit": Badge("bad", "≠", _("wrong unit")),
    "off_bound": Badge("bad", "≠", _("wrong bound")),
    "unbound": Badge("idle", "…", _("names no metric")),
}
OWED = Badge("idle", "…", _("verification owed"))
OWED_FOR = {
    "outage": _("Not verified yet: the verifier was away. It is judged again by itself once it is back."),
    "overload": _(
        "Not verified yet: too much waited for the verifier. It is judged again by itself once less does."
    ),
    "rate_limit": _("Not verified yet: the verifier asked to wait. It is judged again by itself after that."),
    "budget": _(
        "Not verified yet: the day’s money for verifiers was spent. It is judged again by itself tomorrow (UTC)."
    ),
    "degraded": _(
        "Not verified yet: the verifier gave no probabilities. It is judged again by itself once it does."
    ),
}
"""What an answer waits for whose verification is owed."""
GIVEN_UP = _(
    "Not verified: the verifier gave no result for this answer while it gave others theirs. An administrator can have it judged again."
)
"""What became of an answer whose verification was given up."""
FAILED_FOR = {
    "worker_crashed": _("Each attempt broke off before it had a result."),
    "too_long": _("Reading its claims takes longer than it may for any answer."),
}
"""Why a run needs attention, by the word that its reason begins with."""
DOUBTFUL = Badge("doubt", "?", _("doubtful"))
"""How a statement looks that only an opinion is against."""
SLIP_REASONS = {
    "transposed": "wrong_value",
    "scale": "wrong_unit_or_scale",
    "sign": "wrong_value",
    "period": "wrong_period",
    "property": "wrong_entity",
    "metric": "wrong_metric",
    "role": "wrong_value",
    "unit": "wrong_unit_or_scale",
    "bound": "wrong_value",
}
"""The reason code that a recognised slip suggests."""

HIDDEN = Badge("plain", "·", _("your judgement"))
BLIND = Badge("", "", pgettext_lazy("review", "Blind"))
JUDGED_BLIND = _("Judged blind: what the detectors found is shown once it is settled.")
ADDED = Badge("added", "+", _("added by a reviewer"))
TONES = {Against.WRONG: "bad", Against.NOT_IN_EVIDENCE: "warn", Against.DOUBTFUL: "doubt"}
"""Red is kept for what is proved, grey-amber says that only an opinion is against a claim."""
PRIORITIES = {
    HallucinationReview.Priority.HIGH: Badge("warn", "", pgettext_lazy("priority", "High")),
    HallucinationReview.Priority.MEDIUM: Badge("warn", "", pgettext_lazy("priority", "Medium")),
    HallucinationReview.Priority.LOW: Badge("", "", pgettext_lazy("priority", "Low")),
}
RISKS = {
    "high": Badge("warn", "", pgettext_lazy("risk", "High")),
    "moderate": Badge("warn", "", pgettext_lazy("risk", "Moderate")),
    "low": Badge("ok", "", pgettext_lazy("risk", "Low")),
}
"""Priorities and risks of answers without a claim that anything is against; else :func:`urgency` and :func:`risk`."""
LETTERS = "VPEMURSIWFBXDO"
REASONS = [
    (code, label, letter) for (code, label), letter in zip(ClaimVerdict.Reason.choices, LETTERS, strict=True)
]
"""Reason codes with the letter that picks each while an inline row is open (review-queue §3.3)."""

WHY: "dict[str, StrOrPromise]" = {
    "number_contradicted": _("a number is contradicted"),
    "number_unsupported": _("a number is found nowhere"),
    "number_unverified": _("a number is not verified"),
    "statement_contradicted": _("a statement is contradicted"),
    "statement_unsupported": _("a statement is not supported"),
    "statement_doubted": _("a statement is doubted"),
    "statement_unverified": _("a statement is not verified"),
    "strict_refused": _("strict generation refused it"),
    "abstains": _("it says only what the sources do not tell"),
    "high_hallucination_risk": _("far too little evidence"),
    "sources_disagree": _("the evidence disagrees"),
    "suspected_injection": _("a source gives orders"),
    "orders_verifier": _("the answer gives orders"),
    "judge": _("the judge doubts it"),
    "invalid_citation": _("a citation leads nowhere"),
    "misplaced_citation": _("a citation is misplaced"),
    "uncited_sentences": _("sentences cite nothing"),
    "few_citations": _("few citations"),
    "indicator_phrase": _("telling phrases"),
    "longer_than_context": _("longer than its sources"),
    "low_overlap": _("few words from the sources"),
    "check_failed": _("a check failed"),
    "not_run": _("a check was left out"),
    "near_iteration_limit": _("near the limit of attempts"),
    "generic_language": _("a language without rules of its own"),
    "note": _("there is nothing to check"),
    "claim_limit": _("too many claims to check them all"),
    "overload": _("skipped under load"),
    "no_verifier": _("no verifier reads it"),
}
"""Codes of the reasons of a verdict in a few words; the reasons themselves come in the answer's language."""

WORDS: "dict[str, StrOrPromise]" = {
    **dict(ClaimVerdict.Reason.choices),
    **dict(ClaimVerdict.Verdict.choices),
    **dict(HallucinationReview.Outcome.choices),
    **dict(HallucinationReview.State.choices),
    **dict(HallucinationReview.SelectionReason.choices),
}
"""Stored codes as people read them."""


def badge(kind: str, status: str, finding: str) -> Badge:
    """How a claim of ``kind`` with this status and finding looks."""
    if concluded(kind, status, finding) == "doubtful":
        return DOUBTFUL
    return FINDINGS.get(finding) or STATUSES.get(status, STATUSES["not_checked"])


def urgency(priority: int, against: str) -> Badge:
    """A priority in the colour of the gravest conclusion ``against`` a claim; empty for none."""
    return _toned(PRIORITIES[HallucinationReview.Priority(priority)], against)


def risk(level: str, against: str) -> Badge | None:
    """A level of risk in the colour of the gravest conclusion ``against`` a claim; None for no level."""
    return _toned(RISKS[level], against) if level in RISKS else None


def _toned(shown: Badge, against: str) -> Badge:
    return replace(shown, tone=TONES[Against(against)]) if against else shown


def confidence(value: float | None) -> str:
    """A confidence with two digits; empty when none was stated."""
    return "" if value is None else f"{value:.2f}"


def uncalibrated(run: DetectionRun) -> str:
    """The automatic confidence of a run before its calibration map; empty where none was applied."""
    return confidence(run.raw_confidence) if run.calibration_id else ""


def age(then: datetime, now: datetime) -> str:
    """How long ago, in one unit: ``5 min``, ``3 h``, ``2 d``."""
    return span(now - then)


def span(time: timedelta) -> str:
    """A length of time in one unit."""
    minutes = int(abs(time.total_seconds()) // 60)
    if minutes < 60:
        return gettext("%(n)d min") % {"n": minutes}
    if minutes < 48 * 60:
        return gettext("%(n)d h") % {"n": minutes // 60}
    return gettext("%(n)d d") % {"n": minutes // 1440}


def due(at: datetime, now: datetime) -> Badge:
    """The due chip: amber from two hours before, red after."""
    left = at - now
    if left < timedelta(0):
        return Badge("bad", "", gettext("overdue %(time)s") % {"time": span(left)})
    return Badge(
        "warn" if left < timedelta(hours=2) else "", "", gettext("due in %(time)s") % {"time": span(left)}
    )


def decided(counts: Effective | None) -> str:
    """How a person decided an answer, and who; empty where somebody else's word counts."""
    if counts is None or counts.outcome is None:
        return ""
    return gettext("%(outcome)s by %(name)s") % {"outcome": WORDS[counts.outcome], "name": counts.who}


def about(one: Answer | HallucinationReview) -> str:
    """Property and period in words."""
    parts = (one.property.name if one.property else "", one.period.label if one.period else "")
    return " · ".join(part for part in parts if part)
