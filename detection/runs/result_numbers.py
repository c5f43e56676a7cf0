"""What a Result says of one number: claimed and expected, by which tolerance, and what it was compared with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from decimal import Decimal
from typing import Any

from detection.core.types import Candidate, Case, Claim, Finding, NumberMeasured, Slip, SlotCompared

HELD_BY = {
    **dict.fromkeys(("exact", "bound_ok", "derived"), "rounding"),
    "inexact": "tolerance",
    "approximate": "approximation",
}
"""What let a number with each code hold."""


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
    the number was compared with, in words; ``searched`` where. ``slots`` are those of what the finding rests on, of a
    number that is somebody else's those of that value; where there was nothing to compare with, what its words name.
    """
    other = expected(finding, measured)
    return {
        "numeric": _number(claim, finding, measured, about, names),
        "slots": _deciding_slots(finding, measured, other, names) if measured else [],
        "evidence": [_candidate(c, finding.matched) for c in measured.candidates] if measured else [],
        "slips": [{"code": s.code, "text": s.text} for s in measured.slips] if measured else [],
        "looked_at": list(_looked_at(claim, measured, other, names)) if measured else [],
        "searched": _searched(measured) if measured else None,
    }


def stated(claim: Claim) -> str:
    """The value that a claim states, of one without digits its words; empty for a statement."""
    if claim.number is None:
        return ""
    return claim.text if claim.kind == "change" else str(claim.number.value)


def slots_of(claim: Claim, measured: NumberMeasured | None) -> tuple[str | None, str | None, str | None]:
    """Metric, period and property that a number is of: as it was measured; of older answers, as it was read."""
    if measured is None:
        return claim.metric, claim.period, claim.property
    return (
        measured.metric or claim.metric,
        measured.period or claim.period,
        measured.property or claim.property,
    )


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


def told(claim: Claim, candidate: Candidate | None) -> str | None:
    """What a claim should have said, as text; for one without digits what was reckoned."""
    if claim.kind == "change" and candidate is not None:
        return candidate.arithmetic or candidate.text
    return value_of(candidate)


def _number(
    claim: Claim, finding: Finding, measured: NumberMeasured | None, about: str | None, names: Names
) -> dict[str, Any]:
    number, other = claim.number, expected(finding, measured)
    metric, period, owner = slots_of(claim, measured)
    return {
        "value": stated(claim) or None,
        "unit": number.unit if number else "",
        "metric": metric,
        "metric_name": _name(metric, names) if metric else None,
        "period": period,
        "property": owner or about,
        "precision": str(number.precision) if number else None,
        "approximate": bool(number and number.approximate),
        "bound": number.bound if number else None,
        "expected": told(claim, other),
        "deviation": _deviation(claim, other),
        "tolerance": None if finding.tolerance is None else str(finding.tolerance),
        "held_by": HELD_BY.get(finding.code),
        "matched": other.origin if other and finding.matched else "none",
        "arithmetic": other.arithmetic if other else None,
    }


def _deciding_slots(
    finding: Finding, measured: NumberMeasured, other: Candidate | None, names: Names
) -> list[dict[str, Any]]:
    slip = measured.slips[0].candidate if measured.slips and finding.status == "contradicted" else None
    deciding = other or finding.matched or slip
    return _slots(deciding.slots if deciding else measured.slots, deciding, names)


def _slots(slots: Sequence[SlotCompared], candidate: Candidate | None, names: Names) -> list[dict[str, Any]]:
    """Slots without what they leave open. Whose a figure of record is, is a property; its metric is told as people call it."""
    shown = [
        _told(_fields(slot)) | ({"parts": [_told(_fields(one)) for one in slot.parts]} if slot.parts else {})
        for slot in slots
    ]
    for slot in shown if candidate is not None and candidate.property is not None else ():
        if slot["slot"] == "entity":
            slot["slot"] = "property"
        elif slot["slot"] == "metric" and "states" in slot:
            slot["states"] = ", ".join(_name(metric, names) for metric in slot["states"].split(", "))
    return shown


def _fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, without a copy of each value as ``asdict`` makes it."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _told(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value not in (None, "", ())}


def _deviation(claim: Claim, other: Candidate | None) -> str | None:
    deviation = signed_deviation(claim, other)
    if deviation is None:
        return None
    return f"{deviation:.6f}" if deviation else f"{deviation.normalize():f}"


def _candidate(candidate: Candidate, matched: Candidate | None) -> dict[str, Any]:
    given = {
        name: value for name, value in _fields(candidate).items() if value is not None and name != "slots"
    }
    given["operands"] = tuple(asdict(operand) for operand in candidate.operands)
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
        "slots": _slots(candidate.slots, candidate, names) or None,
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
