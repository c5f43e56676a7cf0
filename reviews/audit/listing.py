"""The global log: the events of all histories as one list, newest first, for whoever may see them (S12, F13).

A page asks each history for one page by its own index and merges them, so that it costs the same at any depth.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time
from itertools import islice, repeat
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from detection.access import may_review, property_scope, roles
from detection.models import Event
from reviews.audit.histories import HISTORIES
from reviews.models import HallucinationReview
from reviews.rights import HIDDEN

SIZE = 50
CHUNK = 1000
"""Events that an export reads at a time."""
ADMINS_ONLY = ("key", "person")
"""Histories of who may do what, which only administrators read."""

NAMED = {
    "review": "subject_id",
    "fact": "subject_id",
    "profile": "subject__version",
    "calibration": "subject_id",
    "key": "subject__name",
    "person": "subject__username",
    "erasure": "subject_id",
}
"""How the subject of a history is named by whoever looks for it."""

Row = tuple[str, Event]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for; None and empty stand for everything. A ``subject`` needs its ``kind``. ``first`` and ``last`` are days (UTC), both included."""

    kind: str = ""
    action: str = ""
    subject: int | UUID | str = ""
    actor: int | None = None
    key: int | None = None
    first: date | None = None
    last: date | None = None

    @property
    def narrowed(self) -> bool:
        """Whether anything is left out."""
        return any(getattr(self, f.name) not in (None, "") for f in fields(self))


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page ended: the time of its last event, its history, its number."""

    at: datetime
    kind: str
    pk: int

    def __str__(self) -> str:
        return f"{self.at.isoformat()}~{self.kind}~{self.pk}"

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """The place that a link names; None for none, and for what is no place."""
        try:
            at, kind, pk = text.split("~")
            moment, number = datetime.fromisoformat(at).astimezone(UTC), int(pk)
        except (ValueError, OverflowError):
            return None
        return cls(moment, kind, number) if kind in HISTORIES and 0 < number < 2**63 else None


def may_read(user: Any) -> bool:
    """Whether a person may read the global log: seniors and administrators."""
    return bool(roles(user) & {"senior", "admin"})


def kinds(user: Any) -> list[str]:
    """The histories that a person reads."""
    admin = "admin" in roles(user)
    return [kind for kind in HISTORIES if admin or kind not in ADMINS_ONLY]


def page(user: Any, asked: Asked, after: Cursor | None) -> tuple[list[Row], Cursor | None]:
    """One page of the log, newest first, and where it ended when there is more."""
    found = list(islice(_merged(user, asked, after, SIZE + 1), SIZE + 1))
    return found[:SIZE], _cursor(found[SIZE - 1]) if len(found) > SIZE else None


def every(user: Any, asked: Asked) -> Iterator[Row]:
    """All of it, newest first, with a bounded number of events in memory and no query that stays open."""
    after: Cursor | None = None
    while True:
        found = list(islice(_merged(user, asked, after, CHUNK), CHUNK))
        yield from found
        if len(found) < CHUNK:
            return
        after = _cursor(found[-1])


def _cursor(row: Row) -> Cursor:
    kind, event = row
    return Cursor(event.created_at, kind, event.pk)


def _merged(user: Any, asked: Asked, after: Cursor | None, count: int) -> Iterator[Row]:
    """The next ``count`` events of every history that may have one, in the order of the log."""
    wanted = [kind for kind in kinds(user) if asked.kind in ("", kind)]
    rows = [_of(kind, user, asked, after)[:count] for kind in wanted]
    named = [zip(repeat(kind), events, strict=False) for kind, events in zip(wanted, rows, strict=True)]
    return heapq.merge(*named, key=_order, reverse=True)


def _order(row: Row) -> tuple[datetime, str, int]:
    kind, event = row
    return (event.created_at, kind, event.pk)


def _of(kind: str, user: Any, asked: Asked, after: Cursor | None) -> QuerySet[Event]:
    """The events of one history that ``user`` may see and asked for, behind ``after``."""
    rows = HISTORIES[kind]._default_manager.filter(
        _seen(kind, user), _wanted(kind, asked), _behind(kind, after)
    )
    joined = ("actor", "key", "profile") if kind == "review" else ("actor", "key", "profile", "subject")
    if kind == "review" and may_review(user):
        blind = HallucinationReview.objects.filter(HIDDEN, pk=OuterRef("subject_id"))
        rows = rows.annotate(hidden=Exists(blind))
    return rows.select_related(*joined).order_by("-created_at", "-id")


def is_hidden(event: Event) -> bool:
    """Whether an event of the log speaks of a review that its reader may have to judge blind: then who did what and
    when is told, and not what it was before and after."""
    return bool(getattr(event, "hidden", False))


def _seen(kind: str, user: Any) -> Q:
    """Events of reviews and facts about properties that ``user`` may see."""
    whole = kind not in ("review", "fact") or getattr(user, "is_superuser", False)
    return Q() if whole else property_scope(user, "subject__")


def _wanted(kind: str, asked: Asked) -> Q:
    equal: Mapping[str, Any] = {
        "action": asked.action,
        NAMED[kind]: asked.subject,
        "actor_id": asked.actor,
        "key_id": asked.key,
        "created_at__gte": asked.first and datetime.combine(asked.first, time.min, UTC),
        "created_at__lte": asked.last and datetime.combine(asked.last, time.max, UTC),
    }
    return Q(**{name: value for name, value in equal.items() if value not in (None, "")})


def _behind(kind: str, after: Cursor | None) -> Q:
    """What comes after a place in the order (time, history, number), all downwards."""
    if after is None:
        return Q()
    if kind == after.kind:
        same = Q(created_at=after.at, id__lt=after.pk)
    else:
        same = Q(created_at=after.at) if kind < after.kind else Q(pk__in=())
    return Q(created_at__lte=after.at) & (Q(created_at__lt=after.at) | same)
