"""A date of the answer against the periods of record and the dates of the sources: the same day, of the same one, and
what is said to have happened on it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from detection.core import periods
from detection.core.evidence import OPEN, Evidence, Fact, Grid
from detection.core.lexicons import Words, phrases
from detection.core.matching.slots import choose, resolved
from detection.core.matching.times import roles
from detection.core.matching.times.subjects import bounds_of, names_row, sentence_of, speaks_of, spoken_of
from detection.core.periods import Span
from detection.core.periods.lengths import ends_of
from detection.core.quantities import Quantity, Reading
from detection.core.text import detect_language
from detection.core.types import Candidate, Case, NumericClaim, Slip, Source

MOST_SHOWN = 3
_ALIKE = (
    frozenset(("end", "paid")),
    frozenset(("notice", "paid")),
    frozenset(("start", "effective")),
    frozenset(("end", "closed")),
    frozenset(("closed", "signed")),
    frozenset(("start", "built")),
)
_ONCE = frozenset(("start", "end", "signed", "built", "possession", "closed"))
"""What comes about on one day alone; payments, notices and tests come again."""
_NEAR, _BEFORE = 16, 80  # characters
_FINE = frozenset(("day", "month"))


@dataclass(frozen=True, slots=True)
class Dated:
    """What became of a date: what is the same day, what is the same day of something else, and whether it only names a
    period."""

    candidates: tuple[Candidate, ...] = ()
    slips: tuple[Slip, ...] = ()
    names: bool = False


def compare(number: NumericClaim, reading: Reading, around: Quantity, case: Case, known: Evidence) -> Dated:
    """The periods and dates that the date is, or that lie in it."""
    if number.start_date is None or number.end_date is None:
        return Dated()
    claimed = (number.start_date, number.end_date)
    spans = [claimed]
    for one in reading.periods:
        part_of = one.ends and not (number.start <= one.start and one.end <= number.end)
        if one.start <= number.start < one.end and not part_of:
            spans += [span for grid in known.all for span in resolved(one, (), grid, (grid.calendar,))]
    clause = reading.clause(number.start, number.end)
    called = roles.named(reading, number)
    said = called.roles or reading.keys("date_roles", (clause,))
    spans = list(dict.fromkeys(spans))  # most grids resolve a period alike
    met = [
        one for one in _dated(known) if one[0].days and any(roles.meet(one[0].days, span) for span in spans)
    ]
    named_rows = cache(lambda grid: choose(around.tiers[:2], grid, 1, None, None).labels)
    slots = [
        _conflict(fact, grid, said, named_rows) or _elsewhere(called, fact, grid, claimed)
        for fact, grid in met
    ]
    wrong = [
        Slip(slot, "", _candidate(fact.text, fact, equal=False))
        for slot, (fact, _) in zip(slots, met, strict=True)
        if slot
    ]
    found = [one for slot, one in zip(slots, met, strict=True) if not slot]
    if any(slot == "role" and fact.days == claimed for slot, (fact, _) in zip(slots, met, strict=True)):
        found = [one for one in found if one[0].days == claimed]  # its month tells nothing of the day
    event = _event(number, reading, around, case)
    if found and event.is_of_other(found, known):
        wrong += [Slip("role", "", _candidate(fact.text, fact, equal=False)) for fact, _ in found]
        found = []
    if found and periods.granularity(claimed) in _FINE and (other := event.given_instead(found, known)):
        return Dated((event.told(other, claimed),))
    right = [_candidate(fact.text, fact) for fact, _ in found]
    if not right and not (wrong and periods.granularity(claimed) in _FINE):
        right += [
            _candidate(label, None)
            for label, span in _spans(case, known)
            if any(_names(one, span) for one in spans)
        ]
    if not right and not wrong and (told := event.days(known)):
        return Dated(tuple(event.told(fact, claimed) for fact in told[:MOST_SHOWN]))
    names = periods.granularity(claimed) != "day" or _lies_within(claimed, said, known)
    return Dated(tuple(right[:MOST_SHOWN]), () if right else tuple(wrong[:MOST_SHOWN]), names)


@dataclass(frozen=True, slots=True)
class _Event:
    """What is said to happen on a date: the roles that stand beside it, and the words for what it happens to."""

    roles: frozenset[str]
    owners: frozenset[str]
    words: frozenset[str]
    around: Quantity
    sources: Mapping[str, Source]

    def days(self, known: Evidence) -> list[Fact]:
        """The dates on which the evidence says that this came about to the same one: "valid until 31 May 2026" where the
        answer says that it expires in June."""
        if not self.roles or not self.words:
            return []
        dated = ((fact, grid) for fact, grid in _dated(known) if fact.roles & self.roles)
        return [fact for fact, grid in dated if self._is_of_same(fact, grid)]

    def given_instead(self, found: Sequence[tuple[Fact, Grid | None]], known: Evidence) -> Fact | None:
        """The one other date on which this came about to the same one, where the date that is named stands in the evidence
        only as one of something else."""
        if beside := self._beside(found, known):
            return beside
        for fact, grid in found:
            if _is_alike(self.roles, fact.roles) or self._is_of_same(fact, grid) or self._is_moved(fact):
                return None
        days = self.days(known)
        return days[0] if len({fact.days for fact in days}) == 1 else None

    def _beside(self, found: Sequence[tuple[Fact, Grid | None]], known: Evidence) -> Fact | None:
        """The one date of the same sentence on which this came about, where the sentence says of the date that is named that
        something else did."""
        days: dict[Span, Fact] = {}
        for fact, grid in found:
            source = self.sources.get(fact.source or "")
            if grid is not None or source is None or not fact.roles or fact.roles & self.roles:
                return None
            others = roles.of_sentence(known.dates, fact, bounds_of(source.text, fact))
            days |= {one.days: one for one in others if one.days and one.roles & self.roles}
        return next(iter(days.values())) if len(days) == 1 else None

    def is_of_other(self, found: Sequence[tuple[Fact, Grid | None]], known: Evidence) -> bool:
        """Whether a date is said to be that of a warranty, an option or the like, and the evidence speaks of that elsewhere
        and names something else's role where it has the date."""
        if not self.owners:
            return False
        told = roles.owners(" ".join(one.text for one in self.sources.values()))
        return self.owners <= told and all(
            grid is None and fact.roles and not self.owners & self._owners_near(fact, known)
            for fact, grid in found
        )

    def _owners_near(self, fact: Fact, known: Evidence) -> frozenset[str]:
        """What the sentence of a date speaks of, and what leads it in without a date of its own."""
        source = self.sources.get(fact.source or "")
        if source is None:
            return self.owners
        low, high = bounds_of(source.text, fact)
        before = max(low - _BEFORE, 0)
        others = (one.end for one in known.dates if one.source == fact.source and before <= one.start < low)
        return roles.owners(f"{source.title}\n{source.text[max(others, default=before) : high]}")

    def _is_moved(self, fact: Fact) -> bool:
        """Whether a sentence puts a date in the place of another one: "an amendment moves it to"."""
        source = self.sources.get(fact.source or "")
        return source is None or bool(phrases("moving").find(Words(sentence_of(source.text, fact))))

    def told(self, fact: Fact, claimed: Span) -> Candidate:
        """Another date of this, as what refutes the one that is claimed."""
        return _candidate(fact.text, fact, apart=_apart(fact.days or claimed, claimed))

    def _is_of_same(self, fact: Fact, grid: Grid | None) -> bool:
        if grid is not None:
            return names_row(grid, fact, self.around)
        source = self.sources.get(fact.source or "")
        return source is not None and speaks_of(
            self.words, f"{source.title} {sentence_of(source.text, fact)}"
        )


