"""What the comparison of a number means under a set of thresholds (NUM-07, NUM-08).

A pure function of what was measured. Support needs the claim's own slot; a slip contradicts even inside the
tolerance; what could not be checked is never support.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from detection.core.context import Context
from detection.core.disputes import told
from detection.core.matching.reasons import reason, values
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

STATUS: dict[str, Status] = {
    **dict.fromkeys(("exact", "approximate", "bound_ok", "derived", "inexact", "holds"), "supported"),
    **dict.fromkeys(
        ("contradicted", "transposed", "scale", "sign", "off_period", "off_property", "off_metric", "off_role", "off_unit", "off_bound", "no_such_day"), "contradicted"
    ),
    **dict.fromkeys(("timeout", "source_limit", "db_unavailable", "not_measured", "unbound"), "unverified"),
    "not_found": "unsupported",
    **dict.fromkeys(("switched_off", "not_compared"), "not_checked"),
}  # fmt: skip
"""What each code means for the number."""
_SLIPS = {slot: f"off_{slot}" for slot in ("period", "property", "metric", "role", "unit", "bound")}
_COARSE = 200  # a rounding of more than one part in 200 leaves two digits
FAR = Decimal(10)
"""How many times as large as a figure a number may be that it refutes: of 100 refuted from further away, 40 are right."""
_TOLERANCES = {
    "currency": "currency_tolerance", "percentage": "percentage_tolerance", "ratio": "ratio_tolerance",
    "date": "date_tolerance_days",
}  # fmt: skip
SWITCHES: dict[str, str] = {
    "currency": "verify_currency", "percentage": "verify_percentages", "date": "verify_dates", "ratio": "verify_ratios",
    "number": "verify_numbers", "change": "verify_numbers",
}  # fmt: skip
"""The threshold that switches off the numbers of a kind."""


def decide(measurement: NumericMeasurement, context: Context) -> NumericDecision:
    """One finding for each measured number, in the order of the claims."""
    return NumericDecision(
        tuple(
            _finding(index, measurement.claims[index], context.thresholds, context.language)
            for index in sorted(measurement.claims)
        )
    )


def _finding(index: int, number: NumberMeasured, thresholds: Thresholds, language: str) -> Finding:
    code, matched, slip = judged(number, thresholds)
    applied = _applied(code, number, matched, thresholds)
    return Finding(
        detector="numeric",
        claim=index,
        status=STATUS[code],
        code=code,
        reason=reason(code, number, matched, slip, _tolerance(number, thresholds), applied, language),
        values=values(code, number, matched, slip, applied),
        severity=severity(code, thresholds),
        matched=matched,
        tolerance=applied,
        disputed=told(number.disputes, thresholds),
    )


def is_compared(kind: str, thresholds: Thresholds) -> bool:
    """Whether the numbers of a kind of claim are compared with anything."""
    somewhere = thresholds.verify_against_database or thresholds.verify_against_documents
    return somewhere and kind in SWITCHES and bool(getattr(thresholds, SWITCHES[kind]))


_Judged = tuple[str, Candidate | None, Slip | None]


def judged(number: NumberMeasured, thresholds: Thresholds) -> _Judged:
    """The code, the candidate it rests on, and the slip that explains a wrong number."""
    if not is_compared(number.kind, thresholds):
        return "switched_off", None, None
    candidates = [candidate for candidate in number.candidates if _allowed(candidate, thresholds)]
    if number.kind == "date":
        slips = [slip for slip in number.slips if _allowed(slip.candidate, thresholds)]
        return _judged_date(number, candidates, slips, thresholds)
    if number.kind == "change":
        return _judged_change(candidates)
    if number.counts:
        return "not_compared", None, None
    own = _weighed([candidate for candidate in candidates if candidate.same])
    slips = [slip for slip in number.slips if _allowed(slip.candidate, thresholds)]
    supported = _supported(number, own, thresholds, slips)
    if supported:
        return supported
    if number.timed_out:
        return _missing(number, thresholds), None, None
    if own and (slips or not _is_far(number, own[0])):
        return _refuted(number, own, slips)
    if slips:
        return _slipped(slips[0])
    unbound = next((candidate for candidate in candidates if candidate.equal), None)
    return ("unbound", unbound, None) if unbound else (_missing(number, thresholds), None, None)


def _weighed(own: list[Candidate]) -> list[Candidate]:
    """A figure of record that was found first at the number's own slots outweighs sources that say otherwise."""
    return own[:1] if own and own[0].origin == "database" and own[0].equal is False else own


def _recorded(candidate: Candidate) -> bool:
    """Whether a candidate is a figure of record or follows from some."""
    return candidate.origin == "database" or (candidate.origin == "derived" and candidate.field is not None)


def _allowed(candidate: Candidate, thresholds: Thresholds) -> bool:
    return thresholds.verify_against_database if _recorded(candidate) else thresholds.verify_against_documents


