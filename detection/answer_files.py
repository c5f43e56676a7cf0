"""Files of answers for the commands: JSON lines in, each a submit body; what is wrong with one is said by its number."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime
from datetime import time as clock
from pathlib import Path
from typing import IO, Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError, OutputWrapper
from django.utils import timezone
from rest_framework.exceptions import ParseError, ValidationError

from detection import toolkit
from detection.models import Property, ThresholdProfile
from detection.models.runs import FAST, SLOW
from detection.parsers import faults, loads
from detection.problems import fields
from detection.serializers.lookup import nearest
from detection.serializers.submissions import SubmissionSerializer

# An operator at the command line sees every property.
OPERATOR = User(username="operator", is_superuser=True)
NOT_JUDGED = ("external_id", "asked_by", "model")
"""What a submission says that judging does not look at."""


class BadLine(Exception):
    """A line that is no submission; the message says what to mend."""


def opened(files: ExitStack, name: str, mode: str) -> IO[bytes]:
    """A file, or stdin or stdout for ``-``. Raises :class:`CommandError` with the reason."""
    if name == "-":
        return sys.stdin.buffer if mode == "rb" else sys.stdout.buffer
    try:
        return files.enter_context(Path(name).open(mode))
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}.") from error


def counted(lines: IO[bytes], name: str, shown_on: OutputWrapper) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, blank ones passed over; a progress bar when ``shown_on`` is a terminal."""
    total = Path(name).stat().st_size if name != "-" else 0
    read, shown = 0, total and shown_on.isatty()
    for number, line in enumerate(lines, start=1):
        read += len(line)
        if shown and number % 10 == 0:
            shown_on.write(f"\r{bar(read / total)} {number} answers", ending="")
        if line.strip():
            yield number, line
    if shown:
        shown_on.write(f"\r{bar(1.0)} done" + " " * 20)


def bar(share: float) -> str:
    """How far something is, 0–1, in forty signs and per cent."""
    filled = min(40, int(40 * share))
    return f"[{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}"


def named_profile(version: int | None) -> ThresholdProfile:
    """The profile of this version, the active one for None. Raises :class:`CommandError` naming the known ones."""
    if version is None:
        return ThresholdProfile.active()
    found = ThresholdProfile.objects.filter(version=version).first()
    if found is None:
        known = ", ".join(map(str, ThresholdProfile.objects.values_list("version", flat=True)))
        raise CommandError(f"There is no profile version {version}. Known: {known}.")
    return found


def named_detectors(given: str) -> list[str] | None:
    """The detectors of a comma-separated list, None for an empty one. Raises :class:`CommandError`."""
    names = [name.strip() for name in given.split(",") if name.strip()]
    unknown = [name for name in names if name not in (*FAST, *SLOW)]
    if unknown:
        raise CommandError(f"Unknown detectors: {', '.join(unknown)}. Known: {', '.join((*FAST, *SLOW))}.")
    return names or None


def add_properties(parser: ArgumentParser, told: str) -> None:
    """The option ``--property`` with one code or several, again and again; ``told`` is what they are for."""
    parser.add_argument("--property", nargs="+", action="extend", default=[], metavar="CODE", help=told)


def named_user(name: str) -> User | None:
    """The person of that name, None for none. Raises :class:`CommandError` for a name that nobody has."""
    if not name:
        return None
    found = User.objects.filter(username=name).first()
    if found is None:
        raise CommandError(
            f"There is no user “{name}”.{nearest(name, User.objects.values_list('username', flat=True))}"
        )
    return found


def named_property(code: str) -> Property:
    """The property of this code. Raises :class:`CommandError` with the nearest ones."""
    found = Property.objects.filter(code=code).first()
    if found is None:
        known = nearest(code, Property.objects.values_list("code", flat=True))
        raise CommandError(f"There is no property “{code}”.{known}")
    return found


def named_day(option: str, given: str) -> datetime:
    """The beginning of a day (UTC). Raises :class:`CommandError` saying what to give for ``option``."""
    try:
        day = datetime.combine(date.fromisoformat(given), clock(), UTC)
    except ValueError as error:
        raise CommandError(f"{option} {given}: give a day as YYYY-MM-DD.") from error
    if day > timezone.now():
        raise CommandError(f"{option} {given}: that day has not come yet.")
    return day


def body_of(line: bytes) -> Any:
    """The line's JSON. Raises :class:`BadLine`."""
    try:
        return loads(line)
    except (ParseError, ValidationError) as error:
        raise BadLine(str(error.detail)) from error


def submission(body: Any) -> dict[str, Any]:
    """The checked values of a submit body, by the rules of the API. Raises :class:`BadLine`."""
    try:
        unstorable = [f"{path}: {fault}" for path, fault in faults(body)]
        form = SubmissionSerializer(data=body, context={"caller": OPERATOR})
        if unstorable or not form.is_valid():
            raise BadLine("; ".join(unstorable or [f"{name}: {text}" for name, text in fields(form.errors)]))
    except ValidationError as error:
        raise BadLine(str(error.detail)) from error
    return form.submission()


def judge(given: dict[str, Any], profile: ThresholdProfile, detectors: list[str] | None) -> dict[str, Any]:
    """The Result of a checked submission under ``profile``; nothing is stored. ``detectors`` overrule those the
    submission asks for."""
    judged = {name: value for name, value in given.items() if name not in NOT_JUDGED}
    asked, about = judged.pop("detectors", None), judged.pop("property", None)
    result = toolkit.judge(
        judged.pop("answer"), about=about, detectors=detectors or asked, profile=profile, **judged
    )
    return {**result, "external_id": given["external_id"]}
