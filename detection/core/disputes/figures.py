"""Figures of other evidence that say something else than one that carries a number: of the same metric, of whom and what the
same words name, in the same period, as real, as exact, and in the same scale."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

import regex

from detection.core import lexicons, periods
from detection.core.disputes.speaking import Spoken, spoken, titled
from detection.core.evidence import OPEN, Evidence, Fact, Grid, amount, passage_of
from detection.core.quantities.features import concept, is_meaning, meaning
from detection.core.types import Case, Dispute, Kind, Source, Voice

_TIMES = 3
"""Two figures further apart than this are a whole and its part, or stand in different scales."""
_MOST = 2  # disputes told of one number
_MOST_READ = 24  # facts of one grid whose words are read
_MOST_LINES, _HEADING = 40, 90  # lines above a figure, and characters of one that is a heading
_CELLS = regex.compile(r"[|\t]|\S[,;]\S|\s{3,}")
"""What stands between the cells of a row."""
_BREAK = regex.compile(r"[,;(]\s|\s\(|[，；（。—–]")
"""Where what is said behind a number is no longer said of it."""
_NET, _GROSS = frozenset(("net",)), frozenset(("gross",))
_PLAIN = frozenset(("rate", "ratio", "total"))
"""Words by which no metric becomes another one."""
_MONEY: frozenset[Kind] = frozenset(("currency", "number"))


class Standing(NamedTuple):
    """A figure and the grid in which it stands."""

    fact: Fact
    grid: Grid


def figures(case: Case, known: Evidence, carried: Sequence[Standing], claimed: str) -> tuple[Dispute, ...]:
    """What of the evidence of a case speaks against figures that carry a number of its answer, stated by the sentence ``claimed``; none where
    any of its source, or of theirs, says both."""
    reading = _Reading(case, known, claimed)
    bearing = {_voice_of(one.fact) for one in carried}
    found: dict[str, Dispute] = {}
    for grid in known.all:
        for other in reading.others(grid, carried):
            where = _voice_of(other.fact)
            if where in bearing or where in found:
                continue
            one = next((one for one in carried if reading.disputes(one, other)), None)
            if one is not None:
                found[where] = Dispute(_voice(one.fact), _voice(other.fact))
    return tuple(found.values())[:_MOST]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The evidence of a case beside one sentence of its answer."""

    case: Case
    known: Evidence
    claimed: str

    def others(self, grid: Grid, carried: Sequence[Standing]) -> Iterator[Standing]:
        """Figures of a grid that are of the same sort as one that carries the number, and another value."""
        seen = 0
        for one in carried:
            value = abs(one.fact.value or Decimal(0))
            middle, reach = (value * (_TIMES + side / _TIMES) / 2 for side in (Decimal(1), Decimal(-1)))
            metrics = self._said(one).metrics
            for fact in grid.equal(middle, reach) if value else ():
                if fact.figure is not None and meaning(fact.figure.field) not in metrics:
                    continue
                if _is_alike(one, Standing(fact, grid)) and not _agree(one.fact, fact):
                    yield Standing(fact, grid)
                    seen += 1
                if seen >= _MOST_READ:
                    return

    def disputes(self, one: Standing, other: Standing) -> bool:
        """Whether two figures speak of the same thing and neither source states both values."""
        if not _is_alike(one, other) or _agree(one.fact, other.fact):
            return False
        return self._is_same(one, other) and not (self._says(one, other) or self._says(other, one))

    def _says(self, one: Standing, other: Standing) -> bool:
        """Whether the source of one figure states the value of the other as well; records tell all their figures apart."""
        if one.fact.figure is not None or other.fact.value is None:
            return False
        value, room = other.fact.value, max(one.fact.precision, other.fact.precision)
        grids = (grid for grid in self.known.grids if grid.source == one.fact.source)
        return any(
            fact.kind == other.fact.kind or {fact.kind, other.fact.kind} <= _MONEY
            for grid in grids
            for fact in grid.equal(value, room)
        )

    def _is_same(self, one: Standing, other: Standing) -> bool:
        """Whether words name the same metric and nothing else on either side that the other lacks."""
        mine, theirs = self._said(one), self._said(other)
        counts = mine.counts - {str(one.fact.value)}, theirs.counts - {str(other.fact.value)}
        if not _name_one(one, mine, other, theirs) or counts[0] != counts[1]:
            return False
        asked = spoken(f"{self.claimed}\n{self.case.question}", one.fact.kind).words
        above, below = self._around(one), self._around(other)
        if not self._is_meant(one, asked | theirs.words | below.words):
            return False
        if not self._is_meant(other, asked | mine.words | above.words):
            return False
        if theirs.words - mine.words - above.words - asked or mine.words - theirs.words - below.words:
            return False
        apart = above.words - below.words - theirs.words, below.words - above.words - mine.words
        if all(apart) or (apart[0] | apart[1]) & asked or above.counts != below.counts:
            return False  # titles or headings name other things
        dated = one.fact.span is not None
        return dated or (above.periods == below.periods and mine.periods == theirs.periods)

    def _said(self, one: Standing) -> Spoken:
        """What is said of a figure: of prose its sentence, of a table the heads of its row and column, of a record its names."""
        fact, grid = one
        if fact.figure is not None:
            return Spoken(frozenset((meaning(fact.figure.field),)), self._names(fact.figure.property))
        if grid.is_prose:
            return spoken(_clauses(grid.named(0, fact.at[0]), fact.text), fact.kind)
        heads = [grid.axes[axis].labels[at] for axis, at in enumerate(fact.at) if at != OPEN]
        said = [spoken(head.text, fact.kind) for head in heads]
        above = [word for head in heads for form in head.above for word in form if not is_meaning(word)]
        return Spoken(
            frozenset(name for each in said for name in each.metrics),
            frozenset(word for each in said for word in each.words) | frozenset(above),
            frozenset(count for each in said for count in each.counts),
            qualifiers=frozenset(key for each in said for key in each.qualifiers),
            called=frozenset(word for each in said for word in each.called),
        )

    def _is_meant(self, one: Standing, said: frozenset[str]) -> bool:
        """Whether a record is of the property that the answer is filed under, or that something else that is ``said`` names."""
        if one.fact.figure is None or one.fact.figure.property == self.case.property:
            return True
        return bool(self._around(one).words & said)

    def _names(self, code: str) -> frozenset[str]:
        """The words of a property's names; none where the answer is filed under it, so that nobody need name it."""
        if code == self.case.property:
            return frozenset()
        return frozenset().union(
            *(spoken(one.name).words for one in self.case.properties if one.property == code)
        )

    def _around(self, one: Standing) -> Spoken:
        """What title and heading above a figure say, and of a record its property."""
        if one.fact.figure is not None:
            code = one.fact.figure.property
            named = [each.name for each in self.case.properties if each.property == code]
            return Spoken(words=spoken(" ".join((code, *named)), one.fact.kind).words)
        source = next((each for each in self.case.sources if each.ref == one.fact.source), None)
        return (
            titled(f"{source.title}\n{_heading(source, one.fact.start)}", one.fact.kind)
            if source
            else Spoken()
        )


