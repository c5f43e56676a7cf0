"""From the log-probabilities of a first word to probabilities of YES, NO and UNKNOWN (GOV-03, SPEC-08.13)."""

import math
from collections.abc import Mapping, Sequence

from detection.core.types import Interval
from detection.verifiers.endpoints.failures import Malformed, NoLabel, NoLogprobs

LABELS = ("yes", "no", "unknown")
LEADING = 3
"""The label is looked for among this many tokens; before it only spaces, quotes and markdown may stand."""

VARIANTS = 4
"""Spellings of a label (``YES``, ``Yes``, `` yes`` …) that may hide below the smallest listed probability."""

SMALLEST_MASS = 0.5
ABSENT = -9999.0
_WRAPPING = " \t\r\n\ufeff\"'`“”‘’*_#.:"

Listed = Sequence[tuple[str, float]]


def read_labels(positions: Sequence[Listed]) -> dict[str, Interval]:
    """Probabilities of the three labels from the alternatives listed at each token position.

    Each position holds (token, log-probability) pairs, the emitted token first. Spellings of a label are
    summed; a label that is not listed may have as much as its spellings could hide below the smallest
    listed probability, and no more than what the list leaves over. Raises :class:`NoLogprobs` when nothing
    is listed, :class:`NoLabel` when the labels hold less than half of the mass, :class:`Malformed` for
    numbers that are no log-probabilities.
    """
    if not any(positions):
        raise NoLogprobs("The response carries no log-probabilities.")
    listed = _first_word(positions)
    masses = [(token.strip(_WRAPPING).casefold(), math.exp(value)) for token, value in listed.items()]
    seen = {label: sum(p for token, p in masses if token == label) for label in LABELS}
    if sum(seen.values()) < SMALLEST_MASS:
        raise NoLabel("The model's first word is neither YES, NO nor UNKNOWN.")
    left = max(0.0, 1 - sum(p for _, p in masses))
    hidden = min(VARIANTS * min(p for _, p in masses), left)
    highest = {label: p or hidden for label, p in seen.items()}
    return {label: _renormalised(label, seen, highest) for label in LABELS}


def _first_word(positions: Sequence[Listed]) -> Mapping[str, float]:
    for listed in positions[:LEADING]:
        if listed and listed[0][0].strip(_WRAPPING):
            return {token: _checked(value) for token, value in listed if value > ABSENT or math.isnan(value)}
    raise NoLabel("The answer does not begin with a word.")


def _checked(value: float) -> float:
    if math.isnan(value) or value > 1e-6:
        raise Malformed(f"{value} is no log-probability.")
    return min(value, 0.0)


def _renormalised(label: str, seen: Mapping[str, float], highest: Mapping[str, float]) -> Interval:
    others_low = sum(p for other, p in seen.items() if other != label)
    others_high = sum(p for other, p in highest.items() if other != label)
    low = seen[label] / (seen[label] + others_high) if seen[label] else 0.0
    return low, highest[label] / (highest[label] + others_low)