def _supported(
    number: NumberMeasured, own: list[Candidate], thresholds: Thresholds, slips: list[Slip]
) -> _Judged | None:
    """Support by the first candidate inside the claim's own rounding, else inside the tolerance and no slip.

    Only a claim's own slot has a tolerance: a number bound to no metric must be the figure it matches, rounded.
    """
    for candidate in own:
        if _inside(number, candidate, thresholds):
            return _support_code(number, candidate), candidate, None
    near = [
        candidate
        for candidate in own
        if candidate.origin == "document" or (candidate.origin == "database" and number.metric is not None)
        if _tolerated(number, candidate, thresholds)
    ]
    if not near or number.kind == "number" or number.bound or any(_tells(number, slip) for slip in slips):
        return None
    return ("contradicted" if thresholds.exact_numbers else "inexact"), near[0], None


def _tells(number: NumberMeasured, slip: Slip) -> bool:
    """Whether a slip says more than a number near the right one: two digits equal other metrics by chance."""
    return slip.code != "metric" or number.precision * _COARSE <= abs(Decimal(number.value))


def _support_code(number: NumberMeasured, candidate: Candidate) -> str:
    if candidate.origin == "derived":
        return "derived"
    if candidate.origin == "database" and number.metric is None:
        return "unbound"
    if number.bound:
        return "bound_ok"
    rounded = candidate.absolute is not None and candidate.absolute > number.precision
    return "approximate" if number.approximate and rounded else "exact"


def _inside(number: NumberMeasured, candidate: Candidate, thresholds: Thresholds) -> bool:
    if candidate.equal is not None:
        return candidate.equal
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
    name = tolerance_name(number)
    per_cent = getattr(thresholds, name) if name else 0.0
    return Decimal(str(per_cent)) / 100


def _applied(
    code: str, number: NumberMeasured, matched: Candidate | None, thresholds: Thresholds
) -> Decimal | None:
    """The tolerance that decided on a number; None where its own rounding, its bound or a slip did."""
    tried = code == "contradicted" and not thresholds.exact_numbers and not number.bound
    written = matched is not None and matched.origin in ("document", "database")
    has_one = number.kind not in ("number", "change") and tolerance_name(number) is not None
    if code == "inexact" or (tried and written and has_one):
        return _tolerance(number, thresholds)
    return None


def tolerance_name(number: NumberMeasured) -> str | None:
    """The threshold that is this number's tolerance: of its kind, for a plain number of a metric that of currency;
    None where it has none."""
    return _TOLERANCES.get(number.kind, "currency_tolerance" if number.metric else None)


def _refuted(number: NumberMeasured, records: list[Candidate], slips: list[Slip]) -> _Judged:
    if slips:
        return _SLIPS.get(slips[0].code, slips[0].code), records[0], slips[0]
    return "contradicted", records[0], None


def _is_far(number: NumberMeasured, candidate: Candidate) -> bool:
    """Whether a figure of a document is so many times as large or as small as a number that it hardly is what the number
    states wrongly: it refutes nothing then, and the number is one that nothing states."""
    if candidate.origin == "database" or not candidate.value or not Decimal(number.value):
        return False
    times = abs(candidate.value / Decimal(number.value))
    return not 1 / FAR <= times <= FAR


def _slipped(slip: Slip) -> _Judged:
    return _SLIPS.get(slip.code, slip.code), slip.candidate, slip


def _missing(number: NumberMeasured, thresholds: Thresholds) -> str:
    if number.timed_out:
        return "timeout"
    if number.database == "unavailable" and thresholds.verify_against_database:
        return "db_unavailable"
    if number.sources_left and thresholds.verify_against_documents:
        return "source_limit"
    return "not_found"


def _judged_change(candidates: Iterable[Candidate]) -> _Judged:
    """What is said without digits holds or does not; where nothing could be compared, nothing is said of it."""
    for candidate in candidates:
        return ("holds" if candidate.equal else "contradicted"), candidate, None
    return "not_compared", None, None


def _judged_date(
    number: NumberMeasured, candidates: Iterable[Candidate], slips: Sequence[Slip], thresholds: Thresholds
) -> _Judged:
    if isinstance(number.value, str) and len(number.value) == 10 and not _is_day(number.value):
        return "no_such_day", None, None
    near = [
        candidate
        for candidate in candidates
        if candidate.days and max(candidate.days) <= thresholds.date_tolerance_days
    ]
    if not near and slips:
        return _slipped(slips[0])
    apart = [candidate for candidate in candidates if candidate.days] if not near else []
    if apart:
        return "contradicted", apart[0], None
    if not near:
        code = "not_compared" if number.counts else _missing(number, thresholds)
        return code, None, None
    best = near[0]
    return ("exact" if best.days == (0, 0) else "inexact"), best, None


def _is_day(iso: str) -> bool:
    try:
        date.fromisoformat(iso)
    except ValueError:
        return False
    return True


def severity(code: str, thresholds: Thresholds) -> float:
    """The share of risk of a number with this code, 0 to 1."""
    return thresholds.severity_inexact if code == "inexact" else thresholds.severity(STATUS[code])
