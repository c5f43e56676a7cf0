"""Finished runs with settled claims, written as rows: what the workbench and its benchmark look at.

Each claim is an amount of 1,000,000 that deviates from its record by a known share, and is wrong the more likely the
more it deviates. Answers whose claims all lie within the tolerance passed unflagged; of those some were audited.
"""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.utils import timezone
from numpy.typing import NDArray

from detection.core import codec
from detection.core import types as core
from detection.models import Answer, Claim, DetectionRun, DetectorReport, Property, Query, ThresholdProfile
from detection.runs import claim_rows
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass

RECORD = Decimal(1_000_000)
TOLERANCE = 0.05
"""The declared tolerance of amounts, as a share."""
LANGUAGES = ("en", "he", "zh")
BATCH = 2_000


@dataclass(frozen=True)
class Population:
    """What was drawn: ``deviation`` float64[A, C] relative, ``wrong`` bool[A, C], ``audited`` bool[A] (unflagged and
    looked at), ``language`` int[A], ``probability`` of an audit, ``run`` the keys of the runs."""

    deviation: NDArray[np.float64]
    wrong: NDArray[np.bool_]
    audited: NDArray[np.bool_]
    language: NDArray[np.int64]
    probability: float
    run: NDArray[np.int64]

    @property
    def flagged(self) -> NDArray[np.bool_]:
        """bool[A]: sent to review under the declared tolerance."""
        return self.flagged_at(TOLERANCE)

    def flagged_at(self, tolerance: float) -> NDArray[np.bool_]:
        """bool[A]: those that another tolerance (a share) would send to review."""
        return np.asarray((self.deviation > tolerance).any(axis=1))


def build(
    answers: int, claims: int = 5, *, audit: float = 0.2, seed: int = 7, labelled: bool = True, days: int = 28
) -> Population:
    """Draw and :func:`write` ``answers`` with ``claims`` each, a share ``audit`` of the unflagged audited."""
    return write(_drawn(answers, claims, audit, seed), labelled=labelled, days=days)


def write(drawn: Population, *, labelled: bool = True, days: int = 28) -> Population:
    """Store a population, its runs spread evenly over ``days`` up to now; with the verdicts when ``labelled``.
    The active version lets amounts be off by their tolerance from then on."""
    property_, _ = Property.objects.get_or_create(code="OAK", defaults={"name": "Oak Plaza"})
    runs = _runs(drawn, property_, days)
    drawn.run[:] = [run.pk for run in runs]
    each = list(zip(runs, drawn.deviation.tolist(), strict=True))
    claims = [_claim(run, place, share) for run, shares in each for place, share in enumerate(shares)]
    rows = Claim.objects.bulk_create(claims, batch_size=BATCH)
    DetectorReport.objects.bulk_create([_report(run, shares) for run, shares in each], batch_size=BATCH)
    if labelled:
        _settle(drawn, runs, rows, drawn.deviation.shape[1])
    return drawn


def _drawn(answers: int, claims: int, audit: float, seed: int) -> Population:
    random = np.random.default_rng(seed)
    deviation = np.round(random.gamma(1.1, 0.012, size=(answers, claims)), 4)
    chance = 1 / (1 + np.exp((0.045 - deviation) / 0.006))
    wrong = random.random(deviation.shape) < chance
    unflagged = ~(deviation > TOLERANCE).any(axis=1)
    audited = unflagged & (random.random(answers) < audit)
    language = random.choice(len(LANGUAGES), size=answers, p=[0.6, 0.25, 0.15])
    return Population(deviation, wrong, audited, language, audit, np.zeros(answers, np.int64))


def _answers(drawn: Population, property_: Property) -> list[Answer]:
    queries = Query.objects.bulk_create([Query() for _ in drawn.language], batch_size=BATCH)
    return Answer.objects.bulk_create(
        [
            Answer(
                query=query,
                question=f"What was net operating income of property {number}?",
                text=f"Net operating income of property {number} was as stated.",
                language=LANGUAGES[code],
                direction="rtl" if code == 1 else "ltr",
                property=property_,
                original_confidence=0.95,
            )
            for number, (query, code) in enumerate(zip(queries, drawn.language.tolist(), strict=True))
        ],
        batch_size=BATCH,
    )


