"""What a place of the sources is called in words that an analyst reads: its row's label and its period (NUM-08)."""

from collections.abc import Mapping
from decimal import Decimal

import regex

from detection.core.binding import ALIASES, KINDS
from detection.core.chunks.places import Place, Words
from detection.core.chunks.source_periods import shortest
from detection.core.numbers import misreading
from detection.core.types import Candidate, NumericClaim

_REACH = 600  # characters before a value in which the label of its row is looked for
_ROW = regex.compile(r"<tr\b[^>]*>|\n", regex.IGNORECASE)
_CELLS = regex.compile(r"<[^>]*>|[|\t,;]|\s{2,}")
_LETTER = regex.compile(r"\p{L}")
_LONGEST = 60
_UNITS = {"percentage": "%", "ratio": "x"}
_NAMED = {name: metric for metric, names in ALIASES.items() for name in names}


def label_of(place: Place, text: str) -> str | None:
    """The label of a cell's row as ``text``, its source, writes it; None for running text and rows without one."""
    if place.table < 0:
        return None
    before = text[max(0, place.start - _REACH) : place.start]
    starts = [found.end() for found in _ROW.finditer(before)]
    row = before[starts[-1] :] if starts else before
    cells = (cell.strip(" *_\"'") for cell in _CELLS.split(row))
    label = next((cell for cell in cells if _LETTER.search(cell)), "")
    return label if 0 < len(label) <= _LONGEST else None


def with_unit(place: Place, known: Mapping[Words, frozenset[str]], text: str) -> Place:
    """The place; a bare cell whose row is called by the name of a rate or a ratio, and nothing else, has its unit.

    ``known`` are the metrics that the words of a row name; where they name several, the row as ``text`` writes it decides.
    """
    if place.unit or place.table < 0:
        return place
    metrics = known.get(place.row)
    if not metrics:
        return place
    if len({KINDS.get(metric) for metric in metrics}) > 1:
        metrics = frozenset((_NAMED.get((label_of(place, text) or "").lower(), ""),))
    units = {_UNITS.get(KINDS.get(metric, "currency"), "") for metric in metrics}
    unit = units.pop() if len(units) == 1 else ""
    return place._replace(unit=unit, scale=Decimal(1)) if unit else place


def period_of(place: Place) -> str | None:
    """The period of a place as people write it, else its year."""
    return shortest(place.periods) or max(place.years, default=None)


def equals(shown: Candidate) -> str:
    """``equals Q3 2024 NOI (source S0)``: what a value is in the place where it stands; empty for one without a label."""
    slot = " ".join(part for part in (shown.period, shown.field) if part)
    return f"equals {slot} (source {shown.source})" if shown.field else ""


def misread(code: str, number: NumericClaim, shown: Candidate) -> str:
    """``is NOI of Q3 2024 times 1,000 (source S0)``: what became of the right value; empty for one without a label."""
    if shown.value is None or shown.field is None:
        return ""
    name = f"{shown.field} of {shown.period}" if shown.period else shown.field
    return f"{misreading(code, Decimal(number.value), shown.value, name)} (source {shown.source})"
