"""The numbers that an answer writes beside a word of change, and what they say of it by themselves: "rose to 4.1 from
4.3", "5.2, ahead of 6.1", "16.7 %, nearly triple the 8.7 %"."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from typing import NamedTuple

import regex

from detection.core import lexicons
from detection.core.evidence import Fact, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.lexicons import Words
from detection.core.matching.judged import Judged
from detection.core.matching.relations import changes
from detection.core.matching.relations.multiples import has_moved, is_share, is_times
from detection.core.matching.relations.told import Told
from detection.core.matching.signs import is_cost
from detection.core.numbers import plain
from detection.core.quantities import Quantity, Reading, Tier, content
from detection.core.quantities.reach import Reach
from detection.core.types import NumericClaim

_AGAIN, _NAMES = 40, regex.compile(r"[,\s–—-]*(?:\p{L}[\p{L}-]*\s){3,5}[^\p{L}\d]{0,3}")
"""Characters in which a number is named again, and the words that do."""
_NAMES_HEBREW = regex.compile(r",\s(?:ב-?|עם\s)\p{Hebrew}{2,}(?:\s\p{Hebrew}+){0,3}\sשל\s(?:כ-?)?\p{Sc}?")
_FAR, _NEXT = 60, 8  # characters to a number, and from the end of its clause: "the best, with $304,121"
_PAIR = 2
_APART = 20  # times that two figures of one kind may differ
_PARTING = frozenset(("contrast", "add", "cause", "time"))
_OTHERWISE = ("directions", "multiples", "operations", "roles", "per", "aggregations")
NOT_OF_TWO = ("directions", "multiples", "roles", "per")
"""Tables whose words say of a share or a multiple that it is not of two levels."""
_TABLES = ("directions", "multiples", "order")
_PREFIX = regex.compile(r"\p{Hebrew}")
_HEBREW = regex.compile(r"(?<!\w)\p{Hebrew}{3,}")
_ONE_WORD = regex.compile(r"\s?(?:\p{L}+\s)?")
_SIZES = frozenset(("size", "drawn", "available"))  # roles of a level: what was "used" is no plan
_LEADING = ("ranked", "ascending", "descending", "chronological")


@cache
def _prefixes(table: str, key: str) -> frozenset[str]:
    """The letters that mean ``key`` where they stand before a word."""
    phrases = (one for keys in lexicons.table(table).values() for one in keys.get(key, ()))
    return frozenset(one for one in phrases if _PREFIX.fullmatch(one))


class Standing(NamedTuple):
    """What the numbers beside a word say: whether it holds (without a value: nothing may be told), else the value and
    the grid of which alone it speaks."""

    told: Told | None = None
    own: Value | None = None
    grid: Grid | None = None


SILENT = Standing(Told(holds=False))


@dataclass(frozen=True, slots=True)
class Written:
    """A number of the answer and what came of it."""

    quantity: Quantity
    found: Judged

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.quantity.number.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.quantity.number.end

    @property
    def value(self) -> Decimal:
        """What is written."""
        return Decimal(self.quantity.number.value)

    @property
    def stated(self) -> Value | None:
        """What supports it; None where nothing does."""
        found = self.found
        return found.match.value if found.outcome == "supported" and found.match else None

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What it rests on."""
        return self.stated.facts if self.stated else ()

    @property
    def meant(self) -> tuple[Fact, ...]:
        """What it rests on, or would in another period than its words say."""
        slip = self.found.slip
        return self.facts or (slip.value.facts if slip and slip.conflict == "period" else ())

    @property
    def is_level(self) -> bool:
        """Whether it is a figure of record as it stands, and so no distance from another."""
        grid = self.found.grid
        return bool(self.stated and not self.stated.how and grid and grid.is_recorded)

    def standing(self) -> Standing:
        """A word that speaks of this number speaks of nothing else."""
        return Standing(None, self.stated, self.found.grid) if self.facts else SILENT


