"""A number against the figures and periods of record (NUM-05).

A number bound to a metric has one slot: that metric, property and period. Another slot's equal value is a slip,
never support. A number bound to nothing may match any figure of its kind.
"""

import heapq
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from detection.core import dates
from detection.core.comparison import distance, misread, within
from detection.core.derivation_words import operations
from detection.core.derivations import Derived, Operand, derive
from detection.core.types import Candidate, Case, Claim, Figure, NumericClaim, Slip

NEAREST = 3
_FORMULAS = {  # derived metric: operation and the two metrics it is made of
    "dscr": ("ratio", "net_operating_income", "debt_service"),
    "expense_ratio": ("share", "operating_expenses", "total_revenue"),
    "net_operating_income": ("difference", "total_revenue", "operating_expenses"),
}
_FALLS = {"growth": "decline", "difference": "difference"}
Found = tuple[list[Candidate], list[Slip]]


def compare_figures(case: Case, claim: Claim, number: NumericClaim, sentence: str) -> Found:
    """The nearest figures and derivations, own slot first, and the slips that explain the number."""
    if not isinstance(number.value, Decimal) or case.property is None:
        return [], []
    figures = [figure for figure in case.figures if _comparable(figure, number, claim.metric)]
    slots: tuple[list[Figure], list[Figure]] = ([], [])
    for figure in figures:
        slots[_own(figure, case, claim)].append(figure)
    others, own = slots
    change = _is_change(number, claim, sentence)
    same = [] if change else _nearest(own, number, number.value, same=True)
    other = _nearest(others, number, number.value, same=False)
    derived = [
        _derived(found, number, claim) for found in _derivations(case, claim, number, sentence, own, change)
    ]
    derived.sort(key=lambda candidate: candidate.absolute or Decimal(0))
    slips = [] if change else list(_slips(case, claim, number, others, own))
    return [*same, *other, *derived[:NEAREST]], slips


def _nearest(figures: list[Figure], number: NumericClaim, claimed: Decimal, *, same: bool) -> list[Candidate]:
    nearest = heapq.nsmallest(NEAREST, figures, key=lambda figure: abs(claimed - figure.value))
    return [_candidate(figure, number, same=same) for figure in nearest]


def _comparable(figure: Figure, number: NumericClaim, metric: str | None) -> bool:
    if number.kind == "number":
        return metric is not None and (figure.kind == "currency" or figure.field == metric)
    if figure.kind != number.kind and not (
        figure.field == metric and {figure.kind, number.kind} <= {"ratio", "percentage"}
    ):
        return False
    if number.kind == "percentage":
        return number.unit == "%"
    return number.kind != "currency" or not figure.unit or figure.unit == number.unit


def _own(figure: Figure, case: Case, claim: Claim) -> bool:
    """Whether a figure stands in the claim's slot: its property and period and, when bound, its metric."""
    if figure.property != case.property or (claim.metric is not None and figure.field != claim.metric):
        return False
    wanted = _wanted(case, claim)
    return wanted is None or dates.same_period((figure.start, figure.end), wanted)


def _wanted(case: Case, claim: Claim) -> tuple[date, date] | None:
    """The period a claim speaks of: its own words', else the answer's.

    A day or year around the asked-for period, which the database reports for no period of its own, only
    places the asked-for one: ``in 2024`` in an answer about Q3 2024.
    """
    asked = (case.period.start, case.period.end) if case.period else None
    stated = dates.of_iso(claim.period) if claim.period is not None else None
    if stated is None or stated.start is None or stated.end is None:
        return asked
    span = (stated.start, stated.end)
    nested = asked is not None and (_inside(span, asked) or _inside(asked, span))
    known = any(dates.same_period((period.start, period.end), span) for period in case.periods)
    return asked if nested and not known else span


