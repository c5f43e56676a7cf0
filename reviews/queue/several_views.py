"""Assign or snooze several reviews from the list, with a look at what that would do (F11)."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from reviews.display.choices import reviewers
from reviews.display.screen import Asked, judging
from reviews.forms import AssignForm, SnoozeForm, first_error, morning_of, snooze_times
from reviews.models import ReviewEvent, name_of, undo_step
from reviews.queue.news import revision
from reviews.queue.several import Act, Outcome, do, foresee, picked

DONE = "queue_done"
"""Where the session keeps what was done to several reviews until the next list shows it."""


class Snoozing(SnoozeForm):
    """When several reviews come back."""

    version = None  # type: ignore[assignment]  # each review has its own
    idempotency_key = None  # type: ignore[assignment]


class Assigning(AssignForm):
    """Whose several reviews are."""

    version = None  # type: ignore[assignment]
    idempotency_key = None  # type: ignore[assignment]


FORMS: dict[str, type[forms.Form]] = {"snooze": Snoozing, "assign": Assigning}


@judging
@require_POST
def several(request: Asked) -> HttpResponseBase:
    """What the action would do to the chosen rows and what it needs to know; with ``apply`` do it."""
    action, chosen = request.POST.get("action", ""), picked(request.POST.getlist("pick"))
    if action not in FORMS or not chosen:
        return _told(request, _("Choose at least one review."))
    if "apply" not in request.POST:
        return _sheet(request, action, chosen)
    form = FORMS[action](_sent(request))
    if not form.is_valid():
        return _sheet(request, action, chosen, error=first_error(form))
    before = revision()
    outcome = do(request.user, chosen, _act(request, action, form.cleaned_data))
    request.session[DONE] = {
        "text": _summary(action, outcome),
        "left": [[left.review, left.why] for left in outcome.left],
        "steps": _steps(request.user, outcome, since=before),
    }
    return redirect(_back(request))


def _steps(user: User, outcome: Outcome, *, since: int) -> list[str]:
    """What was done, as ``review:step``, so that no other step is taken back in its stead; a review that was as
    asked for already has none."""
    written = ReviewEvent.objects.filter(
        subject__in=outcome.done, actor=user, action__in=("assigned", "snoozed"), pk__gt=since
    )
    return [f"{review}:{step}" for review, step in written.order_by("pk").values_list("subject_id", "seq")]


def _sent(request: Asked) -> QueryDict:
    """What was sent, with the person chosen from the list in the place of "somebody else"."""
    sent = request.POST.copy()
    if sent.get("assignee") == "other":
        sent["assignee"] = sent.get("other", "")
    return sent


def _act(request: Asked, action: str, given: dict[str, Any]) -> Act:
    if action == "assign":
        return lambda review, version: review.assign(
            request.user, version, given["assignee"], note=given["note"]
        )
    until = given["until"] or morning_of(given["day"])
    return lambda review, version: review.snooze(
        request.user, version, until, reason=given["reason"], on_evidence=given["on_evidence"]
    )


def _sheet(request: Asked, action: str, chosen: dict[int, int], *, error: str = "") -> HttpResponseBase:
    """The rest of the question, with the reviews that would be left as they are; tried out for tomorrow, or
    with oneself."""
    times = snooze_times(timezone.now())
    usual = {
        "assignee": request.user,
        "note": "",
        "until": times["tomorrow"],
        "reason": "",
        "on_evidence": False,
    }
    foreseen = foresee(request.user, chosen, _act(request, action, usual))
    context = {
        "action": action,
        "picks": [f"{pk}:{chosen[pk]}" for pk in foreseen.done],
        "foreseen": foreseen,
        "title": _title(action, len(chosen)),
        "times": {name: at for name, at in times.items() if name != "monday" or at != times["tomorrow"]},
        "people": [(person.pk, name_of(person)) for person in reviewers() if person != request.user],
        "back": _back(request),
        "error": error,
        "sent": request.POST,
        "section": "queue",
        "screen": "queue",
    }
    template = "reviews/queue/_several.html" if request.htmx else "reviews/queue/several.html"
    return render(request, template, context, status=422 if error else 200)


def _title(action: str, count: int) -> str:
    titles = {
        "assign": ngettext("Assign %(count)d review", "Assign %(count)d reviews", count),
        "snooze": ngettext("Snooze %(count)d review", "Snooze %(count)d reviews", count),
    }
    return titles[action] % {"count": count}


def _summary(action: str, outcome: Outcome) -> str:
    count = len(outcome.done)
    done = {
        "assign": ngettext("%(count)d review assigned.", "%(count)d reviews assigned.", count),
        "snooze": ngettext("%(count)d review snoozed.", "%(count)d reviews snoozed.", count),
    }
    return done[action] % {"count": count}


def _told(request: Asked, text: str) -> HttpResponseBase:
    """Back to the list with a word; in the dialog the word alone."""
    if request.htmx:
        return render(
            request, "reviews/queue/_several.html", {"title": text, "back": _back(request)}, status=422
        )
    messages.info(request, text)
    return redirect(_back(request))


def _back(request: Asked) -> str:
    """The list that was looked at; any other address is not followed."""
    back, queue = request.POST.get("back", ""), reverse("queue")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith(queue)
    return back if safe else queue


@judging
@require_POST
def undo(request: Asked) -> HttpResponseBase:
    """Take back what was done to several reviews; what changed since is left."""
    steps = picked(request.POST.getlist("pick"))
    outcome = do(request.user, steps, lambda review, step: undo_step(review, request.user, step=step))
    told = ngettext("Undone for %(count)d review.", "Undone for %(count)d reviews.", len(outcome.done))
    messages.success(request, told % {"count": len(outcome.done)})
    for left in outcome.left:
        messages.info(request, _("#%(review)d: %(why)s") % {"review": left.review, "why": left.why})
    return redirect(_back(request))
