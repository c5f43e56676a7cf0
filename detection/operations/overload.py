"""When the verifier has too much to do: what is left out then, and when it is made up for (SPEC-08.39).

The rule: while more runs than ``output_verification.skip_above`` wait for the verifier, a run's statements are
not verified. They are ``not_checked`` with the finding ``overload``, the answer is not clear, and when at most
half as many wait the sweep has the answer judged again.
"""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from detection.models import DetectionRun
from detection.operations import verifying

MOST_AT_ONCE = 50


def leaves_out(run: DetectionRun) -> bool:
    """Whether a run goes without the verifier now. Shadow runs wait: they compare, nobody waits for them."""
    limit = _limit()
    if not limit or run.purpose == DetectionRun.Purpose.SHADOW:
        return False
    return _waiting(timezone.now(), limit + 1) > limit


def room(now: datetime) -> int:
    """How many runs that went without the verifier may be judged again now, :data:`MOST_AT_ONCE` at most."""
    if not verifying.is_on("output_verification"):
        return 0
    bearable = max(_limit() // 2, 1) if _limit() else MOST_AT_ONCE
    return max(0, min(MOST_AT_ONCE, bearable - _waiting(now, bearable)))


def _limit() -> int:
    limit: int = settings.HALLUCINATION["output_verification"]["skip_above"]
    return limit


def _waiting(now: datetime, most: int) -> int:
    """How many runs wait for the verifier, counted up to ``most``."""
    return DetectionRun.waiting_for_verifier(now).order_by("id")[:most].count()
