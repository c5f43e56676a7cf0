"""Walks the chains of one kind of history and says what broke: rows changed or taken out, and subjects that are not what
their chain tells.

A chain shows what was changed or taken out in its middle. What was cut off its end, or taken away whole, shows where its
subject tells more, and against the heads that were pushed out (:mod:`detection.history.heads`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any

from django.db import connection, transaction

from detection.models import Event, PlainHead
from detection.models.events import erased_in, fault

CHUNK = 2000
"""Rows in memory at a time."""
CHAINS = 200
"""Chains in memory at a time."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong, at event ``seq`` of ``subject``; ``seq`` 0 for a whole chain or a row."""

    subject: str
    seq: int
    what: str


@dataclass(frozen=True, slots=True)
class State:
    """How a subject is compared with its history. ``stored`` is what its row says, by names, each in all the forms in
    which a history may tell it; ``told`` what its events say, the oldest first, None where they must not be wanting."""

    stored: Callable[[Any], Mapping[str, Sequence[Any]]]
    told: Callable[[Any, Sequence[Event]], Mapping[str, Any] | None]

    def unexplained(self, row: Any, chain: Sequence[Event]) -> str:
        """What of ``row`` its chain does not tell; empty for nothing."""
        told = self.told(row, chain)
        if told is None:
            return "has no history"
        stored = self.stored(row)
        return "; ".join(
            f"{name} is {stored[name][0]!r}, by its history {value!r}"
            for name, value in told.items()
            if name in stored and value not in stored[name]
        )


@dataclass(slots=True)
class Walk:
    """A walk over all chains of ``kind``; ``events`` and ``chains`` are counted as it goes, and ``erased``: how many bodies
    each event has erased, by its subject and number."""

    kind: type[Event]
    state: State
    events: int = 0
    chains: int = 0
    erased: Counter[tuple[str, int]] = field(default_factory=Counter)
    _doubted: list[Any] = field(default_factory=list)

    def breaks(self) -> Iterator[Broken]:
        """The first break of each chain, and the subjects that are not what their whole chain tells. Memory stays the
        same however many events there are."""
        with _one_statement():
            rows = self._events().order_by("subject_id", "seq").iterator(CHUNK)
            chains = ([*events] for _, events in groupby(rows, _subject))
            while some := list(islice(chains, CHAINS)):
                yield from self._breaks_of(some)
        yield from self._gone()
        without = self._subjects().exclude(pk__in=self._events().values("subject"))
        self._doubted += without.values_list("pk", flat=True)
        yield from self._unexplained()

    def _breaks_of(self, chains: Sequence[Sequence[Event]]) -> Iterator[Broken]:
        subjects = [_subject(chain[0]) for chain in chains]
        heads, rows = PlainHead.of(self.kind, subjects), self._subjects().in_bulk(subjects)
        for subject, chain in zip(subjects, chains, strict=True):
            self.chains += 1
            self.events += len(chain)
            self.erased.update((str(subject), gone.by) for gone in erased_in(chain).values())
            found = fault(chain, heads.get(str(subject)))
            if found:
                yield Broken(str(subject), *found)
            elif subject not in rows:
                yield Broken(str(subject), 0, "its row is gone")
            elif self.state.unexplained(rows[subject], chain):
                self._doubted.append(subject)

    def _gone(self) -> Iterator[Broken]:
        """Chains of which nothing is left but where they stood when hashes got a key."""
        heads = PlainHead._default_manager.filter(history=self.kind._meta.label_lower).order_by("pk")
        rows = heads.iterator(CHUNK)
        while some := list(islice(rows, CHAINS)):
            named = [head.subject for head in some]
            there = self._events().filter(subject__in=named, seq=1)
            left = {str(subject) for subject in there.values_list("subject", flat=True)}
            yield from (Broken(name, 1, "event 1 is missing") for name in named if name not in left)

    def _unexplained(self) -> Iterator[Broken]:
        """What is doubted, read again while nobody changes it: the walk may have read a row later than its events."""
        for subject in self._doubted:
            with transaction.atomic():
                row = self._subjects().select_for_update().filter(pk=subject).first()
                chain = list(self._events().filter(subject=subject).order_by("seq"))
                what = self.state.unexplained(row, chain) if row else ""
            if what:
                yield Broken(str(subject), 0, what)

    def _events(self) -> Any:
        return self.kind._default_manager

    def _subjects(self) -> Any:
        return self.kind._subjects()


def _subject(event: Event) -> Any:
    return event.subject_id  # type: ignore[attr-defined]  # every concrete event has a subject


def _one_statement() -> AbstractContextManager[None]:
    """Outside a transaction PostgreSQL would copy all rows before it hands out the first; on SQLite a transaction
    would keep everybody else from writing."""
    return transaction.atomic() if connection.vendor == "postgresql" else nullcontext()
