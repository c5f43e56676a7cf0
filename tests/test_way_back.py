"""A release that is taken back and put on again leaves every rule of the database in place."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests import migrated

ROOT = Path(__file__).parent.parent


def migrate(var: Path, *to: str) -> None:
    """Migrate a database of its own."""
    given = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    given |= {"HALLU_TEST": "true", "HALLU_VAR": str(var)}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0", *to], cwd=ROOT, env=given, check=True)


def triggers(var: Path) -> list[str]:
    """The names of the triggers of that database."""
    with sqlite3.connect(var / "hallu.sqlite3") as database:
        named = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return sorted(name for (name,) in named)


@pytest.mark.requirement("APP-03")
@pytest.mark.usefixtures("django_db_setup")
def test_the_triggers_of_sqlite_survive_the_way_back_and_forth(tmp_path: Path) -> None:
    """SQLite rebuilds a table to drop a column, and drops the table's triggers with it."""
    migrated.install(tmp_path / "hallu.sqlite3")
    before = triggers(tmp_path)
    migrate(tmp_path, "detection", "0016")
    assert "detection_detectionrun_frozen" in set(triggers(tmp_path)) < set(before)
    migrate(tmp_path)
    assert triggers(tmp_path) == before
