"""Numbers that stand nowhere but follow: change, growth, difference, sum, average, share, ratio.

The words of the claim say which operation and which operands are meant; nothing is searched for among
operations that the sentence does not name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from itertools import combinations, permutations

import regex

from detection.core.slots import Fit

_HUNDRED = Decimal(100)
_MOST = 12  # rows or columns that an operation is tried on


@dataclass(frozen=True, slots=True)
class Operand:
    """A value with the words to show it by and, for ordering in time, the year it belongs to."""

    value: Decimal
    text: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived value in the claim's unit, and how it was reached."""

    value: Decimal
    arithmetic: str


_CHANGE = regex.compile(
    r"\b(?:chang\w*|increas\w*|decreas\w*|gr[oe]w\w*|growth|declin\w*|differen\w*|rose|fell|up|down|higher|lower|drop\w*|more|less|gain|improv\w*|reduc\w*|exceed\w*|variance|net)\b|שינוי|עלייה|ירידה|גידול|קיטון|הפרש|צמיחה|עלה|עלתה|ירד|ירדה|变化|变动|增长|增加|减少|下降|上升|差额|差异"
)
_AVERAGE = regex.compile(r"\baverage|\bmean\b|ממוצע|平均")
_SUM = regex.compile(
    r"\b(?:total\w*|sum|combined|aggregate|together|overall|altogether)\b|סך|סכום|יחד|合计|总|共"
)
_SHARE = regex.compile(
    r"\b(?:percent\w*|per\s?cent|proportion|share|ratio|portion|fraction|constitut\w*|represent\w*|account\w*|as\sa|relative|divided|per|times|multiple|turnover|margin|rate|return|coverage)\b|%|יחס|שיעור|מתוך|比|占|率"
)
_POINTS = regex.compile(r"\bpoints?\b|נקודות|百分点")


def operations(sentence: str, kind: str, unit: str) -> list[str]:
    """Which operations the sentence names for a claim of this kind, in the order to try."""
    named: list[str] = []
    if _AVERAGE.search(sentence):
        return ["average"]
    if kind == "percentage":
        if unit == "pp":
            return ["difference"]
        if _CHANGE.search(sentence):
            named += ["growth", "difference"]
        if _SHARE.search(sentence) or not named:
            named.append("share")
        return named
    if kind == "ratio":
        return ["ratio"]
    if _CHANGE.search(sentence):
        named.append("difference")
    if _SUM.search(sentence):
        named.append("sum")
    if regex.search(r"\bratio\b|\bproportion\b|\bper\b|יחס|比率", sentence):
        named.append("ratio")
    return named


def derive(operation: str, first: Operand, second: Operand) -> Derived | None:
    """``operation`` on two operands, the later or the larger whole first; None when it cannot be computed."""
    a, b = first.value, second.value
    try:
        if operation == "growth" and b:
            return Derived((a - b) / abs(b) * _HUNDRED, f"({first.text} − {second.text}) / {second.text}")
        if operation == "difference":
            return Derived(a - b, f"{first.text} − {second.text}")
        if operation == "share" and b:
            return Derived(a / b * _HUNDRED, f"{first.text} / {second.text}")
        if operation == "ratio" and b:
            return Derived(a / b, f"{first.text} / {second.text}")
        if operation == "average":
            return Derived((a + b) / 2, f"({first.text} + {second.text}) / 2")
        if operation == "sum":
            return Derived(a + b, f"{first.text} + {second.text}")
    except DecimalException:
        return None
    return None


