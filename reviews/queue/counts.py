"""The numbers around the queue: what waits, and why there is nothing to take (F05)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Exists, IntegerField, OuterRef, Subquery
from django.utils import timezone

from detection.access import answer_scope
from reviews.models import HallucinationReview, Lease, ReviewEvent, ReviewPass, name_of
from reviews.models.queue_columns import LIVE
from reviews.models.states import State
from reviews.queue.filters import Reviews, filtered, with_me
from reviews.queue.next_review import free_for
from reviews.queue.visible import visible_reviews

CAP = 1000
"""Counts stop here ("1,000+"): an exact count reads every row, a capped one costs under a millisecond."""

LAST = ReviewEvent.objects.order_by("-pk")
"""The events of all reviews, the last first: its number is the revision of all lists."""

VIEWS: dict[str, Mapping[str, str]] = {
    "waiting": {},
    "due": {"due": "today"},
    "mine": {"mine": "both"},
    "snoozed": {"state": "snoozed"},
}
"""The views of the list that stand above it with their counts: what each asks for in the address."""


class Capped(Subquery):
    """The number of some reviews, at most :data:`CAP` + 1, as a figure among others; see :func:`capped`."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) capped)"
    output_field = IntegerField()

    def __init__(self, reviews: Reviews) -> None:
        super().__init__(reviews.values("pk")[: CAP + 1])


@dataclass(frozen=True, slots=True)
class Held:
    """How many reviews one person holds, and when the first of them may come free."""

    name: str
    count: int
    until: datetime


@dataclass(frozen=True, slots=True)
class Counts:
    """Why the queue looks as it does (F05). Every number stops at :data:`CAP`; see :func:`shown`."""

    free: int
    live: int
    held_by_me: int
    snoozed: int
    assigned_elsewhere: int
    judged_by_me: int
    skipped_by_me: int = 0
    holders: list[Held] = field(default_factory=list)
    assignees: list[tuple[str, int]] = field(default_factory=list)
    back_at: datetime | None = None
    """When the first snoozed one comes back."""
    last_resolved_at: datetime | None = None
    last_resolved_by: str = ""
    resolved_today: int = 0

    @property
    def held_by_others(self) -> int:
        """Reviews that other people are working on."""
        return sum(held.count for held in self.holders)


def counts(user: User) -> Counts:
    """The facts behind an empty queue, each as ``user`` sees it."""
    seen = visible_reviews(user)
    live = seen.filter(LIVE)
    judged = Exists(ReviewPass.objects.filter(review=OuterRef("pk"), reviewer=user, state="submitted"))
    now = timezone.now()
    snoozed = live.filter(state=State.SNOOZED)
    ended = seen.filter(resolved_at__isnull=False).order_by("-resolved_at")
    last = ended.select_related("resolved_by").first()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return Counts(
        free=capped(free_for(user)),
        live=capped(live),
        held_by_me=capped(live.filter(lease__user=user, lease__expires_at__gt=now)),
        snoozed=capped(snoozed),
        assigned_elsewhere=capped(live.exclude(assignee=None).exclude(assignee=user)),
        judged_by_me=capped(live.filter(judged)),
        skipped_by_me=capped(live.filter(skips__user=user)),
        holders=_holders(user, now),
        assignees=_assignees(live, user),
        back_at=snoozed.order_by("snoozed_until").values_list("snoozed_until", flat=True).first(),
        last_resolved_at=last.resolved_at if last else None,
        last_resolved_by=name_of(last.resolved_by) if last else "",
        resolved_today=capped(ended.filter(resolved_at__gte=midnight)),
    )


def tabs(user: User) -> dict[str, int]:
    """How many reviews each of :data:`VIEWS` has, at most :data:`CAP` + 1; one query."""
    return _one(user, _tabs(user))


def _tabs(user: User) -> dict[str, Capped]:
    seen = visible_reviews(user)
    views = {name: filtered(seen, params, user) for name, params in VIEWS.items() if name != "mine"}
    return {name: Capped(views.get(name, filtered(seen, {}, user).filter(with_me(user)))) for name in VIEWS}


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a page of the list: how many reviews each view has and how many the list, whether one is ``free``
    to be taken, and the ``revision`` of :mod:`reviews.queue.news`."""

    tabs: Mapping[str, int]
    found: int
    free: bool
    revision: int


def around(user: User, params: Mapping[str, str], found: Reviews | None) -> Around:
    """What stands around the page that lists ``found`` by ``params``; a list that is no view is counted too, unless it is
    None. One query, in which one that is free is looked for in the order of the list: PostgreSQL reads all without one."""
    free, last = free_for(user).values("pk")[:1], LAST.values("pk")[:1]
    asked: dict[str, Any] = {**_tabs(user), "free": Subquery(free), "revision": Subquery(last)}
    view = next((name for name, asks in VIEWS.items() if asks == params), None)
    told = _one(user, asked if found is None or view else {**asked, "found": Capped(found)})
    tabs = {name: told[name] for name in VIEWS}
    whole = tabs[view] if view else told.get("found", 0)
    return Around(tabs, whole, told["free"] is not None, told["revision"] or 0)


def _one(user: User, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Several figures by one statement, which needs a row to stand in: that of ``user``."""
    return dict(User.objects.filter(pk=user.pk).order_by().values(**asked)[0])


def waiting(user: User) -> int:
    """How many reviews wait or are being worked on: what the list shows when nothing is asked for."""
    return capped(filtered(visible_reviews(user), {}, user))


def _holders(user: User, now: datetime) -> list[Held]:
    """Who else holds what ``user`` may see, whoever has most first. As many leases as people at work: few."""
    leases = Lease.objects.filter(answer_scope(user, "review__"), expires_at__gt=now).exclude(user=user)
    by_person: dict[str, list[datetime]] = defaultdict(list)
    for lease in leases.select_related("user").order_by("expires_at"):
        by_person[name_of(lease.user)].append(lease.expires_at)
    return sorted(
        (Held(name, len(ends), ends[0]) for name, ends in by_person.items()), key=lambda h: -h.count
    )


def _assignees(live: Reviews, user: User) -> list[tuple[str, int]]:
    """Who else has reviews assigned to them, and how many."""
    others = live.exclude(assignee=None).exclude(assignee=user).order_by()
    counted = dict(others.values_list("assignee").annotate(count=Count("id")).order_by("-count")[:10])
    people = {person.pk: name_of(person) for person in User.objects.filter(pk__in=counted)}
    return [(people[pk], count) for pk, count in counted.items()]


def capped(reviews: Reviews) -> int:
    """The number of ``reviews``, at most :data:`CAP` + 1. Read in their order, in which a database finds the first of
    many soonest; without one PostgreSQL reads all answers for a search."""
    return reviews[: CAP + 1].count()


def count_text(count: int) -> str:
    """A capped count for people: ``1,000+`` past the cap."""
    return f"{CAP:,}+" if count > CAP else f"{count:,}"


def today(user: User) -> int:
    """How many reviews ``user`` has resolved since midnight UTC."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    mine = HallucinationReview.objects.filter(resolved_by=user, resolved_at__gte=midnight)
    return capped(mine)
