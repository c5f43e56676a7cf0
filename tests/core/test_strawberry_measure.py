"""What is asked of a verifier, and what is stored of its answers."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from detection.core.context import Context
from detection.core.ports import Estimate, VerifierRateLimited
from detection.core.statements import measure, read_context
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Claim, Source, StrawberryMeasurement, Usage

SOURCES = (
    Source("S0", "Net operating income of Oak Plaza was $1,234,567 in the third quarter of 2024."),
    Source("S1", "The anchor tenant renewed its lease for ten years at a rent of $42 a square foot."),
)
CASE = Case(answer="…", sources=SOURCES, original_confidence=0.9)
COST = Usage(calls=1, tokens=300, usd=Decimal("0.0001"))


def claim(index: int, text: str, *citations: str, **more: Any) -> Claim:
    made = Claim(index, "statement", text, 0, len(text), index, citations=citations)
    return replace(made, **more)


class Reading:
    """A verifier that believes a claim when its first word stands in the context, and remembers questions."""

    name = "reading"

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[str, ...], str]] = []

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        return self.batch_estimate([claim], context)[0]

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        self.asked.append((tuple(claims), context))
        return [self.believe(claim, context) for claim in claims]

    def believe(self, claim: str, context: str) -> Estimate:
        yes = 0.9 if claim.split()[0] in " ".join(read_context(context)) else 0.2
        return Estimate((yes, yes), (0.05, 0.05), (0.05, 0.05), method="reading", usage=COST, latency_ms=2.0)


def measured(*claims: Claim, verifier: Reading | None = None, **limits: Any) -> StrawberryMeasurement:
    return measure(Context(CASE, claims, DEFAULTS.changed(**limits), verifier=verifier or Reading()))


@pytest.mark.requirement("SPEC-08.03")
@pytest.mark.requirement("GOV-03")
def test_p1_sees_the_evidence_and_p0_does_not() -> None:
    lift = measured(claim(0, "operating income was $1,234,567 [S0].", "S0")).claims[0]
    assert (lift.p1, lift.p0, lift.p_no) == ((0.9, 0.9), (0.2, 0.2), (0.05, 0.05))
    assert lift.scrubbed == ("S0",)
    assert lift.cited


def test_citation_marks_are_no_part_of_the_question() -> None:
    verifier = Reading()
    measured(claim(0, "operating income was $1,234,567 [S0].", "S0"), verifier=verifier)
    assert {text for texts, _ in verifier.asked for text in texts} == {"operating income was $1,234,567."}


@pytest.mark.requirement("SPEC-08.29")
def test_claims_with_the_same_citations_share_a_context_and_a_batch() -> None:
    verifier = Reading()
    texts = ("operating income was high.", "quarter results were good.", "tenant renewed the lease.")
    measured(
        *(claim(i, text, ref) for i, (text, ref) in enumerate(zip(texts, ("S0", "S0", "S1"), strict=True))),
        verifier=verifier,
    )
    assert sorted(len(batch) for batch, _ in verifier.asked[:3]) == [1, 2, 3]


@pytest.mark.requirement("GOV-02")
def test_an_uncited_claim_loses_all_evidence_for_p0() -> None:
    lift = measured(claim(0, "tenant renewed the lease.")).claims[0]
    assert lift.scrubbed == ("S0", "S1")
    assert not lift.cited
    assert lift.p_cited is None


def test_a_citation_of_nothing_counts_as_none() -> None:
    assert not measured(claim(0, "tenant renewed the lease.", "S7")).claims[0].cited


def test_the_probe_asks_about_the_cited_sources_alone() -> None:
    verifier = Reading()
    lift = measured(claim(0, "tenant renewed the lease.", "S0"), verifier=verifier).claims[0]
    assert lift.p_cited == 0.2
    assert read_context(verifier.asked[-1][1]) == [SOURCES[0].text]


def test_the_probe_costs_nothing_when_all_sources_are_cited() -> None:
    verifier = Reading()
    lift = measured(claim(0, "tenant renewed the lease.", "S0", "S1"), verifier=verifier).claims[0]
    assert lift.p_cited == 0.9
    assert len(verifier.asked) == 2


@pytest.mark.requirement("GOV-08")
def test_what_is_skipped_is_reported_with_its_reason() -> None:
    claims = (
        claim(0, "Yes [S0]."),
        claim(1, "What was the operating income?", excluded="question"),
        claim(2, "operating income was $1,234,567."),
        claim(3, "tenant renewed the lease."),
    )
    result = measured(*claims, maximum_verified_claims=1)
    assert result.skipped == {0: "too_short", 1: "question", 3: "claim_limit"}
    assert result.claims[0].error == "not_measured"
    assert result.claims[2].p1 is not None
    assert set(result.claims) == {0, 2}


def test_a_chinese_character_counts_as_two() -> None:
    result = measured(claim(0, "运营费用下降了百分"), claim(1, "运营费用下降"))
    assert result.claims[0].text_length == 18
    assert result.skipped == {1: "too_short"}


@pytest.mark.requirement("GOV-09")
def test_cost_and_time_of_all_questions_are_recorded() -> None:
    lift = measured(claim(0, "tenant renewed the lease.", "S0")).claims[0]
    assert lift.usage == Usage(3, 900, Decimal("0.0003"))
    assert lift.latency_ms == 6.0


@pytest.mark.requirement("SPEC-08.42")
def test_a_failing_claim_leaves_its_neighbours_alone() -> None:
    class Partial(Reading):
        def believe(self, claim: str, context: str) -> Estimate:
            return (
                Estimate(error="timeout") if claim.startswith("tenant") else super().believe(claim, context)
            )

    result = measured(
        claim(0, "tenant renewed the lease."), claim(1, "operating income was high."), verifier=Partial()
    )
    assert (result.claims[0].error, result.claims[0].p1) == ("timeout", None)
    assert result.claims[1].p1 == (0.9, 0.9)


@pytest.mark.requirement("SPEC-08.42")
def test_half_a_pair_is_no_measurement() -> None:
    class WithoutPrior(Reading):
        def believe(self, claim: str, context: str) -> Estimate:
            known = super().believe(claim, context)
            return known if read_context(context) else Estimate(error="rate_limited", retry_after=7.0)

    lift = measured(claim(0, "tenant renewed the lease."), verifier=WithoutPrior()).claims[0]
    assert (lift.p1, lift.p0, lift.error, lift.retry_after) == (None, None, "rate_limited", 7.0)


@pytest.mark.requirement("SPEC-08.43")
def test_a_verifier_that_raises_fails_its_claims_and_nothing_else() -> None:
    class Raising(Reading):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            raise RuntimeError("broken")

    class Limited(Reading):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            raise VerifierRateLimited("later", retry_after=3.0)

    assert (
        measured(claim(0, "tenant renewed the lease."), verifier=Raising()).claims[0].error
        == "verifier_error"
    )
    limited = measured(claim(0, "tenant renewed the lease."), verifier=Limited()).claims[0]
    assert (limited.error, limited.retry_after) == ("rate_limited", 3.0)


def test_a_batch_of_the_wrong_length_is_an_error() -> None:
    class Short(Reading):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            return []

    assert (
        measured(claim(0, "tenant renewed the lease."), verifier=Short()).claims[0].error == "verifier_error"
    )


def test_an_expired_deadline_asks_nothing() -> None:
    verifier = Reading()
    result = measure(
        Context(CASE, [claim(0, "tenant renewed the lease.")], verifier=verifier, expired=lambda: True)
    )
    assert result.claims[0].error == "timeout"
    assert verifier.asked == []


def test_numbers_are_not_asked_about_and_an_empty_answer_asks_nothing() -> None:
    number = Claim(0, "currency", "$1,234,567 in all", 0, 17, 0)
    assert measured(number).claims == {}
    assert measured() == StrawberryMeasurement({}, {}, 0.9)


@pytest.mark.parametrize("wrong", [(float("nan"), float("nan")), (0.9, 1.2), (-0.1, 0.9), (0.9, 0.2)])
@pytest.mark.parametrize("side", ["yes", "no"])
def test_what_is_no_probability_is_no_belief(side: str, wrong: tuple[float, float]) -> None:
    class Wrong(Reading):
        def believe(self, claim: str, context: str) -> Estimate:
            sound = super().believe(claim, context)
            return replace(sound, yes=wrong) if side == "yes" else replace(sound, no=wrong)

    lift = measured(claim(0, "operating income was $1,234,567 [S0].", "S0"), verifier=Wrong()).claims[0]
    assert (lift.p1, lift.p0, lift.error) == (None, None, "verifier_error")
