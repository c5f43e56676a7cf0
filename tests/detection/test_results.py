"""The Result of a judged answer: its whole shape, its sections and its warnings (contracts §2, NUM-09, GOV-07)."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from detection import toolkit
from detection.core.ports import Estimate
from detection.core.types import Usage
from detection.models import FinancialMetrics, FinancialPeriod
from detection.operations import verifying

pytestmark = pytest.mark.django_db

CHUNK = "Net operating income for Q3 2024 was $1,234,567.89. The tenant pays the insurance premiums."
ANSWER = (
    "Net operating income was $1,234,567.89 in Q3 2024 [S0]. The tenant pays the insurance premiums [S0]."
)
SOURCES = [{"id": "S0", "text": CHUNK}]

RESULT = {
    "id", "external_id", "status", "verdict", "claims", "numeric", "citations", "hallucination_check", "grounding", "judge",
    "self_correction", "warning", "checks", "profile", "timings_ms", "cost", "effective", "review",
}  # fmt: skip
VERDICT = {
    "has_hallucinations", "answer_status", "risk_score", "risk_level", "action", "needs_review", "original_confidence",
    "adjusted_confidence", "uncalibrated_confidence", "confidence_adjustment", "reasons", "coverage",
}  # fmt: skip
CLAIM = {
    "index", "kind", "text", "start", "end", "sentence", "citations", "status", "finding", "reason", "conclusion", "disputed", "flagged", "warning",
    "evidence", "effective",
}  # fmt: skip
STRAWBERRY = {
    "p1", "p0", "p_no", "required_bits", "observed_bits", "budget_gap_bits", "intervals", "confidence", "finding", "scrubbed", "by_citation",
    "against", "method", "model", "cost_usd", "error",
}  # fmt: skip
NUMERIC = {
    "value", "unit", "metric", "metric_name", "period", "property", "precision", "approximate", "bound", "expected", "deviation",
    "tolerance", "held_by", "matched", "arithmetic",
}  # fmt: skip
NUM_09 = {
    "has_hallucinations", "claims", "flagged_claims", "verification_time_ms", "confidence_adjustment", "total_claims",
    "verified_claims", "unverified_claims",
}  # fmt: skip
CITATIONS = {
    "expected", "has_hallucination_risk", "hallucination_risk_score", "valid_citations", "invalid_citations",
    "uncited_sentences", "uncited_count", "citation_ratio", "citation_ratio_literal", "total_claims", "indicator_phrases", "misplaced_citations",
}  # fmt: skip


class Believes:
    """A verifier that believes whatever stands in the evidence it is shown, and fails for ``faulty`` claims."""

    name = "believes"

    def __init__(self, carried: str = "premiums", faulty: str = "") -> None:
        self.carried, self.faulty = carried, faulty

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        if self.faulty and self.faulty in claim:
            return Estimate(error="verifier_unreachable")
        p = 0.97 if self.carried in context else 0.25
        usage = Usage(1, 100, Decimal("0.0001"))
        return Estimate((p, p), (0.02, 0.02), (0.98 - p, 0.98 - p), "logprobs", "believes-1", usage=usage)

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        return [self.estimate_probability(claim, context) for claim in claims]


@pytest.fixture
def judge(
    make_period: Callable[..., FinancialPeriod], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, Any]]:
    """``judge(answer, verifier)``: the Result for the property and quarter whose NOI is known."""
    quarter = make_period("OAK", "Q3 2024")
    quarter.refresh_from_db()
    FinancialMetrics.objects.create(period=quarter, net_operating_income=Decimal("1234567.89"))

    def judged(answer: str = ANSWER, verifier: Any = None, **given: Any) -> dict[str, Any]:
        monkeypatch.setattr(verifying, "verifier_for", lambda _operation: verifier or Believes())
        about = {
            "sources": SOURCES,
            "about": quarter.property,
            "period": quarter,
            "original_confidence": 0.95,
        }
        return toolkit.judge(answer, **{**about, **given})

    return judged


def claim_of(result: dict[str, Any], kind: str, text: str = "") -> dict[str, Any]:
    return next(claim for claim in result["claims"] if claim["kind"] == kind and text in claim["text"])


def test_a_result_has_every_key_of_its_shape_and_no_other(judge: Callable[..., dict[str, Any]]) -> None:
    result = judge()
    assert set(result) == RESULT
    assert set(result["verdict"]) == VERDICT
    assert set(result["verdict"]["coverage"]) == {"claims", "verified", "unverified", "not_checked"}
    statement, amount = claim_of(result, "statement"), claim_of(result, "currency")
    assert set(statement) == CLAIM | {"strawberry", "grounding", "judge"}
    assert set(statement["strawberry"]) == STRAWBERRY
    assert set(statement["grounding"]) == {"overlap", "overlap_literal", "source", "weighted", "cited"}
    assert set(amount) == CLAIM | {"numeric", "statement", "slips", "slots", "looked_at", "searched"}
    assert set(amount["numeric"]) == NUMERIC
    assert set(result["numeric"]) == NUM_09
    assert set(result["citations"]) == CITATIONS
    assert set(result["grounding"]) == {"grounded", "ratio", "grounded_sentences", "total_sentences"}
    assert set(result["profile"]) == {"id", "version", "scoring"}
    assert set(result["timings_ms"]) == {"numeric", "citation", "grounding", "strawberry", "judge", "total"}
    assert result["cost"]["calls"] * 100 == result["cost"]["tokens"] > 0


def test_a_true_answer_is_clear_with_its_figures_and_offsets(judge: Callable[..., dict[str, Any]]) -> None:
    result = judge()
    assert all(ANSWER[claim["start"] : claim["end"]] == claim["text"] for claim in result["claims"])
    assert {claim["status"] for claim in result["claims"]} == {"supported"}
    assert result["verdict"]["coverage"] == {"claims": 4, "verified": 4, "unverified": 0, "not_checked": 0}
    numeric = claim_of(result, "currency")["numeric"]
    assert (numeric["value"], numeric["expected"], numeric["deviation"]) == ("1234567.89", "1234567.89", "0")
    assert (numeric["unit"], numeric["metric"], numeric["matched"]) == (
        "USD",
        "net_operating_income",
        "database",
    )
    assert (numeric["precision"], numeric["tolerance"]) == ("0.005", None)
    lift = claim_of(result, "statement")["strawberry"]
    assert (lift["p1"], lift["p0"], lift["scrubbed"], lift["finding"]) == (
        0.97,
        0.25,
        ["S0", "record: OAK, Q3 2024"],
        "supported",
    )
    assert lift["budget_gap_bits"] == pytest.approx(lift["required_bits"] - lift["observed_bits"], abs=1e-5)
    assert result["timings_ms"]["numeric"] == result["numeric"]["verification_time_ms"] > 0
    assert (result["warning"], result["review"], result["judge"]) == (None, None, None)


@pytest.mark.requirement("NUM-09")
def test_numeric_counts_are_those_of_its_claims(judge: Callable[..., dict[str, Any]]) -> None:
    result = judge(ANSWER.replace("1,234,567.89", "9,999,999.99"))
    numeric = result["numeric"]
    assert (numeric["total_claims"], numeric["verified_claims"], numeric["unverified_claims"]) == (2, 1, 1)
    assert (numeric["has_hallucinations"], numeric["confidence_adjustment"]) == (True, -0.2)
    assert [row["original_text"] for row in numeric["flagged_claims"]] == ["$9,999,999.99"]
    verdict = result["verdict"]
    assert (verdict["risk_level"], verdict["action"], verdict["needs_review"]) == ("high", "reject", True)
    assert (verdict["adjusted_confidence"], verdict["confidence_adjustment"]) == (0.76, -0.19)
    assert ("number_contradicted", 1) in {(r["code"], r["claim"]) for r in verdict["reasons"]}


@pytest.mark.requirement("GOV-07")
def test_the_check_object_has_its_keys_and_counts(judge: Callable[..., dict[str, Any]]) -> None:
    answer = ANSWER + " The landlord repaired the elevators twice last year [S0]."
    check = judge(answer, Believes(faulty="elevators"))["hallucination_check"]
    assert set(check) == {"overall_grounded", "grounded_claims", "total_claims", "grounding_ratio", "claims"}
    assert (check["grounded_claims"], check["total_claims"]) == (2, 3)
    assert (check["grounding_ratio"], check["overall_grounded"]) == (pytest.approx(2 / 3), False)
    carried, _, failed = check["claims"]
    assert set(carried) == {"text", "citing", "p1", "p0", "confidence", "grounded", "warning"}
    assert (carried["citing"], carried["p1"], carried["p0"]) == (["S0"], 0.97, 0.25)
    assert (carried["grounded"], carried["warning"]) == (True, None)
    assert (failed["p1"], failed["confidence"], failed["grounded"]) == (None, None, False)
    assert failed["warning"] == "This could not be checked."


@pytest.mark.requirement("GOV-07")
@pytest.mark.parametrize(
    ("answer", "claim", "whole"),
    [
        (
            "The landlord repaired the elevators twice last year [S0].",
            "No sufficient source was found.",
            "Note: 1 claim of this answer is not fully supported by the sources.",
        ),
        (
            "בעל הבית תיקן את המעליות פעמיים בשנה שעברה [S0].",
            "לא נמצא מקור מספק.",
            "שים לב: טענה אחת בתשובה אינה נתמכת במלואה על ידי המקורות.",
        ),
        (
            "房东去年对大楼的电梯进行了两次维修 [S0]。",
            "未找到充分的来源。",
            "请注意：回答中有 1 项陈述未得到来源的充分支持。",
        ),
    ],
)
def test_warnings_speak_the_language_of_the_answer(
    judge: Callable[..., dict[str, Any]], answer: str, claim: str, whole: str
) -> None:
    result = judge(answer, Believes(carried="nothing of the kind"))
    (row,) = result["hallucination_check"]["claims"]
    assert (row["grounded"], row["warning"]) == (False, claim)
    assert claim_of(result, "statement")["warning"] == claim
    assert result["warning"] == whole


@pytest.mark.requirement("GOV-08")
@pytest.mark.parametrize("language", ["en", "he", "zh"])
def test_an_answer_too_long_to_verify_warns_that_part_was_not_checked(
    judge: Callable[..., dict[str, Any]], language: str
) -> None:
    said = {"en": "could not be checked", "he": "לא ניתן היה לבדוק", "zh": "未能核实"}
    long = " ".join(f"The tenant of unit {name} pays the premiums [S0]." for name in "ABCDEFGHIJKL")
    result = judge(long, language=language)
    assert {c["finding"] for c in result["claims"] if c["status"] == "not_checked"} == {"claim_limit"}
    assert said[language] in result["warning"]
    assert result["verdict"]["risk_level"] == "moderate"


def test_a_statement_too_short_to_verify_has_no_probabilities(judge: Callable[..., dict[str, Any]]) -> None:
    short = claim_of(judge("Rents rose. " + ANSWER), "statement", "Rents rose")
    assert (short["status"], short["finding"]) == ("not_checked", "too_short")
    assert (short["strawberry"]["finding"], short["strawberry"]["p1"]) == ("not_checked", None)


@pytest.mark.requirement("SPEC-08.01")
def test_a_true_claim_whose_cited_evidence_was_not_used_is_told_apart(
    judge: Callable[..., dict[str, Any]],
) -> None:
    sources = [
        {"id": "S0", "text": "The roof is new."},
        {"id": "S1", "text": "The tenant pays the premiums."},
    ]
    answer = "The tenant pays the insurance premiums [S1]. The tenant pays all of the premiums [S0]."
    used, unused = (c for c in judge(answer, sources=sources)["claims"] if c["kind"] == "statement")
    assert used["strawberry"]["p1"] == unused["strawberry"]["p1"] == 0.97
    assert (used["status"], used["finding"]) == ("supported", "supported")
    assert (unused["status"], unused["finding"]) == ("unsupported", "miscited")
    assert used["strawberry"]["observed_bits"] > unused["strawberry"]["observed_bits"] == 0


@pytest.mark.parametrize(
    "answer",
    ["The documents do not say who the tenant is.", "The documents do not say what the premiums are."],
    ids=["not there", "there"],
)
def test_an_answer_that_only_abstains_has_a_result(judge: Callable[..., dict[str, Any]], answer: str) -> None:
    result = judge(answer, question="What does the evidence say?")
    assert [claim["finding"][:10] for claim in result["claims"]] == ["abstention"]
    assert result["hallucination_check"]["total_claims"] == 0
