"""Markdown tables of the contrast pairs as scenes of which sentences can be told: lists of rows with measures, and lines over
periods.

A table is left out where it is not plain in which unit its values are: what is told of a scene must be true.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

from benchmarks.contrast_screening import read_rows

Kind = Literal["L", "P"]
_CURRENCY = r"(?:US\$|A\$|C\$|NZ\$|HK\$|S\$|\$|€|£|¥|USD|EUR|GBP|AUD|CAD|NZD|CHF|NOK|SEK|DKK|JPY|INR|ZAR)"
_SCALES = {"thousand": 3, "thousands": 3, "000": 3, "'000": 3, "000s": 3, "k": 3, "million": 6, "millions": 6, "mn": 6, "m": 6, "billion": 9, "billions": 9, "bn": 9}  # fmt: skip
_SCALE = rf"(?:{'|'.join(sorted(_SCALES, key=len, reverse=True))})"
_MONEY = rf"(?P<currency>{_CURRENCY})\s?(?P<scale>{_SCALE})?"
_IN_MONEY = re.compile(rf"\s*(?:in )?{_MONEY}\s*")
_STATED = re.compile(rf"[(\[](?:all )?(?:figures |amounts )?(?:in )?{_MONEY}[)\]]")
_SCALED = re.compile(r"thousand|million|000")
_VALUE = re.compile(
    rf"(?P<open>\()?\s*[-+]?\s*(?P<currency>{_CURRENCY})?\s*(?P<minus>-)?(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<percent>%)?\s*(?P<close>\))?"
)
_BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")
_NOUN = re.compile(r"[A-Za-z][A-Za-z³²° ]{0,14}")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
PERIOD = re.compile(
    rf"(?:FY ?\d{{2,4}}|(?P<part>Q[1-4]|[12]H|H[12])[ -]?(?:FY ?)?'?\d{{2,4}}|(?:19|20)\d\d|(?:19|20)\d\d/\d\d|(?P<month>{_MONTH}) (?:19|20)\d\d)"
)
_TOTAL = re.compile(
    r"(?i)\b(total|overall|all|average|sum|portfolio|group|combined|mean|median|whole|net|subtotal)\b"
)
_RATE = re.compile(
    r"(?i)\b(per|rate|average|avg|mean|median|price|score|age|index|ratio|margin|yield|factor|rating|share|utili[sz]ation|occupancy|year|built|opened|since|rank|speed|temperature|days?|hours?|minutes?|time|term|tenor|lease|load)\b|%|/"
)
_COUNTS = re.compile(
    r"(?i)head ?count|employees|number|units|rooms|nights|ratio|rate|%|fte|visitors|passengers|members|subscribers|stores|sites|customers|tonnes|patients|students|per |eps|shares|volume|guests|tickets|beds|km|margin|days|return on|average|homes|sq|area|mw|gwh|count|density|yield|occupancy|times"
)
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
_LEAST_ROWS, _LEAST_LINES = 4, 2
_ROUNDING = Decimal("0.2")


@dataclass(frozen=True, slots=True)
class Unit:
    """In what values are: a currency, a power of ten, a noun behind them, or per cent."""

    currency: str = ""
    scale: int = 0
    noun: str = ""
    percent: bool = False

    def written(self, value: Decimal, decimals: int, *, shorter: bool = False) -> str:
        """A value as an answer writes it; ``shorter`` in the next larger scale where it has thousands of its own."""
        sign, size = "-" if value < 0 else "", abs(value)
        if self.percent:
            return f"{sign}{grouped(size, decimals)}%"
        if not self.scale:
            return f"{sign}{self.currency}{grouped(size, decimals)}" + (f" {self.noun}" if self.noun else "")
        larger = {3: "million", 6: "billion"}.get(self.scale, "")
        if shorter and size >= 1000 and larger:
            size, decimals = size / 1000, 1 if size >= 10_000 and self.scale == 3 else 2
        else:
            larger = {3: "thousand", 6: "million", 9: "billion"}[self.scale]
        return f"{sign}{self.currency}{grouped(size, decimals)} {larger}"


@dataclass(frozen=True, slots=True)
class Line:
    """A column of a list or a line over periods: its name, its values in order, and whether these may be added."""

    name: str
    unit: Unit
    values: tuple[Decimal, ...]
    decimals: int
    adds: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """A table of which sentences can be told: the ``names`` of its rows or of its periods, and its ``lines``."""

    kind: Kind
    source: Mapping[str, str]
    pair: str
    names: tuple[str, ...]
    lines: tuple[Line, ...]


class _Value(NamedTuple):
    amount: Decimal
    currency: str
    percent: bool
    decimals: int


class _Table(NamedTuple):
    source: Mapping[str, str]
    pair: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    around: str


def grouped(value: Decimal, decimals: int) -> str:
    """A number with commas between its thousands."""
    return f"{value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):,}"


def scenes(paths: Sequence[Path]) -> Iterator[Scene]:
    """What can be told of the tables in the sources of English pairs, each table once."""
    seen: set[str] = set()
    for row in (row for path in paths for row in read_rows(path)):
        if row["lang"] != "en" or len(row["sources"]) != 1 or row["sources"][0]["text"] in seen:
            continue
        seen.add(row["sources"][0]["text"])
        for table in _tables(row):
            periods = [_named(cell)[0] for cell in table.head[1:]]
            dated = [PERIOD.fullmatch(name) is not None for name in periods]
            if len(dated) >= _LEAST_LINES and all(dated):
                yield from _over_periods(table, periods)
            elif (
                not any(dated) and table.head[0] and not any(re.search(r"\d\d", cell) for cell in table.head)
            ):
                yield from _of_list(table)


def when(period: str) -> tuple[int, int, int]:
    """The year, the part and the third of the year of a period by its name, to order periods by."""
    found = PERIOD.fullmatch(period)
    digits = re.search(r"((?:19|20)\d\d|\d\d)(?:/\d\d)?$", period)
    year = int(digits[1]) if digits else 0
    part = re.search(r"[1-4]", found["part"]) if found and found["part"] else None
    month = _MONTHS.index(found["month"][:3]) // 3 + 1 if found and found["month"] else 0
    return year + 2000 * (year < 100), int(part[0]) if part else 0, month


def _tables(row: Mapping[str, Any]) -> Iterator[_Table]:
    """The one Markdown table of a source."""
    source = row["sources"][0]
    lines = [line.strip() for line in source["text"].split("\n")]
    runs = [(bar, [*some]) for bar, some in groupby(lines, key=lambda line: line[:1] == line[-1:] == "|")]
    tables = [some for bar, some in runs if bar]
    if len(tables) != 1:
        return
    cells = [[cell.replace("**", "").strip() for cell in line.strip("|").split("|")] for line in tables[0]]
    body = [some for some in cells[1:] if len(some) == len(cells[0]) and re.search(r"[^\s:-]", "".join(some))]
    around = " ".join([source["title"], *(line for bar, some in runs if not bar for line in some)])
    told = {name: source[name] for name in ("id", "title", "text")}
    yield _Table(told, str(row["pair"]), cells[0], body, around)


def _of_list(table: _Table) -> Iterator[Scene]:
    rows = [row for row in table.rows if row[0] and not _TOTAL.search(row[0])]
    rows = [row for row in rows if not _is_sum(row, rows)]
    names = tuple(row[0] for row in rows)
    if len(rows) < _LEAST_ROWS or len(set(names)) < len(names) or any(_value(name) for name in names):
        return
    lines = [
        line
        for at in range(1, len(table.head))
        if (line := _line(*_named(table.head[at]), [row[at] for row in rows]))
    ]
    plain = _SCALED.search(table.around) is None and re.search(_CURRENCY, table.around) is None
    lines = [
        line
        for line in lines
        if line.unit.currency
        or line.unit.percent
        or (not _RATE.search(line.name) and (line.unit.noun or plain))
    ]
    if lines:
        yield Scene("L", table.source, table.pair, names, tuple(lines))


def _over_periods(table: _Table, periods: Sequence[str]) -> Iterator[Scene]:
    """The lines of a table; one whose values have no unit is in the one that the table states for all, and no count."""
    if len({re.sub(r"[\d'/ -]|" + _MONTH, "", name) for name in periods}) > 1:
        return  # a year beside its quarters
    stated = _IN_MONEY.fullmatch(table.head[0].strip("()[]* ")) or _STATED.search(table.around)
    scaled = _SCALED.search(table.around) is not None
    lines = []
    for row in table.rows:
        line = _line(*_named(row[0].strip("* ")), row[1:])
        if line is None or (scaled and not (stated and stated["scale"])):
            continue
        if line.unit == Unit() and stated:
            line = replace(line, unit=_money(stated)) if not _COUNTS.search(row[0]) else None
        if line is not None:
            lines.append(line)
    names = [line.name.lower() for line in lines]
    if len(lines) >= _LEAST_LINES and len(set(names)) == len(names):
        yield Scene("P", table.source, table.pair, tuple(periods), tuple(lines))


def _line(name: str, inside: str, cells: Sequence[str]) -> Line | None:
    """A column or a row of positive values in one unit; None for any other."""
    values = [value for cell in cells if (value := _value(cell))]
    unit = _unit(inside)
    signs = {(value.currency, value.percent) for value in values}
    if not name or unit is None or len(values) < len(cells) or len(signs) > 1 or min(values).amount <= 0:
        return None
    currency, percent = next(iter(signs))
    unit = replace(unit, currency=unit.currency or currency, percent=unit.percent or percent)
    if len({value.amount for value in values}) < len(values) or (unit.scale and not unit.currency):
        return None
    adds = not (unit.percent or _RATE.search(f"{name} {inside}"))
    return Line(
        _lowered(name), unit, tuple(value.amount for value in values), max(value.decimals for value in values), adds
    )  # fmt: skip


def _unit(inside: str) -> Unit | None:
    """What brackets behind a name say of its values; None where they say something else."""
    if inside in ("%", "per cent", "percent"):
        return Unit(percent=True)
    money = _IN_MONEY.fullmatch(inside)
    if money or not inside:
        return _money(money) if money else Unit()
    return (
        Unit(noun=inside)
        if _NOUN.fullmatch(inside) and not _RATE.search(inside) and inside not in _SCALES
        else None
    )


def _money(found: re.Match[str]) -> Unit:
    return Unit(found["currency"], _SCALES.get(found["scale"] or "", 0))


def _named(text: str) -> tuple[str, str]:
    """A name, and what stands in brackets behind it."""
    found = _BRACKETED.search(text)
    return (text[: found.start()].strip(), found[1].strip()) if found else (text.strip(), "")


def _lowered(name: str) -> str:
    """A name as it stands within a sentence."""
    return " ".join(word if re.search(r".[A-Z]", word) else word.lower() for word in name.split())


def _value(cell: str) -> _Value | None:
    found = _VALUE.fullmatch(cell.replace("−", "-").replace("\u00a0", " ").strip())
    if not found or bool(found["open"]) != bool(found["close"]):
        return None
    below = found["open"] or found["minus"] or cell.lstrip().startswith(("-", "−"))
    amount = Decimal(found["digits"].replace(",", "")) * (-1 if below else 1)
    decimals = len(found["digits"].partition(".")[2])
    return _Value(amount, found["currency"] or "", bool(found["percent"]), decimals)


def _is_sum(row: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a row is in some column the sum of all others, and so no row like them."""
    for at in range(1, len(row)):
        own, values = _value(row[at]), [value.amount for one in rows if (value := _value(one[at]))]
        if own and len(values) == len(rows) > _LEAST_LINES and abs(sum(values) - 2 * own.amount) <= _ROUNDING:
            return True
    return False


def templates(path: Path) -> list[dict[str, str]]:
    """The sentences with gaps of a file: ``id``, ``kind`` and ``text`` of each."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
