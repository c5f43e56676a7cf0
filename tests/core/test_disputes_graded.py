"""An answer about which its evidence disagrees says so: no flag and no review by itself, but never a low risk in silence."""

from typing import Any

import pytest

from detection.core import codec, pipeline
from detection.core.thresholds import DEFAULTS
from detection.core.types import (
    Case,
    Claim,
    Dispute,
    Finding,
    NumericDecision,
    NumericMeasurement,
    Source,
    Voice,
)
from detection.core.verdict import claim_findings
from tests.core.screened import screened
from tests.tables import each_case

SAID = "Net operating income was $4.2 million in Q3 2024."


def verdict_over(*values: str, **limits: Any) -> pipeline.Conclusion:
    """The answer over sources that state these values, judged by its numbers."""
    sources = tuple(Source(f"S{n}", SAID.replace("4.2", value)) for n, value in enumerate(values))
    return screened(Case(SAID, sources=sources), DEFAULTS.changed(**limits), due=("numeric",))


def codes(conclusion: pipeline.Conclusion) -> list[str]:
    return [reason.code for reason in conclusion.verdict.reasons]


def test_an_answer_whose_sources_disagree_is_no_hallucination_and_no_low_risk() -> None:
    found = verdict_over("4.2", "4.5")
    verdict = found.verdict
    assert (verdict.has_hallucinations, verdict.needs_review, verdict.risk_level) == (
        False,
        False,
        "moderate",
    )
    assert "sources_disagree" in codes(found)
    assert found.flagged == frozenset()


def test_the_same_answer_is_clear_where_its_sources_agree() -> None:
    found = verdict_over("4.2", "4.2")
    assert found.verdict.risk_level == "low"
    assert "sources_disagree" not in codes(found)


def test_a_profile_may_open_a_review_for_it() -> None:
    found = verdict_over("4.2", "4.5", review_disputed=True)
    (disputed,) = (one.claim for one in found.findings if one.disputed)
    assert found.verdict.needs_review
    assert not found.verdict.has_hallucinations
    assert found.flagged == {disputed}
    assert not verdict_over("4.2", "4.2", review_disputed=True).verdict.needs_review


@each_case(
    ("language", "first"),
    [("en", "Source S0 says"), ("he", "מקור S0"), ("zh-Hans", "来源 S0"), ("fr", "Source S0 says")],
)
def test_the_reason_names_both_sources_and_what_they_say(language: str, first: str) -> None:
    sources = (Source("S0", SAID), Source("S1", SAID.replace("4.2", "4.5")))
    found = screened(Case(SAID, language=language, sources=sources), due=("numeric",))
    (told,) = (reason for reason in found.verdict.reasons if reason.code == "sources_disagree")
    assert first in told.text
    for part in ("S1", "$4.2 million", "$4.5 million"):
        assert part in told.text
    assert [one.claim for one in found.findings if one.disputed] == [told.claim]


def test_what_was_measured_is_stored_and_decided_again() -> None:
    measured = verdict_over("4.2", "4.5").reports["numeric"].measurement
    assert isinstance(measured, NumericMeasurement)
    read = codec.load(NumericMeasurement, codec.dump(measured))
    assert read == measured
    assert sum(len(number.disputes) for number in read.claims.values()) == 1


def test_a_measurement_stored_before_there_were_disputes_is_read() -> None:
    measured = verdict_over("4.2", "4.2").reports["numeric"].measurement
    assert measured is not None
    stored = codec.dump(measured)
    for number in stored["claims"].values():
        del number["disputes"]
    assert codec.load(NumericMeasurement, stored) == measured


@pytest.mark.parametrize("status", ["unsupported", "unverified", "not_checked"])
def test_a_claim_that_nothing_decides_is_not_disputed(status: str) -> None:
    dispute = Dispute(Voice("S0", "4.2", 0, 3), Voice("S1", "4.5", 0, 3))
    claim = Claim(0, "currency", "4.2", 0, 3, 0)
    decided = NumericDecision((Finding("numeric", 0, status, "x", "", disputed=(dispute,)),))  # type: ignore[arg-type]  # each of its words
    (found,) = claim_findings((claim,), {}, ("numeric",), {"numeric": decided}, "en")
    assert found.disputed == ()
