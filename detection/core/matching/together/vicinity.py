"""Figures of prose that stand beside each other: in one sentence, or in two of which one follows the other."""

from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from detection.core import lexicons
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.matching.equality import slack
from detection.core.quantities import Quantity
from detection.core.quantities.features import lemmas
from detection.core.types import NumericClaim

_MOST_BESIDE, _FAR = 8, 400  # figures on either side of one, and characters
_MOST_ANCHORS = 12
_SPEECH = ("leavings", "sides", "operations", "roles", "aggregations")
"""What says how a figure came about, and not of what it is."""


def subject(quantity: Quantity) -> frozenset[str]:
    """The words that say of what a number is: what is counted, and none of those that say how it is reckoned; where its own
    say nothing else, those of its sentence: "DSCR was 1.32x, 0.12x above the covenant"."""
    own_words = (frozenset(tier.words) - _said_of_any() for tier in quantity.tiers[:2])
    return named(quantity.number.noun or "") | next(filter(None, own_words), frozenset())


def named(text: str) -> frozenset[str]:
    """The words of a phrase as figures are named by them."""
    return frozenset(one.name for one in lemmas(lexicons.Words(text)))


def own(fact: Fact, grid: Grid) -> frozenset[str]:
    """The words next to a figure of prose; none where nothing but a role names it."""
    forms = grid.axes[0].labels[fact.at[0]].forms if fact.at[0] != OPEN else ()
    return forms[0] if forms else frozenset()


def anchors(said: frozenset[str], grid: Grid) -> list[Fact]:
    """The figures of prose that share most with what is spoken of."""
    shared = [(len(said & own(fact, grid)), fact) for fact in grid.facts if fact.value]
    most = max((count for count, _ in shared), default=0)
    return [fact for count, fact in shared if count == most][:_MOST_ANCHORS] if most else []


def beside(fact: Fact, grid: Grid, sentences: int = 1) -> list[Fact]:
    """The figures of the sentence of a figure and of so many before and behind it, the nearest first."""
    found = [*_onward(fact, grid, -1, sentences), *_onward(fact, grid, 1, sentences)]
    return sorted(found, key=lambda other: abs(other.start - fact.start))


def _onward(fact: Fact, grid: Grid, step: int, sentences: int) -> Iterator[Fact]:
    texts = {grid.named(0, fact.at[0])}
    for away in range(1, _MOST_BESIDE + 1):
        place = fact.at[0] + step * away
        if not 0 <= place < len(grid.axes[0].labels):
            return
        texts.add(grid.named(0, place))
        for other in grid.at(((place,), None)):
            if len(texts) > 1 + sentences or abs(other.start - fact.start) > _FAR:
                return
            if other.value is not None and other.kind != "date":
                yield other


def alike(first: Fact, second: Fact) -> bool:
    """Whether two figures are of one kind and unit, so that the one can be taken from the other."""
    units = {one.unit for one in (first, second) if one.unit}
    return first.kind == second.kind and len(units) < 2 and "pp" not in units and first is not second


def chance(number: NumericClaim, tried: int) -> Decimal:
    """How likely a wrong number is to agree with one of so many values about as large."""
    size = abs(Decimal(number.value))
    return 2 * slack(number) * tried / size if size else Decimal(1)


@cache
def _said_of_any() -> frozenset[str]:
    """The words that alone say how figures come about."""
    every = (
        phrase
        for name in _SPEECH
        for keys in lexicons.table(name).values()
        for key, phrases in keys.items()
        for phrase in phrases
        if key != lexicons.SKIP
    )
    return frozenset().union(*(words for words in map(named, every) if len(words) == 1))
