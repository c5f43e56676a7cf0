"""Tuning: which thresholds are in force, whether they flag as much as expected, what shadows would do."""

from django.db.models import Count, F, Q
from django.utils.translation import gettext as _

from detection.access import answer_scope
from detection.models import DetectionRun, ShadowFlag, ThresholdProfile
from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.tile import Row, Tile, share


def active(_scope: Scope) -> Tile:
    """The version of thresholds in force."""
    profile = ThresholdProfile.active()
    return Tile(profile.version, ThresholdProfile.objects.count(), text=profile.note)


def age(scope: Scope) -> Tile:
    """Seconds since that version came into force."""
    profile = ThresholdProfile.active()
    since = profile.activated_at or profile.created_at
    return Tile((scope.now - since).total_seconds(), _judged(scope, profile)["n"])


def _judged(scope: Scope, profile: ThresholdProfile) -> dict[str, int]:
    """How many answers were judged under a version, and how many of them were flagged, in these days."""
    live = DetectionRun.objects.filter(
        profile=profile, purpose=DetectionRun.Purpose.LIVE, **scope.within("finished_at")
    )
    seen = live.filter(answer_scope(scope.caller, "answer__"))
    return seen.aggregate(n=Count("pk"), flagged=Count("pk", filter=Q(needs_review=True)))


def flag_rate(scope: Scope) -> Tile:
    """Answers flagged under the version in force, of all it judged, beside what was expected."""
    profile = ThresholdProfile.active()
    found = _judged(scope, profile)
    if profile.predicted_low is None or profile.predicted_high is None:
        rows, text = [], _("Nothing was predicted for this version.")
    else:
        middle = (profile.predicted_low + profile.predicted_high) / 2
        rows = [Row(_("predicted"), middle, None, profile.predicted_low, profile.predicted_high)]
        text = ""
    tile = share(found["flagged"], found["n"], _("Nothing was judged under this version yet."), rows=rows)
    return Tile(tile.value, tile.n, tile.low, tile.high, rows=tile.rows, text=tile.text or text)


def shadows(scope: Scope) -> Tile:
    """For each shadow version, how many answers it would have decided otherwise, of those it looked at."""
    seen = ShadowFlag.objects.filter(answer_scope(scope.caller, "run__answer__"))
    running = ThresholdProfile.objects.filter(state=ThresholdProfile.State.SHADOW).order_by("version")
    differs = Count("pk", filter=~Q(needs_review=F("delivered_needs_review")))
    counted = {
        profile: (n, other)
        for profile, n, other in seen.order_by().values_list("profile").annotate(n=Count("pk"), other=differs)
    }
    rows = []
    for profile in running:
        n, other = counted.get(profile.pk, (0, 0))
        part = share(other, n, "")
        name = _("version %(version)d") % {"version": profile.version}
        rows.append(Row(name, part.value, n, part.low, part.high, unit="share"))
    text = "" if rows else _("No version runs as a shadow.")
    return Tile(len(rows), len(rows), rows=rows, text=text)
