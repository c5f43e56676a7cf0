"""The arithmetic of capacity gives the figures that the design worked out by hand, and obeys queueing theory."""

import math
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from detection.observing.capacity import (
    Costs,
    Load,
    backlog,
    cores,
    drained_in,
    in_service,
    mean_wait,
    need,
    replicas,
    slots,
    waits,
)

DESIGN = Costs(web=0.0022, worker=0.0013, database=0.00053, broker=0.00008, rows=10, bytes=8000)
"""What the design reckoned with; the product's own costs are the defaults."""


@pytest.mark.parametrize(
    ("answers", "average", "peak", "calls", "tokens", "usd", "gated_calls", "gated_usd", "rows", "gigabytes"),
    [
        (1e4, 0.12, 0.35, 1.2, 1.0e3, 14, 0.12, 1.4, 3, 0.08),
        (1e5, 1.2, 3.5, 12, 10e3, 136, 1.2, 14, 35, 0.8),
        (1e6, 12, 35, 116, 104e3, 1_356, 12, 142, 350, 8),
        (1e7, 116, 347, 1_157, 1.04e6, 13.6e3, 122, 1.4e3, 3.5e3, 80),
        (1e8, 1_157, 3_472, 11_574, 10.4e6, 136e3, 1_215, 14.2e3, 35e3, 800),
    ],
)
def test_each_stage_needs_what_the_design_says(
    answers: float,
    average: float,
    peak: float,
    calls: float,
    tokens: float,
    usd: float,
    gated_calls: float,
    gated_usd: float,
    rows: float,
    gigabytes: float,
) -> None:
    near = 0.07  # the design rounds to two digits
    everything, gated = Load(answers), Load(answers, verified=0.15, cached=0.30)
    found, less = need(everything, DESIGN), need(gated, DESIGN)
    assert (everything.average, everything.busiest) == pytest.approx((average, peak), rel=near)
    assert (found.calls, found.tokens, found.usd_a_day) == pytest.approx((calls, tokens, usd), rel=near)
    assert (less.calls, less.usd_a_day) == pytest.approx((gated_calls, gated_usd), rel=near)
    assert found.rows == pytest.approx(rows, rel=0.2)
    assert found.bytes_a_day / 1e9 == pytest.approx(gigabytes)


def test_processors_are_those_of_the_peak_at_sixty_percent() -> None:
    found = need(Load(1e8), DESIGN)
    assert (found.web_cores, found.worker_cores) == pytest.approx((12.7, 7.5), rel=0.01)
    assert cores(3472, 0.0022) == pytest.approx(12.7, rel=0.01)


@pytest.mark.parametrize(("erlang", "wanted"), [(0, 0), (3.125, 6), (31.25, 45), (312, 446)])
def test_places_are_neither_too_busy_nor_waited_for(erlang: float, wanted: int) -> None:
    assert slots(erlang) == wanted


def test_the_fewest_places_for_a_short_wait_are_the_designs() -> None:
    assert mean_wait(318, 312) > 0.1 >= mean_wait(319, 312)


def test_the_formula_of_erlang_gives_what_is_known() -> None:
    assert waits(1, 0.5) == pytest.approx(0.5)  # one server: as busy as it is
    assert waits(2, 1) == pytest.approx(1 / 3)
    assert mean_wait(1, 0.5) == pytest.approx(1.0)
    assert (waits(3, 3), mean_wait(3, 3)) == (1.0, math.inf)
    assert [slots(e) for e in (0.01, 0.5, 1)] == sorted(slots(e) for e in (0.01, 0.5, 1))


def test_an_outage_leaves_what_came_and_drains_by_what_is_over() -> None:
    assert backlog(3472, 3600) == pytest.approx(12.5e6, rel=0.01)
    assert drained_in(3600, 1.5) == 7200
    with pytest.raises(ValueError, match="headroom"):
        drained_in(3600, 1)


def test_as_many_are_served_as_come_in_the_time_of_service() -> None:
    assert in_service(35, 0.6) == pytest.approx(21)
    assert (
        replicas(1000, 10, 0.6, places=4, within=60) == 4
    )  # 10 for what waits and 6 for what comes, in fours


def test_the_command_tells_what_the_arithmetic_says() -> None:
    out = StringIO()
    call_command("capacity", "--answers-per-day", "1e6", "--verified", "0.15", "--cached", "0.3", stdout=out)
    told = dict(line.rsplit(maxsplit=1) for line in out.getvalue().splitlines())
    assert told["US dollars a day"] == "142.38"
    assert told["answers at a time in the lane verify"] == "6"


@pytest.mark.parametrize(
    ("wrong", "told"), [(("--headroom", "0.9"), "headroom is more than 1"), (("--peak", "-1"), "less than 0")]
)
def test_what_is_no_load_is_refused(wrong: tuple[str, str], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("capacity", "--answers-per-day", "1e6", *wrong)