def _event(number: NumericClaim, reading: Reading, around: Quantity, case: Case) -> _Event:
    """What the words beside a date say that happens on it."""
    clause = reading.clause(number.start, number.end)
    event = reading.event(number.start, number.end, _NEAR)
    low, high = clause
    before = number.start if event is None or event.start < number.start else high
    spoken = reading.text[low if before == number.start else number.end : before]
    own = roles.owners(spoken) if event is not None else frozenset()
    return _Event(
        event.value & _ONCE if event else frozenset(),
        own,
        spoken_of(reading, clause),
        around,
        {one.ref: one for one in case.sources},
    )


def _apart(days: Span, claimed: Span) -> tuple[int, int]:
    """How many days lie between the beginnings and the ends of two dates."""
    return abs((days[0] - claimed[0]).days), abs((days[1] - claimed[1]).days)


def _lies_within(claimed: Span, said: frozenset[str], known: Evidence) -> bool:
    """Whether a day lies within a period of the evidence and is not said to begin or end one: no figure tells of it."""
    if said & {"start", "end"}:
        return False
    return any(periods.contains(span, claimed) for grid in known.all for span in grid.spans)


def _names(claimed: Span, period: Span) -> bool:
    """Whether a date names a period of the evidence: a day does that begins or ends it."""
    if periods.granularity(claimed) != "day" or periods.granularity(period) == "day":
        return roles.meet(period, claimed)
    return claimed[0] in period


