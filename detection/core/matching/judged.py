"""What came of one number that was compared with all evidence."""

from dataclasses import dataclass
from typing import Literal

from detection.core.evidence import Grid
from detection.core.matching.levels import Match

Outcome = Literal["supported", "unbound", "contradicted", "not_found"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a number: ``match`` supports it or is what its slots say instead, ``slip`` is where its value stands;
    ``near`` are the values nearest to it, ``also`` what supports it in other places.
    ``is_settled``: what the words say that it was reckoned from was found, and comes to something else."""

    outcome: Outcome
    match: Match | None = None
    slip: Match | None = None
    grid: Grid | None = None
    near: tuple[Match, ...] = ()
    also: tuple[tuple[Match, Grid], ...] = ()
    is_settled: bool = False
