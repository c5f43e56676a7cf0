"""The queue list and the way into the next review (S3, F04, F05, F10)."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from detection.access import may_review
from detection.access.idle import by_itself
from reviews.display.choices import PARAMS, Choice, address, chips, choices
from reviews.display.screen import Asked, judging, number, screen
from reviews.models import Skip
from reviews.queue import counts, listing, news
from reviews.queue.counts import VIEWS, count_text
from reviews.queue.empty_lists import empty, nothing_to_take
from reviews.queue.next_review import next_for
from reviews.queue.rows import queue_rows
from reviews.queue.several_views import DONE
from reviews.queue.visible import visible_reviews

KEPT_ORDER = "queue_order"
"""Where a person's session keeps the order that they chose last."""
MOST_ROWS = 200
VIEW_WORDS = {
    "waiting": gettext_lazy("To do"),
    "due": gettext_lazy("Due today"),
    "mine": gettext_lazy("Mine"),
    "snoozed": gettext_lazy("Snoozed"),
}


@screen
@require_safe
def queue_page(request: Asked) -> HttpResponseBase:
    """The list; under htmx only its rows. The order chosen last is kept, and always said in the address."""
    params, order = _params(request), _order(request)
    if order != request.GET.get("sort", ""):
        return redirect(_here(params, order))
    found = listing.filtered(visible_reviews(request.user), params, request.user)
    try:
        page = listing.page(
            found,
            request.GET.get("after", ""),
            before=request.GET.get("before", ""),
            order=listing.ORDERS[order],
        )
    except ValueError:
        return redirect(_here(params, order))
    context = _list(request, params, order, page, found)
    if request.htmx:
        response = render(request, "reviews/queue/_rows.html", context)
        response["HX-Push-Url"] = _here(params, order)
        return response
    return render(request, "reviews/queue/queue.html", context | _head(request, params, context["controls"]))


def _params(request: Asked) -> dict[str, str]:
    """The filters in the address, empty ones and repetitions left out."""
    return {name: request.GET[name].strip() for name in PARAMS if request.GET.get(name, "").strip()}


def _here(params: Mapping[str, str], order: str) -> str:
    """The address of the list's first page."""
    return reverse("queue") + address({**params, "sort": order}).removesuffix("?")


def _order(request: Asked) -> str:
    """The order asked for, which is then kept; else the kept one."""
    asked = request.GET.get("sort")
    if asked is None:
        return str(request.session.get(KEPT_ORDER, ""))
    order = asked if asked in listing.ORDERS else ""
    if order != request.session.get(KEPT_ORDER, ""):
        request.session[KEPT_ORDER] = order
    return order


def _list(
    request: Asked, params: Mapping[str, str], order: str, page: listing.Page, found: Any
) -> dict[str, Any]:
    """What the rows and everything that changes with them need."""
    able, controls = may_review(request.user), choices(params, request.user)
    whole = not (page.next or page.previous)
    around = counts.around(request.user, params, None if whole else found)
    tabs = around.tabs
    return {
        "rows": queue_rows(page.rows, request.user),
        "page": page,
        "total": count_text(len(page.rows) if whole else around.found),
        "tabs": _tabs(tabs, params, order),
        "open_count": count_text(tabs["waiting"]) if tabs["waiting"] else "",
        "controls": controls,
        "chips": chips(params, {"sort": order}, controls),
        "clear": address({"sort": order}),
        "params": params,
        "order": order,
        "may_review": able,
        "live": _live_address(request, params, around.revision, [row.review.pk for row in page.rows]),
        "section": "queue",
        "screen": "queue",
        **_blank(request, params, around, able=able, rows=bool(page.rows)),
    }


def _blank(
    request: Asked, params: Mapping[str, str], around: counts.Around, *, able: bool, rows: bool
) -> dict[str, Any]:
    """The truth about an empty list, or about one of which nothing can be taken; counted only for these."""
    waiting = around.tabs["waiting"]
    stuck = able and waiting and not around.free
    if rows and not stuck:
        return {"empty": None, "note": None}
    facts = counts.counts(request.user)
    about = empty(facts, request.user, waiting=waiting, narrowed=bool(params))
    return {"empty": about, "note": nothing_to_take(facts) if able else None}


def _head(request: Asked, params: Mapping[str, str], controls: Iterable[Choice]) -> dict[str, Any]:
    """What stands above the rows and stays when they change."""
    named = {"q", *(choice.name for choice in controls)}
    return {
        "done": request.session.pop(DONE, None) if DONE in request.session else None,
        "orders": [(name, one.word) for name, one in listing.ORDERS.items()],
        "hidden": {name: value for name, value in params.items() if name not in named},
    }


def _tabs(counted: Mapping[str, int], params: Mapping[str, str], order: str) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "word": VIEW_WORDS[name],
            "count": count_text(counted[name]),
            "href": address({**asks, "sort": order}),
            "here": dict(params) == dict(asks),
        }
        for name, asks in VIEWS.items()
    ]


def _live_address(request: Asked, params: Mapping[str, str], revision: int, rows: Iterable[int]) -> str:
    """Where the page asks whether anything has changed since ``revision``."""
    now = str(revision)
    told = {"order": request.GET.get("sort", ""), "since": now, "rev": now, "rows": ".".join(map(str, rows))}
    return reverse("queue-live") + address({**params, **told})


@by_itself
@screen
@require_safe
def live(request: Asked) -> HttpResponseBase:
    """What changed since revision ``rev``: 204 for nothing, else the counts, how many came, and the rows on the
    page (``rows``) to which something happened, where they stand."""
    revision = news.revision()
    if number(request.GET.get("rev")) == revision:
        return HttpResponse(status=204)
    params = _params(request)
    rows = [pk for part in request.GET.get("rows", "").split(".")[:MOST_ROWS] if (pk := number(part))]
    came = news.arrived(request.user, params, number(request.GET.get("since")) or 0, rows)
    changed = news.changed(request.user, number(request.GET.get("rev")) or 0, rows)
    order = request.GET.get("order", "")
    again = request.GET.copy()
    again["rev"] = str(revision)
    context = {
        "came": _came(came),
        "live": f"{reverse('queue-live')}?{again.urlencode()}",
        "here": _here(params, order),
        "tabs": _tabs(counts.tabs(request.user), params, order),
        "changed": queue_rows(changed, request.user),
    }
    return render(request, "reviews/queue/_live.html", context)


def _came(count: int) -> str:
    return ngettext("%(count)s new", "%(count)s new", count) % {"count": count_text(count)} if count else ""


@judging
@require_POST
def next_review(request: Asked) -> HttpResponseBase:
    """Take the most urgent review that this person may work on."""
    review = next_for(request.user)
    if review is not None:
        return redirect("review", review.pk)
    messages.info(request, _nothing(request))
    return redirect("queue")


def _nothing(request: Asked) -> str:
    told = nothing_to_take(counts.counts(request.user), ready=True)
    return " ".join([told.title, *told.lines]) if told else ""


@judging
@require_POST
def requeue(request: Asked) -> HttpResponseBase:
    """Put the reviews that this person passed on back into their queue."""
    count = Skip.requeue(request.user)
    told = ngettext(
        "%(count)d review is back in your queue.", "%(count)d reviews are back in your queue.", count
    )
    messages.success(request, told % {"count": count})
    return redirect("queue")
