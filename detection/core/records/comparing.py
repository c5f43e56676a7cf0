"""A number against the figures and periods of record (NUM-05).

A number bound to a metric has one slot: that metric, property and period. Another slot's equal value is a slip,
never support. A number bound to nothing may match any figure of its kind.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from detection.core.numbers import distance, within
from detection.core.records.changes import base_slots
from detection.core.records.derivations import derivations, meaning
from detection.core.records.slips import slips
from detection.core.records.slots import Records, Slot, worth
from detection.core.records.words import Said
from detection.core.types import Candidate, Claim, Figure, NumericClaim, Slip

NEAREST = 3
MOST_DAYS = 7
Found = tuple[list[Candidate], list[Slip]]


def compare_figures(records: Records, claim: Claim, number: NumericClaim, said: Said) -> Found:
    """The nearest figures and derivations, own slot first, and the slips that explain the number.

    ``said`` is the number in its sentence. A change is compared with changes alone, a sum of what the sentence
    lists with sums alone; a figure that a change started from with the slots it may have started from.
    """
    slot = records.slot(claim)
    if slot is None or not isinstance(number.value, Decimal):
        return [], []
    mentions = records.mentions(said.text)
    meant = meaning(records, slot, number, said, mentions)
    derived, wrong = derivations(records, slot, number, said, mentions, meant)
    slots = base_slots(records, slot, said) if meant.base else []
    if number.bound:
        slots = [*slots, slot]  # "above $1.2M" may name a level instead
    own = _own(records, slots or [slot], number) if meant.value and not meant.lists else []
    if slot.metric is None and (derived or (mentions and said.alone)):
        own = []  # the words say what the number is of, or name a metric of another kind: no other figure is meant
    compared = _Compared(slot, number)
    same = [compared.candidate(figure, True) for figure in _nearest(own, number, slot)]
    mine = {id(figure) for figure in own}
    unlike = [] if own or slot.metric is None else records.at(slot)[:1]  # a figure in another unit
    other = [compared.candidate(figure, False) for figure in (*unlike, *_others(records, number, slot, mine))]
    if _stated(own, number, slot) or (derived and _says(derived, number)):
        return [*same, *other, *derived], []
    found = (
        slips(records, slots[0] if slots else slot, number, own, compared.candidate) if meant.value else []
    )
    return [*same, *other, *derived], [*wrong, *found]


@dataclass(frozen=True, slots=True)
class _Compared:
    """A number of a slot, to be set beside figures."""

    slot: Slot
    number: NumericClaim

    def candidate(self, figure: Figure, same: bool) -> Candidate:
        """``figure`` in the number's unit with its distance; ``same`` when it stands in the number's slot."""
        value = worth(figure, self.number, self.slot.metric)
        shown = figure.value if value is None else value
        unit = figure.unit if value is None or value == figure.value else self.number.unit
        apart, relative = distance(Decimal(self.number.value), shown)
        return Candidate(
            "database", figure.name, unit, shown, relative, apart, same=same, record=figure.record, id=figure.id,
            field=figure.field, period=figure.period, property=figure.property, as_of=figure.as_of,
        )  # fmt: skip


def _own(records: Records, slots: Sequence[Slot], number: NumericClaim) -> list[Figure]:
    figures = (figure for slot in slots for figure in records.at(slot))
    return [figure for figure in figures if worth(figure, number, slots[0].metric) is not None]


def _nearest(own: Sequence[Figure], number: NumericClaim, slot: Slot) -> list[Figure]:
    claimed = Decimal(number.value)
    return heapq.nsmallest(
        NEAREST, own, key=lambda f: abs(claimed - (worth(f, number, slot.metric) or f.value))
    )


def _others(records: Records, number: NumericClaim, slot: Slot, mine: set[int]) -> list[Figure]:
    found: list[Figure] = []
    for figure in records.near(number, Decimal(number.value)):
        if id(figure) not in mine and worth(figure, number, slot.metric) is not None:
            found.append(figure)
        if len(found) == NEAREST:
            break
    return found


def _stated(own: Sequence[Figure], number: NumericClaim, slot: Slot) -> bool:
    claimed = Decimal(number.value)
    values = (worth(figure, number, slot.metric) for figure in own)
    return any(
        value is not None and within(claimed, number.precision, value, number.bound) for value in values
    )


def _says(derived: Sequence[Candidate], number: NumericClaim) -> bool:
    claimed = Decimal(number.value)
    return any(
        one.value is not None and within(claimed, number.precision, one.value, number.bound)
        for one in derived
    )


def compare_date(records: Records, claim: Claim, number: NumericClaim) -> Found:
    """A date against the periods of record: both ends' distances in days, the asked-for period first.

    A year or a half that the property reports by its quarters or months is a period of record too.
    """
    if number.start_date is None or number.end_date is None:
        return [], []
    stated = (number.start_date, number.end_date)
    case, about = records.case, claim.property or records.case.property
    periods = [case.period] if case.period else []
    periods += [period for period in case.periods if period != case.period]
    found = []
    for period in periods:
        days = _days_apart(stated, (period.start, period.end))
        if days is not None:
            found.append(_dated(days, period.label, period.property, period.id))
    if about is not None and not any(max(one.days or (0, 0)) <= MOST_DAYS for one in found):
        found += [_dated((0, 0), f"{span[0]} to {span[1]}", about) for span in records.filled(stated, about)]
    return sorted(found, key=lambda candidate: sum(candidate.days or (0, 0)))[:NEAREST], []


def _dated(days: tuple[int, int], label: str, about: str, key: int | None = None) -> Candidate:
    return Candidate(
        "database", label, days=days, record="FinancialPeriod", id=key, period=label, property=about
    )


def _days_apart(stated: tuple[date, date], period: tuple[date, date]) -> tuple[int, int] | None:
    """How far the ends lie apart; None when a year is compared with a quarter. A single day is measured to
    the nearer end and is 0 inside the period."""
    if stated[0] == stated[1]:
        day = stated[0]
        if period[0] <= day <= period[1]:
            return 0, 0
        away = min(abs((day - period[0]).days), abs((day - period[1]).days))
        return away, away
    lengths = (stated[1] - stated[0]).days, (period[1] - period[0]).days
    if abs(lengths[0] - lengths[1]) > max(7, lengths[1] // 10):
        return None
    return abs((stated[0] - period[0]).days), abs((stated[1] - period[1]).days)
