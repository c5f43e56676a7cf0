"""What has happened to the queue since somebody looked: counted, and never a reason to move a row (F10).

Every deliberate change of a review writes an event, so the number of the last event is the revision of all lists:
whoever asks again with it learns by one look at one index that nothing has changed.
"""

from collections.abc import Collection, Mapping

from django.contrib.auth.models import User

from reviews.models import ReviewEvent
from reviews.queue.counts import CAP, LAST, capped
from reviews.queue.filters import filtered
from reviews.queue.listing import Row, rows_of
from reviews.queue.visible import visible_reviews

ARRIVALS = ("opened", "reopened", "woken", "undone")
"""The actions by which a review comes into the list."""


def revision() -> int:
    """The number of the last event of any review; 0 before the first."""
    return LAST.values_list("pk", flat=True).first() or 0


def arrived(user: User, params: Mapping[str, str], since: int, shown: Collection[int]) -> int:
    """How many reviews came into the list that ``params`` ask for after revision ``since``, those ``shown`` left
    out; at most ``CAP + 1``."""
    events = ReviewEvent.objects.filter(pk__gt=since, action__in=ARRIVALS).order_by("-pk")
    came = set(events.values_list("subject_id", flat=True)[: CAP + 1]) - set(shown)
    return capped(filtered(visible_reviews(user), params, user).filter(pk__in=came)) if came else 0


def changed(user: User, since: int, shown: Collection[int]) -> list[Row]:
    """The rows among ``shown`` to which something happened after revision ``since``, as they are now."""
    events = ReviewEvent.objects.filter(pk__gt=since, subject__in=shown)
    touched = set(events.values_list("subject_id", flat=True))
    seen = (
        set(visible_reviews(user).filter(pk__in=touched).values_list("pk", flat=True)) if touched else set()
    )
    return rows_of([pk for pk in shown if pk in seen])
