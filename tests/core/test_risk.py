"""The verdict: levels, actions and statuses by CIT-07 and CIT-08."""

from dataclasses import replace
from typing import Any

import pytest

from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import (
    Case,
    CitationDecision,
    Claim,
    Dispute,
    Finding,
    JudgeDecision,
    Kind,
    Source,
    Status,
    Verdict,
    Voice,
)
from detection.core.verdict import Graded, risk
from tests.tables import each_case

CALM = CitationDecision(
    expected=True,
    has_risk=False,
    risk_score=0.0,
    valid=("S0",),
    invalid=(),
    uncited_sentences=(),
    uncited_count=0,
    citation_ratio=1.0,
    citation_ratio_literal=1.0,
    total_claims=4,
)


SOURCED = Case("answer", sources=(Source("S0", "text", score=0.9),))


def finding(status: Status = "supported", code: str = "", severity: float = 0.0) -> Finding:
    return Finding("strawberry", 0, status, code or status, "why", severity)


DISPUTE = Dispute(Voice("S0", "…", 0, 1), Voice("S1", "…", 0, 1))


def graded(
    *findings: Finding, case: Case | None = None, kinds: list[Kind] | None = None, **rules: Any
) -> Graded:
    named: list[Kind] = kinds or ["statement"] * len(findings)
    claims = [Claim(n, kind, "text", 0, 4, 0) for n, kind in enumerate(named)]
    numbered = [replace(f, claim=n) for n, f in enumerate(findings)]
    return Graded(
        case=case or Case("answer", original_confidence=0.95), claims=claims, findings=numbered, **rules
    )


def verdict(*findings: Finding, thresholds: Thresholds = DEFAULTS, **rules: Any) -> Verdict:
    return risk.grade(graded(*findings, **rules), thresholds)


@pytest.mark.requirement("CIT-07")
@each_case(
    ("changes", "level"),
    [
        ({}, "low"),
        ({"risk_score": 0.3}, "low"),
        ({"risk_score": 0.31}, "moderate"),
        ({"risk_score": 0.6}, "moderate"),
        ({"risk_score": 0.61}, "high"),
        ({"uncited_count": 1}, "moderate"),
        ({"uncited_count": 2}, "moderate"),
        ({"uncited_count": 3}, "high"),
        ({"invalid": ("S9",)}, "high"),
        ({"citation_ratio": 0.7}, "low"),
        ({"citation_ratio": 0.69}, "moderate"),
        ({"citation_ratio": 0.29, "total_claims": 3}, "high"),
        ({"citation_ratio": 0.29, "total_claims": 2}, "moderate"),
        ({"citation_ratio": 0.3, "total_claims": 3}, "moderate"),
    ],
)
def test_level_follows_the_conditions_of_the_rules(changes: dict[str, Any], level: str) -> None:
    assert verdict(finding(), citations=replace(CALM, **changes)).risk_level == level


@pytest.mark.requirement("CIT-07")
@pytest.mark.parametrize(
    ("judged", "level"), [(0.3, "low"), (0.31, "moderate"), (0.6, "moderate"), (0.61, "high")]
)
def test_level_follows_the_judge_where_it_ran(judged: float, level: str) -> None:
    assert verdict(finding(), citations=CALM, judge=JudgeDecision(judged, "accept", "")).risk_level == level


@pytest.mark.requirement("CIT-07")
@pytest.mark.parametrize(
    ("status", "code", "level"),
    [
        ("contradicted", "", "high"),
        ("unsupported", "", "moderate"),
        ("unverified", "timeout", "moderate"),
        ("not_checked", "question", "low"),
        ("not_checked", "claim_limit", "moderate"),
    ],
)
def test_a_claim_raises_the_level_by_its_status(status: Status, code: str, level: str) -> None:
    assert verdict(finding(status, code), finding()).risk_level == level


def test_citation_rules_do_not_count_where_citations_are_not_expected() -> None:
    rules = replace(CALM, expected=False, risk_score=1.0, uncited_count=5, citation_ratio=0.0)
    plain = verdict(finding(), citations=rules)
    assert (plain.risk_level, plain.risk_score, plain.has_hallucinations) == ("low", 0.0, False)


@pytest.mark.requirement("CIT-08")
@pytest.mark.parametrize(
    ("level", "action"), [("low", "accept"), ("moderate", "refine_search"), ("high", "reject")]
)
def test_action_follows_the_level(level: str, action: str) -> None:
    statuses: dict[str, Status] = {"low": "supported", "moderate": "unsupported", "high": "contradicted"}
    assert verdict(finding(statuses[level])).action == action


@pytest.mark.requirement("CIT-08")
@pytest.mark.parametrize(("iteration", "action"), [(6, "reject"), (7, "accept"), (10, "accept")])
def test_near_the_iteration_limit_a_risky_answer_is_accepted_but_stays_high(
    iteration: int, action: str
) -> None:
    case = Case("answer", iteration=iteration, max_iterations=10)
    outcome = verdict(finding("contradicted"), case=case)
    assert (outcome.action, outcome.risk_level) == (action, "high")
    assert ("near_iteration_limit" in {r.code for r in outcome.reasons}) is (action == "accept")


