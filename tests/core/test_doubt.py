"""One score an answer: what its verifier believes of all statements, beside what it believes of those of correct answers."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.thresholds import DEFAULTS, resolve
from detection.core.types import Case, Claim, Finding, Verdict
from detection.core.verdict import Alike, Graded, doubt_limit, doubt_of, risk
from detection.core.verdict.doubt import CLEAN_ANSWERS, HALF

CHANCES = st.floats(0.01, 0.99)


def opinion(believed: float | None, claim: int = 0) -> Finding:
    return Finding("strawberry", claim, "unsupported", "unsupported", "why", believed=believed)


def verdict_over(*believed: float, share: float = 10.0, method: str = "logprobs") -> Verdict:
    claims = [Claim(n, "statement", "text", 0, 4, 0) for n, _ in enumerate(believed)]
    findings = [opinion(each, n) for n, each in enumerate(believed)]
    graded = Graded(Case("answer", language="en"), claims, findings, verifier=method)
    return risk.grade(graded, DEFAULTS.changed(clean_to_review=share))


def test_an_answer_of_which_a_verifier_believes_nothing_in_particular_is_not_doubted() -> None:
    assert doubt_of([]) == 0
    assert doubt_of([opinion(None)]) == 0


@given(CHANCES)
def test_the_doubt_of_one_statement_is_what_is_not_believed(believed: float) -> None:
    assert doubt_of([opinion(believed)]) == pytest.approx(1 - believed)


@given(st.lists(CHANCES, min_size=1, max_size=8))
def test_saying_everything_twice_adds_no_doubt(believed: list[float]) -> None:
    once = doubt_of(map(opinion, believed))
    assert doubt_of(map(opinion, believed * 2)) == pytest.approx(once)


@given(st.lists(CHANCES, min_size=1, max_size=8), CHANCES)
def test_a_statement_believed_less_than_another_raises_the_doubt(believed: list[float], lower: float) -> None:
    least = min(believed) * lower
    assert doubt_of(map(opinion, [*believed, least])) >= doubt_of(map(opinion, [*believed, min(believed)]))


def test_one_statement_doubted_a_little_flags_no_answer_and_one_denied_does() -> None:
    assert not verdict_over(0.97, 0.96, 0.6, 0.95).has_hallucinations
    assert verdict_over(0.97, 0.96, 0.02, 0.95).has_hallucinations


@given(
    st.lists(st.floats(0.5, 1), min_size=1, max_size=8),
    st.floats(0, 50),
    st.sampled_from(["local", "logprobs"]),
)
def test_an_answer_of_which_every_statement_is_held_carried_is_never_doubted(
    believed: list[float], share: float, method: str
) -> None:
    assert not verdict_over(*believed, share=share, method=method).has_hallucinations


def test_what_only_a_verifier_doubts_is_no_high_risk() -> None:
    assert verdict_over(0.02).risk_level == "moderate"
    assert verdict_over(0.02).needs_review


@given(st.floats(0, 50), st.floats(0, 50), st.booleans(), st.sampled_from(["en", "he", "zh", "de", ""]))
def test_the_more_correct_answers_may_be_flagged_the_lower_the_limit(
    one: float, other: float, figures: bool, language: str
) -> None:
    asked = [DEFAULTS.changed(clean_to_review=share) for share in sorted((one, other))]
    low, high = (doubt_limit(Alike("local · 2", language, figures), each).doubt for each in asked)
    assert low >= high >= HALF


def test_a_verifier_of_which_nothing_is_known_flags_what_it_holds_to_be_wrong() -> None:
    assert doubt_limit(Alike("logprobs · some-model · 2", "en", True), DEFAULTS) == (HALF, "half")


def test_the_embedded_verifier_has_the_limits_that_ship_whatever_its_version() -> None:
    assert doubt_limit(Alike("local · 2", "en", False), DEFAULTS) == (0.5607, "shipped")
    assert doubt_limit(Alike("local · 2", "he", True), DEFAULTS) == (HALF, "least")


@given(
    st.floats(0, 50),
    st.floats(0, 50),
    st.floats(0, 50),
    st.floats(0.5, 1),
    st.sampled_from(["local", "logprobs"]),
)
def test_a_learnt_limit_holds_and_the_more_may_be_flagged_the_lower_it_is(
    learnt_for: float, one: float, other: float, learnt: float, verifier: str
) -> None:
    alike = Alike(verifier, "en", figures=False)
    known = DEFAULTS.changed(doubt_limits={alike.name: learnt}, doubt_limits_for=learnt_for)
    asked = [known.changed(clean_to_review=share) for share in sorted((one, other))]
    low, high = (doubt_limit(alike, each).doubt for each in asked)
    assert low >= high >= learnt
    assert doubt_limit(alike, known.changed(clean_to_review=learnt_for)) == (learnt, "learnt")


def test_what_was_learnt_of_some_answers_holds_for_no_others() -> None:
    known = DEFAULTS.changed(doubt_limits={Alike("logprobs · m · 2", "en", figures=True).name: 0.8})
    others = [
        ("logprobs · m · 3", "en", True),
        ("logprobs · m · 2", "he", True),
        ("logprobs · m · 2", "en", False),
    ]
    assert [doubt_limit(Alike(*other), known).doubt for other in others] == [HALF] * 3


@given(st.text(), st.sampled_from(["en", "he", "zh", ""]), st.booleans())
def test_a_name_in_a_profile_tells_what_it_is_for(verifier: str, language: str, figures: bool) -> None:
    alike = Alike(verifier, language, figures)
    assert Alike.named(alike.name) == alike


def test_the_limits_that_ship_fall_from_share_to_share() -> None:
    for knots in json.loads(CLEAN_ANSWERS.read_text(encoding="utf-8"))["limits"]["local"].values():
        assert all(a < b and above >= below for (a, above), (b, below) in pairwise(map(tuple, knots)))


def test_a_target_under_one_half_is_refused_and_one_of_before_counts_as_one_half() -> None:
    with pytest.raises(ValueError, match="target_by_method"):
        DEFAULTS.changed(target_by_method={"local": 0.26})
    stored = {"base": {"target_by_method": {"local": 0.26, "sampled": 0.8}}}
    assert resolve(stored, {}).target_by_method == {"local": 0.5, "sampled": 0.8}
