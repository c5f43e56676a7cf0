"""What one person has to do with reviews: what waits on them, what is due, what others have, what they resolved (F18)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from reviews.models import ClaimVerdict, Lease, ReviewEvent, ReviewPass
from reviews.models.guards import OWN_REOPENING
from reviews.models.queue_columns import LIVE
from reviews.models.states import State
from reviews.queue.listing import rows_of
from reviews.queue.next_review import free_for
from reviews.queue.rows import QueueRow, queue_rows
from reviews.queue.visible import visible_reviews

SOON = timedelta(hours=4)
"""What is due within this time is due soon."""
LATEST = 20
"""Reviews resolved last that are shown, and the most that any other bucket shows."""
REMEMBERED = 200
"""How many of a person's own last actions of a kind are looked through."""

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Item:
    """A review in a bucket, and why it is there."""

    row: QueueRow
    marks: Sequence[Words] = ()
    reopenable: bool = False
    resolved_at: datetime | None = None


@dataclass(slots=True)
class Work:
    """The buckets of one person."""

    on_me: list[Item] = field(default_factory=list)
    due: list[Item] = field(default_factory=list)
    on_others: list[Item] = field(default_factory=list)
    resolved: list[Item] = field(default_factory=list)


def work_of(user: User) -> Work:
    """The buckets of ``user``, in a fixed number of queries; no review stands in two of the first three."""
    on_me = _on_me(user)
    on_others = {pk: why for pk, why in _on_others(user).items() if pk not in on_me}
    due = [pk for pk in _due_soon(user) if pk not in on_me and pk not in on_others][:LATEST]
    resolved = _resolved(user)
    shown = {row.id: row for row in queue_rows(rows_of([*{*on_me, *on_others, *due, *resolved}]), user)}
    back = timezone.now() - OWN_REOPENING
    return Work(
        on_me=[Item(shown[pk], why) for pk, why in on_me.items() if pk in shown],
        due=[Item(shown[pk]) for pk in due if pk in shown],
        on_others=[Item(shown[pk], why) for pk, why in on_others.items() if pk in shown],
        resolved=[Item(shown[pk], (), at >= back, at) for pk, at in resolved.items() if pk in shown],
    )


def _on_me(user: User) -> dict[int, list[Words]]:
    """Held, assigned, begun, back from a snooze of theirs, or with verdicts carried over from an older answer."""
    mine: dict[int, list[Words]] = defaultdict(list)
    leases = Lease.objects.filter(user=user, expires_at__gt=timezone.now())
    _note(mine, leases.values_list("review_id", flat=True), _("held by you"))
    live = visible_reviews(user).filter(LIVE).exclude(state=State.SNOOZED)
    _note(mine, live.filter(assignee=user).values_list("pk", flat=True)[:LATEST], _("assigned to you"))
    snoozed = live.filter(returned_at__isnull=False, pk__in=_acted_on(user, "snoozed"))
    _note(mine, snoozed.values_list("pk", flat=True)[:LATEST], _("back from snooze"))
    for review, marks in _begun(user).items():
        mine[review] += marks
    allowed = set(live.filter(pk__in=mine).values_list("pk", flat=True))
    return {pk: why for pk, why in mine.items() if pk in allowed}


def _begun(user: User) -> dict[int, list[Words]]:
    """Their drafts in which something is decided, and those with suggestions to confirm."""
    drafts = ReviewPass.objects.filter(reviewer=user, state=ReviewPass.State.DRAFT)
    drafts = drafts.filter(review__resolved_at=None, review__voided_at=None).order_by("-last_active_at")
    counted = (
        ClaimVerdict.objects.filter(review_pass__in=list(drafts.values_list("pk", flat=True)[:LATEST]))
        .order_by()
        .values_list("review_pass__review")
        .annotate(
            decided=Count("pk", filter=Q(decided_at__isnull=False)),
            carried=Count("pk", filter=Q(decided_at=None, carried_from__isnull=False)),
        )
    )
    return {review: _draft_marks(decided, carried) for review, decided, carried in counted}


def _draft_marks(decided: int, carried: int) -> list[Words]:
    given = ngettext("%(count)d verdict given", "%(count)d verdicts given", decided) % {"count": decided}
    kept = ngettext("%(count)d verdict to confirm", "%(count)d verdicts to confirm", carried)
    return [*([given] if decided else []), *([kept % {"count": carried}] if carried else [])]


def _on_others(user: User) -> dict[int, list[Words]]:
    """Judged by them and waiting for another, snoozed by them, or handed on by them."""
    theirs: dict[int, list[Words]] = defaultdict(list)
    live = visible_reviews(user).filter(LIVE)
    judged = ReviewPass.objects.filter(reviewer=user, state=ReviewPass.State.SUBMITTED).order_by("-pk")
    passed = live.filter(pk__in=list(judged.values_list("review_id", flat=True)[:REMEMBERED]))
    for state, word in ((State.SECOND_REVIEW, _("second review")), (State.ADJUDICATION, _("adjudication"))):
        _note(theirs, passed.filter(state=state).values_list("pk", flat=True)[:LATEST], word)
    snoozed = live.filter(state=State.SNOOZED, pk__in=_acted_on(user, "snoozed"))
    _note(theirs, snoozed.values_list("pk", flat=True)[:LATEST], _("snoozed by you"))
    given = live.filter(pk__in=_acted_on(user, "assigned")).exclude(assignee=None).exclude(assignee=user)
    _note(theirs, given.values_list("pk", flat=True)[:LATEST], _("handed on by you"))
    return theirs


def _acted_on(user: User, action: str) -> list[int]:
    """The reviews to which they did this last."""
    events = ReviewEvent.objects.filter(actor=user, action=action).order_by("-pk")
    return list(events.values_list("subject_id", flat=True)[:REMEMBERED])


def _note(into: Mapping[int, list[Words]], reviews: Iterable[int], why: Words) -> None:
    for pk in reviews:
        into[pk].append(why)


def _due_soon(user: User) -> list[int]:
    """What they may take and what is due soon or overdue, the most pressing first."""
    pressing = free_for(user).filter(due_at__lt=timezone.now() + SOON).order_by("due_at", "id")
    return list(pressing.values_list("pk", flat=True)[: 2 * LATEST])


def _resolved(user: User) -> dict[int, datetime]:
    """What they resolved last, with the time."""
    done = visible_reviews(user).filter(resolved_by=user).order_by("-resolved_at")
    return {pk: at for pk, at in done.values_list("pk", "resolved_at")[:LATEST] if at}
