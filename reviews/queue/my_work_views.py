"""My work, the front page of whoever reviews (S2, F18)."""

from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from detection.access import may_review
from reviews.display.screen import Asked, screen
from reviews.queue import counts
from reviews.queue.empty_lists import nothing_to_take
from reviews.queue.my_work import work_of
from reviews.queue.next_review import free_for


@screen
@require_safe
def home(request: Asked) -> HttpResponseBase:
    """The buckets of whoever may review; everybody else is sent to the queue."""
    if not may_review(request.user):
        return redirect("queue")
    work, free = work_of(request.user), counts.capped(free_for(request.user))
    stuck = None if free else nothing_to_take(counts.counts(request.user), ready=True)
    context = {
        "work": work,
        "free": free,
        "free_shown": counts.count_text(free),
        "note": stuck,
        "today": counts.count_text(counts.today(request.user)),
        "may_review": True,
        "section": "work",
        "screen": "queue",
    }
    return render(request, "reviews/queue/my_work.html", context)
