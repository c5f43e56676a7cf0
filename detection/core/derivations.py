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
    """A value in major units with the text to show it by, as its source writes it.

    ``scale`` is what the text leaves out (1,000 in a table in thousands), ``when`` orders in time: the year, or
    the first day of the period.
    """

    value: Decimal
    text: str
    when: str = ""
    scale: Decimal = Decimal(1)


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived value in the claim's unit, and the whole equation it was reached by, its result included."""

    value: Decimal
    arithmetic: str
    formula: str = ""
    scale: Decimal = Decimal(1)


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


_MINUS = ("-", "−", "–")
_UNITS = {"%": " %", "pp": " percentage points", "x": "x", "": ""}
_SCALE_WORDS = {
    Decimal(10) ** 3: " thousand",
    Decimal(10) ** 4: " × 10,000",
    Decimal(10) ** 6: " million",
    Decimal(10) ** 9: " billion",
}
_PAIRS = ("growth", "decline", "difference", "share", "ratio")
_IN_PERCENT = ("growth", "decline", "share")


def derive(operation: str, operands: Sequence[Operand], unit: str = "") -> Derived | None:
    """``operation`` on ``operands``; None when it cannot be computed.

    ``sum`` and ``average`` take any number of operands, the others two: ``growth`` (later, earlier), ``decline``
    (earlier, later; positive when the value fell), ``difference`` (what is left of the first without the second),
    ``share`` (part, whole) in percent, ``ratio`` (dividend, divisor). ``unit`` is shown behind the result.
    """
    try:
        value = _value(operation, [operand.value for operand in operands])
    except DecimalException:
        return None
    if value is None or not value.is_finite():
        return None
    scales = {operand.scale for operand in operands}
    mixed = len(scales) > 1
    formula = _formula(operation, [_shown(operand, scaled=mixed) for operand in operands])
    scale = Decimal(1) if mixed or operation in (*_IN_PERCENT, "ratio") else scales.pop()
    result = shown_result(
        value / scale, "%" if operation in _IN_PERCENT else unit, _SCALE_WORDS.get(scale, "")
    )
    return Derived(value, f"{formula} = {result}", formula, scale)


def _value(operation: str, values: Sequence[Decimal]) -> Decimal | None:
    if operation in ("sum", "average"):
        total = sum(values, Decimal(0))
        return total if operation == "sum" else total / len(values) if values else None
    if operation not in _PAIRS or len(values) != 2:
        return None
    first, second = values
    if operation == "difference":
        return first - second
    if operation == "decline":
        return (first - second) / abs(first) * _HUNDRED
    if operation == "growth":
        return (first - second) / abs(second) * _HUNDRED
    return first / second * (_HUNDRED if operation == "share" else 1)


def _formula(operation: str, texts: Sequence[str]) -> str:
    if operation in ("sum", "average"):
        added = " + ".join(texts)
        return added if operation == "sum" else f"({added}) / {len(texts)}"
    first, second = texts
    return {
        "growth": f"({first} − {second}) / {_bare(second)}",
        "decline": f"({first} − {second}) / {_bare(first)}",
        "difference": f"{first} − {second}",
    }.get(operation, f"{first} / {second}")


def _shown(operand: Operand, *, scaled: bool) -> str:
    text = operand.text + (_SCALE_WORDS.get(operand.scale, "") if scaled else "")
    return f"({text})" if text[:1] in _MINUS else text


def _bare(text: str) -> str:
    """The divisor of a change: without the sign that the division ignores."""
    inner = text[1:-1] if text.startswith("(") and text.find(")") == len(text) - 1 else text
    return inner.lstrip("".join(_MINUS))


def shown_result(value: Decimal, unit: str, scale: str = "") -> str:
    """``value`` with two decimals, or three digits when it is smaller than that shows, ``scale`` and unit."""
    if value and abs(value.adjusted()) > 30:
        plain = f"{value:.5E}"
    else:
        plain = f"{value:,.{max(2, 2 - value.adjusted()) if value else 0}f}"
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return plain.replace("-", "−", 1) + scale + _UNITS.get(unit, f" {unit}")


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
                if (found := derive(operation, (first, second))) is not None:
                    yield found
    if "average" in names and len(operands) > 2:
        found = derive("average", [operand for operand, _ in operands])
        if found is not None:
            yield found
    if "sum" in names and len(operands) > 2:
        found = derive("sum", [operand for operand, _ in operands])
        if found is not None:
            yield found


def _with_year_before(cells: list[Fit], year: str) -> list[Fit]:
    wanted = {year, str(int(year) - 1)}
    return [fit for fit in cells if fit.place.years & wanted]


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
                if (found := derive(operation, (first, second))) is not None:
                    yield found
