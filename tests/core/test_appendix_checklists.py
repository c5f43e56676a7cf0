"""The three check-lists of the source document's appendix, line by line (CIT-12).

Each line is asked of answers that went all the way through rules and judge, and names the tests that prove it at
its boundaries.
"""

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.judge import KINDS
from detection.core.pipeline import Conclusion
from detection.core.types import Case, CitationDecision, JudgeDecision, JudgeMeasurement, Source
from tests.core.judges import doubting, judges
from tests.core.test_strawberry_measure import Reading
from tests.tables import each_case

pytestmark = pytest.mark.requirement("CIT-12")
TESTS = Path(__file__).resolve().parent.parent
SOURCES = (Source("S0", "The anchor tenant of the tower renewed its lease for ten years in August."),)
CITED = "The anchor tenant of the tower renewed its lease for ten years [S0]. "
UNCITED = "The roof garden of the tower was opened by the mayor in the spring of that year. "
CASE = Case(CITED + UNCITED + "Its lobby was painted blue by an artist [S9].", sources=SOURCES)
CALM = Case(CITED * 3 + UNCITED, sources=SOURCES)
DUE = ("citation", "grounding", "judge")
ALL_KINDS = tuple((kind, 1) for kind in KINDS)


def judged(
    case: Case = CASE, risk: float = 0.5, kinds: tuple[tuple[str, int], ...] = ALL_KINDS
) -> Conclusion:
    """What rules and a judge that names ``kinds`` find in an answer."""
    form = doubting(*kinds, hallucination_risk=risk, hallucination_notes="See there.")
    read = claims.read(case)
    reports = {
        name: pipeline.measure(name, Context(case, read, verifier=Reading(), judges=judges(form)))
        for name in DUE
    }
    return pipeline.conclude(Context(case, read), reports, DUE)


def rules(case: Case = CASE) -> CitationDecision:
    decision: CitationDecision = judged(case).decisions["citation"]
    return decision


def opinion() -> JudgeMeasurement:
    measured = judged(CALM).reports["judge"].measurement
    assert isinstance(measured, JudgeMeasurement)
    return measured


def named(kind: str) -> bool:
    return kind in {each.kind for each in opinion().hallucinations}


def near(iteration: int) -> tuple[str, str]:
    verdict = judged(replace(CASE, iteration=iteration, max_iterations=10)).verdict
    return verdict.risk_level, verdict.action


Line = tuple[Callable[[], bool], tuple[str, ...]]

RULES: dict[str, Line] = {
    "every citation is extracted": (
        lambda: {*rules().valid, *rules().invalid} == {"S0", "S9"},
        ("core/test_text_marks.py::test_every_bracketed_id_is_a_citation",),
    ),
    "the validity of citations is checked": (
        lambda: (rules().valid, rules().invalid) == (("S0",), ("S9",)),
        ("core/test_citations.py::test_ids_and_parent_ids_are_valid_and_others_are_listed",),
    ),
    "long sentences without citation are found": (
        lambda: rules().uncited_sentences == (UNCITED.strip(),),
        ("core/test_citations.py::test_only_sentences_over_fifty_characters_need_a_citation",),
    ),
    "the citation ratio is computed": (
        lambda: round(rules().citation_ratio, 4) == 0.3333,
        ("core/test_citations.py::test_the_ratio_counts_sentences_with_a_valid_citation",),
    ),
    "the risk score is computed rightly": (
        lambda: rules().risk_score == 1 - rules().citation_ratio,
        ("core/test_citations.py::test_risk_is_what_exceeds_the_threshold",),
    ),
    "an empty answer is handled": (
        lambda: (rules(Case("")).has_risk, bool(rules(Case("")).note)) == (False, True),
        ("core/test_citations.py::test_nothing_to_check_is_no_risk_and_says_why",),
    ),
    "an answer without claims is handled": (
        lambda: (rules(Case("Yes.")).has_risk, bool(rules(Case("Yes.")).note)) == (False, True),
        ("core/test_risk_table.py::test_an_answer_without_claims_needs_no_citation",),
    ),
}
JUDGE: dict[str, Line] = {
    "unsupported claims are looked for": (
        lambda: named("unsupported"),
        ("core/test_judge_findings.py::test_a_statement_without_support_makes_the_risk_high",),
    ),
    "contradictions are looked for": (
        lambda: named("contradictory"),
        ("core/test_judge_findings.py::test_a_doubted_statement_takes_the_judges_word",),
    ),
    "over-extrapolation is looked for": (
        lambda: named("over_extrapolation"),
        ("core/test_judge_findings.py::test_a_doubted_statement_takes_the_judges_word",),
    ),
    "citations are verified": (
        lambda: named("invalid_citation"),
        ("core/test_judge_findings.py::test_a_doubt_about_citations_is_no_doubt_about_the_truth",),
    ),
    "uncited assertions are marked": (
        lambda: named("uncited"),
        ("core/test_judge_measure.py::test_each_hallucination_is_placed_at_its_sentence",),
    ),
    "the outcome is structured": (
        lambda: (opinion().score, opinion().confidence, opinion().decision) == (0.9, 0.9, "synthesize"),
        ("core/test_judge_measure.py::test_the_opinion_has_all_that_the_form_asks_for",),
    ),
}
TOGETHER: dict[str, Line] = {
    "the scores of rules and judge are combined": (
        lambda: (
            judged(CALM, 0.5, ()).verdict.risk_score == 0.5
            and judged(CALM, 0.1, ()).verdict.risk_score == 0.25
        ),
        ("core/test_risk.py::test_risk_score_is_the_largest_of_rules_judge_and_claims",),
    ),
    "a high risk is handled rightly": (
        lambda: (
            (judged().verdict.risk_level, judged().verdict.action) == ("high", "reject")
            and judged().reports["judge"].status == "skipped"
        ),
        ("core/test_risk_table.py::test_every_row_of_the_table_has_the_level_that_the_document_gives_it",),
    ),
    "the iteration limit is handled rightly": (
        lambda: (near(6), near(7)) == (("high", "reject"), ("high", "accept")),
        ("core/test_risk_table.py::test_the_advice_follows_the_level_until_the_limit_is_near",),
    ),
    "detection is logged in detail": (
        lambda: all(report.status in ("ok", "skipped") for report in judged().reports.values()),
        ("reviews/test_logs.py::test_a_run_is_retraceable_by_its_log_and_the_log_quotes_nobody",),
    ),
    "enough is returned to find out why": (
        lambda: (
            {"invalid_citation", "uncited_sentences", "few_citations", "not_run"}
            <= {reason.code for reason in judged().verdict.reasons}
        ),
        ("core/test_risk_reasons.py::test_every_code_is_told_in_the_same_order_in_every_language",),
    ),
}
LINES = RULES | JUDGE | TOGETHER


def test_no_line_of_the_appendix_is_left_out() -> None:
    assert [len(RULES), len(JUDGE), len(TOGETHER)] == [7, 6, 5]


@each_case("line", LINES)
def test_the_line_is_met(line: str) -> None:
    asked, _ = LINES[line]
    assert asked()


@each_case("proof", sorted({proof for _, proofs in LINES.values() for proof in proofs}))
def test_the_named_proof_is_there(proof: str) -> None:
    path, name = proof.split("::")
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_judges_decision_speaks_of_the_same_answer() -> None:
    decision: JudgeDecision = judged(CALM).decisions["judge"]
    assert (decision.risk, decision.unsupported) == (0.5, True)
