"""A response whose doubtful statements lack many bits together is flagged, and never rejected for it (SPEC-08.22)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.thresholds import DEFAULTS
from detection.core.types import Finding, Score, Status
from detection.core.verdict import risk
from tests.core.test_risk import graded

pytestmark = pytest.mark.requirement("SPEC-08.22")


def lacking(gap: float, status: Status = "unsupported") -> Finding:
    score = Score((2.0, 2.0), (2.0 - gap, 2.0 - gap), "unsupported")
    return Finding("strawberry", 0, status, "unsupported", "why", 0.2, score=score)


def verdict(*findings: Finding, **changes: Any) -> Any:
    thresholds = replace(DEFAULTS, **changes)
    return risk.grade(replace(graded(*findings), flag_threshold_bits=5.0), thresholds)


def codes(given: Any) -> list[str]:
    return [reason.code for reason in given.reasons]


@pytest.mark.parametrize(
    ("findings", "flagged"),
    [
        ([lacking(5.1)], True),
        ([lacking(5.0)], False),
        ([lacking(2.0), lacking(2.0), lacking(1.5)], True),
        ([lacking(6.0, "contradicted")], True),
        ([lacking(4.0), lacking(-3.0)], False),
        ([lacking(4.9), lacking(-3.0), lacking(0.2)], True),
        ([lacking(9.0, "unverified")], False),
        ([lacking(9.0, "supported")], False),
        ([], False),
    ],
)
def test_the_gaps_of_doubtful_statements_add_up(findings: list[Finding], flagged: bool) -> None:
    assert ("high_hallucination_risk" in codes(verdict(*findings))) == flagged


def test_the_reason_says_how_much_is_lacking() -> None:
    (reason,) = (
        r for r in verdict(lacking(4.0), lacking(3.25)).reasons if r.code == "high_hallucination_risk"
    )
    assert reason.text == "Its doubtful statements lack 7.2 bits of evidence together, more than 5."
    assert reason.claim is None


def test_a_flagged_answer_is_reviewed_even_where_doubtful_claims_alone_are_not() -> None:
    assert verdict(lacking(6.0), auto_flag_unverified=False).needs_review
    assert not verdict(lacking(4.0), auto_flag_unverified=False).needs_review
    assert not verdict(lacking(6.0), review_queue_enabled=False).needs_review


@given(st.lists(st.floats(0.1, 3.0), min_size=1, max_size=12))
def test_the_flag_changes_neither_level_nor_action_nor_confidence(gaps: list[float]) -> None:
    findings = [lacking(gap) for gap in gaps]
    plain = risk.grade(graded(*findings), DEFAULTS)
    with_flag = verdict(*findings)
    told = replace(with_flag, reasons=(), needs_review=False)
    assert told == replace(plain, reasons=(), needs_review=False)
    assert with_flag.action != "reject"
