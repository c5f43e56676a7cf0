"""The whole truth table of CIT-07 and CIT-08: every boundary of every condition, crossed with all the others."""

from dataclasses import replace
from itertools import product

import pytest

from detection.core.rules import holds
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Case, CitationDecision, JudgeDecision, Level, Misplaced, Span
from detection.core.verdict import Graded, levels, risk
from tests.core.test_risk import CALM, DISPUTE, finding, graded
from tests.tables import each_case

RISKS = (0.0, 0.3, 0.301, 0.6, 0.601, 1.0)
UNCITED = (0, 1, 2, 3, 4)
INVALID = ((), ("S9",))
RATIOS = (0.0, 0.299, 0.3, 0.699, 0.7, 1.0)
CLAIMS = (1, 2, 3, 4)
JUDGED = (None, 0.0, 0.3, 0.301, 0.6, 0.601, 1.0)
NAMED = (False, True)

Row = tuple[float, int, tuple[str, ...], float, int, float | None, bool]


def by_the_letter(row: Row) -> Level:
    """The document's three paragraphs, written out once more without the table."""
    risk, uncited, invalid, ratio, claims, judged, named = row
    if risk > 0.6 or len(invalid) > 0 or uncited >= 3:
        return "high"
    if judged is not None and (judged > 0.6 or named):
        return "high"
    if ratio < 0.3 and claims >= 3:
        return "high"
    rules_low = risk <= 0.3 and len(invalid) == 0 and uncited == 0 and ratio >= 0.7
    judge_low = judged is None or judged <= 0.3
    return "low" if rules_low and judge_low else "moderate"


def level_of(one: Graded, thresholds: Thresholds) -> Level:
    level: Level = levels.level_of(risk.answer_columns(one, thresholds), thresholds)
    return level


def answer(row: Row) -> Graded:
    risk, uncited, invalid, ratio, claims, judged, named = row
    rules = replace(
        CALM,
        risk_score=risk,
        uncited_count=uncited,
        invalid=invalid,
        citation_ratio=ratio,
        total_claims=claims,
    )
    judge = None if judged is None else JudgeDecision(judged, "accept", "", unsupported=named)
    return graded(finding(), citations=rules, judge=judge)


@pytest.mark.requirement("CIT-07")
def test_every_row_of_the_table_has_the_level_that_the_document_gives_it() -> None:
    rows: list[Row] = list(product(RISKS, UNCITED, INVALID, RATIOS, CLAIMS, JUDGED, NAMED))
    wrong = [row for row in rows if level_of(answer(row), DEFAULTS) != by_the_letter(row)]
    assert wrong == []
    assert {by_the_letter(row) for row in rows} == {"low", "moderate", "high"}


def test_each_condition_is_met_by_some_answers_and_not_by_others() -> None:
    rows: list[Row] = list(product(RISKS, UNCITED, INVALID, RATIOS, CLAIMS, JUDGED, NAMED))
    answers = [answer(row) for row in rows] + [
        graded(finding("contradicted")),
        graded(finding("unsupported")),
        graded(finding("unverified", "timeout")),
        graded(finding(), failed={"numeric": "boom"}),
        graded(finding(), case=Case("answer", refused="It cites nothing.")),
        graded(finding(), citations=replace(CALM, misplaced=(Misplaced(0, ("S0",), "S1"),))),
        graded(replace(finding(), disputed=(DISPUTE,))),
        graded(finding(), injected=(Span("S0", 0, 1, "x"),)),
    ]
    one_sided = []
    told = [risk.answer_columns(one, DEFAULTS) for one in answers]
    for row in levels.CONDITIONS:
        there = [one for one in told if holds(levels.SUBJECTS[row.subject], one, DEFAULTS)]
        met = {holds(row, one, DEFAULTS) for one in there}
        one_sided += [row.says] if len(met) < 2 else []
    assert one_sided == []


@pytest.mark.requirement("CIT-07")
@pytest.mark.parametrize(
    ("field", "value", "level"),
    [
        ("citation_risk_high", 0.5, "high"),
        ("citation_risk", 0.55, "low"),
        ("uncited_high", 1, "moderate"),
        ("citation_ratio_good", 1.0, "moderate"),
    ],
)
def test_the_limits_of_the_table_are_the_profiles(field: str, value: float, level: str) -> None:
    rules = replace(CALM, risk_score=0.55, citation_ratio=0.8)
    assert level_of(graded(finding(), citations=rules), DEFAULTS) == "moderate"
    assert level_of(graded(finding(), citations=rules), DEFAULTS.changed(**{field: value})) == level


@pytest.mark.requirement("CIT-09")
def test_an_answer_without_claims_needs_no_citation() -> None:
    rules: CitationDecision = replace(CALM, total_claims=0, citation_ratio=0.0)
    assert level_of(graded(finding(), citations=rules), DEFAULTS) == "low"
    assert level_of(graded(finding(), citations=replace(rules, invalid=("S9",))), DEFAULTS) == "high"


LEVELLED: dict[str, dict[str, bool]] = {
    "low": {},
    "moderate": {"unchecked": True},
    "high": {"contradicted": True},
}


@pytest.mark.requirement("CIT-08")
@each_case(
    ("iteration", "maximum", "near"),
    [(6, 10, False), (7, 10, True), (8, 10, True), (10, 10, True), (0, 3, True), (0, 4, False),
     (1, 4, True), (None, 10, False), (7, None, False)],
)  # fmt: skip
@each_case("level", ["low", "moderate", "high"])
def test_the_advice_follows_the_level_until_the_limit_is_near(
    iteration: int | None, maximum: int | None, near: bool, level: Level
) -> None:
    case = Case("answer", iteration=iteration, max_iterations=maximum)
    wanted = {"low": "accept", "moderate": "refine_search", "high": "reject"}
    calm = risk.answer_columns(graded(finding(), case=case), DEFAULTS)
    grades = levels.grades({**calm, **LEVELLED[level]}, DEFAULTS)
    assert (grades.risk_level, grades.action) == (level, "accept" if near else wanted[level])
