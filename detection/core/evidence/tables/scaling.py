"""Which unit and scale a value has: its own, its column's, its row's, or that of the unit line, minus exceptions."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import regex

from detection.core import numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.model import Column, Row
from detection.core.evidence.tables.units import Declared, Measure, measure, names, stems
from detection.core.evidence.tables.values import CODES, Said
from detection.core.quantities.measures import SIZED, unit_in, units_in
from detection.core.types import Kind

_ONE = Decimal(1)
_ZERO = Decimal(0)
_BASIS, _POINTS, _POINT = 3, 4, Decimal("0.01")  # a basis point in points
_MOST_PERCENT = 1000
_WHOLE = 100
_MOST_RATE = 200
_MOST_RATIO = 200
_SMALL = frozenset(("share", "unit", "room", "employee", "bed")) | SIZED
"""Amounts for each of these are written in full, whatever the scale of the table."""
_SHARES = regex.compile(r"\bshares\b|股数|股數|מספר המניות")
_MOST_SHARES = Decimal(10) ** 7


class Around(NamedTuple):
    """What the unit lines declare, and the currencies that are written in the columns and in most of the table; ``dated``
    are the columns of dates, ``shares`` those that say at their ends alone that they are per cent of a total; ``plain``
    says of headings and of labels whether one that names a currency and no scale is in full; ``percent``: a unit line says
    that all are per cent; ``names``: rows are called by names, which measure nothing; ``added`` are the columns whose last value is
    the sum of those above, which no rates are."""

    declared: tuple[Declared, ...]
    signs: dict[int, str]
    sign: str
    dated: frozenset[int] = frozenset()
    shares: frozenset[int] = frozenset()
    plain: tuple[bool, bool] = (False, False)
    percent: bool = False
    names: bool = False
    added: frozenset[int] = frozenset()


class Told(NamedTuple):
    """A value with its unit; ``value`` None for a date."""

    kind: Kind
    value: Decimal | None
    unit: str
    per: str
    scale: Decimal
    iso: str = ""


def told(
    said: Said,
    row: Row,
    column: Column,
    head: Measure,
    unit_text: str,
    around: Around,
    columns: Sequence[Column],
) -> Told | None:
    """The unit and scale of what a cell says; None where it is no value of its column."""
    if said.sort in ("date", "period"):
        return Told("date", None, "", "", _ONE, said.iso) if said.iso else None
    if said.value is None or (said.sort == "dash" and column.index in around.dated):
        return None
    if said.sort == "year" and _names_year(row, column):
        return Told("date", None, "", "", _ONE, f"{int(said.value)}")
    label = _NOTHING if around.names or row.label.lower() in CODES else measure(row.label)
    own = measure(f"({unit_text})") if unit_text else _NOTHING
    kind, unit = _unit(said, own, head, label, row, column, around)
    pers = _pers(own, head, label, row)
    if kind in ("percentage", "ratio"):
        in_basis = unit == "pp" and said.unit != "pp" and _BASIS in (own.percent, head.percent, label.percent)
        scale = _POINT if in_basis else _ONE
        return Told(kind, said.value * scale, unit, "", scale)
    of = _declared(row, column, around)
    if kind == "currency" and of is not None and not pers:
        pers = of.per
    scale = _scale(said, own, head, label, (kind, unit, pers), row, column, around)
    if kind == "number" and not unit:
        unit = _size(unit_text, head, "" if around.names else row.label, pers, of)
    return Told(
        kind, said.value * scale, unit, pers if kind == "currency" or unit in ("sf", "sqm") else "", scale
    )


def _size(unit_text: str, head: Measure, label: str, pers: str, of: Declared | None) -> str:
    """The unit of measure of a number: that of the unit cell, of the heading or the label, else of the unit line."""
    if unit_text:
        return unit_in(f"({unit_text})")
    named = {unit for unit in (head.size, unit_in(label)) if unit and unit not in pers.split()}
    if named:
        return named.pop() if len(named) == 1 else ""
    return of.size if of is not None and not units_in(label) else ""


_NOTHING = Measure()
_YEARS = regex.compile(
    r"\byear built\b|\bbuilt\b|\bvintage\b|\brenovated\b|\bmaturity\b|\bexpir|\byear\b|年份|年度|שנת"
)


def _names_year(row: Row, column: Column) -> bool:
    """Whether a bare year is one, and no count."""
    return any(_YEARS.search(numbers.fold(text)[0]) for text in (*column.heads, row.label))


def _pers(own: Measure, head: Measure, label: Measure, row: Row) -> str:
    """What amounts are for: the words of the unit cell, or of the head and of the label together."""
    if own.per:
        return own.per
    sections = measure(row.sections[-1]).per if row.sections and not (head.per or label.per) else ""
    return " ".join(dict.fromkeys(f"{head.per} {label.per} {sections}".split()))


def _unit(
    said: Said, own: Measure, head: Measure, label: Measure, row: Row, column: Column, around: Around
) -> tuple[Kind, str]:
    """Kind and unit: written, named by the unit cell, the head, the label, else declared."""
    written = _written(said)
    if written is not None:
        of = _declared(row, column, around) if said.bare else None
        return ("currency", of.currency) if of and of.currency in numbers.DOLLARS else written
    if around.percent and not any(
        one.currency or one.counted or one.unit or one.scale for one in (head, label)
    ):
        return "percentage", "%"
    first = head.strict or (head.currency and not own.currency)
    for measured in (head, own, label) if first else (own, head, label):
        found = _measured(measured, said, measured is label and bool(head.currency or own.currency))
        if found == ("number", "") and (of := _declared(row, column, around)) and of.unit:
            return "number", of.unit
        if found is not None:
            return found
    return _weak(said, own, head, label, row, column, around)


def _written(said: Said) -> tuple[Kind, str] | None:
    if said.unit in ("%", "pp"):
        return "percentage", said.unit
    if said.unit == "x":
        return "ratio", "x"
    if said.unit in ("sf", "sqm"):
        return "number", said.unit
    if said.unit:
        return "currency", said.unit
    return ("number", "") if said.scale == _ONE else None


def _measured(measured: Measure, said: Said, settled: bool) -> tuple[Kind, str] | None:
    """What a text names outright; ``settled`` where another text has named a currency already."""
    size = abs(said.value or _ZERO)
    if measured.percent in (_BASIS, _POINTS):
        return "percentage", "pp"
    if measured.percent == 2 and size <= _MOST_PERCENT and not measured.currency:
        return "percentage", "%"
    if measured.times and size <= _MOST_RATIO:
        return "ratio", "x"
    if settled:
        return None
    if measured.unit and not measured.per and not measured.currency:
        return "number", measured.unit
    if measured.counted and (said.step == 1 or measured.strict):
        return "number", measured.unit
    return ("currency", measured.currency) if measured.currency else None


def _weak(
    said: Said, own: Measure, head: Measure, label: Measure, row: Row, column: Column, around: Around
) -> tuple[Kind, str]:
    """What rates, sections, unit lines and the signs of other cells tell."""
    size = abs(said.value or _ZERO)
    of = _declared(row, column, around)
    if of is not None and of.apart and not of.currency and (of.counted or of.percent):
        return ("percentage", "%") if of.percent else ("number", of.unit)
    rate = max(head.percent, label.percent)
    signed = around.signs.get(column.index, "")
    money = head.money or label.money
    called = rate and not (signed and money and not label.percent) and column.index not in around.added
    if called and size <= _MOST_RATE and said.sort != "dash":
        return "percentage", "%"
    if column.index in around.shares and size <= _WHOLE and not label.counted:
        return "percentage", "%"
    if row.sections and (above := measure(row.sections[-1])):
        if above.percent == 2 and size <= _MOST_PERCENT and not (money and signed):
            return "percentage", "%"
        if not money and above.counted and said.step == 1:
            return "number", above.unit
    if own.counted or (own != _NOTHING and not own.scale) or (own == _NOTHING and _plain_unit(own)):
        return "number", own.unit
    titled = of is not None and of.size and of.scale is None and money
    if of is not None and (of.unit or of.counted) and not (of.currency or signed or titled):
        return "number", of.unit
    if of is not None and label.scale and of.scale and label.scale != of.scale and not (money or signed):
        return "number", ""  # "Customers (thousand)" below "EUR million"
    currency = (of.currency if of is not None else "") or signed or around.sign
    scaled = of is not None and of.scale is not None
    if currency and (scaled or signed or money or (of is not None and not around.signs)):
        return "currency", currency
    return ("currency", "") if money or scaled else ("number", "")


def _plain_unit(own: Measure) -> bool:
    return False if own is _NOTHING else not own.currency


def _declared(row: Row, column: Column, around: Around) -> Declared | None:
    """The unit line that speaks of this row or column, else the one that speaks of all, or of all money."""
    if not around.declared:
        return None
    texts = (*column.heads, row.label, *row.sections)
    named = [one for one in around.declared if any(names(one.subjects, text) for text in texts)]
    money = any(map(_is_money, texts))
    if named:
        return next((one for one in named if bool(one.currency) is money), named[0])
    general: Declared | None = None
    for one in around.declared:
        if not one.subjects and (not one.money or (money and not any(map(_is_for_one, texts)))):
            general = _joined(general, one)
    return general


def _is_for_one(text: str) -> bool:
    """Whether a text names money for one of many, which is written in full: a price, an average."""
    return not words.FOR_ONE.isdisjoint(stems(text)) or any(word in text for word in words.FOR_ONE_HAN)


def _joined(before: Declared | None, one: Declared) -> Declared:
    """Two unit lines that speak of all: the later one decides what both name."""
    if before is None:
        return one
    return Declared(
        (),
        one.currency or before.currency,
        one.scale or before.scale,
        "",
        one.per or before.per,
        (*before.spared, *one.spared),
        one.counted or (before.counted and not one.currency),
        one.percent,
        size=one.size or before.size,
        titled=one.titled or (before.titled and not one.scale),
    )


def _scale(
    said: Said,
    own: Measure,
    head: Measure,
    label: Measure,
    unit: tuple[Kind, str, str],
    row: Row,
    column: Column,
    around: Around,
) -> Decimal:
    kind, _, per = unit
    if said.scale is not None:
        return said.scale
    parts = label.scale is not None and label.scale < _ONE and own.scale is None  # pence below pounds
    for measured in (label,) if parts else (own, head, label):
        if measured.scale is not None:
            return measured.scale
    of = _declared(row, column, around)
    if own.currency or of is None or of.scale is None:
        return _ONE
    if of.titled and head.size not in ("", of.size):
        return _ONE
    if _SMALL & set(per.split()):  # a share's amounts are in full, or all in hundredths
        return min(of.scale, _ONE)
    if own != _NOTHING or any(
        _in_full(one, how) for one, how in zip((head, label), around.plain, strict=True)
    ):
        return _ONE
    texts = (row.label, *column.heads, *row.sections)
    if of.spared and any(_is_spared(of.spared, text) for text in texts if per or not _is_money(text)):
        return _ONE
    if kind == "number" and (label.counted or head.counted or head.unit or label.unit):
        return of.scale if of.subjects or of.titled else _of_shares(said, texts, of)
    return (
        of.scale
        if not (head.currency and not head.scale and of.subjects == () and _unscaled_head(column, head))
        else _ONE
    )


def _in_full(said: Measure, plain: bool) -> bool:
    return plain and bool(said.currency) and said.scale is None


def _unscaled_head(column: Column, head: Measure) -> bool:
    """A head that names the currency by itself, ``Base rent ($)``, is in full."""
    del column
    return bool(head.per)


def _is_money(text: str) -> bool:
    said = measure(text)
    return said.money and not said.per


def _is_spared(spared: tuple[frozenset[str], ...], text: str) -> bool:
    shares = frozenset(("share",))
    for subject in spared:
        if subject <= shares:
            if _SHARES.search(numbers.fold(text)[0]):
                return True
        elif names((subject,), text):
            return True
    return False


def _of_shares(said: Said, texts: Sequence[str], of: Declared) -> Decimal:
    """Counts are written in full; shares follow the unit line unless it spares them or they are many as written."""
    if not any(_SHARES.search(numbers.fold(text)[0]) for text in texts):
        return _ONE
    if any("share" in subject and "per" not in subject for subject in of.spared):
        return _ONE
    return of.scale or _ONE if abs(said.value or _ZERO) < _MOST_SHARES else _ONE
