"""What no fitted weight may outvote: the period, the property and the metric that a claim is bound to (NUM-06).

A place that is known to be of another period or property does not support a claim, however well its words fit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from detection.core.metric_words import ALIASES
from detection.core.places import Place, Words, words
from detection.core.ranking import Ranked, Weighed
from detection.core.ranking_weights import NONE
from detection.core.source_periods import agreement, is_short
from detection.core.support import Judged, Stated
from detection.core.table_periods import year_of
from detection.core.types import Alias
from detection.core.wording import Wording, goes_out, names_total, operations

Names = Mapping[str, tuple[Words, ...]]
_WORTH = {
    "period_agrees": 2.0, "period_other": -6.0, "property_other": -6.0, "metric_agrees": 2.0, "metric_other": -4.0,
}  # fmt: skip
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


@lru_cache(maxsize=64)
def names_of(aliases: tuple[Alias, ...]) -> Names:
    """The words of each name of each metric, the built-in ones and those of ``aliases``."""
    found = {metric: {words(name) for name in names} for metric, names in ALIASES.items()}
    for alias in aliases:
        found.setdefault(alias.metric, set()).add(words(alias.text))
    return {metric: tuple(those - {frozenset()}) for metric, those in found.items()}


@lru_cache(maxsize=64)
def metrics_of(aliases: tuple[Alias, ...]) -> Mapping[Words, frozenset[str]]:
    """The metrics that a label of exactly these words names."""
    found: dict[Words, set[str]] = {}
    for metric, names in names_of(aliases).items():
        for name in names:
            found.setdefault(name, set()).add(metric)
    return {name: frozenset(those) for name, those in found.items()}


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


class Rules:
    """The rules for one claim. ``owners`` are the properties that the sources speak of, where each speaks of one."""

    def __init__(
        self, about: About, owners: Mapping[str, str | None], known: Mapping[Words, frozenset[str]]
    ) -> None:
        self._about, self._owners, self._known = about, owners, known
        self._short = is_short(about.period)
        self._parts: dict[object, Weighed] = {}

    def applied(self, ranked: Sequence[Ranked], periods: Mapping[str, Words]) -> list[Ranked]:
        """The places with what the rules add to their weights; ``periods`` are those of texts that name one alone."""
        return [self._applied(one, periods) for one in ranked]

    def _applied(self, one: Ranked, periods: Mapping[str, Words]) -> Ranked:
        place = one.place
        named = place.periods or (periods.get(place.source, frozenset()) if place.table < 0 else frozenset())
        key = place.source, named, place.row if place.table >= 0 else None
        if key not in self._parts:
            self._parts[key] = self._part(place, named)
        part = self._parts[key]
        return Ranked(place, one.weight + part.weight, (*one.parts, part)) if part.features else one

    def _part(self, place: Place, named: Words) -> Weighed:
        about = self._about
        agrees = agreement(about.period, named) if place.table >= 0 or self._short else 0
        owner = self._owners.get(place.source)
        codes = self._known.get(place.row, frozenset()) if place.table >= 0 else frozenset()
        given = {
            "period_agrees": agrees > 0,
            "period_other": agrees < 0,
            "property_other": owner is not None and about.property not in (None, owner),
            "metric_agrees": about.metric in codes,
            "metric_other": bool(codes) and about.metric is not None and about.metric not in codes,
        }
        found = {name: 1.0 for name, holds in given.items() if holds}
        return Weighed(found, sum(_WORTH[name] for name in found))


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
