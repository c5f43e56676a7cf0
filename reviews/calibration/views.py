"""Calibration (S10): seniors and administrators read it, administrators fit, activate and deactivate maps."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from detection.access import changes_thresholds
from detection.models import CalibrationMap
from detection.models.calibration import MapChanged
from reviews.calibration import figures, fitting, page
from reviews.calibration.fitting import NotFitted
from reviews.calibration.query import CalibrationQuery
from reviews.dashboard.monitoring import faults
from reviews.display.choices import KINDS, LANGUAGES
from reviews.display.screen import Asked, number
from reviews.thresholds.tuners import for_changers, for_tuners

ASKED = ("from", "to", "property", "model", "language", "by")
NAMES: dict[str, dict[str, Any]] = {"kind": dict(KINDS), "language": dict(LANGUAGES)}


@for_tuners
@require_safe
def calibration(request: Asked) -> HttpResponseBase:
    """The page."""
    return _shown(request, request.GET)


@for_changers
@require_POST
def fit(request: Asked) -> HttpResponseBase:
    """Fit a map to the labels of the days shown; a draft until somebody activates it."""
    form = _form(request.POST)
    method = request.POST.get("method", "")
    if not form.is_valid() or method not in fitting.FITS:
        return _shown(request, request.POST, 422)
    first, last = figures.days(form.validated_data["from"], form.validated_data["to"])
    try:
        fitting.fit(request.user, request.POST.get("verifier", ""), method, first, last)
    except NotFitted as refusal:
        return _shown(request, request.POST, 422, str(refusal))
    return _back(request)


@for_changers
@require_POST
def activate(request: Asked, pk: int) -> HttpResponseBase:
    """Use a map for answers that are judged from now on, about whatever property."""
    seen = number(request.POST.get("instead_of"))
    return _moved(
        request, lambda reason: _map(pk).activate(actor=request.user, reason=reason, instead_of=seen)
    )


@for_changers
@require_POST
def deactivate(request: Asked, pk: int) -> HttpResponseBase:
    """Show raw confidences again."""
    return _moved(request, lambda reason: _map(pk).deactivate(actor=request.user, reason=reason))


def _map(pk: int) -> CalibrationMap:
    return get_object_or_404(CalibrationMap, pk=pk)


def _moved(request: Asked, move: Callable[[str], None]) -> HttpResponseBase:
    reason = request.POST.get("reason", "").strip()[:500]
    if not reason:
        return _shown(request, request.POST, 422, gettext("Say why."))
    try:
        move(reason)
    except MapChanged as conflict:
        return _shown(request, request.POST, 409, str(conflict))
    except ValidationError as refusal:
        return _shown(request, request.POST, 422, " ".join(refusal.messages))
    return _back(request)


def _back(request: Asked) -> HttpResponseBase:
    kept = request.POST.copy()
    for name in set(kept) - set(ASKED):
        del kept[name]
    return redirect(f"{reverse('calibration')}?{kept.urlencode()}#maps")


def _form(given: QueryDict) -> CalibrationQuery:
    asked = {name: str(given.get(name, "")).strip() for name in ASKED}
    return CalibrationQuery(data={name: value for name, value in asked.items() if value})


def _shown(request: Asked, given: QueryDict, status: int = 200, fault: str = "") -> HttpResponseBase:
    form = _form(given)
    context = {
        **(_found(request, form) if form.is_valid() else {"faults": faults(form)}),
        "fault": fault,
        "params": {name: given.get(name, "") for name in ASKED},
        "can_change": changes_thresholds(request.user),
        "section": "tuning",
    }
    if form.is_valid():
        context["params"] |= {name: form.validated_data[name].isoformat() for name in ("from", "to")}
    return render(request, "reviews/tuning/calibration.html", context, status=status)


def _found(request: Asked, form: CalibrationQuery) -> dict[str, Any]:
    first, last = (form.validated_data[name] for name in ("from", "to"))
    found = figures.seen(request.user, first, last, form.only())
    by = form.validated_data.get("by") or ""
    titles = page.TITLES
    told = figures.reliability(found)
    return {
        "answers": len(found.measured.run),
        "labelled": int((found.labels.answer >= 0).sum()),
        "diagrams": [page.diagram(titles[name], each, told=name != "final") for name, each in told.items()],
        "groups": [
            page.diagram(NAMES[by].get(name, name), each)
            for name, each in (figures.GROUPS[by](found) if by else {}).items()
        ],
        "agreement": page.agreement(figures.agreement(found)),
        "drifts": [page.drift(name, each) for name, each in figures.drifts(found).items()],
        "verifiers": page.verifiers(fitting.labelled_by_verifier(found.measured, found.labels, found.said)),
        "choices": {name: sorted(value for value in values if value) for name, values in found.names.items()},
        "languages": [(code, NAMES["language"].get(code, code)) for code in sorted(found.names["language"])],
    }
