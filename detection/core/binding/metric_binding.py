"""Which of the metrics that a sentence names a number belongs to.

A number belongs to the nearest phrase of its sentence that names a metric of its kind. A percentage belongs to
an amount only as its change. A number without such a phrase is bound to nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import inf

import regex

from detection.core.binding.attachment import in_order
from detection.core.binding.cues import Cues
from detection.core.binding.metrics import counts_nothing, fits, in_points
from detection.core.binding.names import Mark
from detection.core.types import Kind, NumericClaim

_OF_LENGTH = 40  # more than _OF matches
_FARTHEST = 240  # a phrase beyond this, breaks of clauses counted in, does not name the number
_BREAK = 60
_BEHIND = 40
_MOST_PHRASES = 6  # that are looked at behind a number
_TAIL = 24  # characters behind a number that may still say it is a change
_OF = regex.compile(
    r"\s?(?:(?:increase|decrease|rise|growth|drop|decline|gain|improvement|reduction|jump)\s)?(?:in|of|for|as|on)?\s?(?:the\s|its\s|a\s)?(?:total\s|annual\s|quarterly\s)?"
    r"|\sof\s(?:(?:the|its|our|all)\s)?(?:[a-z]+\s)?(?:units|space|apartments|suites|homes|rooms|beds|area|feet)\s(?:(?:is|was|are|were)\s)?"
    r"|\s?(?:עבור\s|בגין\s|בעד\s|של\s|ב|על\s)?-?(?:ה-?)?|[）)]?的?"
)
_FOR = regex.compile(r"\s(?:for|on|towards?)\s|\s?ל")
_OWN = regex.compile(r"\s(?:of|של)\s(?:about\s|approximately\s|around\s|roughly\s|some\s|just\s|only\s|כ-?)?")
_PART_OF = regex.compile(r"\bof\s(?:the|its|our|that|a)\s$")
_THEREOF = regex.compile(r"(?:\b(?:of\swhich|including|thereof)|מתוכ[הםןו]|מזה|כולל|其中(?:包括)?)\s?$")
_LEFT = 16  # "which left only about $1.2M"
_OF_THE = regex.compile(r"\sof\s(?:the|its)\s")
_NAMED_OF = regex.compile(r"\bof\s$|\sשל\s$")
_PART = regex.compile(r"\W*(?:(?:of|מתוכ[םןו]|מתוך|מזה)\b|其中)")
_ROW = regex.compile(
    r"\S{1,24}(?:\s(?:million|billion|thousand|percent|(?:percentage\s|basis\s)?points?|bps))?,?\s?(?:or|and|או|ו-?|或|即|和)?\s?[(（]?"
)
_GLUE = regex.compile(r"\s?(?:(?:by|of)\s)?(?:ב-?)?")
_LONGEST_OPENING = 160
_MOST_IN_ROW = 4
_MOST_CARRIED = 8


class MetricBinder:
    """The metrics of one sentence with its numbers, so that each number is bound by looking at its neighbours alone."""

    def __init__(
        self, marks: Cues, start: int, named: Sequence[Mark[str]], kinds: Mapping[str, Kind]
    ) -> None:
        self._marks, self._start, self._named, self._kinds = marks, start, named, kinds
        self._lasts = [mark.end for mark in named]
        self._fitting: dict[tuple[object, ...], tuple[list[Mark[str]], list[int], list[int]]] = {}

    def values(self, numbers: Sequence[NumericClaim], around: frozenset[str]) -> list[str | None]:
        """The metric of each number of the sentence; None for none. ``around`` are those of the sentence before, with
        which one that names no subject goes on: "It rose to …"."""
        rows = [(mark.start, mark.end, mark.value) for mark in self._named]
        ordered = in_order(self._marks.text.folded, numbers, rows)
        found = [self._in_row(ordered.get(place), number) for place, number in enumerate(numbers)]
        goes_on = 0 < len(around) <= _MOST_CARRIED and None in found and self._goes_on(numbers[0])
        return [
            self._carried(around, number) if goes_on and metric is None else metric or None
            for metric, number in zip(found, numbers, strict=True)
        ]

    def _in_row(self, metric: str | None, number: NumericClaim) -> str | None:
        if metric is not None and fits(metric, self._kinds.get(metric), number, self._changes(number)):
            return metric
        return self.nearest(number)

    def _goes_on(self, first: NumericClaim) -> bool:
        start, marks = self._start, self._marks
        if first.start - start > _LONGEST_OPENING or _PART.match(marks.text.folded, start):
            return False
        return marks.bare(start, first.start) and not marks.said("spend", first.end, first.end + _TAIL)

    def _carried(self, around: frozenset[str], number: NumericClaim) -> str | None:
        fitting = [
            metric
            for metric in around
            if fits(metric, self._kinds.get(metric), number, self._changes(number))
        ]
        return fitting[0] if len(fitting) == 1 and number.noun is None else None

    def nearest(self, number: NumericClaim) -> str | None:
        """The metric of the phrase nearest to ``number``; None for none, :data:`NOTHING` for one that names no metric."""
        named, firsts, lasts = self._those_fitting(number)
        if not named:
            return None
        nearest, best = _FARTHEST + 1.0, None
        before = bisect_right(lasts, number.start) - 1
        if before >= 0 and self._marks.text.folded.startswith("per ", firsts[before]):
            before -= 1  # "per month" is said of the number before it
        if before >= 0 and (apart := self._ahead(lasts[before], number.start)) < nearest:
            nearest, best = apart, named[before].value
        if best is not None and number.kind == "currency" and self._is_of(lasts[before], number.start):
            return best
        place = bisect_left(firsts, number.end)
        for mark in named[place : place + _MOST_PHRASES]:
            if (apart := self._behind(number, mark, nearest)) < nearest:
                nearest, best = apart, mark.value
        return best

    def _is_of(self, low: int, high: int) -> bool:
        """Whether nothing but "of" stands between a name and its number: "NOI of $1.2M on revenue of $2M"."""
        return high - low <= _OF_LENGTH and _OWN.fullmatch(self._marks.text.folded, low, high) is not None

    def _those_fitting(self, number: NumericClaim) -> tuple[list[Mark[str]], list[int], list[int]]:
        """The phrases that may name what ``number`` is, with their first and last positions."""
        change = self._changes(number)
        points = in_points(number, "percentage")
        key = (number.kind, change, points, counts_nothing(number), number.precision < 1)
        if key not in self._fitting:
            fitting = [
                mark for mark in self._named if fits(mark.value, self._kinds.get(mark.value), number, change)
            ]
            self._fitting[key] = fitting, [mark.start for mark in fitting], [mark.end for mark in fitting]
        return self._fitting[key]

    def _changes(self, number: NumericClaim) -> bool:
        """Whether the words between the number before and this one, or right behind it, speak of a change; numbers in
        a row ("$12,000, or 3.5 %") share these words."""
        marks = self._marks
        place = low = bisect_left(marks.numbers, number.start)
        high = number.start
        for place in range(low - 1, max(low - _MOST_IN_ROW, 0) - 1, -1):
            low = marks.numbers[place]
            if not _ROW.fullmatch(marks.text.folded, low, self._name_before(high)):
                break
            high = low
        else:
            low = self._start
        low = max(low, self._start, number.start - _FARTHEST)
        change = number.direction is not None or number.text[0] in "+＋"
        change = change or marks.said("change", low, number.end + _TAIL)
        return change or marks.said("than", number.end, number.end + _TAIL)

    def _name_before(self, place: int) -> int:
        """Where the metric begins that is named right before ``place`` ("NOI rose 5 %, and revenue 4 %"), else ``place``."""
        last = bisect_right(self._lasts, place) - 1
        beside = last >= 0 and _GLUE.fullmatch(self._marks.text.folded, self._lasts[last], place)
        return self._named[last].start if beside else place

    def _ahead(self, low: int, high: int) -> float:
        """How far a phrase that ends at ``low`` is from a number behind it."""
        marks = self._marks
        last = bisect_left(marks.numbers, high) - 1
        if last >= 0 and marks.numbers[last] >= low:  # the phrase has a number of its own
            since = marks.numbers[last]
            named = _NAMED_OF.search(marks.text.folded, max(since, high - _OF_LENGTH), high)
            if named and not marks.bare(since, high):
                return inf
            left = marks.last_cue("leave", since, high)
            if marks.said("spend", since, high) or (left and high - left.end <= _LEFT):
                return inf
            near = max(since, high - _OF_LENGTH), high
            if _PART_OF.search(marks.text.folded, *near) or _THEREOF.search(marks.text.folded, *near):
                return inf
        return self._apart(low, high)

    def _behind(self, number: NumericClaim, mark: Mark[str], nearest: float) -> float:
        """How far a phrase is from a number before it: less likely its name, unless joined to it. Infinite where it
        cannot be nearer than ``nearest`` or names something else."""
        folded, low, high = self._marks.text.folded, number.end, mark.start
        enclosed = folded[low - 1] in ")）" or folded[low : low + 1] in (")", "）")
        joins = folded[high] == "ו"  # "and", a prefix in Hebrew
        if not enclosed and not joins and high - low <= _OF_LENGTH and _OF.fullmatch(folded, low, high):
            part = not mark.value and _OF_THE.fullmatch(
                folded, low, high
            )  # "$18,500 of the budget" were spent
            return inf if part or self._is_left_for(number, low, high) else 0
        if self._marks.said("than", low, high):
            return inf  # "$0.3M less than gross potential rent"
        if high - low > _FARTHEST:
            return inf
        last = bisect_left(self._marks.numbers, high) - 1
        if last >= 0 and self._marks.numbers[last] > low:
            if self._leads(mark):
                return inf
            low = self._marks.numbers[last]  # numbers in a row have one name behind them
        apart = self._apart(low, high) + _BEHIND
        clause = self._marks.clause(self._start, number.start)
        if apart >= nearest or not self._marks.bare(clause, number.start):
            return inf  # a number with a subject of its own has no name behind it
        return apart

    def _is_left_for(self, number: NumericClaim, low: int, high: int) -> bool:
        """Whether ``number`` is what is left for something: "which left $1.2M for debt service"."""
        clause = self._marks.clause(self._start, number.start)
        left = self._marks.said("leave", clause, number.start)
        return left and _FOR.match(self._marks.text.folded, low, high + 1) is not None

    def _leads(self, mark: Mark[str]) -> bool:
        """Whether the phrase has a number of its own behind it."""
        numbers = self._marks.numbers
        place = bisect_left(numbers, mark.end)
        return place < len(numbers) and numbers[place] - mark.end <= _FARTHEST

    def _apart(self, low: int, high: int) -> float:
        """Characters from ``low`` to ``high``, a break of clauses counting for many."""
        breaks = self._marks.breaks
        return float(high - low + _BREAK * (bisect_left(breaks, high) - bisect_left(breaks, low)))
