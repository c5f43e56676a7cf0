"""What came of one number that was compared with all evidence."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from detection.core.evidence import Grid
from detection.core.matching.levels import Match

Outcome = Literal["supported", "unbound", "contradicted", "not_found"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a number: ``match`` supports it or is what its slots say instead, ``slip`` is where its value stands;
    ``near`` are the values nearest to it, ``also`` what supports it in other places.
    ``is_settled``: the figure of record that the words name, or what they say that it was reckoned from or is compared with, was
    found and tells otherwise."""

    outcome: Outcome
    match: Match | None = None
    slip: Match | None = None
    grid: Grid | None = None
    near: tuple[Match, ...] = ()
    also: tuple[tuple[Match, Grid], ...] = ()
    is_settled: bool = False


def worst(found: Iterable[Judged]) -> Judged:
    """What to say of a number that nothing supports: what contradicts it before what merely holds nothing."""
    order = ("unbound", "contradicted", "not_found")
    return min(found, key=lambda one: order.index(one.outcome), default=Judged("not_found"))
