"""The money of a day: counted for every call, and nothing is asked when it is spent."""

from datetime import date
from decimal import Decimal
from math import log
from typing import Any

import pytest

from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Source, Usage
from detection.verifiers import VerifierConfigError, open_text_model, open_verifier
from detection.verifiers.endpoints.budget import Budget, today
from detection.verifiers.endpoints.failures import BudgetSpent
from detection.verifiers.stores import OwnLedger, Stores
from tests.core.screened import screened
from tests.detection.verifier_stub import completion, sends, serving

pytestmark = pytest.mark.requirement("GOV-09")

GOOD = completion({"YES": log(0.8), "NO": log(0.1), "UNKNOWN": log(0.1)})
CALL = Decimal("0.0201")
"""What one answer of the stub costs at 100 dollars a million: 201 tokens."""

PRICES = {"price_in": "100", "price_out": "100"}


def config(url: str, **more: Any) -> dict[str, Any]:
    return {"backend": "external", "base_url": url, "model": "m", "timeout": 60} | PRICES | more


def test_what_calls_cost_is_entered_and_added_up() -> None:
    ledger = OwnLedger()
    budget = Budget(ledger, "external", "m", price=(Decimal("0.15"), Decimal("0.60")))
    assert budget.charge(2000, 1) == Usage(1, 2001, Decimal("0.0003006"))
    budget.charge(1000, 0)
    assert budget.spent() == ledger.spent(today()) == Decimal("0.0004506")


def test_the_budget_ends_with_its_day_and_begins_anew() -> None:
    days = [date(2026, 1, 1)]
    budget = Budget(
        OwnLedger(), "b", "m", price=(Decimal(1), Decimal(1)), daily_usd=Decimal(1), day=lambda: days[0]
    )
    budget.check()
    budget.charge(500_000, 500_000)
    with pytest.raises(BudgetSpent):
        budget.check()
    days[0] = date(2026, 1, 2)
    budget.check()
    assert budget.spent() == 0


def test_what_others_spent_counts() -> None:
    ledger = OwnLedger()
    one, other = (
        Budget(ledger, name, "m", price=(Decimal(1), Decimal(1)), daily_usd=Decimal(2)) for name in "ab"
    )
    one.charge(1_500_000, 600_000)
    with pytest.raises(BudgetSpent):
        other.check()


def test_no_limit_is_no_limit_and_nothing_is_nothing() -> None:
    free = Budget(OwnLedger(), "b", "m", price=(Decimal(1), Decimal(1)))
    free.charge(10**9, 10**9)
    free.check()
    with pytest.raises(BudgetSpent):
        Budget(OwnLedger(), "b", "m", daily_usd=Decimal(0)).check()


def test_nothing_is_asked_when_the_money_is_spent_and_claims_say_so() -> None:
    stores = Stores()
    with serving(sends(GOOD)) as stub:
        verifier = open_verifier(config(stub.url, daily_usd=str(2 * CALL), batch_size=1), stores)
        found = verifier.batch_estimate(list("abcd"), "context")
        asked = len(stub.asked)
        text_model = open_text_model(config(stub.url, daily_usd=str(2 * CALL)), stores)
        assert text_model is not None
        with pytest.raises(BudgetSpent):
            text_model.complete("system", "prompt")
    assert [estimate.error for estimate in found] == [None, None, "budget_spent", "budget_spent"]
    assert sum((estimate.usage for estimate in found), Usage()).usd == 2 * CALL
    assert len(stub.asked) == asked == 2


def test_what_is_cached_is_answered_without_money() -> None:
    with serving(sends(GOOD)) as stub:
        verifier = open_verifier(config(stub.url, daily_usd=str(CALL)))
        verifier.estimate_probability("a", "context")
        found = verifier.batch_estimate(["a", "b"], "context")
    assert [estimate.error for estimate in found] == [None, "budget_spent"]


def test_the_answer_goes_on_and_its_claims_name_the_reason() -> None:
    case = Case(
        "The roof was replaced after the storm [S0].", sources=(Source("S0", "The roof was replaced."),)
    )
    with serving(sends(GOOD)) as stub:
        conclusion = screened(case, DEFAULTS, open_verifier(config(stub.url, daily_usd="0")))
    (finding,) = [f for f in conclusion.findings if f.detector == "strawberry"]
    assert (finding.status, finding.code) == ("unverified", "budget_spent")
    assert "money" in finding.reason
    assert (conclusion.verdict.answer_status, conclusion.verdict.needs_review) == ("not_verified", False)
    assert stub.asked == []


def test_a_sum_that_is_none_is_named_with_its_variable() -> None:
    with pytest.raises(VerifierConfigError, match="HALLU_VERIFIER_DAILY_USD"):
        open_verifier(config("http://127.0.0.1:1/v1", daily_usd="much"))
