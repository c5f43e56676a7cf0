"""``manage.py detect``: judge a file of answers without storing anything."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rest_framework.exceptions import ParseError, ValidationError

from detection import toolkit
from detection.models import ThresholdProfile
from detection.models.runs import FAST, SLOW
from detection.parsers import faults, loads
from detection.problems import fields
from detection.serializers.submissions import SubmissionSerializer

# An operator at the command line sees every property.
OPERATOR = User(username="operator", is_superuser=True)


class BadLine(Exception):
    """A line that is no submission; the message says what to mend."""


class Command(BaseCommand):
    """One submission a line in, one Result a line out."""

    help = "Judge answers: one submit body (JSON) a line in, one result a line out; '-' is stdin or stdout."

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
        profile, detectors = _profile(options["profile"]), _detectors(options["detectors"])
        bad = 0
        with ExitStack() as files:
            lines = _opened(files, options["input"], "rb")
            out = _opened(files, options["output"], "wb")
            for number, line in self._counted(lines, options["input"]):
                try:
                    result = _judged(line, profile, detectors)
                    out.write(json.dumps(result, ensure_ascii=False).encode() + b"\n")
                except BadLine as error:
                    bad += 1
                    self.stderr.write(f"line {number}: {error}")
        if bad:
            raise CommandError(f"{bad} bad line{'s' if bad > 1 else ''} skipped, named above.", returncode=1)

    def _counted(self, lines: IO[bytes], name: str) -> Iterator[tuple[int, bytes]]:
        """Lines with their numbers, blank ones passed over; a progress bar on a terminal."""
        total = Path(name).stat().st_size if name != "-" else 0
        read, shown = 0, total and self.stderr.isatty()
        for number, line in enumerate(lines, start=1):
            read += len(line)
            if shown and number % 10 == 0:
                self.stderr.write(f"\r{_bar(read / total)} {number} answers", ending="")
            if line.strip():
                yield number, line
        if shown:
            self.stderr.write(f"\r{_bar(1.0)} done" + " " * 20)


def _bar(share: float) -> str:
    filled = min(40, int(40 * share))
    return f"[{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}"


def _opened(files: ExitStack, name: str, mode: str) -> IO[bytes]:
    if name == "-":
        return sys.stdin.buffer if mode == "rb" else sys.stdout.buffer
    try:
        return files.enter_context(Path(name).open(mode))
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}.") from error


def _profile(version: int | None) -> ThresholdProfile:
    if version is None:
        return ThresholdProfile.active()
    found = ThresholdProfile.objects.filter(version=version).first()
    if found is None:
        known = ", ".join(map(str, ThresholdProfile.objects.values_list("version", flat=True)))
        raise CommandError(f"There is no profile version {version}. Known: {known}.")
    return found


def _detectors(given: str) -> list[str] | None:
    names = [name.strip() for name in given.split(",") if name.strip()]
    unknown = [name for name in names if name not in (*FAST, *SLOW)]
    if unknown:
        raise CommandError(f"Unknown detectors: {', '.join(unknown)}. Known: {', '.join((*FAST, *SLOW))}.")
    return names or None


def _judged(line: bytes, profile: ThresholdProfile, detectors: list[str] | None) -> dict[str, Any]:
    given = _submission(line)
    external_id = given.pop("external_id", None)
    for name in ("asked_by", "model", "callback_url"):
        given.pop(name, None)
    asked = detectors or given.pop("detectors", None)
    given.pop("detectors", None)
    about = given.pop("property", None)
    result = toolkit.judge(given.pop("answer"), about=about, detectors=asked, profile=profile, **given)
    return {**result, "external_id": external_id}


def _submission(line: bytes) -> dict[str, Any]:
    """The line's checked values, by the rules of the API. Raises :class:`BadLine`."""
    try:
        body = loads(line)
        unstorable = [f"{path}: {fault}" for path, fault in faults(body)]
        form = SubmissionSerializer(data=body, context={"caller": OPERATOR})
        if unstorable or not form.is_valid():
            raise BadLine("; ".join(unstorable or [f"{name}: {text}" for name, text in fields(form.errors)]))
    except (ParseError, ValidationError) as error:
        raise BadLine(str(error.detail)) from error
    return form.submission()
