"""Whether an answer follows from its steps: what the executor is shown, and what its answer means."""

import pytest

from detection.core.statements import read_context
from detection.core.thresholds import DEFAULTS
from detection.core.traces import SYSTEM, UNDERIVABLE, missing_numbers, prompt
from detection.core.traces.post_hoc import decide, measure
from detection.core.types.traces import Executed, PostHoc, Trace
from tests.core.trace_cases import DOUBTFUL, REFUTED, SURE, Belief, Believing, trace_of
from tests.tables import each_case

pytestmark = pytest.mark.requirement("SPEC-08.25")
STEPS = ("Rental income was $1,500,000.", "Operating expenses were $600,000.")
QUESTION, ANSWER = "What was NOI of the tower?", "NOI of the tower was $900,000."
SECRET = {"S0": "The context says something secret."}


def trace(answer: str = ANSWER, question: str = QUESTION) -> Trace:
    return trace_of(*STEPS, context=SECRET, question=question, answer=answer)


def derived(
    text: str = "", *, answer: str = ANSWER, error: str | None = None, believing: Belief = SURE
) -> PostHoc:
    executed = Executed(text, "m", error=error)
    verifier = Believing(lambda claim, chunks: believing)
    return decide(measure(trace(answer), verifier, DEFAULTS, executed), DEFAULTS)


@pytest.mark.requirement("SPEC-08.26")
def test_the_executor_sees_question_and_steps_and_neither_context_nor_answer() -> None:
    asked = prompt(trace(), DEFAULTS)
    assert read_context(asked) == list(STEPS)
    assert asked.endswith(f"Question: {QUESTION}")
    for hidden in ("secret", "900,000"):
        assert hidden not in asked + SYSTEM


def test_the_same_answer_follows() -> None:
    found = derived("The NOI of the tower was $900,000.")
    assert (found.derivable, found.method) == (True, "executor")
    assert found.executor_answer == "The NOI of the tower was $900,000."


@pytest.mark.requirement("SPEC-08.26")
def test_a_right_answer_that_does_not_follow_from_its_steps_is_caught() -> None:
    """$1,234,567 may be right for all that the steps say; they lead elsewhere."""
    found = derived("NOI of the tower was $900,000.", answer="NOI of the tower was $1,234,567.")
    assert found.derivable is False
    assert "$1,234,567" in found.reason


@pytest.mark.parametrize(
    "said", [UNDERIVABLE, "**Underivable.**", "underivable – the steps say nothing of it"]
)
def test_an_executor_that_finds_no_answer_says_it_does_not_follow(said: str) -> None:
    assert derived(said).derivable is False


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize("error", ["timeout", "rate_limited", "verifier_error", "verifier_empty_choices"])
def test_a_failing_executor_leaves_it_open_and_never_proves(error: str) -> None:
    found = derived(error=error)
    assert (found.derivable, found.method) == (None, "executor")
    assert found.reason.startswith("The executor gave no answer.")


def test_answers_of_words_are_compared_by_entailment_both_ways() -> None:
    said, other = "The tenant pays the insurance.", "The owner pays the insurance."
    assert derived(said, answer="The tenant pays the insurance of the building.").derivable is True
    assert derived(other, answer=said, believing=REFUTED).derivable is False
    assert derived(other, answer=said, believing=DOUBTFUL).derivable is False


def test_an_answer_that_says_more_than_was_derived_does_not_follow() -> None:
    more = "NOI was $900,000 because the anchor tenant moved in."
    trace_ = trace(more)
    verifier = Believing(lambda claim, chunks: DOUBTFUL if "anchor" in claim else SURE)
    found = decide(measure(trace_, verifier, DEFAULTS, Executed("NOI was $900,000.")), DEFAULTS)
    assert (found.derivable, found.reason) == (False, "The answer says more than follows from its steps.")


def test_a_bare_number_is_compared_as_a_number() -> None:
    assert derived("The NOI was $900,000.", answer="$900,000", believing=DOUBTFUL).derivable is True
    assert derived("The NOI was $901,000.", answer="$900,000", believing=SURE).derivable is False


def test_a_verifier_that_fails_at_the_comparison_leaves_it_open() -> None:
    class Broken(Believing):
        def batch_estimate(self, claims: object, context: str) -> list:
            raise RuntimeError("broken")

    measured = measure(trace(), Broken(), DEFAULTS, Executed("NOI of the tower was $900,000."))
    assert decide(measured, DEFAULTS).derivable is None


@each_case(
    ("answer", "said", "missing"),
    [
        ("It was $1.2M.", "It was $1,200,000.", ()),
        ("It was $1.2M.", "It was $1,900,000.", ("$1.2M",)),
        ("It was $500.", "It was 500.", ()),
        ("It was $500.", "It was 500 %.", ("$500",)),
        ("It was 92 %.", "It was 92.4 %.", ()),
        ("In 2024 it was $5.", "In Q3 2024 it was $5.", ()),
        ("In Q3 2024 it was $5.", "In Q2 2024 it was $5.", ("Q3 2024",)),
        ('הסכום היה 500 ש"ח.', 'הסכום: 500 ש"ח', ()),
        ("收入为150万美元。", "收入是1,500,000美元。", ()),
        ("Nothing to count.", "12", ()),
    ],
)
def test_numbers_of_two_answers(answer: str, said: str, missing: tuple[str, ...]) -> None:
    assert missing_numbers(trace(answer, "How much?"), said) == missing


def test_numbers_of_the_question_are_given() -> None:
    assert missing_numbers(trace("In Q3 2024 it was $5.", "What was it in Q3 2024?"), "It was $5.") == ()


@pytest.mark.parametrize(
    ("answer", "said", "missing"),
    [
        ("$4.8M", "NOI was $5.2M.", ("$4.8M",)),
        ("$5.2M", "NOI was $5.2M.", ()),
        ("Q3 2024: $4.8M", "NOI was $5.2M.", ("$4.8M",)),
        ("Q3 2024: $5.2M", "NOI was $5.2M.", ()),
        ("Q3 2024", "It was in Q2 2024.", ("Q3 2024",)),
    ],
)
def test_a_bare_number_that_the_question_offers_must_be_derived(
    answer: str, said: str, missing: tuple[str, ...]
) -> None:
    assert missing_numbers(trace(answer, "Was NOI $5.2M or $4.8M in Q3 2024?"), said) == missing


@pytest.mark.parametrize(
    ("belief", "derivable"), [(SURE, True), (DOUBTFUL, False), (REFUTED, False), ((0.9, 0.0), False)]
)
def test_without_an_executor_the_answer_is_held_against_the_steps_alone(
    belief: Belief, derivable: bool
) -> None:
    verifier = Believing(lambda claim, chunks: belief)
    words = trace("The tenant pays the insurance.")
    found = decide(measure(words, verifier, DEFAULTS), DEFAULTS)
    assert (found.derivable, found.method, found.executor_answer) == (derivable, "entailment", "")
    assert all(chunks in (list(STEPS), []) for _, chunks in verifier.asked)


def test_an_answer_that_asserts_nothing_leaves_it_open() -> None:
    found = decide(measure(trace("Who knows?"), Believing(), DEFAULTS), DEFAULTS)
    assert (found.derivable, found.method) == (None, "entailment")
