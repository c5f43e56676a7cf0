"""Citation rules: which ids are valid, what is uncited, and the risk that follows."""

from dataclasses import replace

import pytest

from detection.core.citations import decide, measure
from detection.core.claims import read
from detection.core.context import Context
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Case, CitationDecision, CitationMeasurement, Source

LONG = "The portfolio as a whole did noticeably better than in the year before"
SOURCES = (Source("S0", "x" * 400, score=0.8), Source("S1", "y" * 400, parent_ref="D9", score=0.6))


def measured(answer: str, language: str = "en", sources: tuple[Source, ...] = SOURCES) -> CitationMeasurement:
    case = Case(answer=answer, language=language, sources=sources)
    return measure(Context(case, read(case)))


def decided(answer: str, language: str = "en", **changed: float | str | tuple[str, ...]) -> CitationDecision:
    return decide(measured(answer, language), Context(thresholds=DEFAULTS.changed(**changed)))


@pytest.mark.requirement("CIT-01")
@pytest.mark.requirement("RAG-06")
def test_ids_and_parent_ids_are_valid_and_others_are_listed() -> None:
    found = decided(
        "NOI was strong this year [S0][D9]. Costs were a concern [S7, S0]. Rents held up well [8]."
    )
    assert found.valid == ("S0", "D9")
    assert found.invalid == ("S7", "8")
    assert found.invalid_by_claim == {1: ("S7",), 2: ("8",)}


def test_marks_of_an_answer_that_came_without_sources_count_for_nothing() -> None:
    answer = "NOI was strong this year [S0]. Costs were a concern [S7]."
    assert decide(measured(answer), Context(thresholds=DEFAULTS)).expected
    assert not decide(measured(answer, sources=()), Context(thresholds=DEFAULTS)).expected


@pytest.mark.requirement("CIT-02")
def test_the_first_three_long_uncited_sentences_are_shown_and_all_counted() -> None:
    answer = f"{LONG} again and again and again and again and again. {LONG} [S0]. {LONG}: two. {LONG}: three. {LONG}: four. Short."
    found = decided(answer)
    assert found.uncited_count == 4
    assert len(found.uncited_sentences) == 3
    assert found.uncited_sentences[0] == f"{LONG} again and again and again and again and again."[:100]
    assert found.uncited_sentences[1] == f"{LONG}: two."


@pytest.mark.requirement("CIT-02")
@pytest.mark.parametrize(("length", "count"), [(50, 0), (51, 1)])
def test_only_sentences_over_fifty_characters_need_a_citation(length: int, count: int) -> None:
    assert decided("A" * (length - 1) + ".").uncited_count == count


@pytest.mark.requirement("CIT-03")
def test_the_ratio_counts_sentences_with_a_valid_citation() -> None:
    cited = "The net income rose by a lot [S0]. The expenses stayed flat [S0]. "
    found = decided(cited + "The rents were going up [S7]. 20 characters it is. Yes [S1].")
    assert found.total_claims == 3
    assert found.citation_ratio == pytest.approx(2 / 3)
    assert found.citation_ratio_literal == pytest.approx(2 / 3)
    assert found.risk_score == pytest.approx(1 / 3)
    assert found.has_risk


@pytest.mark.requirement("CIT-03")
def test_the_documents_own_ratio_decides_when_the_profile_says_so() -> None:
    answer = "The net income rose again [S0]. The expenses were flat [S0]. The rents went up a lot [S0]. The costs were lower [S0]."
    assert decided(answer).risk_score == 0.0
    literal = decided(answer, citation_ratio_rule="literal")
    assert literal.citation_ratio_literal == 0.25
    assert literal.risk_score == 0.75


@pytest.mark.requirement("CIT-03")
def test_more_ids_than_sentences_are_no_negative_risk() -> None:
    found = decided("The net income rose by much [S0][S1][D9].", citation_ratio_rule="literal")
    assert found.citation_ratio_literal == 3.0
    assert found.risk_score == 0.0


