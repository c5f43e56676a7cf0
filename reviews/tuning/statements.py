"""The findings of statements under other thresholds and scorings, for all of them at once (contracts §4).

Each function has its model in :mod:`detection.core.strawberry.scoring` or :mod:`detection.core.strawberry` and decides the same.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from detection.core.strawberry import EXACT, NEGLIGIBLE, SIGNED, STATUS
from detection.core.thresholds import Thresholds
from reviews.tuning.codes import CODE, CODES, NOT_CHECKED, STATUSES, UNSUPPORTED, UNVERIFIED
from reviews.tuning.columns import Array, Columns, Table


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of all statements that were measured: finding codes and budgets in bits, nan where the verifier gave
    nothing usable."""

    code: Array
    required: tuple[Array, Array]
    observed: tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class Statements:
    """One finding for each row of ``lifts``: status, code and severity; ``lacking`` is the budget gap in bits, nan where
    there is no score."""

    status: Array
    code: Array
    severity: Array
    lacking: Array


def targets(thresholds: Thresholds, columns: Columns) -> Array:
    """τ of each statement (:func:`detection.core.strawberry.target_of`)."""
    lifts = columns.tables["lifts"]
    caps = [thresholds.target_by_method.get(method, 1.0) for method in columns.names["method"]]
    target = np.where(np.isnan(lifts["stated"]), thresholds.target_confidence, lifts["stated"])
    capped: Array = np.minimum(target, np.array([*caps, 1.0])[lifts["method"]])
    return capped


def information_budget(thresholds: Thresholds, lifts: Table, target: Array) -> Scores:
    """Signed budgets over intervals, and evidence use as a test of its own."""
    required = signed_bits(target, lifts["p0_high"]), signed_bits(target, lifts["p0_low"])
    observed = lifts["signed_low"], lifts["signed_high"]
    used = lifts["p1_low"] - lifts["p0_high"] >= thresholds.minimum_lift
    maybe_used = lifts["p1_high"] - lifts["p0_low"] >= thresholds.minimum_lift
    reached = lifts["p1_low"] >= target
    unprobed = np.isnan(lifts["p_cited"])
    with np.errstate(divide="ignore", invalid="ignore"):
        near = (required[0] > NEGLIGIBLE) & (observed[0] / required[0] >= thresholds.borderline_ratio)
    code = _first_of(
        ("contradicted", lifts["no_low"] >= thresholds.contradiction_probability),
        ("supported_uncited", reached & ~lifts["cited"]),
        ("supported", reached & used),
        ("uncertain", reached & (maybe_used | unprobed)),
        ("supported_redundant", reached & (lifts["p_cited"] >= target)),
        ("miscited", reached),
        ("uncertain", lifts["p1_high"] >= target),
        ("borderline", used & near),
        otherwise="unsupported",
    )
    return Scores(code, required, observed)


def spec08(_thresholds: Thresholds, lifts: Table, target: Array) -> Scores:
    """SPEC-08.04, .05 and .17 to the letter, at the midpoints."""
    required, observed = plain_bits(target, (lifts["p0_low"] + lifts["p0_high"]) / 2), lifts["middle"]
    code = _first_of(("unsupported", required > observed + NEGLIGIBLE), otherwise="supported")
    return Scores(code, (required, required), (observed, observed))


def pythea(_thresholds: Thresholds, lifts: Table, target: Array) -> Scores:
    """The original tool: flagged when even the best case observes too little."""
    required = plain_bits(target, lifts["p0_high"]), plain_bits(target, lifts["p0_low"])
    observed = lifts["corner_low"], lifts["corner_high"]
    code = _first_of(("unsupported", required[0] > observed[1]), otherwise="supported")
    return Scores(code, required, observed)


def govil(thresholds: Thresholds, lifts: Table, _target: Array) -> Scores:
    """The grounding score of GOV-05."""
    used = (lifts["govil_use"] > thresholds.govil_evidence_use) | ~lifts["cited"]
    grounded = used & (lifts["govil_confidence"] > thresholds.govil_confidence)
    code = _first_of(("supported", grounded), otherwise="unsupported")
    required, observed = lifts["govil_required"], lifts["govil_observed"]
    return Scores(code, (required, required), (observed, observed))


