"""A text whose words, numbers and periods are looked up by where they stand."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import regex

from detection.core import lexicons, numbers, periods, text
from detection.core.lexicons import Mark, Words
from detection.core.periods import CALENDAR_YEAR, Calendar, Mention
from detection.core.quantities.clauses import CLAUSE, denied
from detection.core.quantities.features import Feature, features, is_meaning, sized
from detection.core.quantities.quantity import Tier
from detection.core.types import NumericClaim

_PART_OF = {"roles": "metrics", "aggregations": "metrics", "per": "multiples"}
"""Tables whose words say nothing where they are part of longer ones of another: "market value", "by a quarter"."""
_DURING = frozenset(("over", "after", "above", "below", "under", "on the"))
_HYPHENED = regex.compile(r"[\w.,]+-\p{L}+ \p{L}")
_THE = regex.compile(r"(?i)\b(?:the|its|of)\b|של|ה|的")
_HARD = regex.compile(r"[;；]")
_LINK = regex.compile(
    r"(?i)(?:[\s$€£₪¥]*[\d.,]+\s?(?:%|x|million|billion|thousand|m|bn|k)?\s?(?:,?\s?(?:or|and)\s)?){0,2}[\s,]*(?:(?:in|the|of|for|at|its|that|those|during|a|an|what|it|was)\s+|-?\sב-?|\sשל\s)*"
)
_AT = regex.compile(r"(?i)\s(?:at|for|@)\s\p{Sc}?|\sב-\s?")
_ON = regex.compile(r"(?i)(?:\d|%|points?)\son\s(?:the\s)?$")
_SIDES, _ARTICLES = frozenset(("ahead", "behind")), ("", "the")
_BY_THE_YEAR = regex.compile(
    r"(?i)\b(?:over|on|to)\b|yoy|qoq|y/y|q/q|同比|环比|環比|年增|季增|年减|年減|季减|季減"
)
_NEAR = 6  # characters
_FAR_OFF = 1000  # characters that are looked at on either side
_REACH, _LINKED = 24, 64
_LED = 100  # characters behind words within which a date ends that they lead to: those between, and its own
LEADS = regex.compile(r"[^\d,;:.()，；：。、（）]{0,24}:?\s?")
"""What may stand between words that lead to a date and the date."""
SAYS = regex.compile(
    r"(?i)\s?[(（]?(?:(?:is|was|will be|marks?|marked|being|as|[=–-]|הוא|היא|היה|הייתה|יהיה)\s[^\d,;:.]{0,16}"
    r"|[^\d\x00-\x7f，；。、：]{0,8})"
)
"""What may stand between a date and the words that say what it is: "30 June is the deadline"."""
_FROM, _CAME, _TO = frozenset(("from", "versus", "than")), frozenset(("from",)), frozenset(("to",))


class Text:
    """A text read once: its words, sentences, numbers and periods, and what stands between two places."""

    def __init__(
        self,
        body: str,
        language: str = "en",
        calendar: Calendar = CALENDAR_YEAR,
        found: Sequence[NumericClaim] | None = None,
        sentences: Sequence[tuple[int, int]] | None = None,
        names: Collection[str] = (),
        titles: Collection[str] = (),
    ) -> None:
        body = text.wide_pauses(body)
        self.text, self.language, self.calendar = body, language, calendar
        self.words = Words(body)
        self._marks: dict[str, tuple[list[Mark[frozenset[str]]], list[int]]] = {}
        self.sizes = [one for one in sized(self.words) if one.name in names] if names else []
        written = numbers.extract(body, language) if found is None else found
        self._titled = [
            one.span() for name in titles for one in regex.finditer(rf"(?i){regex.escape(name)}", body)
        ]
        self._packed = {two.start for one, two in pairwise(written) if _packs(one, two, body)}
        self.numbers = [one for one in written if not self.is_size(one)]
        self.sentences = list(text.sentences(body, language)) if sentences is None else list(sentences)
        self._starts = [start for start, _ in self.sentences]
        self.periods = [
            self._based(periods.spoken_of(one, body))
            for one in periods.find(body, language, calendar)
            if not self._ranks(one)
        ]

    def is_size(self, number: NumericClaim) -> bool:
        """Whether a number is a size in a name of the evidence, and no figure: "20 mg" beside a column "Drug 20 mg"; or
        how large those are that the number before it counts: "412,600 nine-litre cases"; or part of the whole name of a row or a
        column: "customers above $100k"."""
        titled = any(start <= number.start and number.end <= end for start, end in self._titled)
        return (
            titled
            or number.start in self._packed
            or any(one.start <= number.start < one.end for one in self.sizes)
        )

    @cached_property
    def features(self) -> list[Feature]:
        """The words and metrics outside numbers and periods."""
        taken = sorted([(n.start, n.end) for n in self.values] + [(m.start, m.end) for m in self.periods])
        starts = [start for start, _ in taken]

        def free(one: Feature) -> bool:
            """Whether a word is no part of a number or a period."""
            place = bisect_right(starts, one.start) - 1
            return place < 0 or taken[place][1] <= one.start

        told = (*features(self.words), *self.sizes)
        named = (one for one in told if free(one) and not self._is_pointed_at(one))
        return sorted([*named, *self._behind_periods()])

    def _is_pointed_at(self, one: Feature) -> bool:
        """Whether a word only points back at what was named: "That hotel also has", "המלון הזה", "该酒店"."""
        if is_meaning(one.name):
            return False
        before = self.marks("pointing", max(one.start - _NEAR * 2, 0), one.start)[-1:]
        behind = self.marks("pointing", one.end, one.end + _NEAR)[:1]
        return any(
            mark.end >= one.start - 1 and ("before" in mark.value or self._opens(mark)) for mark in before
        ) or any("behind" in mark.value and mark.start <= one.end + 1 for mark in behind)

    def _opens(self, mark: Mark[frozenset[str]]) -> bool:
        """Whether words that point back only at the beginning of a sentence stand there."""
        ahead = self.text[: mark.start].rstrip(" *_-")
        return "first" in mark.value and (not ahead or ahead[-1] in ".!?:\n")

    def _behind_periods(self) -> list[Feature]:
        """Metrics right behind a period with which a phrase would share a sign: 租金 in 全年租金, which is no 年租金."""
        found: list[Feature] = []
        for period in self.periods:
            if any(
                mark.start < period.end < mark.end
                for mark in self.marks("metrics", period.start, period.end + _NEAR)
            ):
                rest = features(Words(self.text[period.end : period.end + 2 * _NEAR]))
                found += [
                    one._replace(start=one.start + period.end, end=one.end + period.end)
                    for one in rest
                    if is_meaning(one.name) and one.start == 0
                ]
        return found

    @cached_property
    def _period_starts(self) -> list[int]:
        return [one.start for one in self.periods]

    @cached_property
    def _feature_starts(self) -> list[int]:
        return [one.start for one in self.features]

    @cached_property
    def _ends(self) -> list[int]:
        return [one.end for one in self.values]

    @cached_property
    def values(self) -> list[NumericClaim]:
        """The numbers that are no dates."""
        return [number for number in self.numbers if number.kind != "date"]

    def _ranks(self, one: Mention) -> bool:
        """Whether the ordinal of a period is a place among periods: the quarter that is "the second by its size"."""
        marks = self.marks("order", one.start, one.end + _NEAR) if one.part else ()
        return any(one.start < mark.start < one.end < mark.end for mark in marks)

    def _based(self, one: Mention) -> Mention:
        """A period that figures are compared with: a word of comparing stands right before it, or before a number whose
        period it is; not what lies ahead, nor where a stretch begins."""
        if one.to_date in ("on", "now") or (one.away and one.away.months > 0):
            return one
        start = self.sentences[self.sentence_at(one.start)][0] if self.sentences else 0
        low = max(start, one.start - _LINKED)
        found = self.marks("bases", low, one.end)
        if one.is_base and found and found[-1].start < one.start < found[-1].end:
            return one  # 比上年末 is one phrase
        around = self.marks("bases", low, one.end + 1)[-1:]
        if any(mark.value & _CAME and mark.start < one.start < one.end < mark.end for mark in around):
            return replace(one, is_base=True)  # so is 由上年的
        marks = [mark for mark in found if mark.value & _FROM and not self._is_during(mark)]
        if marks and marks[-1].value & _CAME and self.keys("arrivals", ((one.start, one.end),)) & _TO:
            return one  # "from 2022 to 2024" is when it moved
        if (_ON.search(self.text, low, one.start) and not one.point) or self._is_passed(low, one):
            return replace(one, is_base=True)  # "up 3 % on 2023", "up half a point on the first half"
        low = marks[-1].end if marks else one.start
        between = self._without_numbers(low, one.start)
        if (
            len(between) < one.start - low
            and "than" in marks[-1].value
            and not _THE.search(self.text, low, one.start)
        ):
            return one  # "exceeded $1.4 million in two quarters" is when it did
        adverb = one.away is not None and _BY_THE_YEAR.search(self.text, one.start, one.end) is not None
        return replace(one, is_base=adverb or (bool(marks) and _LINK.fullmatch(between) is not None))

    def _is_passed(self, low: int, one: Mention) -> bool:
        """Whether something lies on one side of a period itself: "€19 above the previous August"."""
        sides = [mark for mark in self.marks("order", low, one.start) if mark.value & _SIDES]
        return bool(sides) and self.text[sides[-1].end : one.start].strip().casefold() in _ARTICLES

    def _without_numbers(self, start: int, end: int) -> str:
        """The text between two places, without the number that may stand there."""
        place = bisect_left(self._ends, start)
        number = self.values[place] if place < len(self.values) else None
        if number is None or number.start < start or number.end > end:
            return self.text[start:end]
        return self.text[start : number.start].rstrip("-לבמ") + self.text[number.end : end]

    def _is_during(self, mark: Mark[frozenset[str]]) -> bool:
        """Whether a word of comparing also says when: "over 2023", "after Q2"."""
        found = {key for other in self.marks("joints", mark.start, mark.end) for key in other.value}
        said = self.text[mark.start : mark.end].lower()
        on_amount = said == "on the" and any(
            one.start <= mark.end + 2 for one in self.written(mark.end, mark.end + _LINKED)
        )
        return not on_amount and ("time" in found or said in _DURING)

    def _found(self, table: str) -> tuple[list[Mark[frozenset[str]]], list[int]]:
        """The phrases of a table in the whole text, and where they begin."""
        if table not in self._marks:
            found = lexicons.phrases(table).find(self.words)
            self._marks[table] = found, [mark.start for mark in found]
        return self._marks[table]

    def marks(self, table: str, start: int, end: int) -> list[Mark[frozenset[str]]]:
        """What the phrases of a table of the lexicons say between ``start`` and ``end``."""
        marks, starts = self._found(table)
        first = bisect_left(starts, start)
        if first == len(starts) or starts[first] >= end:
            return []
        return [mark for mark in marks[first : bisect_left(starts, end, first)] if mark.end <= end]

    def keys(self, table: str, stretches: Iterable[tuple[int, int]]) -> frozenset[str]:
        """The keys of a table that are named in some stretches; "market value" is a metric and names no role, but a total
        is a sum even so."""
        if not self._found(table)[0]:
            return frozenset()
        return frozenset(
            key
            for low, high in stretches
            for mark in self.marks(table, low, high)
            for key in mark.value
            if key == "sum" or not self._inside(_PART_OF.get(table, ""), mark)
        )

    def _inside(self, table: str, mark: Mark[frozenset[str]]) -> bool:
        """Whether words are part of longer ones of a table: of the name of a metric, of "by a quarter"."""
        near = self.marks(table, max(mark.start - _REACH, 0), mark.end + _REACH) if table else ()
        return any(one.start <= mark.start and mark.end <= one.end and one[:2] != mark[:2] for one in near)

    def within(self, start: int, end: int) -> list[Feature]:
        """The words and metrics between ``start`` and ``end``."""
        first = bisect_left(self._feature_starts, start)
        last = bisect_left(self._feature_starts, end)
        return [one for one in self.features[first:last] if one.end <= end]

    def priced(self, count: NumericClaim, number: NumericClaim) -> list[Feature]:
        """The words between a count and the price of each: "700 litres at 43 cents"; none where no price follows."""
        priced = count.kind == "number" and number.kind == "currency"
        found = self.within(count.end, number.start) if priced else []
        return found if found and _AT.fullmatch(self.text, found[-1].end, number.start) else []

    def is_denied(self, one: Feature) -> bool:
        """Whether a word stands where a text says of what it does not speak."""
        place = bisect_right(self._denied, (one.start, one.end)) - 1
        return place >= 0 and one.start < self._denied[place][1]

    @cached_property
    def _denied(self) -> list[tuple[int, int]]:
        return sorted(denied(self))

    def spoken(self, start: int, end: int) -> list[Mention]:
        """The periods named between ``start`` and ``end``."""
        first, last = (bisect_left(self._period_starts, place) for place in (start, end))
        return [one for one in self.periods[first:last] if one.end <= end]

    @cached_property
    def _value_starts(self) -> list[int]:
        return [one.start for one in self.values]

    def written(self, start: int, end: int) -> list[NumericClaim]:
        """The numbers between two places that are no dates."""
        first, last = (bisect_left(self._value_starts, place) for place in (start, end))
        return [one for one in self.values[first:last] if one.end <= end]

    def sentence_at(self, place: int) -> int:
        """The index of the sentence in which ``place`` stands."""
        return max(bisect_right(self._starts, place) - 1, 0)

    def stretch(self, start: int, end: int) -> Tier:
        """Everything between two places, every word alike."""
        words = {one.name: 1.0 for one in self.within(start, end)}
        return Tier(words, tuple(self.spoken(start, end)))

    @cached_property
    def _clauses(self) -> list[int]:
        return [found.start() for found in CLAUSE.finditer(self.text)]

    @cached_property
    def _hard(self) -> list[int]:
        return [found.start() for found in _HARD.finditer(self.text)]

    def _next(self, stops: Sequence[int], start: int, end: int) -> int:
        """The first of some places from ``start`` on, at most ``end``."""
        place = bisect_left(stops, start)
        return min(stops[place], end) if place < len(stops) else end

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """The clause in which a stretch stands."""
        index = self.sentence_at(start)
        first, last = self.sentences[index] if self.sentences else (0, len(self.text))
        first, last = max(first, start - _FAR_OFF), min(last, end + _FAR_OFF)
        low = max((found.end() for found in CLAUSE.finditer(self.text, first, start)), default=first)
        behind = CLAUSE.search(self.text, end, last)
        return low, behind.start() if behind else last

    def event(self, start: int, end: int, reach: int = _FAR_OFF) -> Mark[frozenset[str]] | None:
        """The words that say what comes about on a date: those that lead to it, else those behind it that say what it is,
        else the nearest of its clause, at most ``reach`` away, that lead to no other date."""
        marks = self.marks("date_roles", *self.clause(start, end))
        led = self._leading(marks, start)
        if led is not None:
            return led
        behind = (one for one in marks if one.start >= end and SAYS.fullmatch(self.text, end, one.start))
        free = [one for one in marks if not self._leads_elsewhere(one, marks, start)]
        near = min(free, key=lambda one: max(one.start - end, start - one.end, 0), default=None)
        far = near is None or max(near.start - end, start - near.end, 0) > reach
        return next(behind, None if far else near)

    def _leading(self, marks: Iterable[Mark[frozenset[str]]], start: int) -> Mark[frozenset[str]] | None:
        """The last phrase before a place from which words alone lead to it."""
        return max(
            (one for one in marks if one.end <= start and LEADS.fullmatch(self.text, one.end, start)),
            key=lambda one: one.end,
            default=None,
        )

    def _leads_elsewhere(
        self, one: Mark[frozenset[str]], marks: Sequence[Mark[frozenset[str]]], start: int
    ) -> bool:
        others = (period.start for period in self.spoken(one.end, one.end + _LED) if period.start != start)
        return any(self._leading(marks, other) == one for other in others)


def _packs(counted: NumericClaim, size: NumericClaim, body: str) -> bool:
    """Whether a number says how large each of those is that the number right before it counts: hyphened to its unit and
    before a noun."""
    apart = body[counted.end : size.start]
    return apart.isspace() and _HYPHENED.match(body, size.start, size.end + _LINKED) is not None
