"""Agreement with pySBD's golden rules, on the labelled data."""

import os
from pathlib import Path

import pytest

from benchmarks.sentence_splitting import agreement, golden

DATA = os.environ.get("HALLU_DATA")
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA, reason="HALLU_DATA does not name the folder of labelled data"),
]


@pytest.fixture(scope="module")
def agreed() -> dict[str, dict[str, float | None]]:
    return agreement(golden(Path(DATA or "")))


@pytest.mark.parametrize(
    ("language", "least"), [("english", 45 / 47), ("chinese", 1.0), ("english_clean", 90 / 126)]
)
def test_the_golden_rules_are_met_as_far_as_they_were(
    agreed: dict[str, dict[str, float | None]], language: str, least: float
) -> None:
    assert (agreed[language]["own"] or 0.0) >= least


def test_no_language_is_split_worse_than_by_the_plain_expression(
    agreed: dict[str, dict[str, float | None]],
) -> None:
    assert all((tally["own"] or 0.0) >= (tally["naive"] or 0.0) for tally in agreed.values())
