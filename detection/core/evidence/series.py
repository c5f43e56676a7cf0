"""What prose says alike of several that have names, as a list: a row for each name, a column for each measure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import regex

from detection.core import lexicons
from detection.core.evidence.facts import OPEN, TOLD, Fact, Grid
from detection.core.evidence.labels import NAMED, Axis, Label
from detection.core.evidence.moves import is_move
from detection.core.lexicons import Words
from detection.core.periods import Calendar
from detection.core.quantities import Quantity, Reading
from detection.core.quantities.features import is_meaning

_FEWEST = 3  # names that make a list
_RUN = regex.compile(
    r"\p{Lu}[\p{L}\p{M}'’-]*(?:(?:\s(?:(?:of|the|de|da|di|du|la|le|y|van|von)\s)?|\s?&\s?)\p{Lu}[\p{L}\p{M}'’-]*)*"
)
_OPENING, _QUOTES = " \n\t“”\"'‘’(–—-•", '“"‘'
_Kind = tuple[str, str]


class _Mention(NamedTuple):
    """A name where it stands, by its words."""

    start: int
    end: int
    words: frozenset[str]


class _Told(NamedTuple):
    """The number of a text, by its place among all, that is said of a name; ``turn`` of how many of its kind before it."""

    place: int
    name: frozenset[str]
    turn: int


def listed(
    found: Sequence[Quantity], facts: Sequence[Fact], reading: Reading, title: str, calendar: Calendar
) -> Grid | None:
    """The list of what a text says of names; ``facts`` are those of its numbers, in their order. None where it names fewer
    than three of which the same is said."""
    about = lexicons.content(Words(title).words)
    kept = [
        some
        for some in _columns(_told(found, reading, about), found)
        if len({one.name for one in some}) >= _FEWEST
    ]
    kept = kept or list(_by_words(found))
    if not kept:
        return None
    rows = list(dict.fromkeys(one.name for some in kept for one in some))
    named = frozenset(word for row in rows for word in row)
    own = [_words((found[one.place] for one in some), named) for some in kept]
    if len(kept) == 1:
        own = [own[0] | frozenset(one.name for one in reading.features) - named]
    heads = [_label(words, own[:at] + own[at + 1 :]) for at, words in enumerate(own)]
    made = [
        replace(
            facts[one.place], at=(column, rows.index(one.name)), since=OPEN, whole=OPEN, party=frozenset()
        )
        for column, some in enumerate(kept)
        for one in {one.name: one for one in reversed(some)}.values()
    ]
    names = Axis(TOLD, [Label(" ".join(sorted(row)), (row,)) for row in rows], NAMED[1])
    return Grid(f"list {facts[0].source}", (Axis("column", heads), names), made, calendar)


def _columns(told: Iterable[_Told], found: Sequence[Quantity]) -> Iterator[list[_Told]]:
    alike: dict[tuple[_Kind, int], list[_Told]] = defaultdict(list)
    for one in told:
        alike[_kind(found[one.place]), one.turn].append(one)
    for some in alike.values():
        yield from _measures(some, found)


def _by_words(found: Sequence[Quantity]) -> Iterator[list[_Told]]:
    """Numbers of one kind, each of which words name that name none of the others: where a script knows no capitals."""
    plain = (_Told(place, frozenset(), 0) for place, one in enumerate(found) if not is_move(one))
    for some in _columns(plain, found):
        said = Counter(word for one in some for word in found[one.place].tiers[0].own())
        alone = [
            frozenset(w for w in found[one.place].tiers[0].own() if said[w] == 1 and not is_meaning(w))
            for one in some
        ]
        if len(some) >= _FEWEST and all(alone):
            yield [one._replace(name=name) for one, name in zip(some, alone, strict=True)]


def _measures(some: Sequence[_Told], found: Sequence[Quantity]) -> Iterable[list[_Told]]:
    """Numbers of one kind by what they are of, as far as they say it: one that does not is of what the one before it is."""
    groups: list[tuple[frozenset[str], list[_Told]]] = []
    for one in some:
        said = _measured(found[one.place])
        place = next((at for at, (names, _) in enumerate(groups) if names & said), None)
        if place is None and groups and not (said and groups[-1][0]):
            place = len(groups) - 1
        if place is None:
            groups.append((said, [one]))
        else:
            names, those = groups.pop(place)
            groups.append((names | said, [*those, one]))
    return [those for _, those in groups]


def _measured(one: Quantity) -> frozenset[str]:
    """What a number counts, and the metrics that its own words name."""
    return lexicons.content([one.number.noun or ""]) | frozenset(filter(is_meaning, one.tiers[0].own()))


def _kind(one: Quantity) -> _Kind:
    return one.number.kind, one.number.unit or ""


def _words(some: Iterable[Quantity], named: frozenset[str]) -> frozenset[str]:
    return frozenset(word for one in some for word in one.tiers[0].own()) - named


def _label(own: frozenset[str], others: Iterable[frozenset[str]]) -> Label:
    """The name of a measure: each word that none of the others is called by names it."""
    words = own.difference(*others) or own
    return Label(" ".join(sorted(own)), tuple(frozenset((word,)) for word in sorted(words)))


def _told(found: Sequence[Quantity], reading: Reading, about: frozenset[str]) -> Iterator[_Told]:
    """The numbers that are said of names, sentence by sentence. Where a sentence has too few names, the word that begins it
    may be one, or those of the sentence before of which no number is said are spoken of."""
    by_sentence: dict[int, dict[_Kind, list[tuple[int, Quantity]]]] = defaultdict(lambda: defaultdict(list))
    left: list[_Mention] = []
    runs = list(_runs(reading))
    known = frozenset(run[0] for run in runs if not _begins(run.start(), reading))
    inside = [run.span() for run in runs]
    for place, one in enumerate(found):
        if not (is_move(one) or any(low < one.number.start < high for low, high in inside)):
            by_sentence[one.sentence][_kind(one)].append((place, one))
    for sentence, (start, end) in enumerate(reading.sentences):
        some = [run for run in runs if start <= run.start() < end]
        sure = [run for run in some if run[0] in known or " " in run[0]]
        here, all_of_it = _mentions(sure, reading, about), _mentions(some, reading, about)
        told: list[_Told] = []
        for those in by_sentence[sentence].values():
            ways = (here, all_of_it, [*left, *here])
            told += next(
                filter(
                    None,
                    (
                        list(_paired(those, way))
                        for way in sorted(ways, key=lambda way: len(way) != len(those))
                    ),
                ),
                [],
            )
        yield from told
        used = {one.name for one in told}
        left = [one for one in here if one.words not in used]


def _paired(some: Sequence[tuple[int, Quantity]], names: Sequence[_Mention]) -> Iterator[_Told]:
    """Numbers of one kind and the names of their sentence: one by one in their order, or several with each name, which stands
    at the same place among them."""
    if not names or len(some) % len(names):
        return
    count = len(some) // len(names)
    if count > 1:
        order = sorted([*((one.number.start, 1) for _, one in some), *((name.start, 0) for name in names)])
        signs = [sign for _, sign in order]
        if signs != signs[: count + 1] * len(names):
            return
    for at, (place, _) in enumerate(some):
        yield _Told(place, names[at // count].words, at % count)


def _runs(reading: Reading) -> Iterator[regex.Match[str]]:
    """Words with capitals that follow each other, and that name no period and no figure."""
    metrics = [one for one in reading.features if is_meaning(one.name)]
    for run in _RUN.finditer(reading.text):
        low, high = run.span()
        dated = any(one.start < high and low < one.end for one in reading.periods)
        if not dated and not any(one.start <= low and high <= one.end for one in metrics):
            yield run


def _begins(place: int, reading: Reading) -> bool:
    """Whether a place is where a sentence begins, or what is quoted in it."""
    start = reading.sentences[reading.sentence_at(place)][0]
    return not reading.text[start:place].strip(_OPENING) or reading.text[place - 1] in _QUOTES


def _mentions(runs: Iterable[regex.Match[str]], reading: Reading, about: frozenset[str]) -> list[_Mention]:
    """The names of a sentence, each once, but for what all of the text is about."""
    found: dict[frozenset[str], _Mention] = {}
    for run in runs:
        words = frozenset(one.name for one in reading.within(*run.span()) if not is_meaning(one.name))
        if words and not words <= about:
            found.setdefault(words, _Mention(*run.span(), words))
    return list(found.values())
