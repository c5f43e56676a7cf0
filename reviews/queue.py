"""The queue: which reviews a person sees, in which order, and which one is next.

The order is (priority, created_at, id), most urgent and oldest first. Pages are told apart by the last row
seen, not by an offset, so that deep pages cost what the first one does.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan
from django.db.models.functions import Substr
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from detection.access import Caller, answer_scope
from detection.models import Claim
from reviews.filters import Reviews, filtered
from reviews.models import Conflict, HallucinationReview, Lease, NotAllowed, ReviewPass, name_of
from reviews.models.holding import require_reviewer
from reviews.models.record import LIVE, State

__all__ = [
    "CAP",
    "Counts",
    "Held",
    "Page",
    "Row",
    "capped",
    "counts",
    "filtered",
    "next_for",
    "page",
    "shown",
    "visible_reviews",
]

ORDER = ("priority", "created_at", "id")
EXCERPT = 200
CAP = 1000
"""Counts stop here ("1,000+"): an exact count reads every row, a capped one costs under a millisecond."""


def visible_reviews(user: Caller) -> Reviews:
    """Every review whose answer ``user`` (a person or an API key) may see, in queue order."""
    return HallucinationReview.objects.filter(answer_scope(user, "answer__")).order_by(*ORDER)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list: the review with its answer's beginning, and what its claims add up to."""

    review: HallucinationReview
    excerpt: str
    question: str
    claims: int
    flagged: int
    kinds: Mapping[str, int]
    """Flagged claims by kind."""
    deviation: float | None
    """The largest relative deviation by size, with its sign."""


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, and the cursor of the next page; None on the last."""

    rows: list[Row]
    next: str | None


def page(reviews: Reviews, after: str = "", size: int = 50) -> Page:
    """``size`` rows that follow the cursor ``after``, in three queries. Raises :class:`ValueError` for a
    cursor that is none.

    The ids are chosen first: with everything joined that a row shows, SQLite reads every answer and sorts.
    """
    ordered = reviews.order_by(*ORDER)
    if after:
        ordered = ordered.filter(TupleGreaterThan(Tuple(*map(F, ORDER)), _position(after)))
    chosen = list(ordered.values_list("pk", flat=True)[: size + 1])
    found = list(_shown(chosen[:size]))
    return Page(_with_claims(found), _cursor(found[-1]) if len(chosen) > size else None)


def _shown(chosen: Collection[int]) -> Iterable[HallucinationReview]:
    """The reviews with what a list shows of them, and never a whole text."""
    rows = HallucinationReview.objects.filter(pk__in=chosen).order_by(*ORDER)
    return (
        rows.select_related(
            "answer", "property", "period__property", "assignee", "lease__user", "resolved_by"
        )
        .defer("answer__text", "corrected_answer")
        .annotate(excerpt=Substr("answer__text", 1, EXCERPT), question=Substr("answer__question", 1, EXCERPT))
    )


def _cursor(review: HallucinationReview) -> str:
    place = [review.priority, review.created_at.isoformat(), review.pk]
    return urlsafe_b64encode(json.dumps(place).encode()).decode()


def _position(cursor: str) -> tuple[int, datetime, int]:
    try:
        priority, created, pk = json.loads(urlsafe_b64decode(cursor.encode()))
        at = parse_datetime(created)
        if at is None or at.tzinfo is None:
            raise ValueError(created)
        return int(priority), at, int(pk)
    except (ValueError, TypeError) as error:
        raise ValueError("This page no longer exists. Start again from the first one.") from error


def _with_claims(reviews: Sequence[HallucinationReview]) -> list[Row]:
    """The rows of ``reviews``; one query for the claims of all of them."""
    counted = (
        Claim.objects.filter(run__in={review.run_id for review in reviews})
        .order_by()
        .values("run", "kind", "flagged")
        .annotate(count=Count("id"), least=Min("deviation"), most=Max("deviation"))
    )
    by_run: dict[int, list[Any]] = defaultdict(list)
    for group in counted:
        by_run[group["run"]].append(group)
    return [_row(review, by_run[review.run_id]) for review in reviews]


def _row(review: Any, groups: list[Any]) -> Row:
    kinds = {group["kind"]: group["count"] for group in groups if group["flagged"]}
    deviations = [value for group in groups for value in (group["least"], group["most"]) if value is not None]
    return Row(
        review=review,
        excerpt=review.excerpt,
        question=review.question,
        claims=sum(group["count"] for group in groups),
        flagged=sum(kinds.values()),
        kinds=kinds,
        deviation=max(deviations, key=abs, default=None),
    )


def next_for(user: User, *, skip: Collection[int] = ()) -> HallucinationReview | None:
    """Take the most urgent review that ``user`` may work on; None when there is none.

    A review they hold already counts. Left out are those held by others, snoozed, assigned to others,
    judged by ``user`` before, and the ids in ``skip``. Raises :class:`NotAllowed` for whoever is no
    reviewer. Two people asking at once get two reviews.
    """
    require_reviewer(user)
    free = _free_for(user).exclude(pk__in=skip)
    if connection.vendor == "postgresql":
        return _take_unlocked(free, user)
    return _take_first(free.values_list("pk", flat=True)[:CAP], user)


@transaction.atomic
def _take_unlocked(free: Reviews, user: User) -> HallucinationReview | None:
    """PostgreSQL: rows that somebody is taking at this moment are passed over, not waited for.

    A row may have been taken between being read and being locked; the lease is joined as it was read. Then
    :meth:`take` refuses, and the next read sees the lease.
    """
    for review in iter(free.select_for_update(skip_locked=True, of=("self",)).first, None):
        with suppress(Conflict):
            review.take(user)
            return review
    return None


def _take_first(candidates: Iterable[int], user: User) -> HallucinationReview | None:
    """Elsewhere: try in order; :meth:`take` compares and sets, and whoever loses tries the one after."""
    for pk in list(candidates):
        review = HallucinationReview.objects.get(pk=pk)
        with suppress(Conflict, NotAllowed):
            review.take(user)
            return review
    return None


def _free_for(user: User) -> Reviews:
    mine = ReviewPass.objects.filter(review=OuterRef("pk"), reviewer=user, state=ReviewPass.State.SUBMITTED)
    workable = visible_reviews(user).filter(
        LIVE, state__in=(State.OPEN, State.IN_REVIEW, State.SECOND_REVIEW)
    )
    return workable.filter(
        ~_held_by_others(user), ~Exists(mine), Q(assignee=None) | Q(assignee=user)
    ).order_by(*ORDER)


def _held_by_others(user: User) -> Q:
    return Q(lease__isnull=False, lease__expires_at__gt=timezone.now()) & ~Q(lease__user=user)


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
    holders: list[Held] = field(default_factory=list)
    last_resolved_at: datetime | None = None
    last_resolved_by: str = ""

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
    ended = seen.filter(resolved_at__isnull=False).select_related("resolved_by")
    last = ended.order_by("-resolved_at").first()
    return Counts(
        free=capped(_free_for(user)),
        live=capped(live),
        held_by_me=capped(live.filter(lease__user=user, lease__expires_at__gt=now)),
        snoozed=capped(live.filter(state=State.SNOOZED)),
        assigned_elsewhere=capped(live.exclude(assignee=None).exclude(assignee=user)),
        judged_by_me=capped(live.filter(judged)),
        holders=_holders(user, now),
        last_resolved_at=last.resolved_at if last else None,
        last_resolved_by=name_of(last.resolved_by) if last else "",
    )


def _holders(user: User, now: datetime) -> list[Held]:
    """Who else holds what ``user`` may see, whoever has most first. As many leases as people at work: few."""
    leases = Lease.objects.filter(answer_scope(user, "review__answer__"), expires_at__gt=now).exclude(
        user=user
    )
    by_person: dict[str, list[datetime]] = defaultdict(list)
    for lease in leases.select_related("user").order_by("expires_at"):
        by_person[name_of(lease.user)].append(lease.expires_at)
    return sorted(
        (Held(name, len(ends), ends[0]) for name, ends in by_person.items()), key=lambda h: -h.count
    )


def capped(reviews: Reviews) -> int:
    """The number of ``reviews``, at most :data:`CAP` + 1."""
    return reviews.order_by()[: CAP + 1].count()


def shown(count: int) -> str:
    """A capped count for people: ``1,000+`` past the cap."""
    return f"{CAP:,}+" if count > CAP else f"{count:,}"
