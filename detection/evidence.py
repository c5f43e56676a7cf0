"""Rows into a :class:`~detection.core.types.Case`, in a fixed number of queries (NUM-05).

However many claims an answer has, its figures come in two queries: the metrics of the property's own
periods and of other properties at the same dates, and the property's statement lines. The neighbours are
there so that a value which stands in the wrong slot is recognised as such.
"""

import logging
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Case as Ordered
from django.db.models import Q, When

from detection.core import text
from detection.core.types import Alias, Case, Figure, Period, Source
from detection.models import (
    Answer,
    FinancialMetrics,
    FinancialPeriod,
    IncomeStatementData,
    MetricAlias,
    Property,
)
from detection.models.finance import figure_columns

log = logging.getLogger(__name__)
UNITS = {"percentage": "%", "ratio": "x"}
# Bounds on what one answer is compared with, however large the portfolio: the asked-for period comes first,
# then the property's latest ones, then other properties' figures of the same dates.
MOST_ROWS = 500
MOST_LINES = 5_000
PLACE = (
    "pk", "updated_at", "period__label", "period__start", "period__end", "period__property__code",
    "period__property__currency",
)  # fmt: skip


def case_of(answer: Answer, *, figures: bool = True) -> Case:
    """The case of a stored answer; without ``figures`` for whoever does not compare numbers."""
    sources = tuple(
        Source(
            ref=row.ref,
            text=row.text,
            parent_ref=row.parent_ref,
            title=row.title,
            score=row.score,
            quality=row.quality,
            metadata=row.metadata,
        )
        for row in answer.sources.order_by("position")
    )
    return build(
        answer=answer.text,
        question=answer.question,
        language=answer.language,
        sources=sources,
        about=answer.property,
        period=answer.period,
        figures=figures,
        original_confidence=answer.original_confidence,
        question_type=answer.question_type or None,
        iteration=answer.iteration,
        max_iterations=answer.max_iterations,
    )


def build(
    *,
    answer: str,
    sources: tuple[Source, ...],
    about: Property | None,
    period: FinancialPeriod | None,
    figures: bool = True,
    language: str = "",
    **facts: Any,
) -> Case:
    """A case from parts. A database failure leaves ``database="unavailable"`` and no figures: it never
    looks like support (contracts §3.6)."""
    case = Case(answer=answer, sources=sources, language=language or text.detect_language(answer), **facts)
    if about is None:
        return case
    try:
        with transaction.atomic():
            known = _known(case, about, period)
            return _with_figures(known, about, period) if figures else known
    except DatabaseError:
        log.exception("figures_unavailable")
        return replace(case, property=about.code, database="unavailable")


def _known(case: Case, about: Property, period: FinancialPeriod | None) -> Case:
    """The case with its property, its period and the names that metrics and accounts go by."""
    aliases = [Alias(*row) for row in MetricAlias.objects.values_list("metric", "language", "text")]
    accounts = IncomeStatementData.objects.filter(period__property=about)
    named = (
        accounts.values_list("account_code", "account_name")
        .order_by("account_code", "account_name")
        .distinct()
    )
    return replace(
        case,
        property=about.code,
        period=_period(period, about) if period else None,
        aliases=(*aliases, *(Alias(code, "", name) for code, name in named)),
        database="ok",
    )


def _with_figures(case: Case, about: Property, period: FinancialPeriod | None) -> Case:
    own = about.periods.order_by("-start")[:MOST_ROWS]
    return replace(
        case,
        periods=tuple(_period(row, about) for row in own),
        figures=(*_metric_figures(about, period), *_line_figures(about, period)),
    )


def _period(row: FinancialPeriod, about: Property) -> Period:
    return Period(id=row.pk, property=about.code, label=row.label, start=row.start, end=row.end)


def _metric_figures(about: Property, period: FinancialPeriod | None) -> Iterator[Figure]:
    near = own = Q(period__property=about)
    if period is not None:
        near = own | Q(period__start=period.start, period__end=period.end)
    columns = figure_columns()
    rows = FinancialMetrics.objects.filter(near).order_by(
        Ordered(When(period=period, then=0), When(own, then=1), default=2), "-period__start"
    )
    for row in rows.values_list(*PLACE, *(column.name for column in columns))[:MOST_ROWS]:
        for column, value in zip(columns, row[len(PLACE) :], strict=True):
            if value is not None:
                yield _figure(
                    "FinancialMetrics", row, column.name, str(column.verbose_name), column.kind, value
                )


def _line_figures(about: Property, period: FinancialPeriod | None) -> Iterator[Figure]:
    rows = IncomeStatementData.objects.filter(period__property=about).order_by(
        Ordered(When(period=period, then=0), default=1), "-period__start", "pk"
    )
    for row in rows.values_list(*PLACE, "account_code", "account_name", "amount")[:MOST_LINES]:
        code, name, amount = row[len(PLACE) :]
        yield _figure("IncomeStatementData", row, code, name, "currency", amount)


def _figure(record: str, place: tuple[Any, ...], field: str, name: str, kind: Any, value: Decimal) -> Figure:
    pk, updated_at, label, start, end, code, currency = place[: len(PLACE)]
    return Figure(
        record=record,
        id=pk,
        field=field,
        name=name,
        kind=kind,
        value=value if kind == "currency" else _plain(value),
        unit=UNITS.get(kind, currency),
        property=code,
        period=label,
        start=start,
        end=end,
        as_of=updated_at.isoformat(),
    )


def _plain(value: Decimal) -> Decimal:
    """Without the zeros that only the column's scale added; whole numbers stay whole."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
