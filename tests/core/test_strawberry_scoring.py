"""The four scoring profiles against their reference values and their defining properties."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from detection.core.strawberry import SCORINGS, SIGNED, score
from detection.core.thresholds import DEFAULTS
from detection.core.types import Score
from tests.tables import each_case

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "strawberry_golden.json").read_text())
inside = st.floats(SIGNED, 1 - SIGNED)


def scored(case: dict, scoring: str) -> Score:
    return score(
        tuple(case["p1"]), tuple(case["p0"]), tuple(case["p_no"]),
        cited=case["cited"], target=case["target"], scoring=scoring, p_cited=case.get("p_cited"),
    )  # fmt: skip


def point(
    p1: float, p0: float, *, p_no: float = 0.0, cited: bool = True, target: float = 0.95, **more: Any
) -> Score:
    return score((p1, p1), (p0, p0), (p_no, p_no), cited=cited, target=target, **more)


def close(value: object) -> object:
    return pytest.approx(value, abs=1e-9)


@pytest.mark.requirement("GOV-04")
@each_case("case", GOLDEN["cases"])
def test_information_budget_has_its_reference_values(case: dict) -> None:
    expected, result = case["information_budget"], scored(case, "information_budget")
    assert result.finding == expected["finding"]
    assert result.required_bits == close(tuple(expected["required_bits"]))
    assert result.observed_bits == close(tuple(expected["observed_bits"]))


@each_case("case", GOLDEN["cases"])
def test_pythea_has_its_reference_values(case: dict) -> None:
    expected, result = case["pythea"], scored(case, "pythea")
    assert result.flagged == expected["flagged"]
    assert result.required_bits == close(tuple(expected["required_bits"]))
    assert result.observed_bits == close(tuple(expected["observed_bits"]))


@pytest.mark.requirement("SPEC-08.04")
@pytest.mark.requirement("SPEC-08.05")
@each_case("case", [case for case in GOLDEN["cases"] if "spec08" in case])
def test_spec08_has_its_reference_values(case: dict) -> None:
    expected, result = case["spec08"], scored(case, "spec08")
    assert result.flagged == expected["flagged"]
    assert result.required_bits == close((expected["required_bits"],) * 2)
    assert result.observed_bits == close((expected["observed_bits"],) * 2)
    assert result.required_bits[0] - result.observed_bits[0] == close(expected["budget_gap_bits"])
    assert result.confidence == close(expected["confidence"])


@pytest.mark.requirement("GOV-05")
@each_case("case", [case for case in GOLDEN["cases"] if "govil" in case])
def test_govil_has_its_reference_values(case: dict) -> None:
    expected, result = case["govil"], scored(case, "govil")
    assert result.grounded == expected["grounded"]
    assert result.confidence == close(expected["confidence"])
    assert result.required_bits == close((expected["shown_required_bits"],) * 2)
    assert result.observed_bits == close((expected["shown_observed_bits"],) * 2)


@given(inside, inside, inside)
def test_gap_is_positive_exactly_when_p1_misses_the_target(p1: float, p0: float, target: float) -> None:
    assume(abs(p1 - target) > 1e-6)
    result = point(p1, p0, target=target)
    assert (result.required_bits[0] > result.observed_bits[0]) == (p1 < target)


@given(inside, inside, inside, st.booleans())
def test_a_claim_under_its_target_is_never_supported(
    p1: float, p0: float, target: float, cited: bool
) -> None:
    assume(p1 < target - 1e-6)
    assert point(p1, p0, cited=cited, target=target).finding in {"unsupported", "borderline"}


@given(st.floats(0, 1), st.floats(0, 1), inside, st.booleans(), st.sampled_from(sorted(SCORINGS)))
def test_confidence_is_a_probability(p1: float, p0: float, target: float, cited: bool, scoring: str) -> None:
    confidence = point(p1, p0, cited=cited, target=target, scoring=scoring).confidence
    assert confidence is None or 0 <= confidence <= 1


def test_evidence_that_refutes_fails_though_its_plain_divergence_is_large() -> None:
    assert point(0.05, 0.9, scoring="spec08").flagged is False
    assert point(0.05, 0.9).finding == "unsupported"


def test_confidence_needs_no_bits_where_the_prior_already_reaches_the_target() -> None:
    assert point(0.97, 0.96).confidence == 1.0
    assert point(0.90, 0.96).confidence == pytest.approx(0.90)


def test_redundant_claim_without_a_probe_stays_uncertain() -> None:
    assert point(0.97, 0.96).finding == "uncertain"


def test_thresholds_move_the_findings() -> None:
    lax = DEFAULTS.changed(minimum_lift=0.0)
    assert point(0.97, 0.96, thresholds=lax).finding == "supported"
    strict = DEFAULTS.changed(govil_confidence=1.0)
    assert point(0.97, 0.1, scoring="govil", thresholds=strict).grounded is False


def test_unknown_profile_is_named() -> None:
    with pytest.raises(KeyError, match="astrology"):
        point(0.5, 0.5, scoring="astrology")
