"""The Python face: the documents' signatures over the one core."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection

from detection import toolkit
from detection.models import Answer, DetectionRun, FinancialMetrics, FinancialPeriod, ThresholdProfile
from detection.runs import steps
from reviews.models import HallucinationReview
from reviews.toolkit import HallucinationDetector

pytestmark = pytest.mark.django_db
NUM_09 = {
    "has_hallucinations", "claims", "flagged_claims", "verification_time_ms", "confidence_adjustment", "total_claims",
    "verified_claims", "unverified_claims",
}  # fmt: skip
COUNTS = (
    "has_hallucinations",
    "total_claims",
    "verified_claims",
    "unverified_claims",
    "confidence_adjustment",
)


@pytest.fixture
def quarter(make_period: Callable[..., FinancialPeriod]) -> FinancialPeriod:
    period = make_period("OAK", "Q3 2024")
    period.refresh_from_db()
    FinancialMetrics.objects.create(period=period, net_operating_income=Decimal("1234567.89"))
    return period


def detect(answer: str | None, quarter: FinancialPeriod | None = None, **given: Any) -> dict[str, Any]:
    about: dict[str, Any] = {"property_id": quarter.property_id, "period_id": quarter.pk} if quarter else {}
    return toolkit.Detector().detect_hallucinations(answer, **about, **given)


@pytest.mark.requirement("NUM-09")
def test_the_documents_first_example(quarter: FinancialPeriod) -> None:
    """Example 1: simple currency verification."""
    detector = HallucinationDetector(db=connection)
    answer = "The NOI was $1,234,567.89 for Q3 2024."
    result = detector.detect_hallucinations(
        answer=answer, property_id=quarter.property_id, period_id=quarter.pk
    )
    assert set(result) == NUM_09
    assert result["verification_time_ms"] > 0
    assert {key: result[key] for key in COUNTS} == {
        "has_hallucinations": False,
        "total_claims": 2,
        "verified_claims": 2,
        "unverified_claims": 0,
        "confidence_adjustment": 0.0,
    }
    assert result["flagged_claims"] == []
    assert detector.adjust_confidence(original_confidence=0.95, detection_result=result) == 0.95


@pytest.mark.requirement("NUM-09")
def test_the_documents_second_example(quarter: FinancialPeriod) -> None:
    """Example 2: an unverified claim."""
    detector = HallucinationDetector(db=connection)
    answer = "The NOI was $9,999,999.99 for Q3 2024."
    result = detector.detect_hallucinations(
        answer=answer, property_id=quarter.property_id, period_id=quarter.pk
    )
    shown = ("claim_type", "value", "original_text")
    assert {key: result[key] for key in COUNTS} == {
        "has_hallucinations": True,
        "total_claims": 2,
        "verified_claims": 1,
        "unverified_claims": 1,
        "confidence_adjustment": -0.20,
    }
    assert [{key: row[key] for key in shown} for row in result["flagged_claims"]] == [
        {"claim_type": "currency", "value": 9999999.99, "original_text": "$9,999,999.99"}
    ]
    assert [(row["claim_type"], row["value"]) for row in result["claims"]] == [
        ("currency", 9999999.99),
        ("date", "2024-Q3"),
    ]
    assert detector.adjust_confidence(original_confidence=0.95, detection_result=result) == 0.76


@pytest.mark.requirement("NUM-06")
def test_the_documents_third_example() -> None:
    """Example 3: with document sources."""
    chunks = [{"chunk_text": "The net operating income was $1,234,567.89", "chunk_id": 1}]
    detector = HallucinationDetector(db=connection)
    result = detector.detect_hallucinations(answer="The NOI was $1,234,567.89", sources=chunks)
    assert (result["has_hallucinations"], result["total_claims"], result["verified_claims"]) == (False, 1, 1)


def test_an_answer_that_is_no_text_is_refused() -> None:
    given: Any = 5
    with pytest.raises(ValueError, match="answer: give a text"):
        detect(given)


@pytest.mark.requirement("NUM-12")
@pytest.mark.parametrize("answer", ["", None, "  "])
def test_an_empty_answer_has_no_claims(answer: str | None) -> None:
    result = detect(answer)
    assert (result["has_hallucinations"], result["total_claims"]) == (False, 0)


@pytest.mark.postgres
@pytest.mark.requirement("NUM-12")
def test_a_database_that_is_away_gives_an_error_and_never_an_exception(
    quarter: FinancialPeriod,
) -> None:
    def away(*_query: object) -> Any:
        raise OperationalError("gone")

    answer = "The NOI was $9,999,999.99. The roof cost $5,000."
    with connection.execute_wrapper(away):
        result = detect(answer, quarter, sources=[{"id": "S0", "text": "The roof cost $5,000."}])
    assert set(result) == NUM_09 | {"error"}
    assert result["error"] == "The financial database could not be read."
    assert [row["status"] for row in result["claims"]] == ["unverified", "supported"]
    assert (result["has_hallucinations"], result["unverified_claims"]) == (True, 1)


@pytest.mark.postgres
@pytest.mark.requirement("NUM-12")
def test_confidence_is_adjusted_by_the_default_while_the_database_is_away() -> None:
    def away(*_query: object) -> Any:
        raise OperationalError("gone")

    with connection.execute_wrapper(away):
        assert toolkit.Detector().adjust_confidence(0.95, {"unverified_claims": 1}) == 0.76


@pytest.mark.requirement("NUM-13")
def test_numbers_not_reached_in_time_are_logged_and_unverified(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(steps, "deadline_of", lambda _name, _thresholds, **_large: lambda: True)
    result = detect("The NOI was $9,999,999.99. The roof cost $5,000.")
    assert [row["finding"] for row in result["claims"]] == ["timeout", "timeout"]
    assert result["unverified_claims"] == 2
    assert "detector_report detector=numeric status=timeout" in caplog.text


@pytest.mark.requirement("NUM-14")
def test_every_repeat_of_a_number_is_a_claim_and_found_the_same() -> None:
    chunks = [{"chunk_id": n, "chunk_text": f"Note {n}: the roof cost $5,000."} for n in range(3)]
    once = detect("The roof cost $5,000.", sources=chunks)
    often = detect("The roof cost $5,000. " * 50, sources=chunks)
    assert (once["total_claims"], often["total_claims"], often["verified_claims"]) == (1, 50, 50)


def test_an_unknown_property_is_named() -> None:
    with pytest.raises(ValueError, match="property_id: there is no row with id 99"):
        toolkit.Detector().detect_hallucinations("NOI was $1.", property_id=99)


@pytest.mark.requirement("NUM-10")
@pytest.mark.parametrize(("unverified", "adjusted"), [(0, 0.95), (1, 0.76), (5, 0.76)])
def test_confidence_is_adjusted_by_a_fifth(unverified: int, adjusted: float) -> None:
    assert toolkit.Detector().adjust_confidence(0.95, {"unverified_claims": unverified}) == adjusted


@pytest.mark.requirement("NUM-11")
def test_a_flagged_answer_gets_a_review_tied_to_its_context(quarter: FinancialPeriod, viewer: User) -> None:
    detector = HallucinationDetector()
    answer = "The NOI was $9,999,999.99 for Q3 2024."
    result = detector.detect_hallucinations(answer, property_id=quarter.property_id, period_id=quarter.pk)
    review = detector.flag_for_review(123, viewer.pk, answer, 0.95, result, quarter.property_id, quarter.pk)
    assert review is not None
    assert (review.answer.query.external_id, review.user, review.period) == ("123", viewer, quarter)
    assert (review.original_confidence, review.automatic_confidence) == (0.95, 0.76)


@pytest.mark.requirement("NUM-11")
def test_a_review_rests_on_the_sources_that_were_detected_with(quarter: FinancialPeriod) -> None:
    detector = HallucinationDetector()
    answer = "The NOI was $9,999,999.99. The roof cost $5,000."
    chunks = [{"chunk_id": 1, "chunk_text": "The roof cost $5,000."}]
    place = {"property_id": quarter.property_id, "period_id": quarter.pk}
    result = detector.detect_hallucinations(answer, sources=chunks, **place)
    review = detector.flag_for_review(7, None, answer, 0.95, result, **place, sources=chunks)
    assert review is not None
    assert [claim.text for claim in review.to_decide()] == ["$9,999,999.99"]


@pytest.mark.requirement("NUM-11")
@pytest.mark.parametrize(
    ("switches", "flagged"),
    [({}, True), ({"review_queue_enabled": False}, False), ({"auto_flag_unverified": False}, False)],
)
def test_two_switches_say_whether_an_unverified_answer_is_flagged(
    quarter: FinancialPeriod, switches: dict[str, bool], flagged: bool
) -> None:
    """The roof's cost stands nowhere: doubtful, and no high risk."""
    profile = ThresholdProfile.draft({"base": switches})
    profile.activate()
    detector = HallucinationDetector()
    result = detector.detect_hallucinations("The roof cost $5,000.")
    assert result["has_hallucinations"]
    review = detector.flag_for_review(5, None, "The roof cost $5,000.", 0.9, result)
    assert (review is not None) == flagged


