"""The way of one case through the core, with a verifier that says what it is told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

import pytest

from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.ports import Estimate, VerifierError
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Figure, Kind, Period, Source
from tests.core.screened import screened

PERIOD = Period(1, "OAK", "Q3 2024", date(2024, 7, 1), date(2024, 9, 30))


def figure(name: str, kind: Kind, value: str, unit: str) -> Figure:
    return Figure(
        "FinancialMetrics", 1, name, name, kind, Decimal(value), unit, "OAK", "Q3 2024", PERIOD.start, PERIOD.end, "2024-11-04"
    )  # fmt: skip


FIGURES = (
    figure("net_operating_income", "currency", "1234567.89", "USD"),
    figure("occupancy_rate", "percentage", "85.5", "%"),
)
SOURCE = Source("S0", "Net operating income for Q3 2024 was $1,234,567.89 and occupancy was 85.5%.")


@dataclass
class Told:
    """A verifier that answers ``yes`` when the cited evidence is in view and ``no_evidence`` without."""

    yes: float = 0.97
    no_evidence: float = 0.3
    name: str = "told"
    asked: list[str] = field(default_factory=list)

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        self.asked.append(claim)
        p = self.yes if SOURCE.text in context else self.no_evidence
        return Estimate((p, p), (0.01, 0.01), (0.99 - p, 0.99 - p), "told", "told-1")

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        return [self.estimate_probability(claim, context) for claim in claims]


class Broken(Told):
    """A verifier that cannot even be asked."""

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        raise VerifierError("the endpoint is away")


def case(answer: str, **changes: object) -> Case:
    given = {
        "sources": (SOURCE,),
        "figures": FIGURES,
        "periods": (PERIOD,),
        "property": "OAK",
        "period": PERIOD,
    }
    return Case(answer, database="ok", original_confidence=0.95, **{**given, **changes})  # type: ignore[arg-type]  # a test's shorthand


def statuses(conclusion: pipeline.Conclusion) -> dict[str, str]:
    return {
        f"{c.kind}:{c.text}": f.status for c, f in zip(conclusion.claims, conclusion.findings, strict=True)
    }


GOOD = "Net operating income was $1,234,567.89 [S0]. Occupancy was 85.5% in Q3 2024 [S0]."
BESIDE = "The tenants were content with their new lobby."
"""What no figure carries."""
WRONG = GOOD.replace("1,234,567.89", "9,999,999.99")


@pytest.mark.requirement("CIT-07")
def test_a_right_answer_is_clear() -> None:
    conclusion = screened(case(GOOD), DEFAULTS, Told())
    assert set(statuses(conclusion).values()) == {"supported"}
    assert (conclusion.verdict.risk_level, conclusion.verdict.needs_review) == ("low", False)
    assert conclusion.flagged == frozenset()


def test_a_contradicted_number_contradicts_its_statement_but_asks_alone_for_a_decision() -> None:
    conclusion = screened(case(WRONG), DEFAULTS, Told())
    found = statuses(conclusion)
    assert found["currency:$9,999,999.99"] == "contradicted"
    assert found["statement:Net operating income was $9,999,999.99 [S0]."] == "contradicted"
    assert [conclusion.claims[index].kind for index in conclusion.flagged] == ["currency"]
    assert (conclusion.verdict.risk_level, conclusion.verdict.adjusted_confidence) == ("high", 0.76)


def test_claims_slice_back_to_the_answer() -> None:
    for claim in claims.read(case(WRONG)):
        assert WRONG[claim.start : claim.end] == claim.text


@pytest.mark.requirement("SPEC-08.43")
def test_a_detector_that_breaks_is_a_report_and_leaves_the_others_alone() -> None:
    conclusion = screened(case(f"{GOOD} {BESIDE}"), DEFAULTS, Broken())
    found = statuses(conclusion)
    assert found["currency:$1,234,567.89"] == "supported"
    assert found[f"statement:{BESIDE}"] == "unverified"
    assert (conclusion.verdict.risk_level, conclusion.verdict.answer_status) == ("moderate", "not_verified")
    assert not conclusion.verdict.needs_review


def test_a_verifier_that_answers_for_nothing_is_a_failed_check_that_says_why() -> None:
    conclusion = screened(case(GOOD), DEFAULTS, Broken(), due=["strawberry"])
    report = conclusion.reports["strawberry"]
    assert (report.status, report.reason) == (
        "error",
        "2 of 2 statements: The verifier failed (verifier_error).",
    )
    assert report.measurement is not None
    assert conclusion.verdict.answer_status == "not_verified"
    assert report.reason in next(r.text for r in conclusion.verdict.reasons if r.code == "check_failed")


@dataclass
class Halting(Told):
    """A verifier that fails for one claim and answers for the others."""

    fault: str = "verifier_auth"

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        answers = super().batch_estimate(claims, context)
        return [
            Estimate(error=self.fault) if c == BESIDE else a for c, a in zip(claims, answers, strict=True)
        ]


@pytest.mark.parametrize(
    ("fault", "status"), [("verifier_auth", "ok"), ("timeout", "timeout"), ("rate_limited", "rate_limited")]
)
def test_a_verifier_that_fails_for_some_claims_is_no_failed_check(fault: str, status: str) -> None:
    conclusion = screened(case(f"{GOOD} {BESIDE}"), DEFAULTS, Halting(fault=fault))
    report = conclusion.reports["strawberry"]
    assert report.status == status
    assert report.reason.startswith("1 of 3 statements: The verifier")
    assert "check_failed" not in {reason.code for reason in conclusion.verdict.reasons}
    assert conclusion.verdict.answer_status == "not_verified"
    assert not conclusion.verdict.needs_review


class Interrupted(Exception):
    """What a caller's surroundings raise inside work that took too long."""


