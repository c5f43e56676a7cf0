"""Rows into a :class:`~detection.core.types.Case`, in a fixed number of queries (NUM-05).

However many claims an answer has, its figures come in two queries: the metrics of the property's own
periods, of the properties that the answer names and of others at the same dates, and the statement lines. The
neighbours are there so that a value which stands in the wrong slot is recognised as such; only properties that
everybody who sees this one may see are neighbours, because whoever reads the result reads their figures.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db import Error, transaction
from django.db.models import Case as Ordered
from django.db.models import Q, When

from detection.access import seen_with
from detection.core import text
from detection.core.types import Alias, Case, Figure, Named, Period, Source
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
MOST_PROPERTIES = 2_000  # properties whose names are looked for in an answer
MOST_NAMED = 20  # other properties whose figures one answer is compared with, period by period
MOST_BESIDE = 20  # properties whose lines, and figures of the years named, stand beside the answer's own
MOST_YEARS = 10
_YEAR = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")
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
            scope = _scope(answer, about, period)
            known = _known(case, scope)
            return _with_figures(known, scope) if figures else known
    except Error:
        log.exception("figures_unavailable")
        return replace(case, property=about.code, database="unavailable")


@dataclass(frozen=True, slots=True)
class _Scope:
    """What an answer is about: its property and period, and the other properties that it names."""

    about: Property
    period: FinancialPeriod | None
    others: tuple[tuple[int, str, str], ...]  # key, code and name
    beside: tuple[int, ...]  # keys of properties to compare with, whether they are named or not
    years: tuple[int, ...]  # that the answer names


def _scope(answer: str, about: Property, period: FinancialPeriod | None) -> _Scope:
    seen = seen_with(about).exclude(pk=about.pk).order_by("code")
    rows = list(seen.values_list("pk", "code", "name")[:MOST_PROPERTIES])
    others = tuple(_named_in(answer, rows))[:MOST_NAMED]
    years = sorted({int(year) for year in _YEAR.findall(answer)})[:MOST_YEARS]
    return _Scope(about, period, others, tuple(key for key, _, _ in rows[:MOST_BESIDE]), tuple(years))


def _named_in(answer: str, rows: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    """The properties whose code or name stands in the answer; all of them are looked for in one reading."""
    folded = answer.casefold()
    pieces = {folded[place : place + 3] for place in range(len(folded))}
    for key, code, name in rows:
        first_words = " ".join(name.split()[:2])  # "Cedar Point" is what people call Cedar Point Apartments
        if any(_stands(called.casefold(), folded, pieces) for called in (code, name, first_words)):
            yield key, code, name


def _stands(name: str, folded: str, pieces: set[str]) -> bool:
    if len(name) < 2 or not any(character.isalpha() for character in name):
        return False
    if not all(name[place : place + 3] in pieces for place in range(len(name) - 2)):
        return False
    return name in folded


def _known(case: Case, scope: _Scope) -> Case:
    """The case with its property, its period and the names that properties, metrics and accounts go by."""
    about = scope.about
    aliases = [Alias(*row) for row in MetricAlias.objects.values_list("metric", "language", "text")]
    accounts = IncomeStatementData.objects.filter(period__property=about)
    named = (
        accounts.values_list("account_code", "account_name")
        .order_by("account_code", "account_name")
        .distinct()
    )
    properties = ((about.code, about.name), *((code, name) for _, code, name in scope.others))
    return replace(
        case,
        property=about.code,
        period=_period(scope.period, about) if scope.period else None,
        aliases=(*aliases, *(Alias(code, "", name) for code, name in named)),
        properties=tuple(
            Named(code, called) for code, name in properties for called in dict.fromkeys((code, name))
        ),
        database="ok",
    )


def _with_figures(case: Case, scope: _Scope) -> Case:
    own = scope.about.periods.order_by("-start")[:MOST_ROWS]
    return replace(
        case,
        periods=tuple(_period(row, scope.about) for row in own),
        figures=(*_metric_figures(scope), *_line_figures(scope)),
    )


def _period(row: FinancialPeriod, about: Property) -> Period:
    return Period(id=row.pk, property=about.code, label=row.label, start=row.start, end=row.end)


def _metric_figures(scope: _Scope) -> Iterator[Figure]:
    period, own = scope.period, Q(period__property=scope.about)
    near = own | _of_others(scope) | _beside(scope)
    if period is not None:
        near |= _same_dates(period) & Q(period__property__in=seen_with(scope.about))
    columns = figure_columns()
    rows = FinancialMetrics.objects.filter(near).order_by(*_order(scope))
    for row in rows.values_list(*PLACE, *(column.name for column in columns))[:MOST_ROWS]:
        for column, value in zip(columns, row[len(PLACE) :], strict=True):
            if value is not None:
                yield _figure(
                    "FinancialMetrics", row, column.name, str(column.verbose_name), column.kind, value
                )


def _line_figures(scope: _Scope) -> Iterator[Figure]:
    near = Q(period__property=scope.about) | _of_others(scope) | _beside(scope)
    rows = IncomeStatementData.objects.filter(near).order_by(*_order(scope), "pk")
    for row in rows.values_list(*PLACE, "account_code", "account_name", "amount")[:MOST_LINES]:
        code, name, amount = row[len(PLACE) :]
        yield _figure("IncomeStatementData", row, code, name, "currency", amount)


def _of_others(scope: _Scope) -> Q:
    return Q(period__property__in=[key for key, _, _ in scope.others])


def _beside(scope: _Scope) -> Q:
    """Figures of some other properties: of the asked-for dates and of the years that the answer names."""
    when = Q(period__end__year__in=scope.years)
    if scope.period is not None:
        when |= _same_dates(scope.period)
    return when & Q(period__property__in=scope.beside)


def _same_dates(period: FinancialPeriod) -> Q:
    return Q(period__start=period.start, period__end=period.end)


def _order(scope: _Scope) -> tuple[Ordered, str]:
    """The asked-for period first, then the property's own, then those of the properties that are named."""
    nearness = Ordered(
        When(period=scope.period, then=0),
        When(period__property=scope.about, then=1),
        When(_of_others(scope), then=2),
        *([When(_same_dates(scope.period), then=3)] if scope.period else []),
        default=4,
    )
    return nearness, "-period__start"


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
