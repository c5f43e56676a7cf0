"""How long something takes, against the dates between which it lies: those that the sentence itself names, those of a
sentence of a source, those in the row of a table; and against how long a source says that it takes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import regex

from detection.core.evidence import Evidence, Fact
from detection.core.lexicons import Words, phrases
from detection.core.matching.times.subjects import (
    bounds_of,
    covers,
    named_in,
    names_row,
    speaks_of,
    spoken_of,
    subject,
)
from detection.core.numbers import plain
from detection.core.periods import lengths
from detection.core.periods.lengths import Ends, ends_of, leads_on
from detection.core.quantities import Quantity, Reading
from detection.core.quantities.measures import measured_in
from detection.core.text import detect_language
from detection.core.types import Candidate, Case, NumericClaim
from detection.core.types import Span as Stretch

_BEGINS = frozenset(("start", "effective", "possession"))
_ENDS = frozenset(("end", "closed", "built", "delivered"))
_AND = regex.compile(r"(?i)\s(?:and|but)\s|\sו(?=\p{L})")
_GAP = regex.compile(r"[^\d,;:.]{0,24}")
_TO_HEBREW = regex.compile(r"(?<!\p{L})ל-?$")
_OVER = regex.compile(r"(?i)(?<!\p{L})over\s$")
_HYPHENS = "-‑–"
_REACH, _NEAR, _MOST, _HEAD = 24, 2, 400, 2000
_TABLES = ("lasting", "date_roles")
_ROUGHLY, _TENTH, _HALF = Decimal("0.75"), Decimal("0.1"), Decimal("0.5")
_LEAST_SHARED = 2


class Length(NamedTuple):
    """How long something takes by the evidence: at least and at most, in the unit of the answer; ``text`` says why, empty
    where a source states it."""

    least: Decimal
    most: Decimal
    text: str
    facts: tuple[Fact, ...] = ()


class _Named(NamedTuple):
    """A stretch of time that sentences of a source name, with the words of these."""

    ends: Ends
    facts: tuple[Fact, ...]
    words: frozenset[str]


class Durations:
    """How long things take by the evidence of a case, whose sources are read for it once."""

    def __init__(self, case: Case, known: Evidence) -> None:
        self._sources = {one.ref: one for one in case.sources}
        self._known = known

    def told(
        self, number: NumericClaim, reading: Reading, around: Callable[[NumericClaim], Quantity]
    ) -> Candidate | None:
        """What says how long something takes that a number says lasts so long; None where that cannot be told. What is
        ``around`` the number is asked of few."""
        unit = measured_in(number) if number.kind == "number" else ""
        if unit not in lengths.UNITS or _is_part(number, reading):
            return None
        asked = _Asked(number, unit, reading, around(number))
        own = list(asked.own())
        if own or not asked.lasts:
            return asked.judged(own)
        return asked.judged([*self._of_rows(asked), *self._of_prose(asked), *self._stated(asked)])

    @cached_property
    def _named(self) -> list[_Named]:
        """The stretches that the sentences of the sources name."""
        return [
            _Named(ends, facts, named_in(f"{source.title} {source.text[low:high]}"))
            for ref, dates in _by_source(self._known.dates).items()
            if (source := self._sources.get(ref))
            for low, high, ends, facts in _stretches(dates, source.text)
        ]

    def _of_rows(self, asked: "_Asked") -> Iterator[Length]:
        """The lengths between the dates of the row that the words name, where all of them stand in the source."""
        for grid in self._known.grids:
            rows: dict[int, list[Fact]] = defaultdict(list)
            for fact in grid.facts if not grid.is_prose else ():
                if fact.days and names_row(grid, fact, asked.around):
                    rows[fact.at[1]].append(fact)
            for row, facts in rows.items():
                told = _ends_in(facts)
                ends = _between(*told) if told else None
                source = self._sources.get(grid.source or "")
                body = f"{source.title} {source.text[:_HEAD]}" if source else ""
                if told and ends and speaks_of(asked.words(), f"{grid.named(1, row)} {body}"):
                    yield asked.length(ends, _text(*told), *told)

    def _of_prose(self, asked: "_Asked") -> Iterator[Length]:
        """The lengths of the stretches that sentences name which speak of the same."""
        for one in _led_to(asked, self._named):
            yield asked.length(one.ends, _text(*one.facts), *one.facts)

    def _stated(self, asked: "_Asked") -> Iterator[Length]:
        """The lengths that sentences of sources state of the same."""
        words = asked.words() or asked.called()
        for grid in self._known.grids if words else ():
            for fact in grid.facts if grid.is_prose else ():
                source = self._sources.get(fact.source or "")
                if source and fact.kind == "number" and fact.unit == asked.unit:
                    low, high = bounds_of(source.text, fact)
                    sentence = source.text[low:high]
                    if speaks_of(words, sentence) and _is_told_to_last(sentence, fact.start - low):
                        yield Length(fact.value or Decimal(0), fact.value or Decimal(0), "", (fact,))


class _Asked(NamedTuple):
    """A length of time that an answer states, in its surroundings."""

    number: NumericClaim
    unit: str
    reading: Reading
    around: Quantity

    @property
    def sentence(self) -> tuple[int, int]:
        """Where its sentence begins and ends."""
        sentences = self.reading.sentences
        return sentences[self.reading.sentence_at(self.number.start)] if sentences else (0, 0)

    @property
    def lasts(self) -> bool:
        """Whether words say that something lasts so long."""
        return is_lasting(self.number, self.reading)

    def own(self) -> Iterator[Length]:
        """The length of the one stretch that the sentence names beside the number, or between the start and the end that it
        names."""
        text, named = self.reading.text, list(self._stretches())
        if len(named) == 1 and self._is_beside(*named[0][:2]):
            yield self.length(named[0][2], text[slice(*named[0][:2])])

    def _stretches(self) -> Iterator[tuple[int, int, Ends]]:
        """The stretches from one date to another that the sentence names."""
        text, spoken = self.reading.text, [one for one in self.reading.spoken(*self.sentence) if one.span]
        for one in spoken:
            ends = one.span and ends_of(text[one.start : one.end], one.span, self.reading.language)
            if ends:
                yield one.start, one.end, ends
        for first, last in pairwise(spoken):
            if first.span and last.span and first.span < last.span and leads_on(text[first.end : last.start]):
                yield first.start, last.end, Ends(first.span, last.span)

    def _is_beside(self, start: int, end: int) -> bool:
        """Whether nothing but how it lasts, and what happened at the ends, stands between the number and a stretch."""
        low, high = (end, self.number.start) if end <= self.number.start else (self.number.end, start)
        noun = self.reading.text.find(self.number.noun or "", low, high) if low == self.number.end else -1
        low = noun + len(self.number.noun or "") if noun >= 0 else low
        return not subject(self.reading, (low, high), _TABLES) and not self.reading.written(low, high)

    def length(self, ends: Ends, text: str, *facts: Fact) -> Length:
        """How long it is between two ends."""
        return Length(*ends.length(self.unit), text, facts)

    def words(self) -> frozenset[str]:
        """What the sentence says that lasts so long."""
        stretch = _told_in(self.number, self.reading)
        own = self._own_words()
        return subject(self.reading, stretch, _TABLES) - own or spoken_of(
            self.reading, (stretch[0], stretch[0]), _TABLES
        )

    def called(self) -> frozenset[str]:
        """What the clause only calls what lasts: a lease, works."""
        marks = self.reading.marks("lasting", *_told_in(self.number, self.reading))
        named = (self.reading.text[one.start : one.end] for one in marks if one.value & _THINGS)
        return named_in(" ".join(named))

    def _own_words(self) -> frozenset[str]:
        """The words of the number itself and of its unit."""
        low = max(self.number.start - _NEAR, 0)
        own = {one.name for one in self.reading.within(low, self.number.end) if one.end > self.number.start}
        return named_in(self.number.noun or "") | own

    def judged(self, found: Sequence[Length]) -> Candidate | None:
        """A length that is as long as is said, else the one that there is."""
        fitting = [one for one in found if self._fits(one)]
        if not fitting and len({one[:2] for one in found}) != 1:
            return None
        return self._candidate((fitting or found)[0], equal=bool(fitting))

    def _fits(self, one: Length) -> bool:
        said, slack = Decimal(self.number.value), self.number.precision or _HALF
        if self.number.approximate:
            slack = max(_ROUGHLY, said * _TENTH)
        if self.number.bound and not self._is_over():
            return one.most >= said if self.number.bound == "at_least" else one.least <= said
        return one.least - slack <= said <= one.most + slack

    def _is_over(self) -> bool:
        """Whether the "over" before a number is no bound: "repayable over seven years", unlike "lasted over seven"."""
        low = max(self.number.start - _REACH, 0)
        over = _OVER.search(self.reading.text, low, self.number.start)
        marks = self.reading.marks("lasting", low, over.start()) if over else ()
        return over is not None and not any(
            one.value & _LASTS and not self.reading.text[one.end : over.start()].strip() for one in marks
        )

    def _candidate(self, one: Length, *, equal: bool) -> Candidate:
        said = Decimal(self.number.value)
        value = next((each for each in one[:2] if not each % 1), one.least).quantize(_TENTH).normalize()
        apart = abs(said - value)
        relative = apart / value if value else None
        if not one.text:
            fact = one.facts[0]
            return Candidate(
                "document", fact.text, "", value, relative, apart, equal=equal, source=fact.source, start=fact.start, end=fact.end,
            )  # fmt: skip
        shown = f"{one.text} = {plain(value)} {_several(self.number.noun or '', value)}"
        return Candidate(
            "derived", shown, "", value, relative, apart, equal=equal, arithmetic=shown,
            operands=tuple(Stretch(fact.source, fact.start, fact.end, fact.text) for fact in one.facts if fact.source),
        )  # fmt: skip


def is_lasting(number: NumericClaim, reading: Reading) -> bool:
    """Whether words beside a number of years or days say that something lasts so long: "runs for ten years", "a ten-year
    lease"."""
    clause = reading.clause(number.start, number.end)
    before = [
        one for one in reading.marks("lasting", *clause) if one.value & _SAID and one.end <= number.start
    ]
    if before and _joins(reading, before[-1].end, number.start):
        return True
    if _TO_HEBREW.search(reading.text, max(number.start - 3, 0), number.start):
        return True
    behind = number.end + len(number.noun or "") + _REACH
    marks = reading.marks("lasting", number.end, min(behind, clause[1]))
    hyphen = reading.text[number.end : number.end + 1] in _HYPHENS
    return any(
        (one.value & _LONG or (hyphen and one.value & _THINGS))
        and _joins(reading, number.end, one.start, number.noun)
        for one in marks
    )


