"""A citation of a source that exists and does not say it is told apart, with the source that does."""

import pytest

from detection.core import claims, pipeline
from detection.core.citations import misplaced
from detection.core.context import Context
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, GroundingMeasurement, Misplaced, NumericMeasurement, Source
from tests.core.screened import screened
from tests.core.test_strawberry_measure import Reading

SOURCES = (
    Source("S0", "Net operating income of Oak Plaza was $1,234,567 in the third quarter of 2024."),
    Source("S1", "The anchor tenant renewed its lease for ten years in August."),
    Source("S2", "Occupancy stood at 94.2 % at the end of September.", parent_ref="roll"),
    Source("S3", "Forty-one of forty-eight units are let.", parent_ref="roll"),
)
RULES = ["numeric", "citation", "grounding"]


def found(answer: str, sources: tuple[Source, ...] = SOURCES) -> list[Misplaced]:
    case = Case(answer=answer, sources=sources)
    read = claims.read(case)
    reports = {name: pipeline.measure(name, Context(case, read, verifier=Reading())) for name in RULES}
    end = pipeline.conclude(Context(case, read), reports, RULES)
    numbers, overlaps = reports["numeric"].measurement, reports["grounding"].measurement
    assert isinstance(numbers, NumericMeasurement)
    assert isinstance(overlaps, GroundingMeasurement)
    return list(misplaced(sources, read, end.findings, numbers, overlaps, DEFAULTS))


@pytest.mark.requirement("CIT-01")
@pytest.mark.parametrize(
    ("answer", "better"),
    [
        ("Net operating income was $1,234,567 in Q3 2024 [S1].", "S0"),
        ("Occupancy stood at 94.2 % at the end of September [S0].", "S2"),
        ("The anchor tenant renewed its lease for ten years [S0].", "S1"),
        ("The anchor tenant renewed its lease for ten years [S0, S3].", "S1"),
    ],
)
def test_the_source_that_says_it_is_proposed(answer: str, better: str) -> None:
    assert [each.better for each in found(answer)] == [better]


@pytest.mark.parametrize(
    "answer",
    [
        "Net operating income was $1,234,567 in Q3 2024 [S0].",
        "Net operating income was $1,234,567 in Q3 2024 [S0, S1].",
        "Occupancy stood at 94.2 % at the end of September [roll].",
        "The anchor tenant renewed its lease for ten years [S1].",
        "The anchor tenant renewed its lease for ten years.",
        "The anchor tenant renewed its lease for ten years [S9].",
        "Parking is free of charge for visitors [S1].",
        "Did the anchor tenant renew its lease for ten years [S0]?",
    ],
)
def test_a_citation_that_carries_its_statement_is_in_place(answer: str) -> None:
    assert found(answer) == []


def test_a_number_that_two_sources_state_may_cite_either() -> None:
    twice = (*SOURCES, Source("S4", "NOI of Oak Plaza reached $1,234,567 in Q3 2024."))
    assert found("Net operating income was $1,234,567 in Q3 2024 [S4].", twice) == []
    assert found("Net operating income was $1,234,567 in Q3 2024 [S0].", twice) == []


def test_the_same_words_in_two_sources_are_no_reason_to_move_a_citation() -> None:
    twice = (*SOURCES, Source("S4", SOURCES[1].text))
    assert found("The anchor tenant renewed its lease for ten years [S4].", twice) == []


def test_sources_of_the_same_text_and_without_text_are_read() -> None:
    empty = (Source("S0", ""), Source("S1", ""))
    assert found("The anchor tenant renewed its lease [S0].", empty) == []


def test_the_verdict_names_the_better_source_and_is_not_clear() -> None:
    case = Case(answer="The anchor tenant renewed its lease for ten years [S0].", sources=SOURCES)
    verdict = screened(case, DEFAULTS, Reading(), due=RULES).verdict
    reasons = {reason.code: reason for reason in verdict.reasons}
    assert "[S1] is what says it" in reasons["misplaced_citation"].text
    assert reasons["misplaced_citation"].claim == 0
    assert verdict.risk_level == "moderate"


def test_what_is_misplaced_follows_the_profile() -> None:
    case = Case(answer="The anchor tenant renewed its lease in August [S0].", sources=SOURCES)
    lenient = DEFAULTS.changed(misplaced_overlap=1.0, misplaced_margin=1.0)
    verdict = screened(case, lenient, Reading(), due=RULES).verdict
    assert "misplaced_citation" not in {reason.code for reason in verdict.reasons}
