"""Whether the sources support a value: the slots that state it against all the others (NUM-06, contracts §3.5).

Support is the verdict of a few comparisons: by how much the best slot with the claimed value leads the best slot
with another one, and whether a single figure is what the sentence asks for at all. Their weights are fitted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from detection.core.chunks import Place
from detection.core.retrieval.ranking import Ranked
from detection.core.retrieval.ranking_weights import NONE, SUPPORT, SUPPORT_BASE

_FLAGS = ("text", "operation_missing", "several_years", "several_asked", "currency_for_number")
_FARTHEST, _WIDEST = -99.0, 6.0  # log-odds beyond which a lead says no more
_BEATEN = (("text_year_conflicts", "text_year_agrees"), ("to_for_change", "by_for_change"))
_TIE = 0.05
_CLEARER = 0.3  # share of the sentence's words that a clause has more than another
_SURE = 1.0  # lead in log-odds from which a slot is the claim's whatever the value


class Stated(NamedTuple):
    """A ranked place with what it is worth in the claim's unit, and whether that is what the claim says."""

    ranked: Ranked
    values: tuple[Decimal, ...]
    agrees: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """The best slot that states the claimed value, the best that does not, and whether the first is supported.

    ``sure`` says that the words alone make the best other slot the claim's.
    """

    best: Stated | None
    other: Stated | None
    supported: bool
    sure: bool


def judged(stated: Sequence[Stated]) -> Judged:
    """Judge the slots of one claim."""
    best = other = None
    for one in stated:
        if one.agrees:
            best = one if best is None or one.ranked.weight > best.ranked.weight else best
        elif other is None or one.ranked.weight > other.ranked.weight:
            other = one
    supported = best is not None and not is_beaten_in_its_sentence(best, stated) and _odds(stated) > 0
    return Judged(best, other, supported, other is not None and not supported and _leads(other, stated))


def is_beaten_in_its_sentence(best: Stated, stated: Sequence[Stated]) -> bool:
    """Whether the sentence of a text states another value for the named year, one that something changed by where
    this is what it changed to, or one that fits as well in a clause that the words name more clearly."""
    place = best.ranked.place
    if place.table >= 0:
        return False
    own = best.ranked.features
    for one in stated:
        rival = one.ranked.place
        if one.agrees or (rival.source, rival.row) != (place.source, place.row):
            continue
        features = one.ranked.features
        if any(own.get(against) and features.get(by) for against, by in _BEATEN):
            return True
        clearer = features.get("close_said", 0.0) > own.get("close_said", 0.0) + _CLEARER
        if clearer and rival.unit == place.unit and one.ranked.weight >= best.ranked.weight:
            return True
    return False


def _leads(first: Stated, stated: Sequence[Stated]) -> bool:
    """Whether ``first`` fits clearly better than "no single figure" and every slot that states another value."""
    weight, values = first.ranked.weight, set(first.values)
    return weight > NONE + _SURE and not any(
        weight <= one.ranked.weight + _SURE and values.isdisjoint(one.values) for one in stated
    )


def _odds(stated: Sequence[Stated]) -> float:
    features = support_features(stated, [one.ranked.weight for one in stated], NONE)
    return SUPPORT_BASE + sum(SUPPORT.get(name, 0.0) * value for name, value in features.items())


def _beaten_nearby(
    place: Place, best: float, stated: Sequence[Stated], weights: Sequence[float]
) -> dict[str, float]:
    """By how much another value of the same row and of the same column fits better."""
    row = column = best
    if place.table < 0:
        return {"beaten_in_row": 0.0, "beaten_in_column": 0.0}
    for one, weight in zip(stated, weights, strict=True):
        other = one.ranked.place
        if weight <= best or one.agrees or (other.source, other.table) != (place.source, place.table):
            continue
        if weight > row and other.line == place.line:
            row = weight
        if weight > column and other.cell == place.cell:
            column = weight
    return {"beaten_in_row": min(row - best, _WIDEST), "beaten_in_column": min(column - best, _WIDEST)}


def support_features(stated: Sequence[Stated], weights: Sequence[float], none: float) -> dict[str, float]:
    """What speaks for the claimed value, which at least one place states: leads in log-odds, and flags of the place."""
    best, place, rival = _FARTHEST, stated[0].ranked, _FARTHEST
    for one, weight in zip(stated, weights, strict=True):
        if not one.agrees:
            rival = max(rival, weight)
        elif weight >= best:
            best, place = weight, one.ranked
    features = place.features
    lead = min(max(best - rival, -_WIDEST), 2 * _WIDEST)
    return {
        "ahead": max(lead, 0.0),
        "behind": min(lead, 0.0),
        "tied": float(abs(lead) < _TIE),
        "over_none": min(max(best - none, -_WIDEST), _WIDEST),
        **_beaten_nearby(place.place, best, stated, weights),
        **{name: features.get(name, 0.0) for name in _FLAGS},
    }
