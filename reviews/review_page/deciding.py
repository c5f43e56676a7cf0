"""What a reviewer says of a review: verdicts, missed claims, the resolution, and taking them back."""

import json
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from detection.models import Claim
from reviews.display import wording
from reviews.display.claim_rows import candidate_text
from reviews.display.screen import Asked, number
from reviews.forms import DATABASE, AddedClaimForm, ReasonForm, ResolveForm, VerdictForm, VersionForm
from reviews.models import HallucinationReview, ReviewPass, undo_step
from reviews.review_page.toasts import drop_toast, keep_toast
from reviews.review_page.views import (
    acting,
    found,
    give_back_untouched,
    go_on,
    show_bar,
    to,
    to_review,
    valid,
)


@acting
def verdict(request: Asked, chosen: HallucinationReview, claim: int) -> HttpResponseBase:
    """Save one verdict and go on to the next undecided claim (F06)."""
    row = get_object_or_404(Claim, pk=claim, run_id=chosen.run_id)
    form = VerdictForm(request.POST)
    version = valid(form)["version"]
    held = chosen.holder == request.user
    ReviewPass.decide(chosen, request.user, version, row, **_given(form.content(), chosen, row))
    return _decided(request, chosen.pk, row, held=held)


def _given(given: dict[str, str], chosen: HallucinationReview, row: Claim) -> dict[str, str]:
    """What to decide; the database button becomes a correction to the candidate, worked out anew here."""
    if given["verdict"] != DATABASE:
        return given
    results = (chosen.run.result or {}).get("claims") or []
    result: dict[str, Any] = next((c for c in results if c["index"] == row.index), {})
    slip = next((s.get("code") for s in result.get("slips") or []), "")
    return given | {
        "verdict": "corrected",
        "corrected_value": candidate_text(row, result),
        "reason_code": wording.SLIP_REASONS.get(slip, "wrong_value"),
    }


@acting
def add_claim(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Add a claim that nobody read, with its verdict (F26)."""
    form = AddedClaimForm(request.POST)
    version = valid(form)["version"]
    given = ReviewPass.add_claim(chosen, request.user, version, **form.content())
    return to(request, _url(chosen.pk, given.claim.index + 1))


@acting
def examine_rest(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Mark every claim that needs no decision as checked by oneself (F06)."""
    given = valid(VersionForm(request.POST))
    count = ReviewPass.examine_rest(
        chosen, request.user, given["version"], idempotency_key=given["idempotency_key"]
    )
    text = ngettext("%(n)s claim marked as checked.", "%(n)s claims marked as checked.", count) % {"n": count}
    return _after(request, found(request, chosen.pk), claim=None, text=text)


@acting
def undo(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Take one's last step back, by a step that says so (F07)."""
    ended = not chosen.is_live
    undone = undo_step(chosen, request.user, step=number(request.POST.get("step")))
    drop_toast(request)
    here = (request.htmx.current_url_abs_path or "").startswith(reverse("review", args=[chosen.pk]))
    if ended or not here or chosen.holder != request.user or undone.action == "claim_added":
        give_back_untouched(request.user, but=chosen)
        return to_review(request, chosen.pk)
    return _after(request, found(request, chosen.pk), claim=undone.claim, text=undone.text)


def _place(claim: Claim) -> tuple[int, int, int]:
    """Where a claim stands among the others, in the order of the text."""
    return claim.start, -claim.end, claim.index


def _decided(request: Asked, pk: int, row: Claim, *, held: bool) -> HttpResponseBase:
    """The page after a verdict: the next undecided claim selected, else the same one."""
    now = found(request, pk)
    waiting = sorted(now.undecided(request.user), key=_place)
    later = [c for c in waiting if _place(c) > _place(row)]
    target = (later or waiting or [row])[0]
    text = _("Saved. Every claim is decided.")
    if waiting:
        counted = ngettext("Saved. %(n)s claim undecided.", "Saved. %(n)s claims undecided.", len(waiting))
        text = counted % {"n": len(waiting)}
    if not held:
        text = _("Your time had run out; you hold this review again.") + " " + text
    return _after(request, now, claim=target.index + 1, text=text)


def _after(request: Asked, now: HallucinationReview, *, claim: int | None, text: str) -> HttpResponseBase:
    """The page after something was saved: fragments under htmx, with a sentence for the live region."""
    drop_toast(request)
    if not request.htmx:
        return redirect(_url(now.pk, claim))
    response: HttpResponse = show_bar(
        request, now, claim=claim, template="reviews/review_page/_decided.html", saved_at=timezone.now()
    )
    response["HX-Trigger"] = json.dumps({"review:said": {"text": text}})
    return response


def _url(pk: int, claim: int | None) -> str:
    return reverse("review", args=[pk]) + (f"?claim={claim}" if claim else "")


@acting
def resolve(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """T6: end the review, then show it or go on to the next one (F08, F04)."""
    form = ResolveForm(request.POST)
    version = valid(form)["version"]
    chosen.resolve(request.user, version, **form.content())
    if request.POST.get("then") == "next":
        return go_on(request, chosen)
    keep_toast(request, chosen)
    return to_review(request, chosen.pk)


@acting
def reopen(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """T13: put a resolved review back."""
    reason = valid(ReasonForm(request.POST))["reason"]
    chosen.reopen(request.user, reason)
    return to_review(request, chosen.pk)
