"""Now: what waits, who holds what, and when it will be done."""

from datetime import timedelta

from django.db.models import Count, Min, Q
from django.utils.translation import gettext as _

from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.tile import Row, Tile
from reviews.models.queue_columns import LIVE
from reviews.models.states import Priority, State
from reviews.queue.filters import Reviews

RATE_OVER = timedelta(hours=24)
"""Over how long arrivals and resolutions are counted for the rates by the hour."""


def _to_do(scope: Scope) -> Reviews:
    return scope.reviews.filter(LIVE).exclude(state=State.SNOOZED)


def open_by_priority(scope: Scope) -> Tile:
    """Reviews to do now, by priority."""
    counted = dict(_to_do(scope).values_list("priority").annotate(n=Count("pk")))
    rows = [Row(str(each.label), counted.get(each.value, 0)) for each in Priority]
    total = sum(counted.values())
    return Tile(total, total, rows=rows)


def overdue(scope: Scope) -> Tile:
    """Reviews to do whose time has run out, of all reviews to do."""
    late = Count("pk", filter=Q(due_at__lt=scope.now))
    found = _to_do(scope).aggregate(late=late, n=Count("pk"))
    return Tile(found["late"], found["n"])


def oldest(scope: Scope) -> Tile:
    """How long the oldest review to do has waited, in seconds."""
    found = _to_do(scope).aggregate(since=Min("created_at"), n=Count("pk"))
    if found["since"] is None:
        return Tile(None, 0, text=_("Nothing waits."))
    return Tile((scope.now - found["since"]).total_seconds(), found["n"])


def held(scope: Scope) -> Tile:
    """Reviews on which somebody works now."""
    holding = Count("pk", filter=Q(lease__expires_at__gt=scope.now))
    found = scope.reviews.filter(LIVE).aggregate(held=holding, n=Count("pk"))
    return Tile(found["held"], found["n"])


def _in_state(scope: Scope, state: State) -> Tile:
    at = Count("pk", filter=Q(state=state))
    found = scope.reviews.filter(LIVE).aggregate(at=at, n=Count("pk"))
    return Tile(found["at"], found["n"])


def snoozed(scope: Scope) -> Tile:
    """Reviews put off."""
    return _in_state(scope, State.SNOOZED)


def second_review(scope: Scope) -> Tile:
    """Reviews that wait for a second person."""
    return _in_state(scope, State.SECOND_REVIEW)


def adjudication(scope: Scope) -> Tile:
    """Reviews that wait for a senior to decide between two people."""
    return _in_state(scope, State.ADJUDICATION)


def _rates(scope: Scope) -> tuple[int, int]:
    """How many reviews came and how many ended in the last 24 hours."""
    since = scope.now - RATE_OVER
    came = scope.reviews.filter(created_at__gte=since).count()
    ended = scope.reviews.filter(Q(resolved_at__gte=since) | Q(voided_at__gte=since)).count()
    return came, ended


def arrival(scope: Scope) -> Tile:
    """Reviews that came and that ended, by the hour."""
    came, ended = _rates(scope)
    hours = RATE_OVER.total_seconds() / 3600
    rows = [Row(_("came"), came / hours, came), Row(_("ended"), ended / hours, ended)]
    return Tile(came / hours, came, rows=rows)


def clear_time(scope: Scope) -> Tile:
    """Seconds until nothing is left to do if the last 24 hours go on; unknown while more comes than ends."""
    came, ended = _rates(scope)
    waiting = _to_do(scope).count()
    if not waiting:
        return Tile(0, 0)
    if ended <= came:
        return Tile(None, waiting, text=_("Not in sight: as much comes as ends, or more."))
    return Tile(waiting / (ended - came) * RATE_OVER.total_seconds(), waiting)