def _conflict(
    fact: Fact,
    grid: Grid | None,
    said: frozenset[str],
    named_rows: Callable[[Grid], tuple[int, ...] | None],
) -> Literal["role", "property"] | None:
    """The slot in which a date of the evidence differs from what is said of the date."""
    if said and fact.roles and not _is_alike(said, fact.roles):
        return "role"
    if grid is not None and fact.at[1:] != (OPEN,):
        rows = named_rows(grid)
        if rows and fact.at[1] not in rows:
            return "property"
    return None


def _elsewhere(called: roles.Named, fact: Fact, grid: Grid | None, claimed: Span) -> Literal["role", ""]:
    """Whether the words beside a date name another row or column of the table in which a date stands."""
    if grid is None or grid.is_prose:
        return ""
    return "role" if roles.is_other(called, fact, grid, claimed) else ""


def _is_alike(said: frozenset[str], given: frozenset[str]) -> bool:
    """Whether what is said to happen on a date is what happened on another."""
    return bool(said & given) or any(said & kin and given & kin for kin in _ALIKE)


def _dated(known: Evidence) -> Iterator[tuple[Fact, Grid | None]]:
    """The dates of tables with their grid, then those that prose names; a date in a table counts as that of the table."""
    seen: set[tuple[str | None, int]] = set()
    for grid in known.all:
        for fact in grid.facts:
            if fact.days:
                seen.add((fact.source, fact.start))
                yield fact, grid
    for fact in known.dates:
        if (fact.source, fact.start) not in seen:
            yield from ((end, None) for end in _ends_of(fact))


def _ends_of(fact: Fact) -> tuple[Fact, ...]:
    """The two days or months between which a stretch of prose lies, the one as its start, the other as its end; any other date
    itself."""
    ends = ends_of(fact.text, fact.days, detect_language(fact.text)) if fact.days else None
    if ends is None or not {periods.granularity(one) for one in ends} <= _FINE:
        return (fact,)
    return tuple(
        replace(fact, days=days, roles=fact.roles | {role})
        for days, role in zip(ends, ("start", "end"), strict=True)
    )


def _candidate(
    label: str, fact: Fact | None, *, equal: bool = True, apart: tuple[int, int] = (0, 0)
) -> Candidate:
    days, equal = apart if equal else None, equal and not any(apart)
    if fact is None or fact.source is None:
        return Candidate("database", label, days=days, equal=equal)
    return Candidate(
        "document", fact.text, days=days, equal=equal, source=fact.source, start=fact.start, end=fact.end
    )


def _spans(case: Case, known: Evidence) -> Iterator[tuple[str, Span]]:
    for period in case.periods:
        yield period.label, (period.start, period.end)
    for grid in known.all:
        for span in grid.spans:
            yield periods.label(span), span
