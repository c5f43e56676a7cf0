"""``manage.py restore FILE``: an empty database becomes the one that a backup was made of, and is compared with it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from detection.operations.checks import INSTALLATION
from hallu_site.backups import archive, databases


class Command(BaseCommand):
    """Checks the file, fills the database, counts its rows, brings it to this version, and verifies its histories."""

    help = "Fill an empty database from a file of manage.py backup, bring it to this version and verify it."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """From where; or nothing but a look."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="only say whether the file is whole")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError`, before the database is touched, for a file that is not whole or not for it; and
        afterwards where what is there is not what was backed up."""
        path: Path = options["file"]
        try:
            databases.refuse_pool()
            with archive.opened(path) as (manifest, file):
                held = f"{sum(manifest.rows.values())} rows of {len(manifest.rows)} tables, {manifest.vendor}"
                self.stdout.write(f"{path}: of {manifest.made_at}, {held}, whole")
                if options["check"]:
                    return
                refuse(manifest)
                with file.open(archive.DUMP) as source:
                    databases.load(source, settings.HALLU_VAR)
        except (archive.NotWhole, databases.Failed) as failed:
            raise CommandError(str(failed)) from failed
        compare(manifest.rows, databases.rows())
        self.stdout.write("Every table has the rows that it had.")
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        call_command("verify_audit", stdout=self.stdout)


def refuse(manifest: archive.Manifest) -> None:
    """Raise :class:`CommandError` for a database that is of another kind or not empty, and for a backup of a newer Hallu."""
    if manifest.vendor != connection.vendor:
        raise CommandError(
            f"It is a backup of {manifest.vendor}, and the database is {connection.vendor}: one kind only goes into itself."
        )
    known = MigrationLoader(None).disk_migrations or {}
    unknown = [
        f"{app} {name}"
        for app, names in manifest.migrations.items()
        for name in names
        if (app, name) not in known
    ]
    if unknown:
        raise CommandError(f"It was made by another version of Hallu: {unknown[0]} is not known to this one.")
    if not databases.is_empty():
        raise CommandError("The database has tables. Restore into an empty one, which nothing is at work on.")


def compare(wanted: dict[str, int], found: dict[str, int]) -> None:
    """Raise :class:`CommandError` where a table has another number of rows than it had."""
    wrong = [
        f"{table} has {found.get(table, 'no table')} of {wanted.get(table, 'no table')} rows"
        for table in sorted(wanted.keys() | found.keys())
        if wanted.get(table) != found.get(table)
    ]
    if wrong:
        raise CommandError(f"The database is not what was backed up: {'; '.join(wrong)}.")
