"""Markdown tables of the contrast pairs as scenes of which sentences can be told: lists of rows with measures, and lines over
periods.

A table is left out where it is not plain in which unit its values are: what is told of a scene must be true.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

from benchmarks.contrast_screening import read_rows
from benchmarks.tongues import TONGUES

Kind = Literal["L", "P"]
_VALUE = re.compile(
    rf"(?P<open>\()?\s*[-+]?\s*(?P<currency>{TONGUES['en'].currency}|₪)?\s*(?P<minus>-)?(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<percent>%)?\s*(?P<close>\))?"
)
_BRACKETED = re.compile(r"\s*[(（\[]([^()（）\[\]]*)[)）\]]\s*$")
_PARTS = re.compile(r"[\d'/ -]|[一二三四]|[A-Z][a-z]{2,}")
_HAN_DIGITS = {"一": "1", "二": "2", "三": "3", "四": "4"}
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
LEAST_ROWS, _LEAST_LINES = 4, 2
_ROUNDING, _MILLION = Decimal("0.2"), 1_000_000


@dataclass(frozen=True, slots=True)
class Unit:
    """In what values are: a currency, a power of ten, a noun behind them, or per cent. Those of an amount that is stated to
    the unit are in millions where it is written shorter, if it ``shortens``."""

    currency: str = ""
    scale: int = 0
    noun: str = ""
    percent: bool = False
    shortens: bool = False
    lang: str = "en"

    def written(self, value: Decimal, decimals: int, *, shorter: bool = False) -> str:
        """A value as an answer writes it; ``shorter`` in the next larger scale where it has thousands of its own."""
        sign, size = "-" if value < 0 else "", abs(value)
        if self.percent:
            return f"{sign}{grouped(size, decimals)}%"
        if self.lang != "en":
            return self._behind(sign, size, decimals, shorter)
        if self.shortens and shorter and size >= _MILLION:
            return f"{sign}{self.currency}{grouped(size / _MILLION, 2)} million"
        if not self.scale:
            noun = self.noun if self.noun in ("", "x") else f" {self.noun}"
            return f"{sign}{self.currency}{grouped(size, decimals)}{noun}"
        scale, tongue = self.scale, TONGUES[self.lang]
        if shorter and size >= 1000 and scale in tongue.larger:
            size, decimals = size / 1000, 1 if size >= 10_000 and scale == 3 else 2
            scale = tongue.larger[scale]
        return f"{sign}{self.currency}{grouped(size, decimals)} {tongue.written[scale]}"

    def _behind(self, sign: str, size: Decimal, decimals: int, shorter: bool) -> str:
        """A value of a language that puts all of its unit behind the number."""
        tongue, scale = TONGUES[self.lang], self.scale
        larger = tongue.larger.get(scale, scale)
        if shorter and larger > scale and size >= Decimal(10) ** (larger - scale):
            size, scale, decimals = size / Decimal(10) ** (larger - scale), larger, 2
        unit = tongue.space.join(filter(None, (tongue.written.get(scale, ""), self.currency or self.noun)))
        return f"{sign}{grouped(size, decimals)}" + (tongue.space + unit if unit else "")


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
    """A table of which sentences can be told: the ``names`` of its rows or of its periods, and its ``lines``. Of figures of
    record also which period a list is of, or which property a line: the ``subject``, and what would be wrong there. The
    ``passage`` is the one that tells it in prose, where its source is no table."""

    kind: Kind
    source: Mapping[str, str]
    pair: str
    names: tuple[str, ...]
    lines: tuple[Line, ...]
    subject: str = ""
    not_it: tuple[str, ...] = ()
    passage: str = ""


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
    lang: str


def grouped(value: Decimal, decimals: int) -> str:
    """A number with commas between its thousands."""
    return f"{value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):,}"


def scenes(paths: Sequence[Path], lang: str = "en") -> Iterator[Scene]:
    """What can be told of the tables in the sources of the pairs of a language, each table once."""
    seen: set[str] = set()
    for row in (row for path in paths for row in read_rows(path)):
        if row["lang"] != lang or len(row["sources"]) != 1 or row["sources"][0]["text"] in seen:
            continue
        seen.add(row["sources"][0]["text"])
        for table in _tables(row):
            periods = [_named(cell)[0] for cell in table.head[1:]]
            dated = [TONGUES[lang].period.fullmatch(name) is not None for name in periods]
            if len(dated) >= _LEAST_LINES and all(dated):
                yield from _over_periods(table, periods)
            elif (
                not any(dated) and table.head[0] and not any(re.search(r"\d\d", cell) for cell in table.head)
            ):
                yield from _of_list(table)


def when(period: str) -> tuple[int, int, int]:
    """The year, the part and the third of the year of a period by its name, to order periods by."""
    year = re.search(r"(?:19|20)\d\d|\d\d(?=$|/\d\d$)", period)
    part = re.search(r"Q([1-4])|([12])H|H([12])|רבעון ([1-4])|([一二三四1-4])季", period)
    month = next((at // 3 + 1 for at in range(0, 36, 3) if period.startswith(_MONTHS[at : at + 3])), 0)
    digits = int(year[0]) if year else 0
    number = next(filter(None, part.groups())) if part else "0"
    return digits + 2000 * (digits < 100), int(_HAN_DIGITS.get(number, number)), month


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
    yield _Table(told, str(row["pair"]), cells[0], body, around, row["lang"])


def _of_list(table: _Table) -> Iterator[Scene]:
    tongue = TONGUES[table.lang]
    rows = [row for row in table.rows if row[0] and not tongue.total.search(row[0])]
    rows = [row for row in rows if not _is_sum(row, rows)]
    names = tuple(row[0] for row in rows)
    if len(rows) < LEAST_ROWS or len(set(names)) < len(names) or any(_value(name) for name in names):
        return
    lines = [
        line
        for at in range(1, len(table.head))
        if (line := _line(*_named(table.head[at]), [row[at] for row in rows], table.lang))
    ]
    plain = tongue.scaled.search(table.around) is None and re.search(tongue.currency, table.around) is None
    lines = [
        line
        for line in lines
        if line.unit.currency
        or line.unit.percent
        or (not tongue.rate.search(line.name) and (line.unit.noun or plain))
    ]
    if lines:
        yield Scene("L", table.source, table.pair, names, tuple(lines))


def _over_periods(table: _Table, periods: Sequence[str]) -> Iterator[Scene]:
    """The lines of a table; one whose values have no unit is in the one that the table states for all, and no count."""
    if len({_PARTS.sub("", name) for name in periods}) > 1:
        return  # a year beside its quarters
    tongue = TONGUES[table.lang]
    stated = re.fullmatch(tongue.money, table.head[0].strip("()[]* ")) or re.search(
        tongue.stated, table.around
    )
    scaled = tongue.scaled.search(table.around) is not None
    lines = []
    for row in table.rows:
        line = _line(*_named(row[0].strip("* ")), row[1:], table.lang)
        if line is None or (scaled and not (stated and stated["scale"])):
            continue
        if line.unit == Unit(lang=table.lang) and stated:
            line = (
                replace(line, unit=_money(stated, table.lang)) if not tongue.counts.search(row[0]) else None
            )
        if line is not None:
            lines.append(line)
    names = [line.name.lower() for line in lines]
    if len(lines) >= _LEAST_LINES and len(set(names)) == len(names):
        yield Scene("P", table.source, table.pair, tuple(periods), tuple(lines))


def _line(name: str, inside: str, cells: Sequence[str], lang: str) -> Line | None:
    """A column or a row of positive values in one unit; None for any other."""
    values = [value for cell in cells if (value := _value(cell))]
    unit = _unit(inside, lang)
    signs = {(value.currency, value.percent) for value in values}
    if not name or unit is None or len(values) < len(cells) or len(signs) > 1 or min(values).amount <= 0:
        return None
    currency, percent = next(iter(signs))
    unit = replace(unit, currency=unit.currency or currency, percent=unit.percent or percent)
    if len({value.amount for value in values}) < len(values) or (unit.scale and not unit.currency):
        return None
    adds = not (unit.percent or TONGUES[lang].rate.search(f"{name} {inside}"))
    return Line(
        _lowered(name), unit, tuple(value.amount for value in values), max(value.decimals for value in values), adds
    )  # fmt: skip


def _unit(inside: str, lang: str) -> Unit | None:
    """What brackets behind a name say of its values; None where they say something else."""
    if inside in ("%", "％", "per cent", "percent"):
        return Unit(percent=True, lang=lang)
    tongue = TONGUES[lang]
    money = re.fullmatch(tongue.money, inside)
    if money or not inside:
        return _money(money, lang) if money else Unit(lang=lang)
    noun = tongue.noun.fullmatch(inside) and not tongue.rate.search(inside) and inside not in tongue.scales
    return Unit(noun=inside, lang=lang) if noun else None


def _money(found: re.Match[str], lang: str) -> Unit:
    return Unit(found["currency"], TONGUES[lang].scales.get(found["scale"] or "", 0), lang=lang)


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
