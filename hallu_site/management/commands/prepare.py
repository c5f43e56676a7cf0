"""``manage.py prepare``: everything between an installed Hallu and a start. ``./run`` calls it each time."""

import hashlib
import re
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand

from hallu_site.management.commands.up import refuse_taken_port
from reviews.demo.people import DEMO_DOMAIN, kept

STATIC_STAMP = "sources.sha256"

WELCOME = """
Hallu opens in a few seconds on  http://localhost:{port}/   (Ctrl-C stops it)

{demo}

Post an answer as a backend would:
  curl -s http://localhost:{port}/api/v1/answers/ \\
    -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' -H 'Prefer: wait=5' \\
    -d '{{"question": "What was NOI in Q3 2024?", "answer": "NOI was $1.2 million [S0].",
         "sources": [{{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89."}}]}}'
API documentation: http://localhost:{port}/api/v1/docs/
"""


class Command(BaseCommand):
    """Migrate, make the cache table, collect static files, load the demo on the first start, say where."""

    help = "Prepare the database, static files and, on SQLite, the demo. Harmless when repeated."

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` when the port is taken; otherwise leave a state ready to start."""
        refuse_taken_port(settings.HALLU_PORT)
        self._say(f"database {settings.DATABASES['default']['NAME']}")
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        self._collect_static()
        if settings.PRODUCTION:
            return
        demo = self._demo()
        key = re.search(r"hallu_[\w-]+", demo)
        self.stdout.write(
            WELCOME.format(port=settings.HALLU_PORT, demo=demo.strip(), key=key.group() if key else "KEY")
        )

    def _say(self, text: str) -> None:
        self.stdout.write(f"hallu: {text}")
        self.stdout.flush()

    def _collect_static(self) -> None:
        """Collect static files, unless the same sources were collected before."""
        stamp = Path(settings.STATIC_ROOT) / STATIC_STAMP
        sources = sources_of_static_files()
        if stamp.exists() and stamp.read_text() == sources:
            return
        self._say("static files")
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(sources)

    def _demo(self) -> str:
        """The demo's log-ins and key, made on the first start; nothing once its users were deleted."""
        seeded_before = kept().exists() and User.objects.exists()
        if seeded_before and not User.objects.filter(email__endswith=f"@{DEMO_DOMAIN}").exists():
            return ""
        if not seeded_before:
            self._say("demo portfolio, answers and users (first start)")
        printed = StringIO()
        call_command("seed_demo", stdout=printed)
        return printed.getvalue()


def sources_of_static_files() -> str:
    """SHA-256 over path, size and time of every static file of the project and its packages."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda found: found[0]):
            status = Path(storage.path(path)).stat()
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