@pytest.mark.requirement("NUM-11")
def test_an_answer_with_nothing_to_flag_gets_none(quarter: FinancialPeriod) -> None:
    detector = HallucinationDetector()
    answer = "The NOI was $1,234,567.89 for Q3 2024."
    result = detector.detect_hallucinations(answer, property_id=quarter.property_id, period_id=quarter.pk)
    assert detector.flag_for_review(1, None, answer, 0.9, result) is None
    assert not Answer.objects.exists()


def test_verify_claim_returns_both_probabilities_and_the_budget() -> None:
    found = toolkit.verify_claim(
        "The tenant pays the insurance premiums of the building.",
        "Under the lease the tenant pays the insurance premiums of the building.",
        0.9,
    )
    assert {"p0", "p1", "required_bits", "observed_bits", "budget_gap", "status"} <= set(found)
    assert found["p1"] > found["p0"]


def test_verify_claim_wants_a_claim() -> None:
    with pytest.raises(ValueError, match="Give a claim"):
        toolkit.verify_claim("", "evidence")


@pytest.mark.parametrize("joined", [". The", ", and the"])
def test_a_claim_of_several_statements_is_as_good_as_the_worst_of_them(joined: str) -> None:
    evidence = "The roof was replaced in 2019. Occupancy was 92 % at the end of June."
    moon = f"The roof was replaced in 2019{joined} tenants are moving to the moon."
    found = toolkit.verify_claim(moon, evidence, 0.8)
    assert (found["status"], "moon" in found["text"]) == ("unsupported", True)
    roof = f"The roof was replaced in 2019{joined} occupancy was 92 % at the end of June."
    assert toolkit.verify_claim(roof, evidence, 0.6)["finding"] == "supported"


def test_half_of_a_claim_that_asserts_nothing_is_not_vouched_for() -> None:
    found = toolkit.verify_claim(
        "The roof was replaced in 2019. Was it?", "The roof was replaced in 2019.", 0.8
    )
    assert found["status"] == "not_checked"


def test_verify_claims_takes_a_text_apart() -> None:
    found = toolkit.verify_claims("NOI was $5 million. The roof is new.", "NOI was $5 million.")
    assert [row["kind"] for row in found] == ["statement", "currency", "statement"]


def test_judging_stores_nothing(quarter: FinancialPeriod) -> None:
    toolkit.judge("The NOI was $9,999,999.99.", about=quarter.property, period=quarter)
    for model in (Answer, DetectionRun, HallucinationReview):
        assert not model.objects.exists()
