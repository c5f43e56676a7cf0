"""Of whom the numbers of prose are: the name that stands at each, or what tells the numbers of one sentence apart where a
name would stand."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile

import regex

from detection.core import lexicons
from detection.core.evidence.labels import apart, general
from detection.core.evidence.prose.moves import is_move
from detection.core.lexicons import Words
from detection.core.quantities import Quantity, Reading
from detection.core.quantities.clauses import parting
from detection.core.quantities.features import Feature, is_meaning
from detection.core.types import NumericClaim

_BACK = 4  # numbers before one in its sentence
_BEGINS = regex.compile(r"[\n.:;!?•“”\"'(–—-]\s*")
_Two = tuple[frozenset[str], frozenset[str]]
_Sides = tuple[list[str], list[str]]
_NOBODY: frozenset[str] = frozenset()


def parties(found: Sequence[Quantity], reading: Reading, title: str) -> Iterator[frozenset[str]]:
    """The words for the party of each quantity of a text, in order; none where nothing tells. What the title names is what
    all of it is about."""
    capitals = _capitals(reading)
    slots = _slots(found, reading, capitals)
    told = frozenset(word for slot in slots.values() for word in slot)
    named = (names(reading) | told & capitals) - lexicons.content(Words(title).words)
    for place, one in enumerate(found):
        own = one.tiers[0].own() & named or _led(found, place, reading) & named
        yield own or slots.get(place, _NOBODY)


def names(reading: Reading) -> frozenset[str]:
    """The words that a text writes as names: with a capital wherever they stand within a sentence."""
    begun = {one.name for one in reading.features if _is_named(one, reading)}
    return _capitals(reading) & begun


def _capitals(reading: Reading) -> frozenset[str]:
    """The words that a text writes with a capital wherever they stand, and that are of no figure."""
    words = [one for one in reading.features if not is_meaning(one.name)]
    figures = {word for one in reading.features for word in one.inner} | general()
    small = {one.name for one in words if not reading.text[one.start].isupper()}
    return frozenset({one.name for one in words} - small - figures)


def _is_named(one: Feature, reading: Reading) -> bool:
    """Whether a word has a capital that the beginning of its sentence does not explain."""
    if not reading.text[one.start].isupper():
        return False
    behind = reading.text[one.end : one.end + 2]
    joined = len(behind) > 1 and behind[0] == " " and behind[1].isupper()
    return joined or not _begins(one.start, reading)


def _begins(place: int, reading: Reading) -> bool:
    start = reading.sentences[reading.sentence_at(place)][0]
    before = reading.text[start:place]
    return not any(map(str.isalnum, before)) or _BEGINS.fullmatch(before[-2:].lstrip()) is not None


def _slots(
    found: Sequence[Quantity], reading: Reading, capitals: frozenset[str]
) -> dict[int, frozenset[str]]:
    """What tells numbers of one kind apart where a name would stand: all that the second says ("47 minutes for walk-ins and
    62 for referrals"), what stands before words that both share, or what leads in two of which the same is said: "A shipped
    5 crates, stored for 11 days; B 7, for 19"."""
    told: dict[int, frozenset[str]] = {}
    sides = [_sides(found, place, reading) for place in range(len(found))]
    ways = (
        partial(_gapped, sides),
        partial(_leading, sides),
        _led_in,
        partial(_without_verb, sides, capitals),
    )
    for place in range(1, len(found)):
        before = _parallel(found, place, reading)
        if before is None or found[place].is_base or is_move(found[place]):
            continue
        for slots in ways:
            first, second = slots(found, before, place, reading)
            if any(map(is_meaning, (*first, *second))):
                first, second = first & capitals, second & capitals
            if first and second:
                told[before] = told.get(before, _NOBODY) or first
                told[place] = second
                break
    return told


def _parallel(found: Sequence[Quantity], place: int, reading: Reading) -> int | None:
    """The place of the last number before one in its sentence, or before a semicolon, that is of its kind."""
    own = found[place]
    for before in range(place - 1, max(place - 1 - _BACK, -1), -1):
        other = found[before]
        if not _goes_on(other.sentence, own.sentence, reading):
            return None
        if _are_alike(other.number, own.number):
            return before
    return None


def _goes_on(first: int, second: int, reading: Reading) -> bool:
    """Whether two sentences are one, or parted by a semicolon alone."""
    start, end = reading.sentences[first]
    return first == second or (second - first == 1 and reading.text[start:end].rstrip().endswith((";", "；")))


def _are_alike(first: NumericClaim, second: NumericClaim) -> bool:
    """Whether two numbers are of one kind and count the same, which the second need not say again."""
    return (first.kind, first.unit) == (second.kind, second.unit) and second.noun in (first.noun, None)


def _gapped(
    sides: Sequence[_Sides], found: Sequence[Quantity], before: int, place: int, reading: Reading
) -> _Two:
    """What two numbers of a sentence are told apart by on the one side on which the words of the second stand, which leaves
    out what the first says on the other."""
    if found[before].sentence == found[place].sentence:
        first, second = sides[before], sides[place]
        for side in (0, 1):
            if second[side] and first[1 - side] and not second[1 - side]:
                return apart(frozenset(first[side]), frozenset(second[side]))
    return _NOBODY, _NOBODY


def _leading(
    sides: Sequence[_Sides], found: Sequence[Quantity], before: int, place: int, reading: Reading
) -> _Two:
    """What stands in front of two numbers before the first word that both share."""
    first, second = sides[before][0], sides[place][0]
    shared = set(first) & set(second)
    if not shared:
        return _NOBODY, _NOBODY
    heads = (frozenset(takewhile(lambda word: word not in shared, ahead)) for ahead in (first, second))
    return apart(*heads)


def _without_verb(
    sides: Sequence[_Sides],
    capitals: frozenset[str],
    found: Sequence[Quantity],
    before: int,
    place: int,
    reading: Reading,
) -> _Two:
    """The names in front of two numbers of which the second leaves out the verb: "Reno paid $5 and Toledo $7"."""
    (first, _), (second, behind) = sides[before], sides[place]
    if behind or not second or not capitals.issuperset(second):
        return _NOBODY, _NOBODY
    return apart(capitals.intersection(first), frozenset(second))


def _sides(found: Sequence[Quantity], place: int, reading: Reading) -> _Sides:
    """A number's own words before it, and those behind it, as they follow each other."""
    one = found[place]
    own, (start, end) = one.tiers[0].own(), reading.sentences[one.sentence]
    low = max(start, found[place - 1].number.end if place else start)
    stop = min(end, found[place + 1].number.start if place + 1 < len(found) else end)
    stop = parting(reading, one.number.end, stop) or stop
    behind = [word.name for word in reading.within(one.number.end, stop) if word.name in own]
    ahead = [word.name for word in reading.within(low, one.number.start) if word.name in own]
    return [word for word in ahead if word not in behind], behind


def _led_in(found: Sequence[Quantity], before: int, place: int, reading: Reading) -> _Two:
    """What leads in two numbers of which the same is said."""
    first, second = (found[one].tiers[0].own() for one in (before, place))
    return (
        apart(_led(found, before, reading), _led(found, place, reading))
        if first == second
        else (_NOBODY, _NOBODY)
    )


def _led(found: Sequence[Quantity], place: int, reading: Reading) -> frozenset[str]:
    """The words of the numbers of a sentence between the last one of its kind and a number."""
    since = _parallel(found, place, reading)
    low = place - _BACK if since is None else since + 1
    near = (one for one in found[max(low, 0) : place] if one.sentence == found[place].sentence)
    return frozenset(word for one in near for word in one.tiers[0].own())
