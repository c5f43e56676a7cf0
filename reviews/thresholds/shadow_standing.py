"""How a shadow profile does beside the active one on the same live answers (review-queue §5.5)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from detection.access import Caller, answer_scope
from detection.models import ShadowFlag, ThresholdProfile
from reviews.models import HallucinationReview
from reviews.models.states import AUDITS, State
from reviews.tuning.estimates import Estimate, wilson

LONG_ENOUGH = timedelta(days=7)
ANSWERS_ENOUGH = 200


@dataclass(frozen=True, slots=True)
class Standing:
    """What a shadow said of ``evaluated`` answers since ``since``: the share that needed a review by it and by what
    was delivered, how many answers only it flags (``newly``) and no longer flags (``gone``). ``audited`` answers
    among them were looked at though nothing had flagged them; ``suggested`` says that enough is known."""

    since: datetime | None
    evaluated: int
    shadow: Estimate
    delivered: Estimate
    newly: int
    gone: int
    audited: int
    suggested: bool


def standing(profile: ThresholdProfile, caller: Caller, now: datetime) -> Standing:
    """How ``profile`` does as a shadow on the answers that ``caller`` may see."""
    flags = visible_flags(profile, caller)
    counts = flags.aggregate(
        n=Count("pk"),
        shadow=Count("pk", filter=Q(needs_review=True)),
        delivered=Count("pk", filter=Q(delivered_needs_review=True)),
        newly=Count("pk", filter=Q(needs_review=True, delivered_needs_review=False)),
        gone=Count("pk", filter=Q(needs_review=False, delivered_needs_review=True)),
    )
    looked = HallucinationReview.objects.filter(
        run__in=flags.values("run"), selection_reason__in=AUDITS, state=State.RESOLVED
    )
    long = profile.shadow_since is not None and now - profile.shadow_since >= LONG_ENOUGH
    return Standing(
        since=profile.shadow_since,
        evaluated=counts["n"],
        shadow=wilson(counts["shadow"], counts["n"]),
        delivered=wilson(counts["delivered"], counts["n"]),
        newly=counts["newly"],
        gone=counts["gone"],
        audited=looked.count(),
        suggested=long and counts["n"] >= ANSWERS_ENOUGH,
    )


def visible_flags(profile: ThresholdProfile, caller: Caller) -> QuerySet[ShadowFlag]:
    """What ``profile`` said of the answers that ``caller`` may see."""
    return ShadowFlag.objects.filter(answer_scope(caller, "run__answer__"), profile=profile)
