"""``manage.py import_financials FILE``: figures of record from a file, all or nothing."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from detection.finance import files
from detection.finance.file_places import BadFile
from detection.operations.checks import INSTALLATION

MOST_LINES = 50


class Command(BaseCommand):
    """Prints what was created and changed, or names every bad row and changes nothing."""

    help = "Import properties, periods, figures and statement lines from a file, all or nothing."
    requires_system_checks = (INSTALLATION,)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Keep the format's line breaks in the help."""
        parser = super().create_parser(prog_name, subcommand, epilog=files.FORMAT, **kwargs)
        parser.formatter_class = RawDescriptionHelpFormatter
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and whether only to tell."""
        parser.add_argument("file", type=Path, help=".csv, .xlsx or .json")
        parser.add_argument(
            "--dry-run", action="store_true", help="Say what would change and change nothing."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` naming every bad row; then nothing was written."""
        try:
            reading = files.read(options["file"])
            outcomes = files.store(reading.batches, dry_run=options["dry_run"])
        except BadFile as bad:
            raise CommandError("\n".join([*bad.faults, "Nothing was imported."])) from bad
        for note in reading.notes:
            self.stdout.write(f"Note: {note}")
        lines = [line for outcome in outcomes.values() for line in outcome.lines]
        for line in lines[:MOST_LINES]:
            self.stdout.write(line)
        if len(lines) > MOST_LINES:
            self.stdout.write(f"… and {len(lines) - MOST_LINES} more")
        for name, outcome in outcomes.items():
            self.stdout.write(
                f"{name}: {outcome.created} new, {outcome.changed} changed, {outcome.unchanged} unchanged"
            )
        if options["dry_run"]:
            self.stdout.write("Dry run: nothing was written.")
