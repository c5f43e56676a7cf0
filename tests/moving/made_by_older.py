"""Makes the databases that the rehearsal of an upgrade begins with, by the code of an older commit:

    git worktree add ../older COMMIT && cd ../older
    HALLU_TEST=1 DJANGO_SECRET_KEY=… DATABASE_URL=… python …/tests/moving/made_by_older.py > database.xz

with the secret key of ``tests/moving/older.py``, on an empty database of either kind. It holds the demo's portfolio and
people, and every seventh of its answers, judged and settled.
"""

import lzma
import os
import sqlite3
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path.cwd()))
os.environ["DJANGO_SETTINGS_MODULE"] = "hallu_site.settings"

import django

django.setup()

EVERY = 7


def fill() -> None:
    """All migrations, and the demo."""
    from django.core.management import call_command

    from reviews.demo import answers, history
    from reviews.management.commands import seed_demo

    every = list(answers.demo_answers())[::EVERY]
    modules: list[Any] = [history, seed_demo]
    for module in modules:
        module.demo_answers = lambda: every
    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    told = StringIO()
    call_command("seed_demo", now=True, stdout=told)
    sys.stderr.write(told.getvalue())


def written() -> bytes:
    """The database for any version of its server: as SQL of PostgreSQL, as the file of SQLite."""
    from django.conf import settings
    from django.db import connection

    connection.close()
    if connection.vendor == "sqlite":
        with sqlite3.connect(settings.DATABASES["default"]["NAME"]) as made:
            made.execute("PRAGMA journal_mode=DELETE")
            made.execute("VACUUM")
        return Path(settings.DATABASES["default"]["NAME"]).read_bytes()
    options = ["--inserts", "--rows-per-insert=200", "--no-owner", "--no-privileges"]
    dumped = subprocess.run(["pg_dump", *options, settings.DATABASE_URL], stdout=subprocess.PIPE, check=True)
    lines = dumped.stdout.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith((b"\\", b"SET ", b"--")))


fill()
sys.stdout.buffer.write(lzma.compress(written(), preset=lzma.PRESET_EXTREME))
