"""Claims of one answer that are the same are found to be the same."""

import pytest

from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.types import Case, Source
from tests.core.test_strawberry_measure import Reading

pytestmark = pytest.mark.requirement("CIT-07")

DUE = ("numeric", "citation", "grounding", "strawberry")
SOURCES = (
    Source("S0", "Net operating income for Q3 2024 was $1,234,567.89. Occupancy was 92%.", score=0.9),
    Source("S1", "The tenant pays the premiums of the insurance. The lease ends in May 2029.", score=0.8),
)


@pytest.mark.parametrize(
    "said",
    [
        "Net operating income for Q3 2024 was $1,324,567.89 [S0].",
        "Net operating income for Q3 2024 was $1,234,567.89 [S0].",
        "The landlord pays the premiums of the insurance [S1].",
        "The lease ends in June 2029 [S1], and 77 spaces were let.",
        "ההכנסה התפעולית נטו ברבעון השלישי של 2024 הייתה 1,324,567.89$ [S0].",
        "2024年第三季度净营业收入为1,324,567.89美元[S0]。",
    ],
)
def test_a_sentence_said_twice_has_one_conclusion(said: str) -> None:
    case = Case(f"{said}\n\nOccupancy was 92% [S0].\n\n{said}", sources=SOURCES)
    read = claims.read(case)
    context = Context(case, read, verifier=Reading())
    end = pipeline.conclude(context, {name: pipeline.measure(name, context) for name in DUE}, DUE)
    told = [
        (claim.text, finding.status, finding.code, finding.severity)
        for claim, finding in zip(read, end.findings, strict=True)
    ]
    half = len(case.answer) // 2
    first = [one for claim, one in zip(read, told, strict=True) if claim.end <= len(said)]
    last = [one for claim, one in zip(read, told, strict=True) if claim.start > half]
    assert first
    assert first == last[-len(first) :]
