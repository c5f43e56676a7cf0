"""System: is the work behind the screens keeping up?"""

from django.db.models import Count, F, Min, Q, QuerySet
from django.utils.translation import gettext as _

from detection.access import answer_scope
from detection.models import DetectionRun, OwedVerification
from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.tile import Tile, share


def _runs(scope: Scope) -> QuerySet[DetectionRun]:
    """The runs that somebody waits for: a shadow run is pending after all others, and its answer is judged already."""
    seen = DetectionRun.objects.filter(answer_scope(scope.caller, "answer__")).order_by()
    return seen.exclude(purpose=DetectionRun.Purpose.SHADOW)


def lag(scope: Scope) -> Tile:
    """Age of the oldest answer that is not judged yet, in seconds; n of them wait or are worked on."""
    pending = _runs(scope).filter(finished_at__isnull=True, failed_reason="")
    found = pending.aggregate(oldest=Min("created_at"), n=Count("pk"))
    since = (scope.now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    return Tile(since, found["n"])


def failures(scope: Scope) -> Tile:
    """Runs of these days whose every attempt failed, of all runs begun in them."""
    begun = _runs(scope).filter(**scope.within("created_at"))
    found = begun.aggregate(
        failed=Count("pk", filter=~Q(failed_reason="") & Q(erasure__isnull=True)), n=Count("pk")
    )
    return share(found["failed"], found["n"], _("No answer came in these days."))


def owed(scope: Scope) -> Tile:
    """Answers whose verification is owed now; n of them were tried again in vain."""
    seen = OwedVerification.open().filter(answer_scope(scope.caller, "answer__")).order_by()
    found = seen.aggregate(n=Count("pk"), again=Count("pk", filter=Q(since__lt=F("noted_at"))))
    return Tile(found["n"], found["again"])


def webhooks(_scope: Scope) -> Tile:
    """Failed deliveries; nothing is delivered yet."""
    return Tile(None, 0, text=_("Not measured yet: no webhook is sent."))


def polls(_scope: Scope) -> Tile:
    """How often pages ask for news; nobody counts it."""
    return Tile(None, 0, text=_("Not measured yet: questions for news are not counted."))
