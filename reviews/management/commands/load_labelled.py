"""``manage.py load_labelled``: public labelled sets as judged answers with verdicts, to see real distributions."""

import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from detection.answer_files import bar
from detection.operations.checks import INSTALLATION
from reviews.demo import labelled, labelling
from reviews.demo.labelled import LabelledAnswer, Refused

NAMED = 5
"""So many refused lines of a file are named; the rest are counted."""


class Command(BaseCommand):
    """Read the files, judge what is new, resolve it as labelled."""

    help = (
        "Load labelled sets (JSON lines, gzipped or not) as answers with sources, finished runs and verdicts of the demo "
        "account “labels”. Their times are invented: spread over the last days. Running it again adds what is missing."
    )
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Files, how many of each, which split, and how much of the labels is used."""
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--limit", type=int, help="At most so many answers of each file, chosen by hash.")
        parser.add_argument(
            "--split", choices=("train", "test", "all"), default="all", help="By group: 30 % are for testing."
        )
        parser.add_argument("--seed", type=int, default=0, help="Another choice of answers and audits.")
        parser.add_argument(
            "--audit-share",
            type=float,
            default=1.0,
            help="Share of the unflagged answers whose label is used, as an audit with this probability; 1 unless given.",
        )
        parser.add_argument(
            "--confidence", type=float, default=0.9, help="Stated for every answer; the sets state none."
        )
        parser.add_argument("--days", type=float, default=30.0, help="How far back the times go.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, then say how many, how fast, and what was refused; exit code 1 when a line was."""
        if settings.PRODUCTION:
            raise CommandError("Verdicts that nobody gave here do not belong on a production database.")
        for name in ("audit_share", "confidence"):
            if not 0 <= options[name] <= 1:
                raise CommandError(f"--{name.replace('_', '-')}: give a number from 0 to 1.")
        refused, chosen = 0, []
        for path in options["files"]:
            found, bad = self._read(path)
            refused += bad
            chosen += self._chosen(path, found, options)
        self._load(chosen, options)
        if refused:
            raise CommandError(
                f"{refused} line{'s' if refused > 1 else ''} refused, see above.", returncode=1
            )

    def _read(self, path: Path) -> tuple[list[LabelledAnswer], int]:
        """The answers of a file, and how many lines were refused."""
        found: list[LabelledAnswer] = []
        bad = 0
        try:
            for number, row in labelled.read_file(path):
                try:
                    found += labelled.answers_of(row)
                except Refused as error:
                    bad += 1
                    if bad <= NAMED:
                        self.stderr.write(f"{path.name} line {number}: {error}")
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise CommandError(f"{path}: {getattr(error, 'strerror', None) or error}.") from error
        if bad > NAMED:
            self.stderr.write(f"{path.name}: {bad - NAMED} more lines refused.")
        return found, bad

    def _chosen(
        self, path: Path, found: list[LabelledAnswer], options: dict[str, Any]
    ) -> list[LabelledAnswer]:
        """Those of the split, as many as wanted, without those that are no single statement."""
        split, seed = options["split"], options["seed"]
        wanted = [a for a in found if split == "all" or labelled.in_test(a.group) == (split == "test")]
        wanted.sort(key=lambda answer: labelled.place(seed, answer.name))
        wanted = wanted[: options["limit"]]
        single = [answer for answer in wanted if labelled.is_one_statement(answer)]
        self.stdout.write(
            f"{path.name}: {len(found)} answers, {len(wanted)} chosen, "
            f"{len(wanted) - len(single)} of them left out: not one statement, and the label is of the whole."
        )
        return single

    def _load(self, answers: list[LabelledAnswer], options: dict[str, Any]) -> None:
        """Judge and resolve what is new, in the order of the invented times."""
        there = labelling.loaded(answer.name for answer in answers)
        loading = labelling.Loading(
            labeller=labelling.labeller(),
            share=options["audit_share"],
            seed=options["seed"],
            confidence=options["confidence"],
            until=timezone.now(),
            days=options["days"],
        )
        new = sorted((a for a in answers if a.name not in there), key=loading.when)
        began, what = time.monotonic(), Counter[str]()
        for number, answer in enumerate(new, start=1):
            what[labelling.load(answer, loading)] += 1
            if self.stderr.isatty() and number % 10 == 0:
                self.stderr.write(f"\r{bar(number / len(new))} {number} answers", ending="")
        taken = time.monotonic() - began
        told = ", ".join(f"{count} {name}" for name, count in sorted(what.items())) or "nothing new"
        self.stdout.write(f"{told}; {len(there)} were there already.")
        if new:
            self.stdout.write(f"{len(new)} answers in {taken:.1f} s, {len(new) / taken:.1f} a second.")
