"""Reads a text into quantities: which words and periods belong to which number.

Between two numbers the first break (a comma, "and", "while") parts what belongs to the one from what belongs to the
other; without a break the words between belong to both. What stands elsewhere in the sentence, in a heading or in the
sentence before names a slot only where nearer words leave it open.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import regex

from detection.core.numbers import stated_scale
from detection.core.periods import CALENDAR_YEAR, Calendar, Mention
from detection.core.periods.mentions import plainly
from detection.core.quantities import basis, bounds, clauses
from detection.core.quantities.appended import lent, shared
from detection.core.quantities.features import Feature, is_meaning
from detection.core.quantities.measures import of_hundred, signed
from detection.core.quantities.outturns import outturns
from detection.core.quantities.pairing import Paired, Region, Said, Spot, is_item, pairs
from detection.core.quantities.quantity import Quantity, Singled, Tier
from detection.core.quantities.reach import Reach, reach, reached, singled
from detection.core.quantities.texts import Text
from detection.core.quantities.wholes import (
    divided,
    fronted,
    is_counted,
    is_of_it,
    is_taken,
    of_whole,
    parted_by,
    taken_of,
)
from detection.core.types import NumericClaim

CUES = ("directions", "bounds", "aggregations", "operations", "roles", "polarity", "per", "order", "negations", "date_roles", "multiples", "quantifiers", "entities")  # fmt: skip
_GATHERS, _NONE = ("aggregations", "per"), frozenset[str]()
OF_SEVERAL = ("leavings", "flows", "sides")
"""What a whole sentence says of its only number: how it comes of others, and on which side it lies."""
_POINTS = frozenset(("point", "points", "נקודות", "נקודה", "点", "點", "个点", "個點"))
_HALT = regex.compile(r"[;:.!?；：。！？]")
_LED = regex.compile(r"[;；:：]\s")
_OWN, _SHARED, _EARLIER, _LATER, _PASSED = 1.0, 0.8, 0.5, 0.35, 0.85
_PASSED_METRIC, _PASSED_BRACKET, _HEAD, _INNER = 0.95, 0.5, 0.6, 0.9
_OPENED = regex.compile(r"[(（]\p{Sc}?[A-Z]{0,3}\p{Sc}?$")  # payroll is more than insurance ($43,765)
_AGAIN = regex.compile(
    r"(?i)[,，(（]\s?(?:or|i\.e\.|that is|即|或|או|כלומר)(?:\s(?:about|some|roughly|nearly|כ-?))?\s?[$€£₪¥]?$"
)
_OR = regex.compile(
    r"(?i),?\s?(?:or|that is|i\.e\.|או|כלומר|或|即)(?:\s(?:about|some|roughly|nearly|כ-?))?\s?"
)
_FAR_OFF, _MOST_BESIDE = 1000, 12  # characters, and numbers, that are looked at on either side of one
_REACH = 24
_FAR = 40  # characters at which a word says half as much of a claim without digits
_FROM, _THAN = frozenset(("from", "versus", "than")), frozenset(("than",))
_TO, _BY, _EQUALS = frozenset(("to",)), frozenset(("by",)), frozenset(("equals",))
_BASE = 0.4  # of what a share is taken
_LEADS, _MOST_LEADS = 4, 24  # sentences before that may lead one in; above the items of a list, its heading
_DIRECT = regex.compile(r"[^\d,;:.]{0,12}")
_BACK = 15  # characters that a period in front of a claim without digits is taken to be further away
_OF = regex.compile(r"\s(?:of|in)\s|\s(?=מ(?!על\b|תחת\b|אז\b)\p{Hebrew}{2})")
_SAME = regex.compile(r"\s(?:of|at)\s|\s?[(（]")


class Reading(Text):
    """A text with the quantities that it states."""

    @cached_property
    def _taken(self) -> dict[int, list[Feature]]:
        return {}

    def _others(self, number: NumericClaim, start: int, end: int) -> tuple[Mention, ...]:
        """The periods of other clauses behind a number; one in brackets is of the number there alone."""
        return tuple(
            one for one in self._behind(number, start, end)[1] if not clauses.bracketed(self, one, end)
        )

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
        return shared(self, outturns(self, self._in_sentence(index, self._by_sentence.get(index, ()))))

    def _in_sentence(self, index: int, inside: Sequence[NumericClaim]) -> Iterator[Quantity]:
        whole = self.sentences[index] if self.sentences else (0, len(self.text))
        led = self.led(index)
        paired = pairs(self, inside, *whole)
        owned: list[Tier] = []
        cues: Mapping[str, frozenset[str]] = {}
        points = False
        for place, number in enumerate(inside):
            spot = self._spot(inside, place, whole, paired.get(place))
            own = self._named(number, spot.region, inside, place, whole)
            owned.append(own)
            if not (spot.things or (spot.before and is_taken(self, number, spot.before))):
                owned[place] = lent(self, owned, inside, place)
            number = signed(self._in_percent(number, spot.before, points))
            points = number.unit == "pp"
            said = self._said(spot, number, own)
            passed_on = self._passed_on(spot, said, cues, alike=owned[place] is not own)
            several = spot.stretches if len(inside) > 1 else (whole,)
            unbound = bounds.unbound(self, said.number, several, spot.near[0])
            cues = self._cues(said.number, spot.stretches, spot.ahead, spot.near[0], passed_on) | {
                table: self.keys(table, unbound if table == "sides" else several) for table in OF_SEVERAL
            }
            yield self._quantity(index, spot, said, owned[place], cues, led)

    def _spot(
        self, inside: Sequence[NumericClaim], place: int, whole: tuple[int, int], paired: Paired | None
    ) -> Spot:
        number = inside[place]
        things = of_whole(self, inside, place, *whole)
        region = Region((things,), ()) if things else self._near_region(inside, place, *whole)
        near = max(whole[0], number.start - _FAR_OFF), min(whole[1], number.end + _FAR_OFF)
        return Spot(inside, place, whole, near, region, paired, things)

    def _said(self, spot: Spot, number: NumericClaim, own: Tier) -> Said:
        """A number as it is bounded and compared, where its own words are ``own``."""
        start, _ = spot.near
        compared = bounds.more_than(self, number, spot.before)
        earlier = spot.inside[max(spot.place - _LEADS, 0) : spot.place]
        beyond = bounds.outdone(self, number, bounds.spoken_of(self, earlier, start))
        is_figure = beyond is not None and bounds.names_figure(own)
        bounded = bounds.bound(self, number, start, none=is_figure or compared)
        return Said(bounded, beyond, is_base=compared or self._is_base(bounded, start))

    def _passed_on(
        self, spot: Spot, said: Said, cues: Mapping[str, frozenset[str]], *, alike: bool
    ) -> Mapping[str, frozenset[str]]:
        """What the cues of the number before are for a number whose words are ``alike``, or that is compared with it."""
        number, before = said.number, spot.before
        same = before and (before.kind, before.unit) == (number.kind, number.unit)
        goes_on = same and (said.is_base or self._is_other_end(spot, number))
        passed_on = {"polarity": cues.get("polarity", _NONE)} if alike else {}
        return passed_on | ({table: cues[table] for table in _GATHERS} if goes_on and cues else {})

    def _is_other_end(self, spot: Spot, number: NumericClaim) -> bool:
        """Whether a number is what something went to from the one before: "payments went from $5 in 2023 to $6 in 2024"."""
        low = spot.near[0]
        arrived = spot.before and bounds.led_by(self, "arrivals", _TO, number, low)
        return bool(arrived and spot.before and self._is_base(spot.before, low))

    def _quantity(
        self,
        index: int,
        spot: Spot,
        said: Said,
        owned: Tier,
        cues: Mapping[str, frozenset[str]],
        led: Sequence[Tier],
    ) -> Quantity:
        number, before, (start, end) = said.number, spot.before, spot.near
        holds = before and (is_taken(self, number, before) or is_counted(self, before, number))
        is_result = bounds.led_by(self, "arrivals", _EQUALS, number, start) and bounds.heads(
            self, number, spot.stretches
        )
        counted = reached(self, number)
        tiers = self._of_item(number, spot.paired) if spot.paired else (owned, self._around(spot, number))
        return Quantity(
            number,
            (*tiers, *led),
            cues,
            index,
            bounds.direction(self, number, spot.stretches, start),
            said=self.keys("roles", (spot.near,)),
            reckons=bounds.reckons(self, spot.stretches),
            is_result=is_result,
            in_brackets=self.text.rfind("(", start, number.start) > self.text.rfind(")", start, number.start),
            is_share=bool(self._base_of(number)) or is_of_it(self, number),
            share_of=frozenset(one.name for one in self._base_of(number)),
            is_whole=bool(spot.things or holds),
            is_part=spot.after is not None and is_counted(self, number, spot.after),
            speaks_back=bounds.speaks_back(self, spot.inside, spot.place, *spot.sentence),
            onward=self._onward(owned, number, start, end),
            counts=any(one.several or one.each for one in self.spoken(start, end)),
            bases=self._bases(start, end, led),
            reach=counted,
            singled=self._singled(number, counted),
            beyond=said.beyond,
            parted=parted_by(self, spot.inside, spot.place),
            is_base=said.is_base,
            arrives=bounds.led_by(self, "arrivals", _TO if is_result else _TO | _EQUALS, number, start),
            by=bounds.led_by(self, "arrivals", _BY, number, start),
            may_be=bounds.roles(self, number, (*spot.ahead, *self._told_above(index, always=said.is_base))),
            called=bounds.called(self, number, start),
            behind=() if spot.paired else self._others(number, start, end),
        )

    def _around(self, spot: Spot, number: NumericClaim) -> Tier:
        """What the sentence of a number names; the words of its parts are not those of a whole, nor the things that are counted
        those of a part of them: "36 of the 40 beds"."""
        found = self._whole(number, spot.inside, spot.place, *spot.near)
        counted = not spot.things and spot.after is not None and spot.after.kind == "number"
        things = of_whole(self, spot.inside, spot.place + 1, *spot.near) if counted else None
        if things is None:
            return Tier({}, found.periods) if spot.things else found
        names = {one.name for one in self.within(*things)}
        return found._replace(words={word: by for word, by in found.words.items() if word not in names})

    def _in_percent(self, number: NumericClaim, before: NumericClaim | None, points: bool) -> NumericClaim:
        """A number whose words make a share of it: "120 basis points", "21.4 cents in each dollar", "by 6.3 points at one
        and 1.5 at the other" (``points``: the number before is some); else as it is."""
        if number.kind == "number" and (
            number.noun in _POINTS or (points and before and self._goes_on(before, number))
        ):
            return replace(number, kind="percentage", unit="pp", noun=None)
        behind = ((number.end, number.end + _REACH),)
        if number.kind == "currency" and "dollar" in self.keys("per", behind):
            return of_hundred(number)
        return number

    def _goes_on(self, before: NumericClaim, number: NumericClaim) -> bool:
        """Whether a number without a unit continues a list of others that are written with as many decimals."""
        alike = not number.noun and 0 < number.precision == before.precision < 1
        return alike and not _HALT.search(self.text, before.end, number.start)

    def _is_base(self, number: NumericClaim, start: int) -> bool:
        """Whether words before a number compare another one with it."""
        bases = _FROM - _THAN if number.bound else _FROM
        return bounds.led_by(self, "bases", bases, number, start) or bounds.compared_with(self, number, start)

    def _singled(self, number: NumericClaim, said: Reach | None) -> Singled | None:
        """Which of a group are excepted from what is said, or the only ones of which it is."""
        sentence = self.sentences[self.sentence_at(number.start)] if self.sentences else (0, len(self.text))
        found = singled(self, self.clause(number.start, number.end), sentence, said)
        return Singled(self.stretch(found.start, found.end), found.only) if found else None

    def _cues(
        self,
        number: NumericClaim,
        stretches: Sequence[tuple[int, int]],
        ahead: Sequence[tuple[int, int]],
        start: int,
        passed_on: Mapping[str, frozenset[str]],
    ) -> dict[str, frozenset[str]]:
        """The keys that a number's own words name, by table; a role only the words before it. A number whose words are those
        of the one before has its polarity (``passed_on``) too: "net losses in Q1 ($18,350) and Q4 ($12,760)"; one that it is
        compared with is gathered as it is: "averaged $1.85m a quarter in 2024, against $1.69m in 2023"."""
        cues = {table: self.keys(table, stretches) for table in CUES} | {"roles": self.keys("roles", ahead)}
        if number.kind == "percentage" and number.bound:
            apart = bounds.unbound(self, number, stretches, start)
            cues |= {table: self.keys(table, apart) for table in ("operations", "order")}
        return cues | {
            **{
                table: bounds.gathered(self, number, start, cues[table])
                or passed_on.get(table)
                or self._of_list(table, number)
                for table in _GATHERS
            },
            "bounds": bounds.beside(self, number, start, cues["bounds"]),
            "order": cues["order"] | bounds.ends(self, number, start),
            "polarity": bounds.polarity(self, number, stretches) or passed_on.get("polarity", _NONE),
            "basis": basis.said(self, stretches, number),
        }

    def _of_list(self, table: str, number: NumericClaim) -> frozenset[str]:
        """The keys that the line above a list names for its items: "Average quarterly NOI:"."""
        index = self.sentence_at(number.start)
        if number.kind not in ("currency", "number") or not (
            self.sentences and is_item(self.text, self.sentences[index][0])
        ):
            return frozenset()
        leads = (self.sentences[place] for place in self._leads(index))
        above = next((lead for lead in leads if not is_item(self.text, lead[0])), (0, 0))
        announces = self.text[slice(*above)].rstrip().endswith((":", "："))
        return self.keys(table, (above,)) if announces else frozenset()

    def _onward(self, own: Tier, number: NumericClaim, start: int, end: int) -> bool:
        """Whether words put a number that names no period later than the one named before: "after that it was"."""
        before = self.spoken(start, number.start)
        low = before[-1].end if before else start
        behind = self._next(self._clauses, number.end, end)
        return not own.periods and bool(
            self.marks("onward", low, number.start) or self.marks("onward", number.end, behind)
        )

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
        if number.kind != "number":  # a count beside it only says of how many; "46.2 million" is none
            inside = [one for one in inside if one.kind != "number" or stated_scale(one) > 1]
            place = inside.index(number)
        if place:
            left = clauses.parting(self, inside[place - 1].end, number.start)
            if left is None:
                shared.append((inside[place - 1].end, number.start))
            else:
                own.append((left, number.start))
        else:
            own.append((start, number.start))
        if place + 1 < len(inside):
            right = clauses.parting(self, number.end, inside[place + 1].start)
            (shared if right is None else own).append(
                (number.end, inside[place + 1].start if right is None else right)
            )
        else:
            right = clauses.parting(self, number.end, end)
            own.append((number.end, end if right is None else right))
        led = fronted(self, number, start, inside[place + 1].start if place + 1 < len(inside) else end)
        return Region((*own, *([led] if led else []), *self._past_aside(inside, place, end)), tuple(shared))

    def _past_aside(self, inside: Sequence[NumericClaim], place: int, end: int) -> list[tuple[int, int]]:
        """What goes on behind a number that says the same again: "$172,700 (5.4 %) below budget", "$3,200 or 4 % ahead"."""
        aside = clauses.ASIDE.match(self.text, inside[place].end, end)
        within = [one for one in inside[place + 1 : place + 3] if aside and one.end <= aside.end()]
        after = aside.end() if aside else end
        if not aside and place + 1 < len(inside) and self._says_again(inside[place], inside[place + 1]):
            within, after = [inside[place + 1]], inside[place + 1].end
        if len(within) != 1 or within[0].kind == inside[place].kind:
            return []
        stop = inside[place + 2].start if place + 2 < len(inside) else end
        right = clauses.parting(self, after, stop)
        return [(after, stop if right is None else right)]

    def _says_again(self, number: NumericClaim, other: NumericClaim) -> bool:
        """Whether nothing but an "or" stands between an amount and a share."""
        joined = _OR.fullmatch(self.text, number.end, other.start)
        return joined is not None and (number.kind, other.kind) == ("currency", "percentage")

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
                high = clauses.outrun(self, low, high) if low >= number.end else high
                of_base = number.kind == "percentage" and low >= number.end and _OF.match(self.text, low)
                owner = next((mark.end for mark in self.marks("owned", low, high)), high)
                for one in self._beside_bases(low, high, number):
                    is_base = of_base and one.start < owner
                    near = _BASE if is_base else weight * self._passed(one, number, low, high)
                    words[one.name] = max(words.get(one.name, 0), near)
        spoken = [one for low, high in (*region.own, *region.shared) for one in self.spoken(low, high)]
        low = max(number.start - _FAR_OFF, 0)
        if (base := bounds.leading(self, "bases", _FROM, number, low)) is not None:
            spoken = [one for one in spoken if one.start >= base.start or one.is_base]
        opened = self.text.rfind("(", low, number.start)
        if base is None and opened > self.text.rfind(")", low, number.start):
            # what stands in brackets is of the period right before them
            spoken += [one for one in self.periods if opened - _REACH <= one.start and one.end <= opened][-1:]
        if (related := clauses.relative(self, number)) is not None:
            return Tier(words, (replace(related, is_base=False),))
        if any(clauses.dates(self, number, one) for one in spoken) and not self.keys(
            "aggregations", region.own
        ):
            spoken = [one for one in spoken if one.start >= number.end]
        led = [
            found.end()
            for found in _LED.finditer(
                self.text, min((low for low, _ in region.own), default=number.start), number.start
            )
        ]
        fitting = self._nearest(number, spoken)
        return Tier(words, tuple(one for one in fitting if one.start >= max(led, default=0)))

    def _base_of(self, share: NumericClaim) -> list[Feature]:
        """What a share is taken of, as its words say: "3 % of revenue"."""
        if share.start not in self._taken:
            self._taken[share.start] = self._read_base(share)
        return self._taken[share.start]

    def _read_base(self, share: NumericClaim) -> list[Feature]:
        if share.kind != "percentage" or not (of := _OF.match(self.text, share.end)):
            return []
        return taken_of(self, of.end())

    def _beside_bases(self, low: int, high: int, number: NumericClaim) -> list[Feature]:
        """The words between two places without what the share right before them is taken of, or what is priced."""
        place = bisect_left(self._ends, low)
        before = self.values[place] if place < len(self.values) and self._ends[place] == low else number
        taken = (self._base_of(before) or self.priced(before, number)) if before is not number else []
        if before.kind == "percentage" and taken and _SAME.fullmatch(self.text, taken[-1].end, number.start):
            return taken  # "25.1% of total revenue of $4.6 million"
        taken = [*taken, *divided(self, low, high)]
        return [one for one in self.within(low, high) if one not in taken and not self.is_denied(one)]

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
        by = _PASSED_BRACKET if _OPENED.search(self.text, low, number.start) else _PASSED_METRIC
        beside = any(
            mark.end + 1 >= one.start
            for mark in self.marks("metrics", max(low, one.start - _REACH), one.start)
        )
        return by ** sum(1 for _ in self.marks("metrics", *between)) * (_HEAD if beside else 1.0)

    def _of_item(self, number: NumericClaim, paired: Paired) -> tuple[Tier, Tier]:
        """The words of the item that a number is paired with, and those of the sentence that belong to no item."""
        own = {one.name: _OWN for one in self.within(*paired.item)}
        shared = {one.name: _SHARED for low, high in paired.rest for one in self.within(low, high)}
        spoken = [one for low, high in paired.rest for one in self.spoken(low, high) if one != paired.stretch]
        own_periods = self.spoken(*paired.item) or self._nearest(number, spoken)
        if paired.piece is not None:
            own_periods = [paired.piece]
        return Tier({**shared, **own}, tuple(own_periods)), Tier(shared, tuple(spoken))

    def _nearest(self, number: NumericClaim, spoken: Sequence[Mention]) -> list[Mention]:
        """Periods by how near they are to the number; one it is only compared with, unless it stands right there."""
        fitting = [
            one
            for one in (plainly(each) for each in spoken if not clauses.ranges(self, number, each))
            if not (one.each or one.several or self._is_term(number, one))
            and (not one.is_base or self._touches(number, one) or "(" in self.text[one.end : number.start])
        ]
        if bounds.led_by(self, "arrivals", _TO, number, max(number.start - _REACH, 0)):
            fitting = [one for one in fitting if not one.is_base]
        return sorted(fitting, key=lambda one: self._gap(number, one))

    def _is_term(self, number: NumericClaim, one: Mention) -> bool:
        """Whether a date is when something ends, and no period of the number: "pays $31.50, and its lease runs to March 2031",
        "leased until 2071, for $640,000 a year"."""
        if one.start >= number.end:
            return self.is_end(one, number.end)
        return self.is_end(one) and clauses.BREAK.search(self.text, one.end, number.start) is not None

    def is_end(self, one: Mention, low: int = 0) -> bool:
        """Whether words behind ``low`` make a period the end of something: "until 2071"."""
        marks = self.marks("date_roles", max(low, one.start - _FAR), one.start)
        direct = marks and "end" in marks[-1].value and _DIRECT.fullmatch(self.text, marks[-1].end, one.start)
        return bool(direct)

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
            direct = _DIRECT.fullmatch(self.text, one.end, number.start)
            return bool(direct) and not self.marks("directions", one.end, number.start)
        return one.start - number.end <= _REACH and not any(
            mark.value & _FROM for mark in self.marks("bases", number.end, one.start + 1)
        )

    def _whole(
        self, number: NumericClaim, inside: Sequence[NumericClaim], place: int, start: int, end: int
    ) -> Tier:
        words: dict[str, float] = {}
        starts = [other.start for other in inside[max(place - _MOST_BESIDE, 0) : place + _MOST_BESIDE + 1]]
        passing = min(place, _MOST_BESIDE)
        stop = clauses.outrun(self, number.end, self._next(self._clauses, number.end, end))
        led = bool(self.within(start, number.start))
        near = inside[max(place - _MOST_BESIDE, 0) : place + _MOST_BESIDE + 1]
        bases = {one for other in near for one in self._base_of(other) if other is not number}
        marks = self.marks("multiples", number.end, end)
        bases.update(divided(self, start, number.start), *(taken_of(self, one.end) for one in marks))
        first = inside[place - 1].start if place and is_taken(self, number, inside[place - 1]) else start
        for one in self.within(max(start, first), stop if led else end):
            if one in bases:
                continue
            reached = bisect_left(starts, one.start)
            passed = passing - reached if one.start < number.start else max(reached - passing - 1, 0)
            weight = (_EARLIER if one.start < number.start else _LATER) * _PASSED**passed
            words[one.name] = max(words.get(one.name, 0), weight)
        spoken = self.spoken(start, end)
        single = [one for one in spoken if not (one.is_base or one.each or one.several)]
        single = single or [one for one in map(plainly, spoken) if not (one.is_base or one.each)]
        before = [
            one
            for one in reversed(single)
            if one.end <= number.start
            and not (clauses.bracketed(self, one, number.start) or self._is_term(number, one))
            and not clauses.ranges(self, number, one)
        ]
        found = [*before, *self._behind(number, start, end)[0]]
        parts = found and all(one.span is None for one in found)  # "each quarter of 2023, from 55.2% in Q1"
        if parts or (not found and number.bound):
            found += [replace(one, each=0) for one in spoken if one.each and one.span and not one.is_base]
        return Tier(words, tuple(found))

    def _behind(self, number: NumericClaim, start: int, end: int) -> tuple[list[Mention], list[Mention]]:
        """The periods that the sentence of a number names behind it: its own ones, and those of other clauses."""
        stop = self._next(self._hard, number.end, end)
        after = [
            one
            for one in self.spoken(start, end)
            if number.end <= one.start < stop
            and not (one.is_base or one.each or one.several)
            and not (self._is_term(number, one) or clauses.of_base(self, number, one))
        ]
        further = [one for one in after if clauses.parted(self, number, one, self._clauses)]
        return [one for one in after if one not in further], further

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
        cues = {table: self.keys(table, stretches) for table in CUES}
        if apart := bounds.distance(self, number):
            cues |= {"bounds": self.keys("bounds", ((low, start),)), "order": frozenset((apart,))}
        return Quantity(
            number,
            (own, Tier(whole.words, (*whole.periods, *behind)), *self.led(index)),
            cues,
            index,
            bases=tuple(one for one in self.spoken(first, last) if one.is_base),
            reach=(said := reach(self, *self._uncontrasted(low, high, start, end))),
            singled=self._singled(number, said),
            is_base=bounds.led_by(self, "bases", _FROM, number, first),
            arrives=bounds.led_by(self, "arrivals", _TO | _EQUALS, number, first),
            by=bounds.led_by(self, "arrivals", _BY, number, first) or bool(apart),
            denied=bounds.negated(self, start, first),
        )

    def _uncontrasted(self, low: int, high: int, start: int, end: int) -> tuple[int, int]:
        """The part of a clause around a stretch in which no "even though" stands."""
        before = [one.end for one in self.marks("joints", low, start) if "contrast" in one.value]
        behind = [one.start for one in self.marks("joints", end, high) if "contrast" in one.value]
        return max(before, default=low), min(behind, default=high)

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
