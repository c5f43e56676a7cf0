"""A number beside what it should be: claimed, expected, difference, tolerance, and what else was looked at.

Reads the rendered Result (one claim's dictionary); decides nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from reviews import figures
from reviews.highlights import differing
from reviews.wording import SLIP_REASONS

Runs = list[tuple[str, bool]]
Result = Mapping[str, Any]

SLIPS = {
    "transposed": "Digits transposed",
    "scale": "Off by a scale",
    "sign": "The sign is reversed",
    "period": "The figure of another period",
    "property": "The figure of another property",
    "metric": "The figure of another metric",
}
LABELS = {"database": "Database", "document": "Document", "derived": "Computed"}
OTHER = re.compile(r"[^\d.]")
HELD = {
    "rounding": "within its own rounding",
    "tolerance": "outside its own rounding, within the tolerance",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """One part of what a number is about: its name, its value and whether both sides agree."""

    name: str
    value: str
    same: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Claimed / database / difference / tolerance, ready to print (F01); ``held`` says which tolerance held."""

    label: str
    claimed: Runs
    expected: Runs
    difference: str
    percent: str
    tolerance: str
    held: str
    as_written: str
    normalised: str
    rounding: str
    scopes: tuple[Scope, ...]
    record: str
    as_of: str
    arithmetic: str


@dataclass(frozen=True, slots=True)
class Look:
    """One thing a number was compared with besides: what it says, where, how far off; ``written`` is how a source
    has it, ``says`` a recognised mistake in words, ``own`` whether it is what the claim speaks of."""

    label: str
    value: str
    where: str
    written: str
    difference: str
    says: str
    arithmetic: str
    own: bool


def comparison(claim: Result, about: Mapping[str, str]) -> Comparison | None:
    """The grid of a numeric claim; None for a statement or when there was nothing to compare with.

    ``about`` has the ``property`` code and ``period`` label that the answer is about.
    """
    numeric = claim.get("numeric")
    if not numeric or numeric.get("expected") in (None, ""):
        return None
    item = matched(claim)
    origin = str(item.get("origin") or ("document" if item.get("source") else "database"))
    unit = str(numeric.get("unit") or "")
    one, other, difference, share = _sides(str(numeric["value"]), str(numeric["expected"]), unit)
    left, right = differing(one, other)
    return Comparison(
        label=LABELS.get(origin, "Expected"),
        claimed=left,
        expected=right,
        difference=difference,
        percent=share,
        tolerance=_tolerance(claim["kind"], numeric),
        held=HELD.get(str(numeric.get("held_by")), "") if claim["kind"] != "date" else "",
        as_written=str(claim["text"]),
        normalised=f"{one} {unit}".strip() if unit not in figures.UNITS else one,
        rounding=_rounding(numeric),
        scopes=_scopes(numeric, item, about),
        record=_record(item),
        as_of=_moment(str(item.get("as_of") or "")),
        arithmetic=str(numeric.get("arithmetic") or item.get("arithmetic") or ""),
    )


def matched(claim: Result) -> Result:
    """The candidate that the expected value comes from: the matched one, else the first of the claim's own
    slot with that value, else the first."""
    items: Sequence[Result] = claim.get("evidence") or []
    expected = figures.decimal((claim.get("numeric") or {}).get("expected"))
    same = [i for i in items if expected is not None and figures.decimal(i.get("value")) == expected]
    chosen = (
        [i for i in items if i.get("matched") and i.get("same", True)]
        or [i for i in same if i.get("same", True)]
        or same
    )
    return (chosen or items or [{}])[0]


def _sides(value: str, expected: str, unit: str) -> tuple[str, str, str, str]:
    claimed, known = figures.decimal(value), figures.decimal(expected)
    if claimed is None or known is None:
        return value, expected, "", ""
    one, other = figures.together(claimed, known, unit)
    gap, share = claimed - known, figures.relative(claimed, known)
    digits = figures.digits_for(claimed, known, unit)
    return (
        one,
        other,
        figures.grouped(gap, digits, sign=bool(gap)),
        figures.percent(share) if gap and share else "",
    )


def _tolerance(kind: str, numeric: Result) -> str:
    tolerance = figures.decimal(numeric.get("tolerance"))
    if tolerance is None:
        return ""
    if kind == "date":
        return f"± {tolerance.normalize():f} days"
    return f"± {(tolerance * 100).normalize():f} % of the value"


def _rounding(numeric: Result) -> str:
    precision = figures.decimal(numeric.get("precision"))
    if not precision:
        return ""
    return f"± {figures.grouped(precision, figures.places(precision))} by its own rounding"


