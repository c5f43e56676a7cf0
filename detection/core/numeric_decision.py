"""What the comparison of a number means under a set of thresholds (NUM-07, NUM-08).

A pure function of what was measured. Support needs the claim's own slot; a slip contradicts even inside the
tolerance; what could not be checked is never support.
"""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from detection.core.thresholds import Thresholds
from detection.core.types import (
    Candidate,
    Finding,
    NumberMeasured,
    NumericDecision,
    NumericMeasurement,
    Slip,
    Status,
)

REASONS: dict[str, str] = {
    "exact": "{where} says {value}, as the answer does.",
    "approximate": "{where} says {value}; the answer gives it approximately.",
    "bound_ok": "{where} says {value}, which keeps the bound the answer states.",
    "derived": "It follows from the figures: {arithmetic}.",
    "inexact": "{where} says {value}; the answer says {claimed} ({deviation}), inside the tolerance but not the same.",
    "contradicted": "{where} says {value}; the answer says {claimed} ({deviation}).",
    "transposed": "{where} says {value}; in the answer's {claimed} two digits have changed places.",
    "scale": "{where} says {value}; the answer's {claimed} is the same digits at another scale.",
    "sign": "{where} says {value}; the answer's {claimed} has the opposite sign.",
    "off_period": "{claimed} is the value of another period ({slot}), not of the one asked for.",
    "off_property": "{claimed} is the value of another property ({slot}).",
    "off_metric": "{claimed} is another figure's value ({slot}), not this one's.",
    "no_such_day": "There is no such day in the calendar.",
    "not_found": "No figure of record and no source that was read states {claimed} here.",
    "timeout": "The time for checking numbers was over before this one was reached.",
    "source_limit": "The sources read do not state {claimed}; {left} more were left unread.",
    "db_unavailable": "The financial database could not be read, and no source states {claimed}.",
    "switched_off": "Checking numbers like this is switched off.",
    "not_measured": "This number was not measured.",
}
"""Every code a number's finding can have, with the sentence an analyst reads."""

_STATUS: dict[str, Status] = {
    **dict.fromkeys(("exact", "approximate", "bound_ok", "derived", "inexact"), "supported"),
    **dict.fromkeys(
        ("contradicted", "transposed", "scale", "sign", "off_period", "off_property", "off_metric", "no_such_day"), "contradicted"
    ),
    **dict.fromkeys(("timeout", "source_limit", "db_unavailable", "not_measured"), "unverified"),
    "not_found": "unsupported",
    "switched_off": "not_checked",
}  # fmt: skip
_SLIPS = {"period": "off_period", "property": "off_property", "metric": "off_metric"}
_SWITCHES = {
    "currency": "verify_currency", "percentage": "verify_percentages", "date": "verify_dates", "ratio": "verify_ratios",
    "number": "verify_numbers",
}  # fmt: skip


def decide(measurement: NumericMeasurement, thresholds: Thresholds) -> NumericDecision:
    """One finding for each measured number, in the order of the claims."""
    return NumericDecision(
        tuple(_finding(index, measurement.claims[index], thresholds) for index in sorted(measurement.claims))
    )


def _finding(index: int, number: NumberMeasured, thresholds: Thresholds) -> Finding:
    code, matched, slot = _judged(number, thresholds)
    return Finding(
        detector="numeric",
        claim=index,
        status=_STATUS[code],
        code=code,
        reason=_reason(code, number, matched, slot),
        severity=_severity(code, thresholds),
        matched=matched,
        tolerance=_tolerance(number, thresholds),
    )


_Judged = tuple[str, Candidate | None, Candidate | None]


def _judged(number: NumberMeasured, thresholds: Thresholds) -> _Judged:
    """The code, the candidate it rests on, and the slot a slip took its value from."""
    compared = thresholds.verify_against_database or thresholds.verify_against_documents
    if not compared or not getattr(thresholds, _SWITCHES[number.kind]):
        return "switched_off", None, None
    if number.timed_out:
        return "timeout", None, None
    candidates = [candidate for candidate in number.candidates if _allowed(candidate, thresholds)]
    if number.kind == "date":
        return _judged_date(number, candidates, thresholds)
    own = [candidate for candidate in candidates if candidate.same]
    records = [
        candidate
        for candidate in own
        if candidate.origin == "database" or (candidate.origin == "derived" and candidate.field)
    ]
    slips = [slip for slip in number.slips if _allowed(slip.candidate, thresholds)]
    if number.metric is not None and records:
        recorded = [slip for slip in slips if slip.candidate.origin == "database"]
        return _supported(number, records, thresholds, recorded) or _refuted(number, records, recorded)
    supported = _supported(number, own, thresholds, slips)
    if supported:
        return supported
    if slips:
        return _slipped(slips[0])
    return _missing(number, thresholds), None, None


def _allowed(candidate: Candidate, thresholds: Thresholds) -> bool:
    recorded = candidate.origin == "database" or (
        candidate.origin == "derived" and candidate.field is not None
    )
    return thresholds.verify_against_database if recorded else thresholds.verify_against_documents


def _supported(
    number: NumberMeasured, own: list[Candidate], thresholds: Thresholds, slips: list[Slip]
) -> _Judged | None:
    """Support by the first candidate inside the claim's own rounding, else inside the tolerance and no slip."""
    for candidate in own:
        if _inside(number, candidate, thresholds):
            return _support_code(number, candidate), candidate, None
    near = [
        candidate
        for candidate in own
        if candidate.origin != "derived" and _tolerated(number, candidate, thresholds)
    ]
    if not near or slips or number.kind == "number" or number.bound:
        return None
    return ("contradicted" if thresholds.exact_numbers else "inexact"), near[0], None


