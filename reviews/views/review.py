"""The review page and every action on it. Each action also works as a plain form (F01–F09)."""

import json
from typing import Any
from uuid import uuid4

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from detection.models import Claim
from reviews import queue, wording
from reviews.claims_shown import candidate_text
from reviews.forms import DATABASE, ReasonForm, ResolveForm, VerdictForm, first_error
from reviews.models import Conflict, HallucinationReview, KeyReused, NotAllowed, Undecided
from reviews.presentation import Page, presentation
from reviews.views.screen import Asked, number, screen

RELATED = ("answer__query", "run", "property", "period", "assignee", "resolved_by", "lease__user", "profile")


def found(request: Asked, pk: int) -> HallucinationReview:
    """The review, or 404 when it is not there or not this person's to see."""
    return get_object_or_404(queue.visible_reviews(request.user).select_related(*RELATED), pk=pk)


@screen
@require_safe
def review(request: Asked, pk: int) -> HttpResponseBase:
    """The review page (S4)."""
    return _page(request, found(request, pk), claim=number(request.GET.get("claim")))


@screen
@require_POST
def take(request: Asked, pk: int) -> HttpResponseBase:
    """T2: hold the review."""
    chosen = found(request, pk)
    try:
        chosen.take(request.user)
    except Conflict as conflict:
        return _conflict(request, chosen, conflict)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return redirect("review", pk)


@screen
@require_POST
def release(request: Asked, pk: int) -> HttpResponseBase:
    """T3: give the review back."""
    try:
        found(request, pk).release(request.user, reason=request.POST.get("reason", ""))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return redirect("queue")


@screen
@require_POST
def heartbeat(request: Asked, pk: int) -> HttpResponseBase:
    """Keep the lease."""
    chosen = found(request, pk)
    try:
        chosen.heartbeat(request.user)
    except Conflict as conflict:
        return _conflict(request, chosen, conflict)
    if not request.htmx:
        return redirect("review", pk)
    return render(request, "reviews/_lease.html", {"page": presentation(found(request, pk), request.user)})


@screen
@require_POST
def verdict(request: Asked, pk: int, claim: int) -> HttpResponseBase:
    """Save one verdict and go on to the next undecided claim (F06)."""
    chosen = found(request, pk)
    row = get_object_or_404(Claim, pk=claim, run_id=chosen.run_id)
    form = VerdictForm(request.POST)
    if not form.is_valid():
        return _refused(request, chosen, row, first_error(form))
    given = _given(form.cleaned_data, chosen, row)
    try:
        chosen.decide(request.user, form.cleaned_data["version"], row, **given)
    except (Conflict, KeyReused) as conflict:
        return _conflict(request, chosen, conflict, row, given)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except ValidationError as error:
        return _refused(request, chosen, row, " ".join(error.messages))
    return _decided(request, pk, row)


def _given(data: dict[str, Any], chosen: HallucinationReview, row: Claim) -> dict[str, Any]:
    """What to decide; the database button becomes a correction to the candidate, worked out anew here."""
    given = {
        name: data[name] for name in ("verdict", "reason_code", "corrected_value", "note", "idempotency_key")
    }
    if given["verdict"] == DATABASE:
        results = (chosen.run.result or {}).get("claims") or []
        result: dict[str, Any] = next((c for c in results if c["index"] == row.index), {})
        slip = next((s.get("code") for s in result.get("slips") or []), "")
        given |= {
            "verdict": "corrected",
            "corrected_value": candidate_text(row, result),
            "reason_code": wording.SLIP_REASONS.get(slip, "wrong_value"),
        }
    return given


def _place(claim: Claim) -> tuple[int, int, int]:
    """Where a claim stands among the others, in the order of the text."""
    return claim.start, -claim.end, claim.index


def _decided(request: Asked, pk: int, row: Claim) -> HttpResponseBase:
    """The page after a verdict: the next undecided claim selected, else the same one."""
    waiting = sorted(found(request, pk).undecided(request.user), key=_place)
    later = [c for c in waiting if _place(c) > _place(row)]
    target = (later or waiting or [row])[0].index + 1
    if not request.htmx:
        return redirect(f"{reverse('review', args=[pk])}?claim={target}")
    response = _bar(
        request, found(request, pk), claim=target, template="reviews/_decided.html", saved_at=timezone.now()
    )
    left = len(waiting)
    text = (
        f"Saved. {left} claim{'s' if left != 1 else ''} undecided."
        if left
        else "Saved. Every claim is decided."
    )
    response["HX-Trigger"] = json.dumps({"review:decided": {"text": text}})
    return response