def _scopes(numeric: Result, item: Result, about: Mapping[str, str]) -> tuple[Scope, ...]:
    asked = {
        "metric": numeric.get("metric"),
        "property": about.get("property"),
        "period": numeric.get("period") or about.get("period"),
        "unit": numeric.get("unit"),
    }
    there = {
        "metric": item.get("field"),
        "property": item.get("property"),
        "period": item.get("period"),
        "unit": item.get("unit"),
    }
    measured = bool(item.get("same", True)) and item.get("origin") in ("document", "derived")
    return tuple(
        Scope(name, words(str(there[name])), not wanted or measured or _same(str(wanted), str(there[name])))
        for name, wanted in asked.items()
        if there[name]
    )


def _same(one: str, other: str) -> bool:
    return one.replace(" ", "").replace("-", "").casefold() in (
        other.replace(" ", "").replace("-", "").casefold(),
        "".join(reversed(other.casefold().split())),
    )


def words(name: str) -> str:
    """``net_operating_income`` as people read it."""
    return name.replace("_", " ")


def _moment(iso: str) -> str:
    """An ISO date as it is, an ISO time to the minute: ``2024-11-04 09:30 UTC``."""
    return f"{iso[:10]} {iso[11:16]} UTC" if iso[10:11] == "T" else iso


def _record(item: Result) -> str:
    return f"{item['record']} {item.get('id', '')}".strip() if item.get("record") else ""


def slip(claim: Result) -> tuple[str, str]:
    """A recognised mistake in words and the reason code it suggests; nothing for a claim that holds."""
    slips = claim.get("slips") or []
    if claim.get("status") != "contradicted" or not slips or slips[0].get("code") not in SLIPS:
        return "", ""
    code = slips[0]["code"]
    detail = f"{SLIPS[code]}: {slips[0]['text']}" if slips[0].get("text") else claim.get("reason")
    return str(detail or SLIPS[code]), SLIP_REASONS[code]


def searched(claim: Result, about: str) -> list[str]:
    """What was looked at for a number that nothing was found for, and what was not."""
    facts = claim.get("searched") or {}
    lines = {
        "ok": f"The figures of record{f' of {about}' if about else ''}, and their neighbours.",
        "unavailable": "The database could not be read; it was not compared.",
        "not_asked": "The database was not asked: the answer names no property.",
    }
    read, left = facts.get("sources_read") or 0, facts.get("sources_left") or 0
    return [
        *([lines[facts["database"]]] if facts.get("database") in lines else []),
        *([f"{read} source{'s' if read != 1 else ''} read."] if facts else []),
        *([f"{left} source{'s' if left != 1 else ''} left unread, over the limit."] if left else []),
        *(["Time ran out before everything was read."] if facts.get("timed_out") else []),
    ]


def looked_at(claim: Result) -> list[Look]:
    """What else the number was compared with, recognised mistakes first."""
    return [_look(item) for item in claim.get("looked_at") or []]


def _look(item: Result) -> Look:
    value, share = figures.decimal(item.get("value")), figures.decimal(item.get("deviation"))
    source = f"source {item['source']}" if item.get("source") else ""
    written = str(item.get("text") or item.get("value") or "")
    return Look(
        label=LABELS.get(str(item.get("origin")), ""),
        value=written if value is None else figures.together(value, value, str(item.get("unit") or ""))[0],
        where=" · ".join(part for part in (str(item.get("slot") or ""), source) if part),
        written=written if item.get("source") and not _says(written, value) else "",
        difference=_apart(share, item.get("days")),
        says=str(item.get("says") or SLIPS.get(str(item.get("slip")), "")),
        arithmetic=str(item.get("arithmetic") or ""),
        own=bool(item.get("own", True)),
    )


def _says(written: str, value: Decimal | None) -> bool:
    """Whether digits as written are those of the value, or there is no value beside them."""
    plain = figures.decimal(OTHER.sub("", written))
    return value is None or (plain is not None and plain == abs(value))


def _apart(share: Decimal | None, days: Any) -> str:
    """A signed share of the value in per cent, or days; the same in words."""
    if days:
        most = max(days)
        return f"{most} day{'s' if most != 1 else ''}" if most else "the same"
    if share is None:
        return ""
    return figures.deviation(float(share)) or "the same"


def read_as(claim: Result, about: Mapping[str, str]) -> str:
    """What a number was read as: its metric, period and property, as far as they are known."""
    numeric = claim.get("numeric") or {}
    if claim.get("kind") == "date" or not numeric:
        return ""
    metric = numeric.get("metric_name") or words(str(numeric.get("metric") or "")) or "no metric named"
    period = period_words(str(numeric.get("period") or "")) or about.get("period", "")
    return " · ".join(
        part for part in (metric, period, numeric.get("property") or about.get("property")) if part
    )


def period_words(iso: str) -> str:
    """``2024-Q3`` as ``Q3 2024``; what has no such form stays."""
    year, dash, part = iso.partition("-")
    return f"{part} {year}" if dash and part[:1] in ("Q", "H") else iso
