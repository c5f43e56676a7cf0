"""Which number belongs to which item of a list: "revenue and NOI were $3 and $1, respectively"."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

import regex

from detection.core import periods
from detection.core.lexicons import Mark
from detection.core.periods import Mention
from detection.core.quantities.features import Feature, is_meaning
from detection.core.types import NumericClaim

Stretch = tuple[int, int]
_FAR_OFF = 1000  # characters that are looked at on either side of a list
_SAID = regex.compile(r"\p{N}|\p{L}.*\p{L}")  # one letter alone joins: ו
_HEBREW_AND = regex.compile(r"(?<=\s)ו-?(?=[א-ת]{3})")
_COMMA = regex.compile(r"[,，、](?!\d)")


_ITEM = regex.compile(r"\s{0,8}(?:[-*•–]|\d{1,2}[.)])\s")


class Paired(NamedTuple):
    """The item of a number, and the stretches of its sentence that belong to no item; of a list that goes through a
    ``stretch`` of time the piece of it that is the number's own."""

    item: Stretch
    rest: tuple[Stretch, ...]
    piece: Mention | None = None
    stretch: Mention | None = None


class Region(NamedTuple):
    """The stretches of a sentence that belong to one number: alone, and together with a neighbour."""

    own: tuple[Stretch, ...]
    shared: tuple[Stretch, ...]


class Spot(NamedTuple):
    """Where a number stands: at ``place`` among those ``inside`` its ``sentence``, of which so much as is ``near`` is looked at. Its own words
    are those of the ``region``, or of the item of a list that it is ``paired`` with; of a whole they say what its ``things`` are."""

    inside: Sequence[NumericClaim]
    place: int
    sentence: Stretch
    near: Stretch
    region: Region
    paired: Paired | None
    things: Stretch | None

    @property
    def before(self) -> NumericClaim | None:
        """The number before it in its sentence."""
        return self.inside[self.place - 1] if self.place else None

    @property
    def after(self) -> NumericClaim | None:
        """The number behind it."""
        return self.inside[self.place + 1] if self.place + 1 < len(self.inside) else None

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """Where its own words stand."""
        if self.paired:
            return (self.paired.item, *self.paired.rest)
        return (*self.region.own, *self.region.shared)

    @property
    def ahead(self) -> tuple[Stretch, ...]:
        """Where the words stand that may give it a role."""
        start = self.inside[self.place].start
        return (*self.region.own, *(one for one in self.region.shared if one[0] < start))


class Said(NamedTuple):
    """A number as its sentence bounds it, the one that it is said to lie ``beyond``, and whether another is compared with it."""

    number: NumericClaim
    beyond: NumericClaim | None
    is_base: bool


class Read(Protocol):
    """What is asked of a text that was read: its words, phrases and periods between two places."""

    text: str

    def marks(self, table: str, start: int, end: int) -> list[Mark[frozenset[str]]]:
        """What the phrases of a table say."""
        ...

    def within(self, start: int, end: int) -> list[Feature]:
        """Words and metrics."""
        ...

    def spoken(self, start: int, end: int) -> list[Mention]:
        """Periods."""
        ...

    def written(self, start: int, end: int) -> list[NumericClaim]:
        """Numbers that are no dates."""
        ...


def pairs(reading: Read, inside: Sequence[NumericClaim], start: int, end: int) -> dict[int, Paired]:
    """For the numbers of a sentence by their place: the items that a "respectively" pairs them with, and the pieces of a
    stretch of time that a list goes through: "5, 6 and 7 from 2021 to 2023"."""
    told = bool(marks := reading.marks("pairing", start, end))
    if not told and len(inside) < 2:
        return {}
    mentions = reading.spoken(start, end)
    spoken = sorted((one.start, one.end) for one in mentions)
    dated = [[spoken[index] for index in run] for run in _lists(spoken, reading, through=True)]
    found: dict[int, Paired] = {}
    for group in _lists([(one.start, one.end) for one in inside], reading):
        low = inside[group[0] - 1].end if group[0] else start
        high = inside[group[-1] + 1].start if group[-1] + 1 < len(inside) else end
        first, last = inside[group[0]].start, inside[group[-1]].end
        low, high = max(low, first - _FAR_OFF), min(high, last + _FAR_OFF)
        runs = [run for run in dated if len(run) == len(group) and abs(run[0][0] - first) <= _FAR_OFF]
        alike = len({inside[place].kind for place in group}) == 1
        items = min(runs, key=lambda run: abs(run[0][0] - first), default=[]) if told or alike else []
        before = [one for one in spoken if first - _FAR_OFF <= one[0] and one[1] <= first]
        if not items and any("dates" in mark.value for mark in marks) and len(before) == len(group):
            items = before  # "$5 in Q1 and $6 in Q2, with 1.2x and 1.4x on those dates"
        if not items:
            before = _words(reading, len(group), low, first, last=True)
            after = _words(reading, len(group), last, _before_mark(reading, last, high))
            through = _through(mentions, len(group), first, told) if alike else None
            if through is not None and not _is_apart(
                reading, through, before, after if after and after[0][0] == last else ()
            ):
                found.update(
                    (place, Paired((first, first), ((low, high),), piece, through))
                    for place, piece in zip(group, periods.each_of(through), strict=True)
                )
                continue
            items = (before or after) if told else []
        if not items:
            continue
        whole = max(start, first - _FAR_OFF), min(end, last + _FAR_OFF)
        rest = tuple(_without(items, *whole))
        found.update(
            {
                place: Paired(item, (*rest, *_told_once(reading, items, item)))
                for place, item in zip(group, items, strict=False)
            }
        )
    return found


