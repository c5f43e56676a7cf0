"""A replay decides row by row what the core decides, for every threshold, every scoring and whatever was measured."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import Field
from functools import cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from detection.core import judge, pipeline, strawberry
from detection.core.context import Context
from detection.core.matching import decision
from detection.core.statements import ABSTENTIONS
from detection.core.strawberry import SCORINGS
from detection.core.thresholds import DEFAULTS, form_fields, resolve
from detection.core.verdict import ASSERTS_NOTHING, UNDERCHECKED, Alike
from reviews.tuning.replay import deciding as replaying
from reviews.tuning.replay.codes import CODES, code_of
from reviews.tuning.replay.deciding import (
    ACTIONS,
    ANSWER_STATUSES,
    LEVELS,
    STATUSES,
    Replayed,
    Replays,
    replay,
)
from reviews.tuning.replay.measured import Measured
from reviews.tuning.replay.rows import Judged
from tests.reviews.measurements import DISTANCES, FACETS, PROBABILITIES, Maker, columns_of
from tests.tables import each_case

DECIDING = [field for field in form_fields() if field.metadata["phase"] == "decide"]
BITS = 1.5
"""Few enough for a random answer to lack more."""


@cache
def sample() -> tuple[tuple[Judged, ...], Replays]:
    answers = Maker(7).answers(50)
    return tuple(answers), Replays(Measured(columns_of(answers), BITS))


@cache
def many() -> tuple[tuple[Judged, ...], Replays]:
    answers = Maker(8).answers(1000)
    return tuple(answers), Replays(Measured(columns_of(answers), BITS))


def concluded(
    answers: Sequence[Judged], values: Mapping[str, Any], scoring: str
) -> list[pipeline.Conclusion]:
    return [
        pipeline.conclude(
            Context(each.case, each.claims, resolve(values, each.facets), scoring, BITS),
            each.reports,
            each.due,
        )
        for each in answers
    ]


def assert_equal(replayed: Replayed, ends: Sequence[pipeline.Conclusion]) -> None:
    """Every row of a replay is what the core concluded."""
    found = [finding for end in ends for finding in end.findings]
    verdicts = [end.verdict for end in ends]
    assert [STATUSES[status] for status in replayed.status] == [each.status for each in found]
    assert replayed.code.tolist() == [code_of(each.code) for each in found]
    assert replayed.severity.tolist() == [each.severity for each in found]
    assert replayed.flagged.tolist() == [each.claim in end.flagged for end in ends for each in end.findings]
    assert replayed.has_hallucinations.tolist() == [each.has_hallucinations for each in verdicts]
    assert [LEVELS[level] for level in replayed.risk_level] == [each.risk_level for each in verdicts]
    assert replayed.risk_score.tolist() == [each.risk_score for each in verdicts]
    assert replayed.needs_review.tolist() == [each.needs_review for each in verdicts]
    assert [ANSWER_STATUSES[each] for each in replayed.answer_status] == [
        each.answer_status for each in verdicts
    ]
    assert [ACTIONS[each] for each in replayed.action] == [each.action for each in verdicts]
    adjusted = [
        math.nan if each.adjusted_confidence is None else each.adjusted_confidence for each in verdicts
    ]
    np.testing.assert_array_equal(replayed.adjusted_confidence, adjusted)
    grounded = [end.decisions["grounding"].grounded if "grounding" in end.decisions else True for end in ends]
    assert replayed.grounded.tolist() == grounded
    assert replayed.not_measured == sum(each.code == "not_measured" for each in found)


def tried(field: Field[Any], random: Random) -> list[Any]:
    """Values of a threshold: its bounds, its default, values that measurements tie with, and random ones."""
    default, low, high = getattr(DEFAULTS, field.name), field.metadata["low"], field.metadata["high"]
    if isinstance(default, bool):
        return [False, True]
    if field.metadata["choices"]:
        return list(field.metadata["choices"])
    if isinstance(default, tuple):
        return [["usually"], []]
    if field.name == "doubt_limits":
        return [{}, *({alike.name: limit for alike in ALIKE} for limit in (0.5, 0.9, 1.0))]
    if isinstance(default, Mapping):
        return [{}, {"local": 0.26, "external": 0.9}, {"": 0.05, "local": 0.999}]
    if isinstance(default, int):
        return [low, high, *random.sample([1, 2, 3, 7, 8, 14, 15, 16, 20, 21, 50, 51, 60], 4)]
    ties = [*PROBABILITIES, *(float(distance) * 100 for distance in DISTANCES)]
    inside = [tie for tie in ties if low <= tie <= high]
    return [low, high, *random.sample(inside, 3), random.uniform(low, high)]


ALIKE = [Alike(*named) for named in product(("", "local", "external"), ("", "en", "he", "zh"), (True, False))]
"""What limits may be learnt of among answers of a :class:`Maker`."""
SILENT = {"log_unverified_claims", "indicator_phrases", "length_ratio", "govil_grounded_share"}
"""Thresholds that change what is written or shown besides the findings and the verdict."""
BESIDE: dict[str, dict[str, Any]] = {
    "doubt_limits_for": {"clean_to_review": 0, "doubt_limits": {alike.name: 0.5 for alike in ALIKE}},
    "citation_ratio_claims": {"citation_risk_high": 1.0},
    "citation_ratio_good": {"citation_risk": 1.0},
    "citation_risk": {"citation_ratio_good": 0.0},
}
"""What has to be out of the way for a threshold to matter."""


EACH = 6
"""Answers of 1,000 that the core decides for a threshold: so many that it moves, and so many that it does not."""


def moved(several: Sequence[Replayed], measured: Measured) -> NDArray[np.bool_]:
    """bool[A]: the answers that are not decided alike in all of several replays."""
    first, answers = several[0], np.zeros(len(measured.run), bool)
    for other in several[1:]:
        for name in replaying.PER_ANSWER:
            before, now = getattr(first, name), getattr(other, name)
            answers |= (before != now) & ((before == before) | (now == now))  # nan is nan
        for name in replaying.PER_CLAIM:
            answers[measured.claims["of"][getattr(first, name) != getattr(other, name)]] = True
    return answers


@pytest.mark.requirement("CIT-10")
@each_case("scoring", SCORINGS)
@pytest.mark.parametrize("field", DECIDING, ids=lambda field: field.name)
def test_each_threshold_moves_rows_as_it_does_in_the_core(field: Field[Any], scoring: str) -> None:
    (answers, replays), random = many(), Random(field.name + scoring)  # noqa: S311  # test data
    bases = [{**BESIDE.get(field.name, {}), field.name: value} for value in tried(field, random)]
    moves = moved([replays.at({"base": base}, scoring) for base in bases], replays.measured)
    sides = [np.flatnonzero(side).tolist() for side in (moves, ~moves)]
    chosen = sorted(place for side in sides for place in random.sample(side, min(EACH, len(side))))
    some = Replays(replays.measured.subset(np.isin(np.arange(len(answers)), chosen)))
    for base in bases:
        ends = concluded([answers[place] for place in chosen], {"base": base}, scoring)
        assert_equal(some.at({"base": base}, scoring), ends)


@st.composite
def profiles(draw: st.DrawFn) -> dict[str, Any]:
    """Several thresholds at once, with overrides by facets."""
    random = Random(draw(st.integers(0, 10**6)))  # noqa: S311  # test data

    def some(most: int) -> dict[str, Any]:
        return {
            field.name: random.choice(tried(field, random))
            for field in random.sample(DECIDING, random.randrange(most))
        }

    overrides = [
        {"when": {facet: random.choice(FACETS[facet])}, "values": some(8)}
        for facet in random.choices(list(FACETS), k=random.randrange(4))
    ]
    return {"base": some(40), "overrides": overrides}


WHOLE_SEVERITIES = {"severity_unsupported": 1, "severity_unsupported_low": 0, "gap_high_bits": 0.3}


@settings(max_examples=60, deadline=None)
@example(0, {"base": {"severity_unsupported_high": 0.6, **WHOLE_SEVERITIES}, "overrides": []}, "spec08")
@example(
    1258,
    {"base": {"verify_against_database": False, "citations_expected": "never"}, "overrides": []},
    "spec08",
)
@given(st.integers(0, 10**6), profiles(), st.sampled_from(list(SCORINGS)))
def test_any_profile_over_any_measurements_decides_as_the_core(
    seed: int, values: dict[str, Any], scoring: str
) -> None:
    answers = Maker(seed).answers(12)
    replayed = replay(Measured(columns_of(answers)), values, scoring, flag_threshold_bits=BITS)
    assert_equal(replayed, concluded(answers, values, scoring))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.lists(profiles(), min_size=2, max_size=5))
def test_what_is_remembered_between_replays_changes_nothing(seed: int, several: list[dict[str, Any]]) -> None:
    measured = Measured(columns_of(Maker(seed).answers(10)), BITS)
    replays = Replays(measured)
    for values in (*several, *several):
        again, fresh = (
            replays.at(values, "information_budget"),
            replay(measured, values, "information_budget"),
        )
        for name in (*replaying.PER_CLAIM, *replaying.PER_ANSWER):
            np.testing.assert_array_equal(getattr(again, name), getattr(fresh, name))


def test_nothing_measured_is_nothing_decided() -> None:
    replayed = replay(Measured(columns_of([])), {}, "govil")
    assert len(replayed.status) == len(replayed.needs_review) == replayed.not_measured == 0


def test_an_override_that_agrees_with_nobody_changes_nothing() -> None:
    answers, replays = sample()
    values = {"overrides": [{"when": {"language": "fr"}, "values": {"review_queue_enabled": False}}]}
    assert_equal(replays.at(values, "spec08"), concluded(answers, {}, "spec08"))


def test_wrong_thresholds_and_scorings_are_named() -> None:
    _, replays = sample()
    with pytest.raises(ValueError, match="currency_tolerance"):
        replays.at({"base": {"currency_tolerance": 101}}, "govil")
    with pytest.raises(KeyError, match="guess"):
        replays.at({}, "guess")


@pytest.mark.parametrize("field", DECIDING, ids=lambda field: field.name)
def test_the_measurements_are_such_that_each_threshold_matters(field: Field[Any]) -> None:
    seen = {
        np.concatenate(
            [getattr(replayed, name) for name in (*replaying.PER_CLAIM, *replaying.PER_ANSWER)]
        ).tobytes()
        for scoring in SCORINGS
        for value in tried(field, Random(field.name))  # noqa: S311  # test data
        for base in [{**BESIDE.get(field.name, {}), field.name: value}]
        for replayed in [many()[1].at({"base": base}, scoring)]
    }
    assert (len(seen) > len(SCORINGS)) == (field.name not in SILENT)


def test_each_code_of_the_core_has_a_number_of_its_own() -> None:
    judged = {f"judge_{kind}" for kind in judge.STATUSES}
    known = {
        *decision.STATUS,
        *strawberry.STATUS,
        *judged,
        *ASSERTS_NOTHING,
        *UNDERCHECKED,
        *ABSTENTIONS.values(),
    }
    assert known | {"too_short", "pending", "number_contradicted", "error"} <= set(CODES)
    assert len(set(CODES)) == len(CODES)


def test_figures_carry_statements_as_in_the_core() -> None:
    answers = Maker(3).answers(3000)
    ends = concluded(answers, {}, "information_budget")
    assert any(finding.code == "covered" for end in ends for finding in end.findings)
    replayed = replay(Measured(columns_of(answers)), {}, "information_budget", flag_threshold_bits=BITS)
    assert_equal(replayed, ends)
