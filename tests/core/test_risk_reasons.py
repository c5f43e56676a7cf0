"""Every reason for the answer as a whole is a plain sentence in the answer's language."""

import string
from dataclasses import replace

import pytest

from detection.core import judge, pipeline
from detection.core.citations import EMPTY, NO_CLAIMS
from detection.core.context import Context, NotAsked
from detection.core.statements import OVERLOAD
from detection.core.text import detect_language, has_rules
from detection.core.thresholds import DEFAULTS
from detection.core.types import (
    Case,
    GroundingDecision,
    JudgeDecision,
    Misplaced,
    Reason,
    Score,
    Span,
    Status,
)
from detection.core.verdict import SENTENCES, WORDS, Graded, risk, word
from tests.core.test_risk import CALM, DISPUTE, finding, graded
from tests.tables import each_case

pytestmark = pytest.mark.requirement("CIT-07")


def doubtful_in_every_way(language: str) -> Graded:
    """An answer with everything the matter that can be the matter with an answer."""
    case = Case("answer", language=language, iteration=9, max_iterations=10, refused="…")
    rules = replace(
        CALM,
        invalid=("S9",),
        uncited_count=4,
        citation_ratio=0.25,
        risk_score=0.75,
        note=NO_CLAIMS,
        misplaced=(Misplaced(0, ("S0",), "S1"),),
        indicators=("…",),
        too_long=True,
    )
    score = Score((9.0, 9.0), (1.0, 1.0), "unsupported")
    return replace(
        graded(
            replace(finding("unsupported"), code="abstention_doubted", score=score, disputed=(DISPUTE,)),
            case=case,
            citations=rules,
        ),
        grounding=GroundingDecision(False, 0.2, 1, 5),
        judge=JudgeDecision(0.9, "reject", "…"),
        injected=(Span("S0", 0, 1, "…"), Span("", 0, 1, "…")),
        failed={"numeric": pipeline.OUT_OF_TIME},
        left_out={"judge": pipeline.NOT_DUE},
        flag_threshold_bits=5.0,
    )


def told(language: str) -> list[Reason]:
    given = risk.grade(doubtful_in_every_way(language), DEFAULTS).reasons
    return [reason for reason in given if reason.code != "statement_doubted"]


@pytest.mark.parametrize("language", ["he", "zh", "zh-TW"])
def test_each_sentence_is_in_the_answers_language(language: str) -> None:
    wrong = [r for r in told(language) if detect_language(r.text) != language.split("-")[0]]
    assert wrong == []


def test_every_code_is_told_in_the_same_order_in_every_language() -> None:
    codes = [reason.code for reason in told("en")]
    assert {*codes} | {"note_empty", "note_no_claims", "generic_language"} == {*SENTENCES}
    assert codes == [reason.code for reason in told("he")] == [reason.code for reason in told("zh")]


@each_case("code", [code for code in SENTENCES if code != "generic_language"])
def test_a_sentence_says_the_same_in_each_language(code: str) -> None:
    filled = [
        sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)
        for text in SENTENCES[code].values()
    ]
    assert {*SENTENCES[code]} == {"en", "he", "zh"}
    assert all(names == filled[0] for names in filled)


def test_what_a_sentence_names_stands_beside_it_whatever_the_language() -> None:
    given = {reason.code: reason.values for reason in told("en")}
    assert [reason.values for reason in told("he")] == [reason.values for reason in told("en")]
    for code in {*SENTENCES} & {*given}:
        assert {*given[code]} == {
            name for _, name, _, _ in string.Formatter().parse(SENTENCES[code]["en"]) if name
        }
    assert given["high_hallucination_risk"] == {"lacking": "8", "limit": "5"}
    assert given["few_citations"]["ratio"] == "0.25"
    assert given["check_failed"] == {"name": "numeric", "why": pipeline.OUT_OF_TIME}
    assert (given["sources_disagree"]["first"], given["sources_disagree"]["second"]) == ("S0", "S1")


@each_case(
    "fixed",
    [*pipeline.DETECTORS, pipeline.NOT_DUE, OVERLOAD, pipeline.OUT_OF_TIME, *(
        "no text model is configured.", "the answer claims nothing.", "the citation rules alone find a high risk.",
    )],
)  # fmt: skip
def test_what_is_filled_in_is_translated_too(fixed: str) -> None:
    assert {*WORDS[fixed]} == {"he", "zh"}
    assert word(fixed, "en") == fixed


def test_the_words_of_a_judge_that_was_not_asked_are_those_of_the_table() -> None:
    with pytest.raises(NotAsked) as refusal:
        judge.measure(Context(Case("answer"), (), judges=None))
    assert str(refusal.value) in WORDS


def test_notes_on_answers_without_claims_keep_the_documents_words_in_english() -> None:
    for note in (EMPTY, NO_CLAIMS):
        (reason,) = risk.grade(graded(citations=replace(CALM, note=note)), DEFAULTS).reasons
        assert (reason.code, reason.text) == ("note", note)


@pytest.mark.parametrize("status", ["supported", "contradicted", "unsupported"])
def test_an_answer_of_which_something_was_checked_is_not_said_to_claim_nothing(status: Status) -> None:
    checked = graded(finding(status), citations=replace(CALM, note=NO_CLAIMS))
    assert "note" not in [reason.code for reason in risk.grade(checked, DEFAULTS).reasons]


@pytest.mark.parametrize(("language", "known"), [("en", True), ("en-GB", True), ("he", True), ("fr", False)])
def test_a_language_without_rules_of_its_own_is_told_so(language: str, known: bool) -> None:
    assert has_rules(language) is known
    given = risk.grade(graded(finding(), case=Case("answer", language=language)), DEFAULTS).reasons
    assert [reason.code for reason in given] == ([] if known else ["generic_language"])


def test_a_language_without_sentences_of_its_own_gets_english() -> None:
    told_in_french = [reason.text for reason in told("fr") if reason.code != "generic_language"]
    assert told_in_french == [reason.text for reason in told("en")]


@each_case("status", ["contradicted", "unsupported"])
def test_a_statement_that_only_an_opinion_is_against_is_called_doubted(status: Status) -> None:
    given = risk.grade(graded(finding(status)), DEFAULTS).reasons
    assert [(reason.code, reason.text) for reason in given] == [("statement_doubted", "why")]


def test_what_is_proved_is_told_before_what_is_doubted_and_that_before_what_nobody_checked() -> None:
    found = (finding("unverified", "timeout"), finding("contradicted"), finding("unsupported", "not_found"), finding("contradicted", "scale"))  # fmt: skip
    given = risk.grade(
        graded(*found, kinds=["statement", "statement", "currency", "ratio"]), DEFAULTS
    ).reasons
    assert [(reason.code, reason.claim) for reason in given] == [
        ("number_contradicted", 3), ("number_unsupported", 2), ("statement_doubted", 1), ("statement_unverified", 0),
    ]  # fmt: skip
