"""Rows into a :class:`~detection.core.types.Case`, in a fixed number of queries (NUM-05).

However many claims an answer has, its figures come in two queries: the figures and the statement lines of
the property's own periods and of other properties' periods at the same time. The neighbours are there so
that a value which stands in the wrong slot is recognised as such.
"""

import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Q

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
# How far around the asked-for period other properties' figures are looked at for a slip.
NEIGHBOURHOOD = timedelta(days=400)


def case_of(answer: Answer) -> Case:
    """The case of a stored answer."""
    query = answer.query
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
        question=query.text,
        language=answer.language,
        sources=sources,
        about=query.property,
        period=query.period,
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
            return _with_figures(case, about, period)
    except DatabaseError:
        log.exception("figures_unavailable")
        return replace(case, property=about.code, database="unavailable")


def _with_figures(case: Case, about: Property, period: FinancialPeriod | None) -> Case:
    near = _near(about, period)
    metrics = list(
        FinancialMetrics.objects.filter(near).select_related("period__property").order_by("period_id")
    )
    lines = list(IncomeStatementData.objects.filter(near).select_related("period__property").order_by("id"))
    own = list(about.periods.order_by("-start"))
    return replace(
        case,
        property=about.code,
        period=_period(period, about) if period else None,
        periods=tuple(_period(row, about) for row in own),
        figures=(*_metric_figures(metrics), *_line_figures(lines)),
        aliases=tuple(Alias(row.metric, row.language, row.text) for row in MetricAlias.objects.all())
        + _account_aliases(lines),
        database="ok",
    )


def _near(about: Property, period: FinancialPeriod | None) -> Q:
    """The property's own rows, and other properties' at about the same time when the time is known."""
    own = Q(period__property=about)
    if period is None:
        return own
    around = Q(period__start__gte=period.start - NEIGHBOURHOOD, period__end__lte=period.end + NEIGHBOURHOOD)
    return own | around


def _period(row: FinancialPeriod, about: Property) -> Period:
    return Period(id=row.pk, property=about.code, label=row.label, start=row.start, end=row.end)


def _metric_figures(rows: Iterable[FinancialMetrics]) -> Iterable[Figure]:
    columns = figure_columns()
    for row in rows:
        for column in columns:
            value = getattr(row, column.name)
            if value is not None:
                yield _figure(
                    "FinancialMetrics", row, column.name, str(column.verbose_name), column.kind, value
                )


def _line_figures(rows: Iterable[IncomeStatementData]) -> Iterable[Figure]:
    for row in rows:
        yield _figure("IncomeStatementData", row, row.account_code, row.account_name, "currency", row.amount)


def _account_aliases(rows: Iterable[IncomeStatementData]) -> tuple[Alias, ...]:
    """Account names as people write them are aliases of their code."""
    return tuple(
        {
            (row.account_code, row.account_name): Alias(row.account_code, "", row.account_name)
            for row in rows
        }.values()
    )


def _figure(record: str, row: Any, field: str, name: str, kind: Any, value: Any) -> Figure:
    period = row.period
    return Figure(
        record=record,
        id=row.pk,
        field=field,
        name=name,
        kind=kind,
        value=_plain(value),
        unit=UNITS.get(kind, period.property.currency),
        property=period.property.code,
        period=period.label,
        start=period.start,
        end=period.end,
        as_of=row.updated_at.isoformat(),
    )


def _plain(value: Decimal) -> Decimal:
    """Without the zeros that only the column's scale added; whole numbers stay whole."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
