"""Which review is next for a person: the most urgent one that they may work on."""

from collections.abc import Collection, Iterable
from contextlib import suppress

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from detection.models import Answer
from reviews.models import Conflict, HallucinationReview, Lease, NotAllowed, ReviewPass, Skip
from reviews.models.guards import require_reviewer
from reviews.models.queue_columns import LIVE, ORDER
from reviews.models.states import State
from reviews.queue.filters import Reviews
from reviews.queue.visible import visible_reviews

TRIED = 1000
"""How many reviews a database without SKIP LOCKED tries at most for one person."""


def next_for(user: User, *, skip: Collection[int] = ()) -> HallucinationReview | None:
    """Take the most urgent review that ``user`` may work on; None when there is none.

    A review they hold already counts. Left out are those held by others, snoozed, assigned to others,
    skipped by ``user``, judged by them before or about an answer submitted for them, and the ids in ``skip``. Raises :class:`NotAllowed` for whoever is no
    reviewer. Two people asking at once get two reviews.
    """
    require_reviewer(user)
    free = free_for(user).exclude(pk__in=skip)
    if connection.vendor == "postgresql":
        return _take_unlocked(free, user)
    return _take_first(free.values_list("pk", flat=True)[:TRIED], user)


@transaction.atomic
def _take_unlocked(free: Reviews, user: User) -> HallucinationReview | None:
    """PostgreSQL: rows that somebody is taking at this moment are passed over, not waited for.

    A row may have been taken between being read and being locked; the lease is joined as it was read. Then
    :meth:`take` refuses, and the next read sees the lease.
    """
    for review in iter(free.select_for_update(skip_locked=True, of=("self",)).first, None):
        with suppress(Conflict):
            Lease.take(review, user)
            return review
    return None


def _take_first(candidates: Iterable[int], user: User) -> HallucinationReview | None:
    """Elsewhere: try in order; :meth:`take` compares and sets, and whoever loses tries the one after."""
    for pk in list(candidates):
        review = HallucinationReview.objects.get(pk=pk)
        with suppress(Conflict, NotAllowed):
            Lease.take(review, user)
            return review
    return None


def free_for(user: User) -> Reviews:
    """The reviews that ``user`` may take now, in queue order."""
    judged = ReviewPass.objects.filter(review=OuterRef("pk"), reviewer=user, state=ReviewPass.State.SUBMITTED)
    skipped = Skip.objects.filter(review=OuterRef("pk"), user=user)
    workable = visible_reviews(user).filter(LIVE, ~Q(state__in=(State.SNOOZED, State.ADJUDICATION)))
    own = Answer.objects.filter(submitted_for=user).values("pk")
    return (
        workable.exclude(answer__in=own)
        .filter(
            ~_held_by_others(user), ~Exists(judged), ~Exists(skipped), Q(assignee=None) | Q(assignee=user)
        )
        .order_by(*ORDER)
    )


def _held_by_others(user: User) -> Q:
    return Q(lease__isnull=False, lease__expires_at__gt=timezone.now()) & ~Q(lease__user=user)
