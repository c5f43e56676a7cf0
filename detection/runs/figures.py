"""Rows of metrics and of statement lines into the figures that an answer is compared with (NUM-05).

A row and its period make the same figures for every answer: what was made of a row is remembered, and found again by
all that the row holds, so that a changed row is read anew.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Any

from django.db.models import Case as Ordered
from django.db.models import QuerySet, When

from detection.core.types import Figure, Kind, Period
from detection.models import FinancialMetrics, IncomeStatementData
from detection.models.finance import figure_columns
from detection.runs import prepared
from detection.runs.prepared import Row

MOST_LINES = 5_000  # statement lines that one answer is compared with
UNITS = {"percentage": "%", "ratio": "x"}
_MOST_PERIODS, _MOST_ROWS = 4_096, 20_000  # remembered


@dataclass(frozen=True, slots=True)
class Owner:
    """A property whose figures an answer may be compared with."""

    key: int
    code: str
    name: str
    currency: str


@dataclass(frozen=True, slots=True, eq=False)
class OwnedPeriod:
    """A period of a property, the row that figures stand in."""

    period: Period
    owner: Owner


Made = Callable[[Row, OwnedPeriod], tuple[Figure, ...]]
_made: dict[tuple[OwnedPeriod, Row], tuple[Figure, ...]] = {}


@lru_cache(maxsize=_MOST_PERIODS)
def owned_period(owner: Owner, row: Row) -> OwnedPeriod:
    """The period of a row of key, label and dates; the same object for the same row."""
    key, label, start, end = row
    return OwnedPeriod(Period(key, owner.code, label, start, end), owner)


def metric_figures(periods: Mapping[int, OwnedPeriod]) -> Iterator[Figure]:
    """The metrics of each of ``periods`` by their key, in their order."""
    if not periods:
        return
    read = prepared.read(_metrics, prepared.padded([*periods]))
    found = {
        row[0]: figures for row, figures in zip(read.rows, _figures(read, periods, _of_metrics), strict=True)
    }
    for key in periods:
        yield from found.get(key, ())


def line_figures(periods: Mapping[int, OwnedPeriod], own: Sequence[int]) -> Iterator[Figure]:
    """The first ``MOST_LINES`` statement lines: those of the first of ``periods``, of the periods ``own``, of the rest."""
    if not periods:
        return
    keys = [*periods]
    read = prepared.read(_lines, keys[:1], prepared.padded(own), prepared.padded(keys), most=MOST_LINES)
    yield from chain.from_iterable(_figures(read, periods, _of_line))


def _figures(read: prepared.Read, periods: Mapping[int, OwnedPeriod], made: Made) -> list[tuple[Figure, ...]]:
    """The figures of each row; only those that are new are converted."""
    found = [_made.get((periods[row[0]], row)) for row in read.rows]
    fresh = [index for index, figures in enumerate(found) if figures is None]
    if len(_made) + len(fresh) > _MOST_ROWS:
        _made.clear()
    for index, row in zip(fresh, read.converted([read.rows[index] for index in fresh]), strict=True):
        period = periods[row[0]]
        found[index] = _made[period, read.rows[index]] = made(row, period)
    return [figures for figures in found if figures is not None]


def _metrics(keys: list[int]) -> QuerySet[FinancialMetrics, Any]:
    names = (column.name for column in figure_columns())
    return FinancialMetrics.objects.filter(period__in=keys).values_list("period", "pk", "updated_at", *names)


def _of_metrics(row: Row, period: OwnedPeriod) -> tuple[Figure, ...]:
    _, pk, updated_at, *values = row
    as_of = updated_at.isoformat()
    return tuple(
        _figure(
            "FinancialMetrics", pk, column.name, str(column.verbose_name), column.kind, value, period, as_of
        )
        for column, value in zip(figure_columns(), values, strict=True)
        if value is not None
    )


def _lines(first: list[int], own: list[int], keys: list[int]) -> QuerySet[IncomeStatementData, Any]:
    nearness = Ordered(When(period__in=first, then=0), When(period__in=own, then=1), default=2)
    rows = IncomeStatementData.objects.filter(period__in=keys).order_by(nearness, "-period__start", "pk")
    return rows.values_list("period", "pk", "updated_at", "account_code", "account_name", "amount")


def _of_line(row: Row, period: OwnedPeriod) -> tuple[Figure, ...]:
    _, pk, updated_at, code, name, amount = row
    as_of = updated_at.isoformat()
    return (_figure("IncomeStatementData", pk, code, name, "currency", amount, period, as_of),)


def _figure(
    record: str, pk: int, field: str, name: str, kind: Kind, value: Decimal, owned: OwnedPeriod, as_of: str
) -> Figure:
    period = owned.period
    return Figure(
        record, pk, field, name, kind, value if kind == "currency" else _plain(value),
        UNITS.get(kind, owned.owner.currency), period.property, period.label, period.start, period.end, as_of,
    )  # fmt: skip


def _plain(value: Decimal) -> Decimal:
    """Without the zeros that only the column's scale added; whole numbers stay whole."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
