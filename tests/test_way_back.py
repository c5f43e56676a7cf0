"""A release that is taken back and put on again leaves every rule of the database in place."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def migrate(var: Path, *to: str) -> list[str]:
    """Migrate a database of its own; the names of its triggers."""
    given = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    given |= {"HALLU_TEST": "true", "HALLU_VAR": str(var)}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0", *to], cwd=ROOT, env=given, check=True)
    with sqlite3.connect(var / "hallu.sqlite3") as database:
        return [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]


@pytest.mark.requirement("APP-03")
def test_the_triggers_of_sqlite_survive_the_way_back_and_forth(tmp_path: Path) -> None:
    """SQLite rebuilds a table to drop a column, and drops the table's triggers with it."""
    before = migrate(tmp_path)
    back = migrate(tmp_path, "detection", "0016")
    assert "detection_detectionrun_frozen" in set(back) < set(before)
    assert sorted(migrate(tmp_path)) == sorted(before)
