"""A number against the source chunks: cited ones first, then by shared words, each chunk read once (NUM-06, NUM-14)."""

from dataclasses import dataclass, replace
from decimal import Decimal
from heapq import nsmallest
from typing import NamedTuple

from detection.core.binding import property_binding
from detection.core.chunks import Slots, Words, of_tables, passage, vocabulary, wording, year_of, years
from detection.core.derivations import derived_candidates
from detection.core.matching.source_slips import NEAREST, compared
from detection.core.numbers import dates
from detection.core.retrieval import (
    About,
    Choice,
    Ranking,
    Rules,
    Scales,
    SentenceMetrics,
    Stated,
    barred,
    judged,
    narrowed,
    valued,
)
from detection.core.types import Candidate, Case, Expired, NumericClaim, Slip, never

UNBOUND = About()
_YEAR, _SAME_LENGTH = 300, 7  # days: a span beyond the first is a year; spans as long as each other


@dataclass(frozen=True, slots=True)
class Compared:
    """What the documents say of one number; ``left`` counts chunks that the limit left unread."""

    candidates: tuple[Candidate, ...] = ()
    slips: tuple[Slip, ...] = ()
    read: int = 0
    left: int = 0
    timed_out: bool = False


class _Group(NamedTuple):
    """Chunks that are read for a claim: their slots, the property and the period that each text speaks of where it
    is one alone, the scales that their texts use, and the one that makes bare tables as large as the texts."""

    slots: Slots
    owners: dict[str, str | None]
    periods: dict[str, Words]
    used: frozenset[Decimal]
    large: frozenset[Decimal]


