"""How near to a number its words name the label or the period of a term."""

from collections.abc import Mapping, Sequence
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from detection.core import periods
from detection.core.evidence import OPEN, Grid
from detection.core.matching.slots import spans_of
from detection.core.matching.weighing.terms import EVERY, Term
from detection.core.periods import Span
from detection.core.quantities import Quantity, Reading, Tier

OWN, CLAUSE, SENTENCE, BEFORE, AFTER, QUESTION = range(6)
"""From where words may name something; each level holds those before it too."""
LEVELS = 6
NOWHERE = 6
NAMED, HARDLY = 0.5, 0.34
"""Of a label, how much must be said for it to be named, and for it to be named at all."""
_AFTER = 2  # sentences behind one that may still name what it speaks of


class Named(NamedTuple):
    """How well the words of each level name a label (0 to 1), and how well the best other one; ``margin`` is by how much the
    words of its clause, each by how near it stands, name it better than any other."""

    own: tuple[float, ...]
    rival: tuple[float, ...]
    margin: float = 0.0


UNASKED = Named((0.0,) * LEVELS, (0.0,) * LEVELS)


def around(quantity: Quantity, reading: Reading) -> tuple[Tier, ...]:
    """The words and periods around a number of the answer, those of each level by themselves."""
    tiers, sentences = quantity.tiers, reading.sentences
    if not sentences:
        return tiers[0], tiers[1], tiers[1], Tier({}), Tier({}), tiers[-1]
    here = reading.stretch(*sentences[quantity.sentence])
    last = sentences[min(quantity.sentence + _AFTER, len(sentences) - 1)]
    behind = reading.stretch(sentences[quantity.sentence][1], last[1])
    led = Tier(
        {word: weight for tier in tiers[2:-1] for word, weight in tier.words.items()},
        tuple(one for tier in tiers[2:-1] for one in tier.periods),
    )
    return tiers[0], tiers[1], here, led, behind, tiers[-1]


class _Scores:
    """How well some words name each label of an axis."""

    def __init__(self, scores: Mapping[int, float]) -> None:
        self._scores = scores
        self._leaders = nlargest(2, scores.items(), key=itemgetter(1))

    def of(self, index: int) -> float:
        """How well a label is named."""
        return self._scores.get(index, 0.0)

    def rival(self, index: int) -> float:
        """How well the best other label is."""
        return next((score for other, score in self._leaders if other != index), 0.0)


class Naming:
    """What the words around one number name in one grid."""

    def __init__(
        self, quantity: Quantity, tiers: Sequence[Tier], grid: Grid, asked: Span | None, entity: int | None
    ) -> None:
        self.grid, self.entity = grid, entity
        self._scores = [[_Scores(axis.scores(words)) for words in _levels(tiers)] for axis in grid.axes]
        self._near = [_Scores(axis.scores(_weighted(tiers))) for axis in grid.axes]
        calendars = grid.calendars((entity,) if entity is not None and grid.is_recorded else None)
        by_tier = spans_of(tiers, quantity.behind, grid, None, calendars)
        self.spans = by_tier[:LEVELS]
        if asked:
            self.spans[QUESTION] = (*self.spans[QUESTION], asked)
        known = {word for axis in grid.axes for word in axis.words}
        self.spoken = [frozenset(known & tier.words.keys()) for tier in tiers[: CLAUSE + 1]]
        self._found: dict[tuple[int, int], Named] = {}
        self._anchors: dict[tuple[tuple[int, ...], Span | None], float] = {}
        self._levels: dict[Span, int] = {}

    def label(self, axis: int, index: int) -> Named:
        """How a label of an axis is named; what is open or of all of them needs no name."""
        if index in (OPEN, EVERY) or axis >= len(self.grid.axes):
            return UNASKED
        if (axis, index) not in self._found:
            self._found[axis, index] = self._named(axis, index)
        return self._found[axis, index]

    def _named(self, axis: int, index: int) -> Named:
        scores = self._scores[axis]
        own = [found.of(index) for found in scores]
        if axis and self.grid.is_recorded and index == self.entity and not self._is_of_another(scores, index):
            own[QUESTION] = 1.0
        near = self._near[axis]
        return Named(
            tuple(own), tuple(found.rival(index) for found in scores), near.of(index) - near.rival(index)
        )

    def _is_of_another(self, scores: Sequence[_Scores], index: int) -> bool:
        """Whether what leads a sentence in, and nothing of it, names another property than the answer's own: "Cap rate at Ness:"."""
        before, here = scores[BEFORE], scores[SENTENCE]
        return here.rival(index) < NAMED <= before.rival(index) and not before.of(index)

    def covered(self, one: Term) -> frozenset[str]:
        """The words of the labels of a term."""
        return frozenset().union(
            *(
                self.grid.axes[axis].words_of(at)
                for axis, at in enumerate(one.place)
                if at not in (OPEN, EVERY)
            )
        )

    def period(self, span: Span | None) -> int:
        """The nearest level that names a period; :data:`NOWHERE` where none does."""
        if span is None:
            return NOWHERE
        if span not in self._levels:
            naming = (
                level for level, named in enumerate(self.spans) if any(is_of(span, one) for one in named)
            )
            self._levels[span] = next(naming, NOWHERE)
        return self._levels[span]

    def anchor(self, one: Term) -> float:
        """How much of a term the words name at all."""
        key = one.place, one.span
        if key not in self._anchors:
            labels = sum(self.label(axis, index).own[-1] for axis, index in enumerate(one.place))
            self._anchors[key] = labels + (self.period(one.span) != NOWHERE)
        return self._anchors[key]


def is_of(span: Span, named: Span) -> bool:
    """Whether a term of one period may be meant by the name of another: the same, the day it ends with, or a day of it."""
    return (
        periods.same(span, named)
        or (span[0] == span[1] and periods.contains(named, span))
        or (named[0] == named[1] and span[0] <= named[0] <= span[1])
    )


def _levels(tiers: Sequence[Tier]) -> list[Mapping[str, float]]:
    found: list[Mapping[str, float]] = []
    words: dict[str, float] = {}
    for tier in tiers:
        words = {**words, **dict.fromkeys(tier.words, 1.0)}
        found.append(words)
    return found


def _weighted(tiers: Sequence[Tier]) -> Mapping[str, float]:
    return {**tiers[CLAUSE].words, **tiers[OWN].words}