_LASTS, _LONG, _THINGS, _PART, _SO_FAR = (
    frozenset((key,)) for key in ("lasts", "long", "things", "part", "so_far")
)
_SAID = _LASTS | frozenset(("so_long",))


def _joins(reading: Reading, low: int, high: int, noun: str | None = None) -> bool:
    """Whether only words without a meaning of their own, and a unit, stand between two places."""
    names = named_in(noun or "")
    bare = low <= high and all(one.name in names for one in reading.within(low, high))
    return bare and _GAP.fullmatch(reading.text, low, high) is not None


def _is_part(number: NumericClaim, reading: Reading) -> bool:
    """Whether a clause speaks of a part of what lasts, of how often, of when, or of two lengths."""
    clause = _told_in(number, reading)
    if len(_timed(reading, *clause)) > 1:
        return True
    marks = reading.marks("lasting", *clause)
    return any(
        one.value & _SO_FAR or (one.value & _PART and _qualifies(reading, one.start, one.end, number))
        for one in marks
    )


def _told_in(number: NumericClaim, reading: Reading) -> tuple[int, int]:
    """The part of a clause that is of one length alone: up to an "and", and from one behind another length."""
    low, high = reading.clause(number.start, number.end)
    behind = _AND.search(reading.text, number.end, high)
    before = [
        one.end()
        for one in _AND.finditer(reading.text, low, number.start)
        if _timed(reading, low, one.start())
    ]
    return max(before, default=low), behind.start() if behind else high


