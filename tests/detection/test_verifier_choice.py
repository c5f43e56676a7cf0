"""Choosing a backend by configuration (SPEC-08.27, SPEC-08.28)."""

from math import log
from typing import Any

import pytest

from detection.core.ports import Verifier
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Source
from detection.operations.verifying import forget, verifier_for
from detection.verifiers import BACKENDS, VerifierConfigError, open_verifier
from tests.core.screened import screened
from tests.detection.verifier_stub import completion, sends, serving


@pytest.mark.requirement("SPEC-08.27")
@pytest.mark.requirement("SPEC-08.28")
def test_local_is_the_default_and_needs_nothing() -> None:
    verifier: Verifier = open_verifier({})
    estimate = verifier.estimate_probability("NOI was $1.2 million.", "NOI was $1.2 million in 2024.")
    assert (verifier.name, estimate.method, estimate.error) == ("local", "local", None)
    assert len(verifier.batch_estimate(["one claim", "another"], "context")) == 2


@pytest.mark.requirement("SPEC-08.27")
@pytest.mark.parametrize("backend", ["self", "external"])
def test_an_endpoint_is_opened_by_its_address_and_model(backend: str) -> None:
    with serving(sends(completion({"YES": log(0.9), "NO": log(0.1)}))) as stub:
        verifier = open_verifier(
            {"backend": backend, "base_url": stub.url, "model": "m", "timeout": 60, "cache_ttl": 60}
        )
        assert verifier.batch_estimate(["a claim"], "context")[0].yes[1] == pytest.approx(0.9)
        verifier.batch_estimate(["a claim"], "context")
    assert len(stub.asked) == 1
    assert verifier.name == backend


@pytest.mark.parametrize(
    ("config", "variable"),
    [
        ({"backend": "oracle"}, "HALLU_VERIFIER"),
        ({"backend": "external", "model": "m"}, "HALLU_VERIFIER_BASE_URL"),
        ({"backend": "self", "base_url": "http://localhost/v1"}, "HALLU_VERIFIER_MODEL"),
    ],
)
def test_what_is_missing_is_named_by_its_variable(config: dict, variable: str) -> None:
    with pytest.raises(VerifierConfigError, match=variable):
        open_verifier(config)


def test_every_backend_of_the_registry_is_offered() -> None:
    assert list(BACKENDS) == ["local", "self", "external", "haiku"]


def test_a_verifier_that_cannot_be_opened_fails_every_claim_and_says_where_to_look(settings: Any) -> None:
    settings.VERIFIER = {**settings.VERIFIER, "backend": "external", "base_url": "", "model": "m"}
    forget()
    try:
        conclusion = screened(
            Case("The roof is new and does not leak.", sources=(Source("S0", "The roof is new."),)),
            DEFAULTS,
            verifier_for("output_verification"),
        )
    finally:
        forget()
    report = conclusion.reports["strawberry"]
    assert report.status == "error"
    assert "could not be opened" in report.reason
    assert [f.code for f in conclusion.findings] == ["verifier_unavailable"]
    assert "could not be opened" in conclusion.findings[0].reason
