"""``manage.py schema``: bring the file of the API's OpenAPI document to the views."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from drf_spectacular.drainage import GENERATOR_STATS

from hallu_site import reference


class Command(BaseCommand):
    """What ``/api/v1/schema/`` serves is the file that this writes."""

    help = "Write the OpenAPI document of the API to hallu_site/openapi.json."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--check`` writes nothing and fails where the file is stale."""
        parser.add_argument(
            "--check", action="store_true", help="Write nothing; fail where the file is stale."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` where views cannot be described, and where the file is stale with ``--check``."""
        document = reference.generated()
        if GENERATOR_STATS:
            GENERATOR_STATS.emit_summary()
            raise CommandError("The views above cannot be described.")
        if not options["check"]:
            reference.SCHEMA.write_text(document, encoding="utf-8")
        elif not reference.SCHEMA.is_file() or reference.SCHEMA.read_text(encoding="utf-8") != document:
            raise CommandError("hallu_site/openapi.json is stale: run manage.py schema.")
