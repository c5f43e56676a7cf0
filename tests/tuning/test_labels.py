"""Which verdicts become labels, and for how many answers each speaks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import Claim, DetectionRun
from reviews.models import AuditDraw, ClaimVerdict, HallucinationReview, Lease, ReviewPass
from reviews.tuning.labels import labels, normalised
from tests.tuning.judging import judge, measured_in, review_of, say, somebody

pytestmark = pytest.mark.postgres

MakeRun = Callable[..., DetectionRun]
RIGHT, WRONG = "supported", "rejected"


def passed(make_run: MakeRun, probability: float = 0.1, stratum: str = "base", **fields: Any) -> DetectionRun:
    """A run that asked for no review."""
    return make_run(
        needs_review=False,
        has_hallucinations=False,
        flagged={"NOI was $1,612,000": False, "85.5%": False},
        audit_probability=probability,
        audit_stratum=stratum,
        **fields,
    )


@pytest.mark.parametrize(
    ("verdict", "label"),
    [(RIGHT, 0), ("not_a_claim", 0), (WRONG, 1), ("corrected", 1), ("cannot_tell", -1)],
)
def test_a_verdict_labels_its_claim_and_the_answer(make_run: MakeRun, verdict: str, label: int) -> None:
    run = make_run()
    judge(review_of(run), verdict, RIGHT)
    found = labels(measured_in(run))
    assert found.claim.tolist() == [label, 0, -1]
    assert found.answer.tolist() == [label]


def test_cannot_tell_counts_as_wrong_when_it_is_included(make_run: MakeRun) -> None:
    run = make_run()
    judge(review_of(run), "cannot_tell", RIGHT)
    found = labels(measured_in(run), with_cannot_tell=True)
    assert found.claim.tolist() == [1, 0, -1]
    assert found.answer.tolist() == [1]


def test_an_answer_with_an_undecided_flagged_claim_is_not_right_but_may_be_wrong(make_run: MakeRun) -> None:
    half, bad = make_run(), make_run()
    judge(review_of(half), RIGHT, "")
    judge(review_of(bad), WRONG, "")
    assert labels(measured_in(half, bad)).answer.tolist() == [-1, 1]


def test_in_an_audit_every_claim_must_be_decided(make_run: MakeRun) -> None:
    half, whole = passed(make_run), passed(make_run)
    judge(review_of(half, "audit_random"), RIGHT, "")
    judge(review_of(whole, "audit_random"), RIGHT, RIGHT)
    found = labels(measured_in(half, whole))
    assert found.answer.tolist() == [-1, 0]
    assert found.audited.tolist() == [False, True]


def test_a_wrong_claim_that_the_detectors_missed_makes_the_answer_wrong(make_run: MakeRun) -> None:
    run = make_run()
    given = judge(review_of(run), RIGHT, RIGHT)
    added = Claim.objects.create(
        run=run, index=9, kind="currency", origin="reviewer", text="NOI", start=0, end=3, sentence=0
    )
    say(given, added, WRONG)
    found = labels(measured_in(run))
    assert found.claim.tolist() == [0, 0, -1]
    assert found.answer.tolist() == [1]


def test_an_answer_that_was_flagged_without_a_claim_to_decide_is_right_once_resolved(
    make_run: MakeRun,
) -> None:
    run = make_run(flagged={"85.5%": False})
    judge(review_of(run))
    assert labels(measured_in(run)).answer.tolist() == [0]


@pytest.mark.parametrize(
    "review",
    [
        {"state": "open", "outcome": "", "resolved_at": None},
        {
            "state": "void",
            "outcome": "",
            "resolved_at": None,
            "void_cause": "superseded",
            "voided_at": timezone.now(),
        },
    ],
)
def test_a_review_that_is_open_or_void_labels_nothing(make_run: MakeRun, review: dict[str, Any]) -> None:
    run = make_run()
    judge(review_of(run, **review), WRONG, RIGHT)
    assert labels(measured_in(run)).answer.tolist() == [-1]


@pytest.mark.parametrize("state", ["draft", "withdrawn"])
def test_a_pass_that_was_not_submitted_labels_nothing(make_run: MakeRun, state: str) -> None:
    run = make_run()
    judge(review_of(run), WRONG, RIGHT, state=state)
    assert labels(measured_in(run)).answer.tolist() == [-1]


def test_a_suggestion_that_nobody_confirmed_labels_nothing(make_run: MakeRun) -> None:
    older, run = make_run(), make_run()
    judge(review_of(older), WRONG, RIGHT)
    given = judge(review_of(run), "", RIGHT)
    first = ClaimVerdict.objects.get(verdict=WRONG)
    say(given, run.claims.get(index=0), WRONG, decided_at=None, carried_from=first)
    assert labels(measured_in(older, run)).answer.tolist() == [1, -1]


def test_gold_stays_out_unless_asked_for(make_run: MakeRun) -> None:
    run = make_run()
    judge(review_of(run, "gold"), WRONG, RIGHT)
    assert labels(measured_in(run)).answer.tolist() == [-1]
    assert labels(measured_in(run), with_gold=True).answer.tolist() == [1]


def test_the_first_pass_stands_before_the_second_and_an_adjudication_before_both(make_run: MakeRun) -> None:
    twice, settled = make_run(), make_run()
    for run in (twice, settled):
        review = review_of(run)
        judge(review, RIGHT, WRONG, pass_no=1)
        judge(review, WRONG, RIGHT, pass_no=2, blind=True)
    judge(review, "", RIGHT, pass_no=3)
    found = labels(measured_in(twice, settled))
    assert found.claim.tolist() == [0, 1, -1, 0, 0, -1]
    assert found.answer.tolist() == [1, 0]


def test_blind_verdicts_alone_can_be_asked_for(make_run: MakeRun) -> None:
    seen, blind = make_run(), make_run()
    judge(review_of(seen), WRONG, RIGHT)
    judge(review_of(blind), WRONG, RIGHT, blind=True)
    every = labels(measured_in(seen, blind))
    assert every.answer.tolist() == [1, 1]
    assert every.blind.tolist() == [False, True]
    assert labels(measured_in(seen, blind), blind_only=True).answer.tolist() == [-1, 1]


def test_the_newest_of_several_reviews_stands(make_run: MakeRun) -> None:
    run = make_run()
    judge(review_of(run), WRONG, RIGHT)
    judge(review_of(run, "manual"), RIGHT, RIGHT)
    assert labels(measured_in(run)).answer.tolist() == [0]


def test_an_answer_that_was_judged_again_keeps_its_label(make_run: MakeRun) -> None:
    first = make_run()
    judge(review_of(first), WRONG, RIGHT)
    again = make_run(first.answer, purpose="rescreen", needs_review=False)
    found = labels(measured_in(again))
    assert found.claim.tolist() == [-1, -1, -1]
    assert found.answer.tolist() == [1]
    assert found.stratum.tolist() == [0]


def test_a_failed_detector_is_marked_and_the_label_counts(make_run: MakeRun) -> None:
    runs = [make_run() for _ in range(3)]
    for run in runs:
        judge(review_of(run), WRONG, RIGHT)
    found = labels(measured_in(*runs, failed=[1, 0, 0], late=[0, 0, 16]))
    assert found.failed.tolist() == [True, False, True]
    assert found.answer.tolist() == [1, 1, 1]
    assert (found.weight > 0).all()


@pytest.mark.requirement("GOV-11")
def test_an_audited_answer_speaks_for_the_answers_of_its_stratum(make_run: MakeRun) -> None:
    flagged = [make_run() for _ in range(3)]
    base = [passed(make_run, 0.1) for _ in range(8)]
    near = [passed(make_run, 0.5, "boundary") for _ in range(4)]
    for run in flagged[:2]:
        judge(review_of(run), WRONG, RIGHT)
    for run in base[:2]:
        judge(review_of(run, "audit_random"), RIGHT, RIGHT)
    for run in near[:3]:
        judge(review_of(run, "audit_boundary"), WRONG, RIGHT)
    found = labels(measured_in(*flagged, *base, *near))
    assert found.weight[:3].tolist() == [1.5, 1.5, 0]
    assert found.weight[3:11].tolist() == [4, 4, 0, 0, 0, 0, 0, 0]
    assert found.weight[11:].tolist() == pytest.approx([4 / 3, 4 / 3, 4 / 3, 0])
    assert found.stratum.tolist() == [0] * 3 + [2] * 8 + [3] * 4


@pytest.mark.parametrize("reason", ["manual", "audit_shadow"])
def test_what_a_person_or_a_shadow_profile_picked_is_no_random_sample(make_run: MakeRun, reason: str) -> None:
    drawn, picked, both = passed(make_run), passed(make_run), passed(make_run)
    judge(review_of(drawn, "audit_random"), RIGHT, RIGHT)
    judge(review_of(picked, reason), WRONG, RIGHT)
    judge(review_of(both, "audit_random"), RIGHT, RIGHT)
    judge(review_of(both, reason), WRONG, RIGHT)
    found = labels(measured_in(drawn, picked, both))
    assert found.answer.tolist() == [0, 1, 1]
    assert found.weight.tolist() == [1.5, 0, 1.5]
    assert found.audited.tolist() == [True, False, True]


def test_a_later_draw_makes_an_answer_likelier_to_be_looked_at(make_run: MakeRun) -> None:
    once, twice = passed(make_run, 0.1), passed(make_run, 0.1)
    AuditDraw.objects.create(run=twice, stratum="band:1:overlap", probability=0.5, drawn_by=somebody(1))
    for run in (once, twice):
        judge(review_of(run, "audit_boundary"), RIGHT, RIGHT)
    drawn, likelier = 1 / 0.1, 1 / (1 - 0.9 * 0.5)
    expected = [2 * weight / (drawn + likelier) for weight in (drawn, likelier)]
    assert labels(measured_in(once, twice)).weight.tolist() == pytest.approx(expected)


def test_what_a_reviewer_does_becomes_a_label_and_reopening_takes_it_back(
    review: HallucinationReview, reviewer: User, senior: User
) -> None:
    measured = measured_in(review.run)
    Lease.take(review, reviewer)
    for claim, verdict in zip(review.to_decide(), (WRONG, RIGHT), strict=True):
        ReviewPass.decide(review, reviewer, review.version, claim, verdict)
    assert labels(measured).answer.tolist() == [-1]
    review.resolve(reviewer, review.version, final_confidence=0.4)
    assert labels(measured).claim.tolist() == [1, 0, -1]
    assert labels(measured).answer.tolist() == [1]
    review.reopen(senior, "Look again.")
    assert labels(measured).answer.tolist() == [-1]


def test_strata_without_an_audit_are_spoken_for_by_the_others() -> None:
    raw, stratum = np.array([1.0, 0, 2.0, 0, 0, 0]), np.array([0, 0, 1, 1, 2, 2], np.int32)
    assert normalised(raw, stratum).tolist() == [2, 0, 4, 0, 0, 0]
    assert normalised(np.zeros(6), stratum).tolist() == [0] * 6


def test_a_part_of_the_window_is_weighed_anew(make_run: MakeRun) -> None:
    runs = [passed(make_run) for _ in range(4)]
    for run in runs[:2]:
        judge(review_of(run, "audit_random"), RIGHT, RIGHT)
    measured = measured_in(*runs)
    part = labels(measured).part(measured, np.array([True, False, True, True]))
    assert part.weight.tolist() == [3, 0, 0]
    assert part.claim.tolist() == [0, 0, -1, -1, -1, -1]


def test_nothing_measured_has_no_labels(db: None) -> None:
    found = labels(measured_in())
    assert len(found.answer) == len(found.claim) == len(found.weight) == 0


def test_labels_are_read_in_as_many_queries_for_many_answers_as_for_one(make_run: MakeRun) -> None:
    def queries(*runs: DetectionRun) -> int:
        measured = measured_in(*runs)
        with CaptureQueriesContext(
            connection,
        ) as context:
            labels(measured)
        return len(context)

    runs = [make_run() for _ in range(12)]
    for run in runs:
        judge(review_of(run), WRONG, RIGHT)
    assert queries(runs[0]) == queries(*runs) <= 8
