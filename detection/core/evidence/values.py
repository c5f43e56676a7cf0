"""The values that facts give at a place: as they stand, gathered over the pieces of a period, or by a known formula."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import pairwise, product
from typing import NamedTuple

from detection.core import lexicons, periods
from detection.core.evidence.facts import OPEN, Fact, Grid
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.periods.spans import months_of
from detection.core.quantities.features import concept, is_meaning, meaning
from detection.core.quantities.measures import MONTHS

_ROWS = 3  # fewer are added by their names
Place = tuple[int, ...]


class Ratio(NamedTuple):
    """A ratio that has a name: the figures of record that it divides; ``rest``: it is what they leave of one."""

    over: str
    under: str
    rest: bool = False


FORMULAS: dict[str, tuple[Ratio, ...]] = {
    "dscr": (Ratio("net_operating_income", "debt_service"),),
    "expense_ratio": (Ratio("operating_expenses", "total_revenue"),),
    "noi_margin": (Ratio("net_operating_income", "total_revenue"),),
    "net_margin": (Ratio("net_income", "total_revenue"), Ratio("net_income", "net_sales")),
    "gross_margin": (
        Ratio("gross_profit", "total_revenue"),
        Ratio("gross_profit", "net_sales"),
        Ratio("cost_of_sales", "total_revenue", rest=True),
        Ratio("cost_of_sales", "net_sales", rest=True),
    ),
    "operating_margin": (Ratio("operating_income", "total_revenue"), Ratio("operating_income", "net_sales")),
    "ebit_margin": (Ratio("ebit", "total_revenue"), Ratio("ebit", "net_sales")),
    "ebitda_margin": (Ratio("ebitda", "total_revenue"), Ratio("ebitda", "net_sales")),
    "equity_ratio": (Ratio("equity", "total_assets"),),
    "debt_to_assets": (Ratio("total_liabilities", "total_assets"),),
    "debt_to_equity": (Ratio("total_debt", "equity"), Ratio("total_liabilities", "equity")),
    "current_ratio": (Ratio("current_assets", "current_liabilities"),),
    "ltv": (Ratio("loan_balance", "property_value"), Ratio("total_debt", "property_value")),
    "debt_yield": (Ratio("net_operating_income", "loan_balance"),),
    "cap_rate": (Ratio("net_operating_income", "property_value"),),
    "interest_coverage": (Ratio("ebitda", "interest_expense"), Ratio("operating_income", "interest_expense")),
    "payout_ratio": (Ratio("dividends", "net_income"),),
    "effective_tax_rate": (Ratio("income_taxes", "pretax_income"),),
    "occupancy_rate": (Ratio("leased_area", "area"), Ratio("occupied_units", "units")),
    "roe": (Ratio("net_income", "equity"),),
    "roa": (Ratio("net_income", "total_assets"),),
}
"""Ratios that are reckoned from two figures; of a longer period from the sums of both."""


class Difference(NamedTuple):
    """A figure that has a name as what is left of another one: the figures of record that it is of and that are taken."""

    of: tuple[str, ...]
    less: tuple[str, ...]


_INCOME = ("total_revenue", "net_sales", "rental_income", "effective_gross_income")
DIFFERENCES: dict[str, tuple[Difference, ...]] = {
    "gross_profit": (Difference(("total_revenue", "net_sales"), ("cost_of_sales",)),),
    "net_operating_income": (Difference(_INCOME, ("operating_expenses",)),),
    "net_income": (
        Difference(("pretax_income",), ("income_taxes",)),
        Difference(("total_revenue", "net_sales"), ("operating_expenses",)),
    ),
    "equity": (Difference(("total_assets",), ("total_liabilities",)),),
    "net_debt": (Difference(("total_debt",), ("cash",)),),
    "working_capital": (Difference(("current_assets",), ("current_liabilities",)),),
    "free_cash_flow": (Difference(("operating_cash_flow",), ("capital_expenditures",)),),
    "net_interest_income": (Difference(("interest_income",), ("interest_expense",)),),
    "trade_balance": (Difference(("exports",), ("imports",)),),
    "undrawn_amount": (Difference(("loan_amount",), ("drawn_amount",)),),
    "vacant_area": (Difference(("area",), ("leased_area",)),),
    "vacant_units": (Difference(("units",), ("occupied_units",)),),
}
"""Figures that are what two others leave: gross profit, profit after tax and equity as IAS 1 states them, net debt and
free cash flow as analysts reckon them (CFA Institute), income from property as appraisers do (The Appraisal of Real
Estate), the trade balance as national accounts do (SNA 2008)."""
_MOST_PIECES, _MOST_STATED, _MOST_WHOLES = 60, 3, 3
_EVERY = (1, 3, 6, 12)  # months of the pieces that a period may be gathered from


@dataclass(frozen=True, slots=True)
class Value:
    """A value with the facts that it rests on; ``how`` it was reckoned and the ``arithmetic``, both empty for a fact
    as it stands."""

    value: Decimal
    facts: tuple[Fact, ...]
    how: str = ""
    arithmetic: str = ""


def at(grid: Grid, place: Sequence[int], span: Span | None) -> Iterator[Value]:
    """What stands at a place in a period; with no period, in any."""
    for fact in grid.at([None if one == OPEN else (one,) for one in place]):
        if fact.value is not None and (span is None or fact.span is None or of(fact.span, span)):
            yield Value(fact.value, (fact,))


def of(stated: Span, span: Span) -> bool:
    """Whether a fact of the period ``stated`` is one of ``span``: the same, or the day with which it ends."""
    return periods.same(stated, span) or (stated[0] == stated[1] and abs((stated[1] - span[1]).days) <= 7)


def ended(grid: Grid, place: Sequence[int], span: Span) -> Iterator[Value]:
    """What a figure of a point in time was on a day: what it was for the shortest period that ends with that day."""
    if span[0] != span[1]:
        return
    facts = grid.at([None if one == OPEN else (one,) for one in place])
    found = [
        (fact.span[0], fact)
        for fact in facts
        if fact.value is not None and fact.span and fact.span[1] == span[1] and _is_stock(grid, fact)
    ]
    if found:
        _, last = max(found, key=lambda one: one[0])
        yield Value(last.value or Decimal(0), (last,))


def gathered(grid: Grid, place: Sequence[int], span: Span) -> Iterator[Value]:
    """What the pieces of a period come to: their sum, mean and last; a ratio from the sums of what it is made of."""
    yield from _by_formula(grid, place, span)
    yield from added(grid, place, span)


def added(grid: Grid, place: Sequence[int], span: Span) -> Iterator[Value]:
    """What the pieces of a period come to by themselves."""
    pieces = tiled(grid, place, span)
    if len(pieces) < 2:
        return
    values = [fact.value for fact in pieces if fact.value is not None]
    total = sum(values, Decimal(0))
    if pieces[0].kind == "currency" or pieces[0].kind == "number":
        yield Value(total, pieces, "sum", " + ".join(map(plain, values)))
    mean = total / len(values)
    yield Value(mean, pieces, "mean", f"({' + '.join(map(plain, values))}) / {len(values)}")
    if _is_stock(grid, pieces[-1]):
        yield Value(values[-1], pieces[-1:], "last", plain(values[-1]))


def column_sum(grid: Grid, column: int, span: Span | None) -> Value | None:
    """What the rows of a column of a list come to in a period: three or more amounts in one unit and of one role, none of them
    a total; None for any others."""
    found = [
        one
        for one in grid.at(((column,), None))
        if span is None or (one.span and periods.same(one.span, span))
    ]
    alike = {(one.kind, one.unit, one.per, one.role, one.span) for one in found}
    amounts = all(one.kind in ("currency", "number") and not one.is_total for one in found)
    if len(alike) != 1 or not amounts or len({one.at[1] for one in found}) < max(len(found), _ROWS):
        return None
    values = [one.value for one in found if one.value is not None]
    return Value(sum(values, Decimal(0)), tuple(found), "sum", " + ".join(map(plain, values)))


def spread_by(stated: Iterable[Value], units: Collection[str]) -> Iterator[Value]:
    """Amounts of a longer or shorter period by the month, quarter or year, as ``units`` name them."""
    for value in stated:
        fact = value.facts[0]
        by_time = fact.kind in ("currency", "number") and MONTHS.keys().isdisjoint(fact.per.split())
        months = months_of(fact.span) if fact.span and by_time else None
        for unit in units if months else ():
            if months != MONTHS[unit]:
                by = Decimal(months or 1) / MONTHS[unit]
                shown = f"{plain(value.value)} / {plain(by)}"
                yield Value(value.value / by, value.facts, "mean", shown)


def _is_stock(grid: Grid, fact: Fact) -> bool:
    """Whether a figure is one of a point in time: at the end of a year it is what it was at the end of its last quarter."""
    known = lexicons.concepts()
    named = [known[name].stock for name in metrics_of(grid, fact.at[0]) if name in known]
    return any(named) if named else fact.kind in ("percentage", "ratio")


def tiled(grid: Grid, place: Sequence[int], span: Span) -> tuple[Fact, ...]:
    """The facts of a place whose periods, of one length, make up ``span`` without a gap; empty where none do."""
    inside = [
        fact
        for fact in grid.at([None if one == OPEN else (one,) for one in place])
        if fact.span
        and fact.value is not None
        and fact.role in ("", "actual")
        and periods.contains(span, fact.span)
    ]
    for months in _EVERY:
        name = {1: "month", 3: "quarter", 6: "half", 12: "year"}[months]
        run = sorted(
            (f for f in inside if f.span and periods.granularity(f.span) == name),
            key=lambda f: f.span or span,
        )
        run = [fact for n, fact in enumerate(run) if not n or fact.span != run[n - 1].span]
        if 2 <= len(run) <= _MOST_PIECES and _fills(run, span):
            return tuple(run)
    return ()


def _fills(run: Sequence[Fact], span: Span) -> bool:
    spans = [fact.span for fact in run if fact.span]
    ends = abs((spans[0][0] - span[0]).days) <= 7 and abs((spans[-1][1] - span[1]).days) <= 7
    return ends and all(abs((second[0] - first[1]).days) <= 7 for first, second in pairwise(spans))


def _by_formula(grid: Grid, place: Sequence[int], span: Span) -> Iterator[Value]:
    """A ratio that no fact states for the period, from the two figures that it is made of."""
    for name in metrics_of(grid, place[0]):
        if name in FORMULAS:
            yield from reckoned(grid, name, place[1:], span)


def reckoned(grid: Grid, name: str, rest: Sequence[int], span: Span | None) -> Iterator[Value]:
    """A known ratio from the two figures that it is made of."""
    per_cent = lexicons.concepts()[name].kind == "percentage"
    known = False
    for over, under, rest_of in FORMULAS[name]:
        tops, bottoms = (list(_totals(grid, one, rest, span)) for one in (over, under))
        known = known or bool(tops and not rest_of)
        if rest_of and known:  # what is left of it is stated
            return
        for top, bottom in product(tops[:2], bottoms[:2]):
            for found in quotient(top, bottom, per_cent):
                yield _left(found, per_cent) if rest_of else found


def _left(share: Value, per_cent: bool) -> Value:
    """What a share leaves of the whole."""
    whole = 100 if per_cent else 1
    return replace(share, value=whole - abs(share.value), arithmetic=f"1 − {share.arithmetic}")


def _totals(grid: Grid, metric: str, rest: Sequence[int], span: Span | None) -> Iterator[Value]:
    for label in labelled(grid, metric):
        place = (label, *rest)
        exact = list(at(grid, place, span))
        if span is None:
            yield from exact
            continue
        yield from exact or (v for v in added(grid, place, span) if v.how == "sum")


def quotient(top: Value, bottom: Value, per_cent: bool) -> Iterator[Value]:
    """One value over another, in per cent or as a multiple."""
    try:
        share = top.value / bottom.value
    except (DivisionByZero, InvalidOperation):
        return
    shown = f"{plain(top.value)} / {plain(bottom.value)}"
    yield Value(share * 100 if per_cent else share, (*top.facts, *bottom.facts), "ratio", shown)


def differences(grid: Grid, name: str, rest: Sequence[int], span: Span | None) -> Iterator[Value]:
    """What is left, by a known difference, of two figures of one period and one unit."""
    for whole, less in DIFFERENCES[name]:
        for over, under in product(whole, less):
            tops, bottoms = (list(_totals(grid, one, rest, span)) for one in (over, under))
            for top, bottom in product(tops[:_MOST_STATED], bottoms[:_MOST_STATED]):
                if _is_alike(top.facts[0], bottom.facts[0]):
                    shown = f"{plain(top.value)} − {plain(abs(bottom.value))}"
                    yield Value(
                        top.value - abs(bottom.value), (*top.facts, *bottom.facts), "difference", shown
                    )


def _is_alike(first: Fact, second: Fact) -> bool:
    """Whether two facts are of one kind, unit, role and time."""
    units = {one.unit for one in (first, second) if one.unit}
    spans = {one.span for one in (first, second) if one.span}
    return (first.kind, first.role) == (second.kind, second.role) and len(units) < 2 and len(spans) < 2


def wholes_of(grid: Grid, part: Fact) -> list[Value]:
    """What a figure of a table may be a share of: the totals of the same figure, or of the same column, and of the same
    period."""
    if grid.is_prose:
        return []
    across = (None, part.at[1:2]) if not grid.is_list else (part.at[:1], None)
    return [
        Value(fact.value, (fact,))
        for fact in grid.at(tuple(None if choice == (OPEN,) else choice for choice in across))
        if fact.is_total and fact.value is not None and fact.at != part.at and fact.span == part.span
    ][:_MOST_WHOLES]


def labelled(grid: Grid, metric: str) -> list[int]:
    """The labels of a grid that may be called by a known metric."""
    name = meaning(metric)
    found = [
        (len(form), i) for i, one in enumerate(grid.axes[0].labels) for form in one.forms if name in form
    ]
    return list(dict.fromkeys(i for _, i in sorted(found)))


def metrics_of(grid: Grid, label: int) -> list[str]:
    """The known metrics that a label may be called by."""
    if label == OPEN:
        return []
    names = frozenset().union(*grid.axes[0].labels[label].forms)
    return sorted(concept(name) for name in names if is_meaning(name))


def places(choices: Sequence[Sequence[int] | None]) -> Iterable[Place]:
    """Every place that the chosen labels give; an open axis stays open."""
    return product(*(choice if choice is not None else (OPEN,) for choice in choices))
