"""Shadow profiles on live traffic: decided beside the active one, without opening a review for what they flag (F23).

A shadow that only decides otherwise is decided over the live run's own measurements. One that measures otherwise is
given a run of its own, which is published after all live ones. Whatever a shadow does, the live run is delivered.
"""

import logging
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from detection import runs
from detection.core import pipeline
from detection.core.profile_values import to_measure
from detection.models import DetectionRun, ShadowFlag, ThresholdProfile
from reviews.chances import chance
from reviews.models import HallucinationReview, open_review
from reviews.models.states import SelectionReason

logger = logging.getLogger(__name__)

AUDITED_SHARE = 0.2
"""Of the answers that only a shadow flags, this share goes to audit …"""
AUDITS_A_DAY = 20
"""… and no more than this many in 24 hours for each shadow."""


@dataclass(frozen=True, slots=True)
class Shadowed:
    """What a shadow ``profile`` makes of a run; no ``conclusion`` when it has to measure anew."""

    profile: ThresholdProfile
    conclusion: pipeline.Conclusion | None


def prepare(run: DetectionRun) -> list[Shadowed]:
    """Decide a live run, whose reports are all there, under each shadow; writes nothing and never fails."""
    if run.purpose != DetectionRun.Purpose.LIVE:
        return []
    try:
        profiles = list(ThresholdProfile.objects.filter(state=ThresholdProfile.State.SHADOW))
        return _decided(run, profiles) if profiles else []
    except Exception:
        logger.exception("shadow_failed run=%s", run.pk)
        return []


def _decided(run: DetectionRun, profiles: list[ThresholdProfile]) -> list[Shadowed]:
    context, facets, reports = runs.load(run), runs.facets(run.answer), runs.reports_of(run)
    found = []
    for profile in profiles:
        shadow = replace(context, thresholds=profile.resolve(facets), scoring=profile.scoring)
        anew = to_measure(context.thresholds, shadow.thresholds)
        found.append(Shadowed(profile, None if anew else pipeline.conclude(shadow, reports, run.due)))
    return found


def keep(run: DetectionRun, shadowed: list[Shadowed]) -> None:
    """Store what the shadows made of a run that has just concluded, each in a savepoint of its own; a shadow run
    is kept beside the live run whose answer it measured anew. Never fails."""
    for each in shadowed:
        _guarded(run, each)
    if run.purpose == DetectionRun.Purpose.SHADOW:
        _guarded(run, None)


def _guarded(run: DetectionRun, shadowed: Shadowed | None) -> None:
    try:
        with transaction.atomic():
            if shadowed is None:
                _keep_own(run)
            elif shadowed.conclusion is None:
                runs.start(run.answer, purpose=DetectionRun.Purpose.SHADOW, profile=shadowed.profile)
            else:
                verdict, flagged = shadowed.conclusion.verdict, sorted(shadowed.conclusion.flagged)
                _keep(run, shadowed.profile, verdict.needs_review, verdict.risk_level, flagged)
    except Exception:
        logger.exception("shadow_failed run=%s", run.pk)


def _keep_own(run: DetectionRun) -> None:
    """What a shadow run concluded, beside the newest live run of its answer."""
    delivered = DetectionRun.objects.filter(
        answer=run.answer_id, purpose=DetectionRun.Purpose.LIVE, finished_at__isnull=False, pk__lt=run.pk
    ).first()
    if delivered:
        flagged = list(run.claims.filter(flagged=True).order_by("index").values_list("index", flat=True))
        _keep(delivered, run.profile, bool(run.needs_review), run.risk_level, flagged, measured_by=run)


def _keep(
    delivered: DetectionRun,
    profile: ThresholdProfile,
    needs_review: bool,
    risk_level: str,
    flagged: list[int],
    *,
    measured_by: DetectionRun | None = None,
) -> None:
    flag, made = ShadowFlag.objects.get_or_create(
        run=delivered,
        profile=profile,
        defaults={
            "needs_review": needs_review,
            "delivered_needs_review": bool(delivered.needs_review),
            "risk_level": risk_level,
            "flagged": flagged,
            "measured_by": measured_by,
        },
    )
    if made and flag.needs_review and not flag.delivered_needs_review:
        _audit(delivered, profile)


def _audit(delivered: DetectionRun, profile: ThresholdProfile) -> None:
    """Let a person look, blind, at a share of what only the shadow flags."""
    if chance(delivered.answer, f"shadow {profile.version}") >= AUDITED_SHARE:
        return
    today = HallucinationReview.objects.filter(
        selection_reason=SelectionReason.AUDIT_SHADOW,
        created_at__gt=timezone.now() - timedelta(days=1),
        run__shadow_flags__profile=profile,
    )
    if today.count() < AUDITS_A_DAY:
        open_review(delivered, audit=(SelectionReason.AUDIT_SHADOW, AUDITED_SHARE))
