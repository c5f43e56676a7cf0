"""What prose says alike of several that have names, as a list: a row for each name, a column for each measure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from detection.core import lexicons
from detection.core.evidence.facts import OPEN, TOLD, Fact, Grid
from detection.core.evidence.labels import NAMED, Axis, Label
from detection.core.evidence.prose.moves import is_move
from detection.core.evidence.prose.names import Name, named_in
from detection.core.lexicons import Words
from detection.core.periods import Calendar
from detection.core.quantities import Quantity, Reading
from detection.core.quantities.features import is_meaning
from detection.core.quantities.measures import measured_in

_FEWEST = 3  # names that make a list
_MOST = 400  # numbers of a text that lists anything; more are a table that nobody reads as one
_CASED = frozenset(("en",))  # languages whose names begin with a capital
_Kind = tuple[str, str]
_Numbers = Sequence[tuple[int, Quantity]]
"""Numbers of a text with their places among all."""


class _Told(NamedTuple):
    """The number of a text, by its place among all, that is said of a name; ``turn`` of how many of its kind before it."""

    place: int
    name: frozenset[str]
    turn: int


def listed(
    found: Sequence[Quantity], facts: Sequence[Fact], reading: Reading, title: str, calendar: Calendar
) -> Grid | None:
    """The list of what a text says of names; ``facts`` are those of its numbers, in their order. None where it names fewer
    than three of which the same is said, or states very many numbers."""
    if len(found) > _MOST:
        return None
    about = lexicons.content(Words(title).words)
    columns = [*_columns(_told(found, reading, about), found)]
    kept = [some for some in columns if len({one.name for one in some}) >= _FEWEST]
    if not kept and reading.language not in _CASED:
        kept = [*_by_words(found)]
    if not kept:
        return None
    rows = [*dict.fromkeys(one.name for some in kept for one in some)]
    made = [
        replace(fact, at=(column, rows.index(name)))
        for column, some in enumerate(kept)
        for name, fact in _alike({one.name: facts[one.place] for one in reversed(some)})
    ]
    measures = Axis("column", [*_heads(kept, found, reading, frozenset().union(*rows))])
    names = Axis(TOLD, [Label(" ".join(sorted(row)), (row,)) for row in rows], NAMED[1])
    return Grid(f"list {facts[0].source}", (measures, names), made, calendar)


def _heads(
    columns: Sequence[Sequence[_Told]], found: Sequence[Quantity], reading: Reading, named: frozenset[str]
) -> Iterator[Label]:
    """What each column may be called: the words of its numbers alone, and those of the text that are of no column."""
    own = [
        frozenset(word for one in some for word in found[one.place].tiers[0].own()) - named
        for some in columns
    ]
    around = frozenset(one.name for one in reading.features).difference(named, *own)
    for at, words in enumerate(own):
        called = sorted(words.difference(*own[:at], *own[at + 1 :]) | around)
        yield Label(" ".join(called), tuple(frozenset((word,)) for word in called))


def _alike(column: Mapping[frozenset[str], Fact]) -> Iterator[tuple[frozenset[str], Fact]]:
    """The facts of a column as those of a table: what words say of one of them alone is none of them all."""
    spans = {fact.span for fact in column.values()} - {None}
    span = spans.pop() if len(spans) == 1 else None
    role, per = (
        said.pop() if len(said) == 1 else ""
        for said in ({fact.role for fact in column.values()}, {fact.per for fact in column.values()})
    )
    for name, fact in column.items():
        level = replace(fact, turn="", came="", since=OPEN, whole=OPEN, party=frozenset())
        yield name, replace(level, span=span or fact.span, role=role, per=per)


def _columns(told: Iterable[_Told], found: Sequence[Quantity]) -> Iterator[Sequence[_Told]]:
    """Numbers that are told by their kind, their turn and what they are of."""
    alike: dict[tuple[_Kind, int], list[_Told]] = defaultdict(list)
    for one in told:
        alike[_kind(found[one.place]), one.turn].append(one)
    for some in alike.values():
        yield from _measures(some, found)


def _measures(some: Sequence[_Told], found: Sequence[Quantity]) -> Iterator[Sequence[_Told]]:
    """Numbers of one kind by what they are of, as far as they say it: one that does not is of what the one before it is."""
    groups: list[tuple[frozenset[str], list[_Told]]] = []
    for one in some:
        said = _measured(found[one.place])
        place = next((at for at, (names, _) in enumerate(groups) if names & said), None)
        if place is None and groups and not (said and groups[-1][0]):
            place = len(groups) - 1
        names, those = groups.pop(place) if place is not None else (frozenset[str](), [])
        groups.append((names | said, [*those, one]))
    yield from (those for _, those in groups)


def _measured(one: Quantity) -> frozenset[str]:
    """What a number counts, and the metrics that its own words name."""
    counted = lexicons.content([one.number.noun]) if one.number.noun else frozenset()
    return counted | frozenset(filter(is_meaning, one.tiers[0].own()))


def _kind(one: Quantity) -> _Kind:
    return one.number.kind, one.number.unit or measured_in(one.number)


def _by_words(found: Sequence[Quantity]) -> Iterator[Sequence[_Told]]:
    """Numbers of one kind of which most are said in a word that they share, and each in words that name no other: where a script
    knows no capitals."""
    plain = (_Told(place, frozenset(), 0) for place, one in enumerate(found) if not is_move(one))
    for some in _columns(plain, found):
        every = [found[one.place].tiers[0].own() for one in some]
        said = Counter(word for words in every for word in words)
        alone = [frozenset(w for w in words if said[w] == 1 and not is_meaning(w)) for words in every]
        if len(some) >= _FEWEST and all(alone) and 2 * max(said.values()) >= len(some):
            yield [one._replace(name=name) for one, name in zip(some, alone, strict=True)]


def _told(found: Sequence[Quantity], reading: Reading, about: frozenset[str]) -> Iterator[_Told]:
    """The numbers that are said of names, sentence by sentence. Where a sentence has too few names, the word that begins it
    may be one, or those of the sentence before of which no number is said are spoken of."""
    names = named_in(reading, about)
    numbers = _by_sentence(found, [name for some in names for name in some])
    passed: Counter[tuple[_Kind, frozenset[str]]] = Counter()
    left: Sequence[Name] = ()
    for sentence, every in enumerate(names):
        sure = [name for name in every if name.is_sure]
        told: list[_Told] = []
        for those in numbers[sentence].values():
            ways = sorted((sure, every, [*left, *sure]), key=lambda way: len(way) != len(those))
            told += next(filter(None, ([*_paired(those, way)] for way in ways)), [])
        for one in told:
            yield one._replace(turn=one.turn + passed[_kind(found[one.place]), one.name])
        passed.update((_kind(found[one.place]), one.name) for one in told)
        used = {one.name for one in told}
        left = [name for name in sure if name.words not in used]


def _by_sentence(found: Sequence[Quantity], names: Sequence[Name]) -> Mapping[int, Mapping[_Kind, _Numbers]]:
    """The levels of each sentence by their kind; not what stands in a name: "Tower One"."""
    by: dict[int, dict[_Kind, list[tuple[int, Quantity]]]] = defaultdict(lambda: defaultdict(list))
    for place, one in enumerate(found):
        if not (is_move(one) or any(name.start < one.number.start < name.end for name in names)):
            by[one.sentence][_kind(one)].append((place, one))
    return by


def _paired(some: _Numbers, names: Sequence[Name]) -> Iterator[_Told]:
    """Numbers of one kind and the names of their sentence: one by one in their order, or several with each name, which stands
    at the same place among them."""
    if not names or len(some) % len(names):
        return
    count = len(some) // len(names)
    order = sorted([*((one.number.start, 1) for _, one in some), *((name.start, 0) for name in names)])
    signs = [sign for _, sign in order]
    if count > 1 and (signs != signs[: count + 1] * len(names) or (len(names) == 1 and signs[0])):
        return
    for at, (place, _) in enumerate(some):
        yield _Told(place, names[at // count].words, at % count)
