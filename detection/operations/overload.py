"""When the verifier has too much to do: what is left out then, and how much is judged again when it has less (SPEC-08.39).

The rule: while more runs than ``output_verification.skip_above`` wait for the verifier, a run's statements are
not verified. They are ``not_checked`` with the finding ``overload``, the answer is not verified, and that is owed. What is owed, for
whatever reason, is judged again while at most half as many wait: a few at first, and the more the better that goes, so that an endpoint that has just
come back is not asked everything at once.
"""

from datetime import datetime

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from detection.models import DetectionRun, OwedVerification
from detection.operations import verifier_health, verifying

FEWEST_AT_ONCE, MOST_AT_ONCE = 5, 50
"""Answers that are judged again at the same time: so many after one was in vain or the verifier was away, and
then one more for each that was not in vain."""


def leaves_out(run: DetectionRun) -> bool:
    """Whether a run goes without the verifier now. Shadow runs wait: they compare, nobody waits for them."""
    limit = _limit()
    if not limit or run.purpose == DetectionRun.Purpose.SHADOW:
        return False
    return _waiting(timezone.now(), limit + 1) > limit


def room(now: datetime) -> int:
    """How many of the answers that are owed a verification may be judged again now."""
    if not verifying.is_on("output_verification"):
        return 0
    bearable = max(_limit() // 2, 1) if _limit() else MOST_AT_ONCE
    under_way = DetectionRun.unfinished().filter(purpose=DetectionRun.Purpose.RESCREEN)
    free = min(bearable, _paced()) - under_way[:bearable].count()
    return max(0, min(free, bearable - _waiting(now, bearable)))


def _paced() -> int:
    """How many may be judged again at the same time, by how many were since one was in vain and the verifier came back."""
    in_vain = OwedVerification.in_vain().aggregate(at=Max("noted_at"))["at"]
    paid = OwedVerification.objects.filter(again__finished_at__isnull=False)
    for since in filter(None, (in_vain, verifier_health.well_since())):
        paid = paid.filter(ended_at__gt=since)
    return min(FEWEST_AT_ONCE + paid[:MOST_AT_ONCE].count(), MOST_AT_ONCE)


def _limit() -> int:
    limit: int = settings.HALLUCINATION["output_verification"]["skip_above"]
    return limit


def _waiting(now: datetime, most: int) -> int:
    """How many runs wait for the verifier, counted up to ``most``."""
    return DetectionRun.waiting_for_verifier(now).order_by("id")[:most].count()
