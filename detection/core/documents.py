"""A number against the source chunks: cited ones first, then by shared words, each chunk read once (NUM-06, NUM-14)."""

from dataclasses import dataclass
from decimal import Decimal
from heapq import nsmallest

from detection.core import numbers
from detection.core.comparison import distance, misread, stated_scale, values_of, within
from detection.core.passages import read
from detection.core.places import Place, Words, kind_of, years
from detection.core.ranking import Ranked, Ranking
from detection.core.source_choice import Choice
from detection.core.source_derivations import derived_candidates
from detection.core.source_scales import Scales
from detection.core.source_slots import Slots
from detection.core.support import Judged, Stated, judged
from detection.core.surroundings import Texts
from detection.core.types import Candidate, Case, Expired, NumericClaim, Slip, never
from detection.core.wording import Wording, wording

NEAREST = 3
_YEAR, _SAME_LENGTH = 300, 7  # days: a span beyond the first is a year; spans as long as each other
_LONGEST_DATED = 20_000  # characters of a chunk with tables that are read again for its dates
_Dated = tuple[NumericClaim, int, int]


@dataclass(frozen=True, slots=True)
class Compared:
    """What the documents say of one number; ``left`` counts chunks that the limit left unread."""

    candidates: tuple[Candidate, ...] = ()
    slips: tuple[Slip, ...] = ()
    read: int = 0
    left: int = 0
    timed_out: bool = False


class Documents:
    """The sources of one answer, each taken apart when it is first needed.

    ``expired`` is asked before each chunk is read; a number whose chunks could not all be read is ``timed_out``.
    """

    def __init__(self, case: Case, limit: int, expired: Expired = never) -> None:
        self._sources = case.sources
        self._expired = expired
        self._asked = _asked_years(case)
        self._choice = Choice(case.sources, limit)
        self._scales = Scales(case.sources)
        self._texts = Texts({source.ref: source.text for source in case.sources})
        self._places: dict[int, list[Place]] = {}
        self._dates: dict[int, list[_Dated]] = {}
        self._slots: dict[tuple[int, ...], Slots] = {}

    def compare(
        self, number: NumericClaim, sentence: str, citations: tuple[str, ...], metric: str | None = None
    ) -> Compared:
        """Candidates, slips and how many chunks were read for ``number`` as it stands in ``sentence``.

        ``metric`` is what the number is bound to; the sources may call it by another of its names.
        """
        rest = sentence.replace(number.text, " ", 1)
        chosen = self._choice.chosen(number, rest, citations)
        if not all(self._is_read(index) for index in chosen):
            return Compared(timed_out=True)
        left = self._choice.left(chosen)
        if number.kind == "date":
            return Compared(self._same_dates(number, chosen), (), len(chosen), left)
        stated = self._stated(number, rest, chosen, metric)
        verdict = judged(stated)
        candidates, slips = _compared(number, stated, verdict)
        if not verdict.supported:  # what a figure states needs no reckoning
            places = self._slots_of(chosen).places
            candidates += derived_candidates(number, places, rest.lower(), years(rest))
        return Compared(tuple(candidates), slips, len(chosen), left)

    def stated(
        self, number: NumericClaim, sentence: str, citations: tuple[str, ...] = (), metric: str | None = None
    ) -> list[Stated]:
        """Every place that ``number`` can be held against, with its rank and its worth; not for dates."""
        rest = sentence.replace(number.text, " ", 1)
        chosen = self._choice.chosen(number, rest, citations)
        return self._stated(number, rest, [index for index in chosen if self._is_read(index)], metric)

    def _stated(self, number: NumericClaim, rest: str, chosen: list[int], metric: str | None) -> list[Stated]:
        slots = self._slots_of(chosen)
        said = wording(rest, slots.names(metric), self._asked)
        ranked = Ranking(slots, self._texts, number, said).ranked
        return _stated(number, ranked, said, self._scales.used(chosen))

    def _is_read(self, index: int) -> bool:
        if index not in self._places:
            if self._expired():
                return False
            source = self._sources[index]
            self._places[index] = read(source.ref, source.text)
        return True

    def _slots_of(self, chosen: list[int]) -> Slots:
        key = tuple(chosen)
        if key not in self._slots:
            places = self._scales.resolved({index: self._places[index] for index in chosen})
            chunks = {self._sources[index].ref: self._choice.words_of(index) for index in chosen}
            self._slots[key] = Slots(_with_currency(places), chunks)
        return self._slots[key]

    def _same_dates(self, number: NumericClaim, chosen: list[int]) -> tuple[Candidate, ...]:
        """Dates of the sources with both ends near; a year is also supported by a day inside it."""
        found = []
        for index in chosen:
            for date, start, end in self._dates_of(index):
                days = _days_apart(number, date)
                if days is not None:
                    ref, text = self._sources[index].ref, self._sources[index].text[start:end]
                    found.append(Candidate("document", text, days=days, source=ref, start=start, end=end))
        return tuple(nsmallest(NEAREST, found, key=lambda candidate: sum(candidate.days or (0, 0))))

    def _dates_of(self, index: int) -> list[_Dated]:
        """The dates of a chunk with their places; the headings of its tables are read for them once."""
        if index not in self._dates:
            places = self._places[index]
            dated = [(place.date, place.start, place.end) for place in places if place.date is not None]
            if any(place.table >= 0 for place in places):
                read = numbers.extract(self._sources[index].text[:_LONGEST_DATED])
                dated = [one for one in dated if one[1] >= _LONGEST_DATED]
                dated += [(claim, claim.start, claim.end) for claim in read if claim.kind == "date"]
            self._dates[index] = dated
        return self._dates[index]


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


