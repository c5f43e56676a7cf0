"""Rows into a :class:`~detection.core.types.Case`, in a fixed number of queries (NUM-05).

However many claims an answer has, its figures come in three queries: the periods of the property itself, of the
properties that the answer names (of all, where it speaks of all and brings no source) and of others at the same dates; their
metrics; their statement lines. The
neighbours are there so that a value which stands in the wrong slot is recognised as such; only properties that
everybody who sees this one may see are neighbours, because whoever reads the result reads their figures.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any

from django.db import Error, transaction
from django.db.models import Case as Ordered
from django.db.models import Q, QuerySet, When

from detection.access import seen_by_all, seen_with
from detection.core import lexicons, text
from detection.core.types import Alias, Case, Figure, Named, Period, Source
from detection.models import (
    Answer,
    ApiKey,
    FinancialPeriod,
    IncomeStatementData,
    MetricAlias,
    Property,
    StrictAnswer,
)
from detection.runs import prepared
from detection.runs.figures import OwnedPeriod, Owner, line_figures, metric_figures, owned_period

log = logging.getLogger(__name__)
# Bounds on what one answer is compared with, however large the portfolio: the asked-for period comes first,
# then the property's latest ones, then other properties' figures of the same dates.
MOST_ROWS = 500
MOST_PROPERTIES = 2_000  # properties whose names are looked for in an answer
MOST_NAMED = 20  # other properties whose figures one answer is compared with, period by period
MOST_BESIDE = 20  # properties whose lines, and figures of the years named, stand beside the answer's own
MOST_YEARS = 10
_YEAR = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")


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
        for row in answer.sources.all()
    )
    return build(
        answer=answer.text,
        question=answer.question,
        language=answer.language,
        sources=sources,
        about=answer.property,
        period=answer.period,
        figures=figures,
        submitted_by=None if answer.property else answer.submitted_by,
        original_confidence=answer.original_confidence,
        question_type=answer.question_type or None,
        iteration=answer.iteration,
        max_iterations=answer.max_iterations,
        refused=StrictAnswer.refusal_of(answer),
    )


def build(
    *,
    answer: str,
    sources: tuple[Source, ...],
    about: Property | None,
    period: FinancialPeriod | None,
    figures: bool = True,
    language: str = "",
    submitted_by: ApiKey | None = None,
    **facts: Any,
) -> Case:
    """A case from parts; for a key that sees no property, without figures of any. A database failure leaves ``database="unavailable"`` and no figures: it never
    looks like support (contracts §3.6)."""
    case = Case(
        answer=answer,
        sources=sources,
        language=language or text.detect_language(answer),
        fiscal_year_end=about.fiscal_year_end_month if about else None,
        **facts,
    )
    try:
        with transaction.atomic():
            unseen = about is None and submitted_by is not None and submitted_by.sees_nothing
            said = f"{answer}\n{case.question}"
            scope = None if unseen else _scope(said, about, period, alone=not sources)
            if scope is None:
                return case
            known = _known(case, scope)
            return _with_figures(known, scope) if figures else known
    except Error:
        log.exception("figures_unavailable")
        return replace(case, property=about.code if about else None, database="unavailable")


def source_of(given: Mapping[str, Any]) -> Source:
    """A source from a submission's mapping, or from a ``chunk_id`` / ``chunk_text`` pair (NUM-06)."""
    return Source(
        ref=str(given.get("id", given.get("chunk_id"))),
        text=given.get("text") or given.get("chunk_text") or "",
        parent_ref=given.get("parent_id"),
        title=given.get("title") or "",
        score=given.get("score"),
        quality=given.get("quality"),
        metadata=given.get("metadata") or {},
    )


def mapping_of(source: Source) -> dict[str, Any]:
    """A source as a submission has it: the way back from :func:`source_of`."""
    return {
        "id": source.ref,
        "parent_id": source.parent_ref,
        "title": source.title,
        "text": source.text,
        "score": source.score,
        "quality": source.quality,
        "metadata": dict(source.metadata),
    }


