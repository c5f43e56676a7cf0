"""Strict generation: every layer can refuse, and what is refused is never shown."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.generation import (
    FALLBACKS,
    PRESETS,
    Detect,
    Generated,
    Request,
    Strictness,
    asserted,
    generate,
)
from detection.core.ports import Verifier, VerifierTimeout
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Source
from tests.core.judges import Scripted
from tests.core.screened import Reading, screened

SOURCES = (
    Source("S0", "Net operating income of Oak Plaza was $1,234,567 in the third quarter of 2024.", title="Statement",
           score=0.9, metadata={"page": 4}),
    Source("S1", "The anchor tenant renewed its lease for ten years in August 2024.", title="Lease file", score=0.8,
           metadata={"section": "2.1", "page": 7}),
)  # fmt: skip
CASE = Case(answer="", question="What was the net operating income of Oak Plaza?", sources=SOURCES)
GOOD = "Net operating income of Oak Plaza was $1,234,567 in the third quarter of 2024 [S0]."


def read_by(verifier: Verifier | None) -> Detect:
    """The full detection with this verifier."""
    return lambda case: screened(case, DEFAULTS.changed(minimum_claim_length=0), verifier, read=asserted)


BELIEVED = read_by(Reading())


def written(answer: Any, case: Case = CASE, detect: Detect = BELIEVED, **wanted: Any) -> Generated:
    return generate(case, Scripted("model", answer), DEFAULTS, Request(**wanted), detect)


@pytest.mark.requirement("RAG-09")
@pytest.mark.requirement("RAG-10")
def test_an_answer_that_passes_every_layer_is_safe_and_names_its_sources() -> None:
    found = written(GOOD)
    assert (found.status, found.is_safe, found.reason) == ("success", True, None)
    assert found.confidence == pytest.approx(0.85)
    assert found.answer == f"{GOOD}\n\n**Sources:**\n- [S0] Statement, page 4"
    assert [layer.name for layer in found.layers] == [
        "answered",
        "citations",
        "patterns",
        "grounding",
        "sources",
        "detection",
    ]


@pytest.mark.requirement("RAG-10")
def test_citations_at_the_end_leave_the_text_without_marks() -> None:
    found = written(f"{GOOD} The anchor tenant renewed its lease for ten years [S1].", style="end")
    body, sources = found.answer.split("\n\n")
    assert "[" not in body
    assert sources.splitlines() == [
        "**Sources:**",
        "- [S0] Statement, page 4",
        "- [S1] Lease file, section 2.1, page 7",
    ]


@pytest.mark.requirement("RAG-01")
@pytest.mark.parametrize("sources", [(), (Source("S0", "  ", score=1.0),)])
def test_without_sources_the_model_is_not_called(sources: tuple[Source, ...]) -> None:
    model = Scripted("model", GOOD)
    found = generate(
        Case("", question="What was NOI?", sources=sources), model, DEFAULTS, Request(), BELIEVED
    )
    assert (found.status, found.answer, found.is_safe) == ("insufficient_context", FALLBACKS["en"], False)
    assert model.asked == []


@pytest.mark.requirement("RAG-02")
@pytest.mark.parametrize(("scores", "status"), [((0.9, None), "low_confidence"), ((0.6, 0.6), "success")])
def test_the_mean_score_decides_before_the_model_is_called(scores: tuple[Any, Any], status: str) -> None:
    sources = tuple(Source(s.ref, s.text, score=score) for s, score in zip(SOURCES, scores, strict=True))
    model = Scripted("model", GOOD)
    found = generate(Case("", question=CASE.question, sources=sources), model, DEFAULTS, Request(), BELIEVED)
    assert found.status == status
    assert bool(model.asked) == (status == "success")


@pytest.mark.requirement("RAG-03")
def test_the_prompt_holds_the_rules_and_the_sources() -> None:
    model = Scripted("model", GOOD)
    generate(CASE, model, DEFAULTS, Request(audience="a ten-year-old"), BELIEVED)
    ((rules, prompt),) = model.asked
    assert "nothing else" in rules
    assert FALLBACKS["en"] in rules
    assert "[S0]" in rules
    assert "a ten-year-old" in rules
    assert SOURCES[1].text in prompt
    assert CASE.question in prompt


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        pytest.param(f"As we know, {GOOD}", "As we know", marks=pytest.mark.requirement("RAG-05")),
        pytest.param(f"{GOOD} Costs fell [S9].", "[S9]", marks=pytest.mark.requirement("RAG-06")),
        pytest.param(f"{GOOD} " * 8, "much longer", marks=pytest.mark.requirement("RAG-07")),
        pytest.param("The roof leaks badly and mould is growing everywhere [S0].", "0 of its 1 sentences",
                     marks=pytest.mark.requirement("RAG-08")),
        ("Net operating income of Oak Plaza was $1,243,567 in the third quarter of 2024 [S0].", "number in it is wrong"),
        ("Net operating income of Oak Plaza was $9,876,543 in the third quarter of 2024 [S0].", "$9,876,543"),
        ("The anchor tenant renewed its lease for 37 years in August 2024 [S1].", "37"),
    ],
)  # fmt: skip
def test_a_layer_that_fails_refuses_and_says_why(answer: str, why: str) -> None:
    found = written(answer)
    assert (found.status, found.is_safe, found.confidence) == ("hallucination_detected", False, 0.0)
    assert why.casefold() in (found.reason or "").casefold()
    assert found.answer == FALLBACKS["en"]
    assert found.raw == answer
    assert found.sources == ()


@pytest.mark.requirement("RAG-04")
def test_a_true_answer_without_a_citation_is_refused() -> None:
    found = written(GOOD.replace(" [S0]", ""))
    assert (found.status, found.reason) == ("hallucination_detected", "It cites no source.")
    assert found.answer == FALLBACKS["en"]


@pytest.mark.requirement("RAG-03")
def test_a_model_that_does_not_know_is_believed() -> None:
    found = written(FALLBACKS["en"])
    assert (found.status, found.answer) == ("insufficient_context", FALLBACKS["en"])


@pytest.mark.requirement("RAG-09")
def test_a_failing_model_gives_an_error_and_the_fallback() -> None:
    found = written(VerifierTimeout("too late"))
    assert (found.status, found.answer, found.is_safe) == ("error", FALLBACKS["en"], False)
    assert "too late" in (found.reason or "")


def test_without_a_model_the_error_says_so() -> None:
    found = generate(CASE, None, DEFAULTS, Request(), BELIEVED)
    assert (found.status, found.reason) == ("error", "No text model is configured.")


@pytest.mark.requirement("RAG-11")
@pytest.mark.parametrize("switch", ["hallucination_detection", "answer_verification", "citations_required"])
def test_an_answer_made_with_a_layer_off_is_never_safe(switch: str) -> None:
    found = written(GOOD, strictness=Strictness(**{switch: False}))
    assert (found.status, found.is_safe) == ("success", False)


@pytest.mark.requirement("RAG-11")
def test_the_presets_have_the_documents_values() -> None:
    standard, safest = PRESETS["standard"], PRESETS["maximum_safety"]
    assert (standard.temperature, standard.maximum_tokens, standard.minimum_confidence) == (0.1, 500, 0.6)
    assert (safest.temperature, safest.minimum_confidence, safest.is_complete) == (0.0, 0.7, True)
    assert (PRESETS["faster_testing"].minimum_confidence, PRESETS["faster_testing"].answer_verification) == (
        0.5,
        False,
    )
    assert PRESETS["multilingual"].enforce_language


@pytest.mark.requirement("RAG-11")
def test_an_answer_in_another_language_is_refused_where_that_is_enforced() -> None:
    case = Case("", question="מה היה ה-NOI של אוק פלאזה?", sources=SOURCES)
    held = written(GOOD, case, strictness=PRESETS["multilingual"])
    assert held.status == "hallucination_detected"
    assert "שפה אחרת (en)" in (held.reason or "")
    assert held.answer == FALLBACKS["he"]
    assert written(GOOD, case).status == "success"


@pytest.mark.requirement("RAG-12")
@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What was NOI?", FALLBACKS["en"]),
        ("מה היה ה-NOI?", FALLBACKS["he"]),
        ("净营业收入是多少？", FALLBACKS["zh"]),
    ],
)
def test_the_fallback_speaks_the_language_of_the_question(question: str, sentence: str) -> None:
    assert generate(Case("", question=question), None, DEFAULTS, Request(), BELIEVED).answer == sentence


@pytest.mark.requirement("RAG-12")
def test_a_deployment_may_set_its_own_fallback() -> None:
    own = "I don't know based on NCERT textbooks."
    assert (
        generate(Case("", question="What is a sum?"), None, DEFAULTS, Request(fallback=own), BELIEVED).answer
        == own
    )
    assert written(own, fallback=own).status == "insufficient_context"


@given(st.text(max_size=120))
def test_whatever_a_model_writes_only_a_success_shows_it(answer: str) -> None:
    found = written(answer)
    assert found.status in ("success", "insufficient_context", "hallucination_detected")
    assert found.is_safe == (found.status == "success")
    if found.status != "success":
        assert found.answer == FALLBACKS["en"]


@pytest.mark.requirement("RAG-08")
def test_a_figure_and_its_row_are_enough_for_a_short_sentence_over_a_table() -> None:
    table = Source("S0", "Statement of Oak Plaza | 2023 | 2024\nNote receivables | $1.4 | $1.1", score=0.9)
    case = Case("", question="What were the receivables?", sources=(table,))
    found = written("The receivables that were noted came to $1.1 in 2024 [S0].", case)
    assert (found.status, found.reason) == ("success", None)


@pytest.mark.requirement("RAG-08")
def test_a_plain_number_that_stands_somewhere_is_left_to_the_detectors() -> None:
    case = Case("", question="?", sources=(Source("S0", "Leases that end in the year | 58 | 61", score=0.9),))
    assert written("Leases that end in the year: 58 [S0].", case).status == "success"


# --- the full detection of what was written -------------------------------------------------------------------------
CARRY = Source(
    "S0", "Unused leave may not be carried over to the next calendar year under any policy.", score=0.9
)
LEAVE = Case("", question="May unused leave be carried over?", sources=(CARRY,))
OPPOSITE = "Unused leave may be carried over to the next calendar year under any policy [S0]."
FAITHFUL = "Unused leave may not be carried over to the next calendar year [S0]."


@pytest.mark.requirement("RAG-09")
@pytest.mark.parametrize(("yes", "no"), [(0.02, 0.95), (0.3, 0.2)], ids=["refuted", "not carried"])
def test_a_text_that_the_verifier_does_not_find_in_its_sources_is_refused(yes: float, no: float) -> None:
    reader = Reading(yes, no)
    found = written(OPPOSITE, LEAVE, read_by(reader))
    assert (found.status, found.is_safe, found.answer) == ("hallucination_detected", False, FALLBACKS["en"])
    assert found.reason == "The check of all that it says doubts 1 of 1 statements and numbers."
    assert set(reader.asked) == {OPPOSITE.replace(" [S0]", "")}


def test_a_text_that_the_verifier_finds_in_its_sources_is_released() -> None:
    assert written(FAITHFUL, LEAVE).is_safe


@pytest.mark.requirement("RAG-09")
@pytest.mark.parametrize(
    "verifier",
    [Reading(fault=VerifierTimeout()), Reading(fault=RuntimeError("away")), None],
    ids=["late", "away", "none"],
)
def test_a_text_that_nobody_could_verify_is_refused(verifier: Verifier | None) -> None:
    found = written(FAITHFUL, LEAVE, read_by(verifier))
    assert (found.status, found.is_safe, found.answer) == ("not_verified", False, FALLBACKS["en"])
    assert found.reason == "The verifier could not check all that it says."
    assert found.raw == FAITHFUL


def test_figures_that_agree_release_no_text_while_the_verifier_is_away() -> None:
    assert written(GOOD, detect=read_by(Reading(fault=VerifierTimeout()))).status == "not_verified"


def test_a_text_that_another_layer_refuses_costs_no_verifier() -> None:
    reader = Reading()
    assert written(f"As we know, {GOOD}", detect=read_by(reader)).status == "hallucination_detected"
    assert reader.asked == []


@pytest.mark.parametrize(
    ("question", "word"), [("האם ניתן להעביר חופשה?", "ספק"), ("可以结转年假吗？", "质疑")]
)
def test_the_refusal_of_the_verifier_is_told_in_the_language_of_the_question(
    question: str, word: str
) -> None:
    case = Case("", question=question, sources=(CARRY,))
    assert word in (written(OPPOSITE, case, read_by(Reading(0.02, 0.95))).reason or "")