class Neighbours:
    """A word and the numbers around it, up to the next such word."""

    def __init__(
        self,
        claim: NumericClaim,
        words: Sequence[NumericClaim],
        reading: Reading,
        judged: Mapping[int, tuple[Quantity, Judged]],
        reach: Reach | None = None,
    ) -> None:
        self.claim, self.reading, self._judged = claim, reading, judged
        self._counts = {reach.least, reach.most, reach.group} if reach else set()
        self.start, self.end = reading.sentences[reading.sentence_at(claim.start)]
        others = [one for one in words if one is not claim and _ends_a_stretch(one, claim)]
        self.order_before = _order_before(claim, words, self.start)
        """The key of the last word of order before it in its sentence."""
        self._low = max((one.end for one in others if one.end <= claim.start), default=0)
        self._high = min((one.start for one in others if one.start >= claim.end), default=self.end)

    def limits(self) -> tuple[int, int]:
        """Where its clause begins, and where it or the next such word ends what belongs to it."""
        low, high = self.reading.clause(self.claim.start, self.claim.end)
        return low, min(high, self._high)

    @cached_property
    def behind(self) -> list[Written]:
        """The numbers of its clause behind it."""
        _, stop = self.reading.clause(self.claim.start, self.claim.end)
        return self._within(self.claim.end, min(self._high, stop))

    @cached_property
    def next(self) -> Written | None:
        """A number that begins right behind its clause, or says what the clause ends with: "the best, with $304,121", "the
        third-lowest cost, a rate of 4.1 %"."""
        _, stop = self.reading.clause(self.claim.start, self.claim.end)
        found = self._within(stop, min(self._high, self.end))[:1]
        near = found and (found[0].start <= stop + _NEXT or self._names_again(stop, found[0].start))
        return found[0] if near else None

    def _names_again(self, start: int, end: int) -> bool:
        """Whether what stands before a number names it and says nothing else: ", a rate of", בעלות של."""
        said = self.reading.text[start:end]
        if _NAMES_HEBREW.fullmatch(said):
            return True
        if end - start > _AGAIN or not _NAMES.fullmatch(said):
            return False
        first, *_, last = Words(said).words
        return not content(first) and not content(last)  # articles and prepositions say nothing

    @cached_property
    def later(self) -> list[Written]:
        """The numbers of its sentence behind it."""
        return self._within(self.claim.end, min(self._high, self.end))

    @property
    def exceeded(self) -> Written | None:
        """The first number of its sentence behind it, past a word of order: "a third above the $6"."""
        return next(iter(self._within(self.claim.end, self.end)), None)

    @property
    def compared(self) -> tuple[Written, Written] | None:
        """The last two numbers of its sentence before it."""
        found = self._within(self.start, self.claim.start)
        return (found[-_PAIR], found[-1]) if len(found) >= _PAIR else None

    @cached_property
    def before(self) -> Written | None:
        """The last number before it, where no other such word and no joint stands between."""
        found = self._within(max(self.start, self._low), self.claim.start)[-1:]
        near = [one for one in found if self.claim.start - one.end <= _FAR and not self._parted(one)]
        return near[0] if near else None

    @property
    def ranked(self) -> Written | None:
        """The number whose place a word of order gives: one that it touches, else the nearest."""
        if self.before and self.follows(self.before):
            return self.before
        near = [one for one in self.behind[:1] if one.start - self.claim.end <= _FAR]
        before = self.before
        if before and (before.quantity.reach or self._is_of_another(before)):
            before = None  # "in six of them below 2x, the worst of them"
        return near[0] if near else before or self.next

    def _is_of_another(self, one: Written) -> bool:
        """Whether another figure is named behind the clause of a number: "$645, where occupancy is the highest"."""
        named = self.reading.marks("metrics", one.end, self.claim.start)
        return bool(named) and any(
            sign in self.reading.text[one.end : named[0].start] for sign in ",，、;；)）"
        )

    @cached_property
    def earlier(self) -> Written | None:
        """The last number before it in its sentence, whatever stands between, that is not how far one lies from another:
        "$33,915, $6,415 above the budget of $27,500"."""
        found = self._within(self.start, self.claim.start)
        if len(found) > 1 and self.behind and self.follows(found[-1]):
            found.pop()
        return found[-1] if found and self.claim.start - found[-1].end <= _FAR else None

    @property
    def far(self) -> Written | None:
        """The number that says how far something lies from something else: "beat 2023 by 810 tonnes", "810 tonnes more than"."""
        before = self.before
        between = self.reading.text[before.end : self.claim.start].strip() if before else ""
        if before and not before.is_level and between in ("", before.quantity.number.noun):
            return before
        return self.behind[0] if self.behind and self.behind[0].quantity.by else None

    @cached_property
    def spoken_of(self) -> Written | None:
        """The number that opens the sentence before, which "that" may mean."""
        index = self.reading.sentence_at(self.claim.start)
        found = self._within(*self.reading.sentences[index - 1]) if index else []
        return found[0] if found else None

    def is_predicate(self, one: Written) -> bool:
        """Whether a number behind the word is of its own subject: "the other was close behind at 5.2"."""
        return one.quantity.arrives and not self.reading.within(self.claim.end, one.start)

    def is_of_moves(self) -> bool:
        """Whether a word of order ranks how far things went: "the largest upward adjustment"."""
        return bool(
            self.reading.marks("directions", self.claim.end, min(self.claim.end + _FAR // 2, self._high))
        )

    def is_beside(self, table: str, keys: Set[str]) -> bool:
        """Whether a phrase of a table stands right beside the word, at most one other word between: "the heaviest net loss",
        ההפסד הכבד ביותר, 最大亏损."""
        claim, text = self.claim, self.reading.text
        low, high = max(claim.start - _FAR // 2, self.start), claim.end + _FAR // 2
        found = [one for one in self.reading.marks(table, low, high) if one.value & keys]
        gaps = [text[claim.end : one.start] for one in found if one.start >= claim.end]
        gaps += [text[one.end : claim.start] for one in found if one.end <= claim.start]
        return any(_ONE_WORD.fullmatch(gap) for gap in gaps)

    def sides(self, otherwise: Sequence[str] = _OTHERWISE) -> tuple[Tier, Tier] | None:
        """What the words of its clause before it name, with those that part it ("more patients than"), and those behind it;
        None where words of the tables ``otherwise`` say that more than levels is spoken of."""
        low, high = self.reading.clause(self.claim.start, self.claim.end)
        around = ((low, self.claim.start), (self.claim.end, high))
        if any(self.reading.keys(table, around) - _SIZES for table in otherwise):
            return None
        first = self.claim.end if str(self.claim.value).startswith("order:") else self.claim.start
        return self.reading.stretch(low, first), self.reading.stretch(*around[1])

    def ends(self) -> tuple[Tier, Tier] | None:
        """What its clause names as that to which something went, and as that from which it did: "rose from winter to
        spring"; None where words name no two ends."""
        low, high = self.reading.clause(self.claim.start, self.claim.end)
        begun, ended = self._leading("bases", "from", low, high), self._leading("arrivals", "to", low, high)
        last = next((one for one in ended if any(start < one[0] for start, _ in begun)), None)
        if last is None:
            return None
        first = max(one for one in begun if one[0] < last[0])
        return self.reading.stretch(last[1], high), self.reading.stretch(first[1], last[0])

    def _leading(self, table: str, key: str, low: int, high: int) -> list[tuple[int, int]]:
        """Where the words of a table that mean ``key`` begin and end; a letter that is written before a word, as in Hebrew,
        leads that word."""
        marks = [(mark.start, mark.end) for mark in self.reading.marks(table, low, high) if key in mark.value]
        letters = _prefixes(table, key)
        words = _HEBREW.finditer(self.reading.text, low, high) if letters else ()
        return sorted([*marks, *((one.start(), one.start()) for one in words if one[0][0] in letters)])

    def follows(self, one: Written) -> bool:
        """Whether the word stands right behind a number: "a 1.1% decline"."""
        return not self.reading.text[one.end : self.claim.start].strip()

    def goes_so_far(self, one: Written) -> bool:
        """Whether a number right before the word says how far: "$6,415 above", but not "NOI of $5 exceeded"."""
        return self.follows(one) and not one.is_level

    def leads(self, one: Written) -> bool:
        """Whether a number stands right behind the word: "rose about 5 %"."""
        gap = self.reading.text[self.claim.end : one.start]
        plain = len(gap) <= _FAR // 3 and not any(sign in gap for sign in ",;，；")
        return plain and not self._names(self.claim.end, one.start)

    def leads_away(self, one: Written) -> bool:
        """Whether a number behind the word is what it went from: "a recovery from the low of 1.18x"."""
        marks = self.reading.marks("bases", self.claim.end, one.start)
        return one.quantity.is_base or any("from" in mark.value for mark in marks)

    def names_between(self, one: Written) -> bool:
        """Whether a figure is named between a number and the word."""
        return self._names(one.end, self.claim.start)

    def _names(self, start: int, end: int) -> bool:
        return bool(self.reading.marks("metrics", start, end))

    def _parted(self, one: Written) -> bool:
        joints = self.reading.marks("joints", one.end, self.claim.start)
        return (
            any(mark.value & _PARTING for mark in joints)
            or ";" in self.reading.text[one.end : self.claim.start]
        )

    def _within(self, start: int, end: int) -> list[Written]:
        """The numbers between two places, without those that say of how many of a group the word speaks."""
        found = (one for one in self.reading.written(start, end) if not self._is_count(one))
        return [Written(*self._judged[one.start]) for one in found if one.start in self._judged]

    def _is_count(self, one: NumericClaim) -> bool:
        return one.kind == "number" and one.value in self._counts


def _order_before(claim: NumericClaim, words: Sequence[NumericClaim], start: int) -> str:
    before = [one for one in words if start <= one.start < claim.start]
    keys = [str(one.value).partition(":") for one in before]
    return next((key for table, _, key in reversed(keys) if table == "order"), "")


def _ends_a_stretch(other: NumericClaim, claim: NumericClaim) -> bool:
    """Whether the numbers beyond another word are no longer those of a claim: words of one sort part each other's."""
    table, own = (str(one.value).partition(":")[0] for one in (other, claim))
    if table == "order" and str(other.value).partition(":")[2] in _LEADING:
        return False  # "ranked", "in descending order": they only lead the place in
    return table == own or (table in _TABLES and own != "directions")


def moved(near: Neighbours, key: str) -> Standing | None:
    """What the numbers beside a word of direction say: those between which something went, how far it went, or where it
    arrived. None where none stands there."""
    ends = _ends(near)
    if ends is not None:
        return _between(*ends, key)
    far = _how_far(near)
    if far is not None:
        return _by(far, key)
    arrived = next((one for one in near.behind if one.quantity.arrives and not one.quantity.is_base), None)
    return arrived.standing() if arrived else None


def _ends(near: Neighbours) -> tuple[Written, Written] | None:
    """To which number something went, and from which."""
    if near.behind and "," in near.reading.text[near.claim.end : near.behind[0].start]:
        return None  # "moved within a narrow band, from 40.5 % to 43.0 %"
    new, old = _from_to(near.behind)
    before = near.before
    if new is None and before and old and near.leads(old) and not near.names_between(before):
        new = None if before.quantity.is_base or near.follows(before) else before
    return (new, old) if new and old and _are_alike(new, old) else None


def _from_to(behind: Sequence[Written]) -> tuple[Written | None, Written | None]:
    """The number behind a word to which something went, and the one from which it did."""
    old = next((one for one in behind if one.quantity.is_base), None)
    new = next((one for one in behind if one.quantity.arrives and not one.quantity.is_base), None)
    return new, old


def _are_alike(one: Written, other: Written) -> bool:
    """Whether two numbers are of one kind and unit, and not far apart."""
    first, second = one.quantity.number, other.quantity.number
    if (first.kind, first.unit) != (second.kind, second.unit):
        return False
    sizes = sorted((abs(one.value), abs(other.value)))
    return sizes[0] > 0 and sizes[1] <= _APART * sizes[0] and one.value * other.value > 0


def _between(new: Written, old: Written, key: str) -> Standing:
    said = changes.sense(key, _metrics(new) or _metrics(old))
    apart = _risen(key, new, new.value, old.value)
    if not said or not apart:
        return SILENT
    shown = f"{plain(abs(new.value))} − {plain(abs(old.value))}"
    value = Value(apart, (*new.facts, *old.facts), "difference", shown)
    holds = (apart > 0) == (said > 0) and not _is_turned(new, old)
    if holds and not (new.facts and old.facts):
        return SILENT
    return Standing(Told(holds, value, new.found.grid if new.facts else old.found.grid))


def _risen(key: str, one: Written, new: Decimal, old: Decimal) -> Decimal:
    """How far the figure that a number rests on rose; brackets around a cost make no loss of it."""
    said, grid = one.quantity.cue("polarity"), one.found.grid
    below = any((fact.value or 0) < 0 and not (grid and is_cost(grid, fact.at[0])) for fact in one.facts)
    return changes.risen(key, said, new, old, is_loss=below or "loss" in said)


def _is_turned(new: Written, old: Written) -> bool:
    """Whether what something is said to have come to is of before what it is said to have come from."""
    ends = [one.meant[0] for one in (new, old) if len(one.meant) == 1]
    if len(ends) < _PAIR or ends[0].at != ends[1].at or not (ends[0].span and ends[1].span):
        return False
    return ends[0].span[1] < ends[1].span[0]


def _metrics(one: Written) -> list[str]:
    grid = one.found.grid
    return metrics_of(grid, one.facts[0].at[0]) if grid and one.facts else []


def _how_far(near: Neighbours) -> Written | None:
    """The number that says how far something went."""
    before = near.before if near.before and near.follows(near.before) else None
    for one in near.behind[:1]:
        quantity = one.quantity
        leads = near.leads(one) and not (before or near.leads_away(one) or quantity.arrives)
        if quantity.by or leads:
            return one
    return before


def _by(far: Written, key: str) -> Standing:
    """How far something went, where it is known from when to when, says in which direction."""
    facts = far.facts
    if far.stated and not far.stated.how:
        return SILENT  # as it stands it is judged by itself
    ends = [fact.span[1] for fact in facts if fact.span]
    if len(facts) != _PAIR or facts[0].at != facts[1].at or len(set(ends)) != _PAIR:
        return far.standing()
    new, old = facts if ends[0] > ends[1] else facts[::-1]
    said = changes.sense(key, _metrics(far))
    if not said or new.value is None or old.value is None or new.value * old.value <= 0:
        return far.standing()
    apart = _risen(key, far, new.value, old.value)
    value = Value(apart, (new, old), "difference", f"{plain(abs(new.value))} − {plain(abs(old.value))}")
    return Standing(Told((apart > 0) == (said > 0), value, far.found.grid))


def apart(near: Neighbours, times: Decimal, cues: frozenset[str], *, up: bool) -> Standing | None:
    """What the numbers around a share say that lies so much of it above or below: the two before it of which the second is compared
    with ("12 against 9, a third more"), the one before and the one behind ("$8, a third above the $6"), or the one before alone."""
    two = near.compared
    if two and two[1].quantity.is_base and _are_alike(*two) and two[0].facts and two[1].facts:
        return _times(*two, times, cues, up)
    before, behind = near.before, near.exceeded
    if before and behind and _are_alike(before, behind) and before.facts and behind.facts:
        return _times(before, behind, times, cues, up)
    return before.standing() if before and behind is None else None


def multiplied(near: Neighbours, times: Decimal, cues: frozenset[str]) -> Standing | None:
    """What the numbers around "double the" and its like say; a number at which something arrived is what it speaks of."""
    first = near.behind[0] if near.behind else near.next
    before = near.before
    if first is None:
        return None
    new, old = _from_to(near.behind or near.later if first.quantity.is_base else near.behind)
    if new and old and times >= 1 and new.facts and old.facts and _are_alike(new, old):
        return _times(new, old, times, cues)
    if not near.behind:
        return None
    if times < 1 and first.quantity.is_whole:
        return _share(near, first, times, cues)
    if first.quantity.arrives and not first.quantity.is_base:
        return first.standing()
    if before is None or times < 1 or not _are_alike(before, first) or near.follows(before):
        return None
    return _times(before, first, times, cues) if before.facts and first.facts else SILENT


def _share(near: Neighbours, whole: Written, times: Decimal, cues: frozenset[str]) -> Standing | None:
    """Whether the number right before a share of one behind it, or right behind that, is as much of it as is said: "$45
    million, half of the $90 million", "half of the $90 million, at $45 million"."""
    behind = [
        one for one in near.later if one.start >= whole.end and not near.reading.within(whole.end, one.start)
    ]
    parts = [one for one in (near.before, *behind[:1]) if one and _is_part(one, whole)]
    if not parts:
        return None
    part = parts[0]
    if not (part.facts and whole.facts):
        return SILENT
    value = Value(
        part.value / whole.value,
        (*part.facts, *whole.facts),
        "ratio",
        f"{plain(part.value)} / {plain(whole.value)}",
    )
    return Standing(Told(is_share(value.value, times, cues), value, whole.found.grid))


def _is_part(one: Written, whole: Written) -> bool:
    part, other = one.quantity.number, whole.quantity.number
    return (part.kind, part.unit) == (other.kind, other.unit) and 0 < one.value <= whole.value


def _times(
    new: Written, old: Written, times: Decimal, cues: frozenset[str], up: bool | None = None
) -> Standing:
    """Whether one number is as many times another as is said, or lies so much of it above or below it."""
    ratio, shown = abs(new.value / old.value), f"{plain(new.value)} / {plain(old.value)}"
    value = Value(ratio, (*new.facts, *old.facts), "ratio", shown)
    holds = has_moved(ratio, times, up, cues) if up is not None else is_times(ratio, times, cues)
    return Standing(Told(holds, value, new.found.grid))