@dataclass(frozen=True, slots=True)
class _Scope:
    """What an answer is about: its property (without one, the first that it names) and period, the other properties that
    it names, and the years."""

    about: Owner
    is_given: bool
    period: FinancialPeriod | None
    others: tuple[Owner, ...]
    neighbours: tuple[Owner, ...]  # named or not
    years: tuple[int, ...]


def _scope(
    said: str, about: Property | None, period: FinancialPeriod | None, *, alone: bool
) -> _Scope | None:
    """The scope of what answer and question say; None where neither a property is given nor one is named. An answer that stands
    ``alone``, without sources, is about all properties where it speaks of all: "the portfolio averaged"."""
    if about is None:
        rows = [Owner(*row) for row in prepared.rows(_seen_by_all, most=MOST_PROPERTIES)]
    else:
        rows = [Owner(*row) for row in prepared.rows(_seen, [about.pk], most=MOST_PROPERTIES)]
    others = tuple(_named_in(said, rows))[:MOST_NAMED]
    if about is None and not others and alone and len(rows) <= MOST_NAMED and _speaks_of_all(said):
        others = tuple(rows)
    if about is None and not others:
        return None
    years = sorted({int(year) for year in _YEAR.findall(said)})[:MOST_YEARS]
    if about is None:
        named = set(others)
        beside = tuple(row for row in rows[:MOST_ROWS] if row not in named)
        return _Scope(others[0], False, None, others[1:], beside, tuple(years))
    own = Owner(about.pk, about.code, about.name, about.currency)
    return _Scope(own, True, period, others, tuple(rows[:MOST_ROWS]), tuple(years))


def _speaks_of_all(said: str) -> bool:
    found = lexicons.phrases("entities").find(lexicons.Words(said))
    return any("whole" in mark.value for mark in found)


def _seen(own: list[int]) -> QuerySet[Property, Any]:
    seen = seen_with(Property(pk=own[0])).exclude(pk=own[0]).order_by("code")
    return seen.values_list("pk", "code", "name", "currency")


def _seen_by_all() -> QuerySet[Property, Any]:
    return seen_by_all().order_by("code").values_list("pk", "code", "name", "currency")


def _named_in(said: str, rows: Iterable[Owner]) -> list[Owner]:
    """The properties whose code or name stands in what is said, whole names before short ones ("Cedar Point" is what
    people call Cedar Point Apartments, and "Cedar", where it is no "cedar" cladding); all of them are looked for in one
    reading."""
    folded = said.casefold()
    pieces = {folded[place : place + 3] for place in range(len(folded))}
    found: list[tuple[int, int]] = []
    known = list(rows)
    for place, row in enumerate(known):
        words = row.name.split()
        calls = (row.code, row.name, " ".join(words[:2]), words[0] if words and len(words[0]) > 3 else "")
        rank = next((n for n, called in enumerate(calls) if _stands(called.casefold(), folded, pieces)), None)
        if rank is not None and (rank < len(calls) - 1 or _is_name(calls[-1], said)):
            found.append((rank, place))
    return [known[place] for _, place in sorted(found)]


def _stands(name: str, folded: str, pieces: set[str]) -> bool:
    if len(name) < 2 or not any(character.isalpha() for character in name):
        return False
    if not all(name[place : place + 3] in pieces for place in range(len(name) - 2)):
        return False
    return name in folded and _whole(name).search(folded) is not None


def _is_name(word: str, said: str) -> bool:
    """Whether a word is written as the name that it is, or in capitals throughout; of a script without them always."""
    return any(_whole(written).search(said) is not None for written in (word, word.upper()))