SCORINGS: Mapping[str, Callable[[Thresholds, Table, Array], Scores]] = {
    "information_budget": information_budget,
    "spec08": spec08,
    "pythea": pythea,
    "govil": govil,
}


def scored(thresholds: Thresholds, columns: Columns, target: Array, scoring: str) -> Scores:
    """All statements under a scoring; an unknown one is a KeyError naming it."""
    return SCORINGS[scoring](thresholds, columns.tables["lifts"], target)


def decide_statements(thresholds: Thresholds, columns: Columns, scores: Scores) -> Statements:
    """What :func:`detection.core.strawberry.decide` finds of the statements that have an entry."""
    lifts = columns.tables["lifts"]
    short = lifts["length"] < thresholds.minimum_claim_length
    unusable = ~lifts["usable"]
    code = np.where(unusable, lifts["error"], scores.code)
    status = _STATUS[code]
    if thresholds.strict_budget:
        status[code == CODE["borderline"]] = UNSUPPORTED
    severity = _severities(thresholds, scores)
    status[unusable], severity[unusable] = UNVERIFIED, thresholds.severity_unverified
    code[short], status[short], severity[short] = CODE["too_short"], NOT_CHECKED, 0.0
    gap = np.maximum(0.0, _middle(scores.required) - _middle(scores.observed))
    return Statements(status, code, severity, np.where(short | unusable, np.nan, gap))


_STATUS = np.array([STATUSES.index(STATUS.get(code, "unverified")) for code in CODES], np.int8)


def _severities(thresholds: Thresholds, scores: Scores) -> Array:
    """Each finding's share of risk; an unsupported claim's grows with the bits it lacks (SPEC-08.05)."""
    lightly = thresholds.severity_unsupported_low
    by_code = np.zeros(len(CODES))
    by_code[CODE["contradicted"]] = thresholds.severity_contradicted
    by_code[CODE["miscited"]] = thresholds.severity_unsupported
    by_code[CODE["borderline"]] = lightly if thresholds.strict_budget else thresholds.severity_borderline
    by_code[CODE["uncertain"]] = thresholds.severity_unverified
    required, observed = _middle(scores.required), _middle(scores.observed)
    medium = (required - observed >= thresholds.gap_medium_bits) | (observed < required / 2)
    lacking = np.where(medium, float(thresholds.severity_unsupported), float(lightly))
    lacking[required - observed >= thresholds.gap_high_bits] = thresholds.severity_unsupported_high
    return np.where(scores.code == CODE["unsupported"], lacking, by_code[scores.code])


def signed_bits(a: Array, b: Array) -> Array:
    """The signed divergence of two probabilities in bits, negative where a < b."""
    signed: Array = np.copysign(_kl(a, b, SIGNED), a - b) / math.log(2)
    return signed


def plain_bits(a: Array, b: Array) -> Array:
    """KL(Ber(a) ‖ Ber(b)) in bits (SPEC-08.06)."""
    return _kl(a, b, EXACT) / math.log(2)


def _kl(a: Array, b: Array, epsilon: float) -> Array:
    a, b = (np.minimum(np.maximum(p, epsilon), 1 - epsilon) for p in (a, b))
    nats: Array = a * _log(a / b) + (1 - a) * _log((1 - a) / (1 - b))
    return nats


def _log(values: Array) -> Array:
    """The logarithm that the core uses: NumPy's may differ in the last bit, and a tie would then be decided otherwise."""
    return np.fromiter(map(math.log, values.tolist()), float, len(values))


def _middle(pair: tuple[Array, Array]) -> Array:
    return (pair[0] + pair[1]) / 2


def _first_of(*rows: tuple[str, Array], otherwise: str) -> Array:
    """The code of the first row that holds."""
    held = [holds for _, holds in rows]
    codes = [np.int8(CODE[code]) for code, _ in rows]
    return np.select(held, codes, np.int8(CODE[otherwise]))