def test_claim_risk_combines_severities_as_independent_chances() -> None:
    assert (
        verdict(finding("unsupported", severity=0.5), finding("unsupported", severity=0.5)).risk_score == 0.75
    )


def test_risk_score_is_the_largest_of_rules_judge_and_claims() -> None:
    rules = replace(CALM, risk_score=0.4)
    judged = JudgeDecision(0.5, "accept", "")
    assert verdict(finding(severity=0.2), citations=rules, judge=judged).risk_score == 0.5
    assert verdict(finding(severity=0.9), citations=rules, judge=judged).risk_score == 0.9


@pytest.mark.requirement("NUM-10")
def test_confidence_loses_a_fifth_when_something_is_doubtful() -> None:
    assert verdict(finding("contradicted"), kinds=["currency"]).adjusted_confidence == 0.76
    assert verdict(finding()).adjusted_confidence == 0.95


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize(
    ("code", "adjusted"), [("timeout", 0.76), ("verifier_error", 0.95), ("uncertain", 0.95)]
)
def test_a_statement_that_timed_out_costs_confidence_and_another_failure_does_not(
    code: str, adjusted: float
) -> None:
    assert verdict(finding(), finding("unverified", code)).adjusted_confidence == adjusted


@pytest.mark.requirement("NUM-10")
@pytest.mark.parametrize(
    ("original", "penalty", "adjusted"), [(0.0, 20, 0.0), (1.0, 100, 0.0), (1.0, 0, 1.0), (0.5, 50, 0.25)]
)
def test_adjusted_confidence_stays_between_zero_and_one(
    original: float, penalty: float, adjusted: float
) -> None:
    thresholds = DEFAULTS.changed(confidence_penalty=penalty)
    assert risk.adjust_confidence(original, True, thresholds) == adjusted


def test_unknown_confidence_stays_unknown() -> None:
    outcome = verdict(finding("contradicted"), case=Case("answer"))
    assert (outcome.adjusted_confidence, outcome.confidence_adjustment) == (None, None)


def test_an_uncertain_claim_alone_opens_no_review_unless_the_profile_says_so() -> None:
    uncertain = finding("unverified", "uncertain")
    assert not verdict(uncertain).needs_review
    assert verdict(uncertain, thresholds=DEFAULTS.changed(review_uncertain=True)).needs_review


@pytest.mark.requirement("NUM-11")
def test_the_queue_can_be_switched_off() -> None:
    off = DEFAULTS.changed(review_queue_enabled=False)
    assert verdict(finding("contradicted")).needs_review
    assert not verdict(finding("contradicted"), thresholds=off).needs_review


@pytest.mark.requirement("NUM-11")
def test_without_automatic_flagging_only_a_high_risk_opens_a_review() -> None:
    manual = DEFAULTS.changed(auto_flag_unverified=False)
    assert verdict(finding("unsupported")).needs_review
    assert not verdict(finding("unsupported"), thresholds=manual).needs_review
    assert verdict(finding("contradicted"), thresholds=manual).needs_review


def test_a_failed_check_is_never_clear() -> None:
    outcome = verdict(finding(), failed={"numeric": "boom"})
    assert (outcome.risk_level, outcome.needs_review) == ("moderate", True)
    assert "check_failed" in {reason.code for reason in outcome.reasons}


def test_a_verifier_that_is_away_is_told_and_no_flag_unless_the_profile_says_so() -> None:
    away = {"strawberry": "boom"}
    asks = DEFAULTS.changed(review_not_verified=True)
    outcome = verdict(finding(), finding("unverified", "verifier_unreachable"), failed=away)
    assert (outcome.risk_level, outcome.has_hallucinations, outcome.needs_review) == (
        "moderate",
        False,
        False,
    )
    assert "check_failed" in {reason.code for reason in outcome.reasons}
    assert verdict(finding(), failed=away, thresholds=asks).needs_review


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("unverified", "timeout"),
        ("unverified", "verifier_no_logprobs"),
        ("unverified", "verifier_unreachable"),
        ("unverified", "budget_spent"),
        ("not_checked", "no_verifier"),
        ("not_checked", "claim_limit"),
        ("not_checked", "overload"),
    ],
)
def test_what_was_not_judged_makes_an_answer_not_verified_and_flags_nothing(
    status: Status, code: str
) -> None:
    subject = graded(finding(status, code), finding("not_checked", "question"))
    outcome = risk.grade(subject, DEFAULTS)
    assert (outcome.answer_status, outcome.risk_level) == ("not_verified", "moderate")
    assert (outcome.has_hallucinations, outcome.needs_review, risk.flagged(subject, DEFAULTS)) == (
        False,
        False,
        frozenset(),
    )


