"""The checks of every start: a verifier that cannot work is named with the variable to set."""

from typing import Any

import pytest

from detection.core.ports import VerifierError
from detection.operations.checks import money_is_money, verifier_is_configured
from detection.operations.verifying import forget, verifier_for

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


@pytest.mark.parametrize(
    ("money", "variables"),
    [
        ({}, []),
        ({"daily_usd": "", "price_in": 0.1, "price_out": 0.4}, []),
        ({"daily_usd": "0"}, []),
        ({"daily_usd": "five"}, ["HALLU_VERIFIER_DAILY_USD"]),
        ({"daily_usd": "nan"}, ["HALLU_VERIFIER_DAILY_USD"]),
        (
            {"daily_usd": "-1", "price_in": -0.1, "price_out": float("inf")},
            ["HALLU_VERIFIER_PRICE_IN", "HALLU_VERIFIER_PRICE_OUT", "HALLU_VERIFIER_DAILY_USD"],
        ),
    ],
)
def test_what_is_no_sum_of_money_is_named_at_the_start(
    settings: Any, money: dict[str, Any], variables: list[str]
) -> None:
    settings.VERIFIER = {**ENDPOINT, **money}
    assert [problem.hint for problem in money_is_money()] == [f"Set {variable}." for variable in variables]


def test_a_verifier_that_costs_nothing_needs_no_sums(settings: Any) -> None:
    settings.VERIFIER = {"backend": "local", "daily_usd": "five"}
    assert money_is_money() == []


@pytest.mark.requirement("SPEC-08.43")
def test_a_verifier_that_cannot_be_opened_fails_its_claims_and_nothing_else(settings: Any) -> None:
    settings.VERIFIER = {**ENDPOINT, "model": ""}
    forget()
    try:
        verifier = verifier_for("output_verification")
        (estimate,) = verifier.batch_estimate(["NOI rose."], "NOI rose.")
        assert estimate.error
        with pytest.raises(VerifierError, match="HALLU_VERIFIER_MODEL"):
            verifier.estimate_probability("NOI rose.", "NOI rose.")
    finally:
        forget()
