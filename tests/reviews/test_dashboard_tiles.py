"""Each tile of the dashboard against figures worked out by hand."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from detection.models import Property, ThresholdProfile
from reviews.models import HallucinationReview, Lease, ReviewEvent
from tests.reviews.dashboards import answers, opened, parts, resolved, tile

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-05")]
HOUR = timedelta(hours=1)


def test_now_counts_what_waits_by_priority_and_state(senior: User, reviewer: User) -> None:
    now = timezone.now()
    high = opened(answers(3), created_at=now - 5 * HOUR)
    opened(answers(2), priority=2, due_at=now - HOUR)
    opened(answers(1), state="snoozed", snoozed_until=now + HOUR)
    opened(answers(1), state="second_review")
    Lease.objects.create(review=high[0], user=reviewer, pass_no=1, expires_at=now + HOUR)
    assert tile("open", senior).value == 6
    assert parts(tile("open", senior)) == {"High": 4, "Medium": 0, "Low": 2}
    assert (tile("overdue", senior).value, tile("overdue", senior).n) == (2, 6)
    assert tile("oldest", senior).value == pytest.approx(5 * 3600, abs=60)
    assert (tile("held", senior).value, tile("held", senior).n) == (1, 7)
    assert tile("snoozed", senior).value == 1
    assert tile("second_review", senior).value == 1
    assert tile("adjudication", senior).value == 0


def test_the_queue_clears_when_more_ends_than_comes(senior: User) -> None:
    now = timezone.now()
    old = opened(answers(10), created_at=now - timedelta(days=3))
    assert tile("clear_time", senior).value is None
    assert "Not in sight" in tile("clear_time", senior).text
    resolved(old[:6], senior, "supported", at=now - HOUR)
    opened(answers(2), created_at=now - HOUR)
    assert parts(tile("arrival", senior)) == pytest.approx({"came": 2 / 24, "ended": 6 / 24})
    assert tile("clear_time", senior).value == pytest.approx(6 / (6 - 2) * 86400)


def test_flow_counts_by_week_and_measures_times(senior: User) -> None:
    now = timezone.now()
    before = now - timedelta(days=14)
    late = opened(answers(1), created_at=before - 2 * HOUR, due_at=before - HOUR)
    early = opened(answers(3), created_at=now - 4 * HOUR, due_at=now + HOUR)
    resolved(late, senior, "cannot_tell", at=before, seconds=300)
    resolved(early, senior, "supported", at=now, seconds=100)
    ReviewEvent.append(early[0], "reopened", actor=senior)
    ReviewEvent.append(early[1], "skipped", actor=senior, after={"skip": "too_long"})
    weekly = tile("weekly", senior)
    monday = (before - timedelta(days=before.weekday())).date()
    assert (weekly.value, weekly.n) == (4, 4)
    assert dict(weekly.trend)[monday] == 1
    assert parts(weekly, monday.isoformat()) == {"created": 1, "resolved": 1, "reopened": 0}
    assert sum(row.value or 0 for row in weekly.rows if row.label == "reopened") == 1
    assert tile("time_to_open", senior).value == 30
    assert tile("time_to_resolve", senior).value == pytest.approx(4 * 3600, abs=60)
    assert tile("active", senior).value == 100
    assert parts(tile("active", senior)) == {"Currency": 100}
    assert (tile("in_time", senior).value, tile("in_time", senior).n) == (0.75, 4)
    assert dict(tile("in_time", senior).trend)[monday] == 0
    assert (tile("cannot_tell", senior).value, tile("cannot_tell", senior).n) == (0.25, 4)
    assert (tile("skips", senior).value, tile("skips", senior).n) == (0.2, 5)
    assert parts(tile("skips", senior)) == {"Too long for now": 1}


def test_quality_of_flagged_answers_is_what_people_found(senior: User, make_period: Any) -> None:
    oak = make_period().property
    wrong, right = opened(answers(3, about=oak, model="m1")), opened(answers(1, model="m2"))
    answers(4, needs_review=False, has_hallucinations=False)
    resolved(wrong, senior, "corrected", reason="wrong_value")
    resolved(right, senior, "supported")
    flagged = tile("flagged", senior)
    assert (flagged.value, flagged.n) == (0.5, 8)
    assert parts(flagged, "Property") == {"none": 1 / 5, "OAK": 1.0}
    assert parts(flagged, "Model") == {"none": 0.0, "m1": 1.0, "m2": 1.0}
    confirmed = tile("confirmed_wrong", senior)
    assert (confirmed.value, confirmed.n) == (0.75, 4)
    assert confirmed.low is not None
    assert confirmed.low < 0.75
    assert [value for _week, value in confirmed.trend][-1] == 0.75
    numbers = tile("wrong_numbers", senior)
    assert (numbers.value, numbers.n) == (0.75, 4)
    assert parts(numbers, "Reason") == {"Wrong value": 3}
    assert parts(numbers, "Property") == {"OAK": 1.0, "none": 0.0}
    change = tile("confidence", senior)
    assert change.value == pytest.approx(-0.3)
    assert parts(change) == pytest.approx({"by the detectors": -0.2, "by the reviewers": -0.1})


def test_reviews_without_a_stated_confidence_change_nothing(senior: User) -> None:
    stated, silent = opened(answers(2)), opened(answers(1))
    resolved([*stated, *silent], senior, "supported")
    HallucinationReview.objects.filter(pk=silent[0].pk).update(original_confidence=None)
    HallucinationReview.objects.filter(pk=stated[0].pk).update(final_confidence=0.5)
    HallucinationReview.objects.filter(pk=stated[1].pk).update(final_confidence=0.7)
    change = tile("confidence", senior)
    assert change.n == 2
    assert (change.low, change.value, change.high) == pytest.approx((-0.496, -0.3, -0.104))
    HallucinationReview.objects.update(original_confidence=None)
    assert tile("confidence", senior).value is None


def test_what_was_missed_is_estimated_from_audits_by_their_chance(senior: User) -> None:
    resolved(opened(answers(6)), senior, "rejected")
    quiet = answers(
        8, needs_review=False, has_hallucinations=False, audit_stratum="base", audit_probability=0.5
    )
    assert tile("unflagged_wrong", senior).value is None
    assert "not measured yet" in tile("recall", senior).text.lower()
    audits = opened(quiet[:4], selection_reason="audit_random", selection_probability=0.5)
    resolved(audits[:1], senior, "rejected", blind=True)
    resolved(audits[1:], senior, "supported", blind=True)
    missed = tile("unflagged_wrong", senior)
    assert (missed.value, missed.n) == (0.25, 4)
    assert parts(missed) == {"wrong answers missed": 2}
    assert missed.low is not None
    assert missed.low < 0.25
    assert tile("recall", senior).value == pytest.approx(6 / 8)
    assert tile("f1", senior).value == pytest.approx(2 * 1 * 0.75 / 1.75)
    assert parts(tile("recall", senior)) == pytest.approx({"Currency": 6 / 8})
    assert (tile("examined", senior).value, tile("examined", senior).n) == (1, 4)
    assert parts(tile("bands", senior), "all others") == {"examined": 4, "needed": 100}
    assert (tile("drawn", senior).value, tile("drawn", senior).n) == (1, 8)


def test_detectors_are_told_by_their_claims(senior: User) -> None:
    found = opened(answers(5))
    resolved(found[:3], senior, "rejected", reason="extraction_error")
    resolved(found[3:4], senior, "supported")
    resolved(found[4:], senior, "not_a_claim")
    precision = tile("precision", senior)
    assert (precision.value, precision.n) == (0.6, 5)
    assert parts(precision, "Detector") == {"The check of numbers": 0.6}
    assert parts(precision, "Kind of claim") == {"Currency": 0.6}
    assert tile("false_alarms", senior).value == pytest.approx(40)
    assert parts(tile("misread", senior)) == {
        "claim misread": 3, "no claim at all": 1, "wrong, not flagged": 0, "wrong, not read as a claim": 0
    }  # fmt: skip


def test_reports_tell_how_long_detectors_take_and_how_often_they_fail(senior: User) -> None:
    for run, ms in zip(answers(4), (1000, 2000, 3000, 4000), strict=True):
        run.reports.create(detector="numeric", status="ok" if ms < 4000 else "timeout", duration_ms=ms)
        run.claims.update(status="unverified" if ms == 4000 else "supported")
    took = tile("detection_time", senior)
    assert (took.value, took.n) == (2.5, 4)
    assert parts(took, "The check of numbers")["half within"] == 2.5
    unchecked = tile("unchecked", senior)
    assert (unchecked.value, unchecked.n) == (0.25, 4)
    assert parts(unchecked, "Failed or timed out") == {"The check of numbers": 0.25}


def test_thresholds_show_the_version_in_force_and_whether_it_flags_as_predicted(senior: User) -> None:
    answers(1)
    answers(3, needs_review=False, has_hallucinations=False)
    assert tile("version", senior).value == 1
    assert (tile("flag_rate", senior).value, tile("flag_rate", senior).n) == (0.25, 4)
    assert "Nothing was predicted" in tile("flag_rate", senior).text
    ThresholdProfile.objects.update(predicted_low=0.2, predicted_high=0.4)
    assert parts(tile("flag_rate", senior)) == pytest.approx({"predicted": 0.3})
    assert tile("shadows", senior).text == "No version runs as a shadow."


def test_system_tells_the_age_of_the_oldest_answer_that_is_owed(senior: User) -> None:
    late = answers(2, finished_at=None, result=None)[0]
    type(late).objects.filter(pk=late.pk).update(created_at=timezone.now() - HOUR)
    assert tile("lag", senior).value == pytest.approx(3600, abs=60)
    assert tile("lag", senior).n == 2
    type(late).objects.filter(pk=late.pk).update(failed_reason="worker_crashed(3)")
    assert tile("lag", senior).n == 1
    assert (tile("failures", senior).value, tile("failures", senior).n) == (0.5, 2)


def test_nobody_waits_for_a_shadow_run(senior: User) -> None:
    answers(2, purpose="shadow", finished_at=None, result=None)
    assert (tile("lag", senior).value, tile("lag", senior).n) == (0, 0)
    assert tile("failures", senior).n == 0


@pytest.mark.parametrize(
    ("asked", "n"),
    [({"language": "he"}, 0), ({"model": "m1"}, 2), ({"property": "OAK"}, 2), ({"kind": "date"}, 0),
     ({"kind": "currency"}, 3), ({"detector": "numeric"}, 3), ({"detector": "judge"}, 0), ({"profile": 1}, 3),
     ({"profile": 2}, 0), ({"verifier": "logprobs · m · 2"}, 2)],
)  # fmt: skip
def test_filters_narrow_answers_and_reviews_alike(senior: User, make_period: Any, asked: Any, n: int) -> None:
    oak: Property = make_period().property
    found = opened([*answers(2, about=oak, model="m1", verifier="logprobs · m · 2"), *answers(1)])
    resolved(found, senior, "supported")
    assert tile("flagged", senior, **asked).n == n
    assert tile("weekly", senior, **asked).value == n
    assert tile("precision", senior, **asked).n == n
    assert tile("confirmed_wrong", senior, **asked).n == n


def test_gold_copies_and_shadow_runs_count_for_nothing(senior: User) -> None:
    opened(answers(1), selection_reason="gold")
    answers(1, purpose="shadow")
    assert HallucinationReview.objects.count() == 1
    assert tile("open", senior).value == 0
    assert tile("flagged", senior).n == 1
