"""The limits of doubt that judged answers teach: each answer counts for as many as it speaks for, each sort by itself."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from detection.core.types import Case, Claim, LiftMeasured, StrawberryMeasurement
from detection.core.verdict import Alike, Report
from reviews.tuning.labels import Labels, normalised
from reviews.tuning.limits import Standing, records, standings, with_learnt
from reviews.tuning.replay.columns import Sheet
from reviews.tuning.replay.measured import Measured
from reviews.tuning.replay.rows import Judged, write

pytestmark = pytest.mark.requirement("APP-05")
EN, HE = (Alike("logprobs · m · 2", language, figures=False) for language in ("en", "he"))


def lift(doubt: float) -> LiftMeasured:
    belief = (1 - doubt, 1 - doubt)
    return LiftMeasured(
        40, True, p1=belief, p0=(0.1, 0.1), p_no=(0, 0), method="logprobs", model="m", prompt_version="2"
    )


def measured(*doubts: float, language: str = "en") -> Measured:
    """An answer of one statement for each doubt."""
    sheet = Sheet()
    facets = {"language": language, "property": None, "question_type": None, "source_quality": None}
    claim = Claim(0, "statement", "text", 0, 4, 0, ("S0",))
    for run, doubt in enumerate(doubts, start=1):
        reports = {"strawberry": Report("ok", StrawberryMeasurement({0: lift(doubt)}))}
        write(sheet, Judged(run, 1000.0 + run, Case(""), [claim], [run], reports, ["strawberry"], facets))
    return Measured(sheet.columns())


def labels(answer: Sequence[int], stratum: Sequence[int]) -> Labels:
    """People's words on these answers, 1 wrong, 0 right, -1 none; the strata from 1 on are of unflagged ones."""
    told, sent = np.array(answer, np.int8), np.array(stratum, np.int32)
    return Labels(
        claim=told,
        answer=told,
        weight=normalised((told >= 0).astype(float), sent),
        audited=(told >= 0) & (sent > 0),
        blind=np.zeros(len(told), bool),
        failed=np.zeros(len(told), bool),
        stratum=sent,
    )


def found(over: Measured, given: Labels, **base: Any) -> Standing:
    (one,) = standings(over, given, {"base": base}, "information_budget")
    return one


def test_audited_answers_stand_for_those_that_nobody_looked_at() -> None:
    doubts = [0.2] * 400 + [0.8] * 40
    told = [0] * 100 + [-1] * 300 + [0] * 40
    one = found(measured(*doubts), labels(told, [1] * 400 + [0] * 40))
    assert (one.alike, one.answers, one.clean) == (EN, 440, 140)
    assert one.sent.value == pytest.approx(40 / 440)  # of the judged it would be 40 of 140
    assert one.learnt is not None
    assert (one.learnt.limit, one.learnt.answers) == (0.5, 140)


def test_what_people_found_wrong_does_not_count() -> None:
    doubts, told = [0.2] * 40 + [0.9] * 40, [0] * 40 + [1] * 40
    one = found(measured(*doubts), labels(told, [1] * 40 + [0] * 40))
    assert (one.clean, one.sent.value) == (40, 0)
    assert one.learnt is not None
    assert one.learnt.limit == 0.5


def test_answers_of_one_language_teach_nothing_of_another() -> None:
    over = measured(*[0.6] * 20 + [0.2] * 20)
    told = labels([0] * 40, [1] * 40)
    hebrew = measured(*[0.1] * 40, language="he")
    assert found(over, told, clean_to_review=40.0).learnt.limit == 0.6  # type: ignore[union-attr]
    assert found(hebrew, told, clean_to_review=40.0).alike == HE
    assert found(hebrew, told, clean_to_review=40.0).learnt.limit == 0.5  # type: ignore[union-attr]


def test_limits_that_nothing_new_is_known_of_stay_unless_another_share_is_wanted() -> None:
    over, told = measured(*[0.7] * 40), labels([0] * 40, [1] * 40)
    kept = {"doubt_limits": {HE.name: 0.8}, "doubt_limits_for": 10.0}
    values = {"base": {**kept, "overlap": 0.4}, "overrides": []}
    both = standings(over, told, values, "information_budget")
    assert [each.alike for each in both] == [EN, HE]
    assert with_learnt(values, both) == {
        "base": {"doubt_limits": {HE.name: 0.8, EN.name: 0.7}, "doubt_limits_for": 10.0, "overlap": 0.4},
        "overrides": [],
    }
    other = {"base": {**kept, "clean_to_review": 20.0}}
    changed = with_learnt(other, standings(over, told, other, "information_budget"))["base"]
    assert (changed["doubt_limits"], changed["doubt_limits_for"]) == ({EN.name: 0.7}, 20.0)


def test_what_is_accepted_is_new_no_more() -> None:
    over, told = measured(*[0.7] * 40), labels([0] * 40, [1] * 40)
    before = standings(over, told, {}, "information_budget")
    assert [each.is_new for each in before] == [True]
    accepted = with_learnt({}, before)
    (after,) = standings(over, told, accepted, "information_budget")
    assert after.limit == (0.7, "learnt")
    assert not after.is_new
    assert after.sent.value == 0
    assert records(before)[EN.name] == records([after])[EN.name]


def test_no_number_of_answers_shows_that_none_is_sent() -> None:
    one = found(measured(*[0.2] * 400), labels([0] * 400, [1] * 400), clean_to_review=0.0)
    assert (one.learnt, one.why_not) == (None, "no_share")


@pytest.mark.parametrize(
    ("told", "stratum", "why_not"),
    [
        ([-1] * 40, [1] * 40, "no_audits"),
        ([0] * 40 + [-1], [1] * 40 + [0], "unsettled"),
        ([0] * 35, [1] * 35, "few"),
    ],
)
def test_labels_of_one_side_alone_or_too_few_teach_nothing(
    told: list[int], stratum: list[int], why_not: str
) -> None:
    one = found(measured(*[0.2] * len(told)), labels(told, stratum))
    assert (one.learnt, one.why_not, one.missing) == (None, why_not, int(why_not == "few"))
