"""``manage.py verify_audit [--heads FILE]``: whether any history was changed behind the application's back."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from detection.history import heads
from detection.history.chains import Broken, Walk
from detection.history.guards import unguarded
from detection.operations.checks import INSTALLATION
from reviews.audit.histories import HISTORIES
from reviews.audit.states import STATES, unordered

PRINTED = 100
"""Breaks of one kind that are written out; the others are counted."""


class Command(BaseCommand):
    """Walks every chain of every history and ends with 1 when one is broken."""

    help = (
        "Walk every history and say what was changed, taken out or no longer guarded, and which keys, people, reviews and "
        "thresholds are not what their history tells. Ends with 1 if anything is."
    )
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the heads are that the sweeper has pushed out."""
        parser.add_argument(
            "--heads",
            type=Path,
            help="The file of heads to compare with (HALLU_AUDIT_HEADS, where that is there): it shows what was cut off "
            "the ends, and rewritten by somebody with the key.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Walk, print, compare."""
        self.broken: Counter[str] = Counter()
        self._print(("trigger", broken) for broken in unguarded())
        self.stdout.write(f"triggers: {self._state('trigger')}")
        for name, kind in HISTORIES.items():
            walk = Walk(kind, STATES[name])
            self._print((name, broken) for broken in walk.breaks())
            self._tell_erased(name, walk.erased)
            if name == "erasure":
                self._print((name, broken) for broken in unordered())
            self.stdout.write(f"{name}: {walk.events} events in {walk.chains} chains, {self._state(name)}")
        self._compare(options["heads"])
        if self.broken:
            raise CommandError(
                f"{self.broken.total()} broken. Compare with a backup before anything else is written."
            )
        self.stdout.write("All histories are whole.")

    def _compare(self, given: Path | None) -> None:
        """With the heads that were pushed out. Raises :class:`CommandError` for a file that is named and not there."""
        path: Path = given or settings.AUDIT_HEADS
        if given is None and not path.exists():
            self.stdout.write(f"heads: none at {path}, so what was cut off the ends does not show")
            return
        before = self.broken.total()
        try:
            self._print(heads.missing(HISTORIES, path))
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        count = self.broken.total() - before
        self.stdout.write(f"heads: {path}, {f'{count} broken' if count else 'whole'}")

    def _tell_erased(self, name: str, erased: Counter[tuple[str, int]]) -> None:
        for (subject, seq), bodies in sorted(erased.items())[:PRINTED]:
            self.stdout.write(f"{name} {subject}: {bodies} bodies erased by event {seq}")
        if len(erased) > PRINTED:
            self.stdout.write(f"{name}: {erased.total()} bodies erased by {len(erased)} events in all")

    def _state(self, name: str) -> str:
        return f"{self.broken[name]} broken" if self.broken[name] else "whole"

    def _print(self, found: Iterable[tuple[str, Broken]]) -> None:
        for name, broken in found:
            self.broken[name] += 1
            if self.broken[name] <= PRINTED:
                at = f" event {broken.seq}" if broken.seq else ""
                self.stdout.write(f"BROKEN {name} {broken.subject}{at}: {broken.what}")
