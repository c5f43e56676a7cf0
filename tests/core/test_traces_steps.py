"""What each step of a trace is, and what it rests on."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detection.core import codec
from detection.core.ports import Estimate
from detection.core.thresholds import DEFAULTS
from detection.core.traces import STATUSES, decide, measure
from detection.core.types.traces import Step, TraceMeasured
from tests.core.trace_cases import (
    DOUBTFUL,
    REFUTED,
    SURE,
    Belief,
    Believing,
    found,
    stands,
    statuses,
    trace_of,
)

pytestmark = pytest.mark.requirement("SPEC-08.24")
LEASE = "The tenant renewed the lease for ten years."
ROOF = "The roof garden was opened in spring."
CONTEXT = {"S0": LEASE, "S1": "The lobby was painted in the summer."}


def test_a_step_that_the_context_states_is_entailed_and_rests_on_nothing() -> None:
    step, other = found(
        trace_of(Step(LEASE, ("S0",)), "The lobby was painted in the summer.", context=CONTEXT)
    )
    assert (step.status, step.code, step.rests_on) == ("ENTAILED", "supported", ())
    assert (other.status, other.code, other.rests_on) == ("ENTAILED", "supported_uncited", ())


def test_a_step_that_nothing_carries_is_not_in_context() -> None:
    assert statuses(trace_of(ROOF, context=CONTEXT)) == ["NOT_IN_CONTEXT"]


def test_a_step_that_cites_the_wrong_source_is_not_in_context() -> None:
    step = found(trace_of(Step(LEASE, ("S1",)), context=CONTEXT))[0]
    assert (step.status, step.code) == ("NOT_IN_CONTEXT", "miscited")


def test_a_step_that_the_context_refutes_is_contradicted() -> None:
    refuting = Believing(lambda claim, chunks: REFUTED if chunks else DOUBTFUL)
    assert statuses(trace_of("The tenant left the building.", context=CONTEXT), refuting) == ["CONTRADICTED"]


def test_a_borderline_step_is_not_in_context() -> None:
    nearly = Believing(lambda claim, chunks: (0.93, 0.01) if chunks else (0.1, 0.1))
    step = found(trace_of(Step(LEASE, ("S0", "S1")), context=CONTEXT), nearly)[0]
    assert (step.code, step.status) == ("borderline", "NOT_IN_CONTEXT")


@pytest.mark.parametrize(
    "said", ["What did the tenant do?", "The tenant may have renewed the lease.", "Check the lease first."]
)
def test_what_asserts_nothing_is_unverifiable(said: str) -> None:
    step = found(trace_of(said, context=CONTEXT))[0]
    assert (step.status, step.code) == ("UNVERIFIABLE", "no_assertion")


def test_a_question_beside_an_assertion_leaves_the_assertion_to_decide() -> None:
    assert statuses(trace_of(f"What of the lease? {LEASE}", context=CONTEXT)) == ["ENTAILED"]


def test_a_step_takes_the_worst_of_its_statements() -> None:
    assert statuses(trace_of(f"{LEASE} {ROOF}", context=CONTEXT)) == ["NOT_IN_CONTEXT"]


def test_statements_over_the_limit_leave_the_step_unverifiable() -> None:
    step = found(trace_of(f"{LEASE} {LEASE}", context=CONTEXT), maximum_verified_claims=1)[0]
    assert (step.status, step.code) == ("UNVERIFIABLE", "claim_limit")


# --- earlier steps ----------------------------------------------------------------------------------
def follows(claim: str, chunks: list[str]) -> Belief:
    """``Hence`` follows from the roof garden, ``Finally`` from ``Hence``; else as it stands."""
    text = " ".join(chunks)
    if claim.startswith("Hence"):
        return SURE if ROOF.rstrip(".") in text or "terrace was built" in text else DOUBTFUL
    if claim.startswith("Finally"):
        return SURE if "Hence" in text else DOUBTFUL
    return stands(claim, chunks)


def test_a_step_that_follows_from_a_failed_one_is_not_entailed_and_says_so() -> None:
    steps = found(
        trace_of(ROOF, "Hence the roof garden blooms.", "Finally bees come by.", context=CONTEXT),
        Believing(follows),
    )
    assert [s.status for s in steps] == ["NOT_IN_CONTEXT"] * 3
    assert [s.code for s in steps[1:]] == ["rests_on_failed"] * 2
    assert steps[1].rests_on == (0,)
    assert "step 1" in steps[1].reason


def test_a_step_that_follows_from_an_entailed_one_is_entailed_and_shows_it() -> None:
    context = {**CONTEXT, "S2": "The terrace was built in spring."}
    trace = trace_of(
        "The terrace was built in spring.", Step("Hence the roof is open now.", ("step 1",)), context=context
    )

    def judge(claim: str, chunks: list[str]) -> Belief:
        hence = claim.startswith("Hence")
        return (
            (SURE if len(chunks) > 3 or chunks == [trace.steps[0].text] else DOUBTFUL)
            if hence
            else stands(claim, chunks)
        )

    step = found(trace, Believing(judge))[1]
    assert (step.status, step.rests_on, step.reason) == ("ENTAILED", (0,), "It follows from step 1.")


def test_a_step_that_follows_from_one_not_verified_is_not_verified_either() -> None:
    class Dropping(Believing):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            answers = super().batch_estimate(claims, context)
            return [
                Estimate(error="timeout") if c == ROOF else a for c, a in zip(claims, answers, strict=True)
            ]

    steps = found(trace_of(ROOF, "Hence the roof garden blooms.", context=CONTEXT), Dropping(follows))
    assert [(s.status, s.code) for s in steps] == [
        ("UNVERIFIABLE", "timeout"),
        ("UNVERIFIABLE", "rests_on_unverified"),
    ]


def test_a_step_that_the_context_carries_itself_does_not_rest_on_a_failed_one() -> None:
    steps = found(trace_of(ROOF, LEASE, context=CONTEXT))
    assert [s.status for s in steps] == ["NOT_IN_CONTEXT", "ENTAILED"]
    assert steps[1].rests_on == ()


def test_the_context_outranks_a_wrong_step() -> None:
    """Step 1 is wrong and step 2 repeats it: in view of step 1 a verifier believes step 2."""

    def judge(claim: str, chunks: list[str]) -> Belief:
        repeated = sum("cancelled" in chunk for chunk in chunks)
        return SURE if repeated else REFUTED if chunks else DOUBTFUL

    said = "The tenant cancelled the lease."
    steps = found(trace_of(said, said, context=CONTEXT), Believing(judge))
    assert [s.status for s in steps] == ["CONTRADICTED", "CONTRADICTED"]


def test_a_correction_of_a_wrong_step_is_carried_by_the_context() -> None:
    def judge(claim: str, chunks: list[str]) -> Belief:
        if claim == LEASE:
            return REFUTED if any("cancelled" in chunk for chunk in chunks) else stands(claim, chunks)
        return REFUTED

    steps = found(trace_of("The tenant cancelled the lease.", LEASE, context=CONTEXT), Believing(judge))
    assert [s.status for s in steps] == ["CONTRADICTED", "ENTAILED"]


def test_without_a_context_steps_are_premises_and_conclusions_hold_under_them() -> None:
    steps = found(
        trace_of(ROOF, "Hence the roof garden blooms.", "The moon is far away tonight."), Believing(follows)
    )
    assert [(s.status, s.code) for s in steps] == [
        ("UNVERIFIABLE", "premise"),
        ("ENTAILED", "under_premises"),
        ("UNVERIFIABLE", "premise"),
    ]
    assert steps[1].rests_on == (0,)


# --- numbers ----------------------------------------------------------------------------------------
MONEY = {"S0": "Rental income was $1,500,000. Operating expenses were $600,000."}
sure = Believing(lambda claim, chunks: SURE if chunks else DOUBTFUL)


def test_a_contradicted_number_contradicts_its_step_whatever_the_verifier_says() -> None:
    step = found(trace_of(Step("Operating expenses were $660,000.", ("S0",)), context=MONEY), sure)[0]
    assert step.status in ("CONTRADICTED", "NOT_IN_CONTEXT")
    swapped = found(trace_of(Step("Rental income was $5,100,000.", ("S0",)), context=MONEY), sure)[0]
    assert (swapped.status, swapped.code) == ("CONTRADICTED", "transposed")


def test_a_number_that_only_a_failed_step_states_is_not_entailed() -> None:
    wrong = "Parking income was $77,000 in the quarter."
    steps = found(trace_of(wrong, "Parking income was $77,000.", context=MONEY), sure)
    assert [s.status for s in steps] == ["NOT_IN_CONTEXT", "NOT_IN_CONTEXT"]
    assert steps[1].rests_on == (0,)


def test_a_right_result_needs_no_source_and_a_wrong_one_contradicts() -> None:
    right, wrong = (f"Net operating income was $1,500,000 − $600,000 = ${n}." for n in ("900,000", "950,000"))
    assert statuses(trace_of(right, "Net operating income was $900,000.", context=MONEY), sure) == [
        "ENTAILED",
        "ENTAILED",
    ]
    step = found(trace_of(wrong, context=MONEY), sure)[0]
    assert (step.status, step.code) == ("CONTRADICTED", "wrong_arithmetic")
    assert "900,000" in step.reason


def test_arithmetic_with_an_invented_operand_is_not_in_context() -> None:
    said = "Net operating income was $1,500,000 − $200,000 = $1,300,000."
    assert statuses(trace_of(said, context=MONEY), sure) == ["NOT_IN_CONTEXT"]


def test_a_date_of_the_question_is_no_assertion_of_the_step() -> None:
    said = "In Q3 2024 rental income was $1,500,000."
    assert statuses(trace_of(said, context=MONEY, question="What was rental income in Q3 2024?"), sure) == [
        "ENTAILED"
    ]
    assert statuses(trace_of(said, context=MONEY, question="What was rental income?"), sure) == [
        "NOT_IN_CONTEXT"
    ]


# --- failures ---------------------------------------------------------------------------------------
@pytest.mark.requirement("SPEC-08.42")
def test_a_failing_verifier_makes_steps_unverifiable_and_never_entailed() -> None:
    class Broken(Believing):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            raise RuntimeError("broken")

    assert statuses(trace_of(LEASE, ROOF, context=CONTEXT), Broken()) == ["UNVERIFIABLE", "UNVERIFIABLE"]


@pytest.mark.requirement("SPEC-08.43")
def test_a_deadline_that_is_over_asks_nothing_and_says_so() -> None:
    verifier = Believing()
    measured = measure(trace_of(LEASE, ROOF, context=CONTEXT), verifier, DEFAULTS, lambda: True)
    steps = decide(measured, DEFAULTS)
    assert [(s.status, s.code) for s in steps] == [("UNVERIFIABLE", "timeout")] * 2
    assert "time" in steps[0].reason
    assert verifier.asked == []


def test_the_context_alone_is_asked_about_once_for_all_steps() -> None:
    verifier = Believing()
    measure(
        trace_of(LEASE, ROOF, "The lobby was painted in the summer.", context=CONTEXT), verifier, DEFAULTS
    )
    alone = [claim for claim, chunks in verifier.asked if chunks == list(CONTEXT.values())]
    assert sorted(alone) == sorted([LEASE, ROOF, "The lobby was painted in the summer."])


# --- whatever comes ---------------------------------------------------------------------------------
probabilities = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda p: (p[0], p[1] * (1 - p[0])))
texts = st.sampled_from(
    [LEASE, ROOF, "What is it?", "NOI was $5 − $2 = $3.", "收入为150万美元。", "הדייר חידש את החוזה."]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(texts, probabilities), min_size=1, max_size=5), st.booleans())
def test_every_trace_is_judged_and_no_chain_of_entailment_hides_a_failure(
    steps: list[tuple[str, Belief]], with_context: bool
) -> None:
    beliefs = dict(steps)
    judge = Believing(lambda claim, chunks: beliefs.get(claim, DOUBTFUL))
    trace = trace_of(*(text for text, _ in steps), context=CONTEXT if with_context else None)
    measured = measure(trace, judge, DEFAULTS)
    judged = decide(measured, DEFAULTS)
    assert len(judged) == len(steps)
    for index, step in enumerate(judged):
        assert step.status in STATUSES
        assert step.reason
        assert all(n < index for n in step.rests_on)
        if step.status == "ENTAILED":
            assert not any(judged[n].status in ("CONTRADICTED", "NOT_IN_CONTEXT") for n in step.rests_on)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(texts, probabilities), min_size=1, max_size=4))
def test_what_is_measured_is_stored_and_decided_again_the_same(steps: list[tuple[str, Belief]]) -> None:
    beliefs = dict(steps)
    judge = Believing(lambda claim, chunks: beliefs.get(claim, DOUBTFUL))
    measured = measure(trace_of(*(text for text, _ in steps), context=CONTEXT), judge, DEFAULTS)
    again = codec.load(TraceMeasured, codec.dump(measured))
    assert decide(again, DEFAULTS) == decide(measured, DEFAULTS)


def test_a_step_without_citations_names_no_source_as_unknown() -> None:
    measured = measure(trace_of(Step(LEASE, ("S7", "step 2", "S0")), context=CONTEXT), Believing(), DEFAULTS)
    assert measured.steps[0].unknown == ("S7", "step 2")
    assert replace(measured.steps[0], unknown=()).cited == ("S7", "step 2", "S0")
