"""Answers that detectors and people judged, many at once, written as rows; half English, half Hebrew."""

from datetime import timedelta
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.utils import timezone

from detection.core.types import Claim as Read
from detection.models import Answer, Claim, DetectionRun, Property, Query, ThresholdProfile
from detection.runs import claim_rows
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass

DAYS = 60


def judged_answers(
    n: int, *, about: Property | None = None, verifier: str = "rules", seed: int = 1, days: int = DAYS
) -> list[DetectionRun]:
    """``n`` answers of the last ``days`` days, oldest first, each with a statement and a number that people judged. What
    says s is right s² of the time; three of four were flagged, the others audited with a probability of 0.5."""
    random = np.random.default_rng(seed)
    said = np.round(random.uniform(0.4, 1.0, n), 2)
    right, flagged = random.random(n) < said**2, random.random(n) < 0.75
    runs = _runs(said, flagged, about, verifier, days)
    claims = Claim.objects.bulk_create(
        _claim(run, index, bool(flagged[at]), float(said[at]))
        for at, run in enumerate(runs)
        for index in (0, 1)
    )
    verdicts = ["supported" if right[at // 2] or at % 2 == 0 else "rejected" for at in range(2 * n)]
    _judge(runs, claims, verdicts, flagged)
    return runs


def _runs(said: Any, flagged: Any, about: Property | None, verifier: str, days: int) -> list[DetectionRun]:
    queries = Query.objects.bulk_create(Query() for _ in said)
    answers = Answer.objects.bulk_create(
        Answer(
            query=query,
            question="What was NOI?",
            text="NOI was $1.",
            language=("en", "he")[at % 2],
            original_confidence=float(said[at]),
            property=about,
        )
        for at, query in enumerate(queries)
    )
    profile, now = ThresholdProfile.active(), timezone.now()
    return DetectionRun.objects.bulk_create(
        DetectionRun(
            answer=answer,
            profile=profile,
            finished_at=now - timedelta(days=days) * (1 - at / len(answers)),
            result={},
            needs_review=bool(flagged[at]),
            has_hallucinations=bool(flagged[at]),
            risk_level="high" if flagged[at] else "low",
            risk_score=0.5,
            adjusted_confidence=float(said[at]),
            raw_confidence=float(said[at]),
            verifier=verifier,
            audit_stratum="" if flagged[at] else "base",
            audit_probability=None if flagged[at] else 0.5,
        )
        for at, answer in enumerate(answers)
    )


def _claim(run: DetectionRun, index: int, flagged: bool, said: float) -> Claim:
    """The statement, or the number in it."""
    start = 0 if index == 0 else 8
    read = Read(index, "statement" if index == 0 else "currency", "NOI was $1."[start:], start, 11, 0)
    row = claim_rows.row_of(run, read)
    row.flagged, row.status = flagged, "unsupported" if flagged else "supported"
    if index == 0:
        row.p1_low = row.p1_high = said
    return row


def _judge(runs: list[DetectionRun], claims: list[Claim], verdicts: list[str], flagged: Any) -> None:
    """Resolved reviews with one submitted pass each."""
    now, reviewer = timezone.now(), User.objects.get_or_create(username="judge")[0]
    reviews = HallucinationReview.objects.bulk_create(
        HallucinationReview(
            answer=run.answer,
            run=run,
            profile=run.profile,
            property=run.answer.property,
            selection_reason="flagged" if flagged[at] else "audit_random",
            selection_probability=None if flagged[at] else 0.5,
            priority=1,
            due_at=now,
            state="resolved",
            outcome="approved",
            resolved_at=now,
            final_confidence=0.95 if verdicts[2 * at + 1] == "supported" else 0.2,
        )
        for at, run in enumerate(runs)
    )
    passes = ReviewPass.objects.bulk_create(
        ReviewPass(review=review, reviewer=reviewer, pass_no=1, state="submitted", submitted_at=now)
        for review in reviews
    )
    ClaimVerdict.objects.bulk_create(
        ClaimVerdict(review_pass=passes[at // 2], claim=claim, verdict=verdicts[at], decided_at=now)
        for at, claim in enumerate(claims)
    )