def _inside(inner: tuple[date, date], outer: tuple[date, date]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _is_change(number: NumericClaim, claim: Claim, sentence: str) -> bool:
    """``increased by $100K`` and ``NOI grew 5 %`` state a change, not the figure."""
    if number.unit == "pp" or (number.direction is not None and claim.metric is not None):
        return True
    return number.kind == "percentage" and claim.metric is not None and claim.metric not in _PERCENTAGES


_PERCENTAGES = frozenset(("occupancy_rate", "vacancy_rate", "expense_ratio", "cap_rate", "debt_yield", "ltv"))


def _candidate(figure: Figure, number: NumericClaim, same: bool) -> Candidate:
    value = figure.value
    if figure.kind == "percentage" and number.kind == "ratio":
        value /= 100
    elif figure.kind == "ratio" and number.kind == "percentage":
        value *= 100
    apart, relative = distance(Decimal(number.value), value)
    return Candidate(
        "database", f"{value}", figure.unit, value, relative, apart, same=same, record=figure.record, id=figure.id,
        field=figure.field, period=figure.period, property=figure.property, as_of=figure.as_of,
    )  # fmt: skip


def _derived(found: Derived, number: NumericClaim, claim: Claim) -> Candidate:
    apart, relative = distance(Decimal(number.value), found.value)
    return Candidate(
        "derived",
        f"{found.value}",
        number.unit,
        found.value,
        relative,
        apart,
        field=claim.metric,
        arithmetic=found.arithmetic,
    )


def _derivations(
    case: Case, claim: Claim, number: NumericClaim, sentence: str, own: list[Figure], change: bool
) -> Iterator[Derived]:
    if claim.metric is None:
        return
    mine = [figure for figure in case.figures if figure.property == case.property]
    if change:
        yield from _changes(
            case, claim, number, sentence, [figure for figure in mine if figure.field == claim.metric]
        )
    elif not own and claim.metric in _FORMULAS:
        operation, first, second = _FORMULAS[claim.metric]
        wanted = _components(case, claim, mine, (first, second))
        if wanted and (found := derive(operation, wanted)) is not None:
            yield found


def _components(
    case: Case, claim: Claim, mine: Iterable[Figure], metrics: tuple[str, str]
) -> tuple[Operand, Operand] | None:
    """The two figures of the claim's period that a metric is made of; None when one is missing."""
    wanted = _wanted(case, claim)
    found = {
        f.field: f
        for f in mine
        if f.field in metrics and wanted and dates.same_period((f.start, f.end), wanted)
    }
    if len(found) < len(metrics):
        return None
    first, second = (found[metric] for metric in metrics)
    return _operand(first), _operand(second)


def _operand(figure: Figure) -> Operand:
    return Operand(
        figure.value, f"{figure.value:,} ({figure.name}, {figure.period})", figure.start.isoformat()
    )


def _changes(
    case: Case, claim: Claim, number: NumericClaim, sentence: str, figures: list[Figure]
) -> Iterator[Derived]:
    """Change of a metric between the asked-for period and an earlier one of the same length."""
    asked = (case.period.start, case.period.end) if case.period else None
    names = operations(sentence.lower(), number.kind, number.unit)
    for last in figures:
        if asked and not dates.same_period((last.start, last.end), asked):
            continue
        for first in figures:
            if first.start >= last.start or abs((first.end - first.start) - (last.end - last.start)).days > 7:
                continue
            for name in [name for name in ("growth", "difference") if name in names]:
                pair = (_operand(last), _operand(first))
                if number.direction == "down" and Decimal(number.value) > 0:
                    name, pair = _FALLS[name], (pair[1], pair[0])
                if (found := derive(name, pair, number.unit)) is not None:
                    yield found


def _slips(
    case: Case, claim: Claim, number: NumericClaim, others: list[Figure], own: list[Figure]
) -> Iterator[Slip]:
    """Another slot's value, or the own one misread; only for numbers that are not their own slot's value."""
    value = Decimal(number.value)
    if any(within(value, number.precision, figure.value, number.bound) for figure in own) or number.bound:
        return
    for figure in own:
        code = misread(value, figure.value)
        if code in ("scale", "sign", "transposed") and (
            claim.metric is not None or len(figure.value.as_tuple().digits) > 3
        ):
            yield Slip(code, "", _candidate(figure, number, same=True))  # type: ignore[arg-type]  # the three literals
    if claim.metric is None:
        return
    for figure in others:
        if within(value, number.precision, figure.value, None):
            yield Slip(_wrong_slot(figure, case, claim), "", _candidate(figure, number, same=False))  # type: ignore[arg-type]  # one of the literals


def _wrong_slot(figure: Figure, case: Case, claim: Claim) -> str:
    if figure.field != claim.metric:
        return "metric"
    return "period" if figure.property == case.property else "property"


def compare_date(case: Case, number: NumericClaim) -> Found:
    """A date against the periods of record: both ends' distances in days, the asked-for period first."""
    if number.start_date is None or number.end_date is None:
        return [], []
    periods = [case.period] if case.period else []
    periods += [period for period in case.periods if period != case.period]
    found = []
    for period in periods:
        days = _days_apart((number.start_date, number.end_date), (period.start, period.end))
        if days is not None:
            found.append(
                Candidate(
                    "database", period.label, days=days, record="FinancialPeriod", id=period.id, period=period.label,
                    property=period.property,
                )
            )  # fmt: skip
    return sorted(found, key=lambda candidate: sum(candidate.days or (0, 0)))[:NEAREST], []


def _days_apart(stated: tuple[date, date], period: tuple[date, date]) -> tuple[int, int] | None:
    """How far the ends lie apart; None when a year is compared with a quarter. A single day is measured to
    the nearer end and is 0 inside the period."""
    if stated[0] == stated[1]:
        day = stated[0]
        if period[0] <= day <= period[1]:
            return 0, 0
        away = min(abs((day - period[0]).days), abs((day - period[1]).days))
        return away, away
    lengths = (stated[1] - stated[0]).days, (period[1] - period[0]).days
    if abs(lengths[0] - lengths[1]) > max(7, lengths[1] // 10):
        return None
    return abs((stated[0] - period[0]).days), abs((stated[1] - period[1]).days)
