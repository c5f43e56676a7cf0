"""A number beside what it should be: claimed, expected, difference, tolerance, and what else was looked at.

Reads the rendered Result (one claim's dictionary); decides nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.display import figures, slots
from reviews.display.highlights import differing
from reviews.display.metric_names import metric_name
from reviews.display.slots import Slot
from reviews.display.wording import SLIP_REASONS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Runs = list[tuple[str, bool]]
Result = Mapping[str, Any]

SLIPS: "dict[str, StrOrPromise]" = {
    "transposed": _("Digits transposed"),
    "scale": _("Off by a scale"),
    "sign": _("The sign is reversed"),
    "period": _("The figure of another period"),
    "property": _("The figure of another property"),
    "metric": _("The figure of another metric"),
    "role": _("Another role: a limit or a plan for what came about, or the other way round"),
    "unit": _("The value per another unit"),
    "bound": _("A bound, not the value"),
}
LABELS: "dict[str, StrOrPromise]" = {
    "database": _("Database"),
    "document": _("Document"),
    "derived": _("Computed"),
}
HELD: "dict[str, StrOrPromise]" = {
    "rounding": _("within its own rounding"),
    "tolerance": _("outside its own rounding, within the tolerance"),
    "approximation": _("about as large, as the answer says"),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Claimed / database / difference / tolerance, ready to print (F01); ``tolerance`` is empty where none was applied,
    ``held`` says what let the number hold."""

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
    slots: tuple[Slot, ...]
    record: str
    as_of: str
    arithmetic: str


def comparison(claim: Result) -> Comparison | None:
    """The grid of a numeric claim; None for a statement or when there was nothing to compare with."""
    numeric = claim.get("numeric")
    if not numeric or numeric.get("expected") in (None, ""):
        return None
    item = matched(claim)
    origin = str(item.get("origin") or ("document" if item.get("source") else "database"))
    unit = str(numeric.get("unit") or "")
    one, other, difference, share = _sides(str(numeric["value"]), str(numeric["expected"]), unit)
    left, right = differing(one, other)
    return Comparison(
        label=str(LABELS.get(origin, gettext("Expected"))),
        claimed=left,
        expected=right,
        difference=difference,
        percent=share,
        tolerance=_tolerance(claim["kind"], numeric),
        held=str(HELD.get(str(numeric.get("held_by")), "")) if claim["kind"] != "date" else "",
        as_written=str(claim["text"]),
        normalised=f"{one} {unit}".strip() if unit not in figures.UNITS else one,
        rounding=_rounding(numeric),
        slots=_slots(claim, item),
        record=_record(item),
        as_of=_moment(str(item.get("as_of") or "")),
        arithmetic=str(numeric.get("arithmetic") or item.get("arithmetic") or ""),
    )


def without_conclusions(compared: Comparison) -> Comparison:
    """Both values and what they are of, for a blind pass: whether they agree is for the reviewer to say."""
    return replace(
        compared,
        claimed=[("".join(text for text, _differs in compared.claimed), False)],
        expected=[("".join(text for text, _differs in compared.expected), False)],
        difference="",
        percent="",
        held="",
        slots=slots.without_conclusions(compared.slots),
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
    """The tolerance that was applied; what held by its own rounding needed none."""
    tolerance = figures.decimal(numeric.get("tolerance"))
    if tolerance is None or numeric.get("held_by") == "rounding":
        return ""
    if kind == "date":
        return gettext("%(n)s days") % {"n": figures.apart(f"± {tolerance.normalize():f}")}
    share = figures.apart(f"± {(tolerance * 100).normalize():f} %")
    return gettext("%(share)s of the value") % {"share": share}


def _rounding(numeric: Result) -> str:
    precision = figures.decimal(numeric.get("precision"))
    if not precision:
        return ""
    value = figures.apart(f"± {figures.grouped(precision, figures.places(precision))}")
    return gettext("%(value)s by its own rounding") % {"value": value}


def _slots(claim: Result, item: Result) -> tuple[Slot, ...]:
    """The slots as they were compared; of a result without them what the evidence names, without a word on what agrees."""
    if claim.get("slots"):
        return slots.slots(claim["slots"])
    named = (("metric", "field"), ("property", "property"), ("period", "period"), ("unit", "unit"))
    return slots.slots([{"slot": slot, "states": item[key]} for slot, key in named if item.get(key)])


def _moment(iso: str) -> str:
    """An ISO date as it is, an ISO time to the minute: ``2024-11-04 09:30 UTC``."""
    return f"{iso[:10]} {iso[11:16]} UTC" if iso[10:11] == "T" else iso


def _record(item: Result) -> str:
    return f"{item['record']} {item.get('id', '')}".strip() if item.get("record") else ""


def slip(claim: Result) -> tuple[str, str]:
    """A recognised mistake in a few words and the reason code it suggests; nothing for a claim that holds. How it came
    about is told in the claim's reason, in the reader's language; what older results say of it is English."""
    slips = claim.get("slips") or []
    if claim.get("status") != "contradicted" or not slips or slips[0].get("code") not in SLIPS:
        return "", ""
    code = slips[0]["code"]
    return str(SLIPS[code]), SLIP_REASONS[code]


def read_as(claim: Result, about: Mapping[str, str]) -> str:
    """What a number of an older result, which has no slots, was read as: its metric, period and property, as far as they
    are known."""
    numeric = claim.get("numeric") or {}
    if claim.get("kind") == "date" or not numeric or claim.get("slots"):
        return ""
    unbound = gettext("no metric named") if claim.get("finding") == "unbound" else ""
    metric = metric_name(str(numeric.get("metric_name") or numeric.get("metric") or "")) or unbound
    period = period_words(str(numeric.get("period") or "")) or about.get("period", "")
    known = (metric, period, numeric.get("property") or about.get("property"))
    return " · ".join(part for part in known if part)


def period_words(iso: str) -> str:
    """``2024-Q3`` as ``Q3 2024``; what has no such form stays."""
    year, dash, part = iso.partition("-")
    return f"{part} {year}" if dash and part[:1] in ("Q", "H") else iso
