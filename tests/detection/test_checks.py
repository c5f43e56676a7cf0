"""The checks of every start: a verifier that cannot work is named with the variable to set."""

from typing import Any

import pytest

from detection.checks import verifier_is_configured
from detection.core.ports import VerifierError
from detection.operations import verifier_for

ENDPOINT = {"backend": "external", "base_url": "http://localhost:9/v1", "model": "small", "api_key": ""}


@pytest.mark.requirement("SPEC-08.27")
@pytest.mark.parametrize(
    ("config", "hints"),
    [
        ({"backend": "local"}, []),
        (ENDPOINT, []),
        ({**ENDPOINT, "base_url": ""}, ["Set HALLU_VERIFIER_BASE_URL."]),
        (
            {**ENDPOINT, "base_url": "", "model": ""},
            ["Set HALLU_VERIFIER_BASE_URL.", "Set HALLU_VERIFIER_MODEL."],
        ),
        ({"backend": "oracle"}, ["Set HALLU_VERIFIER to one of local, self, external, haiku."]),
    ],
)
def test_a_verifier_that_cannot_work_is_named_at_the_start(
    settings: Any, config: dict[str, str], hints: list[str]
) -> None:
    settings.VERIFIER = config
    assert [problem.hint for problem in verifier_is_configured()] == hints


@pytest.mark.requirement("SPEC-08.43")
def test_a_verifier_that_cannot_be_opened_fails_its_claims_and_nothing_else(settings: Any) -> None:
    settings.VERIFIER = {**ENDPOINT, "model": ""}
    verifier_for.cache_clear()
    try:
        verifier = verifier_for("output_verification")
        (estimate,) = verifier.batch_estimate(["NOI rose."], "NOI rose.")
        assert estimate.error
        with pytest.raises(VerifierError, match="HALLU_VERIFIER_MODEL"):
            verifier.estimate_probability("NOI rose.", "NOI rose.")
    finally:
        verifier_for.cache_clear()
