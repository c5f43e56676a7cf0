"""The queue list and the way into the next review (S3, F04, F05)."""

from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from detection.access import may_review
from reviews import queue, rows
from reviews.models import NotAllowed
from reviews.views.screen import Asked, screen

FILTERS = ("q", "mine", "risk", "kind", "property", "period", "language", "state", "assignee", "holder")


@screen
@require_safe
def queue_page(request: Asked) -> HttpResponseBase:
    """The list; under htmx only its rows."""
    params = {name: request.GET[name].strip() for name in FILTERS if request.GET.get(name, "").strip()}
    found = queue.filtered(queue.visible_reviews(request.user), params, request.user)
    try:
        page = queue.page(found, request.GET.get("after", ""))
    except ValueError:
        return redirect("queue")
    facts = queue.counts(request.user)
    choices = rows.choices(params, request.user)
    context = {
        "rows": rows.rows_shown(page.rows, request.user),
        "after": page.next,
        "total": queue.shown(queue.capped(found)),
        "open_count": queue.shown(facts.live) if facts.live else "",
        "empty": rows.empty(facts, narrowed=bool(params)),
        "choices": choices,
        "chips": _chips(request, params, choices),
        "params": params,
        "heading": "Reviews" if params.get("state") else "Open reviews",
        "may_review": may_review(request.user),
        "note": rows.nothing_to_take(facts) if facts.live and not facts.free and not facts.held_by_me else "",
        "section": "queue",
        "screen": "queue",
    }
    return render(request, "reviews/_rows.html" if request.htmx else "reviews/queue.html", context)


@screen
@require_POST
def next_review(request: Asked) -> HttpResponseBase:
    """Take the most urgent review that this person may work on."""
    try:
        review = queue.next_for(request.user)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    if review is not None:
        return redirect("review", review.pk)
    messages.info(request, rows.nothing_to_take(queue.counts(request.user)))
    return redirect("queue")


def _chips(request: Asked, params: dict[str, str], choices: Sequence[rows.Choice]) -> list[dict[str, str]]:
    """One removable chip for each filter in force, in the words of its control."""
    controls = {choice.name: choice for choice in choices}
    chips = []
    for name, value in params.items():
        rest = request.GET.copy()
        for gone in (name, "after"):
            rest.pop(gone, None)
        control = controls.get(name)
        label = control.label if control else {"q": "Search"}.get(name, name.capitalize())
        word = dict(control.options).get(value, value) if control else value
        chips.append({"text": f"{label}: {word}", "without": f"?{rest.urlencode()}"})
    return chips
