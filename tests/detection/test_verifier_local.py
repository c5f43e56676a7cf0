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
from detection.verifiers.embedded.local import MODEL, LocalModel, LocalVerifier, shipped_model

GONE = "[EVIDENCE REMOVED]"
NOI = (
    "Oak Plaza closed the third quarter of 2024 with net operating income of $1,234,567, compared with "
    "$1,180,200 a year earlier. Occupancy at the end of September was 94.2 percent."
)
LEASE = "The anchor tenant renewed its lease for ten years. Operating expenses decreased by 3.1 percent."
TRUE = "Net operating income of Oak Plaza was $1,234,567 in Q3 2024."


@pytest.fixture(scope="module")
def verifier() -> LocalVerifier:
    return LocalVerifier()


def p1(verifier: LocalVerifier, claim: str, *texts: str) -> float:
    context = full_context([Source(f"S{i}", text) for i, text in enumerate(texts)], GONE)
    return verifier.estimate_probability(claim, context).yes[0]


@given(st.text(max_size=80), st.text(max_size=200))
def test_the_three_probabilities_sum_to_one(claim: str, evidence: str) -> None:
    estimate = LocalVerifier().estimate_probability(claim, evidence)
    assert estimate.yes[0] + estimate.no[0] + estimate.unknown[0] == pytest.approx(1)
    assert all(low == high and 0 <= low <= 1 for low, high in (estimate.yes, estimate.no, estimate.unknown))
    assert estimate.error is None


@pytest.mark.requirement("SPEC-08.03")
@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        (NOI, TRUE),
        (
            'ההכנסה התפעולית הנקייה של קניון האורן ברבעון השלישי של 2024 הייתה 1,234,567 ש"ח.',
            'ההכנסה התפעולית הנקייה של קניון האורן הייתה 1,234,567 ש"ח ברבעון השלישי של 2024.',
        ),
        ("橡树广场2024年第三季度净营业收入为1,234,567美元。", "橡树广场第三季度净营业收入为1,234,567美元。"),
    ],
    ids=["en", "he", "zh"],
)
def test_evidence_lifts_what_it_says_over_a_low_prior(
    verifier: LocalVerifier, evidence: str, claim: str
) -> None:
    sources = [Source("S0", evidence), Source("S1", "The board met twice.")]
    without = verifier.estimate_probability(claim, scrubbed_context(sources, {"S0"}, GONE)).yes[0]
    with_evidence = verifier.estimate_probability(claim, full_context(sources, GONE)).yes[0]
    assert without < 0.2
    assert with_evidence > DEFAULTS.target_by_method["local"]
    assert with_evidence - without > DEFAULTS.minimum_lift


def test_nothing_to_read_gives_a_low_prior(verifier: LocalVerifier) -> None:
    assert p1(verifier, TRUE) < 0.2
    assert verifier.estimate_probability(TRUE, "").yes[0] < 0.2


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


def test_the_shipped_target_is_the_default_cap() -> None:
    assert DEFAULTS.target_by_method["local"] == shipped_model().target


def test_the_shipped_model_carries_its_figures() -> None:
    fit = json.loads(MODEL.read_text(encoding="utf-8"))["fit"]
    assert {"sources", "licences", "carried", "target_flags", "data"} <= set(fit)
    assert set(fit["licences"]) == set(fit["sources"]) | {"uhgeval_real"}


def test_a_model_for_other_features_is_refused(tmp_path: Path) -> None:
    stored = json.loads(MODEL.read_text(encoding="utf-8"))
    stored["features"] = list(FEATURES[:-1])
    (tmp_path / "model.json").write_text(json.dumps(stored), encoding="utf-8")
    with pytest.raises(ValueError, match="other features"):
        LocalModel.read(tmp_path / "model.json")
