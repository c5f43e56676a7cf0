"""The score behind a threshold is the place where a claim or an answer turns."""

import numpy as np
import pytest

from detection.core.thresholds import form_fields
from reviews.tuning.replay.codes import CODES
from reviews.tuning.replay.deciding import Replays, replay
from reviews.tuning.replay.measured import Measured
from reviews.tuning.replay.scores import SCORES, scores
from tests.reviews.measurements import Maker, columns_of
from tests.tables import each_case

MEASURED = Measured(columns_of(Maker(3).answers(300)))
NAMES = [name for name in SCORES if name.endswith(("tolerance", "tolerance_days"))]


@each_case("name", SCORES)
def test_scores_are_finite_and_belong_to_rows_that_there_are(name: str) -> None:
    found = scores(MEASURED, name)
    assert found is not None
    assert len(found.values) == len(found.rows) > 0
    assert np.isfinite(found.values).all()
    assert found.rows.max() < len(MEASURED.claim if found.of == "claim" else MEASURED.run)


@pytest.mark.parametrize("name", NAMES)
def test_a_number_is_supported_from_its_score_on(name: str) -> None:
    found = scores(MEASURED, name)
    assert found is not None
    replays = Replays(MEASURED)
    for at in np.unique(found.values[found.values > 0]):
        rows = found.rows[found.values == at]
        below = int(at) - 1 if name == "date_tolerance_days" else float(np.nextafter(at, 0))
        for value, supported in ((below, False), (at, True)):
            share = int(value) if name == "date_tolerance_days" else float(value)
            profile = {"base": {"exact_numbers": False, name: share}}
            assert ((replays.at(profile, "govil").status[rows] == 0) == supported).all()


def test_a_statement_is_too_short_above_its_score() -> None:
    found = scores(MEASURED, "minimum_claim_length")
    assert found is not None
    for at in (14, 15, 40):
        code = replay(MEASURED, {"base": {"minimum_claim_length": at}}, "govil").code[found.rows]
        assert ((code == CODES.index("too_short")) <= (found.values < at)).all()
        assert (code == CODES.index("too_short")).any()


def test_thresholds_that_are_compared_with_nothing_have_no_scores() -> None:
    assert scores(MEASURED, "strict_budget") is None
    assert scores(MEASURED, "severity_contradicted") is None
    assert set(SCORES) <= {field.name for field in form_fields() if field.metadata["phase"] == "decide"}


def test_without_answers_there_are_no_scores() -> None:
    nothing = Measured(columns_of([]))
    assert all(len(scored.values) == 0 for name in SCORES if (scored := scores(nothing, name)))
