"""What each citation of a statement adds, by leaving it out (contracts §4, leave-one-out)."""

from dataclasses import replace

import pytest

from detection.core.context import Context
from detection.core.statements import measure
from detection.core.thresholds import DEFAULTS
from detection.core.types import Source
from tests.core.test_strawberry_measure import CASE, COST, SOURCES, Reading, claim

EACH = DEFAULTS.changed(leave_one_out=True)


@pytest.mark.requirement("SPEC-08.10")
def test_a_source_that_carries_the_statement_lifts_it_and_another_does_not() -> None:
    lift = measure(
        Context(CASE, [claim(0, "tenant renewed the lease.", "S0", "S1")], EACH, verifier=Reading())
    ).claims[0]
    assert lift.without == {"S0": (0.9, 0.9), "S1": (0.2, 0.2)}


def test_it_is_asked_only_where_a_profile_wants_it() -> None:
    lift = measure(
        Context(CASE, [claim(0, "tenant renewed the lease.", "S0", "S1")], verifier=Reading())
    ).claims[0]
    assert lift.without == {}


def test_a_single_citation_is_not_asked_about_again() -> None:
    once, each = Reading(), Reading()
    measure(Context(CASE, [claim(0, "tenant renewed the lease.", "S1")], verifier=once))
    lift = measure(Context(CASE, [claim(0, "tenant renewed the lease.", "S1")], EACH, verifier=each)).claims[
        0
    ]
    assert lift.without == {}
    assert len(each.asked) == len(once.asked)


def test_what_nearly_repeats_a_source_is_left_out_with_it() -> None:
    twice = replace(CASE, sources=(*SOURCES, Source("S2", SOURCES[1].text + " Again.")))
    lift = measure(
        Context(twice, [claim(0, "tenant renewed the lease.", "S1", "S2")], EACH, verifier=Reading())
    ).claims[0]
    assert lift.without == {"S1": (0.2, 0.2), "S2": (0.2, 0.2)}


def test_its_questions_are_paid_and_statements_share_their_contexts() -> None:
    verifier = Reading()
    claims = [claim(n, f"tenant renewed lease {n}.", "S0", "S1") for n in range(3)]
    measurement = measure(Context(CASE, claims, EACH, verifier=verifier))
    assert measurement.claims[0].usage.calls == 4 * COST.calls
    assert [len(texts) for texts, _ in verifier.asked] == [3, 3, 3, 3]
