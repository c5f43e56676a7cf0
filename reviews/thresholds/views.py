"""Versions of the thresholds (F23): seniors and administrators read them, administrators draft and move them."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from detection.models import ThresholdProfile
from detection.models.thresholds import Overtaken
from detection.profiles.gates import GateClosed, gate_of
from reviews.display.screen import Asked, number
from reviews.forms import first_error
from reviews.thresholds.forms import DraftForm, FileForm, StepForm, draft_forms, values_of
from reviews.thresholds.tuners import for_changers, for_tuners
from reviews.thresholds.versions import version_page

SECTION = {"section": "tuning"}


def _profile(version: int | None) -> ThresholdProfile:
    found = ThresholdProfile.objects.filter(version=version).first() if version else None
    if found is None:
        raise Http404
    return found


@for_tuners
@require_safe
def versions(request: Asked) -> HttpResponseBase:
    """All versions, newest first."""
    return _listed(request)


def _listed(request: Asked, form: FileForm | None = None, fault: str = "") -> HttpResponse:
    context = {
        **SECTION,
        "rows": ThresholdProfile.objects.order_by("-version").select_related("created_by", "copied_from"),
        "file_form": form or FileForm(),
        "fault": fault,
    }
    return render(request, "reviews/tuning/versions.html", context, status=422 if fault else 200)


@for_tuners
@require_safe
def version(request: Asked, version: int) -> HttpResponseBase:
    """One version: what it changes, its history, what the gate says, how it does as a shadow."""
    return _one(request, _profile(version))


def _one(request: Asked, profile: ThresholdProfile, fault: str = "", status: int = 200) -> HttpResponse:
    context = {**SECTION, "page": version_page(profile, request.user), "fault": fault}
    return render(request, "reviews/tuning/version.html", context, status=status)


@for_tuners
@require_safe
def compare(request: Asked) -> HttpResponseBase:
    """Two versions side by side; without a choice, the active one and the one before it."""
    newest = list(ThresholdProfile.objects.order_by("-version")[:2])
    asked = [number(request.GET.get(name)) for name in ("a", "b")]
    old, new = (
        _profile(version) if version else default
        for version, default in zip(asked, (newest[-1], newest[0]), strict=True)
    )
    context = {
        **SECTION,
        "old": old,
        "new": new,
        "sides": (("a", old), ("b", new)),
        "lines": old.difference(new),
        "all": ThresholdProfile.objects.order_by("-version"),
        "between": ThresholdProfile.objects.filter(
            version__gt=min(old.version, new.version), version__lte=max(old.version, new.version)
        ).select_related("created_by"),
    }
    return render(request, "reviews/tuning/versions_compared.html", context)


@for_tuners
@require_safe
def export(request: Asked, version: int) -> HttpResponseBase:
    """A version as YAML."""
    return HttpResponse(
        _profile(version).to_yaml(),
        content_type="application/yaml; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="hallu-profile-{version}.yaml"'},
    )


@for_changers
@require_POST
def read_file(request: Asked) -> HttpResponseBase:
    """Draft what a YAML file holds."""
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _listed(request, form, first_error(form))
    try:
        drafted = ThresholdProfile.from_yaml(form.content(), actor=request.user)
    except ValidationError as error:
        return _listed(request, form, " ".join(error.messages))
    return redirect("version", drafted.version)


@for_changers
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Asked) -> HttpResponseBase:
    """Draft a version from the one that ``from`` names, else from the active one."""
    chosen = number((request.POST if request.method == "POST" else request.GET).get("from"))
    base = _profile(chosen) if chosen else ThresholdProfile.active()
    if request.method != "POST":
        return _drafting(request, base, *draft_forms(base))
    form, overrides = draft_forms(base, request.POST)
    if not (form.is_valid() & overrides.is_valid()):
        return _drafting(request, base, form, overrides, status=422)
    try:
        drafted = ThresholdProfile.draft(
            values_of(form, overrides),
            scoring=form.cleaned_data["scoring"],
            note=form.cleaned_data["note"],
            actor=request.user,
        )
    except ValidationError as error:
        form.add_error(None, error.messages)
        return _drafting(request, base, form, overrides, status=422)
    return redirect("version", drafted.version)


def _drafting(
    request: Asked, base: ThresholdProfile, form: DraftForm, overrides: Any, status: int = 200
) -> HttpResponse:
    context = {**SECTION, "base": base, "form": form, "overrides": overrides}
    return render(request, "reviews/tuning/version_draft.html", context, status=status)


Step = Callable[[ThresholdProfile, Asked, dict[str, Any]], ThresholdProfile | None]

STEPS: dict[str, Step] = {
    "shadow": lambda profile, request, given: profile.shadow(actor=request.user, reason=given["reason"]),
    "retire": lambda profile, request, given: profile.end_as_shadow(
        actor=request.user, reason=given["reason"]
    ),
    "activate": lambda profile, request, given: profile.activate(
        actor=request.user, reason=given["reason"], gate=gate_of(profile, request.user), seen=given["seen"]
    ),
    "ask": lambda profile, request, given: profile.ask(
        actor=request.user, reason=given["reason"], gate=gate_of(profile, request.user)
    ),
    "confirm": lambda profile, request, given: profile.confirm(
        actor=request.user, gate=gate_of(profile, request.user), seen=given["seen"]
    ),
    "decline": lambda profile, request, given: profile.decline(actor=request.user, reason=given["reason"]),
    "rollback": lambda profile, request, given: profile.rollback(
        actor=request.user, note=given["reason"], seen=given["seen"]
    ),
}
"""Each step by its method; a rollback leads to the version that it makes."""


@for_changers
@require_POST
def step(request: Asked, version: int) -> HttpResponseBase:
    """Move a version on. 409 when the gate is closed or another version became active meanwhile, 422 when it
    cannot be done from where the version stands."""
    profile, form = _profile(version), StepForm(request.POST)
    if not form.is_valid():
        return _one(request, profile, first_error(form), 422)
    try:
        made = STEPS[form.cleaned_data["step"]](profile, request, form.cleaned_data)
    except (GateClosed, Overtaken) as refusal:
        return _one(request, _profile(version), str(refusal), 409)
    except ValidationError as error:
        return _one(request, _profile(version), " ".join(error.messages), 422)
    return redirect("version", (made or profile).version)
