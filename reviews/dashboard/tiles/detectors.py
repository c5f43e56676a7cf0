"""Detectors: how often they are right, what they miss, how long they take."""

from collections.abc import Callable, Iterable

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from detection.models import Claim, DetectorReport
from reviews.dashboard.claim_detectors import DETECTORS
from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.flow import no_resolution
from reviews.dashboard.tiles.tile import Row, Tile, quantile_rows, share, share_row
from reviews.dashboard.verdict_counts import Counted, total
from reviews.display.choices import KINDS as KIND_WORDS
from reviews.models.queue_columns import KINDS
from reviews.review_page.rule_findings import CHECKS as DETECTOR_WORDS
from reviews.tuning.estimates import Estimate, Performance

MOST_TIMES = 20_000
"""The latest reports whose times are looked at for a quantile."""


def precision(scope: Scope) -> Tile:
    """Of the flagged claims that people judged, the share that is wrong; by detector and kind of claim."""
    flagged = [each for each in scope.counted if each.flagged and (each.wrong or each.right)]
    rows = [_precise(name, each, _("Detector")) for name, each in _by_detector(flagged)]
    rows += [_precise(name, each, _("Kind of claim")) for name, each in _by_kind(flagged)]
    every = _precise("", flagged, "")
    return share(total(flagged, lambda each: each.wrong), every.n or 0, no_resolution(), rows=rows)


def _precise(name: str, counted: Iterable[Counted], group: str) -> Row:
    found = list(counted)
    return share_row(name, total(found, lambda each: each.wrong), total(found, lambda _each: True), group)


def _by_detector(counted: list[Counted]) -> list[tuple[str, list[Counted]]]:
    parts = [(str(DETECTOR_WORDS[name]), [e for e in counted if e.detector == name]) for name in DETECTORS]
    return [(name, found) for name, found in parts if found]


def _by_kind(counted: list[Counted]) -> list[tuple[str, list[Counted]]]:
    parts = [(str(KIND_WORDS[kind]), [each for each in counted if each.kind == kind]) for kind in KINDS]
    return [(name, found) for name, found in parts if found]


def recall(scope: Scope) -> Tile:
    """Of all wrong answers the estimated share that was flagged, weighted by the chance of each audit."""
    return _answers(scope, lambda found: found.recall)


def f1(scope: Scope) -> Tile:
    """The harmonic mean of precision and weighted recall over answers; without an interval of its own."""
    return _answers(scope, _harmonic)


def _harmonic(found: Performance) -> Estimate:
    right, complete = found.precision.value, found.recall.value
    both = (right or 0) + (complete or 0)
    value = 2 * right * complete / both if right is not None and complete is not None and both else None
    return Estimate(value, None, None, found.labelled)


def _answers(scope: Scope, figure: Callable[[Performance], Estimate]) -> Tile:
    """A figure over answers, and over the answers with a claim of each kind."""
    found = figure(scope.labelled.performance)
    if found.value is None:
        return Tile(None, found.n, text=_("Not measured yet: no unflagged answer of these days was audited."))
    having = scope.labelled.having(scope.runs_by_kind)
    parts = [(kind, figure(scope.labelled.of(having[kind]))) for kind in KINDS if kind in having]
    rows = [Row(str(KIND_WORDS[kind]), part.value, part.n, part.low, part.high) for kind, part in parts]
    return Tile(found.value, found.n, found.low, found.high, rows=rows)


def false_alarms(scope: Scope) -> Tile:
    """Flagged claims that people found right, for every hundred answers resolved."""
    alarms = [each for each in scope.counted if each.flagged and each.right]
    answers = scope.resolved.count()
    if not answers:
        return Tile(None, 0, text=no_resolution())
    rows = [
        Row(name, 100 * total(found, lambda _each: True) / answers, answers)
        for name, found in _by_detector(alarms)
    ]
    return Tile(100 * total(alarms, lambda _each: True) / answers, answers, rows=rows)


def unchecked(scope: Scope) -> Tile:
    """Claims that no detector checked, of all; and reports that failed, by detector."""
    claims = Claim.objects.filter(scope.claims(), run__in=scope.runs, origin=Claim.Origin.DETECTOR).order_by()
    left = Q(status__in=("unverified", "not_checked"))
    found = claims.aggregate(left=Count("pk", filter=left), n=Count("pk"))
    counted = (
        DetectorReport.objects.filter(run__in=scope.runs)
        .exclude(status="skipped")
        .order_by("detector")
        .values_list("detector")
        .annotate(n=Count("pk"), failed=Count("pk", filter=~Q(status="ok")))
    )
    rows = [share_row(_name(name), failed, n, _("Failed or timed out")) for name, n, failed in counted]
    return share(found["left"], found["n"], _("No claim was read in these days."), rows=rows)


def _name(detector: str) -> str:
    return str(DETECTOR_WORDS.get(detector, detector))


def misread(scope: Scope) -> Tile:
    """What reading the answer went wrong on: claims misread or no claims, and wrong claims that were missed."""
    answers = scope.resolved.count()
    if not answers:
        return Tile(None, 0, text=no_resolution())
    read = [each for each in scope.counted if not each.added]
    misread = total(read, lambda each: each.reason == "extraction_error")
    none = total(read, lambda each: each.verdict == "not_a_claim")
    unflagged = total(read, lambda each: each.wrong and not each.flagged)
    added = total(scope.counted, lambda each: each.added and each.wrong)
    rows = [
        Row(_("claim misread"), misread),
        Row(_("no claim at all"), none),
        Row(_("wrong, not flagged"), unflagged),
        Row(_("wrong, not read as a claim"), added),
    ]
    return Tile(misread + none + unflagged + added, answers, rows=rows)


def detection_time(scope: Scope) -> Tile:
    """Median and 95th percentile of the seconds that a detector takes; by detector."""
    reports = DetectorReport.objects.filter(run__in=scope.runs).exclude(status="skipped")
    found = list(reports.order_by("-pk").values_list("detector", "duration_ms")[:MOST_TIMES])
    names = (_("half within"), _("95 of 100 within"))
    rows = [
        Row(row.label, row.value, row.n, group=_name(detector))
        for detector in dict.fromkeys(sorted(name for name, _ms in found))
        for row in quantile_rows([ms / 1000 for name, ms in found if name == detector], names, (0.5, 0.95))
    ]
    every = quantile_rows([ms / 1000 for _name, ms in found], names, (0.5, 0.95))
    if not every:
        return Tile(None, 0, text=_("No detector reported in these days."))
    note = ngettext("The latest %(n)d report.", "The latest %(n)d reports.", len(found)) % {"n": len(found)}
    return Tile(every[0].value, len(found), rows=rows, text=note if len(found) == MOST_TIMES else "")
