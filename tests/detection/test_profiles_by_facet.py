"""Thresholds differ by the kind of question and by the quality of the sources (CIT-10)."""

from typing import Any

import pytest

from detection import runs
from detection.core.thresholds import DEFAULTS, resolve
from detection.models import Answer, DetectionRun, ThresholdProfile
from tests.api_calls import Caller, body, drain

pytestmark = pytest.mark.requirement("CIT-10")

VALUES: dict[str, Any] = {
    "base": {"citation_risk": 0.3},
    "overrides": [
        {"when": {"question_type": "factual"}, "values": {"citation_risk": 0.1, "uncited_high": 1}},
        {"when": {"question_type": "open"}, "values": {"citation_risk": 0.6}},
        {"when": {"source_quality": "low"}, "values": {"overlap": 0.8}},
        {"when": {"source_quality": "high"}, "values": {"overlap": 0.4}},
        {"when": {"question_type": "open", "source_quality": "low"}, "values": {"citation_risk": 0.2}},
    ],
}
HALF_CITED = (
    "The anchor tenant of the tower renewed its lease for ten years [S0]. "
    "The roof garden of the tower was opened by the mayor in the spring of that year."
)


@pytest.mark.parametrize(
    ("kind", "quality", "risk", "uncited", "overlap"),
    [
        (None, None, 0.3, 3, 0.5),
        ("factual", None, 0.1, 1, 0.5),
        ("open", None, 0.6, 3, 0.5),
        ("open", "high", 0.6, 3, 0.4),
        ("open", "low", 0.2, 3, 0.8),
        ("factual", "low", 0.1, 1, 0.8),
        ("chat", "medium", 0.3, 3, 0.5),
    ],
)
def test_overrides_are_laid_over_the_base_in_order(
    kind: str | None, quality: str | None, risk: float, uncited: int, overlap: float
) -> None:
    found = resolve(VALUES, {"question_type": kind, "source_quality": quality})
    assert (found.citation_risk, found.uncited_high, found.overlap) == (risk, uncited, overlap)
    assert found.near_limit == DEFAULTS.near_limit


@pytest.mark.parametrize(
    ("qualities", "name"),
    [([], None), ([None, None], None), ([0.5], "high"), ([0.49], "low"), ([0.9, None, 0.2], "high"), ([0.0, 0.9], "low")],
)  # fmt: skip
def test_source_quality_is_the_mean_of_what_was_given(
    qualities: list[float | None], name: str | None
) -> None:
    assert runs.source_quality(qualities) == name


@pytest.fixture
def by_facet(db: None) -> None:
    ThresholdProfile.objects.filter(state="active").update(state="retired")
    ThresholdProfile.objects.create(version=90, values=VALUES, state="active")


def judged(**fields: Any) -> dict[str, Any]:
    backend = Caller("submit", "read")
    given = body(HALF_CITED, property=None, period=None, detectors=["citation"], **fields)
    pk = backend.post("answers/", given).json()["id"]
    drain()
    result: dict[str, Any] = backend.get(f"answers/{pk}/").json()
    return result


@pytest.mark.usefixtures("by_facet")
@pytest.mark.parametrize(
    ("kind", "level", "has_risk"),
    [(None, "moderate", True), ("factual", "high", True), ("open", "moderate", False)],
)
def test_a_factual_question_is_held_to_more_than_an_open_one(
    kind: str | None, level: str, has_risk: bool
) -> None:
    result = judged(question_type=kind)
    assert result["verdict"]["risk_level"] == level
    assert result["citations"]["has_hallucination_risk"] is has_risk


@pytest.mark.usefixtures("by_facet")
@pytest.mark.parametrize(("quality", "overlap"), [(None, 0.5), (0.2, 0.8), (0.9, 0.4)])
def test_the_quality_of_the_submitted_sources_chooses_the_overlap(
    quality: float | None, overlap: float
) -> None:
    source = {"id": "S0", "text": "The anchor tenant renewed its lease for ten years.", "quality": quality}
    judged(sources=[source])
    assert runs.thresholds_of(DetectionRun.objects.get(answer=Answer.objects.get())).overlap == overlap
