"""A backup is one file; restored into an empty database it is the database that it was made of; what is torn is refused."""

import json
import shutil
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from detection.models import PersonEvent, Property
from detection.models.standing import standing
from hallu_site.backups import archive, databases
from hallu_site.management.commands.restore import compare
from reviews.models import HallucinationReview, Lease
from tests.moving.databases import counted, empty_database, environment, manage, opened

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("MOV-5"),
]


@pytest.fixture(autouse=True)
def _programs() -> None:
    if connection.vendor == "postgresql" and not shutil.which("pg_dump"):
        pytest.skip("pg_dump is not on the PATH: apt install postgresql-client")


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody adds a property once the moment of a backup has come: before ``pg_dump`` reads, or before rows are counted."""
    name = "_client" if connection.vendor == "postgresql" else "_counted"
    next_step = getattr(databases, name)

    def write() -> None:
        Property.objects.create(code="LATE", name="Late")
        connection.close()

    def written_before(*arguments: Any, **more: Any) -> Any:
        monkeypatch.setattr(databases, name, next_step)
        writing = threading.Thread(target=write)
        writing.start()
        writing.join()
        return next_step(*arguments, **more)

    monkeypatch.setattr(databases, name, written_before)


@pytest.mark.usefixtures("late")
def test_a_restored_database_is_the_one_that_was_backed_up_at_that_moment(
    tmp_path: Path, make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    with transaction.atomic():
        PersonEvent.append(reviewer, "added", after=standing(reviewer))
    Lease.take(make_review(), reviewer)
    Property.objects.create(code="OAK", name="Oak Plaza")
    call_command("backup", tmp_path)
    (made,) = tmp_path.iterdir()
    assert made.name.startswith("hallu-")
    assert made.stat().st_mode & 0o077 == 0
    assert Property.objects.filter(code="LATE").exists()
    with empty_database(tmp_path) as url:
        printed = manage(environment(url, tmp_path), ["restore", str(made)])
        assert (
            "Every table has the rows that it had.\ntriggers: whole\nreview: 2 events in 1 chains, whole\n"
            in printed
        )
        with opened(url) as database:
            codes = [code for (code,) in database.execute("SELECT code FROM detection_property").fetchall()]
        assert codes == ["OAK"]
        with archive.opened(made) as (manifest, _):
            assert manifest.rows == counted(url)


@pytest.fixture
def made(tmp_path: Path, transactional_db: None) -> Path:
    """A backup."""
    call_command("backup", tmp_path / "whole.backup")
    return tmp_path / "whole.backup"


def refused(path: Path, said: str, **options: Any) -> None:
    """It is refused with a sentence."""
    with pytest.raises(CommandError, match=said):
        call_command("restore", path, **options)


def changed(path: Path, **entries: Any) -> Path:
    """A copy of a backup whose manifest says something else."""
    copy = path.with_name("changed.backup")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(copy, "w") as target:
        manifest = json.loads(source.read(archive.MANIFEST))
        target.writestr(archive.DUMP, source.read(archive.DUMP))
        target.writestr(archive.MANIFEST, json.dumps(manifest | entries))
    return copy


def test_a_torn_backup_is_refused(made: Path) -> None:
    call_command("restore", made, check=True)
    whole = made.read_bytes()
    for length in (0, 1, len(whole) // 3, len(whole) - 200, len(whole) - 1):
        made.write_bytes(whole[:length])
        refused(made, "is no whole backup: it is torn", check=True)
    for place in (1000, len(whole) // 2):
        made.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        refused(made, "is damaged|is no whole backup", check=True)


def test_what_is_no_backup_of_this_hallu_is_refused(made: Path, tmp_path: Path) -> None:
    refused(tmp_path / "none", "cannot be read: No such file")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("letter.txt", "Dear all")
    refused(tmp_path / "other.zip", "is no backup of Hallu")
    refused(changed(made, format=2), "format 2, of a newer Hallu")
    refused(changed(made, vendor="oracle"), "a backup of oracle, and the database is")
    newer = {"detection": ["0001_initial", "0999_of_tomorrow"]}
    refused(changed(made, migrations=newer), "another version of Hallu: detection 0999_of_tomorrow")


def test_only_an_empty_database_is_restored_into(made: Path) -> None:
    Property.objects.create(code="OAK", name="Oak Plaza")
    refused(made, "The database has tables")
    assert Property.objects.filter(code="OAK").exists()


def test_a_database_with_other_rows_than_were_backed_up_is_named() -> None:
    compare({"a": 1}, {"a": 1})
    with pytest.raises(
        CommandError, match="a has 1 of 2 rows; b has no table of 0 rows; c has 3 of no table rows"
    ):
        compare({"a": 2, "b": 0}, {"a": 1, "c": 3})


def test_a_backup_that_fails_leaves_no_file(
    made: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", made)
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        call_command("backup", tmp_path / "no" / "folder")
    if connection.vendor == "postgresql":
        (tmp_path / "bin").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        said = "pg_dump is not on the PATH"
    else:
        monkeypatch.setattr(databases, "_counted", _no_room)
        said = "The database refuses: database or disk is full"
    with pytest.raises(CommandError, match=said):
        call_command("backup", tmp_path / "new.backup")
    assert {path.name for path in tmp_path.iterdir()} <= {"whole.backup", "bin"}


def _no_room(*_: Any) -> None:
    raise sqlite3.OperationalError("database or disk is full")
