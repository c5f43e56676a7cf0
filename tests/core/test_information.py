"""KL divergence, its signed form and its intervals."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from detection.core.strawberry import SIGNED, bits, corner_bits, kl, midpoint, signed_bits, signed_kl
from tests.tables import each_case

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "strawberry_golden.json").read_text())
inside = st.floats(SIGNED, 1 - SIGNED)
pairs = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda pair: (min(pair), max(pair)))


@pytest.mark.requirement("SPEC-08.06")
@pytest.mark.requirement("GOV-04")
@each_case("row", GOLDEN["kl"], ids=lambda row: f"{row['a']}-{row['b']}-{row['epsilon']}")
def test_divergence_has_its_reference_value(row: dict) -> None:
    assert kl(row["a"], row["b"], row["epsilon"]) == pytest.approx(row["kl_nats"], abs=1e-9)


@given(st.floats(0, 1), st.floats(0, 1))
def test_divergence_is_finite_and_not_negative(a: float, b: float) -> None:
    assert -1e-15 <= kl(a, b) < math.inf


@given(inside, inside)
def test_sign_follows_the_direction(a: float, b: float) -> None:
    assume(abs(a - b) > 1e-6)
    assert (signed_kl(a, b) > 0) == (a > b)


@pytest.mark.requirement("SPEC-08.05")
@given(inside, inside, inside)
def test_signed_gap_is_positive_exactly_when_p1_misses_the_target(
    p1: float, p0: float, target: float
) -> None:
    assume(abs(p1 - target) > 1e-6)
    gap = signed_kl(target, p0) - signed_kl(p1, p0)
    assert (gap > 0) == (p1 < target)


@given(st.floats(0, 50))
def test_a_bit_is_ln_two_nats(nats: float) -> None:
    assert bits(nats) == pytest.approx(nats / math.log(2))


@given(pairs, pairs, st.floats(0, 1), st.floats(0, 1))
@example((0.0, 1.0), (0.0, 1.0), 0.3, 0.7)
def test_every_point_of_the_intervals_is_inside_the_bounds(
    a: tuple[float, float], b: tuple[float, float], x: float, y: float
) -> None:
    low, high = signed_bits(a, b)
    point_a, point_b = a[0] + x * (a[1] - a[0]), b[0] + y * (b[1] - b[0])
    assert low - 1e-9 <= bits(signed_kl(point_a, point_b)) <= high + 1e-9


def test_corner_rule_can_miss_the_smallest_divergence() -> None:
    low, _ = corner_bits((0.2, 0.6), (0.4, 0.8))
    assert low > bits(kl(0.5, 0.5))


def test_midpoint_is_half_way() -> None:
    assert midpoint((0.2, 0.6)) == pytest.approx(0.4)
