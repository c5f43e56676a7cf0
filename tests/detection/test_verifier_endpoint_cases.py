"""GOV-10's four cases through an endpoint: what it believes of each claim, with the evidence and without it, decides,
under every scoring; and a claim that it fails to answer changes nothing for the others."""

import threading
from collections.abc import Mapping
from math import log

import pytest

from detection.core.pipeline import Conclusion
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Finding, Source, StrawberryMeasurement
from detection.verifiers import open_verifier
from tests.core.screened import screened
from tests.detection.fault_server import question
from tests.detection.verifier_stub import Answer, Endpoint, completion, serving

pytestmark = [pytest.mark.requirement("GOV-10")]

SUPPORTED = "Net operating income of Oak Plaza rose in the third quarter [S0]."
CONTRADICTED = "Operating expenses of the property went up because of utilities [S1]."
CONFABULATED = "The roof was replaced after storm damage last winter [S1]."
SOURCES = (
    Source("S0", "Oak Plaza closed the third quarter with a net operating income above that of the second."),
    Source("S1", "Operating expenses fell, thanks to lower utility costs. The anchor tenant stays."),
    Source("S2", "The board met twice."),
)
SCORINGS = ("information_budget", "spec08", "pythea", "govil")

# (YES, NO) with the evidence and without it; UNKNOWN has the rest.
BELIEFS: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "Net operating": ((0.97, 0.01), (0.20, 0.10)),
    "Operating expenses": ((0.03, 0.94), (0.30, 0.10)),
    "The roof": ((0.08, 0.05), (0.08, 0.05)),
}


def believing(failing: str = "") -> Answer:
    """An endpoint with these beliefs, which breaks down at the claim that begins as ``failing`` says."""

    def answer(endpoint: Endpoint, body: dict) -> None:
        claim, context = question(body)
        if failing and claim.startswith(failing):
            return endpoint.reply(500, "{}")
        beliefs = next(each for piece, each in BELIEFS.items() if claim.startswith(piece))
        yes, no = beliefs[DEFAULTS.placeholder in context]
        return endpoint.reply(200, completion({"YES": log(yes), "NO": log(no), "UNKNOWN": log(1 - yes - no)}))

    return answer


def judged(*claims: str, scoring: str = "information_budget", failing: str = "") -> Conclusion:
    """The conclusion over an answer of these claims."""
    with serving(believing(failing)) as stub:
        verifier = open_verifier({"backend": "external", "base_url": stub.url, "model": "m", "timeout": 120})
        case = Case(" ".join(claims), sources=SOURCES, original_confidence=0.95)
        return screened(case, DEFAULTS, verifier, due=("strawberry",), scoring=scoring)


def statements(conclusion: Conclusion) -> list[Finding]:
    """The findings of the statements, in order."""
    pairs = zip(conclusion.claims, conclusion.findings, strict=True)
    return [finding for claim, finding in pairs if claim.kind == "statement"]


def flagged(conclusion: Conclusion) -> list[bool]:
    """Which statements are doubtful."""
    return [finding.status in ("contradicted", "unsupported") for finding in statements(conclusion)]


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize(
    ("claim", "doubtful"), [(SUPPORTED, False), (CONTRADICTED, True), (CONFABULATED, True)]
)
def test_one_claim_is_flagged_unless_its_evidence_carries_it(
    claim: str, doubtful: bool, scoring: str
) -> None:
    conclusion = judged(claim, scoring=scoring)
    assert flagged(conclusion) == [doubtful]
    assert conclusion.decisions["strawberry"].overall_grounded is not doubtful


@pytest.mark.parametrize("scoring", SCORINGS)
def test_of_mixed_claims_the_right_ones_are_flagged(scoring: str) -> None:
    conclusion = judged(SUPPORTED, CONTRADICTED, CONFABULATED, scoring=scoring)
    assert flagged(conclusion) == [False, True, True]
    assert conclusion.decisions["strawberry"].grounding_ratio == pytest.approx(1 / 3)


def test_the_default_scoring_tells_contradicted_from_confabulated() -> None:
    conclusion = judged(SUPPORTED, CONTRADICTED, CONFABULATED)
    assert [finding.code for finding in statements(conclusion)] == [
        "supported",
        "contradicted",
        "unsupported",
    ]
    assert (conclusion.verdict.has_hallucinations, conclusion.verdict.risk_level) == (True, "moderate")


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.requirement("SPEC-08.43")
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("position", range(3))
def test_a_claim_that_is_not_answered_changes_nothing_for_the_others(position: int, scoring: str) -> None:
    claims = (SUPPORTED, CONTRADICTED, CONFABULATED)
    whole = judged(*claims, scoring=scoring)
    broken = judged(*claims, scoring=scoring, failing=list(BELIEFS)[position])
    for index, (before, after) in enumerate(zip(statements(whole), statements(broken), strict=True)):
        expected = "unverified" if index == position else before.status
        assert after.status == expected, index


@pytest.mark.requirement("GOV-09")
@pytest.mark.requirement("SPEC-08.29")
def test_claims_of_one_answer_are_asked_about_side_by_side_and_each_question_once() -> None:
    """No question is asked twice, and the claims of one set of citations share one context."""
    claims = [f"{claim} " for claim in (SUPPORTED, CONTRADICTED, CONFABULATED)]
    with serving(believing()) as stub:
        verifier = open_verifier({"backend": "external", "base_url": stub.url, "model": "m", "timeout": 120})
        case = Case(" ".join(claims), sources=SOURCES)
        screened(case, DEFAULTS, verifier, due=("strawberry",))
        asked = [question(body) for body in stub.asked]
    assert len(asked) == len(set(asked))
    full = {context for _, context in asked if "S2" in context and DEFAULTS.placeholder not in context}
    scrubbed = {context for _, context in asked if DEFAULTS.placeholder in context}
    assert (len(full), len(scrubbed)) == (1, 2)


@pytest.mark.requirement("GOV-09")
def test_the_question_with_the_evidence_and_the_one_without_are_in_flight_together() -> None:
    both = threading.Barrier(2, timeout=60)
    believe = believing()

    def answer(endpoint: Endpoint, body: dict) -> None:
        if question(body)[0] != "Net operating income rose.":
            both.wait()
        believe(endpoint, body)

    with serving(answer) as stub:
        verifier = open_verifier({"backend": "external", "base_url": stub.url, "model": "m", "timeout": 120})
        verifier.estimate_probability("Net operating income rose.", "so that the endpoint is known")
        case = Case(SUPPORTED, sources=SOURCES[:1], original_confidence=0.95)
        conclusion = screened(case, DEFAULTS, verifier, due=("strawberry",))
    assert not both.broken
    measured = conclusion.reports["strawberry"].measurement
    assert isinstance(measured, StrawberryMeasurement)
    (lift,) = measured.claims.values()
    assert (lift.usage.calls, lift.usage.tokens) == (2, 402)
    assert flagged(conclusion) == [False]
