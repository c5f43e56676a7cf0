"""The review page, what changes on it while somebody looks, and how every action on it answers.

Each action also works as a plain form: under htmx it gives a fragment, else the page around it (F01–F09).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import Form
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from detection.access.idle import by_itself
from detection.models import Claim
from reviews import forms
from reviews.display import wording
from reviews.display.claim_rows import ClaimRow
from reviews.display.screen import Asked, Erased, judging, number, screen
from reviews.models import Conflict, HallucinationReview, KeyReused, Lease, NotAllowed, ReviewPass, Undecided
from reviews.queue.next_review import next_for
from reviews.queue.rows import state_word
from reviews.queue.visible import visible_reviews
from reviews.review_page import actions
from reviews.review_page.presentation import Page, presentation
from reviews.review_page.toasts import keep_toast
from reviews.rights import rights

RELATED = ("answer__query", "run", "property", "period", "assignee", "resolved_by", "lease__user", "profile")
UNSENT = ("csrfmiddlewaretoken", "version", "idempotency_key", "seen")
P = ParamSpec("P")


class NotValid(Exception):
    """A form was refused before any model saw it; the text says what is wrong."""


def found(request: Asked, pk: int) -> HallucinationReview:
    """The review, or 404 when it is not there or not this person's to see. Raises :class:`Erased` where its answer was."""
    chosen = seen(request, pk)
    order = chosen.answer.erasure
    if order:
        raise Erased(order, state_word(chosen), chosen.pk)
    return chosen


def seen(request: Asked, pk: int) -> HallucinationReview:
    """The review, of an answer that was erased too, or 404."""
    return get_object_or_404(visible_reviews(request.user).select_related(*RELATED), pk=pk)


@screen
@require_safe
def review(request: Asked, pk: int) -> HttpResponseBase:
    """The review page (S4)."""
    return show_page(request, found(request, pk), claim=number(request.GET.get("claim")))


@by_itself
@screen
@require_safe
def state(request: Asked, pk: int) -> HttpResponseBase:
    """What changed since the page was drawn; 204 when nothing did (F02)."""
    reviews = visible_reviews(request.user).select_related("lease__user", "assignee", "run")
    chosen = get_object_or_404(reviews, pk=pk)
    if actions.revision(chosen) == request.GET.get("rev"):
        return HttpResponse(status=204)
    return show_state(request, chosen, seen=number(request.GET.get("seen")) or 0)


def show_state(request: Asked, chosen: HallucinationReview, *, seen: int) -> HttpResponse:
    """The part of the page that says what changed, and goes on asking."""
    allowed = rights(chosen, request.user)
    context = {
        "page": {"id": chosen.pk, "version": chosen.version, "rights": allowed, "lease": allowed.lease},
        "actions": actions.actions(chosen, request.user, editable=False, open_=False),
        "seen": seen,
        "happened": actions.happened(chosen, seen, request.user),
        "polled": True,
    }
    return render(request, "reviews/review_page/_state.html", context)


