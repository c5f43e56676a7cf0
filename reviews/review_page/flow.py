"""Who works on a review and when: take, keep, give back, skip, put aside, hand over, check again."""

from django.http import HttpResponseBase
from django.shortcuts import redirect, render

from detection.access.idle import not_by_a_person
from reviews.display.screen import Asked, number
from reviews.forms import AssignForm, ReleaseForm, SkipForm, SnoozeForm, VersionForm
from reviews.lifecycle import intake
from reviews.models import HallucinationReview, Lease, Skip, adopt_run
from reviews.models.guards import require_reviewer
from reviews.review_page.actions import last_seen
from reviews.review_page.presentation import presentation
from reviews.review_page.toasts import keep_toast
from reviews.review_page.views import acting, found, give_back_untouched, go_on, show_state, to_review, valid


@acting
def take(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """T2: hold the review; the claim that was asked for stays the one selected."""
    Lease.take(chosen, request.user)
    give_back_untouched(request.user, but=chosen)
    return to_review(request, chosen.pk, claim=number(request.POST.get("claim")))


@acting
def release(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """T3: give the review back."""
    Lease.release(chosen, request.user, reason=valid(ReleaseForm(request.POST))["reason"])
    return redirect("queue")


@acting
def heartbeat(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Keep the lease. The page beats by itself; only the pressed button is of a person."""
    if "pressed" not in request.POST:
        not_by_a_person(request)
    Lease.keep(chosen, request.user)
    if not request.htmx:
        return to_review(request, chosen.pk)
    page = presentation(found(request, chosen.pk), request.user)
    return render(request, "reviews/review_page/_lease.html", {"page": page})


@acting
def skip(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Pass on the review, for oneself alone, and go on (F04)."""
    given = valid(SkipForm(request.POST))
    Skip.leave(chosen, request.user, given["reason"], idempotency_key=given["idempotency_key"])
    return go_on(request, chosen)


@acting
def snooze(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """T4: put the review aside for a time, or until there is new evidence, and go on (F11)."""
    form = SnoozeForm(request.POST)
    version = valid(form)["version"]
    chosen.snooze(request.user, version, **form.content())
    return go_on(request, chosen)


@acting
def wake(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """T5: have a review back before its time."""
    chosen.wake(request.user)
    return to_review(request, chosen.pk)


@acting
def assign(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Say who shall do the review; given to somebody else, one goes on to the next (F11)."""
    given = valid(AssignForm(request.POST))
    chosen.assign(
        request.user,
        given["version"],
        given["assignee"],
        note=given["note"],
        idempotency_key=given["idempotency_key"],
    )
    if given["assignee"] not in (None, request.user):
        return go_on(request, chosen)
    keep_toast(request, chosen)
    return to_review(request, chosen.pk)


@acting
def rescreen(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Have the answer checked again; what is found is offered, and moves nothing by itself."""
    require_reviewer(request.user)
    intake.rescreen(chosen.answer)
    if not request.htmx:
        return to_review(request, chosen.pk)
    return show_state(
        request, found(request, chosen.pk), seen=number(request.POST.get("seen")) or last_seen(chosen)
    )


@acting
def adopt(request: Asked, chosen: HallucinationReview) -> HttpResponseBase:
    """Go on with the newer check; verdicts come along as suggestions where their claim is the same."""
    adopt_run(chosen, request.user, valid(VersionForm(request.POST))["version"])
    return to_review(request, chosen.pk)
