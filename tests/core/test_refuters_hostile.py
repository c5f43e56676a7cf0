"""Refuters on texts that are made to be slow, and on empty ones."""

import pytest

from detection.core.refuters import refutations

LONG = 100_000
IN_TIME = pytest.mark.budget(3)  # a quadratic reading of this length takes minutes
HOSTILE = {
    "one word": "not " * (LONG // 4),
    "opposites": "rent rose and fell before and after " * (LONG // 36),
    "names": "Aa " * (LONG // 3),
    "digits": "1" * LONG,
    "punctuation": ",;:.()" * (LONG // 6),
    "Chinese": "不得可以须上升下降" * (LONG // 9),
    "Hebrew": "לא רשאי עלה ירד לפני " * (LONG // 21),
    "spaces": " " * LONG,
}


@IN_TIME
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hundred_thousand_characters_are_read_in_time(text: str) -> None:
    refutations(text, ["The rent rose before the notice and must not be paid in advance."], "en")
    refutations("The rent rose before the notice and must not be paid in advance.", [text], "en")


@IN_TIME
def test_both_sides_may_be_long() -> None:
    text = HOSTILE["opposites"]
    refutations(text, [text], "en")


@pytest.mark.parametrize(("claim", "evidence"), [("", []), ("", [""]), ("Rent fell.", []), ("…", ["—"])])
def test_nothing_is_refuted_by_nothing(claim: str, evidence: list[str]) -> None:
    assert refutations(claim, evidence, "en") == ()
