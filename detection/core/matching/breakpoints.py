"""Where the finding of a number turns as its tolerance grows.

A number's code is a step function of one tolerance: it changes only where another candidate comes within. Evaluating
:func:`detection.core.matching.decision.judged` at these places, under each setting of the switches that may matter, tells
everything that ``decide`` will ever say of the number. So many numbers can be decided again at once, and the rules stay in
one place.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from detection.core.matching.decision import judged, tolerance_name
from detection.core.thresholds import DEFAULTS, Thresholds, form_fields
from detection.core.types import Candidate, NumberMeasured

WIDEST: dict[str, float] = {field.name: field.metadata["high"] for field in form_fields()}
"""The largest value that a profile may give each tolerance."""


@dataclass(frozen=True, slots=True)
class Switches:
    """What besides the tolerance and the kind's own switch decides on a number."""

    against_database: bool
    against_documents: bool
    exact_numbers: bool
    percentage_points: bool


SWITCHES = tuple(
    Switches(database, documents, exact, points)
    for points in (False, True)
    for exact in (False, True)
    for database, documents in ((True, True), (True, False), (False, True))
)
"""Every setting under which a number is compared with anything."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """From the tolerance ``at`` on (per cent; days for dates), until the next turn, the number has this ``code`` and
    rests on ``matched``."""

    at: float
    code: str
    matched: Candidate | None


def breakpoints(number: NumberMeasured, switches: Switches) -> tuple[Breakpoint, ...]:
    """The breakpoints of one number in ascending order; the first is at 0."""
    found: list[Breakpoint] = []
    for at in sorted({0.0, *_breaks(number, switches)}):
        code, matched, _ = judged(number, _under(switches, tolerance_name(number), at))
        if not found or (found[-1].code, found[-1].matched) != (code, matched):
            found.append(Breakpoint(at, code, matched))
    return tuple(found)


@lru_cache(maxsize=4096)
def _under(switches: Switches, tolerance: str | None, at: float) -> Thresholds:
    values = {tolerance: at} if tolerance else {}
    return replace(
        DEFAULTS,
        verify_against_database=switches.against_database,
        verify_against_documents=switches.against_documents,
        exact_numbers=switches.exact_numbers,
        percentage_points=switches.percentage_points,
        **values,  # type: ignore[arg-type]  # the names are those of tolerances
    )


def _breaks(number: NumberMeasured, switches: Switches) -> Iterator[float]:
    """The tolerances at which a candidate comes within."""
    name = tolerance_name(number)
    if name is None:
        return
    in_points = number.kind == "percentage" and switches.percentage_points
    for candidate in number.candidates:
        distance = candidate.absolute if in_points else candidate.relative
        at = None
        if number.kind == "date":
            at = float(max(candidate.days)) if candidate.days else None
        elif distance is not None and distance <= WIDEST[name]:
            at = _smallest(distance, 100 if in_points else 1)
        if at is not None and at <= WIDEST[name]:
            yield at


def _smallest(distance: Decimal, factor: int) -> float:
    """The smallest float of a tolerance in per cent that reaches ``distance``, compared as ``decide`` does it."""

    def reaches(per_cent: float) -> bool:
        """Whether a tolerance in per cent lets ``distance`` pass."""
        return distance <= Decimal(str(per_cent)) / 100 * factor

    at = float(distance * 100 / factor)
    while not reaches(at):
        at = math.nextafter(at, math.inf)
    while at > 0 and reaches(math.nextafter(at, -math.inf)):
        at = math.nextafter(at, -math.inf)
    return at