@screen
@require_POST
def resolve(request: Asked, pk: int) -> HttpResponseBase:
    """T6: end the review, then show it or go on to the next one (F08, F04)."""
    chosen = found(request, pk)
    form = ResolveForm(request.POST)
    if not form.is_valid():
        return _refused(request, chosen, None, first_error(form))
    try:
        chosen.resolve(request.user, form.cleaned_data["version"], **form.content())
    except Undecided as undecided:
        return _undecided(request, chosen, undecided)
    except (Conflict, KeyReused) as conflict:
        return _conflict(request, chosen, conflict)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except ValidationError as error:
        return _refused(request, chosen, None, " ".join(error.messages))
    return (
        _go_on(request, pk)
        if request.POST.get("then") == "next"
        else _to(request, reverse("review", args=[pk]))
    )


def _go_on(request: Asked, pk: int) -> HttpResponseBase:
    following = queue.next_for(request.user)
    return _to(request, reverse("review", args=[following.pk]) if following else reverse("queue"))


def _to(request: Asked, url: str) -> HttpResponseBase:
    """Leave for another page, from a fragment too."""
    return HttpResponse(status=204, headers={"HX-Redirect": url}) if request.htmx else redirect(url)


@screen
@require_POST
def reopen(request: Asked, pk: int) -> HttpResponseBase:
    """T13: put a resolved review back."""
    chosen, form = found(request, pk), ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, chosen, status=422, form_error=first_error(form))
    try:
        chosen.reopen(request.user, form.cleaned_data["reason"])
    except Conflict as conflict:
        return _conflict(request, chosen, conflict)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return redirect("review", pk)


def _undecided(request: Asked, chosen: HallucinationReview, error: Undecided) -> HttpResponseBase:
    page = presentation(chosen, request.user)
    first = page.undecided[0].n if page.undecided else None
    return _bar(request, chosen, claim=first, status=422, undecided=page.undecided)


def _refused(request: Asked, chosen: HallucinationReview, row: Claim | None, text: str) -> HttpResponseBase:
    """422: the bar again, with what is wrong and the row open."""
    page = presentation(chosen, request.user)
    claim = next((c.n for c in page.claims if row and c.id == row.pk), None)
    opened = request.POST.get("verdict", "")
    return _bar(request, chosen, claim=claim, status=422, form_error=text, open_row=opened)


def _conflict(
    request: Asked,
    chosen: HallucinationReview,
    error: Conflict | KeyReused,
    row: Claim | None = None,
    given: dict[str, Any] | None = None,
) -> HttpResponseBase:
    """409: who did what and when; what was typed is repeated, and stays in its fields under htmx (F02)."""
    typed = [str(given[name]) for name in ("verdict", "corrected_value", "note") if given and given[name]]
    typed = [wording.WORDS.get(typed[0], typed[0]).lower(), *typed[1:]] if typed else []
    now = presentation(found(request, chosen.pk), request.user)
    panel = {
        "title": "Not saved.",
        "text": str(error).removeprefix("Not saved: "),
        "mine": " · ".join(typed),
        "review": chosen.pk,
        "claim": next((c.n for c in now.claims if row and c.id == row.pk), None),
        "action": request.path if now.rights.editable and request.POST else "",
        "fields": _sent_again(request, now.version),
    }
    if request.htmx:
        return render(request, "reviews/_conflict.html", {"conflict": panel}, status=409)
    return _page(request, found(request, chosen.pk), status=409, conflict=panel)


def _sent_again(request: Asked, version: int) -> list[tuple[str, str]]:
    """The refused form's fields for the state of now, so that one press gives them again."""
    fresh = {"version": str(version), "idempotency_key": uuid4().hex}
    kept = {k: str(v) for k, v in request.POST.items() if k != "csrfmiddlewaretoken" and k not in fresh}
    return list({**kept, **fresh}.items())


def _bar(
    request: Asked, chosen: HallucinationReview, *, template: str = "reviews/_bar.html", **extra: Any
) -> HttpResponse:
    """The verdict bar as a fragment, or the whole page around it."""
    if not request.htmx:
        return _page(request, chosen, **extra)
    return _page(request, chosen, template=template, **extra)


def _page(
    request: Asked,
    chosen: HallucinationReview,
    *,
    claim: int | None = None,
    status: int = 200,
    template: str = "reviews/review.html",
    **extra: Any,
) -> HttpResponse:
    page: Page = presentation(chosen, request.user, claim=claim)
    context = {
        "page": page,
        "token": uuid4().hex,
        "reasons": wording.REASONS,
        "outcomes": HallucinationReview.Outcome.choices,
        "screen": "review",
        "section": "queue",
        **extra,
    }
    return render(request, template, context, status=status)
