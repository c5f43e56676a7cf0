"""``manage.py evaluate``: how well labelled answers are judged, in figures with intervals."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from detection import answer_files, evaluation
from detection.answer_files import BadLine
from detection.models.runs import FAST, SLOW
from detection.operations.checks import INSTALLATION


class Command(BaseCommand):
    """Labelled answers in, precision, recall, cost and time out; nothing stored."""

    help = (
        "Judge labelled answers and say how well: one submit body (JSON) a line with `hallucinated` (true or false) "
        "and, if known, `spans` of what is wrong ({start, end}, code points); '-' is stdin."
    )
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: CommandParser) -> None:
        """File, profile, detectors and where the figures go."""
        parser.add_argument("input", help="JSON lines, or - for stdin.")
        parser.add_argument(
            "--profile", type=int, help="Version of the threshold profile; the active one unless given."
        )
        parser.add_argument(
            "--detectors", default="", help=f"Comma-separated, of {','.join((*FAST, *SLOW))}."
        )
        parser.add_argument("--json", default="", help="Also write the figures to this file.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Judge every good line, print the figures; end with exit code 1 when a line was bad."""
        profile = answer_files.named_profile(options["profile"])
        detectors = answer_files.named_detectors(options["detectors"])
        rows, bad = [], 0
        with ExitStack() as files:
            lines = answer_files.opened(files, options["input"], "rb")
            for number, line in answer_files.counted(lines, options["input"], self.stderr):
                try:
                    given, hallucinated, spans = labelled(line)
                    result = answer_files.judge(given, profile, detectors)
                    rows.append(evaluation.judged(result, hallucinated, spans))
                except BadLine as error:
                    bad += 1
                    self.stderr.write(f"line {number}: {error}")
        found = evaluation.evaluate(rows)
        self.stdout.write(evaluation.told(found, profile.version))
        if options["json"]:
            _write(Path(options["json"]), {"profile": profile.version, "bad_lines": bad, **asdict(found)})
        if bad:
            raise CommandError(f"{bad} bad line{'s' if bad > 1 else ''} skipped, named above.", returncode=1)


def labelled(line: bytes) -> tuple[dict[str, Any], bool, list[tuple[int, int]]]:
    """The checked submission of a line, its label and its wrong spans. Raises :class:`BadLine`."""
    body = answer_files.body_of(line)
    if not isinstance(body, dict) or not isinstance(body.get("hallucinated"), bool):
        raise BadLine("hallucinated: give true or false.")
    label, given = body.pop("hallucinated"), body.pop("spans", None)
    submission = answer_files.submission(body)
    spans = [_span(span, len(submission["answer"])) for span in _listed(given)]
    if spans and not label:
        raise BadLine("spans: an answer that is not hallucinated has none.")
    return submission, label, spans


def _listed(spans: Any) -> list[Any]:
    if spans is None or isinstance(spans, list):
        return spans or []
    raise BadLine("spans: give a list.")


def _span(given: Any, length: int) -> tuple[int, int]:
    start, end = (given.get("start"), given.get("end")) if isinstance(given, Mapping) else (None, None)
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        raise BadLine(f"spans: give start and end within the {length} characters of the answer.")
    return start, end


def _write(path: Path, figures: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from error
