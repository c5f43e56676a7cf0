"""Reviews and answers as rows, for tests of the dashboard."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from detection.models import Answer, Claim, DetectionRun, Property, Query, ThresholdProfile
from reviews.dashboard.registry import TILES
from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.tile import Tile
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass

_numbers = count(1)


def answers(
    n: int, *, at: datetime | None = None, about: Property | None = None, model: str = "", **run: Any
) -> list[DetectionRun]:
    """``n`` answers judged ``at`` that moment, each with one claim; ``run`` are columns of their runs."""
    values = {
        "profile": ThresholdProfile.active(),
        "risk_level": "high",
        "risk_score": 0.8,
        "needs_review": True,
        "has_hallucinations": True,
        "finished_at": at or timezone.now(),
        "result": {},
        **run,
    }
    texts = [f"Rent was $1,{next(_numbers):06d}." for _ in range(n)]
    queries = Query.objects.bulk_create([Query() for _ in texts])
    written = Answer.objects.bulk_create(
        [
            Answer(
                query=query, text=text, property=about, language="en", model=model, original_confidence=0.9
            )
            for query, text in zip(queries, texts, strict=True)
        ]
    )
    runs = DetectionRun.objects.bulk_create([DetectionRun(answer=answer, **values) for answer in written])
    flagged = bool(values["needs_review"])
    Claim.objects.bulk_create(
        [
            Claim(run=one, index=0, kind="currency", text="$", start=9, end=19, sentence=0, flagged=flagged,
                  status="contradicted" if flagged else "supported")
            for one in runs
        ]
    )  # fmt: skip
    return runs


def opened(runs: Sequence[DetectionRun], **columns: Any) -> list[HallucinationReview]:
    """An open review of each run; ``columns`` are its columns."""
    now = timezone.now()
    values = {
        "priority": 0,
        "due_at": now + timedelta(hours=4),
        "selection_reason": "flagged",
        "created_at": now,
        "language": "en",
        "has_currency": True,
        "original_confidence": 0.9,
        "automatic_confidence": 0.7,
        **columns,
    }
    return HallucinationReview.objects.bulk_create(
        [
            HallucinationReview(
                run=run, answer=run.answer, property=run.answer.property, profile=run.profile, **values
            )
            for run in runs
        ]
    )


def resolved(
    reviews: Sequence[HallucinationReview],
    by: User,
    verdict: str,
    *,
    at: datetime | None = None,
    seconds: int = 60,
    blind: bool = False,
    reason: str = "",
) -> None:
    """Resolve reviews as ``by``, with one verdict on every claim of theirs."""
    at = at or timezone.now()
    HallucinationReview.objects.filter(pk__in=[review.pk for review in reviews]).update(
        state="resolved", outcome="approved", resolved_at=at, resolved_by=by, final_confidence=0.6
    )
    passes = ReviewPass.objects.bulk_create(
        [
            ReviewPass(review=review, reviewer=by, pass_no=1, blind=blind, state="submitted", submitted_at=at,
                       started_at=review.created_at + timedelta(seconds=30), active_seconds=seconds)
            for review in reviews
        ]
    )  # fmt: skip
    claims = {
        claim.run_id: claim for claim in Claim.objects.filter(run__in=[review.run_id for review in reviews])
    }
    given = {
        "verdict": verdict,
        "reason_code": reason,
        "corrected_value": "x" if verdict == "corrected" else "",
    }
    ClaimVerdict.objects.bulk_create(
        [
            ClaimVerdict(
                review_pass=one,
                claim=claims[review.run_id],
                decided_at=at,
                detector_visible=not blind,
                **given,
            )
            for one, review in zip(passes, reviews, strict=True)
        ]
    )


def judged_twice(table: Mapping[tuple[str, str], int], first: User, second: User) -> HallucinationReview:
    """One resolved review whose claims two people judged: how often they said which two verdicts."""
    run = answers(1)[0]
    (review,) = opened([run])
    resolved([review], first, "cannot_tell")
    ClaimVerdict.objects.filter(review_pass__review=review).delete()
    Claim.objects.filter(run=run).delete()
    passes = [
        ReviewPass.objects.get(review=review),
        ReviewPass.objects.create(
            review=review,
            reviewer=second,
            pass_no=2,
            blind=True,
            state="submitted",
            submitted_at=timezone.now(),
        ),
    ]
    said = [pair for pair, times in table.items() for _ in range(times)]
    claims = Claim.objects.bulk_create(
        [
            Claim(run=run, index=index, kind="currency", text="$", start=0, end=1, sentence=0, flagged=True)
            for index in range(len(said))
        ]
    )
    ClaimVerdict.objects.bulk_create(
        [
            ClaimVerdict(review_pass=one, claim=claim, verdict=verdict, decided_at=timezone.now())
            for claim, pair in zip(claims, said, strict=True)
            for one, verdict in zip(passes, pair, strict=True)
        ]
    )
    return review


def scope(caller: Any, **asked: Any) -> Scope:
    """The last four weeks as ``caller`` sees them."""
    today = datetime.now(UTC).date()
    return Scope(caller, asked.pop("first", today - timedelta(days=27)), asked.pop("last", today), **asked)


def tile(name: str, caller: Any, **asked: Any) -> Tile:
    """One tile as ``caller`` sees it."""
    return TILES[name].work_out(scope(caller, **asked))


def parts(found: Tile, group: str = "") -> dict[str, float | None]:
    """The values of a tile's rows by their labels."""
    return {row.label: row.value for row in found.rows if row.group == group}