class Endless(tuple[Source, ...]):
    """Sources in the midst of which a signal arrives."""

    def __iter__(self) -> Iterator[Source]:
        raise Interrupted

    def __len__(self) -> int:
        raise Interrupted


@pytest.mark.parametrize(("given", "status"), [((Interrupted,), "timeout"), ((), "error")])
@pytest.mark.parametrize("name", ["numeric", "citation", "grounding", "strawberry"])
def test_work_that_is_ended_from_outside_is_a_timeout_and_never_clear(
    name: str, given: tuple[type[Exception], ...], status: str
) -> None:
    asked = case(f"{GOOD} {BESIDE}")
    read = claims.read(asked)
    report = pipeline.measure(
        name, Context(replace(asked, sources=Endless()), read, verifier=Told(), out_of_time=given)
    )
    assert (report.status, report.measurement) == (status, None)
    others = {
        n: pipeline.measure(n, Context(asked, read, verifier=Told())) for n in pipeline.DETECTORS if n != name
    }
    conclusion = pipeline.conclude(Context(asked, read), {**others, name: report}, list(pipeline.DETECTORS))
    assert (conclusion.verdict.risk_level, conclusion.verdict.needs_review) == (
        "moderate",
        name != "strawberry",
    )
    assert report.reason in next(r.text for r in conclusion.verdict.reasons if r.code == "check_failed")
    checked = {"numeric", "strawberry"} & {name}
    assert {f.code for f in conclusion.findings if f.status == "unverified"} == (
        {status} if checked else set()
    )


def test_what_was_not_asked_for_is_not_checked_and_never_supported() -> None:
    conclusion = screened(case(GOOD), DEFAULTS, Told(), due=["numeric"])
    found = statuses(conclusion)
    assert {status for name, status in found.items() if name.startswith("statement")} == {"not_checked"}
    assert list(conclusion.reports) == ["numeric"]
    named = [reason.text.split()[1] for reason in conclusion.verdict.reasons if reason.code == "not_run"]
    assert named == ["citation", "grounding", "strawberry", "judge"]


def test_a_report_that_is_still_due_reads_as_pending() -> None:
    asked = case(GOOD)
    read = claims.read(asked)
    reports = {"numeric": pipeline.measure("numeric", Context(asked, read, verifier=Told()))}
    conclusion = pipeline.conclude(Context(asked, read), reports, list(pipeline.DETECTORS))
    assert {f.code for f in conclusion.findings if f.status == "unverified"} == {"pending"}
    assert conclusion.verdict.risk_level == "moderate"


@pytest.mark.requirement("CIT-09")
@pytest.mark.parametrize("answer", ["", "   \n\t "])
def test_an_empty_answer_has_no_claims_and_no_risk(answer: str) -> None:
    conclusion = screened(case(answer), DEFAULTS, Told())
    assert (conclusion.claims, conclusion.verdict.risk_level) == ((), "low")
    assert not conclusion.verdict.has_hallucinations
    assert "note" in {reason.code for reason in conclusion.verdict.reasons}


def test_the_judge_says_why_it_did_not_run() -> None:
    conclusion = screened(case(GOOD), DEFAULTS, Told())
    assert conclusion.reports["judge"].status == "skipped"
    assert "not_run" in {reason.code for reason in conclusion.verdict.reasons}


def test_deciding_again_with_other_thresholds_measures_nothing_anew() -> None:
    verifier = Told()
    asked = case(GOOD.replace("1,234,567.89", "1,250,000.00"))
    tolerant = DEFAULTS.changed(exact_numbers=False)
    first = screened(asked, tolerant, verifier)
    calls = len(verifier.asked)
    strict = tolerant.changed(exact_numbers=True)
    again = pipeline.conclude(Context(asked, first.claims, strict), first.reports, list(pipeline.DETECTORS))
    assert statuses(first)["currency:$1,250,000.00"] == "supported"
    assert statuses(again)["currency:$1,250,000.00"] == "contradicted"
    assert len(verifier.asked) == calls


def test_what_a_store_has_already_is_not_measured_again() -> None:
    verifier, asked = Told(), case(GOOD)
    context = Context(asked, claims.read(asked), verifier=verifier)
    first = pipeline.screen(context, Memory(list(pipeline.DETECTORS)))
    calls = len(verifier.asked)
    again = pipeline.screen(context, Memory(list(pipeline.DETECTORS), dict(first.reports)))
    assert (again, len(verifier.asked)) == (first, calls)


@pytest.mark.requirement("RAG-06")
def test_a_citation_of_a_source_that_does_not_exist_is_named_and_flags_its_statement() -> None:
    conclusion = screened(case(GOOD + " The covenant was waived by the lender [S9]."), DEFAULTS, Told())
    assert conclusion.verdict.has_hallucinations
    assert "S9" in next(r.text for r in conclusion.verdict.reasons if r.code == "invalid_citation")
    assert any("[S9]" in conclusion.claims[index].text for index in conclusion.flagged)
