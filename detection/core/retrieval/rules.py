"""What no fitted weight may outvote: the period, the property and the metric that a claim is bound to (NUM-06).

A place that is known to be of another period or property does not support a claim, however well its words fit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from detection.core.chunks import (
    Names,
    Place,
    Wording,
    Words,
    agreement,
    goes_out,
    is_short,
    names_total,
    operations,
    year_of,
)
from detection.core.retrieval.ranking import Weighed
from detection.core.retrieval.ranking_weights import NONE
from detection.core.retrieval.support import Judged, Stated

WORTH = {
    "period_agrees": 2.0, "period_other": -6.0, "property_other": -6.0, "metric_agrees": 2.0, "metric_other": -4.0,
}  # fmt: skip
"""What a rule adds to the log-odds of a place; set by hand, the fit takes them as given."""
_BARRED = ("period_other", "property_other")
_SURE = 1.0  # log-odds above "no single figure" from which the claim's own slot is known


@dataclass(frozen=True, slots=True)
class About:
    """What a number is bound to, and the ``others`` that its sentence speaks of; ``several`` numbers share it."""

    metric: str | None = None
    period: str | None = None
    property: str | None = None
    others: frozenset[str] = frozenset()
    several: bool = False


def narrowed(said: Wording, about: About, own: tuple[Words, ...], names: Names, *, moves: bool) -> Wording:
    """What a sentence of several numbers asks of the one bound to ``about``: without the names of the other
    metrics, the years of the other periods, and a change that is another number's; ``moves`` says that it is its own."""
    named = [name for name in own if name <= said.words]
    kept = frozenset[str]().union(*(named or own))
    foreign = [name for other in about.others for name in names.get(other, ()) if name <= said.words]
    left = said.words.difference(*foreign) | kept
    spoken = operations(left) if moves else operations(left) - {"change"}
    return replace(
        said,
        words=left,
        years=frozenset((year_of(about.period),)) if about.period else said.years,
        operations=spoken | operations(kept),
        total=names_total(left),
        several=said.several and moves,
        falls=goes_out(left if moves else kept),
        moves=said.moves and moves,
    )


class _Found(dict[Words, int]):
    """What ``find`` says of words, asked once for each."""

    def __init__(self, find: Callable[[Words], int]) -> None:
        self._find = find

    def __missing__(self, said: Words) -> int:
        self[said] = found = self._find(said)
        return found


class Rules:
    """The rules for one claim. ``owners`` and ``periods`` are the properties and periods that the sources speak of,
    where their texts speak of one alone; ``known`` the metrics that the label of a row names."""

    def __init__(
        self,
        about: About,
        owners: Mapping[str, str | None],
        periods: Mapping[str, Words],
        known: Mapping[Words, frozenset[str]],
    ) -> None:
        self._about, self._periods, self._known = about, periods, known
        self._short = is_short(about.period)
        own = (None, about.property)
        self._foreign = {
            source: about.property is not None and owner not in own for source, owner in owners.items()
        }
        self._agreements = _Found(partial(agreement, about.period))
        self._metrics = _Found(self._metric)

    def part(self, place: Place) -> Weighed:
        """What the rules add to the weight of a place."""
        foreign = self._foreign[place.source]
        if place.table >= 0:
            return _part(self._agreements[place.periods], foreign, self._metrics[place.row])
        named = place.periods or self._periods[place.source]
        return _part(self._agreements[named] if self._short else 0, foreign, 0)

    def _metric(self, row: Words) -> int:
        """1 where a row is called by the name of the claim's metric, −1 where by others' names, 0 where that is open."""
        codes, metric = self._known.get(row, frozenset()), self._about.metric
        return 1 if metric in codes else -1 if codes and metric is not None else 0


@cache
def _part(period: int, foreign: bool, metric: int) -> Weighed:
    given = {
        "period_agrees": period > 0,
        "period_other": period < 0,
        "property_other": foreign,
        "metric_agrees": metric > 0,
        "metric_other": metric < 0,
    }
    found = {name: 1.0 for name, holds in given.items() if holds}
    return Weighed(found, sum(WORTH[name] for name in found))


def barred(verdict: Judged) -> Judged:
    """The verdict, without the support of a place that is known to be another period's or property's."""
    if not verdict.supported or verdict.best is None or not breaks(verdict.best):
        return verdict
    other = verdict.other
    sure = other is not None and not breaks(other) and other.ranked.weight > NONE + _SURE
    return Judged(verdict.best, other, False, sure)


def breaks(stated: Stated) -> bool:
    """Whether a place is known to be another period's or property's."""
    return any(name in stated.ranked.features for name in _BARRED)
