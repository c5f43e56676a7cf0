"""Reviews that ended in the past: opened, judged and resolved at once, in a fraction of the time of the steps.

Rows are dated as if it had been then; histories keep the time at which they were written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.contrib.auth.models import User

from detection import runs
from detection.models import Answer, Claim, DetectionRun, MonitoredRun
from reviews.models import ClaimVerdict, HallucinationReview, ReviewEvent, ReviewPass, open_review
from reviews.models.states import SelectionReason, State


@dataclass(frozen=True, slots=True)
class Audit:
    """The lot of an unflagged answer: its ``stratum``, the ``probability`` (0–1) of an audit there, and whether it was
    ``drawn``."""

    stratum: str
    probability: float
    drawn: bool


@dataclass(frozen=True, slots=True)
class Given:
    """What a person says of a claim: a verdict, its reason code, and what should stand there instead."""

    verdict: str
    reason: str = ""
    corrected: str = ""


def conclude(
    run: DetectionRun, prepared: runs.Prepared, audit: Audit, when: datetime
) -> HallucinationReview | None:
    """Conclude a run that is held, dated ``when``; the review that its flag or its ``audit`` opened."""
    flagged = prepared.conclusion.verdict.needs_review
    if not flagged and audit.probability:
        columns = {"audit_stratum": audit.stratum, "audit_probability": audit.probability}
        prepared = replace(prepared, columns=columns)
    runs.conclude(run, prepared)
    drawn = (SelectionReason.AUDIT_RANDOM, audit.probability) if audit.drawn and not flagged else None
    review = open_review(run, audit=drawn)
    _date(run, when)
    if review:
        waits = review.due_at - review.created_at
        HallucinationReview.objects.filter(pk=review.pk).update(created_at=when, due_at=when + waits)
        review.refresh_from_db()
    return review


def judge(
    review: HallucinationReview,
    verdicts: Mapping[int, Given],
    user: User,
    began: datetime,
    ended: datetime,
    *,
    blind: bool,
    active: int = 0,
) -> ReviewPass:
    """The next submitted pass of a review, with these verdicts by the number of the claim; ``active`` seconds of work."""
    given = ReviewPass.objects.create(
        review=review,
        reviewer=user,
        pass_no=review.passes.count() + 1,
        blind=blind,
        state=ReviewPass.State.SUBMITTED,
        started_at=began,
        last_active_at=ended,
        submitted_at=ended,
        active_seconds=active,
    )
    claims = {claim.index: claim for claim in Claim.objects.filter(run=review.run_id)}
    ClaimVerdict.objects.bulk_create(
        ClaimVerdict(
            review_pass=given,
            claim=claims[index],
            verdict=said.verdict,
            reason_code=said.reason,
            corrected_value=said.corrected,
            detector_visible=not blind,
            created_at=ended,
            decided_at=ended,
        )
        for index, said in verdicts.items()
    )
    return given


def resolve(review: HallucinationReview, given: ReviewPass, reason: str = "") -> None:
    """End the review as its pass says, with one row of history: nobody was there to leave more."""
    text = given.corrected(review.answer.text)
    HallucinationReview.objects.filter(pk=review.pk, version=review.version).update(
        state=State.RESOLVED,
        version=review.version + 1,
        outcome=given.outcome(),
        final_confidence=review.proposed_confidence(),
        corrected_answer=text if text != review.answer.text else "",
        resolved_at=given.submitted_at,
        resolved_by=given.reviewer,
    )
    review.refresh_from_db()
    ReviewEvent.append(
        review,
        "resolved",
        actor=given.reviewer,
        profile=review.profile,
        before={"state": State.OPEN.value},
        after={
            "state": review.state,
            **review.resolution(),
            "derived_outcome": review.outcome,
            **given.account(),
        },
        reason=reason,
    )


def _date(run: DetectionRun, when: datetime) -> None:
    """Move a run that was just written, with its answer, to ``when``."""
    Answer.objects.filter(pk=run.answer_id).update(created_at=when)
    DetectionRun.objects.filter(pk=run.pk).update(created_at=when, finished_at=when)
    MonitoredRun.objects.filter(run=run).update(finished_on=when.astimezone(UTC).date())
