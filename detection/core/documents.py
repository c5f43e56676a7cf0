"""A number against the source chunks: cited ones first, then by shared words, each chunk read once (NUM-06, NUM-14)."""

from dataclasses import dataclass, replace
from decimal import Decimal
from heapq import nsmallest

from detection.core import dates, property_binding
from detection.core.comparison import stated_scale, values_of, within
from detection.core.names import Words as Written
from detection.core.passages import passage
from detection.core.places import Place, Words, kind_of, years
from detection.core.ranking import Ranked, Ranking
from detection.core.source_choice import Choice
from detection.core.source_derivations import derived_candidates
from detection.core.source_labels import with_unit
from detection.core.source_rules import About, Rules, barred, metrics_of, names_of, narrowed
from detection.core.source_scales import Scales
from detection.core.source_slips import NEAREST, compared
from detection.core.source_slots import Slots
from detection.core.support import Stated, judged
from detection.core.table_periods import year_of
from detection.core.types import Candidate, Case, Expired, NumericClaim, Slip, never
from detection.core.wording import Wording, wording

UNBOUND = About()
_YEAR, _SAME_LENGTH = 300, 7  # days: a span beyond the first is a year; spans as long as each other
_LONGEST_NAMED = 20_000  # characters of a chunk that are looked through for the property it names


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
        self._case = case
        self._asked = _asked_years(case)
        self._owners: dict[int, str | None] = {}
        self._choice = Choice(case.sources, limit)
        self._scales = Scales(case.sources)
        self._passages = [passage(source.ref, source.text) for source in case.sources]
        self._by_ref = {one.source: one for one in self._passages}
        self._read: set[int] = set()
        self._slots: dict[tuple[int, ...], Slots] = {}

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
        if number.kind == "date":
            return Compared(self._same_dates(number, chosen), (), len(chosen), left)
        stated = self._stated(number, rest, chosen, about)
        verdict = barred(judged(stated))
        candidates, slips = compared(number, stated, verdict, self._by_ref)
        if not verdict.supported:  # what a figure states needs no reckoning
            places = self._slots_of(chosen).places
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
        slots, about = self._slots_of(chosen), self._completed(about, rest)
        names = names_of(self._case.aliases)
        own = slots.names(about.metric, names)
        asked = frozenset((year_of(about.period),)) if about.period else self._asked
        said = wording(rest, own, asked)
        if about.several and about.metric is not None:
            moves = number.direction is not None or number.unit == "pp"
            said = narrowed(said, about, own, names, moves=moves)
        ranked = Ranking(slots, self._by_ref, number, said).ranked
        owners = {self._sources[index].ref: self._owner_of(index) for index in chosen}
        if "change" in said.operations and (number.kind == "percentage" or number.direction is not None):
            about = replace(about, period=None)  # a change is of two periods
        rules = Rules(about, owners, metrics_of(self._case.aliases))
        ruled = rules.applied(
            ranked, {one.source: one.period for one in map(self._passages.__getitem__, chosen)}
        )
        return _stated(number, ruled, said, self._scales.used(chosen))

    def _completed(self, about: About, rest: str) -> About:
        """What the sentence leaves open is the answer's."""
        period, case = about.period, self._case
        if period is None and case.period is not None and not years(rest):
            period = dates.iso_of(case.period.start, case.period.end)
        return replace(about, period=period, property=about.property or case.property)

    def _owner_of(self, index: int) -> str | None:
        """The one property that a chunk names; None where it names none or several."""
        if index not in self._owners:
            text = self._sources[index].text[:_LONGEST_NAMED] if self._case.properties else ""
            marks = property_binding.names_of(self._case).find(Written(text)) if text else []
            named = {mark.value for mark in marks}
            self._owners[index] = named.pop() if len(named) == 1 else None
        return self._owners[index]

    def _is_read(self, index: int) -> bool:
        if index not in self._read:
            if self._expired():
                return False
            self._read.add(index)
        return True

    def _slots_of(self, chosen: list[int]) -> Slots:
        key = tuple(chosen)
        if key not in self._slots:
            places = self._scales.resolved({index: self._passages[index].places for index in chosen})
            chunks = {self._sources[index].ref: self._passages[index].words for index in chosen}
            known = metrics_of(self._case.aliases)
            self._slots[key] = Slots(
                _with_currency(
                    [with_unit(place, known, self._by_ref[place.source].text) for place in places]
                ),
                chunks,
            )
        return self._slots[key]

    def _same_dates(self, number: NumericClaim, chosen: list[int]) -> tuple[Candidate, ...]:
        """Dates of the sources with both ends near; a year is also supported by a day inside it."""
        found = []
        for index in chosen:
            for date, start, end in self._passages[index].dates:
                days = _days_apart(number, date)
                if days is not None:
                    ref, text = self._sources[index].ref, self._sources[index].text[start:end]
                    found.append(Candidate("document", text, days=days, source=ref, start=start, end=end))
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