def _through(spoken: Sequence[Mention], count: int, start: int, told: bool) -> Mention | None:
    """The nearest stretch of time with as many pieces as a list has numbers: "from Q1 to Q4 2024", where a "respectively"
    stands also "the first three quarters"."""
    fitting = [one for one in spoken if len(periods.each_of(one)) == count and (told or not one.whole)]
    return min(fitting, key=lambda one: abs(one.start - start), default=None)


def _is_apart(reading: Read, through: Mention, before: Sequence[Stretch], after: Sequence[Stretch]) -> bool:
    """Whether a list of as many words as there are numbers stands beside them, and the stretch of time is that of all: "at
    Oak, Elm and Ash from Q1 to Q3"."""
    if after and not after[0][0] <= through.start < after[0][1]:
        return True
    own = next((high for low, high in before if low <= through.start < high), None)
    if own is None:
        return bool(before)
    return own != before[-1][1] and bool(reading.within(through.end, own))


def _told_once(reading: Read, items: Sequence[Stretch], own: Stretch) -> list[Stretch]:
    """The metric that the last item names for all: "Oak Tower and Maple Court had NOI of"."""
    naming = [item for item in items if any(is_meaning(one.name) for one in reading.within(*item))]
    if len(naming) != 1 or own in naming:
        return []
    return [(one.start, one.end) for one in reading.within(*naming[0]) if is_meaning(one.name)]


def _before_mark(reading: Read, low: int, high: int) -> int:
    """Where the "respectively" behind a list of numbers stands, or the end."""
    return next((mark.start for mark in reading.marks("pairing", low, high)), high)


def _lists(spans: Sequence[Stretch], reading: Read, *, through: bool = False) -> Iterator[list[int]]:
    """The runs of two and more spans between which nothing but commas and an "and" stands, ``through``
    also a "to": "from Q1 to Q2: $5, then $6"."""
    run = [0] if spans else []
    for place, (before, after) in enumerate(pairwise(spans), start=1):
        if _is_listed(reading, before[1], after[0], through=through):
            run.append(place)
            continue
        if len(run) > 1:
            yield run
        run = [place]
    if len(run) > 1:
        yield run


def _is_listed(reading: Read, low: int, high: int, *, through: bool) -> bool:
    said, joints = reading.text[low:high], reading.marks("joints", low, high)
    if any("relative" in mark.value for mark in joints):
        return False  # "5 in all, of which 3"
    tos = [mark for mark in reading.marks("arrivals", low, high) if through and "to" in mark.value]
    for mark in sorted((*joints, *tos), reverse=True, key=lambda one: one.start):
        said = said[: mark.start - low] + said[mark.end - low :]
    return _SAID.search(said) is None


def _words(reading: Read, count: int, low: int, high: int, last: bool = False) -> list[Stretch]:
    """The ``count`` first (or last) parts of a list of words; none where there are fewer."""
    cuts = [(mark.start, mark.end) for mark in reading.marks("joints", low, high)]
    cuts += [(found.start(),) * 2 for found in _HEBREW_AND.finditer(reading.text, low, high)]
    cuts = sorted([*cuts, *(found.span() for found in _COMMA.finditer(reading.text, low, high))])
    starts, ends = [low, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), high]
    parts = [part for part in zip(starts, ends, strict=True) if part[0] < part[1] and reading.within(*part)]
    if len(parts) < count:
        return []
    return parts[-count:] if last else parts[:count]


def _without(items: Sequence[Stretch], start: int, end: int) -> Iterator[Stretch]:
    for low, high in sorted(items):
        if start < low:
            yield start, low
        start = max(start, high)
    if start < end:
        yield start, end


def is_item(body: str, start: int) -> bool:
    """Whether a sentence that starts at ``start`` is an item of a list, which the line above the list leads in."""
    return _ITEM.match(body, body.rfind("\n", 0, start) + 1) is not None