class Documents:
    """The sources of one answer, each taken apart when it is first needed.

    ``expired`` is asked before each chunk is read; a number whose chunks could not all be read is ``timed_out``.
    """

    def __init__(self, case: Case, limit: int, expired: Expired = never) -> None:
        self._sources = case.sources
        self._expired = expired
        self._case = case
        self._asked = _asked_years(case)
        self._vocabulary = vocabulary(case.aliases)
        self._metrics = SentenceMetrics(case.aliases, self._vocabulary)
        self._names = property_binding.names_of(case) if case.properties else None
        self._choice = Choice(case.sources, limit)
        self._passages = [passage(source.ref, source.text) for source in case.sources]
        self._scales = Scales(self._passages)
        self._by_ref = {one.source: one for one in self._passages}
        self._read: set[int] = set()
        self._groups: dict[tuple[int, ...], _Group] = {}

    def compare(
        self, number: NumericClaim, sentence: str, citations: tuple[str, ...], about: About = UNBOUND
    ) -> Compared:
        """Candidates, slips and how many chunks were read for ``number`` as it stands in ``sentence``.

        ``about`` is what the number is bound to; the sources may call its metric by another of its names.
        """
        rest = sentence.replace(number.text, " ", 1)
        chosen = self._choice.chosen(number, rest, citations)
        if not all(self._is_read(index) for index in chosen):
            return Compared(timed_out=True)
        left = self._choice.left(chosen)
        if not chosen:
            return Compared(left=left)
        if number.kind == "date":
            return Compared(self._same_dates(number, chosen), (), len(chosen), left)
        stated = self._stated(number, rest, chosen, about)
        verdict = barred(judged(stated))
        best = verdict.best.ranked.place.source if verdict.best else ""
        verdict = self._metrics.held(verdict, stated, about.metric, self._by_ref.get(best))
        candidates, slips = compared(number, stated, verdict, self._by_ref)
        if not verdict.supported:  # what a figure states needs no reckoning
            places = self._group_of(chosen).slots.places
            candidates += derived_candidates(number, places, rest.lower(), years(rest))
        return Compared(tuple(candidates), slips, len(chosen), left)

    def stated(
        self, number: NumericClaim, sentence: str, citations: tuple[str, ...] = (), about: About = UNBOUND
    ) -> list[Stated]:
        """Every place that ``number`` can be held against, with its rank and its worth; not for dates."""
        rest = sentence.replace(number.text, " ", 1)
        chosen = self._choice.chosen(number, rest, citations)
        return self._stated(number, rest, [index for index in chosen if self._is_read(index)], about)

    def _stated(self, number: NumericClaim, rest: str, chosen: list[int], about: About) -> list[Stated]:
        group, about = self._group_of(chosen), self._completed(about, rest)
        names = self._vocabulary.names
        own = group.slots.names(about.metric, names)
        asked = frozenset((year_of(about.period),)) if about.period else self._asked
        said = wording(rest, own, asked)
        if about.several and about.metric is not None:
            moves = number.direction is not None or number.unit == "pp"
            said = narrowed(said, about, own, names, moves=moves)
        if "change" in said.operations and (number.kind == "percentage" or number.direction is not None):
            about = replace(about, period=None)  # a change is of two periods
        rules = Rules(about, group.owners, group.periods, self._vocabulary.metrics)
        ranked = Ranking(group.slots, self._by_ref, number, said, rules.part).ranked
        return valued(number, ranked, said, group.used, group.large)

    def _completed(self, about: About, rest: str) -> About:
        """What the sentence leaves open is the answer's."""
        period, case = about.period, self._case
        if period is None and case.period is not None and not years(rest):
            period = dates.iso_of(case.period.start, case.period.end)
        return replace(about, period=period, property=about.property or case.property)

    def _is_read(self, index: int) -> bool:
        if index not in self._read:
            if self._expired():
                return False
            self._read.add(index)
        return True

    def _group_of(self, chosen: list[int]) -> "_Group":
        key = tuple(chosen)
        if key not in self._groups:
            read, known = [self._passages[index] for index in chosen], self._vocabulary
            names = self._names
            scaled = list(zip(read, self._scales.of(chosen), strict=True))
            units = frozenset[str]().union(
                *(those for one, scale in scaled for those in one.amounts(scale, known).currencies.values())
            )
            currency = min(units) if len(units) == 1 else ""
            introduced = of_tables([one.introduces for one in read], [one.is_tabular for one in read])
            self._groups[key] = _Group(
                Slots(
                    [one.slots(scale, known, currency) for one, scale in scaled],
                    {one.source: one.words | told for one, told in zip(read, introduced, strict=True)},
                ),
                {one.source: one.owner(names) if names else None for one in read},
                {one.source: one.period for one in read},
                self._scales.used(chosen),
                self._scales.as_large(chosen),
            )
        return self._groups[key]

    def _same_dates(self, number: NumericClaim, chosen: list[int]) -> tuple[Candidate, ...]:
        """Dates of the sources with both ends near; a year is also supported by a day inside it. Of equal ones the
        first count: chunks behind as many exact dates as are wanted are not searched."""
        found: list[Candidate] = []
        for index in chosen:
            for date, start, end in self._passages[index].dates:
                days = _days_apart(number, date)
                if days is not None:
                    ref, text = self._sources[index].ref, self._sources[index].text[start:end]
                    found.append(Candidate("document", text, days=days, source=ref, start=start, end=end))
            if sum(candidate.days == (0, 0) for candidate in found) >= NEAREST:
                break
        return tuple(nsmallest(NEAREST, found, key=lambda candidate: sum(candidate.days or (0, 0))))


def _days_apart(number: NumericClaim, date: NumericClaim) -> tuple[int, int] | None:
    """The distances of both ends in days; None for spans of another length."""
    if not (number.start_date and number.end_date and date.start_date and date.end_date):
        return None
    length, other = number.end_date - number.start_date, date.end_date - date.start_date
    inside = number.start_date <= date.start_date and date.end_date <= number.end_date
    if inside and length.days > _YEAR:
        return 0, 0
    if abs(length - other).days > _SAME_LENGTH:
        return None
    return abs((date.start_date - number.start_date).days), abs((date.end_date - number.end_date).days)


def _asked_years(case: Case) -> Words:
    """The year that a sentence means which names none: the question's, else that of the answer's period."""
    if named := years(case.question):
        return named if len(named) == 1 else frozenset()
    return frozenset() if case.period is None else frozenset((str(case.period.end.year),))
