"""Four ways to score one claim from the same p1 and p0 (GOV-04, GOV-05, SPEC-08.04…06).

p1 is how likely the claim is with its evidence, p0 without it, p_no how likely its opposite. All are
(lo, hi) intervals. Nothing here asks a verifier: a stored measurement is scored again at any time, one
claim or arrays of them (:mod:`detection.core.rules`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import nan
from operator import eq, ge, gt, lt

from detection.core.rules import PLAIN, Algebra, Column, Columns, Row, among, first, tuned
from detection.core.strawberry.information import (
    Ends,
    bits,
    corner_bits,
    kl,
    midpoint,
    signed_bits,
    signed_kl,
)
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Interval, Score, Status

NEGLIGIBLE = 1e-9
"""Bits below this are rounding, not information."""

STATUS: dict[str, Status] = {
    "contradicted": "contradicted",
    "supported": "supported",
    "supported_uncited": "supported",
    "supported_redundant": "supported",
    "borderline": "supported",
    "miscited": "unsupported",
    "unsupported": "unsupported",
    "uncertain": "unverified",
}
"""What each finding means for its statement; strict budgets call what is borderline unsupported."""
SEVERITY = {
    "contradicted": "severity_contradicted",
    "miscited": "severity_unsupported",
    "borderline": "severity_borderline",
    "uncertain": "severity_unverified",
}
"""The threshold that is a finding's share of risk."""
GAPS = (
    Row("severity_unsupported_high", ("gap", ge, "gap_high_bits")),
    Row("severity_unsupported", ("gap", ge, "gap_medium_bits")),
    Row("severity_unsupported", ("observed", lt, "half")),
)
"""That of an unsupported claim grows with the bits it lacks (SPEC-08.05). Where little was required the gap stays small even
for evidence that says nothing, so a claim that got less than half of what it needed is of medium severity at least."""