@lru_cache(maxsize=MOST_PROPERTIES * 4)
def _whole(name: str) -> re.Pattern[str]:
    """A name as a word of its own: no "Mill" in "million". Hebrew puts letters before a name, Chinese no spaces around it."""
    first, last = ("(?<![a-z0-9])" if name[0].isascii() else "", "(?![a-z0-9])" if name[-1].isascii() else "")
    return re.compile(f"{first}{re.escape(name)}{last}")


def _known(case: Case, scope: _Scope) -> Case:
    """The case with its property, its period and the names that properties, metrics and accounts go by."""
    about, period = scope.about, scope.period
    aliases = [Alias(*row) for row in prepared.rows(_aliases)]
    named = prepared.rows(_accounts, [about.key])
    return replace(
        case,
        property=about.code if scope.is_given else None,
        period=Period(period.pk, about.code, period.label, period.start, period.end) if period else None,
        aliases=(*aliases, *(Alias(code, "", name) for code, name in named)),
        properties=tuple(
            Named(owner.code, called)
            for owner in (about, *scope.others)
            for called in dict.fromkeys((owner.code, owner.name))
        ),
        database="ok",
    )


def _aliases() -> QuerySet[MetricAlias, Any]:
    return MetricAlias.objects.values_list("metric", "language", "text")


def _accounts(own: list[int]) -> QuerySet[IncomeStatementData, Any]:
    named = IncomeStatementData.objects.filter(period__property=own[0])
    return (
        named.values_list("account_code", "account_name").order_by("account_code", "account_name").distinct()
    )


def _with_figures(case: Case, scope: _Scope) -> Case:
    places = {place.period.id: place for place in _places(scope)}
    own = scope.about.code
    return replace(
        case,
        periods=tuple(place.period for place in places.values() if place.period.property == own),
        figures=(*metric_figures(places), *_line_figures(scope, places)),
    )


def _line_figures(scope: _Scope, places: Mapping[int, OwnedPeriod]) -> Iterator[Figure]:
    """Statement lines in the order of ``places``; of neighbours that are not named, of a few only."""
    owners = {scope.about, *scope.others, *scope.neighbours[:MOST_BESIDE]}
    near = {key: place for key, place in places.items() if place.owner in owners}
    return line_figures(near, [key for key, place in near.items() if place.owner == scope.about])


def _places(scope: _Scope) -> list[OwnedPeriod]:
    """The periods to compare with: the asked-for one, the property's own, those of the properties that are named,
    then neighbours of the same dates and of the years named, the latest first."""
    about, period, others = scope.about, scope.period, scope.neighbours
    rows = prepared.rows(
        _near,
        [about.key],
        [owner.key for owner in scope.others],
        [period.pk] if period else [],
        [period.start, period.end] if period and others else [],
        [owner.key for owner in others] if period else [],
        scope.years if others else [],
        [owner.key for owner in others[:MOST_BESIDE]] if scope.years else [],
        most=MOST_ROWS,
    )
    owners = {owner.key: owner for owner in (about, *others, *scope.others)}
    return [owned_period(owners[key], (pk, label, start, end)) for pk, key, label, start, end in rows]


def _near(
    own: list[int],
    named: list[int],
    asked: list[int],
    dates: list[date],
    same_dates: list[int],
    years: list[int],
    same_years: list[int],
) -> QuerySet[FinancialPeriod, Any]:
    """Periods by how near they are: those of the property and of those named, the one that was ``asked`` for first,
    and those of its ``dates`` and of the ``years`` named of other properties."""
    near = Q(property=own[0]) | Q(property__in=named) | Q(property__in=same_years, end__year__in=years)
    nearness = [When(property=own[0], then=1), When(property__in=named, then=2)]
    if dates:
        near |= Q(property__in=same_dates, start=dates[0], end=dates[1])
    if asked:
        nearness = [When(pk=asked[0], then=0), *nearness]
    rows = FinancialPeriod.objects.filter(near).order_by(Ordered(*nearness, default=3), "-start")
    return rows.values_list("pk", "property", "label", "start", "end")
