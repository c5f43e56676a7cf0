"""Findings from stored probabilities: the rows of the table, targets, severities, the GovIL share."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.context import Context
from detection.core.strawberry import SCORINGS, decide, target_of
from detection.core.thresholds import DEFAULTS
from detection.core.types import Finding, LiftMeasured, StrawberryMeasurement
from tests.tables import each_case

probability = st.floats(0, 1)


def lift(p1: float, p0: float, p_no: float = 0.0, **more: Any) -> LiftMeasured:
    made = LiftMeasured(60, True, p1=(p1, p1), p0=(p0, p0), p_no=(p_no, p_no), method="logprobs")
    return replace(made, **more)


def found(measured: LiftMeasured, **thresholds: Any) -> Finding:
    return decide(
        StrawberryMeasurement({0: measured}), Context(thresholds=DEFAULTS.changed(**thresholds))
    ).findings[0]


@each_case(
    ("measured", "code", "status"),
    [
        (LiftMeasured(60, True, error="timeout"), "timeout", "unverified"),
        (lift(0.97, 0.1, p_no=0.5), "contradicted", "contradicted"),
        (lift(0.97, 0.1, cited=False), "supported_uncited", "supported"),
        (lift(0.97, 0.1), "supported", "supported"),
        (lift(0.97, 0.96, p_cited=0.96), "supported_redundant", "supported"),
        (lift(0.97, 0.96, p_cited=0.3), "miscited", "unsupported"),
        (lift(0.97, 0.96), "uncertain", "unverified"),
        (lift(0.92, 0.25), "borderline", "supported"),
        (lift(0.5, 0.25), "unsupported", "unsupported"),
        (replace(lift(0.95, 0.1), p1=(0.9, 0.99)), "uncertain", "unverified"),
    ],
)
@pytest.mark.requirement("SPEC-08.05")
def test_every_row_of_the_table(measured: LiftMeasured, code: str, status: str) -> None:
    finding = found(measured)
    assert (finding.code, finding.status) == (code, status)
    assert finding.reason.endswith(".")


def test_a_verifier_that_only_compares_words_says_so_where_it_calls_something_supported() -> None:
    assert "does not read" in found(lift(0.97, 0.1, method="local")).reason
    assert "does not read" not in found(lift(0.3, 0.25, method="local")).reason
    assert "does not read" not in found(lift(0.97, 0.1)).reason


def test_a_strict_profile_calls_borderline_unsupported() -> None:
    finding = found(lift(0.92, 0.25), strict_budget=True)
    assert (finding.code, finding.status) == ("borderline", "unsupported")
    assert finding.severity > found(lift(0.92, 0.25)).severity


@pytest.mark.requirement("SPEC-08.05")
def test_the_target_is_the_claims_confidence_then_the_answers_then_the_default() -> None:
    answer = StrawberryMeasurement({}, original_confidence=0.8)
    assert target_of(lift(0.5, 0.1, confidence=0.6), answer, DEFAULTS) == 0.6
    assert target_of(lift(0.5, 0.1), answer, DEFAULTS) == 0.8
    assert target_of(lift(0.5, 0.1), StrawberryMeasurement({}), DEFAULTS) == 0.95
    capped = DEFAULTS.changed(target_by_method={"logprobs": 0.55})
    assert target_of(lift(0.5, 0.1), answer, capped) == 0.55
    assert target_of(lift(0.5, 0.1, confidence=0.3), answer, capped) == 0.3


def test_severity_of_an_unsupported_claim_grows_with_what_it_lacks() -> None:
    nearly, half, wholly = (found(lift(p1, p0)).severity for p1, p0 in ((0.8, 0.2), (0.3, 0.25), (0.01, 0.0)))
    assert nearly == DEFAULTS.severity_unsupported_low
    assert half == DEFAULTS.severity_unsupported
    assert wholly == DEFAULTS.severity_unsupported_high


def test_a_supported_claim_carries_no_risk() -> None:
    assert found(lift(0.97, 0.1)).severity == 0.0


@pytest.mark.requirement("GOV-08")
def test_a_lower_minimum_finds_short_claims_not_measured() -> None:
    short = StrawberryMeasurement({0: LiftMeasured(8, False, error="not_measured")}, {0: "too_short"})
    assert decide(short, Context()).findings[0].code == "too_short"
    lowered = decide(short, Context(thresholds=DEFAULTS.changed(minimum_claim_length=5))).findings
    assert [(finding.status, finding.code) for finding in lowered] == [("unverified", "not_measured")]


def test_a_higher_minimum_puts_measured_claims_aside() -> None:
    finding = found(lift(0.3, 0.2), minimum_claim_length=100)
    assert (finding.status, finding.code, finding.severity) == ("not_checked", "too_short", 0.0)


def test_skipped_claims_are_not_checked_and_keep_their_place() -> None:
    measured = StrawberryMeasurement({1: lift(0.97, 0.1)}, {0: "question", 2: "claim_limit"})
    findings = decide(measured, Context()).findings
    assert [(finding.claim, finding.code) for finding in findings] == [
        (0, "question"),
        (1, "supported"),
        (2, "claim_limit"),
    ]
    assert findings[0].status == "not_checked"


@pytest.mark.requirement("GOV-06")
def test_an_answer_is_grounded_from_seventy_per_cent_of_its_claims() -> None:
    good, bad = lift(0.97, 0.1), lift(0.2, 0.2)
    seven = StrawberryMeasurement({i: good if i < 7 else bad for i in range(10)})
    six = StrawberryMeasurement({i: good if i < 6 else bad for i in range(10)})
    assert (decide(seven, Context()).overall_grounded, decide(seven, Context()).grounding_ratio) == (
        True,
        0.7,
    )
    assert decide(six, Context()).overall_grounded is False
    assert (
        decide(six, Context(thresholds=DEFAULTS.changed(govil_grounded_share=0.6))).overall_grounded is True
    )


def test_a_failed_claim_never_counts_as_grounded() -> None:
    measured = StrawberryMeasurement({0: LiftMeasured(60, True, error="timeout")})
    assert decide(measured, Context()).grounding_ratio == 0.0
    assert decide(StrawberryMeasurement({}), Context()).overall_grounded is True


@pytest.mark.requirement("GOV-06")
@pytest.mark.parametrize(("why", "grounded"), [("claim_limit", False), ("question", True)])
def test_an_answer_of_which_nothing_was_verified_for_the_limit_is_not_grounded(
    why: str, grounded: bool
) -> None:
    assert decide(StrawberryMeasurement({}, {0: why}), Context()).overall_grounded is grounded


@pytest.mark.requirement("GOV-05")
@pytest.mark.parametrize("scoring", sorted(SCORINGS))
def test_govil_scores_are_given_under_every_profile(scoring: str) -> None:
    decision = decide(StrawberryMeasurement({0: lift(0.92, 0.25)}), Context(scoring=scoring))
    assert decision.govil[0].grounded is True
    assert decision.govil[0].confidence == 1.0


def test_profiles_that_flag_say_so_in_their_finding() -> None:
    measured = StrawberryMeasurement({0: lift(0.92, 0.25)})
    statuses = {name: decide(measured, Context(scoring=name)).findings[0].status for name in SCORINGS}
    assert statuses == {
        "information_budget": "supported", "spec08": "unsupported", "pythea": "unsupported", "govil": "supported",
    }  # fmt: skip


@given(probability, probability, probability, st.booleans(), st.sampled_from(sorted(SCORINGS)))
def test_every_measurement_has_a_finding_with_a_reason(
    p1: float, p0: float, p_no: float, cited: bool, scoring: str
) -> None:
    measured = StrawberryMeasurement({3: lift(p1, p0, p_no, cited=cited, p_cited=p1)})
    finding = decide(measured, Context(scoring=scoring)).findings[0]
    assert finding.claim == 3
    assert finding.reason
    assert "{" not in finding.reason
    assert 0 <= finding.severity <= 1
