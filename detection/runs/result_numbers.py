"""What a Result says of one number: claimed and expected, by which tolerance, and what it was compared with."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from detection.core.types import Candidate, Case, Claim, Finding, NumberMeasured, Slip

BY_ROUNDING = frozenset({"exact", "bound_ok", "derived"})
BY_TOLERANCE = frozenset({"approximate", "inexact"})


Names = Mapping[str, str]


def names_of(case: Case) -> Names:
    """What people call the accounts that the answer's property has."""
    return {alias.metric: alias.text for alias in reversed(case.aliases) if not alias.language}


def numeric_section(
    claim: Claim, finding: Finding, measured: NumberMeasured | None, about: str | None, names: Names
) -> dict[str, Any]:
    """The keys that only a numeric claim has (contracts §2), and its evidence; ``about`` is the property
    that the answer is about.

    ``evidence`` are the candidates, nearest first; ``slips`` the recognised mistakes; ``looked_at`` what else
    the number was compared with, in words; ``searched`` where.
    """
    other = expected(finding, measured)
    return {
        "numeric": _number(claim, finding, measured, about, names),
        "evidence": [_candidate(c, finding.matched) for c in measured.candidates] if measured else [],
        "slips": [{"code": s.code, "text": s.text} for s in measured.slips] if measured else [],
        "looked_at": list(_looked_at(claim, measured, other, names)) if measured else [],
        "searched": _searched(measured) if measured else None,
    }


def expected(finding: Finding, measured: NumberMeasured | None) -> Candidate | None:
    """What a number should have been: what it matched, else the nearest candidate of its own slot; None
    where only another slot's value is known."""
    if finding.matched and finding.matched.same:
        return finding.matched
    own = [c for c in measured.candidates if c.same] if measured else []
    return own[0] if own and finding.status == "contradicted" else None


def signed_deviation(claim: Claim, other: Candidate | None) -> Decimal | None:
    """(claimed − expected) / |expected|, None for dates and when nothing was expected or it is zero."""
    if (
        other is None
        or not other.value
        or claim.number is None
        or not isinstance(claim.number.value, Decimal)
    ):
        return None
    return (claim.number.value - other.value) / abs(other.value)


def value_of(candidate: Candidate | None) -> str | None:
    """A candidate's value as text; a date's as it stands there."""
    if candidate is None:
        return None
    return candidate.text if candidate.value is None else str(candidate.value)


def _number(
    claim: Claim, finding: Finding, measured: NumberMeasured | None, about: str | None, names: Names
) -> dict[str, Any]:
    number, other = claim.number, expected(finding, measured)
    return {
        "value": str(number.value) if number else None,
        "unit": number.unit if number else "",
        "metric": claim.metric,
        "metric_name": _name(claim.metric, names) if claim.metric else None,
        "period": (measured.period if measured else None) or claim.period,
        "property": claim.property or about,
        "precision": str(number.precision) if number else None,
        "approximate": bool(number and number.approximate),
        "bound": number.bound if number else None,
        "expected": value_of(other),
        "deviation": _deviation(claim, other),
        "tolerance": None if finding.tolerance is None else str(finding.tolerance),
        "held_by": "rounding"
        if finding.code in BY_ROUNDING
        else "tolerance"
        if finding.code in BY_TOLERANCE
        else None,
        "matched": other.origin if other and finding.matched else "none",
        "arithmetic": other.arithmetic if other else None,
    }


def _deviation(claim: Claim, other: Candidate | None) -> str | None:
    deviation = signed_deviation(claim, other)
    if deviation is None:
        return None
    return f"{deviation:.6f}" if deviation else f"{deviation.normalize():f}"


def _candidate(candidate: Candidate, matched: Candidate | None) -> dict[str, Any]:
    given = {name: value for name, value in asdict(candidate).items() if value is not None}
    for name in ("value", "relative", "absolute"):
        if name in given:
            given[name] = str(given[name])
    return {**given, "matched": candidate == matched}


def _looked_at(
    claim: Claim, measured: NumberMeasured, other: Candidate | None, names: Names
) -> Iterator[dict[str, Any]]:
    """The slips with their words, then the candidates that the finding does not rest on."""
    for slip in measured.slips:
        yield _look(claim, slip.candidate, names, slip)
    told = [slip.candidate for slip in measured.slips]
    for candidate in measured.candidates:
        if candidate != other and candidate not in told:
            yield _look(claim, candidate, names)


def _look(claim: Claim, candidate: Candidate, names: Names, slip: Slip | None = None) -> dict[str, Any]:
    """``slot`` names metric, period and property as far as they are known; ``own`` says that they are those
    the claim speaks of; ``says`` is the mistake in words. What is not known is left out."""
    named = (_name(candidate.field, names) if candidate.field else None, candidate.period, candidate.property)
    look = {
        "origin": candidate.origin,
        "value": value_of(candidate),
        "unit": candidate.unit,
        "text": candidate.text,
        "slot": " · ".join(part for part in named if part),
        "source": candidate.source,
        "start": candidate.start,
        "end": candidate.end,
        "deviation": _deviation(claim, candidate),
        "days": list(candidate.days) if candidate.days else None,
        "arithmetic": candidate.arithmetic,
        "own": candidate.same,
        "slip": slip.code if slip else None,
        "says": slip.text if slip else None,
    }
    return {name: value for name, value in look.items() if value not in (None, "")}


def _name(metric: str, names: Names) -> str:
    return names.get(metric, metric.replace("_", " "))


def _searched(measured: NumberMeasured) -> dict[str, Any]:
    return {
        "database": measured.database,
        "sources_read": measured.sources_read,
        "sources_left": measured.sources_left,
        "timed_out": measured.timed_out,
    }
