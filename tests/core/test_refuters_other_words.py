"""What refuters see past the same words: parties known by a name, a denial in a clause said otherwise, causes exchanged;
and what only looks like a refutation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.refuters import refutations

POLICY = (
    "The insurer is Quenby Mutual, and Harl & Stowe act as broker. The insured, Tollgate Printers Ltd, keeps the presses in "
    "repair. Where the insurer ends the policy early, premium for the remaining months is returned pro rata; where the "
    "insured ends it, the premium is kept."
)
NOTES = (
    "Sales of paper fell in the spring because two printers had closed. The stores on the ground floor are not let to "
    "traders from abroad. The north hall had four faults and the south hall nine. Net gearing of the club may not exceed 60%. "
    "Members may choose to buy a locker and can then keep their skates in it. Cover ends only once the arrears have lasted for "
    "two months. The committee has not yet taken a decision on the new lamps."
)


def kinds(claim: str, evidence: str, language: str = "en") -> list[str]:
    return [one.kind for one in refutations(claim, [evidence], language)]


def test_a_name_that_the_source_gives_a_role_is_that_party() -> None:
    exchanged = (
        "If Tollgate Printers end the policy early, premium for the remaining months is returned pro rata."
    )
    assert "parties" in kinds(exchanged, POLICY)
    assert kinds(exchanged.replace("Tollgate Printers", "Quenby Mutual"), POLICY) == []


def test_a_name_without_a_role_is_nobody_s() -> None:
    claim = "If Harl & Stowe end the policy early, premium for the remaining months is returned pro rata."
    assert kinds(claim, POLICY.replace("act as broker", "were present")) == []


def test_a_denial_is_seen_in_a_clause_said_otherwise() -> None:
    source = "Cover is given for stock and machines; vans on the premises are not insured."
    assert "negation" in kinds("Vans on the premises are likewise insured.", source)


@pytest.mark.parametrize(
    "claim",
    [
        "It is out of the question, says the note, that stores on the ground floor are let to traders from abroad.",
        "Nobody, at any time, lets stores on the ground floor to traders from abroad.",
    ],
)
def test_a_denial_elsewhere_in_the_sentence_leaves_open_what_is_denied(claim: str) -> None:
    source = "The stores on the ground floor are not let to traders from abroad."
    assert kinds(claim.replace("out of the question", "forbidden"), source) == []


@pytest.mark.parametrize(
    "claim", ["Not in 2023: the mill ran two shifts.", "Not 2023 but 2024 was the year of the flood."]
)
def test_a_number_that_is_denied_is_no_predicate(claim: str) -> None:
    source = "In 2023 the mill ran one shift; 2023 was the year of the drought. In 2024 the flood closed the mill, which ran two shifts."
    assert kinds(claim, source) == []


def test_what_is_denied_of_a_year_is_its_predicate() -> None:
    assert kinds("The mill did not close in 2023.", "The mill closed in 2023.") == ["negation"]


def test_a_duty_needs_no_same_word_behind_it_where_all_else_agrees() -> None:
    assert kinds("Members must buy a locker and can then keep their skates in it.", NOTES) == ["modality"]


def test_a_duty_to_keep_a_bound_is_said_both_ways() -> None:
    assert kinds("Net gearing of the club must be at most 60%.", NOTES) == []


def test_two_things_that_a_sentence_tells_apart_do_not_deny_each_other() -> None:
    assert kinds("The south hall had more faults.", NOTES) == []


def test_only_once_is_no_denial() -> None:
    source = "Cover does not end until the arrears have lasted for two months."
    assert kinds("Cover ends only once the arrears have lasted for two months.", source) == []


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        ("Sales of paper fell in the spring because of the weather.", NOTES, "en"),
        ("Because of the weather, sales of paper fell in the spring.", NOTES, "en"),
        ("מכירות הנייר ירדו באביב בגלל מזג האוויר.", "מכירות הנייר ירדו באביב משום ששתי חנויות נסגרו.", "he"),
        ("纸张销售额春季下降，因为天气寒冷。", "纸张销售额春季下降，因为两家工厂关闭。", "zh"),
    ],
)
def test_another_cause_of_the_same_thing_refutes(claim: str, source: str, language: str) -> None:
    assert "cause" in kinds(claim, source, language)


@pytest.mark.parametrize(
    "claim",
    [
        "Sales of paper fell in the spring due to the closing of two printers.",
        "Sales of paper have fallen since March, when two printers closed.",
        "Membership grew because of the weather.",
    ],
)
def test_the_same_cause_and_a_cause_of_something_else_refute_nothing(claim: str) -> None:
    assert kinds(claim, NOTES) == []


MINUTES = (
    "The treasurer of the club, Ms Aldous, recommended closing the upper rink for a fortnight; the coach, Dr Brandt, opposed this. "
    "Mr Cray expects the fees to stay below 90 crowns next season. Three of the five rinks have a new roof by now."
)


@pytest.mark.parametrize(
    "claim",
    [
        "Closing the upper rink for two weeks was the recommendation of Dr Brandt.",
        "According to Ms Aldous, the fees will stay below 90 crowns next season.",
    ],
)
def test_somebody_else_who_said_it_refutes(claim: str) -> None:
    assert kinds(claim, MINUTES) == ["attribution"]


@pytest.mark.parametrize(
    "claim",
    [
        "Closing the upper rink for two weeks was the recommendation of Ms Aldous.",
        "According to Mr Cray, the fees will stay below 90 crowns next season.",
        "Mr Cray told Ms Aldous that the fees would stay below 90 crowns next season.",
        "Ms Aldous recommended tea with milk.",
    ],
)
def test_who_said_it_or_said_something_else_is_not_refuted(claim: str) -> None:
    assert kinds(claim, MINUTES) == []


def test_a_number_of_a_larger_one_is_not_all() -> None:
    assert kinds("All of the five rinks have a new roof by now.", MINUTES) == ["quantifier"]
    assert kinds("Some of the five rinks have a new roof by now.", MINUTES) == []


def test_a_hebrew_noun_is_not_the_verb_of_the_same_letters() -> None:
    source = "הגזברית דיווחה כי פחת המים ברשת עלה בשנת 2024 מ-8% ל-11%."
    assert kinds("הפחת הגיע בשנת 2024 ל-11%, לעומת 8% קודם לכן.", source, "he") == []


@given(st.lists(st.sampled_from(POLICY.split() + NOTES.split()), max_size=30).map(" ".join))
def test_spans_lie_in_their_texts(claim: str) -> None:
    for one in refutations(claim, [NOTES, POLICY], "en"):
        assert 0 <= one.claim_start < one.claim_end <= len(claim)
        assert 0 <= one.start < one.end <= len([NOTES, POLICY][one.source_index])
        assert 0 <= one.alignment <= 1
