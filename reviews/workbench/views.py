"""The threshold workbench (S9): seniors and administrators read it, administrators draft and ask for audits."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from detection.access import changes_thresholds
from detection.models import ThresholdProfile
from reviews.display.screen import Asked, View
from reviews.forms import first_error
from reviews.lifecycle.sampling import more_audits
from reviews.thresholds.tuners import for_changers, for_tuners
from reviews.tuning.grids import with_value
from reviews.workbench import suggesting
from reviews.workbench.asked import BenchForm, Wanted
from reviews.workbench.changes import changing as listed
from reviews.workbench.limits import Overtaken, accept, limits_page
from reviews.workbench.page import here, page
from reviews.workbench.words import audits_wanted


def asking(view: Callable[[Asked, Wanted], HttpResponseBase]) -> View:
    """Hands a valid question to ``view``; for another the workbench as it is, saying what is wrong with it: 422."""

    @wraps(view)
    def with_a_question(request: Asked) -> HttpResponseBase:
        given: QueryDict = request.POST if request.method == "POST" else request.GET
        form = BenchForm(given)
        return (
            view(request, form.wanted()) if form.is_valid() else _shown(request, Wanted(), first_error(form))
        )

    return with_a_question


@for_tuners
@require_safe
@asking
def workbench(request: Asked, wanted: Wanted) -> HttpResponseBase:
    """The page."""
    return _shown(request, wanted)


@for_tuners
@require_safe
@asking
def changing(request: Asked, wanted: Wanted) -> HttpResponseBase:
    """The answers that a value would change, as a fragment."""
    return render(
        request, "reviews/workbench/_changes.html", listed(here(request.user, wanted).change, request.user)
    )


@for_tuners
@require_safe
@asking
def suggest(request: Asked, wanted: Wanted) -> HttpResponseBase:
    """The best thresholds found for the objective; nothing is changed by looking at them."""
    context = {
        **suggesting.suggested(request.user, wanted),
        "section": "tuning",
        "can_change": changes_thresholds(request.user),
    }
    return render(request, "reviews/workbench/suggested.html", context)


@for_changers
@require_POST
@asking
def draft(request: Asked, wanted: Wanted) -> HttpResponseBase:
    """Save the value in a new draft; ``then`` starts a shadow of it, or goes on to its activation."""
    active = ThresholdProfile.active()
    if wanted.value is None:
        return _shown(request, wanted, gettext("Choose a value first."))
    values = with_value(active.values, wanted.threshold, wanted.value)
    return _drafted(request, values, active, wanted)


@for_changers
@require_POST
@asking
def draft_suggested(request: Asked, wanted: Wanted) -> HttpResponseBase:
    """Save suggested values as a new draft."""
    try:
        values = json.loads(request.POST.get("values", ""))
    except ValueError:
        values = None
    if not isinstance(values, dict):
        return _shown(
            request, wanted, gettext("These values could not be read. Ask for the suggestion again.")
        )
    return _drafted(request, values, ThresholdProfile.active(), wanted)


@for_changers
@require_POST
@asking
def audits(request: Asked, wanted: Wanted) -> HttpResponseBase:
    """Queue what the affected answers lack in audits."""
    chosen = here(request.user, wanted)
    more_audits(
        chosen.change.rows[chosen.change.row_newly].tolist(),
        audits_wanted(chosen),
        request.user,
        profile=ThresholdProfile.active().version,
        threshold=wanted.threshold,
    )
    return redirect(f"{reverse('tuning')}?{_query(request)}")


@for_tuners
@require_safe
def limits(request: Asked) -> HttpResponseBase:
    """How much answers may be doubted, and what judged answers teach about it."""
    return _limits(request)


@for_changers
@require_POST
def draft_limits(request: Asked) -> HttpResponseBase:
    """Save the limits that were learnt as a new draft. 409 when others are learnt by now."""
    try:
        made = accept(
            request.user, request.POST.get("proposed", ""), request.POST.get("note", "").strip()[:500]
        )
    except Overtaken as refusal:
        return _limits(request, str(refusal), 409)
    except ValidationError as refusal:
        return _limits(request, " ".join(refusal.messages), 422)
    return redirect("version", made.version)


def _limits(request: Asked, fault: str = "", status: int = 200) -> HttpResponse:
    context = {
        **limits_page(request.user),
        "fault": fault,
        "can_change": changes_thresholds(request.user),
        "section": "tuning",
    }
    return render(request, "reviews/workbench/limits.html", context, status=status)


def _shown(request: Asked, wanted: Wanted, fault: str = "") -> HttpResponse:
    context = {
        **page(request.user, wanted),
        "fault": fault,
        "can_change": changes_thresholds(request.user),
        "section": "tuning",
    }
    return render(request, "reviews/workbench/workbench.html", context, status=422 if fault else 200)


def _drafted(
    request: Asked, values: dict[str, Any], active: ThresholdProfile, wanted: Wanted
) -> HttpResponseBase:
    """A draft on top of the version in use, and on to what was pressed."""
    note, then = request.POST.get("note", "").strip()[:500], request.POST.get("then", "")
    try:
        with transaction.atomic():
            made = ThresholdProfile.draft(values, scoring=active.scoring, note=note, actor=request.user)
            if then == "shadow":
                made.shadow(actor=request.user, reason=note)
    except ValidationError as refusal:
        return _shown(request, wanted, " ".join(refusal.messages))
    return redirect("version", made.version)


def _query(request: Asked) -> str:
    kept = request.POST.copy()
    for name in ("csrfmiddlewaretoken", "base"):
        kept.pop(name, None)
    return kept.urlencode()
