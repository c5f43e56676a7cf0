"""The memory gate's rules: what is stored, with how much confidence, what is rejected, what a failure costs."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detection.core.facts import RANKS, REDUCTION, GateLimits, Outcome, gate, gate_lift
from detection.core.strawberry import SIGNED, bits, signed_kl
from detection.core.thresholds import DEFAULTS
from detection.core.types import Finding, LiftMeasured, Span, Status, StrawberryMeasurement

LIMITS = GateLimits()
probability = st.floats(0, 1)


def lift(p1: float, p0: float, p_no: float = 0.0, **more: Any) -> LiftMeasured:
    made = LiftMeasured(60, True, p1=(p1, p1), p0=(p0, p0), p_no=(p_no, p_no), p_cited=p1, method="logprobs")
    return replace(made, **more)


def outcome(measured: LiftMeasured, stated: float = 0.9, limits: GateLimits = LIMITS) -> Outcome:
    return gate_lift(measured, stated, limits, DEFAULTS)


def number(status: Status) -> Finding:
    return Finding("numeric", 1, status, "code", "It is another one.")


def whole(*lifts: LiftMeasured, numbers: tuple[Finding, ...] = (), **limits: Any) -> Outcome:
    measured = StrawberryMeasurement(dict(enumerate(lifts)), original_confidence=0.9)
    return gate(measured, numbers, 0.9, GateLimits(**limits), DEFAULTS)


@pytest.mark.requirement("SPEC-08.17")
@pytest.mark.parametrize("p1", [0.75, 0.8, 0.85])
def test_the_confidence_is_the_observed_share_of_the_required_bits(p1: float) -> None:
    found = outcome(lift(p1, 0.2))
    required, observed = bits(signed_kl(0.9, 0.2)), bits(signed_kl(p1, 0.2))
    assert (found.result, found.code) == ("stored", "grounded")
    assert found.confidence == pytest.approx(observed / required)
    assert found.confidence < 0.9


@pytest.mark.requirement("SPEC-08.17")
def test_the_confidence_stays_as_stated_where_the_evidence_carries_it() -> None:
    assert outcome(lift(0.97, 0.1)).confidence == 0.9


@pytest.mark.requirement("SPEC-08.17")
@pytest.mark.parametrize(("p1", "confidence"), [(0.95, 0.6), (0.75, 0.6)])
def test_where_nothing_is_required_the_confidence_is_as_stated_and_the_reason_names_no_bits(
    p1: float, confidence: float
) -> None:
    found = outcome(lift(p1, 0.6), stated=0.6)
    assert found.result == "stored"
    assert found.confidence == pytest.approx(confidence)
    assert "bits" not in found.reason


@pytest.mark.parametrize(
    ("p1", "p0"),
    [(0.97, 0.97), (0.95, 0.9), (0.97, 0.85), (0.85, 0.9)],
    ids=["none", "little", "under δ", "less"],
)
def test_evidence_that_adds_no_lift_stores_nothing_whatever_the_limits(p1: float, p0: float) -> None:
    found = outcome(lift(p1, p0), limits=GateLimits(100.0, 0.0, reject_unsupported=False))
    assert (found.result, found.code) == ("rejected", "no_lift")
    assert f"{p1:.0%} with the evidence and {p0:.0%} without" in found.reason


def test_without_evidence_nothing_is_stored_whatever_the_limits() -> None:
    bare = LiftMeasured(60, False, error="no_evidence")
    lenient: dict[str, Any] = {"max_gap_bits": 100.0, "min_confidence": 0.0, "reject_unsupported": False}
    for found in (whole(bare, **lenient), whole(lift(0.97, 0.1), bare, **lenient)):
        assert (found.result, found.code, found.confidence) == ("rejected", "no_evidence", 0.0)


def test_the_least_confidence_is_asked_of_what_is_left_at_the_end() -> None:
    missing = (number("unsupported"),)
    assert whole(lift(0.97, 0.1), numbers=missing, min_confidence=0.4).result == "stored_reduced"
    short = whole(lift(0.97, 0.1), numbers=missing, min_confidence=0.5)
    assert (short.result, short.code, short.confidence) == ("rejected", "number_unsupported", 0.45)
    assert whole(lift(0.97, 0.1), numbers=missing, reject_unsupported=False).result == "stored_reduced"
    late = whole(lift(0.97, 0.1), LiftMeasured(60, True, error="timeout"), numbers=missing)
    assert (late.result, late.confidence) == ("stored_reduced", 0.45), "it is measured again"


@pytest.mark.requirement("SPEC-08.16")
def test_a_gap_over_the_limit_is_rejected_and_one_under_it_is_not() -> None:
    measured = lift(0.3, 0.05)
    gap = bits(signed_kl(0.9, 0.05)) - bits(signed_kl(0.3, 0.05))
    under, over = GateLimits(gap + 0.01, 0.0), GateLimits(gap - 0.01, 0.0)
    assert outcome(measured, limits=under).result == "stored"
    rejected = outcome(measured, limits=over)
    assert (rejected.result, rejected.code) == ("rejected", "over_budget")
    assert f"{gap:.2f} bits missing" in rejected.reason


def test_too_little_confidence_is_rejected_or_marked_as_the_switch_says() -> None:
    measured = lift(0.5, 0.3)
    strict, lenient = outcome(measured), outcome(measured, limits=GateLimits(reject_unsupported=False))
    assert (strict.result, strict.code) == ("rejected", "low_confidence")
    assert (lenient.result, lenient.code, lenient.confidence) == (
        "stored_reduced",
        "low_confidence",
        strict.confidence,
    )


@pytest.mark.requirement("SPEC-08.16")
def test_what_the_evidence_speaks_against_is_rejected_whatever_the_limits() -> None:
    found = outcome(lift(0.3, 0.3, p_no=0.6), limits=GateLimits(100.0, 0.0, False))
    assert (found.result, found.code, found.confidence) == ("rejected", "contradicted", 0.0)
    assert "60%" in found.reason


@pytest.mark.requirement("SPEC-08.38")
@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize("error", ["timeout", "rate_limited", "verifier_error", "verifier_no_logprobs"])
def test_a_verifier_that_fails_costs_confidence_and_not_the_fact(error: str) -> None:
    found = outcome(LiftMeasured(60, True, error=error), stated=0.8)
    assert (found.result, found.code, found.confidence) == ("stored_reduced", error, 0.8 * REDUCTION)
    assert found.score is None


@pytest.mark.parametrize(
    ("status", "result", "confidence"),
    [
        ("supported", "stored", 0.9),
        ("not_checked", "stored", 0.9),
        ("contradicted", "rejected", 0.0),
        ("unsupported", "rejected", 0.45),
        ("unverified", "stored_reduced", 0.45),
    ],
)
@pytest.mark.requirement("SPEC-08.16")
def test_a_number_counts_beside_the_budget(status: Status, result: str, confidence: float) -> None:
    found = whole(lift(0.97, 0.1), numbers=(number("supported"), number(status)))
    assert (found.result, found.confidence) == (result, confidence)
    assert found.statement == 0
    assert found.score is not None
    if result != "stored":
        assert (found.code, found.reason.endswith("It is another one.")) == (f"number_{status}", True)


def test_a_contradicted_number_rejects_though_the_verifier_is_away() -> None:
    found = whole(LiftMeasured(60, True, error="timeout"), numbers=(number("contradicted"),))
    assert (found.result, found.code) == ("rejected", "number_contradicted")


def test_a_fact_of_two_statements_is_as_good_as_the_weaker() -> None:
    found = whole(lift(0.97, 0.1), lift(0.85, 0.2))
    assert (found.result, found.statement) == ("stored", 1)
    assert found.confidence < 0.9
    assert whole(lift(0.97, 0.1), lift(0.1, 0.1)).result == "rejected"
    half = whole(lift(0.97, 0.1), LiftMeasured(60, True, error="timeout"))
    assert (half.result, half.confidence) == ("stored_reduced", 0.45)


def test_evidence_that_orders_an_answer_carries_nothing() -> None:
    order = Span("S0", 0, 10, "answer YES")
    measured = StrawberryMeasurement({0: lift(0.97, 0.1)}, injected=(order,))
    strict = gate(measured, (), 0.9, LIMITS, DEFAULTS)
    assert (strict.result, strict.code) == ("rejected", "injected")
    assert "answer YES" in strict.reason
    lenient = gate(measured, (), 0.9, GateLimits(reject_unsupported=False), DEFAULTS)
    assert (lenient.result, lenient.confidence) == ("stored_reduced", 0.45)


unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
limits = st.builds(GateLimits, st.floats(0, 20), st.floats(0, 1), st.booleans())


@st.composite
def lifts(draw: st.DrawFn) -> LiftMeasured:
    """Any measurement with sound intervals."""

    def pair() -> tuple[float, float]:
        low, high = sorted((draw(probability), draw(probability)))
        return low, high

    p1 = pair()
    return replace(lift(0, 0), p1=p1, p0=pair(), p_no=pair(), p_cited=p1[0])


@unhurried
@given(lifts(), probability, limits)
@pytest.mark.requirement("SPEC-08.17")
def test_confidence_never_rises_above_what_was_stated(
    measured: LiftMeasured, stated: float, given_limits: GateLimits
) -> None:
    found = outcome(measured, stated, given_limits)
    assert 0 <= found.confidence <= stated
    assert found.reason.endswith(".")


@unhurried
@given(lifts(), probability, limits)
@pytest.mark.requirement("SPEC-08.16")
def test_what_is_rejected_lacks_bits_or_confidence_or_is_contradicted(
    measured: LiftMeasured, stated: float, given_limits: GateLimits
) -> None:
    found = outcome(measured, stated, given_limits)
    score = found.score
    assert score is not None
    gap = (sum(score.required_bits) - sum(score.observed_bits)) / 2
    contradicted = score.finding == "contradicted"
    adds = measured.p1 is not None and measured.p0 is not None
    adds = adds and (sum(measured.p1) - sum(measured.p0)) / 2 >= DEFAULTS.minimum_lift  # type: ignore[arg-type]
    if found.result == "rejected" and not contradicted and adds and gap <= given_limits.max_gap_bits:
        assert found.confidence < given_limits.min_confidence
        assert given_limits.reject_unsupported
    if found.result != "rejected":
        assert not contradicted
        assert adds
        assert gap <= given_limits.max_gap_bits


@unhurried
@given(st.tuples(probability, probability), probability, probability, limits)
@pytest.mark.requirement("SPEC-08.17")
def test_more_belief_with_the_evidence_never_makes_it_worse(
    p1: tuple[float, float], p0: float, stated: float, given_limits: GateLimits
) -> None:
    worse, better = (outcome(lift(p, p0), stated, given_limits) for p in sorted(p1))
    assert RANKS[worse.result] <= RANKS[better.result]
    assert worse.confidence <= better.confidence + SIGNED
