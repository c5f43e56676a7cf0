"""A statement whose figures are verified and that says hardly anything else is carried by them, whatever a verifier believes."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.ports import Estimate
from detection.core.statements import covered
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Claim, Finding, Named, Source
from tests.core.record_cases import FIGURES, PERIODS

CASE = Case(
    answer="",
    figures=FIGURES,
    periods=PERIODS,
    properties=(Named("OAK", "OAK"), Named("OAK", "Oak Plaza")),
    property="OAK",
    period=PERIODS[4],
    database="ok",
)
LEASE = Source("S0", "The lease of Harlow Books ends on 30 June 2027. Its rent is $412,500 a year.")


class Unbelieving:
    """A verifier that believes nothing."""

    name = "unbelieving"

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        return self.batch_estimate([claim], context)[0]

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        return [Estimate((0.1, 0.1), (0.6, 0.6), (0.3, 0.3), method="unbelieving") for _ in claims]


def found(answer: str, *detectors: str, **more: object) -> Finding:
    """The finding of the first statement of an answer."""
    case = replace(CASE, answer=answer, **more)  # type: ignore[arg-type]  # fields of a case
    context = Context(case, claims.read(case), DEFAULTS, verifier=Unbelieving())
    return pipeline.screen(context, Memory(detectors or ("numeric", "strawberry"))).findings[0]


@pytest.mark.parametrize(
    "answer",
    [
        "Net operating income of Oak Plaza was $1,234,567 in Q3 2024.",
        "In Q3 2024 occupancy came to 95.4%.",
        "Operating expenses of Q3 2024 were $865,433, about 41% of revenue.",
        "Insurance expense eased to $80,000 in Q3 2024.",  # one word that nothing explains
    ],
)
def test_verified_figures_carry_what_they_say(answer: str) -> None:
    finding = found(answer)
    assert (finding.status, finding.code, finding.severity) == ("supported", "covered", 0.0)


@pytest.mark.parametrize(
    "answer",
    [
        "Net operating income was $1,234,567 in Q3 2024 after a burst pipe flooded two storeys.",  # says more
        "Net operating income was $1,334,567 in Q3 2024.",  # wrong
        "Net operating income was $1,234,567 in Q3 2024 and $2,222,222 in Q3 2021.",  # one of two is nowhere
        "The tenants were content with the new lobby.",  # states no figure
    ],
)
def test_figures_carry_no_more_than_they_say(answer: str) -> None:
    assert found(answer).status != "supported"


def test_words_of_the_evidence_are_no_news() -> None:
    assert (
        found("The lease of Harlow Books has a rent of $412,500 a year.", sources=(LEASE,)).code == "covered"
    )
    assert found("The lease of Harlow Books has a rent of $412,500 a year.").code != "covered"


def test_words_of_the_question_are_no_news() -> None:
    answer = "The flagship warehouse portfolio had net operating income of $1,234,567 in Q3 2024."
    assert found(answer).code != "covered"
    assert found(answer, question="How did the flagship warehouse portfolio do?").code == "covered"


def test_dates_alone_carry_nothing() -> None:
    statement = Claim(0, "statement", "…", 0, 9, 0)
    date = Claim(1, "date", "…", 1, 3, 0, statement=0)
    findings = [
        Finding("strawberry", 0, "unsupported", "unsupported", ""),
        Finding("numeric", 1, "supported", "exact", ""),
    ]
    assert covered((statement, date), findings, {0: 0}) == set()
    assert covered((statement, replace(date, kind="ratio")), findings, {0: 1}) == {0}
    assert covered((statement, replace(date, kind="ratio")), findings, {0: 2}) == set()
    assert covered((statement, replace(date, kind="ratio")), findings, {}) == set()


@pytest.mark.parametrize("status", ["contradicted", "unsupported", "unverified"])
def test_one_figure_in_doubt_is_enough(status: str) -> None:
    read = tuple(
        Claim(n, "statement" if not n else "ratio", "…", n, n + 1, 0, statement=0 if n else None)
        for n in range(3)
    )
    findings = [
        Finding("strawberry", 0, "unsupported", "unsupported", ""),
        Finding("numeric", 1, "supported", "exact", ""),
        Finding("numeric", 2, status, status, ""),  # type: ignore[arg-type]  # statuses
    ]
    assert covered(read, findings, {0: 0}) == set()


def test_the_reason_is_told_in_the_language_of_the_answer() -> None:
    assert found("In Q3 2024 occupancy came to 95.4%.").reason.startswith("Its figures carry it")
    assert "核实" in found("2024年第三季度出租率为95.4%。", language="zh").reason