def _timed(reading: Reading, low: int, high: int) -> list[NumericClaim]:
    """The lengths of time between two places."""
    return [one for one in reading.written(low, high) if measured_in(one) in lengths.UNITS]


def _qualifies(reading: Reading, start: int, end: int, number: NumericClaim) -> bool:
    """Whether words stand right beside a length: "another ten years", "extend for ten years", "ten years' notice"."""
    if start >= number.end:
        return _joins(reading, number.end, start, number.noun)
    lasts = any(one.value & _LASTS for one in reading.marks("lasting", end, number.start))
    return not lasts and _joins(reading, end, number.start)


def _ends_in(facts: Sequence[Fact]) -> tuple[Fact, Fact] | None:
    """The beginning and the end among the dates of a row; of two dates the other one is the end."""
    begins = [fact for fact in facts if fact.roles & _BEGINS]
    others = [fact for fact in facts if fact not in begins]
    ends = others if len(others) == 1 else [fact for fact in others if fact.roles & _ENDS]
    return (begins[0], ends[0]) if len(begins) == len(ends) == 1 else None


def _by_source(dates: Iterable[Fact]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in dates:
        if fact.source and fact.days and len(found[fact.source]) < _MOST:
            found[fact.source].append(fact)
    return found


def _stretches(facts: Sequence[Fact], body: str) -> Iterator[tuple[int, int, Ends, tuple[Fact, ...]]]:
    """The stretches of a source and the sentences that name them: from one date to another, or from a start to the end that
    the same sentence or the next one names."""
    language = detect_language(body)
    single: list[Fact] = []
    for fact in facts:
        ends = ends_of(fact.text, fact.days, language) if fact.days else None
        if ends:
            yield *bounds_of(body, fact), ends, (fact,)
        elif fact.days and fact.end <= len(body):
            single.append(fact)
    for first, last in pairwise(sorted(single, key=lambda fact: fact.start)):
        (low, middle), (after, high) = bounds_of(body, first), bounds_of(body, last)
        ends = _between(first, last)
        if ends and after <= middle + _NEAR and _is_pair(first, last, body):
            yield low, high, ends, (first, last)


def _is_pair(first: Fact, last: Fact, body: str) -> bool:
    """Whether something begins on one date and ends on the other, or goes on again."""
    if (first.roles & _BEGINS and last.roles & _ENDS) or leads_on(body[first.end : last.start]):
        return True
    between = Words(body[first.end : last.start])
    return any("again" in mark.value for mark in phrases("lasting").find(between))


def _led_to(asked: _Asked, named: Iterable[_Named]) -> Iterator[_Named]:
    """The stretches to which the words of an answer lead: by what they speak of, or by a date that both name with some of
    it."""
    words, called = asked.words(), asked.called()
    dated = {one.span for one in asked.reading.spoken(*asked.sentence)}
    led = {word for tier in asked.around.tiers[2:] for word in tier.words}
    for one in named:
        if not dated.isdisjoint(one.ends):
            leads = not words - called or not words.isdisjoint(one.words)
        elif words or not called.isdisjoint(one.words):
            leads = covers(one.words, words or called)
        else:
            leads = len(led & one.words) >= _LEAST_SHARED
        if leads:
            yield one


def _is_told_to_last(sentence: str, place: int) -> bool:
    """Whether a sentence of a source says that something lasts as long as the number that begins at a place."""
    reading = Reading(sentence, detect_language(sentence))
    there = next((one for one in reading.values if one.start == place), None)
    return there is not None and is_lasting(there, reading) and not _is_part(there, reading)


def _between(first: Fact, last: Fact) -> Ends | None:
    """The stretch from one date to a later one."""
    in_order = first.days and last.days and first.days[0] < last.days[0]
    return Ends(first.days, last.days) if in_order and first.days and last.days else None


def _several(noun: str, value: Decimal) -> str:
    """A unit as it is written behind a number."""
    return f"{noun}s" if noun in lengths.UNITS and value != 1 else noun


def _text(*facts: Fact) -> str:
    return " – ".join(fact.text for fact in facts)
