"""What each number of an answer is bound to: metric, period, property (contracts: bound claims).

The words beside a number come first, then its sentence, then what stands above it: the lines of its table, the
heading of its list, the sentences of its paragraph. What nothing names is the answer's own.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

import regex

from detection.core.binding import metrics, period_binding, property_binding
from detection.core.binding.cues import Cues
from detection.core.binding.metric_binding import MetricBinder
from detection.core.binding.names import Mark, Words
from detection.core.binding.pasted_tables import Cell, cells
from detection.core.binding.period_binding import PeriodBinder
from detection.core.binding.property_binding import PropertyBinder
from detection.core.types import Case, NumericClaim

_BULLET = regex.compile(r"\s*(?:[-*•–·▪●]|\d{1,2}[.)])\s")
_VERSUS = regex.compile(
    r"[\s(（]*(?:vs\.?|versus|compared\s(?:with|to)|against|and|/|→|->|,|לעומת|、|对比|和)\s*"
)
_OVER = regex.compile(
    r"[\s,，;；(（]*(?:(?:which|is|was|well|far|slightly|just)\s){0,3}(?:above|below|over|under|(?:more|less|higher|lower|greater)\sthan|מעל|מתחת\sל-?|(?:יותר|פחות)\sמ-?"
    r"|[高低多少][于於]|超[过過]|不及)\s?(?:(?:the|about|its)\s)?[$€£₪¥]?"
)
_LONGEST_OVER = 40
_HEADING = regex.compile(r"\s*(?:#|\*\*[^*\n]+\*\*:?\s*$)")


Value = TypeVar("Value")


class Bound(NamedTuple):
    """What a number belongs to; None where nothing names it. ``points`` says that a plain number counts percentage
    points of its metric: "occupancy rose by 5.00 points"; ``compared`` that its "above" or "more than" compares with
    another period's figure and states no bound: "NOI was $1.2M, above the $1.1M of a year earlier"."""

    metric: str | None = None
    period: str | None = None
    property: str | None = None
    points: bool = False
    compared: bool = False