@pytest.mark.requirement("CIT-03")
@pytest.mark.parametrize(("limit", "risk"), [(0.49, True), (0.5, False)])
def test_risk_is_what_exceeds_the_threshold(limit: float, risk: bool) -> None:
    answer = "The net income rose again [S0]. The expenses were lower now."
    assert decided(answer, citation_risk=limit).has_risk is risk


@pytest.mark.requirement("CIT-09")
@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("", "Answer is empty, cannot detect hallucinations"),
        (" \n", "Answer is empty, cannot detect hallucinations"),
        ("NOI rose.", "No valid claims found, cannot detect hallucinations"),
        ("|--------|---------|--------|--------|", "No valid claims found, cannot detect hallucinations"),
    ],
)
def test_nothing_to_check_is_no_risk_and_says_why(answer: str, note: str) -> None:
    found = decided(answer)
    assert (found.has_risk, found.risk_score, found.total_claims, found.note) == (False, 0.0, 0, note)


@pytest.mark.requirement("CIT-09")
def test_an_answer_with_claims_needs_no_note() -> None:
    assert decided(f"{LONG} [S0].").note is None


@pytest.mark.parametrize(
    ("rule", "answer", "expected"),
    [
        ("auto", "NOI rose.", False), ("auto", "NOI rose [S0].", True), ("auto", "NOI rose [S9].", True),
        ("always", "NOI rose.", True), ("never", "NOI rose [S0].", False),
    ],
)  # fmt: skip
def test_citations_are_expected_as_the_profile_says(rule: str, answer: str, expected: bool) -> None:
    assert decided(answer, citations_expected=rule).expected is expected


@pytest.mark.requirement("RAG-05")
@pytest.mark.parametrize(
    ("language", "answer", "named"),
    [
        ("en", "As we know, rents usually rise [S0].", ("as we know", "usually")),
        ("en", "As  we\nknow, rents rise.", ("as we know",)),
        ("en", "Rents rose unusually fast.", ()),
        ("he", "כידוע, השכירות עולה ושבדרך כלל כך.", ("כידוע", "בדרך כלל")),
        ("zh", "众所周知，租金通常上涨。", ("众所周知", "通常")),
    ],
)
def test_phrases_that_point_outside_are_named(language: str, answer: str, named: tuple[str, ...]) -> None:
    assert sorted(decided(answer, language).indicators) == sorted(named)


@pytest.mark.requirement("RAG-05")
def test_another_list_of_phrases_is_tried_on_the_same_measurement() -> None:
    before = measured("Everybody says that rents rise.")
    assert decide(before, Context()).indicators == ()
    assert decide(
        before, Context(thresholds=Thresholds(indicator_phrases=("everybody SAYS",)))
    ).indicators == ("everybody SAYS",)


@pytest.mark.requirement("RAG-07")
@pytest.mark.parametrize(("length", "too_long"), [(1600, False), (1601, True)])
def test_an_answer_over_twice_its_context_is_too_long(length: int, too_long: bool) -> None:
    assert decided("a" * length).too_long is too_long


def test_without_sources_there_is_nothing_to_be_longer_than() -> None:
    found = decide(measured("NOI rose.", sources=()), Context())
    assert (found.too_long, found.sources, found.mean_score) == (False, 0, None)


def test_the_mean_score_is_over_the_sources_that_have_one() -> None:
    sources = (*SOURCES, Source("S2", "z"))
    assert measured("NOI rose.", sources=sources).mean_score == pytest.approx(0.7)


def test_a_longer_limit_needs_no_new_measurement() -> None:
    before = measured(f"{LONG}. {LONG} [S0].")
    assert decide(before, Context()).uncited_count == 1
    assert decide(before, Context(thresholds=replace(DEFAULTS, uncited_length=100))).uncited_count == 0


def test_duplicate_ids_and_ten_thousand_citations_are_read() -> None:
    sources = (*SOURCES, Source("S0", "other"))
    answer = "NOI was strong this year [S0]. " + "[S1]" * 10_000
    found = decide(measured(answer, sources=sources), Context())
    assert (found.valid, found.invalid) == (("S0", "S1"), ())
