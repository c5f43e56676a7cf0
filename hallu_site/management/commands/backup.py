"""``manage.py backup FILE``: the database, as it is at one moment, in one file that ``manage.py restore`` takes."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from detection.operations.checks import INSTALLATION
from hallu_site.backups import archive, databases


class Command(BaseCommand):
    """Writes the file whole or not at all. Everybody else goes on working meanwhile."""

    help = "Write the database to one file, to be restored by manage.py restore. Nothing has to be stopped for it."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        parser.add_argument("file", type=Path, help="the file; or a folder, where it is named by the time")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` where there is such a file, or the database cannot be read."""
        now = timezone.now()
        path: Path = options["file"]
        if path.is_dir():
            path = path / f"hallu-{now:%Y%m%dT%H%M%SZ}.backup"
        if path.exists():
            raise CommandError(f"{path} is there already.")
        try:
            databases.refuse_pool()
            with archive.written(path) as file:
                with archive.dump_to(file, compress=connection.vendor == "sqlite") as target:
                    rows = databases.dump(target, path.parent)
                manifest = archive.Manifest(now.isoformat(), connection.vendor, applied(), rows)
                archive.conclude(file, manifest)
        except databases.Failed as failed:
            raise CommandError(str(failed)) from failed
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        self.stdout.write(
            f"{path}: {sum(rows.values())} rows of {len(rows)} tables, {path.stat().st_size / 1e6:.1f} MB"
        )


def applied() -> dict[str, list[str]]:
    """App → its migrations that the database has."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        found.setdefault(app, []).append(name)
    return found
