"""What is shown beside a claim: the comparison of a number, the chunks, the information budget.

Reads the rendered Result (one claim's dictionary) and the answer's sources; decides nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from detection.core.text import direction
from detection.models import Source
from reviews import figures
from reviews.highlights import Piece, Span, cut, differing, window
from reviews.source_tables import Block, blocks, is_table, whole_lines
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
CHUNKS = 4
COLUMNS = re.compile(r"\S(?: {2,}|\t| \| )\S")
"""What parts the cells of a table in plain text; such a source is shown with even columns."""


@dataclass(frozen=True, slots=True)
class Scope:
    """One part of what a number is about: its name, its value and whether both sides agree."""

    name: str
    value: str
    same: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Claimed / database / difference / tolerance, ready to print (F01)."""

    label: str
    claimed: Runs
    expected: Runs
    difference: str
    percent: str
    tolerance: str
    as_written: str
    normalised: str
    rounding: str
    scopes: tuple[Scope, ...]
    record: str
    as_of: str
    arithmetic: str
    slip: str
    slip_reason: str
    candidate: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A source as shown: its pieces, those with the key ``match`` being the matching span; ``blocks`` when
    there are tables in it, and ``columns`` when spaces part its columns."""

    ref: str
    title: str
    page: str
    role: str
    score: str
    direction: str
    pieces: tuple[Piece, ...]
    before: str
    after: str
    columns: bool = False
    blocks: tuple[Block, ...] = ()


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
    slip, slip_reason = _slip(claim)
    left, right = differing(one, other)
    return Comparison(
        label=LABELS.get(origin, "Expected"),
        claimed=left,
        expected=right,
        difference=difference,
        percent=share,
        tolerance=_tolerance(claim["kind"], numeric),
        as_written=str(claim["text"]),
        normalised=f"{one} {unit}".strip() if unit not in figures.UNITS else one,
        rounding=_rounding(numeric),
        scopes=_scopes(numeric, item, about),
        record=_record(item),
        as_of=_moment(str(item.get("as_of") or "")),
        arithmetic=str(numeric.get("arithmetic") or item.get("arithmetic") or ""),
        slip=slip,
        slip_reason=slip_reason,
        candidate=other,
    )


def matched(claim: Result) -> Result:
    """The candidate that the expected value comes from: the matched one, else the first of the claim's own
    slot with that value, else the first."""
    items: Sequence[Result] = claim.get("evidence") or []
    expected = figures.decimal((claim.get("numeric") or {}).get("expected"))
    same = [i for i in items if expected is not None and figures.decimal(i.get("value")) == expected]
    chosen = [i for i in items if i.get("matched")] or [i for i in same if i.get("same", True)] or same
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
    return tuple(
        Scope(name, words(str(there[name])), not wanted or _same(str(wanted), str(there[name])))
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


def _slip(claim: Result) -> tuple[str, str]:
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


def nearest(claim: Result) -> list[str]:
    """The candidates that came closest, as text."""
    found = []
    for item in (claim.get("evidence") or [])[:3]:
        place = f"source {item['source']}" if item.get("source") else words(str(item.get("field") or ""))
        place = ", ".join(part for part in (place, str(item.get("period") or "")) if part)
        value = figures.decimal(item.get("value"))
        shown = (
            str(item.get("text") or "")
            if value is None
            else figures.alone(value, str(item.get("unit") or ""))
        )
        found.append(f"{shown} ({place})" if place else shown)
    return found


def source_refs(claim: Result) -> list[str]:
    """The sources to show for a claim, the matched first, then the cited, then the best overlap."""
    found = [str(i["source"]) for i in _shown_spans(claim)]
    best = (claim.get("grounding") or {}).get("source")
    wanted = [*found, *map(str, claim.get("citations") or []), *([str(best)] if best else [])]
    return list(dict.fromkeys(wanted))[:CHUNKS]


def _shown_spans(claim: Result) -> list[Result]:
    """The document candidates worth marking: those that say the expected value, else those of the slot."""
    documents = [i for i in claim.get("evidence") or [] if i.get("source")]
    expected = figures.decimal((claim.get("numeric") or {}).get("expected"))
    return [i for i in documents if i.get("matched") or figures.decimal(i.get("value")) == expected] or [
        i for i in documents if i.get("same", True)
    ]


def chunk(source: Source, claim: Result) -> Chunk:
    """A source with the claim's matching spans marked, cut to what surrounds them."""
    spans = [
        (int(i["start"]), int(i["end"]))
        for i in _shown_spans(claim)
        if i["source"] == source.ref and i.get("start") is not None and i.get("end") is not None
    ]
    start, end = window(source.text, spans)
    if is_table(source.text[start:end]):
        start, end = whole_lines(source.text, start, end)
    shown = source.text[start:end]
    marks = [Span(s - start, e - start, "match") for s, e in spans]
    tables = blocks(shown, marks) if is_table(shown) else ()
    roles = ["cited"] if source.ref in (claim.get("citations") or []) else []
    roles += ["best overlap"] if (claim.get("grounding") or {}).get("source") == source.ref else []
    page = source.metadata.get("page") if isinstance(source.metadata, dict) else None
    return Chunk(
        ref=source.ref,
        title=source.title,
        page=str(page) if page not in (None, "") else "",
        role=", ".join(roles) or "matched",
        score=f"{source.score:.2f}" if source.score is not None else "",
        direction=direction(source.text),
        pieces=tuple(cut(shown, marks)),
        before=source.text[:start],
        after=source.text[end:],
        columns=not tables and len(COLUMNS.findall(shown)) >= 4,
        blocks=tables,
    )