@dataclass(slots=True)
class _Around:
    """What the lines above a sentence say of it: of its paragraph, and of the list or section it stands in.

    ``columns`` are the periods of the last heading, in order.
    """

    period: str | None = None
    property: str | None = None
    metrics: frozenset[str] = frozenset()
    columns: tuple[str | None, ...] = ()
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
        self._asked = (case.period.start, case.period.end) if case.period else None
        self._kinds = metrics.kinds_of(case)
        words = Words(case.answer)
        named = metrics.named(words, metrics.phrases_of(case.aliases))
        spoken, properties = period_binding.phrases(words), property_binding.named(words, case, numbers)
        known = [(mark.start, mark.end) for marks in (spoken, properties) for mark in marks]
        self._marks = Cues(words, numbers, named, known)
        self._metrics, self._spoken, self._properties = _Marks(named), _Marks(spoken), _Marks(properties)
        self._cells = cells(case.answer, numbers)
        self._starts = [number.start for number in numbers]
        self._found = [Bound()] * len(numbers)
        self._around = _Around()

    def bound(self, sentences: Sequence[tuple[int, int]]) -> list[Bound]:
        """The bindings of all numbers."""
        last = 0
        for start, end in sentences:
            opens = last == 0 or self._text.count("\n", last, start) > 1
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
        named, around = self._metrics.within(start, end), self._around
        periods = PeriodBinder(
            self._marks,
            (start, end),
            stated,
            self._spoken.within(start, end),
            numbers,
            around.period,
            self._asked,
        )
        places = PropertyBinder(self._marks, start, self._properties.within(start, end), numbers)
        if numbers:
            self._bind(start, end, counted, numbers, named, periods, places)
        self._remember(start, end, named, numbers, periods, places, opens=opens)

    def _bind(
        self,
        start: int,
        end: int,
        counted: Sequence[int],
        numbers: Sequence[NumericClaim],
        named: Sequence[Mark[str]],
        periods: PeriodBinder,
        places: PropertyBinder,
    ) -> None:
        of = MetricBinder(self._marks, start, named, self._kinds).values(numbers, self._around.metrics)
        owners = places.values()
        codes = [owner.value if owner else self._around.property for owner in owners]
        alike = [bool(metric) and codes[place] == codes[place - 1] for place, metric in enumerate(of)]
        when = periods.values(alike)
        if not periods.named and self._set_side_by_side(numbers):
            when = list(self._around.columns)
        for place, metric, period, code in zip(counted, of, when, codes, strict=True):
            points = metrics.in_points(self._numbers[place], self._kinds.get(metric or ""))
            compared = self._compares(place) and period not in (None, self._found[place - 1].period)
            self._found[place] = Bound(metric or None, period, code, points, compared)

    def _compares(self, place: int) -> bool:
        """Whether the number at ``place`` is only what the one right before it is above or below."""
        if not place or self._numbers[place].bound is None:
            return False
        low, high = self._numbers[place - 1].end, self._numbers[place].start
        return high - low <= _LONGEST_OVER and _OVER.fullmatch(self._marks.text.folded, low, high) is not None

    def _set_side_by_side(self, numbers: Sequence[NumericClaim]) -> bool:
        """Whether the numbers stand in a row like the periods of the heading: "2024 vs. 2023", "$4.7M vs. $4.4M"."""
        gaps = ((first.end, second.start) for first, second in pairwise(numbers))
        return len(self._around.columns) == len(numbers) > 1 and all(
            _VERSUS.fullmatch(self._marks.text.folded, *gap) for gap in gaps
        )

    def _remember(
        self,
        start: int,
        end: int,
        named: Sequence[Mark[str]],
        numbers: Sequence[NumericClaim],
        periods: PeriodBinder,
        places: PropertyBinder,
        *,
        opens: bool,
    ) -> None:
        """Keep what the following sentences may go on with."""
        around, heading = self._around, self._heads(start, end)
        leads = heading or opens
        lasting = periods.lasting()
        if lasting and (numbers or leads):
            values = {one.value for one in lasting}
            around.period = lasting[-1].value if len(values) == 1 or len(numbers) >= len(values) else None
        if places.main and (numbers or places.main[-1].value):
            around.property = places.main[-1].value
        if heading:
            around.metrics = frozenset(mark.value for mark in named if mark.value)
        elif numbers:
            place = bisect_left(self._starts, numbers[0].start)
            bound = self._found[place : bisect_left(self._starts, end)]
            around.metrics = frozenset(one.metric for one in bound if one.metric) or around.metrics
        elif named:
            around.metrics = frozenset(mark.value for mark in named if mark.value)
        if not numbers and leads:
            around.columns = tuple(one.value for one in periods.named)
            around.head()

    def _heads(self, start: int, end: int) -> bool:
        last = self._text[max(start, end - 4) : end].rstrip("* \n")[-1:]
        return last in (":", "：") or _HEADING.match(self._text, start, end) is not None

    def _in_cell(self, number: NumericClaim, cell: Cell) -> Bound:
        spans = [cell.own, *cell.row, *([cell.head] if cell.head else [])]
        period: str | None = None
        code: str | None = None
        metric: str | None = None
        for low, high in spans:
            of = [mark.value for mark in self._metrics.within(low, high)]
            fitting = [one for one in of if self._fits_cell(one, number)]
            metric = (
                metrics.NOTHING
                if metrics.NOTHING in of
                else metric
                if metric is not None
                else next(iter(fitting), None)
            )
            period = period or self._period_of(low, high)
            code = code or next((mark.value for mark in self._properties.within(low, high)), None)
        return Bound(metric or None, period or self._around.period, code or self._around.property)

    def _fits_cell(self, metric: str, number: NumericClaim) -> bool:
        """In a table a bare number has its unit in the head or in the name."""
        change = self._marks.said("change", number.start - 40, number.start)
        return metrics.fits(metric, self._kinds.get(metric), number, change) or (
            number.kind == "number" and number.noun is None
        )

    def _period_of(self, low: int, high: int) -> str | None:
        inside = self._numbers[bisect_left(self._starts, low) : bisect_left(self._starts, high)]
        stated = [number for number in inside if number.kind == "date"]
        spoken = self._spoken.within(low, high)
        if not stated and not spoken:
            return None
        binder = PeriodBinder(self._marks, (low, high), stated, spoken, (), self._around.period, self._asked)
        return binder.named[0].value if binder.named else None


class _Marks(Generic[Value]):
    """Marks of a text, to be asked for by place."""

    def __init__(self, marks: Sequence[Mark[Value]]) -> None:
        self._marks, self._starts = marks, [mark.start for mark in marks]

    def within(self, low: int, high: int) -> Sequence[Mark[Value]]:
        """The marks that begin from ``low`` up to ``high``."""
        return self._marks[bisect_left(self._starts, low) : bisect_left(self._starts, high)]