def acting(
    view: Callable[Concatenate[Asked, HallucinationReview, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """A POST on one review; what the model refuses becomes the page or fragment that explains it."""

    @judging
    @require_POST
    @wraps(view)
    def wrapped(request: Asked, pk: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        chosen = found(request, pk)
        try:
            return view(request, chosen, *args, **kwargs)
        except Undecided:
            return _undecided(request, found(request, pk))
        except (Conflict, KeyReused) as conflict:
            return _conflict(request, found(request, pk), conflict, _claim_of(chosen, kwargs))
        except NotAllowed as refusal:
            raise PermissionDenied(str(refusal)) from refusal
        except NotValid as error:
            return _refused(request, found(request, pk), _claim_of(chosen, kwargs), str(error))
        except ValidationError as error:
            return _refused(request, found(request, pk), _claim_of(chosen, kwargs), " ".join(error.messages))

    return wrapped


def valid(form: Form) -> dict[str, Any]:
    """What a form carries; raises :class:`NotValid`, which :func:`acting` answers."""
    if not form.is_valid():
        raise NotValid(forms.first_error(form))
    return form.cleaned_data


def _claim_of(chosen: HallucinationReview, given: dict[str, Any]) -> Claim | None:
    return Claim.objects.filter(pk=given["claim"], run_id=chosen.run_id).first() if "claim" in given else None


# --- answers to an action ---------------------------------------------------------------------------
def to(request: Asked, url: str) -> HttpResponseBase:
    """Leave for another page, from a fragment too."""
    return HttpResponse(status=204, headers={"HX-Redirect": url}) if request.htmx else redirect(url)


def to_review(request: Asked, pk: int, *, claim: int | None = None) -> HttpResponseBase:
    """Back to the review page, drawn anew, with a claim selected when one is named."""
    return to(request, reverse("review", args=[pk]) + (f"?claim={claim}" if claim else ""))


def go_on(request: Asked, left: HallucinationReview) -> HttpResponseBase:
    """On to the next review of this person's queue; what was done to the one left behind can be undone there."""
    keep_toast(request, left)
    following = next_for(request.user)
    if following:
        give_back_untouched(request.user, but=following)
    return to(request, reverse("review", args=[following.pk]) if following else reverse("queue"))


def give_back_untouched(user: User, *, but: HallucinationReview) -> None:
    """T3 for whoever goes to another review: those that they hold and said nothing of are free again."""
    others = HallucinationReview.objects.filter(lease__user=user).exclude(pk=but.pk)
    for left in others.select_related("lease__user"):
        mine = left.pass_of(user)
        if mine is None or not mine.decided().exists():
            Lease.release(left, user)


def show_bar(request: Asked, chosen: HallucinationReview, **extra: Any) -> HttpResponse:
    """The verdict bar as a fragment, or the whole page around it."""
    template = {"template": extra.pop("template", "reviews/review_page/_bar.html")} if request.htmx else {}
    return show_page(request, chosen, **template, **extra)


def show_page(
    request: Asked,
    chosen: HallucinationReview,
    *,
    claim: int | None = None,
    status: int = 200,
    template: str = "reviews/review_page/review.html",
    **extra: Any,
) -> HttpResponse:
    """The page of a review, or the part of it that ``template`` draws."""
    page: Page = presentation(chosen, request.user, claim=claim)
    allowed = page.rights
    offered = actions.actions(
        chosen, request.user, editable=allowed.editable, open_=allowed.editable or allowed.may_take
    )
    context = {
        "page": page,
        "actions": offered,
        "seen": offered.seen,
        "token": uuid4().hex,
        "reasons": wording.REASONS,
        "outcomes": HallucinationReview.Outcome.choices,
        "kinds": forms.KINDS,
        "draft": _draft(chosen, request.user, page) if allowed.lease.holder else (),
        "screen": "review",
        "section": "queue",
        **extra,
    }
    return render(request, template, context, status=status)


def _draft(chosen: HallucinationReview, user: User, page: Page) -> list[ClaimRow]:
    """One's own verdicts on a review that somebody else holds by now, so that they can be copied (F05)."""
    mine = chosen.pass_of(user)
    lost = mine is not None and mine.state == ReviewPass.State.DRAFT
    return [claim for claim in page.claims if claim.verdict_code] if lost else []


def _undecided(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """422: the claims that still need a verdict, the first of them selected (F08)."""
    waiting = presentation(chosen, request.user).undecided
    return show_bar(request, chosen, claim=waiting[0].n if waiting else None, status=422, undecided=waiting)


def _refused(request: Asked, chosen: HallucinationReview, row: Claim | None, text: str) -> HttpResponseBase:
    """422: the bar again, with what is wrong and the row open; in a dialog only what is wrong."""
    if request.htmx and "quote" in request.POST:
        response = render(request, "reviews/review_page/_form_error.html", {"form_error": text}, status=422)
        response["HX-Retarget"], response["HX-Reswap"] = "#missed-error", "innerHTML"
        return response
    claim = row.index + 1 if row else number(request.POST.get("claim"))
    return show_bar(
        request, chosen, claim=claim, status=422, form_error=text, open_row=request.POST.get("verdict", "")
    )


def _conflict(
    request: Asked, chosen: HallucinationReview, error: Conflict | KeyReused, row: Claim | None
) -> HttpResponseBase:
    """409: who did what and when; what was typed is repeated, and stays in its fields under htmx (F02)."""
    changes = actions.happened(chosen, number(request.POST.get("seen")) or 0, request.user)
    mine = rights(chosen, request.user)
    resolving = "final_confidence" in request.POST
    again = mine.editable and not resolving and not actions.clashes(changes, request.user, row)
    panel = {
        "changes": changes[:5],
        "text": "" if changes else error.advice if isinstance(error, Conflict) else str(error),
        "typed": _typed(request),
        "review": chosen.pk,
        "claim": row.index + 1 if row else None,
        "clash": bool(mine.editable and row and changes and not again),
        "held_by": mine.lease.holder,
        "action": request.path if again else "",
        "fields": _sent_again(request, chosen),
    }
    if request.htmx:
        page = {"id": chosen.pk, "rights": mine, "lease": mine.lease}
        return render(
            request,
            "reviews/review_page/_conflict.html",
            {"conflict": panel, "page": page, "htmx": True},
            status=409,
        )
    return show_page(request, chosen, status=409, conflict=panel)


def _typed(request: Asked) -> list[tuple[str, str]]:
    """What the refused form carried, in words, so that it can be read and copied."""
    labels = {
        "verdict": _("Verdict"),
        "reason_code": _("Reason"),
        "corrected_value": _("Correct value"),
        "note": _("Note"),
        "reason": _("Reason"),
        "final_confidence": _("Final confidence"),
    }
    given = ((label, request.POST.get(name, "").strip()) for name, label in labels.items())
    return [(label, str(wording.WORDS.get(text, text))) for label, text in given if text]


def _sent_again(request: Asked, chosen: HallucinationReview) -> list[tuple[str, str]]:
    """The refused form's fields for the state of now, so that one press gives them again."""
    fresh = {
        "version": str(chosen.version),
        "idempotency_key": uuid4().hex,
        "seen": str(actions.last_seen(chosen)),
    }
    return list({**{k: str(v) for k, v in request.POST.items() if k not in UNSENT}, **fresh}.items())
