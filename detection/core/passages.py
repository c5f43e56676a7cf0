"""What a source chunk says in numbers: each number of its tables and of its text with the words it stands among (NUM-06).

A table is a run of lines whose cells are divided by ``|`` or tabs. A cell knows the words of its row and its
column, the years they name, and the scale and the unit that the table declares for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import regex

from detection.core import numbers
from detection.core.folding import fold
from detection.core.metrics import bind_periods
from detection.core.number_words import CURRENCY_SIGNS
from detection.core.types import Kind, NumericClaim

Words = frozenset[str]
_THOUSAND, _MILLION, _BILLION = Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9


@dataclass(frozen=True, slots=True)
class Place:
    """A number of a source, where it stands, and what stands around it.

    ``value`` is as written (sign included), ``scale`` what the table or the text multiplies it by (None: not
    declared). ``unit`` is ``%``, ``pp``, ``x``, an ISO 4217 code or empty. ``row`` and ``column`` are the words
    that name it; text numbers have only ``row``. ``table`` is -1 for text, else the table's number in its chunk.
    """

    source: str
    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    scale: Decimal | None
    row: Words
    column: Words
    years: Words
    table: int = -1
    line: int = 0
    cell: int = 0
    section: Words = frozenset()
    date: NumericClaim | None = None


_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "in",
        "for",
        "and",
        "or",
        "to",
        "at",
        "on",
        "by",
        "was",
        "were",
        "is",
        "are",
        "be",
        "been",
        "has",
        "have",
        "had",
        "with",
        "from",
        "as",
        "its",
        "their",
        "this",
        "that",
        "it",
        "which",
        "what",
        "how",
        "much",
        "many",
        "did",
        "does",
        "do",
        "between",
        "than",
        "compared",
        "year",
        "years",
        "ended",
        "ending",
        "during",
        "respectively",
        "amount",
        "value",
        "number",
    ]
)
_WORD = regex.compile(
    r"[a-z][a-z'&/]*[a-z]|[a-z]|[א-ת][א-ת\"']*|\p{Han}|(?<![\d.,])\d{1,3}(?:\.\d+)?(?![\d.,]\d|\d)"
)
_YEAR = regex.compile(r"(?<![\d.,$])(?:(?:19|20)\d\d)(?![\d.,]\d|\d)|(?<=\b(?:fy|f))\d\d(?!\d)")


def words(text: str) -> Words:
    """The content words of ``text``, folded to one form each."""
    found = set()
    for word in _WORD.findall(fold(text)[0]):
        for part in word.split("/"):
            part = part.removesuffix("'s").strip("'&\"")
            if part and part not in _STOP:
                found.add(_stem(part))
    return frozenset(found)


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if "א" <= word[0] <= "ת" and len(word) > 4 and word[0] in "הבלמוש":
        return word[1:]
    return word


def years(text: str) -> Words:
    """The years that ``text`` names; ``FY19`` is 2019."""
    return frozenset(year if len(year) == 4 else f"20{year}" for year in _YEAR.findall(text.lower()))


_SCALE = regex.compile(
    r"(?:in|of|\(|us\s?\$|[$€£¥₪]|usd|eur|gbp|rmb|dollars|amounts?|expressed|stated|euro)\s?(?:us\s)?(?:[$€£]\s?)?(?:(?P<k>thousands?|k\b|000\b|'000s?|000's)|(?P<m>millions?|mn?\b|mm\b)|(?P<b>billions?|bn\b))"
    r"|(?P<k>\bthousands\b|'000\b|\b000s\b|באלפי|אלפי\s(?:ש|דולר|שקל)|千元|千美元)|(?P<m>\bmillions\b|במיליוני|מיליוני\s(?:ש|דולר|שקל)|百万元|百萬元|百万美元)|(?P<w>万元|萬元|万美元)|(?P<b>\bbillions\b|十亿元|亿元)"
)
_PER_UNIT = regex.compile(
    r"per\s(?:basic\s|diluted\s|common\s|ordinary\s)?(?:share|unit|square)|\bratio\b|\btimes\b|[%]|\bper\s?cent|percentage|\brate\b|\bmargin\b|\bheadcount\b|employees"
)
_PERCENT = regex.compile(
    r"[%]|\bper\s?cent|percentage|\brates?\b|\bmargin\b|\byield\b|growth|שיעור|אחוז|率|比例"
)


def declared_scale(text: str) -> Decimal | None:
    """The scale a heading declares (``in thousands``, ``$ million``, ``£m``, ``באלפי ש"ח``); None for none."""
    found = _SCALE.search(text)
    if found is None:
        return None
    return {"k": _THOUSAND, "m": _MILLION, "b": _BILLION, "w": Decimal(10) ** 4}[found.lastgroup or "k"]


_CELL = regex.compile(
    r"[\s*]*+(?P<neg>-)?\s*+(?P<sign>us\s?\$|[$€£¥₪₹]|usd|eur|gbp)?\s*+(?P<open>[(\-–])?\s*+(?P<sign2>[$€£¥₪])?\s*+(?P<digits>\d[\d,.]*+|\.\d++)\s*+(?P<percent>%)?\s*+\)?\s*+(?P<unit>%|x|×|pts?|bps|million|billion|thousand|m|bn|k)?\s*+(?:\(\w{1,2}\)|\*)?[\s*]*+"
)
_PLAIN = regex.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,18}(?:\.\d{1,18})?|\.\d{1,18}|\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?"
)
_LINE = regex.compile(r"[^\n]*\n?")
_BAR = regex.compile(r"[|\t]")
_BARE_YEAR = regex.compile(r"(?:19|20)\d\d")
_UNIT_SCALES = {
    "million": _MILLION,
    "m": _MILLION,
    "billion": _BILLION,
    "bn": _BILLION,
    "thousand": _THOUSAND,
    "k": _THOUSAND,
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


def read(source: str, text: str) -> list[Place]:
    """Every number of a chunk: its tables' cells and its text's claims, dates among them."""
    folded, origin = fold(text)
    places: list[Place] = []
    prose: list[tuple[int, int]] = []
    table: list[tuple[int, str]] = []
    tables = 0
    for line in _LINE.finditer(folded):
        if _BAR.search(line.group()):
            table.append((line.start(), line.group().rstrip("\n")))
            continue
        if table:
            places += _Table(source, table, tables, folded).places()
            tables, table = tables + 1, []
        if line.group():
            prose.append(line.span())
    if table:
        places += _Table(source, table, tables, folded).places()
    for start, end in prose:
        places += _prose(source, folded, start, end)
    return [_original(place, text, origin) for place in places]


def _original(place: Place, text: str, origin: list[int] | None) -> Place:
    start, end = place.start, place.end
    if origin is not None:
        start, end = origin[start], origin[end - 1] + 1
    return replace(place, start=start, end=end, text=text[start:end])


_SENTENCE_END = regex.compile(
    r"(?<![A-Za-z]\.[A-Za-z])(?<!\b(?:no|inc|corp|vs))\s?[.!?;](?=\s+\S)|[。！？；]"
)


def _prose(source: str, folded: str, start: int, end: int) -> Iterator[Place]:
    cuts = [match.end() for match in _SENTENCE_END.finditer(folded, start, end)]
    found = numbers.extract(folded[start:end])
    low = start
    for high in [*cuts, end]:
        inside = [claim for claim in found if low <= claim.start + start < high]
        if inside:
            context = words(folded[low:high])
            named = years(folded[low:high])
            for claim, period in zip(inside, bind_periods(inside), strict=True):
                yield _stated(
                    source, claim, start, context, frozenset((period[:4],)) if period else named, low
                )
        low = high


def _stated(source: str, claim: NumericClaim, offset: int, context: Words, named: Words, line: int) -> Place:
    date = claim if claim.kind == "date" else None
    value = claim.value if isinstance(claim.value, Decimal) else Decimal(0)
    start, end = claim.start + offset, claim.end + offset
    return Place(
        source,
        start,
        end,
        claim.text,
        value,
        claim.unit,
        Decimal(1),
        context,
        frozenset(),
        named,
        line=line,
        date=date,
    )


class _Table:
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
        every_year = all(_BARE_YEAR.fullmatch(text) or _cell_value(text) is None for text in body)
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
            unit = value.unit or (
                "%"
                if _PERCENT.search(heading) or (_PERCENT.search(label) and abs(value.value) <= 1000)
                else ""
            )
            own = value.scale or (
                None if _PER_UNIT.search(f"{label} {heading}") else declared_scale(heading) or scale
            )
            if _PER_UNIT.search(f"{label} {heading}") and value.scale is None:
                own = Decimal(1)
            yield Place(
                self.source, start, end, "", value.value, unit or self.currency,
                own, named, words(heading), years(heading) or of_row, self.number, line, index, section,
            )  # fmt: skip


def _cells(start: int, line: str) -> list[tuple[int, int, str]]:
    """The cells of a line as (start, end, text), trimmed."""
    cells, low = [], 0
    for bar in [*[match.start() for match in _BAR.finditer(line)], len(line)]:
        text = line[low:bar]
        left = len(text) - len(text.lstrip())
        right = len(text.rstrip())
        cells.append((start + low + left, start + low + max(left, right), text.strip()))
        low = bar + 1
    return cells


def kind_of(place: Place) -> Kind:
    """The kind of claim a place can support first; a bare cell counts as a number."""
    if place.date is not None:
        return "date"
    if place.unit in ("%", "pp"):
        return "percentage"
    return "ratio" if place.unit == "x" else "currency" if place.unit else "number"
