"""``manage.py detect``: judge a file of answers without storing anything."""

import json
from contextlib import ExitStack
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from detection import answer_files
from detection.answer_files import BadLine
from detection.models.runs import FAST, SLOW
from detection.operations.checks import INSTALLATION


class Command(BaseCommand):
    """One submission a line in, one Result a line out."""

    help = "Judge answers: one submit body (JSON) a line in, one result a line out; '-' is stdin or stdout."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: CommandParser) -> None:
        """Files, profile and detectors."""
        parser.add_argument("input", help="JSON lines, or - for stdin.")
        parser.add_argument("--output", default="-", help="Where results go; - is stdout.")
        parser.add_argument(
            "--profile", type=int, help="Version of the threshold profile; the active one unless given."
        )
        parser.add_argument(
            "--detectors", default="", help=f"Comma-separated, of {','.join((*FAST, *SLOW))}."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Judge every good line; name every bad one and end with exit code 1 when there was any."""
        profile = answer_files.named_profile(options["profile"])
        detectors = answer_files.named_detectors(options["detectors"])
        bad = 0
        with ExitStack() as files:
            lines = answer_files.opened(files, options["input"], "rb")
            out = answer_files.opened(files, options["output"], "wb")
            for number, line in answer_files.counted(lines, options["input"], self.stderr):
                try:
                    given = answer_files.submission(answer_files.body_of(line))
                    result = answer_files.judge(given, profile, detectors)
                    out.write(json.dumps(result, ensure_ascii=False).encode() + b"\n")
                except BadLine as error:
                    bad += 1
                    self.stderr.write(f"line {number}: {error}")
        if bad:
            raise CommandError(f"{bad} bad line{'s' if bad > 1 else ''} skipped, named above.", returncode=1)
