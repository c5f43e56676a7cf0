"""What an agent reads to put its own answer right: what is wrong, and what belongs there (SPEC-08.21)."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from detection import toolkit
from detection.core.ports import Estimate
from detection.models import FinancialMetrics, FinancialPeriod
from detection.operations import verifying

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("SPEC-08.21")]

PREMIUMS = "The tenant pays the insurance premiums of the building."
ROOF = "The landlord repairs the roof of the building."


class Reads:
    """A verifier that believes a claim exactly when the context says it word for word."""

    name = "reads"

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        p = 0.98 if claim in context else 0.1
        return Estimate((p, p), (0.02, 0.02), (0.98 - p, 0.98 - p), "logprobs", "reads-1")

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        return [self.estimate_probability(claim, context) for claim in claims]


@pytest.fixture(autouse=True)
def _reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "verifier_for", lambda _operation: Reads())


@pytest.fixture
def quarter(make_period: Callable[..., FinancialPeriod]) -> FinancialPeriod:
    period = make_period("OAK", "Q3 2024")
    period.refresh_from_db()
    FinancialMetrics.objects.create(period=period, net_operating_income=Decimal("1234567.89"))
    return period


def judged(answer: str, *texts: str, quarter: FinancialPeriod | None = None) -> dict[str, Any]:
    """The Result; with a quarter by its numbers alone."""
    sources = [{"id": f"S{n}", "text": text} for n, text in enumerate(texts)]
    about, checks = (quarter.property, ["numeric"]) if quarter else (None, None)
    return toolkit.judge(answer, sources=sources, about=about, period=quarter, detectors=checks)


def test_an_answer_in_order_has_nothing_to_correct() -> None:
    assert judged(f"{PREMIUMS} [S0]", PREMIUMS)["self_correction"] == []


def test_a_wrong_number_comes_with_the_figure_of_record(quarter: FinancialPeriod) -> None:
    result = judged("NOI was $1,612,000.00 in Q3 2024.", quarter=quarter)
    (entry,) = result["self_correction"]
    assert entry["text"] == "$1,612,000.00" == result["claims"][entry["claim"]]["text"]
    assert Decimal(entry["expected"]) == Decimal("1234567.89")
    assert entry["problem"] == result["claims"][entry["claim"]]["reason"]


def test_a_number_that_its_source_contradicts_comes_with_the_right_one() -> None:
    said = "Net operating income for Q3 2024 was $1,234,567.89."
    result = judged("Net operating income for Q3 2024 was $1,612,000.00 [S1].", ROOF, said)
    (entry,) = (each for each in result["self_correction"] if each["text"] == "$1,612,000.00")
    assert (entry["expected"], entry["source"]) == ("1234567.89", "S1")
    assert "Source S1 says 1,234,567.89" in entry["problem"]


def test_a_statement_that_cites_the_wrong_source_is_told_the_right_one() -> None:
    (entry,) = judged(f"{PREMIUMS[:-1]} [S0].", ROOF, PREMIUMS)["self_correction"]
    assert (entry["claim"], entry["source"], entry["expected"]) == (0, "S1", None)
    assert "not the cited ones" in entry["problem"]


def test_a_source_that_does_not_exist_is_named() -> None:
    (entry,) = judged(f"{PREMIUMS[:-1]} [S0][S7].", PREMIUMS)["self_correction"]
    assert entry["problem"] == "The answer cites [S7], which is not among its sources."


def test_a_misplaced_citation_is_told_where_no_verifier_was_asked() -> None:
    sources = [{"id": "S0", "text": ROOF}, {"id": "S1", "text": PREMIUMS}]
    by_rule = ["citation", "grounding", "numeric"]
    (entry,) = toolkit.judge(f"{PREMIUMS[:-1]} [S0].", sources=sources, detectors=by_rule)["self_correction"]
    assert (entry["problem"], entry["source"]) == ("This cites [S0], but [S1] is what says it.", "S1")


@pytest.mark.requirement("SPEC-08.20")
def test_every_statement_of_a_response_is_verified_against_its_context() -> None:
    result = judged(f"{PREMIUMS[:-1]} [S0]. The lender waived the covenant in spring [S0].", PREMIUMS)
    statements = [claim for claim in result["claims"] if claim["kind"] == "statement"]
    assert [claim["status"] for claim in statements] == ["supported", "unsupported"]
    assert [entry["claim"] for entry in result["self_correction"]] == [statements[1]["index"]]


def test_an_answer_that_takes_the_corrections_has_nothing_left_to_correct(quarter: FinancialPeriod) -> None:
    answer = "NOI was $1,612,000.00 in Q3 2024."
    for entry in judged(answer, quarter=quarter)["self_correction"]:
        answer = answer.replace(entry["text"], f"${Decimal(entry['expected']):,}")
    assert judged(answer, quarter=quarter)["self_correction"] == []
