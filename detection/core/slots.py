"""A place of the sources as the search for derivations takes it."""

from dataclasses import dataclass

from detection.core.places import Place


@dataclass(frozen=True, slots=True)
class Fit:
    """A place that may be an operand."""

    place: Place