def _is_alike(one: Standing, other: Standing) -> bool:
    """Whether two figures are of one kind, unit, period and sort: neither a bound nor a change, both real or both planned."""
    mine, theirs = one.fact, other.fact
    if mine.figure is not None and theirs.figure is not None:
        return False  # records are one set of books
    if not mine.value or theirs.value is None or mine.kind != theirs.kind:
        return False
    unnamed = mine.kind == "currency" and not (mine.unit and theirs.unit)
    if mine.unit != theirs.unit and not unnamed:
        return False
    if any(fact.bound or fact.direction or fact.turn or fact.is_none for fact in (mine, theirs)):
        return False
    if (mine.role, mine.per, mine.polarity) != (theirs.role, theirs.per, theirs.polarity):
        return False
    if mine.span is None or theirs.span is None:
        return mine.span is theirs.span
    return periods.same(mine.span, theirs.span)


def _agree(one: Fact, other: Fact) -> bool:
    """Whether two values are the same once the coarser of both is rounded; the brackets of a cost are presentation."""
    apart = abs(abs(one.value or Decimal(0)) - abs(other.value or Decimal(0)))
    return apart <= max(one.precision, other.precision)


def _name_one(one: Standing, mine: Spoken, other: Standing, theirs: Spoken) -> bool:
    """Whether both name one metric, or none and are called by the same words; neither is only about as large."""
    if any(said.approximate and at.grid.is_prose for at, said in ((one, mine), (other, theirs))):
        return False
    if _qualified(mine, theirs):
        return False
    if _is_special(mine, theirs) or _is_special(theirs, mine):
        return False
    if mine.metrics or theirs.metrics:
        plain = one.grid.is_prose and other.grid.is_prose
        return mine.metrics == theirs.metrics if plain else bool(mine.metrics & theirs.metrics)
    return bool(mine.words) and mine.words == theirs.words


def _qualified(mine: Spoken, theirs: Spoken) -> bool:
    """Whether one side says which figure is meant where the other means another: gross and net, physical and economic."""
    apart = mine.qualifiers ^ theirs.qualifiers
    return bool(apart) and (apart != _NET or bool((mine.qualifiers | theirs.qualifiers) & _GROSS))


def _is_special(mine: Spoken, theirs: Spoken) -> bool:
    """Whether one side calls a metric by the other's words and more, by which it is a special one: the default interest rate."""
    if not mine.called or not mine.called < theirs.called:
        return False
    own = {lexicons.lemma(word) for name in theirs.metrics for word in concept(name).split("_")}
    return bool(theirs.called - mine.called - own - _PLAIN)


def _clauses(sentence: str, number: str) -> str:
    """A sentence up to the end of the clause of its number, the whole where that stands there more than once."""
    start = sentence.find(number)
    if sentence.count(number) != 1:
        return sentence
    end = _BREAK.search(sentence, start + len(number))
    return sentence[: end.start()] if end else sentence


def _heading(source: Source, start: int) -> str:
    """The nearest line above a figure that is neither a sentence nor a row of a table; empty without any."""
    above = source.text[:start].split("\n")[-_MOST_LINES - 1 : -1]
    plain = (line.strip() for line in reversed(above))
    return next((line for line in plain if line and _is_heading(line)), "")


def _is_heading(line: str) -> bool:
    return len(line) <= _HEADING and line[-1] not in ".。;；" and not _CELLS.search(line)


def _voice_of(fact: Fact) -> str:
    """Whose word a figure is: the source's, or that of the records of a period."""
    return fact.source or "" if fact.figure is None else passage_of(fact.figure)


def _voice(fact: Fact) -> Voice:
    """What a figure says, and where."""
    if fact.figure is None:
        return Voice(_voice_of(fact), fact.text, fact.start, fact.end)
    return Voice(_voice_of(fact), amount(fact.figure))
