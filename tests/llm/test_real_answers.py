"""Whole answers and traces with a real model behind the verifier: through Python, the command and the executor."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project

from detection import toolkit
from detection.models import ThresholdProfile
from detection.operations import verifying as operations
from tests.faults.processes import environment
from tests.llm.endpoint import MODEL, Endpoints
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [pytest.mark.llm, pytest.mark.django_db(transaction=True)]

ANSWER, ANOTHER = (
    "The roof of the building is new [S0]. The lift was sold to a museum [S0].",
    "The new roof of the building does not leak [S0]. The garden was sold to a school [S0].",
)
SOURCES = [{"id": "S0", "text": "The roof of the building is new and does not leak."}]
PATIENT = {"base": {"verifier_deadline_ms": 600_000}}
"""The small model may share its processor with everything else; nothing here is about speed."""


def patient_thresholds() -> None:
    """Make an active profile of them; the values of one in use cannot be changed."""
    ThresholdProfile.objects.filter(state="active").update(state="retired")
    ThresholdProfile.objects.create(version=2, state="active", values=PATIENT)


@pytest.fixture
def verifying(settings: Any, endpoints: Endpoints) -> Iterator[Any]:
    """The settings of an installation that verifies with the real model."""
    patient_thresholds()
    settings.VERIFIER = {
        **settings.VERIFIER, "backend": "external", "base_url": endpoints.terse, "model": MODEL,
        "timeout": GIVEN_UP_AFTER, "samples": 4,
    }  # fmt: skip
    settings.HALLUCINATION = {**settings.HALLUCINATION, "timeout": GIVEN_UP_AFTER}
    operations.forget()
    yield settings
    operations.forget()


def measured_for_real(result: dict[str, Any]) -> None:
    """Assert that both statements have probabilities that the model gave, and that they were paid for."""
    statements = [claim for claim in result["claims"] if claim["kind"] == "statement"]
    assert (result["status"], len(statements)) == ("completed", 2)
    for claim in statements:
        lift = claim["strawberry"]
        assert lift["method"] == "logprobs"
        assert lift["model"] == MODEL
        assert all(0 <= lift[name] <= 1 for name in ("p1", "p0"))
    assert statements[0]["strawberry"]["p1"] != statements[0]["strawberry"]["p0"]
    assert result["cost"]["calls"] >= 4
    assert result["cost"]["tokens"] > 4 * 200


@pytest.mark.requirement("SPEC-08.13")
@pytest.mark.requirement("SPEC-08.27")
@pytest.mark.usefixtures("verifying")
def test_an_answer_is_judged_with_a_real_models_probabilities() -> None:
    measured_for_real(toolkit.judge(ANSWER, sources=SOURCES, detectors=["strawberry"]))


@pytest.mark.requirement("SPEC-08.27")
def test_the_detect_command_verifies_with_the_endpoint_of_the_environment(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    patient_thresholds()
    given, found = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text(json.dumps({"answer": ANOTHER, "sources": SOURCES}))
    chosen = {
        "HALLU_VERIFIER": "external",
        "HALLU_VERIFIER_BASE_URL": endpoints.terse,
        "HALLU_VERIFIER_MODEL": MODEL,
        "HALLU_VERIFIER_TIMEOUT": f"{GIVEN_UP_AFTER:.0f}s",
        "HALLU_VERIFIER_SAMPLES": "4",
    }
    command = [
        sys.executable,
        "manage.py",
        "detect",
        str(given),
        "--output",
        str(found),
        "--detectors",
        "strawberry",
    ]
    done = subprocess.run(
        command, cwd=project.BASE_DIR, env=environment(**chosen), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    measured_for_real(json.loads(found.read_text()))


@pytest.mark.requirement("SPEC-08.26")
@pytest.mark.usefixtures("verifying")
def test_a_traces_answer_is_derived_anew_by_the_real_model() -> None:
    found = toolkit.audit_trace(
        ["The roof was laid in 2019 [S0].", "A roof lasts for thirty years [S0]."],
        context=["The roof was laid in 2019. A roof lasts for thirty years."],
        question="Until when does the roof last?",
        answer="The roof lasts until 2049.",
    )
    assert len(found["steps"]) == 2
    assert {step["status"] for step in found["steps"]} <= {
        "ENTAILED",
        "CONTRADICTED",
        "NOT_IN_CONTEXT",
        "UNVERIFIABLE",
    }
    assert found["post_hoc"]["method"] == "executor"
    assert found["post_hoc"]["executor_answer"]
