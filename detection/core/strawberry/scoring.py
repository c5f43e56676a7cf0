"""Four ways to score one claim from the same p1 and p0 (GOV-04, GOV-05, SPEC-08.04…06).

p1 is how likely the claim is with its evidence, p0 without it, p_no how likely its opposite. All are
(lo, hi) intervals. Nothing here asks a verifier: a stored measurement is scored again at any time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from detection.core.strawberry.information import bits, corner_bits, kl, midpoint, signed_bits, signed_kl
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Interval, Score

NEGLIGIBLE = 1e-9
"""Bits below this are rounding, not information."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What the verifier believes of one claim; ``target`` is the confidence τ it must reach.

    ``p_cited`` is p1 with the cited chunks alone, None when it was not probed.
    """

    p1: Interval
    p0: Interval
    p_no: Interval
    cited: bool
    target: float
    p_cited: float | None = None

    @property
    def lift(self) -> Interval:
        """Smallest and largest p1 − p0: how much the evidence was used."""
        return self.p1[0] - self.p0[1], self.p1[1] - self.p0[0]


def information_budget(beliefs: Beliefs, thresholds: Thresholds) -> Score:
    """The default: signed budgets over intervals, and evidence use as a test of its own."""
    required = signed_bits((beliefs.target, beliefs.target), beliefs.p0)
    observed = signed_bits(beliefs.p1, beliefs.p0)
    finding = _finding(beliefs, required, observed, thresholds)
    return Score(required, observed, finding, confidence=_justified(beliefs))


def _finding(beliefs: Beliefs, required: Interval, observed: Interval, thresholds: Thresholds) -> str:
    used = beliefs.lift[0] >= thresholds.minimum_lift
    if beliefs.p_no[0] >= thresholds.contradiction_probability:
        return "contradicted"
    if beliefs.p1[0] >= beliefs.target:
        if not beliefs.cited:
            return "supported_uncited"
        return "supported" if used else _without_lift(beliefs, thresholds)
    if beliefs.p1[1] >= beliefs.target:
        return "uncertain"
    if used and required[0] > NEGLIGIBLE and observed[0] / required[0] >= thresholds.borderline_ratio:
        return "borderline"
    return "unsupported"


def _without_lift(beliefs: Beliefs, thresholds: Thresholds) -> str:
    """A claim that is true with and without its citations: said elsewhere too, or cited wrongly?"""
    if beliefs.lift[1] >= thresholds.minimum_lift or beliefs.p_cited is None:
        return "uncertain"
    return "supported_redundant" if beliefs.p_cited >= beliefs.target else "miscited"


def _justified(beliefs: Beliefs) -> float:
    """Observed over required bits at the midpoints, within [0, 1].

    Where nothing is required because p0 already reaches τ the ratio has no meaning; there it is 1 when
    p1 reaches τ as well, else p1 itself.
    """
    p1, p0 = midpoint(beliefs.p1), midpoint(beliefs.p0)
    required, observed = signed_kl(beliefs.target, p0), signed_kl(p1, p0)
    if required <= NEGLIGIBLE:
        return 1.0 if p1 >= beliefs.target else p1
    return min(max(observed / required, 0.0), 1.0)


def spec08(beliefs: Beliefs, thresholds: Thresholds) -> Score:
    """SPEC-08.04, .05 and .17 to the letter, at the midpoints."""
    p1, p0 = midpoint(beliefs.p1), midpoint(beliefs.p0)
    required, observed = bits(kl(beliefs.target, p0)), bits(kl(p1, p0))
    flagged = required > observed + NEGLIGIBLE
    justified = p1 if required <= NEGLIGIBLE else observed / required
    confidence = min(beliefs.target, justified)
    return Score((required, required), (observed, observed), _word(not flagged), confidence, flagged)


def pythea(beliefs: Beliefs, thresholds: Thresholds) -> Score:
    """The original tool: flagged when even the best case observes too little.

    Its required pair is (at the upper end of p0, at the lower end), in that order even where p0 lies
    above τ and the first is the larger one.
    """
    ends = [bits(kl(beliefs.target, p0)) for p0 in (beliefs.p0[1], beliefs.p0[0])]
    observed = corner_bits(beliefs.p1, beliefs.p0)
    flagged = ends[0] > observed[1]
    return Score((ends[0], ends[1]), observed, _word(not flagged), flagged=flagged)


def govil(beliefs: Beliefs, thresholds: Thresholds) -> Score:
    """The grounding score of GOV-05 at the midpoints, with the budgets that document shows.

    Its required bits are KL(p1 ‖ p0) and its observed bits KL(p1 ‖ ½). An uncited claim keeps 0.7 of
    its probability above 0.7 and 0.4 of it below.
    """
    p1, p0 = midpoint(beliefs.p1), midpoint(beliefs.p0)
    use = max(0.0, p1 - p0)
    if beliefs.cited:
        confidence = min(1.0, use * 1.5 + (0.3 if p1 > 0.7 else 0.0))
    else:
        confidence = p1 * (0.7 if p1 > 0.7 else 0.4)
    used = use > thresholds.govil_evidence_use or not beliefs.cited
    grounded = used and confidence > thresholds.govil_confidence
    required, observed = bits(kl(p1, p0)), bits(kl(p1, 0.5))
    return Score((required, required), (observed, observed), _word(grounded), confidence, grounded=grounded)


def _word(supported: bool) -> str:
    return "supported" if supported else "unsupported"


SCORINGS: Mapping[str, Callable[[Beliefs, Thresholds], Score]] = {
    "information_budget": information_budget,
    "spec08": spec08,
    "pythea": pythea,
    "govil": govil,
}


def score(
    p1: Interval,
    p0: Interval,
    p_no: Interval,
    *,
    cited: bool,
    target: float,
    scoring: str = "information_budget",
    p_cited: float | None = None,
    thresholds: Thresholds = DEFAULTS,
) -> Score:
    """Score one claim under a profile; an unknown ``scoring`` is a KeyError naming it."""
    return SCORINGS[scoring](Beliefs(p1, p0, p_no, cited, target, p_cited), thresholds)
