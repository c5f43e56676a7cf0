"""Reads a text into quantities: which words and periods belong to which number.

Between two numbers the first break (a comma, "and", "while") parts what belongs to the one from what belongs to the
other; without a break the words between belong to both. What stands elsewhere in the sentence, in a heading or in the
sentence before names a slot only where nearer words leave it open.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import regex

from detection.core import lexicons, numbers, periods, text
from detection.core.lexicons import Mark, Words
from detection.core.periods import CALENDAR_YEAR, Calendar, Mention
from detection.core.quantities import bounds
from detection.core.quantities.appended import lent
from detection.core.quantities.clauses import ASIDE, BREAK, CLAUSE, parted, parting
from detection.core.quantities.features import Feature, features, is_meaning
from detection.core.quantities.pairing import Paired, Region, is_item, pairs
from detection.core.quantities.quantity import Quantity, Tier
from detection.core.quantities.reach import reach
from detection.core.types import NumericClaim

CUES = ("directions", "bounds", "aggregations", "operations", "roles", "polarity", "per", "order", "negations", "date_roles", "multiples", "quantifiers", "entities")  # fmt: skip
_ALSO_IN_NAMES = frozenset(("roles", "aggregations"))
_POINTS = frozenset(("point", "points", "נקודות", "נקודה", "点", "點", "个点", "個點"))
_LED = regex.compile(r"[;；:：]\s")
_OWN, _SHARED, _EARLIER, _LATER, _PASSED = 1.0, 0.8, 0.5, 0.35, 0.85
_PASSED_METRIC, _HEAD, _INNER = 0.95, 0.6, 0.9
_AGAIN = regex.compile(
    r"(?i)[,，(（]\s?(?:or|i\.e\.|that is|即|或|או|כלומר)(?:\s(?:about|some|roughly|nearly|כ-?))?\s?[$€£₪¥]?$"
)
_NEAR = 6  # characters
_FAR_OFF, _MOST_BESIDE = 1000, 12  # characters, and numbers, that are looked at on either side of one
_DURING = frozenset(("over", "after", "above", "below", "under", "on the"))
_HARD = regex.compile(r"[;；]")
_LINK = regex.compile(
    r"(?i)(?:[\s$€£₪¥]*[\d.,]+\s?(?:%|x|million|billion|thousand|m|bn|k)?\s?(?:,?\s?(?:or|and)\s)?){0,2}[\s,]*(?:(?:in|the|of|for|at|its|that|those|during|a|an|what|it|was)\s+)*"
)
_ON = regex.compile(r"(?i)(?:\d|%|points?)\son\s(?:the\s)?$")
_BY_THE_YEAR = regex.compile(
    r"(?i)\b(?:over|on|to)\b|yoy|qoq|y/y|q/q|同比|环比|環比|年增|季增|年减|年減|季减|季減"
)
_REACH, _LINKED = 24, 64
_FAR = 40  # characters at which a word says half as much of a claim without digits
_FROM, _CAME = frozenset(("from", "versus", "than")), frozenset(("from",))
_TO, _BY, _EQUALS = frozenset(("to",)), frozenset(("by",)), frozenset(("equals",))
_BASE = 0.4  # of what a share is taken
_LEADS, _MOST_LEADS = 4, 24  # sentences before that may lead one in; above the items of a list, its heading
_DIRECT = regex.compile(r"[^\d,;:.]{0,12}")
_BACK = 15  # characters that a period in front of a claim without digits is taken to be further away
_OF = regex.compile(r"\s(?:of|in)\s")


class Reading:
    """A text read once: its words, sentences, numbers, periods, and the quantities that it states."""

    def __init__(
        self,
        body: str,
        language: str = "en",
        calendar: Calendar = CALENDAR_YEAR,
        found: Sequence[NumericClaim] | None = None,
        sentences: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        self.text, self.language, self.calendar = body, language, calendar
        self.words = Words(body)
        self._taken: dict[int, list[Feature]] = {}
        self._marks: dict[str, tuple[list[Mark[frozenset[str]]], list[int]]] = {}
        self.numbers = list(numbers.extract(body, language)) if found is None else list(found)
        self.sentences = list(text.sentences(body, language)) if sentences is None else list(sentences)
        self._starts = [start for start, _ in self.sentences]
        self.periods = [
            self._based(periods.spoken_of(one, body)) for one in periods.find(body, language, calendar)
        ]

    @cached_property
    def features(self) -> list[Feature]:
        """The words and metrics outside numbers and periods."""
        taken = sorted([(n.start, n.end) for n in self.values] + [(m.start, m.end) for m in self.periods])
        starts = [start for start, _ in taken]

        def free(one: Feature) -> bool:
            place = bisect_right(starts, one.start) - 1
            return place < 0 or taken[place][1] <= one.start

        return sorted([*(one for one in features(self.words) if free(one)), *self._behind_periods()])

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

    def _based(self, one: Mention) -> Mention:
        """A period that figures are compared with: a word of comparing stands right before it, or before a number whose
        period it is."""
        start = self.sentences[self.sentence_at(one.start)][0] if self.sentences else 0
        low = max(start, one.start - _LINKED)
        marks = [m for m in self.marks("bases", low, one.end) if m.value & _FROM and not self._is_during(m)]
        if marks and marks[-1].value & _CAME and self.keys("arrivals", ((one.start, one.end),)) & _TO:
            return one  # "from 2022 to 2024" is when it moved
        between = self._without_numbers(marks[-1].end, one.start) if marks else ""
        if _ON.search(self.text, low, one.start) and not one.point:
            return replace(one, is_base=True)  # "up 3 % on 2023", "up half a point on the first half"
        adverb = one.away is not None and _BY_THE_YEAR.search(self.text, one.start, one.end) is not None
        return replace(one, is_base=adverb or (bool(marks) and _LINK.fullmatch(between) is not None))

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
        return "time" in found or self.text[mark.start : mark.end].lower() in _DURING

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
            if table not in _ALSO_IN_NAMES or key == "sum" or not self._in_metric(mark)
        )

    def _in_metric(self, mark: Mark[frozenset[str]]) -> bool:
        """Whether words are part of the name of a metric."""
        near = self.marks("metrics", max(mark.start - _REACH, 0), mark.end + _REACH)
        return any(one.start <= mark.start and mark.end <= one.end and one[:2] != mark[:2] for one in near)

    def within(self, start: int, end: int) -> list[Feature]:
        """The words and metrics between ``start`` and ``end``."""
        first = bisect_left(self._feature_starts, start)
        last = bisect_left(self._feature_starts, end)
        return [one for one in self.features[first:last] if one.end <= end]

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

    @cached_property
    def _by_sentence(self) -> dict[int, list[NumericClaim]]:
        found: dict[int, list[NumericClaim]] = {}
        for number in self.values:
            found.setdefault(self.sentence_at(number.start), []).append(number)
        return found

    def quantities(self) -> list[Quantity]:
        """Every number that is no date, with its surroundings, in order."""
        return [one for index in self._by_sentence for one in self.in_sentence(index)]

    def in_sentence(self, index: int) -> Iterator[Quantity]:
        """The quantities of one sentence in order, each read when it is asked for."""
        return self._in_sentence(index, self._by_sentence.get(index, ()))

    def stretch(self, start: int, end: int) -> Tier:
        """Everything between two places, every word alike."""
        words = {one.name: 1.0 for one in self.within(start, end)}
        return Tier(words, tuple(self.spoken(start, end)))

    def _in_sentence(self, index: int, inside: Sequence[NumericClaim]) -> Iterator[Quantity]:
        start, end = self.sentences[index] if self.sentences else (0, len(self.text))
        led = self.led(index)
        paired = pairs(self, inside, start, end)
        whole = start, end
        owned: list[Tier] = []
        for place, number in enumerate(inside):
            region = self._near_region(inside, place, *whole)
            own = self._named(number, region, inside, place, whole)
            owned.append(own)
            owned[place] = lent(self, owned, inside, place)
            start, end = max(whole[0], number.start - _FAR_OFF), min(whole[1], number.end + _FAR_OFF)
            stretches = (*region.own, *region.shared)
            if place in paired:
                stretches = (paired[place].item, *paired[place].rest)
            ahead = (*region.own, *(one for one in region.shared if one[0] < number.start))
            if number.noun in _POINTS and number.kind == "number":
                number = replace(number, kind="percentage", unit="pp", noun=None)
            before = inside[place - 1] if place else None
            compared = bounds.more_than(self, number, before)
            other = bounds.outdone(
                self, number, bounds.spoken_of(self, inside[max(place - _LEADS, 0) : place], start)
            )
            is_figure = other is not None and bounds.names_figure(own)
            number = bounds.bound(self, number, start, none=is_figure or compared)
            is_result = bounds.led_by(self, "arrivals", _EQUALS, number, start) and bounds.heads(
                self, number, stretches
            )
            is_base = compared or bounds.led_by(self, "bases", _FROM, number, start)
            yield Quantity(
                number,
                (
                    *(
                        self._of_item(number, paired[place])
                        if place in paired
                        else (owned[place], self._whole(number, inside, place, start, end))
                    ),
                    *led,
                ),
                self._cues(number, stretches, ahead, start),
                index,
                bounds.direction(self, number, stretches, start),
                said=self.keys("roles", ((start, end),)),
                reckons=bounds.reckons(self, stretches),
                is_result=is_result,
                in_brackets=self.text.rfind("(", start, number.start)
                > self.text.rfind(")", start, number.start),
                counts=any(one.several or one.each for one in self.spoken(start, end)),
                bases=self._bases(start, end, led),
                reach=reach(self, *self.clause(number.start, number.end)) if number.bound else None,
                beyond=other,
                is_base=is_base,
                arrives=bounds.led_by(self, "arrivals", _TO if is_result else _TO | _EQUALS, number, start),
                by=bounds.led_by(self, "arrivals", _BY, number, start),
                may_be=bounds.roles(self, number, (*ahead, *self._told_above(index, always=is_base))),
                behind=() if place in paired else tuple(self._behind(number, start, end)[1]),
            )

    def _cues(
        self,
        number: NumericClaim,
        stretches: Sequence[tuple[int, int]],
        ahead: Sequence[tuple[int, int]],
        start: int,
    ) -> dict[str, frozenset[str]]:
        """The keys that a number's own words name, by table; a role only the words before it."""
        cues = {table: self.keys(table, stretches) for table in CUES} | {"roles": self.keys("roles", ahead)}
        return cues | {"bounds": bounds.beside(self, number, start, cues["bounds"])}

    def _bases(self, start: int, end: int, led: Sequence[Tier]) -> tuple[Mention, ...]:
        """What a sentence compares with; where it does not say when, what the heading above it compares with."""
        own = self.spoken(start, end)
        if own or not led:
            return tuple(one for one in own if one.is_base)
        return tuple(one for one in led[0].periods if one.is_base)

    def _near_region(self, inside: Sequence[NumericClaim], place: int, start: int, end: int) -> Region:
        """The region of a number among its neighbours alone, so that a page of numbers is read in linear time."""
        low, high = max(place - _MOST_BESIDE, 0), place + _MOST_BESIDE + 1
        number = inside[place]
        return self._region(
            inside[low:high],
            place - low,
            max(start, number.start - _FAR_OFF),
            min(end, number.end + _FAR_OFF),
        )

    def _region(self, inside: Sequence[NumericClaim], place: int, start: int, end: int) -> Region:
        number = inside[place]
        own, shared = [], []
        if number.kind != "number":  # a count beside it only says of how many
            inside = [one for one in inside if one.kind != "number"]
            place = inside.index(number)
        if place:
            left = parting(self, inside[place - 1].end, number.start)
            if left is None:
                shared.append((inside[place - 1].end, number.start))
            else:
                own.append((left, number.start))
        else:
            own.append((start, number.start))
        if place + 1 < len(inside):
            right = parting(self, number.end, inside[place + 1].start)
            (shared if right is None else own).append(
                (number.end, inside[place + 1].start if right is None else right)
            )
        else:
            right = parting(self, number.end, end)
            own.append((number.end, end if right is None else right))
        return Region((*own, *self._past_aside(inside, place, end)), tuple(shared))

    def _past_aside(self, inside: Sequence[NumericClaim], place: int, end: int) -> list[tuple[int, int]]:
        """What goes on behind a number in brackets that says the same again: "$172,700 (5.4 %) below budget"."""
        aside = ASIDE.match(self.text, inside[place].end, end)
        within = [one for one in inside[place + 1 : place + 3] if aside and one.end <= aside.end()]
        if not aside or len(within) != 1 or within[0].kind == inside[place].kind:
            return []
        stop = inside[place + 2].start if place + 2 < len(inside) else end
        right = parting(self, aside.end(), stop)
        return [(aside.end(), stop if right is None else right)]

    def _named(
        self,
        number: NumericClaim,
        region: Region,
        inside: Sequence[NumericClaim],
        place: int,
        whole: tuple[int, int],
    ) -> Tier:
        """What a number's own words name; one that says the same again ("3 % of revenue, or $93,000") has those of the
        number before it; "$26.5 million, or $1.34 per share" are two figures."""
        own, before = self._own(number, region), inside[place - 1]
        if not place or number.kind == before.kind or not _AGAIN.search(self.text[before.end : number.start]):
            return own
        first = self._own(before, self._near_region(inside, place - 1, *whole))
        base = {one.name for one in self._base_of(before)}
        words = {word: weight for word, weight in first.words.items() if word not in base}
        return Tier({**words, **own.words}, own.periods or first.periods)

    def _own(self, number: NumericClaim, region: Region) -> Tier:
        words: dict[str, float] = {}
        for stretches, weight in ((region.own, _OWN), (region.shared, _SHARED)):
            for low, high in stretches:
                of_base = number.kind == "percentage" and low >= number.end and _OF.match(self.text, low)
                for one in self._beside_bases(low, high, number):
                    near = _BASE if of_base else weight * self._passed(one, number, low, high)
                    words[one.name] = max(words.get(one.name, 0), near)
        spoken = [one for low, high in (*region.own, *region.shared) for one in self.spoken(low, high)]
        low = max(number.start - _FAR_OFF, 0)
        if (base := bounds.leading(self, "bases", _FROM, number, low)) is not None:
            spoken = [one for one in spoken if one.start >= base.start or one.is_base]
        opened = self.text.rfind("(", low, number.start)
        if base is None and opened > self.text.rfind(")", low, number.start):
            # what stands in brackets is of the period right before them
            spoken += [one for one in self.periods if opened - _REACH <= one.start and one.end <= opened][-1:]
        led = [
            found.end()
            for found in _LED.finditer(
                self.text, min((low for low, _ in region.own), default=number.start), number.start
            )
        ]
        return Tier(
            words, tuple(one for one in self._nearest(number, spoken) if one.start >= max(led, default=0))
        )

    def _base_of(self, share: NumericClaim) -> list[Feature]:
        """What a share is taken of, as its words say: "3 % of revenue"."""
        if share.start not in self._taken:
            self._taken[share.start] = self._read_base(share)
        return self._taken[share.start]

    def _read_base(self, share: NumericClaim) -> list[Feature]:
        if share.kind != "percentage" or not (of := _OF.match(self.text, share.end)):
            return []
        far = share.end + _FAR
        stop = BREAK.search(self.text, of.end(), far)
        verbs = self.marks("arrivals", of.end(), far)
        return self.within(
            of.end(), min([stop.start() if stop else far, *(verb.start for verb in verbs[:1])])
        )

    def _beside_bases(self, low: int, high: int, number: NumericClaim) -> list[Feature]:
        """The words between two places without what the share right before them is taken of."""
        place = bisect_left(self._ends, low)
        share = self.values[place] if place < len(self.values) and self._ends[place] == low else number
        taken = self._base_of(share) if share is not number else []
        return [one for one in self.within(low, high) if one not in taken]

    def _passed(self, one: Feature, number: NumericClaim, low: int, high: int) -> float:
        """A metric counts a little less for each other one between it and the number, and less where it is only the head
        of one right before it: 水电费支出. A word of its name counts a little less than the whole."""
        if not is_meaning(one.name):
            inner = any(
                mark.start <= one.start and one.end <= mark.end and one[:2] != mark[:2]
                for mark in self.marks("metrics", max(one.start - _REACH, 0), one.end + _REACH)
            )
            return _INNER if inner else 1.0
        between = (one.end, high) if one.end <= number.start else (low, one.start)
        beside = any(
            mark.end + 1 >= one.start
            for mark in self.marks("metrics", max(low, one.start - _REACH), one.start)
        )
        return _PASSED_METRIC ** sum(1 for _ in self.marks("metrics", *between)) * (_HEAD if beside else 1.0)

    def _of_item(self, number: NumericClaim, paired: Paired) -> tuple[Tier, Tier]:
        """The words of the item that a number is paired with, and those of the sentence that belong to no item."""
        own = {one.name: _OWN for one in self.within(*paired.item)}
        shared = {one.name: _SHARED for low, high in paired.rest for one in self.within(low, high)}
        spoken = [one for low, high in paired.rest for one in self.spoken(low, high)]
        own_periods = self.spoken(*paired.item) or self._nearest(number, spoken)
        return Tier({**shared, **own}, tuple(own_periods)), Tier(shared, tuple(spoken))

    def _nearest(self, number: NumericClaim, spoken: Sequence[Mention]) -> list[Mention]:
        """Periods by how near they are to the number; one it is only compared with, unless it stands right there."""
        fitting = [
            one
            for one in spoken
            if not (one.each or one.several)
            and (not one.is_base or self._touches(number, one) or "(" in self.text[one.end : number.start])
        ]
        if bounds.led_by(self, "arrivals", _TO, number, max(number.start - _REACH, 0)):
            fitting = [one for one in fitting if not one.is_base] or [
                one for one in fitting if one.away is None
            ]
        return sorted(fitting, key=lambda one: self._gap(number, one))

    def _gap(self, number: NumericClaim, one: Mention) -> int:
        """How far a period stands from a number; one in front is a little less near than one behind, except one that
        qualifies the number: 第二季度的110万元."""
        if one.start >= number.end:
            return one.start - number.end
        if one.end + 1 == number.start and self.text[one.end] == "的":
            return -1
        return number.start - one.end + (_BACK if number.kind == "change" else 3)

    def _touches(self, number: NumericClaim, one: Mention) -> bool:
        if one.end <= number.start:
            return bool(_DIRECT.fullmatch(self.text, one.end, number.start))
        return one.start - number.end <= _REACH and not any(
            mark.value & _FROM for mark in self.marks("bases", number.end, one.start + 1)
        )

    def _whole(
        self, number: NumericClaim, inside: Sequence[NumericClaim], place: int, start: int, end: int
    ) -> Tier:
        words: dict[str, float] = {}
        starts = [other.start for other in inside[max(place - _MOST_BESIDE, 0) : place + _MOST_BESIDE + 1]]
        place = min(place, _MOST_BESIDE)
        stop = self._next(self._clauses, number.end, end)
        led = bool(self.within(start, number.start))
        near = inside[max(place - _MOST_BESIDE, 0) : place + _MOST_BESIDE + 1]
        bases = {one for other in near for one in self._base_of(other) if other is not number}
        for one in self.within(start, stop if led else end):
            if one in bases:
                continue
            reached = bisect_left(starts, one.start)
            passed = place - reached if one.start < number.start else max(reached - place - 1, 0)
            weight = (_EARLIER if one.start < number.start else _LATER) * _PASSED**passed
            words[one.name] = max(words.get(one.name, 0), weight)
        spoken = self.spoken(start, end)
        single = [one for one in spoken if not (one.is_base or one.each or one.several)]
        before = [one for one in reversed(single) if one.end <= number.start]
        own, _ = self._behind(number, start, end)
        return Tier(words, (*before, *own))

    def _behind(self, number: NumericClaim, start: int, end: int) -> tuple[list[Mention], list[Mention]]:
        """The periods that the sentence of a number names behind it: its own ones, and those of other clauses."""
        stop = self._next(self._hard, number.end, end)
        after = [
            one
            for one in self.spoken(start, end)
            if number.end <= one.start < stop and not (one.is_base or one.each or one.several)
        ]
        further = [one for one in after if parted(self, number, one, self._clauses)]
        return [one for one in after if one not in further], further

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

    def nearest(self, table: str, start: int, end: int) -> frozenset[str]:
        """What the nearest phrase of a table says in the clause of a stretch; empty without any."""
        marks = self.marks(table, *self.clause(start, end))
        best = min(marks, key=lambda mark: max(mark.start - end, start - mark.end, 0), default=None)
        return best.value if best else frozenset()

    def at(self, start: int, end: int, number: NumericClaim) -> Quantity:
        """The words of the clause around a stretch as the surroundings of ``number``: for what is said without digits."""
        index = self.sentence_at(start)
        first, last = self.sentences[index] if self.sentences else (0, len(self.text))
        low, high = self.clause(start, end)
        stretches = ((low, high),)
        words: dict[str, float] = {}
        for one in self.within(low, high):
            far = max(one.start - end, start - one.end, 0)
            words[one.name] = max(words.get(one.name, 0), _OWN / (1 + far / _FAR))
        own = Tier(words, tuple(one for one in self._nearest(number, self.spoken(low, high))))
        whole = self._whole(number, (), 0, first, last)
        _, behind = self._behind(number, first, last)
        return Quantity(
            number,
            (own, Tier(whole.words, (*whole.periods, *behind)), *self.led(index)),
            {table: self.keys(table, stretches) for table in CUES},
            index,
            bases=tuple(one for one in self.spoken(first, last) if one.is_base),
            reach=reach(self, low, high),
            is_base=bounds.led_by(self, "bases", _FROM, number, first),
            arrives=bounds.led_by(self, "arrivals", _TO | _EQUALS, number, first),
            by=bounds.led_by(self, "arrivals", _BY, number, first),
        )

    def led(self, index: int) -> list[Tier]:
        """What leads a sentence in: the sentences and headings before it, the nearest first."""
        return [self.stretch(*self.sentences[place]) for place in self._leads(index)]

    def _told_above(self, index: int, *, always: bool) -> list[tuple[int, int]]:
        """The sentences that say what the items of a list are, or ``always`` what a sentence is."""
        led = always or (self.sentences and is_item(self.text, self.sentences[index][0]))
        return [self.sentences[place] for place in self._leads(index)] if led else []

    def _leads(self, index: int) -> list[int]:
        """The sentences that lead one in, the nearest first."""
        starts = self._starts or [0]
        item = is_item(self.text, starts[index])
        places = [
            place
            for place in range(index - 1, max(index - 1 - (_MOST_LEADS if item else _LEADS), -1), -1)
            if place >= index - _LEADS or not is_item(self.text, starts[place])
        ]
        return places[: _LEADS + 1]


def read(body: str, language: str = "en", calendar: Calendar = CALENDAR_YEAR) -> list[Quantity]:
    """The quantities that ``body`` states, in order."""
    return Reading(body, language, calendar).quantities()