_REACHED = ("p1", ge, "target")
_USED = ("lift", ge, "minimum_lift")
BUDGET = (
    Row("contradicted", ("p_no", ge, "contradiction_probability")),
    Row("supported_uncited", _REACHED, ("cited", eq, False)),
    Row("supported", _REACHED, _USED),
    # true with and without its citations: said elsewhere too, or cited wrongly?
    Row("uncertain", _REACHED, ("lift_high", ge, "minimum_lift")),
    Row("supported_redundant", _REACHED, ("p_cited", ge, "target")),
    Row("miscited", _REACHED, ("p_cited", lt, "target")),
    Row("uncertain", _REACHED),
    Row("uncertain", ("p1_high", ge, "target")),
    Row("borderline", _USED, ("share", ge, "borderline_ratio")),
)
LACKING = (Row("unsupported", ("required", gt, "enough")),)
GROUNDED = (
    Row("supported", ("confidence", gt, "govil_confidence"), ("cited", eq, False)),
    Row("supported", ("confidence", gt, "govil_confidence"), ("use", gt, "govil_evidence_use")),
)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What the verifier believes of one claim; ``target`` is the confidence τ it must reach.

    ``p_cited`` is p1 with the cited chunks alone, None when it was not probed. The properties are what no target enters.
    """

    p1: Interval
    p0: Interval
    p_no: Interval
    cited: bool
    target: float
    p_cited: float | None = None

    @property
    def signed(self) -> Interval:
        """The signed bits that the evidence gave."""
        return signed_bits(self.p1, self.p0)

    @property
    def plain(self) -> Column:
        """KL(p1 ‖ p0) in bits, at the midpoints."""
        return bits(kl(midpoint(self.p1), midpoint(self.p0)))

    @property
    def corners(self) -> Interval:
        """The least and the most plain bits of the corners."""
        return corner_bits(self.p1, self.p0)

    @property
    def above_chance(self) -> Column:
        """KL(p1 ‖ ½) in bits, at the midpoint."""
        return bits(kl(midpoint(self.p1), 0.5))

    @property
    def use(self) -> Column:
        """How much the evidence was used, at the midpoints (GOV-05)."""
        return max(0.0, midpoint(self.p1) - midpoint(self.p0))

    @property
    def grounding(self) -> Column:
        """The confidence of GOV-05. An uncited claim keeps 0.7 of its probability above 0.7 and 0.4 of it below."""
        p1 = midpoint(self.p1)
        if self.cited:
            return min(1.0, self.use * 1.5 + (0.3 if p1 > 0.7 else 0.0))
        return p1 * (0.7 if p1 > 0.7 else 0.4)

    @property
    def justified(self) -> Column:
        """Observed over required bits at the midpoints, within [0, 1].

        Where nothing is required because p0 already reaches τ the ratio has no meaning; there it is 1 when
        p1 reaches τ as well, else p1 itself.
        """
        p1, p0 = midpoint(self.p1), midpoint(self.p0)
        required, observed = signed_kl(self.target, p0), signed_kl(p1, p0)
        if required <= NEGLIGIBLE:
            return 1.0 if p1 >= self.target else p1
        return min(max(observed / required, 0.0), 1.0)


def information_budget(beliefs: Beliefs, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Score:
    """The default: signed budgets over intervals, and evidence use as a test of its own."""
    required = signed_bits((beliefs.target, beliefs.target), beliefs.p0, algebra=algebra)
    told = {
        "p1": beliefs.p1[0],
        "p1_high": beliefs.p1[1],
        "p_no": beliefs.p_no[0],
        "p_cited": nan if beliefs.p_cited is None else beliefs.p_cited,
        "cited": beliefs.cited,
        "target": beliefs.target,
        "lift": beliefs.p1[0] - beliefs.p0[1],
        "lift_high": beliefs.p1[1] - beliefs.p0[0],
        "share": share_of(required, beliefs.signed, algebra),
    }
    finding = first(BUDGET, told, thresholds, "unsupported", WORDS, algebra)
    return Score(required, beliefs.signed, finding, confidence=beliefs.justified)


def share_of(required: Ends, observed: Ends, algebra: Algebra = PLAIN) -> Column:
    """Observed over required bits at the cautious ends, nan where none are required."""
    return observed[0] / algebra.where(required[0] > NEGLIGIBLE, required[0], nan)


def spec08(beliefs: Beliefs, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Score:
    """SPEC-08.04, .05 and .17 to the letter, at the midpoints."""
    p1, p0 = midpoint(beliefs.p1), midpoint(beliefs.p0)
    required, observed = bits(kl(beliefs.target, p0, algebra=algebra)), beliefs.plain
    told = {"required": required, "enough": observed + NEGLIGIBLE}
    finding = first(LACKING, told, thresholds, "supported", WORDS, algebra)
    needed = algebra.where(required > NEGLIGIBLE, required, nan)
    justified = algebra.where(required > NEGLIGIBLE, observed / needed, p1)
    confidence = algebra.least(beliefs.target, justified)
    flagged = among(finding, ("unsupported",))
    return Score((required, required), (observed, observed), finding, confidence, flagged)


def pythea(beliefs: Beliefs, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Score:
    """The original tool: flagged when even the best case observes too little.

    Its required pair is (at the upper end of p0, at the lower end), in that order even where p0 lies
    above τ and the first is the larger one.
    """
    ends = [bits(kl(beliefs.target, p0, algebra=algebra)) for p0 in (beliefs.p0[1], beliefs.p0[0])]
    told = {"required": ends[0], "enough": beliefs.corners[1]}
    finding = first(LACKING, told, thresholds, "supported", WORDS, algebra)
    flagged = among(finding, ("unsupported",))
    return Score((ends[0], ends[1]), beliefs.corners, finding, flagged=flagged)


def govil(beliefs: Beliefs, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Score:
    """The grounding score of GOV-05 at the midpoints, with the budgets that document shows: its required bits are
    KL(p1 ‖ p0) and its observed bits KL(p1 ‖ ½)."""
    told = {"use": beliefs.use, "confidence": beliefs.grounding, "cited": beliefs.cited}
    finding = first(GROUNDED, told, thresholds, "unsupported", WORDS, algebra)
    required, observed = beliefs.plain, beliefs.above_chance
    grounded = among(finding, ("supported",))
    return Score((required, required), (observed, observed), finding, beliefs.grounding, grounded=grounded)


WORDS = tuple(STATUS)
SCORINGS: Mapping[str, Callable[..., Score]] = {
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


def target_confidence(
    stated: Column, method: Column, thresholds: Thresholds, algebra: Algebra = PLAIN
) -> Column:
    """τ: the confidence ``stated``, the default where that is nan, capped by the verifier's method."""
    wanted = algebra.where(stated == stated, stated, thresholds.target_confidence)
    return algebra.least(wanted, algebra.by_word(method, thresholds.target_by_method, 1.0))


def statuses(thresholds: Thresholds) -> Mapping[str, Status]:
    """The status of each finding under ``thresholds``."""
    return {**STATUS, "borderline": "unsupported"} if thresholds.strict_budget else STATUS


def severity(found: Score, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Column:
    """A finding's share of risk, by :data:`SEVERITY` and :data:`GAPS`."""
    required, observed = midpoint(found.required_bits), midpoint(found.observed_bits)
    told: Columns = {"gap": required - observed, "observed": observed, "half": required / 2}
    by_gap = tuned(GAPS, told, thresholds, "severity_unsupported_low", algebra)
    table = {code: getattr(thresholds, name) for code, name in SEVERITY.items()}
    if thresholds.strict_budget:
        table["borderline"] = thresholds.severity_unsupported_low
    unsupported = among(found.finding, ("unsupported",))
    return algebra.where(unsupported, by_gap, algebra.by_word(found.finding, table))


def lacking_bits(found: Score, algebra: Algebra = PLAIN) -> Column:
    """The bits that a claim lacks, at the midpoints; what has more than it needs lacks none."""
    gap = midpoint(found.required_bits) - midpoint(found.observed_bits)
    return algebra.most(0.0, gap)
