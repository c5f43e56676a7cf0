"""``manage.py rescreen``: answers that an older engine judged are judged anew, a few at a time."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from detection.answer_files import add_properties, bar, named_day, named_property
from detection.core.pipeline import ENGINE
from detection.operations.checks import INSTALLATION
from reviews.lifecycle.renewing import Renewal, Selection

SECONDS = 0.5
SILENT = 60.0  # seconds after which one asks whether any worker runs
INTERRUPTED = 130


class Command(BaseCommand):
    """Hands answers to the workers, as many as keep the way free for new ones, and tells what became of them."""

    help = (
        "Judge answers anew that an older engine judged. The verdict before stays in their history, what a person has "
        "settled is left. Ctrl-C ends it at any time; the same command goes on where it ended."
    )
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which answers, how many, how fast."""
        add_properties(parser, "Answers about these properties only.")
        parser.add_argument("--since", metavar="DAY", help="Answers from this day (UTC) on: 2026-03-01.")
        parser.add_argument("--until", metavar="DAY", help="Answers before this day (UTC).")
        parser.add_argument(
            "--older-than",
            type=int,
            default=ENGINE,
            metavar="ENGINE",
            help=f"Answers judged by an engine before this one; this version's is {ENGINE}, which is the default.",
        )
        parser.add_argument("--limit", type=int, help="So many answers at most, the newest first.")
        parser.add_argument(
            "--at-once",
            type=int,
            default=4,
            metavar="N",
            help="Hand over no more while so many answers, new ones included, are not judged yet; 4 unless given.",
        )
        parser.add_argument("--dry-run", action="store_true", help="Say how many, and do nothing.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say how many, hand them over, wait, and sum up; interrupted, sum up what was done until then."""
        selection = _selection(options)
        there = selection.owed().count()
        total = there if options["limit"] is None else min(there, options["limit"])
        self.stdout.write(
            f"Answers to be judged anew by engine {ENGINE}: {total:,}. Left: {selection.settled():,} settled by a person, "
            f"{selection.replaced():,} replaced by a newer answer, {there - total:,} over the limit."
        )
        if options["dry_run"] or not total:
            return
        renewal = Renewal(selection, total, options["at_once"])
        try:
            self._follow(renewal)
        except KeyboardInterrupt:
            self._sum_up(renewal)
            raise CommandError(
                f"Interrupted. Still with the workers, who need no command for it: {len(renewal.under_way)}. "
                "The same command goes on with the others.",
                returncode=INTERRUPTED,
            ) from None
        self._sum_up(renewal)
        if renewal.failed:
            raise CommandError(
                f"Answers that need attention: {renewal.failed:,}. Each says why (failed_reason)."
            )

    def _follow(self, renewal: Renewal) -> None:
        """Until nothing is left, with what is done shown whenever that is more."""
        shown, since, is_told = 0, time.monotonic(), False
        while renewal.step():
            if renewal.ended > shown:
                self._show(renewal, shown)
                shown, since = renewal.ended, time.monotonic()
            elif time.monotonic() - since > SILENT and not is_told:
                self.stderr.write("\nNothing was judged for a minute. Does a worker run?")
                is_told = True
            self.wait()
        self._show(renewal, shown)

    def wait(self) -> None:
        """Until it is worth looking again."""
        time.sleep(SECONDS)

    def _show(self, renewal: Renewal, before: int) -> None:
        """A bar on a terminal; elsewhere a line for each tenth."""
        done, total = renewal.ended, renewal.limit
        if self.stderr.isatty():
            self.stderr.write(f"\r{bar(done / total)} {done:,} of {total:,} answers", ending="")
        elif 10 * done // total > 10 * before // total:
            self.stderr.write(f"{done:,} of {total:,} answers")

    def _sum_up(self, renewal: Renewal) -> None:
        if self.stderr.isatty():
            self.stderr.write("")
        for line in _summary(renewal):
            self.stdout.write(line)


def _selection(options: dict[str, Any]) -> Selection:
    """Raises :class:`CommandError` for what cannot be meant."""
    for name in ("limit", "at_once"):
        if options[name] is not None and options[name] < 1:
            raise CommandError(f"--{name.replace('_', '-')} {options[name]}: give 1 or more.")
    if options["older_than"] > ENGINE:
        raise CommandError(f"--older-than {options['older_than']}: this version has engine {ENGINE}.")
    since, until = _day(options, "since"), _day(options, "until")
    if since and until and since >= until:
        raise CommandError(f"--until {options['until']} is not after --since {options['since']}.")
    return Selection(
        options["older_than"], [named_property(code) for code in options["property"]], since, until
    )


def _day(options: dict[str, Any], name: str) -> datetime | None:
    given = options[name]
    return named_day(f"--{name}", given) if given else None


def _summary(renewal: Renewal) -> Iterator[str]:
    verdicts = renewal.verdicts
    changed = {(before, after): count for (before, after), count in verdicts.items() if before != after}
    yield f"Judged anew: {verdicts.total():,}. Their verdict changed: {sum(changed.values()):,}."
    for (before, after), count in sorted(changed.items(), key=lambda one: (-one[1], one[0])):
        yield f"  {before} → {after}: {count:,}"
    if renewal.overtaken:
        yield f"Settled or judged by somebody else meanwhile: {renewal.overtaken:,}."
