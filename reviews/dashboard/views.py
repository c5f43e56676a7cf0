"""The dashboard (S11): the page, one of its blocks, one tile as CSV."""

import csv
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from detection.access import visible_monitored_runs, visible_properties
from detection.models import ThresholdProfile
from reviews.dashboard.alerts import AT_ONCE, LATER, alerts
from reviews.dashboard.claim_detectors import DETECTORS
from reviews.dashboard.monitoring import faults
from reviews.dashboard.page import CSV_COLUMNS, block_view, csv_rows
from reviews.dashboard.query import DashboardQuery
from reviews.dashboard.registry import BLOCKS, TILES
from reviews.dashboard.scope import Scope
from reviews.display.cells import plain
from reviews.display.choices import KINDS, LANGUAGES, MOST, Choice, Options
from reviews.display.screen import Asked, screen
from reviews.review_page.rule_findings import CHECKS

FILTERS = ("language", "kind", "detector", "property", "profile", "model", "verifier")
ALERTS = "alerts"
"""The name of the alerts among the blocks that are fetched after the page."""


@screen
@require_safe
def dashboard(request: Asked) -> HttpResponseBase:
    """The page with what waits now; its other blocks are fetched as they come into sight."""
    return _page(request, "now")


@screen
@require_safe
def block(request: Asked, block: str) -> HttpResponseBase:
    """One block: under htmx alone, else on the whole page, so that nothing needs a script."""
    if block not in (*BLOCKS, ALERTS):
        raise Http404
    form = _form(request)
    if not (request.htmx and form.is_valid()):
        return _page(request, block)
    scope = form.scope(request.user)
    shared = {"query": request.GET.urlencode()}
    if block == ALERTS:
        return render(request, "reviews/dashboard/_alerts.html", shared | _alerts(scope, whole=True))
    return render(request, "reviews/dashboard/_block.html", shared | {"block": _block(block, scope, {block})})


@screen
@require_safe
def tile_csv(request: Asked, tile: str) -> HttpResponseBase:
    """One tile as CSV: the figures of the page, unrounded."""
    form = _form(request)
    if tile not in TILES:
        raise Http404
    if not form.is_valid():
        return _page(request, "now")
    scope = form.scope(request.user)
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="hallu-{tile}-{scope.first}-{scope.last}.csv"'
    writer = csv.writer(response)
    writer.writerow(CSV_COLUMNS)
    for row in csv_rows(tile, TILES[tile].work_out(scope)):
        writer.writerow([plain(cell) if isinstance(cell, str) else cell for cell in row])
    return response


def _form(request: Asked) -> DashboardQuery:
    asked = {
        name: request.GET[name].strip()
        for name in ("from", "to", *FILTERS)
        if request.GET.get(name, "").strip()
    }
    return DashboardQuery(data=asked)


def _page(request: Asked, opened: str) -> HttpResponseBase:
    """The page with the blocks worked out that are there at once: what waits now, and the one ``opened``."""
    form = _form(request)
    context: dict[str, Any] = {"section": "dashboard", "query": request.GET.urlencode()}
    if not form.is_valid():
        return render(
            request, "reviews/dashboard/dashboard.html", context | {"faults": faults(form)}, status=422
        )
    scope, given = form.scope(request.user), form.validated_data
    context |= {
        "days": {"from": scope.first.isoformat(), "to": scope.last.isoformat()},
        "blocks": [_block(name, scope, {"now", opened}) for name in BLOCKS],
        "controls": _choices(scope, {name: str(given.get(name) or "") for name in FILTERS}),
        "narrowed": any(given.get(name) for name in FILTERS),
        **_alerts(scope, whole=opened == ALERTS),
    }
    return render(request, "reviews/dashboard/dashboard.html", context)


def _alerts(scope: Scope, *, whole: bool) -> dict[str, Any]:
    found = alerts(scope, (*AT_ONCE, *LATER) if whole else AT_ONCE)
    blocks = {each.tile: TILES[each.tile].block for each in found}
    return {"alerts": [(each, blocks[each.tile]) for each in found], "alerts_whole": whole}


def _block(name: str, scope: Scope, there: set[str]) -> dict[str, Any]:
    """A block; ``tiles`` is None for one that is fetched later."""
    return {"name": name, "title": BLOCKS[name], "tiles": block_view(name, scope) if name in there else None}


def _choices(scope: Scope, chosen: dict[str, str]) -> list[Choice]:
    """What the dashboard can be narrowed by; three queries for the names in it."""
    days = visible_monitored_runs(scope.caller).filter(**scope.within("run__finished_at"))
    occurring = list(days.order_by().values_list("model", "run__verifier").distinct()[:MOST])
    models = sorted({model for model, _verifier in occurring if model})
    verifiers = sorted({verifier for _model, verifier in occurring if verifier})
    versions = [str(version) for version in ThresholdProfile.objects.values_list("version", flat=True)[:MOST]]
    places: Options = list(
        visible_properties(scope.caller).order_by("name").values_list("code", "name")[:MOST]
    )
    offered: list[tuple[str, Any, Any, Options]] = [
        ("language", _("Language"), _("Any language"), LANGUAGES),
        ("kind", _("Kind of claim"), _("Any claim"), list(KINDS.items())),
        ("detector", _("Detector"), _("Any detector"), [(name, CHECKS[name]) for name in DETECTORS]),
        ("property", _("Property"), _("Any property"), places),
        ("profile", _("Version of thresholds"), _("Any version"), _same(versions)),
        ("model", _("Model"), _("Any model"), _same(models)),
        ("verifier", _("Verifier and prompt"), _("Any verifier"), _same(verifiers)),
    ]
    return [Choice(name, label, any_, options, chosen[name]) for name, label, any_, options in offered]


def _same(values: list[str]) -> Options:
    return [(value, value) for value in values]
