"""What each number of an answer is bound to: metric, period, property (contracts: bound claims).

The words beside a number come first, then its sentence, then what stands above it: the lines of its table, the
heading of its list, the sentences of its paragraph. What nothing names is the answer's own.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import regex

from detection.core import metrics, period_binding, property_binding
from detection.core.binding_words import PLAIN
from detection.core.landmarks import Landmarks
from detection.core.names import Mark
from detection.core.pasted_tables import Cell, cells
from detection.core.period_binding import PeriodBinder
from detection.core.property_binding import PropertyBinder
from detection.core.types import Case, NumericClaim

_PARAGRAPH = regex.compile(r"\n\s*\n")
_BULLET = regex.compile(r"\s*(?:[-*•–·▪●]|\d{1,2}[.)])\s")
_HEADING = regex.compile(r"\s*(?:#|\*\*[^*\n]+\*\*:?\s*$)|.*[:：]\**\s*$", regex.DOTALL)
_WORD = regex.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+")
_LONGEST_OPENING = 160
_WITHIN = 4000  # a longer stretch is no sentence anybody wrote


class Bound(NamedTuple):
    """What a number belongs to; None where nothing names it."""

    metric: str | None = None
    period: str | None = None
    property: str | None = None


@dataclass(slots=True)
class _Around:
    """What the lines above a sentence say of it: of its paragraph, and of the list or section it stands in."""

    period: str | None = None
    property: str | None = None
    metrics: frozenset[str] = frozenset()
    headed_period: str | None = None
    headed_property: str | None = None
    headed_metrics: frozenset[str] = frozenset()

    def begin(self) -> None:
        """A new paragraph or item: only the heading still holds."""
        self.period, self.property, self.metrics = (
            self.headed_period,
            self.headed_property,
            self.headed_metrics,
        )

    def head(self) -> None:
        """What was just read heads the lines that follow."""
        self.headed_period, self.headed_property, self.headed_metrics = (
            self.period,
            self.property,
            self.metrics,
        )


def bind(case: Case, numbers: Sequence[NumericClaim], sentences: Sequence[tuple[int, int]]) -> list[Bound]:
    """What each of ``numbers``, all of the answer's in order, belongs to, by the answer's ``sentences``. Dates are
    bound to nothing. The work is linear in the length of the answer."""
    return _Reading(case, numbers).bound(sentences)


class _Reading:
    """An answer while its numbers are bound, sentence by sentence."""

    def __init__(self, case: Case, numbers: Sequence[NumericClaim]) -> None:
        self._text, self._numbers = case.answer, numbers
        self._marks = Landmarks(case.answer, numbers)
        self._asked = (case.period.start, case.period.end) if case.period else None
        self._metrics = metrics.named(self._marks, metrics.phrases_of(case.aliases))
        self._spoken = period_binding.phrases(self._marks)
        self._properties: list[Mark[str | None]] = []
        if case.properties:
            names = property_binding.names_of(case)
            self._properties = property_binding.named(self._marks, case.answer, names, numbers)
        self._cells = cells(case.answer, numbers)
        self._starts = [number.start for number in numbers]
        self._found = [Bound()] * len(numbers)
        self._around = _Around()

    def bound(self, sentences: Sequence[tuple[int, int]]) -> list[Bound]:
        """The bindings of all numbers."""
        last = 0
        for start, end in sentences:
            opens = last == 0 or _PARAGRAPH.search(self._text, last, start) is not None
            if opens or _BULLET.match(self._text, start):
                self._around.begin()
            self._sentence(start, end, opens=opens)
            last = end
        return self._found

    def _sentence(self, start: int, end: int, *, opens: bool) -> None:
        inside = range(bisect_left(self._starts, start), bisect_left(self._starts, end))
        counted = [place for place in inside if self._numbers[place].kind != "date"]
        in_cells = [place for place in counted if place in self._cells]
        for place in in_cells:
            self._found[place] = self._in_cell(self._numbers[place], self._cells[place])
        if not in_cells:
            self._read(start, end, inside, counted, opens=opens)

    def _read(self, start: int, end: int, inside: range, counted: Sequence[int], *, opens: bool) -> None:
        numbers = [self._numbers[place] for place in counted]
        stated = [self._numbers[place] for place in inside if self._numbers[place].kind == "date"]
        named, around = _within(self._metrics, start, end), self._around
        periods = PeriodBinder(
            self._marks,
            (start, end),
            stated,
            _within(self._spoken, start, end),
            numbers,
            around.period,
            self._asked,
        )
        places = PropertyBinder(self._marks, start, _within(self._properties, start, end), numbers)
        if numbers:
            self._bind(start, end, counted, numbers, named, periods, places)
        self._remember(start, end, named, numbers, periods, places, opens=opens)

    def _bind(
        self,
        start: int,
        end: int,
        counted: Sequence[int],
        numbers: Sequence[NumericClaim],
        named: list[Mark[str]],
        periods: PeriodBinder,
        places: PropertyBinder,
    ) -> None:
        of = self._metrics_of(start, numbers, named)
        owners = places.values()
        codes = [owner.value if owner else self._around.property for owner in owners]
        alike = [bool(metric) and codes[place] == codes[place - 1] for place, metric in enumerate(of)]
        when = periods.values(alike)
        for place, metric, period, code in zip(counted, of, when, codes, strict=True):
            self._found[place] = Bound(metric or None, period, code)

    def _metrics_of(
        self, start: int, numbers: Sequence[NumericClaim], named: list[Mark[str]]
    ) -> list[str | None]:
        ordered = metrics.in_order(self._marks.text.folded, numbers, named)
        binder = metrics.MetricBinder(self._marks, named)
        found = [ordered.get(place) or binder.nearest(number) for place, number in enumerate(numbers)]
        if None in found and (taken_over := self._taken_over(start, numbers[0])):
            return [
                self._carried(taken_over, number) if metric is None else metric
                for metric, number in zip(found, numbers, strict=True)
            ]
        return found

    def _taken_over(self, start: int, first: NumericClaim) -> frozenset[str]:
        """The metrics a sentence goes on with when it names no subject of its own: "It rose to …"."""
        around = self._around.metrics
        if (
            not around
            or first.start - start > _LONGEST_OPENING
            or self._marks.said("spend", start, first.start)
        ):
            return frozenset()
        covered = [
            *((mark.start, mark.end) for mark in _within(self._spoken, start, first.start)),
            *((mark.start, mark.end) for mark in _within(self._properties, start, first.start)),
            *((one.start, one.end) for one in self._numbers[bisect_left(self._starts, start) :][:4]),
        ]
        for word in _WORD.finditer(self._marks.text.folded, start, first.start):
            if word.group() not in PLAIN and not any(low <= word.start() < high for low, high in covered):
                return frozenset()
        return around

    def _carried(self, around: frozenset[str], number: NumericClaim) -> str | None:
        change = number.direction is not None or self._marks.said(
            "change", number.start - 40, number.end + 24
        )
        fitting = [
            metric for metric in around if number.noun is None and metrics.fits(metric, number, change)
        ]
        return fitting[0] if len(fitting) == 1 else None

    def _remember(
        self,
        start: int,
        end: int,
        named: list[Mark[str]],
        numbers: Sequence[NumericClaim],
        periods: PeriodBinder,
        places: PropertyBinder,
        *,
        opens: bool,
    ) -> None:
        """Keep what the following sentences may go on with."""
        around, heading = self._around, bool(_HEADING.match(self._text, start, end))
        leads = heading or opens
        if periods.main and (numbers or leads):
            values = {one.value for one in periods.main}
            around.period = (
                periods.main[-1].value if len(values) == 1 or len(numbers) >= len(values) else None
            )
        if places.main:
            around.property = places.main[-1].value
        if heading:
            around.metrics = frozenset(mark.value for mark in named if mark.value)
        elif numbers:
            place = bisect_left(self._starts, numbers[0].start)
            bound = self._found[place : bisect_left(self._starts, end)]
            around.metrics = frozenset(one.metric for one in bound if one.metric) or around.metrics
        if not numbers and leads:
            around.head()

    def _in_cell(self, number: NumericClaim, cell: Cell) -> Bound:
        spans = [cell.own, *cell.row, *([cell.head] if cell.head else [])]
        period: str | None = None
        code: str | None = None
        metric: str | None = None
        for low, high in spans:
            of = [mark.value for mark in _within(self._metrics, low, high)]
            metric = next((one for one in of if metric is None and self._fits_cell(one, number)), metric)
            period = period or self._period_of(low, high)
            code = code or next((mark.value for mark in _within(self._properties, low, high)), None)
        return Bound(metric or None, period or self._around.period, code or self._around.property)

    def _fits_cell(self, metric: str, number: NumericClaim) -> bool:
        """In a table a bare number has its unit in the head or in the name."""
        change = self._marks.said("change", number.start - 40, number.start)
        return metrics.fits(metric, number, change) or (number.kind == "number" and number.noun is None)

    def _period_of(self, low: int, high: int) -> str | None:
        inside = self._numbers[bisect_left(self._starts, low) : bisect_left(self._starts, high)]
        stated = [number for number in inside if number.kind == "date"]
        spoken = _within(self._spoken, low, high)
        if not stated and not spoken:
            return None
        binder = PeriodBinder(self._marks, (low, high), stated, spoken, (), self._around.period, self._asked)
        return binder.named[0].value if binder.named else None


def _within(marks: Sequence[Mark], low: int, high: int) -> list[Mark]:  # type: ignore[type-arg]  # of any value
    """The marks that begin from ``low`` up to ``high``."""
    first = bisect_left(marks, low, key=lambda mark: mark.start)
    return list(marks[first : bisect_left(marks, high, lo=first, key=lambda mark: mark.start)])
