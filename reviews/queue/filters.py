"""What stands in the queue's address, as conditions on reviews."""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from reviews.models import HallucinationReview, Lease
from reviews.models.queue_columns import KINDS, LIVE
from reviews.models.states import BLIND, ENDED, PRIORITY_OF_RISK, STEPS, State
from reviews.queue.search import answers_saying

Condition = Callable[[str, User | None], Q]
Reviews = QuerySet[HallucinationReview]
LONGEST = 200
"""Characters of a search that are looked for; nobody types more, and a pasted page must not be slow."""


def filtered(reviews: Reviews, params: Mapping[str, str], user: User | None = None) -> Reviews:
    """Narrow ``reviews`` by what stands in the address.

    ``state`` one of the seven or ``all`` (without it: whatever is waiting or being worked on), ``risk``
    high, moderate or low, ``against`` the gravest conclusion against one of its claims, ``property`` a code, ``period`` a label, ``language``, ``kind`` of a flagged
    claim, ``reason`` for which it was selected, ``due`` = ``overdue`` or ``today``, ``assignee`` and ``holder``
    a user name, ``me`` (``user``), for the assignee ``none``, ``mine`` = ``held``, ``assigned`` or ``both``, ``q``
    text in answer, claim, question or source, or ``#`` and a review's number. An empty value narrows
    nothing, an unknown one finds nothing. What is being judged blind is found by none of :data:`TELLING`.
    """
    reviews = _in_state(reviews, params.get("state", ""))
    for name, condition in FILTERS.items():
        value = params.get(name, "").replace("\0", "").strip()
        if value:
            reviews = reviews.filter(condition(value, user))
        if value and name in TELLING:
            reviews = reviews.exclude(LIVE & BLIND)
    return reviews


def _in_state(reviews: Reviews, state: str) -> Reviews:
    if state == "all":
        return reviews
    if state not in ENDED:
        reviews = reviews.filter(LIVE)
    return reviews.filter(state=state) if state else reviews.exclude(state=State.SNOOZED)


def _assigned_to(value: str, user: User | None) -> Q:
    if value == "none":
        return Q(assignee=None)
    if value == "me":
        return Q(assignee=user)
    return Q(assignee__in=list(User.objects.filter(username=value).values_list("pk", flat=True)))


def _held_by(value: str, user: User | None) -> Q:
    """By the ids of the few reviews that anybody holds, so that no list is read to find them."""
    leases = Lease.objects.filter(expires_at__gt=timezone.now())
    mine = leases.filter(user=user) if value == "me" else leases.filter(user__username=value)
    return Q(pk__in=list(mine.values_list("review_id", flat=True)))


def _mine(value: str, user: User | None) -> Q:
    held, assigned = _held_by("me", user), Q(assignee=user)
    return {"held": held, "assigned": assigned, "both": held | assigned}.get(value, NOTHING)


def with_me(user: User) -> Q:
    """What ``user`` holds and what of the live reviews is assigned to them: ``mine`` = ``both`` within one statement, by
    ids, since a database finds no index for "or" over two tables."""
    held = Lease.objects.filter(expires_at__gt=timezone.now(), user=user).order_by().values("review_id")
    assigned = HallucinationReview.objects.filter(LIVE, assignee=user).order_by().values("pk")
    return Q(pk__in=held.union(assigned))


def _due(value: str, _user: User | None) -> Q:
    now = timezone.now()
    ends = {"overdue": now, "today": now.replace(hour=0, minute=0, second=0) + timedelta(days=1)}
    return Q(due_at__lt=ends[value]) if value in ends else NOTHING


def _flagged_kind(value: str, _user: User | None) -> Q:
    return Q(**{f"has_{value}": True}) if value in KINDS else NOTHING


def _risk(value: str, _user: User | None) -> Q:
    """Said by the place in the order as well, whose index begins with it."""
    priority = PRIORITY_OF_RISK.get(value)
    if priority is None:
        return NOTHING
    first = STEPS * priority
    return Q(priority=priority, queue_order__gte=first, queue_order__lt=first + STEPS)


def _text(value: str, _user: User | None) -> Q:
    number = re.fullmatch(r"#([0-9]{1,18})", value)
    return Q(pk=int(number[1])) if number else answers_saying(value[:LONGEST], "answer__")


NOTHING = Q(pk__in=())
TELLING = ("risk", "against", "kind", "reason")
"""What would tell, by finding a review or not, what the detectors concluded of it."""
FILTERS: dict[str, Condition] = {
    "mine": _mine,
    "risk": _risk,
    "against": lambda value, _user: Q(against=value),
    "due": _due,
    "property": lambda value, _user: Q(property__code=value),
    "period": lambda value, _user: Q(period__label=value),
    "language": lambda value, _user: Q(language=value),
    "kind": _flagged_kind,
    "reason": lambda value, _user: Q(selection_reason=value),
    "assignee": _assigned_to,
    "holder": _held_by,
    "q": _text,
}
