"""Reviews that were judged, written as rows."""

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from detection.models import Claim, DetectionRun
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass
from reviews.tuning.replay.measured import Measured
from tests.tuning.populations import measured_of


def somebody(number: int) -> User:
    """The reviewer of a number."""
    return User.objects.get_or_create(username=f"judge {number}")[0]


def review_of(run: DetectionRun, reason: str = "flagged", **fields: Any) -> HallucinationReview:
    """A resolved review of a run, unless ``fields`` say otherwise."""
    now = timezone.now()
    values = {"state": "resolved", "outcome": "approved", "resolved_at": now, **fields}
    return HallucinationReview.objects.create(
        answer=run.answer,
        run=run,
        profile=run.profile,
        selection_reason=reason,
        priority=1,
        due_at=now,
        **values,
    )


def judge(review: HallucinationReview, *verdicts: str, pass_no: int = 1, **fields: Any) -> ReviewPass:
    """A submitted pass with verdicts on the run's claims in their order; an empty one leaves a claim undecided."""
    now = timezone.now()
    values = {"state": "submitted", "submitted_at": now, **fields}
    given = ReviewPass.objects.create(review=review, reviewer=somebody(pass_no), pass_no=pass_no, **values)
    for claim, verdict in zip(review.run.claims.order_by("index"), verdicts, strict=False):
        if verdict:
            say(given, claim, verdict)
    return given


def say(given: ReviewPass, claim: Claim, verdict: str, **fields: Any) -> ClaimVerdict:
    """One decided verdict of a pass."""
    values = {"decided_at": timezone.now(), **fields}
    value = "1" if verdict == "corrected" else ""
    return ClaimVerdict.objects.create(
        review_pass=given, claim=claim, verdict=verdict, corrected_value=value, **values
    )


def measured_in(*runs: DetectionRun, **answers: Any) -> Measured:
    """What is known of these runs: ``answers`` by column, and of their detectors' claims that they are there."""
    keys = sorted(run.pk for run in runs)
    claims = Claim.objects.filter(run__in=keys, origin=Claim.Origin.DETECTOR).order_by("run_id", "index")
    rows = list(claims.values_list("run_id", "pk"))
    return measured_of(keys, of=[keys.index(run) for run, _ in rows], claim=[pk for _, pk in rows], **answers)
