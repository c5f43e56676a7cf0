"""What came of a claim without digits."""

from dataclasses import dataclass

from detection.core.evidence import Grid
from detection.core.evidence.values import Value


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a claim without digits: whether it holds, and what says so."""

    holds: bool
    value: Value | None = None
    grid: Grid | None = None