def _with_currency(places: list[Place]) -> list[Place]:
    """Cells without a sign take the one currency of their table, else the one of all that was read."""
    tables: dict[tuple[str, int], set[str]] = {}
    for place in places:
        if kind_of(place) == "currency":
            tables.setdefault((place.source, place.table), set()).add(place.unit)
    everywhere = set().union(*tables.values()) if tables else set()
    named = {key: min(units) for key, units in tables.items() if len(units) == 1}
    common = min(everywhere) if len(everywhere) == 1 else ""
    return [
        place._replace(unit=named.get((place.source, place.table), common))
        if place.table >= 0 and not place.unit
        else place
        for place in places
    ]


def _stated(
    number: NumericClaim, ranked: list[Ranked], said: Wording, used: frozenset[Decimal]
) -> list[Stated]:
    """What each ranked place is worth; a table without a scale is taken at the claim's where the text uses it."""
    claimed, scale = Decimal(number.value), stated_scale(number)
    open_scale = scale if scale in used else Decimal(1)
    found = []
    for one in ranked:
        values = values_of(one.place, number, (scale, open_scale), said)
        agrees = any(within(claimed, number.precision, value, number.bound) for value in values)
        found.append(Stated(one, values, agrees))
    return found


def _compared(
    number: NumericClaim, stated: list[Stated], verdict: Judged
) -> tuple[list[Candidate], tuple[Slip, ...]]:
    chosen: list[Candidate] = []
    for same in (True, False):
        worth = [
            (abs(Decimal(number.value) - value), place, value)
            for place, one in enumerate(stated)
            if _is_own(one, verdict) is same
            for value in one.values
        ]
        nearest = nsmallest(NEAREST, worth)
        chosen += [_candidate(number, value, stated[place].ranked.place, same) for _, place, value in nearest]
    if verdict.supported or number.bound:
        return chosen, ()
    return chosen, tuple(_slips(number, verdict))


def _is_own(one: Stated, verdict: Judged) -> bool:
    if verdict.supported:
        return one.agrees
    return verdict.sure and one is verdict.other


def _candidate(number: NumericClaim, value: Decimal, place: Place, same: bool) -> Candidate:
    apart, relative = distance(Decimal(number.value), value)
    return Candidate(
        "document", place.text, number.unit, value, relative, apart, same=same, source=place.source, start=place.start,
        end=place.end, period=max(place.years, default=None),
    )  # fmt: skip


def _slips(number: NumericClaim, verdict: Judged) -> list[Slip]:
    """How a number that its own slot does not state comes about: misread, or another slot's."""
    if verdict.other is None or not verdict.sure:
        return []
    own = verdict.other.ranked
    slips = [
        Slip(code, "", _candidate(number, value, own.place, same=True))  # type: ignore[arg-type]  # its literals
        for value in verdict.other.values
        if (code := misread(Decimal(number.value), value))
    ]
    if verdict.best is not None:
        place = verdict.best.ranked.place
        value = min(verdict.best.values, key=lambda worth: abs(Decimal(number.value) - worth))
        code = "period" if _same_row(own.place, place) else "metric"
        slips.append(Slip(code, "", _candidate(number, value, place, same=False)))  # type: ignore[arg-type]  # its literals
    return slips[:NEAREST]


def _same_row(one: Place, other: Place) -> bool:
    if one.table >= 0 and other.table >= 0:
        return (one.source, one.table, one.line) == (
            other.source,
            other.table,
            other.line,
        ) or one.row == other.row
    return one.years != other.years and len(one.row & other.row) * 2 >= len(one.row)