def from_tables(
    fits: Sequence[Fit], names: Sequence[str], named: frozenset[str], scale: Decimal | None
) -> Iterator[Derived]:
    """What the named operations give on the cells of one table that fit the sentence.

    Over time they take two cells of one best-fitting row, in one column two rows whose labels the sentence
    shares. ``scale`` is the claim's stated scale for tables that declare none, None for percentages and ratios.
    """
    tables: dict[tuple[str, int], list[Fit]] = {}
    for fit in fits:
        if fit.place.table >= 0 and fit.place.date is None:
            tables.setdefault((fit.place.source, fit.place.table), []).append(fit)
    for inside in tables.values():
        rows = _rows(inside)
        if not rows:
            continue
        best = max(cells[0].row for cells in rows)
        close = [cells for cells in rows if cells[0].row >= best - 0.25][:_MOST]
        for cells in close:
            yield from _along(cells, names, named, scale)
        shared = [cells for cells in rows if cells[0].row > 0 or cells[0].row >= best - 0.25][:_MOST]
        yield from _across(shared, names, named, scale)


def _rows(inside: list[Fit]) -> list[list[Fit]]:
    rows: dict[int, list[Fit]] = {}
    for fit in inside:
        rows.setdefault(fit.place.line, []).append(fit)
    return sorted(rows.values(), key=lambda cells: -cells[0].row)


def _operand(fit: Fit, scale: Decimal | None) -> Operand:
    place = fit.place
    factor = Decimal(1) if scale is None else scale if place.scale is None else place.scale
    return Operand(place.value * factor, place.text, max(place.years, default=""))


def _along(
    cells: list[Fit], names: Sequence[str], named: frozenset[str], scale: Decimal | None
) -> Iterator[Derived]:
    """Operations between the columns of one row: over time, later minus earlier."""
    wanted = [fit for fit in cells if fit.place.years & named] if named else cells
    if len(named) == 1 and len({max(fit.place.years) for fit in wanted if fit.place.years}) == 1:
        wanted = _with_year_before(cells, next(iter(named)))
    wanted = wanted[:_MOST]
    operands = [(_operand(fit, scale), fit) for fit in wanted]
    for (a, one), (b, other) in combinations(operands, 2):
        if a.when and b.when and a.when != b.when:
            later, earlier = (a, b) if a.when > b.when else (b, a)
            pairs = [(later, earlier)]
        elif one.place.years == other.place.years:
            pairs = [(a, b), (b, a)]
        else:
            pairs = [(a, b)]
        for operation in names:
            if operation in ("share", "ratio") and a.when != b.when:
                continue
            for first, second in pairs:
                if len(pairs) > 1 and operation == "difference" and first.value < second.value:
                    continue
                if (found := derive(operation, first, second)) is not None:
                    yield found
    if "average" in names and len(operands) > 2:
        yield _many([operand for operand, _ in operands], mean=True)
    if "sum" in names and len(operands) > 2:
        yield _many([operand for operand, _ in operands], mean=False)


def _with_year_before(cells: list[Fit], year: str) -> list[Fit]:
    wanted = {year, str(int(year) - 1)}
    return [fit for fit in cells if fit.place.years & wanted]


def _many(operands: list[Operand], mean: bool) -> Derived:
    total = sum((operand.value for operand in operands), Decimal(0))
    shown = " + ".join(operand.text for operand in operands)
    return Derived(total / len(operands), f"({shown}) / {len(operands)}") if mean else Derived(total, shown)


def _across(
    rows: list[list[Fit]], names: Sequence[str], named: frozenset[str], scale: Decimal | None
) -> Iterator[Derived]:
    """Operations between rows of one column that the year allows."""
    columns: dict[int, list[Fit]] = {}
    for cells in rows:
        for fit in cells:
            if fit.year:
                columns.setdefault(fit.place.cell, []).append(fit)
    best = max((fit.column for cells in columns.values() for fit in cells), default=0.0)
    for cells in columns.values():
        if cells[0].column < best - 0.25:
            continue
        operands = [_operand(fit, scale) for fit in cells]
        for first, second in permutations(operands[:6], 2):
            for operation in names:
                if operation == "growth" or (operation in ("sum", "average") and id(first) > id(second)):
                    continue
                if operation == "difference" and first.value < second.value:
                    continue  # between rows nothing says which comes first: a difference is what lies between them
                if (found := derive(operation, first, second)) is not None:
                    yield found
