"""Heads of chains, pushed out of the database as they grow, so that what is cut off or taken away whole is missed.

Each line of the file has the heads of the chains that have grown since the line before it, how far each history has
been looked through, and a signature over both and the signature of the line before: no line can be changed, taken out
or put in. The signature of each new line is logged as well, so that a shortened file is seen where logs are kept.
"""

import fcntl
import json
import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import reduce
from io import BufferedRandom
from itertools import islice
from operator import or_
from pathlib import Path
from typing import Any

from django.db.models import Q

from detection import keyed
from detection.history.chains import Broken
from detection.models import Event

logger = logging.getLogger(__name__)

EVENTS = 1000
"""Events of a history that one line covers at most."""
LINES = 50
"""Lines that one call writes at most; the next goes on."""
SETTLED = timedelta(minutes=1)
"""A younger event may belong to a transaction that others do not see yet, and comes into a later line."""
TAIL = 2**20
ASKED = 200
"""Heads that one query asks for."""

Histories = Mapping[str, type[Event]]


@dataclass(slots=True)
class Line:
    """A line of the file. ``heads``: history → subject → number and hash of its last event; ``seen``: history → id and
    hash of the last event that was looked at."""

    at: str = ""
    heads: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)
    seen: dict[str, tuple[int, str]] = field(default_factory=dict)
    signature: str = ""

    @classmethod
    def read(cls, text: bytes) -> "Line":
        """Raises :class:`ValueError` for what is no line."""
        try:
            kept = json.loads(text)
            return cls(kept["at"], kept["heads"], kept["seen"], kept["signature"])
        except (KeyError, TypeError) as error:
            raise ValueError(str(error)) from error

    def content(self, previous: str) -> str:
        """What is signed, ``previous`` being the signature of the line before."""
        return json.dumps([previous, self.at, self.heads, self.seen], sort_keys=True)

    def written(self) -> bytes:
        """As the file has it."""
        kept = {"at": self.at, "heads": self.heads, "seen": self.seen, "signature": self.signature}
        return json.dumps(kept, sort_keys=True).encode() + b"\n"


def push(histories: Histories, path: Path, now: datetime) -> int:
    """Append the heads of all chains that have grown to the file at ``path``, and log each line; returns how many lines
    those were. A file that cannot be written is logged, and tried again at the next call."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            return _push(histories, file, now)
    except (OSError, ValueError) as error:
        logger.error("audit_heads_failed path=%s reason=%s", path, error)
        return 0


def _push(histories: Histories, file: BufferedRandom, now: datetime) -> int:
    last, count = _last(file), 0
    for line in islice(_grown(histories, last, now), LINES):
        line.signature = keyed.signed("heads", line.content(last.signature))
        file.write(line.written())
        file.flush()
        os.fsync(file.fileno())
        chains = sum(map(len, line.heads.values()))
        logger.info("audit_heads at=%s chains=%s signature=%s", line.at, chains, line.signature)
        last, count = line, count + 1
    return count


def _last(file: BufferedRandom) -> Line:
    """The last line of the file, an empty one of an empty file; what a crash has left of a line is cut off."""
    end = file.seek(0, os.SEEK_END)
    size = TAIL
    while True:
        start = file.seek(max(0, end - size))
        tail = file.read()
        whole = tail[: tail.rfind(b"\n") + 1]
        if start == 0 or whole.count(b"\n") > 1:
            break
        size *= 2
    file.truncate(start + len(whole))
    file.seek(0, os.SEEK_END)
    return Line.read(whole.splitlines()[-1]) if whole else Line()


def _grown(histories: Histories, last: Line, now: datetime) -> Iterator[Line]:
    """The lines that are due after ``last``."""
    seen = {name: known for name, known in last.seen.items() if name in histories}
    for name, known in [*seen.items()]:
        if not histories[name]._default_manager.filter(pk=known[0], hash=known[1]).exists():
            logger.error(
                "audit_heads_lost history=%s event=%s: pushed out, and no longer there", name, known[0]
            )
            del seen[name]
    while True:
        heads = {}
        for name, kind in histories.items():
            new = _new(kind, seen.get(name, (0, ""))[0], now)
            if new:
                heads[name] = {str(subject): (seq, made) for _, subject, seq, made in new}
                seen[name] = (new[-1][0], new[-1][3])
        if not heads:
            return
        yield Line(now.isoformat(), heads, dict(seen))


def _new(kind: type[Event], after: int, now: datetime) -> list[tuple[int, Any, int, str]]:
    """Id, subject, number and hash of the next events, by their ids: of one chain the last stands last."""
    rows = _events(kind).filter(pk__gt=after, created_at__lte=now - SETTLED).order_by("pk")
    return list(rows.values_list("pk", "subject", "seq", "hash")[:EVENTS])


def missing(histories: Histories, path: Path) -> Iterator[tuple[str, Broken]]:
    """What a file of heads shows, each with its history (``heads`` for the file itself): lines that are not as they were
    written, and events that were there and are not, or are others. Raises :class:`OSError` when it cannot be read."""
    previous = ""
    with path.open("rb") as file:
        for number, text in enumerate(file, start=1):
            if not text.endswith(b"\n"):
                return  # being written, or left by a crash
            try:
                line = Line.read(text)
            except ValueError:
                yield "heads", Broken(str(path), number, "is no line of heads")
                return
            if not keyed.is_signed(line.signature, "heads", line.content(previous)):
                yield (
                    "heads",
                    Broken(str(path), number, "is not what was written, or a line before it is gone"),
                )
            previous = line.signature
            for name, heads in line.heads.items():
                if name in histories:
                    for broken in _missing(histories[name], heads, line.at):
                        yield name, broken


def _missing(kind: type[Event], heads: Mapping[str, tuple[int, str]], at: str) -> Iterator[Broken]:
    left, events = iter(heads.items()), _events(kind)
    while some := list(islice(left, ASKED)):
        asked = reduce(or_, (Q(subject=subject, seq=seq) for subject, (seq, _) in some))
        rows = events.filter(asked).values_list("subject", "seq", "hash")
        there = {(str(subject), seq): made for subject, seq, made in rows}
        for subject, (seq, made) in some:
            found = there.get((subject, seq))
            if found != made:
                what = "is another than" if found else "is gone; it was there"
                yield Broken(subject, seq, f"{what} when heads were pushed out at {at}")


def _events(kind: type[Event]) -> Any:
    return kind._default_manager