def test_what_is_wrong_weighs_more_than_what_was_not_judged() -> None:
    assert verdict(finding("contradicted"), finding("unverified", "timeout")).answer_status == (
        "hallucination_detected"
    )


def test_a_fifth_that_was_not_judged_makes_an_answer_not_verified() -> None:
    late = finding("unverified", "verifier_no_label")
    assert verdict(*[finding()] * 4, late).answer_status == "not_verified"
    assert verdict(*[finding()] * 5, late).answer_status == "success"
    among_numbers = verdict(late, *[finding()] * 9, kinds=["statement", *["ratio"] * 9])
    assert among_numbers.answer_status == "not_verified", "numbers make up for no statement"


@pytest.mark.requirement("REL-25")
@pytest.mark.parametrize(
    "code", ["timeout", "rate_limited", "verifier_unreachable", "budget_spent", "overload"]
)
def test_one_statement_that_is_owed_makes_an_answer_not_verified_and_flags_nothing(code: str) -> None:
    owed = finding("not_checked" if code == "overload" else "unverified", code)
    found = verdict(*[finding()] * 9, owed)
    assert (found.answer_status, found.risk_level) == ("not_verified", "moderate")
    assert (found.has_hallucinations, found.needs_review) == (False, False)
    number = verdict(*[finding()] * 9, finding("unverified", "timeout"), kinds=["ratio"] * 10)
    assert number.answer_status == "success", "a number that ran out of our own time is owed by nobody"


@pytest.mark.parametrize(("status", "code"), [("unverified", "uncertain"), ("not_checked", "switched_off")])
def test_what_was_read_undecided_or_not_asked_for_is_no_missing_verification(
    status: Status, code: str
) -> None:
    assert verdict(finding(status, code), case=SOURCED).answer_status == "success"


def test_an_answer_that_rests_on_nothing_is_no_success() -> None:
    assert verdict(finding("unverified", "no_evidence")).answer_status == "insufficient_context"
    assert verdict(finding("not_checked", "hedge")).answer_status == "insufficient_context"
    assert verdict().answer_status == "insufficient_context"
    assert verdict(finding("unverified", "no_evidence"), case=SOURCED).answer_status == "insufficient_context"
    assert verdict(finding()).answer_status == "success", "figures of record carry it"
    assert verdict(case=SOURCED).answer_status == "success"


def test_answer_status_says_what_is_the_matter() -> None:
    required = DEFAULTS.changed(sources_required=True)
    weak = Case("answer", sources=(Source("S0", "text", score=0.9), Source("S1", "text")))
    assert verdict(finding()).answer_status == "success"
    assert verdict(finding("unsupported")).answer_status == "hallucination_detected"
    assert verdict(finding(), thresholds=required).answer_status == "insufficient_context"
    assert verdict(finding(), case=weak).answer_status == "low_confidence"
    assert verdict(finding("unverified", "error"), all_failed=True).answer_status == "error"


def test_flagged_are_claims_wrong_for_their_own_sake() -> None:
    claims = graded(
        finding("contradicted", "number_contradicted"),
        finding("contradicted", "transposed"),
        finding("supported"),
        finding("unverified", "uncertain"),
        finding("unverified", "timeout"),
        citations=replace(CALM, invalid=("S9",), invalid_by_claim={2: ("S9",)}),
    )
    assert risk.flagged(claims, DEFAULTS) == {1, 2}
    assert risk.flagged(claims, DEFAULTS.changed(review_not_verified=True)) == {1, 2, 4}
    late = graded(finding("unverified", "timeout"), kinds=["ratio"])
    assert risk.flagged(late, DEFAULTS) == {0}, "a number asks, as NUM-11 has it"


def test_coverage_counts_every_claim_once() -> None:
    outcome = verdict(
        finding(), finding("contradicted"), finding("unverified", "timeout"), finding("not_checked", "hedge")
    )
    coverage = outcome.coverage
    assert (coverage.claims, coverage.verified, coverage.unverified, coverage.not_checked) == (4, 2, 1, 1)


def test_uncertain_claims_ask_for_a_decision_when_they_open_reviews() -> None:
    subject = graded(finding("unverified", "uncertain"), finding("unsupported"))
    assert risk.flagged(subject, DEFAULTS) == {1}
    assert risk.flagged(subject, DEFAULTS.changed(review_uncertain=True)) == {0, 1}


def test_a_level_raised_by_few_citations_says_so() -> None:
    few = replace(CALM, risk_score=0.75, citation_ratio=0.25)
    outcome = verdict(finding(), citations=few)
    assert outcome.risk_level == "high"
    assert [(r.code, r.text) for r in outcome.reasons] == [
        ("few_citations", "Citations cover 25% of its 4 sentences that claim something.")
    ]
    assert verdict(finding(), citations=replace(few, expected=False)).reasons == ()
