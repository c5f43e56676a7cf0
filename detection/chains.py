"""Walks the chains of one kind of history and says what broke: rows changed, taken out, or no longer guarded.

A chain shows what was changed or taken out in its middle. What was cut off its end, or taken away whole, shows only
against a :class:`Seal` of an earlier walk, kept where whoever can write to the database cannot.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from detection.models import Event

CHUNK = 2000
"""Rows in memory at a time."""

MODULUS = 2**512


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong, at event ``seq`` of ``subject``; ``seq`` 0 for a whole chain or table."""

    subject: str
    seq: int
    what: str


@dataclass(slots=True)
class Seal:
    """All events up to ``until``: how many, and the sum of their hashes, which no change, loss or gain leaves alone."""

    until: datetime
    events: int = 0
    total: int = 0

    def add(self, event: Event) -> None:
        """Count an event, if it is old enough."""
        if event.created_at <= self.until:
            self.events += 1
            self.total = (self.total + int.from_bytes(event.hash.encode())) % MODULUS


@dataclass(slots=True)
class Walk:
    """A walk over all chains of ``kind``; ``events`` and ``chains`` are counted as it goes."""

    kind: type[Event]
    seals: tuple[Seal, ...] = ()
    events: int = 0
    chains: int = 0

    def breaks(self) -> Iterator[Broken]:
        """The first break of each chain. Memory stays the same however many events there are."""
        subject, seq, previous, whole = None, 0, "", True
        with _one_statement():
            for event in self.kind._default_manager.order_by("subject_id", "seq").iterator(CHUNK):
                if (current := _subject(event)) != subject:
                    subject, seq, previous, whole = current, 0, "", True
                    self.chains += 1
                self._count(event)
                what = _wrong(event, seq + 1, previous) if whole else ""
                if what:
                    whole = False
                    yield Broken(str(subject), event.seq, what)
                seq, previous = seq + 1, event.hash

    def _count(self, event: Event) -> None:
        self.events += 1
        for seal in self.seals:
            seal.add(event)


def without_history(kind: type[Event]) -> Iterator[Broken]:
    """The subjects of ``kind`` that have no event at all, for kinds whose subjects begin with one."""
    fields: Any = kind._meta
    for pk in (
        fields.get_field("subject")
        .related_model._default_manager.filter(events=None)
        .values_list("pk")
        .iterator(CHUNK)
    ):
        yield Broken(str(pk[0]), 0, "has no history")


def unguarded(kind: type[Event]) -> list[Broken]:
    """The triggers that keep the table of ``kind`` as it was written, and are not there or are switched off."""
    table = kind._meta.db_table
    there = _triggers(table)
    last = "no_truncate" if connection.vendor == "postgresql" else "no_replace"
    wanted = [f"{table}_{name}" for name in ("no_update", "no_delete", last)]
    return [Broken(table, 0, f"the trigger {name} is missing") for name in wanted if name not in there]


def _wrong(event: Event, seq: int, previous: str) -> str:
    if event.seq != seq:
        return f"event {seq} is missing"
    if event.hash != event.digest():
        return "its content is not what was written"
    return "" if event.prev_hash == previous else "it does not follow the event before it"


def _subject(event: Event) -> Any:
    return event.subject_id  # type: ignore[attr-defined]  # every concrete event has a subject


def _one_statement() -> AbstractContextManager[None]:
    """Outside a transaction PostgreSQL would copy all rows before it hands out the first; on SQLite a transaction
    would keep everybody else from writing."""
    return transaction.atomic() if connection.vendor == "postgresql" else nullcontext()


def _triggers(table: str) -> set[str]:
    asked = (
        "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled IN ('O', 'A')"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(asked, [table])
        return {row[0] for row in cursor.fetchall()}
