"""A date of the answer against the periods of record and the dates of the sources: the same day, of the same one, and
what is said to have happened on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import regex

from detection.core import periods
from detection.core.evidence import OPEN, Evidence, Fact, Grid
from detection.core.matching.slots import choose, resolved
from detection.core.matching.times.subjects import names_row, sentence_of, speaks_of, subject
from detection.core.periods import Span
from detection.core.quantities import Quantity, Reading
from detection.core.types import Candidate, Case, NumericClaim, Slip

MOST_SHOWN = 3
_ALIKE = (
    frozenset(("end", "paid")),
    frozenset(("start", "effective")),
    frozenset(("end", "closed")),
    frozenset(("closed", "signed")),
)
_ONCE = frozenset(("start", "end", "signed", "built", "possession", "closed"))
"""What comes about on one day alone; payments, notices and tests come again."""
_NEAR = regex.compile(r"[^\d,;:.，；。]{0,16}")
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
        if one.start <= number.start < one.end:
            spans += [span for grid in known.all for span in resolved(one, (), grid, (grid.calendar,))]
    said = reading.keys("date_roles", (reading.clause(number.start, number.end),))
    right: list[Candidate] = []
    wrong: list[Slip] = []
    spans = list(dict.fromkeys(spans))  # most grids resolve a period alike
    for fact, grid in _dated(known):
        if fact.days and any(_meet(fact.days, span) for span in spans):
            slot = _conflict(fact, grid, said, around)
            if slot:
                wrong.append(Slip(slot, "", _candidate(fact.text, fact, equal=False)))
            else:
                right.append(_candidate(fact.text, fact))
    if not right and not (wrong and periods.granularity(claimed) in _FINE):
        right += [
            _candidate(label, None)
            for label, span in _spans(case, known)
            if any(_names(one, span) for one in spans)
        ]
    if not right and not wrong and (told := _told_apart(number, claimed, reading, around, case, known)):
        return Dated(told)
    names = periods.granularity(claimed) != "day" or _lies_within(claimed, said, known)
    return Dated(tuple(right[:MOST_SHOWN]), () if right else tuple(wrong[:MOST_SHOWN]), names)


def _told_apart(
    number: NumericClaim, claimed: Span, reading: Reading, around: Quantity, case: Case, known: Evidence
) -> tuple[Candidate, ...]:
    """The other dates on which the evidence says that this came about to the same one: "valid until 31 May 2026" where the
    answer says that it expires in June."""
    clause = reading.clause(number.start, number.end)
    said = _right_there(reading, number, clause) & _ONCE
    words = subject(reading, clause)
    if not said or not words:
        return ()
    texts = {one.ref: one.text for one in case.sources}
    found = [
        _candidate(fact.text, fact, apart=_apart(fact.days, claimed))
        for fact, grid in _dated(known)
        if fact.days
        and fact.roles & said
        and (
            names_row(grid, fact, around)
            if grid
            else speaks_of(words, sentence_of(texts.get(fact.source or "", ""), fact))
        )
    ]
    return tuple(found[:MOST_SHOWN])


def _right_there(reading: Reading, number: NumericClaim, clause: tuple[int, int]) -> frozenset[str]:
    """What is said to happen on a date by the words that stand beside it."""
    marks = reading.marks("date_roles", *clause)
    near = [
        mark
        for mark in marks
        if _NEAR.fullmatch(reading.text, min(mark.end, number.end), max(mark.start, number.start))
    ]
    return near[-1].value if near else frozenset()


def _apart(days: Span, claimed: Span) -> tuple[int, int]:
    """How many days lie between the beginnings and the ends of two dates."""
    return abs((days[0] - claimed[0]).days), abs((days[1] - claimed[1]).days)


def _meet(first: Span, second: Span) -> bool:
    return periods.same(first, second) or periods.contains(first, second) or periods.contains(second, first)


def _lies_within(claimed: Span, said: frozenset[str], known: Evidence) -> bool:
    """Whether a day lies within a period of the evidence and is not said to begin or end one: no figure tells of it."""
    if said & {"start", "end"}:
        return False
    return any(periods.contains(span, claimed) for grid in known.all for span in grid.spans)


def _names(claimed: Span, period: Span) -> bool:
    """Whether a date names a period of the evidence: a day does that begins or ends it."""
    if periods.granularity(claimed) != "day" or periods.granularity(period) == "day":
        return _meet(period, claimed)
    return claimed[0] in period


def _conflict(
    fact: Fact, grid: Grid | None, said: frozenset[str], around: Quantity
) -> Literal["role", "property"] | None:
    """The slot in which a date of the evidence differs from what is said of the date."""
    alike = any(said & kin and fact.roles & kin for kin in _ALIKE)
    if said and fact.roles and not said & fact.roles and not alike:
        return "role"
    if grid is not None and fact.at[1:] != (OPEN,):
        choice = choose(around.tiers[:2], grid, 1, None, None)
        if choice.labels and fact.at[1] not in choice.labels:
            return "property"
    return None


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
            yield fact, None


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
