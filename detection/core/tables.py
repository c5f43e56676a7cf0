"""Tables in source text: headings above, labels left, values in the cells (NUM-06).

Cells are divided by ``|`` or tabs. A cell knows the words of its row and its column, the years they name, and
the scale and the unit that the table declares for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import regex

from detection.core.number_words import CURRENCY_SIGNS
from detection.core.places import BILLION, MILLION, THOUSAND, Place, declared_scale, words, years

_ONE = Decimal(1)
_EXCEPT = regex.compile(r"except\s[^|()]{0,80}")
_PER_UNIT = regex.compile(
    r"per\s(?:basic\s|diluted\s|common\s|ordinary\s)?(?:share|unit|square)|\bratio\b|\btimes\b|[%]|\bper\s?cent|percentage|\brate\b|\bmargin\b|\bheadcount\b|employees"
)
_PERCENT = regex.compile(
    r"[%]|\bper\s?cent|percentage|\brates?\b|\bmargin\b|\byield\b|growth|שיעור|אחוז|率|比例"
)


_CELL = regex.compile(
    r"[\s*]*+(?P<neg>-)?\s*+(?P<sign>us\s?\$|[$€£¥₪₹]|usd|eur|gbp)?\s*+(?P<open>[(\-–])?\s*+(?P<sign2>[$€£¥₪])?\s*+(?P<digits>\d[\d,.]*+|\.\d++)\s*+(?P<percent>%)?\s*+\)?\s*+(?P<unit>%|x|×|pts?|bps|million|billion|thousand|m|bn|k)?\s*+(?:\(\w{1,2}\)|\*)?[\s*]*+"
)
_PLAIN = regex.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,18}(?:\.\d{1,18})?|\.\d{1,18}|\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?"
)
BAR = regex.compile(r"[|\t]")
BARE_YEAR = regex.compile(r"(?:19|20)\d\d")
_UNIT_SCALES = {
    "million": MILLION,
    "m": MILLION,
    "billion": BILLION,
    "bn": BILLION,
    "thousand": THOUSAND,
    "k": THOUSAND,
}


@dataclass(frozen=True, slots=True)
class _Value:
    value: Decimal
    unit: str
    scale: Decimal | None


def _cell_value(text: str) -> _Value | None:
    found = _CELL.fullmatch(text)
    if found is None or len(text) > 60:
        return None
    plain = _PLAIN.fullmatch(found["digits"].rstrip(".,"))
    if plain is None:
        return None
    value = Decimal(plain.group().replace(",", ""))
    sign = found["sign"] or found["sign2"]
    unit = (
        "%" if found["percent"] or found["unit"] == "%" else CURRENCY_SIGNS.get(sign, "USD") if sign else ""
    )
    if found["unit"] in ("x", "×"):
        unit = "x"
    negative = found["neg"] or found["open"]
    return _Value(-value if negative else value, unit, _UNIT_SCALES.get(found["unit"] or ""))


class Table:
    """One table of a chunk, read row by row: headings above, labels left, values in the cells."""

    def __init__(self, source: str, lines: list[tuple[int, str]], number: int, chunk: str) -> None:
        self.source, self.number = source, number
        self.rows = [_cells(start, line) for start, line in lines]
        self.headings: dict[int, str] = {}
        self.section = ""
        self.scale: Decimal | None = None
        self.currency = ""
        self.caption = chunk[max(0, lines[0][0] - 300) : lines[0][0]]

    def places(self) -> list[Place]:
        """The value cells with their words."""
        found: list[Place] = []
        started = False
        for line, row in enumerate(self.rows):
            values = [
                (index, cell, _cell_value(cell[2]))
                for index, cell in enumerate(row)
                if index or len(row) == 1
            ]
            filled = [cell for cell in row if cell[2].strip(" -—–:|")]
            if self._is_heading(row, values, started):
                self._head(row, reset=started)
                started = False
            elif len(filled) == 1 and filled[0] is row[0]:
                self.section = row[0][2]
            elif filled:
                started = True
                found += self._row(line, row, values)
        return found

    def _is_heading(self, row: list[tuple[int, int, str]], values: list[Any], started: bool) -> bool:
        counted = [value for _, _, value in values if value is not None]
        body = [cell[2].strip() for cell in row[1:] if cell[2].strip()]
        if not body:
            return not started and (declared_scale(row[0][2]) is not None or not row[0][2].strip())
        if not counted:
            return not started or not row[0][2].strip()
        every_year = all(BARE_YEAR.fullmatch(text) or _cell_value(text) is None for text in body)
        return every_year and (not started or not row[0][2].strip() or declared_scale(row[0][2]) is not None)

    def _head(self, row: list[tuple[int, int, str]], reset: bool) -> None:
        if reset:
            self.headings = {}
        named = [index for index, cell in enumerate(row) if cell[2].strip() and index]
        for index in range(1, len(row)):
            if named:
                nearest = min(named, key=lambda place: (abs(place - index), -place))
                text = row[nearest][2] if len(named) > 1 or row[index][2].strip() or len(named) == 1 else ""
                self.headings[index] = f"{self.headings.get(index, '')} {text}"
        whole = " ".join(cell[2] for cell in row)
        self.scale = declared_scale(whole) or self.scale
        sign = regex.search(r"[$€£₪]", whole)
        self.currency = CURRENCY_SIGNS[sign.group()] if sign else self.currency
        self.headings[0] = f"{self.headings.get(0, '')} {row[0][2]}"

    def _row(self, line: int, row: list[tuple[int, int, str]], values: list[Any]) -> Iterator[Place]:
        label = row[0][2]
        scale = declared_scale(label) or self.scale or declared_scale(self.caption)
        named, section = words(label), words(self.section)
        of_row = years(label)
        for index, (start, end, _), value in values:
            if value is None:
                continue
            heading = self.headings.get(index, "")
            yield Place(
                self.source, start, end, "", value.value, _unit(value, label, heading) or self.currency,
                _own_scale(value, label, heading, scale), named, words(heading), years(heading) or of_row,
                self.number, line, index, section,
            )  # fmt: skip


def _unit(value: _Value, label: str, heading: str) -> str:
    percent = _PERCENT.search(heading) or (_PERCENT.search(label) and abs(value.value) <= 1000)
    return value.unit or ("%" if percent else "")


def _own_scale(value: _Value, label: str, heading: str, scale: Decimal | None) -> Decimal | None:
    """The cell's own scale, 1 for what is counted for each share or in per cent, else what the headings declare."""
    if value.scale is not None:
        return value.scale
    if _PER_UNIT.search(_EXCEPT.sub("", f"{label} {heading}")):
        return _ONE
    return declared_scale(heading) or scale


def _cells(start: int, line: str) -> list[tuple[int, int, str]]:
    """The cells of a line as (start, end, text), trimmed."""
    cells, low = [], 0
    for bar in [*[match.start() for match in BAR.finditer(line)], len(line)]:
        text = line[low:bar]
        left = len(text) - len(text.lstrip())
        right = len(text.rstrip())
        cells.append((start + low + left, start + low + max(left, right), text.strip()))
        low = bar + 1
    return cells
