"""What the judge doubts becomes of its statements and of the verdict."""

from dataclasses import replace
from typing import Any

import pytest

from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.ports import Judges
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case
from tests.core.judges import CALM, doubting, judges
from tests.core.test_judge_measure import CASE
from tests.core.test_strawberry_measure import Reading

DUE = ["strawberry", "judge"]


def concluded(given: Judges, case: Case = CASE, **limits: Any) -> pipeline.Conclusion:
    thresholds = DEFAULTS.changed(**limits)
    read = claims.read(case)
    reports = {
        n: pipeline.measure(n, Context(case, read, thresholds, verifier=Reading(), judges=given)) for n in DUE
    }
    return pipeline.conclude(Context(case, read, thresholds), reports, DUE)


def statuses(end: pipeline.Conclusion) -> list[tuple[str, str]]:
    pairs = zip(end.claims, end.findings, strict=True)
    return [(finding.status, finding.detector) for claim, finding in pairs if claim.kind == "statement"]


@pytest.mark.requirement("CIT-04")
@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("contradictory", "contradicted"),
        ("unsupported", "unsupported"),
        ("over_extrapolation", "unsupported"),
    ],
)
def test_a_doubted_statement_takes_the_judges_word(kind: str, status: str) -> None:
    end = concluded(judges(doubting((kind, 1))), target_by_method={"reading": 0.5})
    assert statuses(end)[0] == (status, "judge")
    assert end.verdict.has_hallucinations


def test_a_doubted_statement_keeps_what_the_verifier_measured_of_it() -> None:
    calm, doubted = concluded(judges(CALM)), concluded(judges(doubting(("unsupported", 1))))
    assert statuses(doubted)[0][1] == "judge"
    assert doubted.findings[0].score == calm.findings[0].score is not None


@pytest.mark.parametrize("kind", ["invalid_citation", "uncited"])
def test_a_doubt_about_citations_is_no_doubt_about_the_truth(kind: str) -> None:
    calm, doubted = concluded(judges(CALM)), concluded(judges(doubting((kind, 1))))
    assert statuses(calm) == statuses(doubted)


def test_the_judge_never_makes_a_statement_better() -> None:
    class Denying(Reading):
        def believe(self, claim: str, context: str) -> Any:
            return replace(super().believe(claim, context), yes=(0.02, 0.02), no=(0.9, 0.9))

    read = claims.read(CASE)
    given = judges(doubting(("unsupported", 1)))
    reports = {n: pipeline.measure(n, Context(CASE, read, verifier=Denying(), judges=given)) for n in DUE}
    end = pipeline.conclude(Context(CASE, read), reports, DUE)
    assert statuses(end)[0] == ("contradicted", "strawberry")


def test_the_graver_of_two_kinds_counts() -> None:
    end = concluded(judges(doubting(("unsupported", 2), ("contradictory", 2))))
    assert statuses(end)[1] == ("contradicted", "judge")


def test_an_opinion_that_is_not_sure_of_itself_doubts_no_statement() -> None:
    unsure = doubting(("contradictory", 1), confidence=0.2)
    assert statuses(concluded(judges(unsure))) == statuses(concluded(judges(CALM)))


def test_a_question_stays_unchecked_whatever_the_judge_says() -> None:
    case = Case(answer="Did net operating income rise? It did rise in the quarter.", sources=CASE.sources)
    end = concluded(judges(doubting(("unsupported", 1))), case)
    assert statuses(end)[0][0] == "not_checked"


@pytest.mark.requirement("CIT-07")
def test_a_statement_without_support_makes_the_risk_high() -> None:
    assert concluded(judges(doubting(("unsupported", 1)))).verdict.risk_level == "high"


@pytest.mark.requirement("CIT-07")
@pytest.mark.parametrize(("risk", "told"), [(0.5, True), (0.3, False)])
def test_a_risk_that_counts_is_told_in_the_judges_words(risk: float, told: bool) -> None:
    end = concluded(
        judges(CALM | {"hallucination_risk": risk, "hallucination_notes": "The lease is invented."})
    )
    reasons = {reason.code: reason.text for reason in end.verdict.reasons}
    assert (reasons.get("judge") == "The judge: The lease is invented.") is told
