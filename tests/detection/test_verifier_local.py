"""The embedded verifier: what it must get right, and what must not move it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.statements import full_context, scrubbed_context
from detection.core.thresholds import DEFAULTS
from detection.core.types import Source
from detection.verifiers.embedded.lexical import FEATURES
from detection.verifiers.embedded.lexical_reading import stem
from detection.verifiers.embedded.local import MODEL, LocalModel, LocalVerifier

GONE = "[EVIDENCE REMOVED]"
NOI = (
    "Oak Plaza closed the third quarter of 2024 with net operating income of $1,234,567, compared with "
    "$1,180,200 a year earlier. Occupancy at the end of September was 94.2 percent."
)
LEASE = "The anchor tenant renewed its lease for ten years. Operating expenses decreased by 3.1 percent."
LOW = 0.3
"""A prior so low that evidence has to lift it by a fifth before anything is called supported."""
TRUE = "Net operating income of Oak Plaza was $1,234,567 in Q3 2024."


@pytest.fixture(scope="module")
def verifier() -> LocalVerifier:
    return LocalVerifier()


def p1(verifier: LocalVerifier, claim: str, *texts: str) -> float:
    context = full_context([Source(f"S{i}", text) for i, text in enumerate(texts)], GONE)
    return verifier.estimate_probability(claim, context).yes[0]


@given(st.text(max_size=80), st.text(max_size=200))
def test_it_says_three_points_that_sum_to_one_or_nothing(claim: str, evidence: str) -> None:
    estimate = LocalVerifier().estimate_probability(claim, evidence)
    told = (estimate.yes, estimate.no, estimate.unknown)
    points = all(low == high for low, high in told) and sum(low for low, _ in told) == pytest.approx(1)
    assert points or told == ((0.0, 1.0),) * 3
    assert all(0 <= low <= high <= 1 for low, high in told)
    assert estimate.error is None


@pytest.mark.parametrize(
    "claim", ["השוכר ישלם את דמי השכירות מדי רבעון.", "承租人应按季度支付租金。"], ids=["he", "zh"]
)
def test_of_a_language_in_which_it_knows_no_more_than_overlap_it_says_nothing(
    verifier: LocalVerifier, claim: str
) -> None:
    assert verifier.estimate_probability(claim, claim).yes == (0.0, 1.0)


@pytest.mark.requirement("SPEC-08.03")
def test_evidence_lifts_what_it_says_over_a_low_prior(verifier: LocalVerifier) -> None:
    sources = [Source("S0", NOI), Source("S1", "The board met twice.")]
    without = verifier.estimate_probability(TRUE, scrubbed_context(sources, {"S0"}, GONE)).yes[0]
    with_evidence = verifier.estimate_probability(TRUE, full_context(sources, GONE)).yes[0]
    assert without < LOW
    assert with_evidence > DEFAULTS.target_by_method["local"]
    assert with_evidence - without > DEFAULTS.minimum_lift


def test_nothing_to_read_gives_a_low_prior(verifier: LocalVerifier) -> None:
    assert p1(verifier, TRUE) < LOW
    assert verifier.estimate_probability(TRUE, "").yes[0] < LOW


@pytest.mark.parametrize(
    "wrong",
    [
        "Net operating income of Oak Plaza was $1,634,567 in Q3 2024.",
        "Net operating income of Oak Plaza was €1,234,567 in Q3 2024.",
        "Net operating income of Oak Plaza was $1,234,567 in Q1 2023.",
        "Occupancy at the end of September was 84.2 percent.",
        "Operating expenses increased by 3.1 percent.",
    ],
)
def test_a_wrong_number_unit_period_or_direction_costs_belief(verifier: LocalVerifier, wrong: str) -> None:
    right = (
        TRUE if wrong.startswith("Net") else wrong.replace("84.2", "94.2").replace("increased", "decreased")
    )
    assert p1(verifier, wrong, NOI, LEASE) < p1(verifier, right, NOI, LEASE) - 0.2


def test_a_rounded_number_agrees_with_the_exact_one(verifier: LocalVerifier) -> None:
    rounded = TRUE.replace("$1,234,567", "$1.2M")
    assert p1(verifier, rounded, NOI) == pytest.approx(p1(verifier, TRUE, NOI), abs=0.15)


def test_a_batch_gives_what_single_questions_give(verifier: LocalVerifier) -> None:
    claims = [TRUE, "The roof was replaced.", ""]
    single = [verifier.estimate_probability(claim, NOI).yes for claim in claims]
    assert [estimate.yes for estimate in verifier.batch_estimate(claims, NOI)] == single


@pytest.mark.parametrize(
    ("inflected", "plain"), [("leases", "lease"), ("renewed", "renew"), ("והשכירות", "שכירות")]
)
def test_inflected_words_share_a_stem(inflected: str, plain: str) -> None:
    assert stem(inflected) == stem(plain)


def test_the_shipped_model_carries_its_figures() -> None:
    fit = json.loads(MODEL.read_text(encoding="utf-8"))["fit"]
    assert {"sources", "languages", "licences", "carried", "data"} <= set(fit)
    assert set(fit["licences"]) == set(fit["sources"]) | {"uhgeval_real"}


def test_a_model_for_other_features_is_refused(tmp_path: Path) -> None:
    stored = json.loads(MODEL.read_text(encoding="utf-8"))
    stored["features"] = list(FEATURES[:-1])
    (tmp_path / "model.json").write_text(json.dumps(stored), encoding="utf-8")
    with pytest.raises(ValueError, match="other features"):
        LocalModel.read(tmp_path / "model.json")
