"""Information between two Bernoulli beliefs: KL divergence, its signed form, and both over intervals.

Natural logarithms inside, base 2 (bits) for everything stored or shown. Sources: SPEC-08.06 for the
divergence; SPEC-08.04 and GOV-04 for the budgets built from it.
"""

import math

from detection.core.rules import PLAIN, Algebra, Column
from detection.core.types import Interval

Ends = tuple[Column, Column]
"""An interval, or arrays of its ends."""

EXACT = 1e-12
"""Clip of the profiles that follow their documents literally (GOV-04 gives this value)."""

SIGNED = 1e-4
"""Clip of the signed budget: a verifier's log-probabilities say nothing finer than this."""


def kl(a: Column, b: Column, epsilon: float = EXACT, algebra: Algebra = PLAIN) -> Column:
    """KL(Ber(a) ‖ Ber(b)) in nats (SPEC-08.06), both probabilities clipped to [ε, 1 − ε]."""
    a, b = (algebra.least(algebra.most(p, epsilon), 1 - epsilon) for p in (a, b))
    return a * algebra.log(a / b) + (1 - a) * algebra.log((1 - a) / (1 - b))


def signed_kl(a: Column, b: Column, epsilon: float = SIGNED, algebra: Algebra = PLAIN) -> Column:
    """KL(a ‖ b) in nats, negative where a < b.

    Divergence alone has no direction: evidence that refutes a claim would look as informative as
    evidence that supports it. With the sign, S(τ, p0) − S(p1, p0) > 0 exactly when p1 < τ.
    """
    return algebra.copysign(kl(a, b, epsilon, algebra), a - b)


def bits(nats: Column) -> Column:
    """Nats as bits."""
    return nats / math.log(2)


def signed_bits(a: Ends, b: Ends, epsilon: float = SIGNED, algebra: Algebra = PLAIN) -> Ends:
    """Bounds of the signed divergence, in bits, for a and b anywhere in their intervals.

    It grows with a and falls with b, so the two opposite corners are the bounds.
    """
    lowest, highest = (signed_kl(x, y, epsilon, algebra) for x, y in ((a[0], b[1]), (a[1], b[0])))
    return bits(lowest), bits(highest)


def corner_bits(a: Interval, b: Interval, epsilon: float = EXACT) -> Interval:
    """Smallest and largest plain divergence, in bits, among the four corners of the intervals.

    This is the rule of the original tool, not a bound: inside overlapping intervals the divergence can
    be smaller than at every corner.
    """
    corners = [bits(kl(x, y, epsilon)) for x in a for y in b]
    return min(corners), max(corners)


def midpoint(pair: Ends) -> Column:
    """The middle of an interval."""
    return (pair[0] + pair[1]) / 2
