"""What a number's finding says to an analyst: what was compared, with both values and the tolerance (NUM-08)."""

from decimal import Decimal

from detection.core.types import Candidate, NumberMeasured, Slip

REASONS: dict[str, str] = {
    "exact": "{where} says {value}{what}, as the answer does.",
    "approximate": "{where} says {value}{what}; the answer gives it approximately.",
    "bound_ok": "{where} says {value}{what}, which keeps the bound the answer states.",
    "unbound": "{claimed} matches {name}; the sentence names no metric.",
    "derived": "It follows from {operands}: {arithmetic}.",
    "inexact": "{where} says {value}{what}; the answer says {claimed} ({deviation}), inside the tolerance {limit} but "
    "not the same.",
    "contradicted": "{where} says {value}{what}; the answer says {claimed} ({deviation}{outside}).",
    "transposed": "{claimed} {slip}{right}.",
    "scale": "{claimed} {slip}{right}.",
    "sign": "{claimed} {slip}{right}.",
    "off_period": "{claimed} {slip}, not the value of the period asked for{right}.",
    "off_property": "{claimed} {slip}, not the value of the property asked for{right}.",
    "off_metric": "{claimed} {slip}, not the figure that is named{right}.",
    "no_such_day": "There is no such day in the calendar.",
    "not_found": "{nothing} {claimed} here{nearest}.",
    "timeout": "The time for checking numbers was over before this one was checked.",
    "source_limit": "The sources read do not state {claimed}; {left} more were left unread.",
    "db_unavailable": "The financial database could not be read, and no source states {claimed}.",
    "switched_off": "Checking numbers like this is switched off.",
    "not_measured": "This number was not measured.",
}
"""Every code a number's finding can have, with the sentence an analyst reads."""

_RECKONED = "By {operands} it is {arithmetic}; the answer says {claimed} ({deviation}{outside})."
_SLIPPED = {  # for a slip that comes without words of its own
    "transposed": "has two digits changed round",
    "scale": "has the right digits at another scale",
    "sign": "has the opposite sign",
    "period": "is the value of another period",
    "property": "is the value of another property",
    "metric": "is another figure's value",
}


def reason(
    code: str, number: NumberMeasured, matched: Candidate | None, slip: Slip | None, tolerance: Decimal
) -> str:
    """The sentence for a finding: ``matched`` is what it rests on, ``slip`` what explains a wrong number,
    ``tolerance`` a share of the expected value, or days."""
    form = REASONS[code]
    if code == "contradicted" and matched is not None and matched.origin == "derived":
        form = _RECKONED
    return form.format(
        where=_where(matched),
        value=_value(matched, number.unit),
        what=_what(matched),
        name=_name(matched),
        claimed=shown(number.value, number.unit),
        deviation=_deviation(matched),
        limit=_limit(number, tolerance),
        outside=_outside(number, matched, tolerance),
        operands=_operands(matched),
        arithmetic=matched.arithmetic if matched else "",
        slip=_slip(slip),
        right=_right(number, matched, slip),
        nothing=_nothing(number),
        nearest=_nearest(number),
        left=number.sources_left,
    )


def shown(value: Decimal | str, unit: str) -> str:
    """A value with its unit as people read it: grouped, at most six decimals."""
    if isinstance(value, str):
        return value
    plain = f"{value:,}" if abs(value.adjusted()) < 30 else f"{value:.6E}"
    if "." in plain and "E" not in plain:
        whole, _, rest = plain.partition(".")
        plain = f"{whole}.{rest[:6].rstrip('0')}".rstrip(".") if len(rest) > 6 else plain
    return plain + {"%": " %", "pp": " percentage points", "x": "x", "": ""}.get(unit, f" {unit}")


def _value(matched: Candidate | None, unit: str) -> str:
    if matched is None:
        return ""
    if matched.value is None:
        return matched.text
    return shown(matched.value, (matched.unit or unit) if matched.origin == "database" else unit)


def _where(matched: Candidate | None) -> str:
    return f"Source {matched.source}" if matched and matched.source else "The database"


def _what(matched: Candidate | None) -> str:
    """`` for NOI of Q3 2024``; a source and a period of record speak for themselves."""
    recorded = matched is not None and matched.origin == "database" and matched.value is not None
    return f" for {_name(matched)}" if recorded else ""


def _name(matched: Candidate | None) -> str:
    if matched is None:
        return ""
    if matched.origin != "database" or matched.days is not None:
        return matched.text
    return f"{matched.text} of {matched.property}, {matched.period}"


def _operands(matched: Candidate | None) -> str:
    if matched is None or matched.field is None:
        return "the figures"
    return f"the figures of record ({matched.text})"


def _limit(number: NumberMeasured, tolerance: Decimal) -> str:
    return f"of {tolerance} days" if number.kind == "date" else f"of {(tolerance * 100).normalize():f} %"


def _outside(number: NumberMeasured, matched: Candidate | None, tolerance: Decimal) -> str:
    """What the deviation breaks: the claim's bound, its own rounding or the tolerance."""
    if number.bound:
        return ", against the bound it states"
    if matched is None or matched.origin == "derived" or matched.relative is None or not tolerance:
        return ", outside its own rounding"
    within = matched.relative <= tolerance
    return ", outside its own rounding" if within else f", outside the tolerance {_limit(number, tolerance)}"


def _deviation(matched: Candidate | None) -> str:
    if matched is None or matched.days is not None:
        return f"{max(matched.days)} days apart" if matched and matched.days else ""
    if matched.relative is None:
        return f"{matched.absolute:,} apart" if matched.absolute is not None else ""
    if matched.relative >= 10:
        return f"{matched.relative:,.4g} times apart"
    return f"{matched.relative * 100:.4g} % apart"


def _slip(slip: Slip | None) -> str:
    if slip is None:
        return ""
    if slip.text:
        return slip.text
    there = slip.candidate
    parts = (there.field, there.property, there.period, there.source and f"source {there.source}")
    slot = ", ".join(part.replace("_", " ") for part in parts if part)
    return f"{_SLIPPED[slip.code]}{f' ({slot})' if slot else ''}"


def _right(number: NumberMeasured, matched: Candidate | None, slip: Slip | None) -> str:
    """What stands in the claim's own slot, where the slip has not said it."""
    if matched is None or slip is None or not matched.same or matched.value is None:
        return ""
    if matched.origin == "derived":
        return f": {matched.arithmetic}"
    return f"; {_name(matched)} is {_value(matched, number.unit)}" if matched.origin == "database" else ""


def _nothing(number: NumberMeasured) -> str:
    looked = ["figure of record"] if number.database == "ok" else []
    looked += ["source that was read"] if number.sources_read else []
    if not looked:
        return "There was no figure of record and no source to compare with"
    return f"No {' and no '.join(looked)} states"


def _nearest(number: NumberMeasured) -> str:
    """The figures that come nearest, so that a reader sees what was looked at."""
    near = [c for c in number.candidates if c.absolute is not None and c.value is not None][:8]
    near.sort(key=lambda candidate: candidate.absolute or Decimal(0))
    return f"; nearest is {_value(near[0], number.unit)} ({_place(near[0])})" if near else ""


def _place(candidate: Candidate) -> str:
    return f"source {candidate.source}" if candidate.source else _name(candidate)