def _runs(drawn: Population, property_: Property, days: int) -> list[DetectionRun]:
    now, profile = timezone.now(), _tolerant()
    stored, flagged = _answers(drawn, property_), drawn.flagged.tolist()
    step = timedelta(days=days) / max(1, len(stored))
    return DetectionRun.objects.bulk_create(
        [
            DetectionRun(
                answer=answer,
                profile=profile,
                due=["numeric"],
                finished_at=now - step * (len(stored) - number),
                has_hallucinations=flagged[number],
                needs_review=flagged[number],
                risk_level="high" if flagged[number] else "low",
                risk_score=0.9 if flagged[number] else 0.05,
                result={},
                **(
                    {}
                    if flagged[number]
                    else {"audit_stratum": "base", "audit_probability": drawn.probability}
                ),
            )
            for number, answer in enumerate(stored)
        ],
        batch_size=BATCH,
    )


def _tolerant() -> ThresholdProfile:
    """The active version, or the next, where a number may be off by its tolerance."""
    active = ThresholdProfile.active()
    values = active.values
    if values.get("base", {}).get("exact_numbers") is False:
        return active
    ThresholdProfile.draft({**values, "base": {**values.get("base", {}), "exact_numbers": False}}).activate()
    return ThresholdProfile.active()


def _claim(run: DetectionRun, place: int, share: float) -> Claim:
    text = f"${_stated(share):,}"
    claim = core.Claim(
        index=place, kind="currency", start=20 * place, end=20 * place + len(text), text=text, sentence=0
    )
    over = share > TOLERANCE
    row = claim_rows.row_of(run, claim)
    row.status, row.finding = ("contradicted", "contradicted") if over else ("supported", "inexact")
    row.flagged, row.deviation = over, share
    return row


def _stated(share: float) -> Decimal:
    return RECORD + (RECORD * Decimal(str(share))).normalize()


def _report(run: DetectionRun, shares: list[float]) -> DetectorReport:
    measured = core.NumericMeasurement({place: _number(share) for place, share in enumerate(shares)})
    return DetectorReport(
        run=run, detector="numeric", status="ok", measurements={"schema": 1, **codec.dump(measured)}
    )


def _number(share: float) -> core.NumberMeasured:
    stated = _stated(share)
    record = core.Candidate(
        "database",
        str(RECORD),
        "USD",
        RECORD,
        abs(stated - RECORD) / RECORD,
        abs(stated - RECORD),
        field="net_operating_income",
    )
    return core.NumberMeasured(
        "currency",
        stated,
        "USD",
        Decimal("0.5"),
        metric="net_operating_income",
        candidates=(record,),
        database="ok",
    )


def _settle(drawn: Population, runs: list[DetectionRun], claims: list[Claim], each: int) -> None:
    """Resolve a review of every flagged answer, with verdicts on its flagged claims, and one of every audited
    answer, with verdicts on all of them."""
    senior, _ = User.objects.get_or_create(username="labels")
    flagged, audited = drawn.flagged, drawn.audited
    looked = np.flatnonzero(flagged | audited).tolist()
    now = timezone.now()
    reviews = HallucinationReview.objects.bulk_create(
        [_review(runs[at], senior, bool(flagged[at]), drawn, at, now) for at in looked], batch_size=BATCH
    )
    passes = ReviewPass.objects.bulk_create(
        [
            ReviewPass(
                review=review,
                reviewer=senior,
                pass_no=1,
                blind=not flagged[at],
                state="submitted",
                submitted_at=now,
            )
            for review, at in zip(reviews, looked, strict=True)
        ],
        batch_size=BATCH,
    )
    ClaimVerdict.objects.bulk_create(
        [
            ClaimVerdict(
                review_pass=given,
                claim=claims[at * each + place],
                verdict="rejected" if drawn.wrong[at, place] else "supported",
                decided_at=now,
            )
            for given, at in zip(passes, looked, strict=True)
            for place in range(each)
            if audited[at] or drawn.deviation[at, place] > TOLERANCE
        ],
        batch_size=BATCH,
    )


def _review(
    run: DetectionRun, senior: User, flagged: bool, drawn: Population, at: int, now: Any
) -> HallucinationReview:
    wrong = bool(drawn.wrong[at].any())
    return HallucinationReview(
        answer_id=run.answer_id,
        run=run,
        profile=run.profile,
        state="resolved",
        priority=0 if flagged else 2,
        due_at=now,
        selection_reason="flagged" if flagged else "audit_random",
        selection_probability=None if flagged else drawn.probability,
        outcome="rejected" if wrong else "approved",
        resolved_at=now,
        resolved_by=senior,
    )
