"""What answers are owed: judged again by itself as soon as their verifier is well."""

from datetime import datetime

from detection.models import OwedVerification
from detection.operations import overload, verifier_health
from reviews.lifecycle import intake
from reviews.models import HallucinationReview


def pay(now: datetime) -> int:
    """Judge again what is owed, as far as the verifier is well and there is room; how many. What nobody waits for any more is
    forgiven, what was tried often in vain given up."""
    verifier_health.look_after(now)
    if not OwedVerification.open().exists():
        return 0
    OwedVerification.forgive(HallucinationReview.objects.filter(resolved_at__isnull=False))
    payable = verifier_health.payable(now).select_related("run")
    return sum(_pay(owed) for owed in payable[: overload.room(now)])


def _pay(owed: OwedVerification) -> bool:
    """False when there is nothing to judge again."""
    if owed.is_hopeless:
        owed.give_up()
        return False
    return intake.renew(owed.run) is not None