def _support_code(number: NumberMeasured, candidate: Candidate) -> str:
    if candidate.origin == "derived":
        return "derived"
    if number.bound:
        return "bound_ok"
    return (
        "approximate"
        if number.approximate and candidate.absolute and candidate.absolute > number.precision
        else "exact"
    )


def _inside(number: NumberMeasured, candidate: Candidate, thresholds: Thresholds) -> bool:
    if candidate.value is None or candidate.absolute is None:
        return False
    claimed = Decimal(number.value)
    if number.bound == "at_least":
        return candidate.value >= claimed - number.precision
    if number.bound == "at_most":
        return candidate.value <= claimed + number.precision
    if candidate.absolute <= number.precision:
        return True
    return number.approximate and number.kind != "number" and _tolerated(number, candidate, thresholds)


def _tolerated(number: NumberMeasured, candidate: Candidate, thresholds: Thresholds) -> bool:
    limit = _tolerance(number, thresholds)
    if number.kind == "percentage" and thresholds.percentage_points:
        return candidate.absolute is not None and candidate.absolute <= limit * 100
    return candidate.relative is not None and candidate.relative <= limit


def _tolerance(number: NumberMeasured, thresholds: Thresholds) -> Decimal:
    """The tolerance as a share of the expected value; in days for dates; 0 for plain numbers."""
    if number.kind == "date":
        return Decimal(thresholds.date_tolerance_days)
    per_cent = {
        "currency": thresholds.currency_tolerance,
        "percentage": thresholds.percentage_tolerance,
        "ratio": thresholds.ratio_tolerance,
    }.get(number.kind, thresholds.currency_tolerance if number.metric else 0.0)
    return Decimal(str(per_cent)) / 100


def _refuted(number: NumberMeasured, records: list[Candidate], slips: list[Slip]) -> _Judged:
    if slips:
        code, _, slot = _slipped(slips[0])
        return code, records[0], slot
    return "contradicted", records[0], None


def _slipped(slip: Slip) -> _Judged:
    return _SLIPS.get(slip.code, slip.code), slip.candidate, slip.candidate


def _missing(number: NumberMeasured, thresholds: Thresholds) -> str:
    if number.database == "unavailable" and thresholds.verify_against_database:
        return "db_unavailable"
    if number.sources_left and thresholds.verify_against_documents:
        return "source_limit"
    return "not_found"


def _judged_date(number: NumberMeasured, candidates: Iterable[Candidate], thresholds: Thresholds) -> _Judged:
    if isinstance(number.value, str) and len(number.value) == 10 and not _is_day(number.value):
        return "no_such_day", None, None
    near = [
        candidate
        for candidate in candidates
        if candidate.days and max(candidate.days) <= thresholds.date_tolerance_days
    ]
    if not near:
        return _missing(number, thresholds), None, None
    best = near[0]
    return ("exact" if best.days == (0, 0) else "inexact"), best, None


def _is_day(iso: str) -> bool:
    try:
        date.fromisoformat(iso)
    except ValueError:
        return False
    return True


def _severity(code: str, thresholds: Thresholds) -> float:
    if code == "inexact":
        return thresholds.severity_inexact
    return {
        "contradicted": thresholds.severity_contradicted,
        "unsupported": thresholds.severity_unsupported,
        "unverified": thresholds.severity_unverified,
    }.get(_STATUS[code], 0.0)


def _reason(code: str, number: NumberMeasured, matched: Candidate | None, slot: Candidate | None) -> str:
    taken = slot or matched
    parts = (taken.field, taken.property, taken.period, taken.source) if taken else ()
    return REASONS[code].format(
        where=_where(matched),
        value=_shown(matched.value if matched else None, matched, number.unit),
        claimed=_shown(number.value, None, number.unit),
        deviation=_deviation(matched),
        arithmetic=matched.arithmetic if matched else "",
        slot=", ".join(part.replace("_", " ") for part in parts if part),
        left=number.sources_left,
    )


def _where(matched: Candidate | None) -> str:
    if matched is None or matched.origin == "database":
        return "The database"
    return "The calculation" if matched.origin == "derived" else f"Source {matched.source}"


def _shown(value: Decimal | str | None, matched: Candidate | None, unit: str) -> str:
    if value is None:
        return matched.text if matched else ""
    if isinstance(value, str):
        return value
    plain = f"{value:,}" if abs(value.adjusted()) < 30 else f"{value:.6E}"
    if "." in plain and "E" not in plain:
        whole, _, rest = plain.partition(".")
        plain = f"{whole}.{rest[:6].rstrip('0')}".rstrip(".") if len(rest) > 6 else plain
    return plain + {"%": " %", "pp": " percentage points", "x": "x", "": ""}.get(unit, f" {unit}")


def _deviation(matched: Candidate | None) -> str:
    if matched is None or matched.days is not None:
        return f"{max(matched.days)} days apart" if matched and matched.days else ""
    if matched.relative is None:
        return f"{matched.absolute:,} apart" if matched.absolute is not None else ""
    return (
        f"{matched.relative * 100:.4g} % apart"
        if matched.relative < 10
        else f"{matched.relative:,.4g} times apart"
    )
