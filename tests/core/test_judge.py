"""What the judge's opinion is turned into."""

import pytest

from detection.core.context import Context
from detection.core.judge import decide
from detection.core.types import JudgeDecision, JudgeMeasurement


def decided(decision: str, risk: float = 0.5) -> JudgeDecision:
    opinion = JudgeMeasurement(0.8, "reasons", 0.9, decision, risk, "one number has no source")
    return decide(opinion, Context())


@pytest.mark.requirement("CIT-06")
@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("continue", "refine_search"), ("refine_search", "refine_search"), ("synthesize", "accept"),
        (" Synthesize ", "accept"), ("reject", "reject"),
    ],
)  # fmt: skip
def test_the_judges_words_become_actions(word: str, action: str) -> None:
    assert decided(word).action == action


@pytest.mark.requirement("CIT-06")
@pytest.mark.parametrize(
    ("risk", "action"), [(0.3, "accept"), (0.31, "refine_search"), (0.6, "refine_search"), (0.61, "reject")]
)
def test_a_word_that_was_not_offered_leaves_the_advice_to_the_risk(risk: float, action: str) -> None:
    assert decided("maybe", risk).action == action


@pytest.mark.parametrize(("stated", "held"), [(-1.0, 0.0), (0.25, 0.25), (7.0, 1.0)])
def test_risk_is_held_between_zero_and_one(stated: float, held: float) -> None:
    assert decided("continue", stated).risk == held


def test_the_notes_are_kept() -> None:
    assert decided("continue").notes == "one number has no source"
