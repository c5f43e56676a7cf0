"""Which values of a threshold are tried."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from detection.core.thresholds import DEFAULTS, form_fields, validated
from reviews.tuning.grids import POINTS, grid, in_force, with_value
from tests.tables import each_case

TUNED = [declared.name for declared in form_fields() if declared.metadata["phase"] == "decide"]


@pytest.mark.requirement("APP-05")
@each_case("name", TUNED)
def test_every_threshold_has_values_to_try_that_its_declaration_permits(name: str) -> None:
    values: dict[str, Any] = {"base": {}, "overrides": []}
    active = in_force(values, name)
    points, here = grid(active, name, None)
    assert len(points) <= POINTS
    for place, point in enumerate(points):
        tried = values if place == here else with_value(values, name, point)
        validated(tried["base"])
        assert place == here or in_force(tried, name) != active


@example(active=0.0, scores=[1.2769817113140262e-93])
@given(
    active=st.floats(0, 100),
    scores=st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=40),
)
def test_numbers_ascend_on_a_round_step_and_hold_the_value_in_force(
    active: float, scores: list[float]
) -> None:
    points, here = grid(active, "currency_tolerance", np.array(scores, float))
    assert points[here] == active
    assert 2 <= len(points) <= POINTS
    assert list(points) == sorted(set(points))  # type: ignore[type-var]
    assert points[0] >= 0  # type: ignore[operator]
    assert points[-1] <= 100  # type: ignore[operator]


def test_the_values_follow_the_scores() -> None:
    points, _ = grid(5.0, "currency_tolerance", np.linspace(1, 12, 500))
    assert (points[0], points[-1]) == (1.2, 11.8)
    assert points[1] == 1.4
    assert 5.0 in points


def test_days_are_whole() -> None:
    points, here = grid(7, "date_tolerance_days", None)
    assert points[here] == 7
    assert all(isinstance(point, int) for point in points)


def test_another_value_leaves_the_rest_of_the_profile_alone() -> None:
    values = {
        "base": {"overlap": 0.4},
        "overrides": [{"when": {"language": "he"}, "values": {"overlap": 0.2}}],
    }
    tried = with_value(values, "ratio_tolerance", 3.0)
    assert tried == {"base": {"overlap": 0.4, "ratio_tolerance": 3.0}, "overrides": values["overrides"]}
    assert values["base"] == {"overlap": 0.4}


def test_a_threshold_with_a_number_for_each_name_gets_one_for_all() -> None:
    tried = with_value(
        {"base": {"target_by_method": {"local": 0.2, "sampled": 0.9}}}, "target_by_method", 0.5
    )
    assert tried["base"]["target_by_method"] == {"local": 0.5, "sampled": 0.5}


def test_an_unknown_threshold_is_refused() -> None:
    with pytest.raises(KeyError):
        in_force({"base": {}}, "no_such_threshold")
    assert in_force({"base": {}}, "overlap") == DEFAULTS.overlap
