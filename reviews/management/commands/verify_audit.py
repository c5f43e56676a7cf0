"""``manage.py verify_audit [--seal FILE]``: whether any history was changed behind the application's back."""

import itertools
import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from detection.chains import Broken, Seal, Walk, unguarded, without_history
from reviews.audit.histories import BEGUN, HISTORIES

PRINTED = 100
"""Breaks of one history that are written out; the others are counted."""
SETTLED = timedelta(minutes=1)
"""A younger event may belong to a transaction that others do not see yet, so that a seal leaves it out."""


class Command(BaseCommand):
    """Walks every chain of every history and ends with 1 when one is broken."""

    help = "Walk every history and say what was changed, taken out or no longer guarded. Ends with 1 if anything was."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the seal of the walk before is."""
        parser.add_argument(
            "--seal",
            type=Path,
            help="Compare with the seal that an earlier walk left in this file, and renew it when all is whole: "
            "that shows what was cut off the ends. Keep it where the database's owner cannot write.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Walk, print, compare, seal."""
        path: Path | None = options["seal"]
        old = _read(path)
        until = timezone.now() - SETTLED
        new = {name: Seal(until) for name in HISTORIES}
        broken = sum(self._walk(name, old, new[name]) for name in HISTORIES)
        if broken:
            raise CommandError(f"{broken} broken. Compare with a backup before anything else is written.")
        self.stdout.write("All histories are whole.")
        if path:
            path.write_text(json.dumps({name: _written(seal) for name, seal in new.items()}, indent=1))

    def _walk(self, name: str, old: dict[str, Seal], new: Seal) -> int:
        """Walk one history; returns how many breaks it has."""
        kind, known = HISTORIES[name], old.get(name)
        now = Seal(known.until) if known else None
        walk = Walk(kind, (new, now) if now else (new,))
        absent = without_history(kind) if name in BEGUN else iter(())
        found = itertools.chain(unguarded(kind), walk.breaks(), absent, _against(known, now))
        count = self._print(name, found)
        state = f"{count} broken" if count else "whole"
        self.stdout.write(f"{name}: {walk.events} events in {walk.chains} chains, {state}")
        return count

    def _print(self, name: str, found: Iterable[Broken]) -> int:
        count = 0
        for count, broken in enumerate(found, start=1):
            if count <= PRINTED:
                at = f" event {broken.seq}" if broken.seq else ""
                self.stdout.write(f"BROKEN {name} {broken.subject}{at}: {broken.what}")
        return count


def _against(known: Seal | None, now: Seal | None) -> Iterator[Broken]:
    """What an earlier seal shows. Read after the walk, which fills ``now``."""
    if known is not None and known != now:
        lost = known.events - (now.events if now else 0)
        what = f"{lost} events are gone" if lost > 0 else "other events than those that were sealed"
        yield Broken(f"up to {known.until:%Y-%m-%d %H:%M:%S} UTC", 0, what)


def _read(path: Path | None) -> dict[str, Seal]:
    """The seals in a file, none when there is no file yet. Raises :class:`CommandError` for another file."""
    if path is None or not path.exists():
        return {}
    try:
        kept: dict[str, dict[str, Any]] = json.loads(path.read_text())
        return {
            name: Seal(datetime.fromisoformat(seal["until"]), int(seal["events"]), int(seal["total"], 16))
            for name, seal in kept.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"{path} is not a seal of verify_audit.") from error


def _written(seal: Seal) -> dict[str, Any]:
    return {"until": seal.until.isoformat(), "events": seal.events, "total": f"{seal.total:0128x}"}
