"""``verify_audit`` finds what was done to a history behind the application's back."""

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from detection.append_only import append_only, never_emptied
from detection.models import ApiKey
from reviews.audit.histories import HISTORIES
from reviews.management.commands import verify_audit
from reviews.models import HallucinationReview, Lease

EVENTS = "reviews_reviewevent"
pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-03")]


def triggers(table: str) -> dict[str, Any]:
    """The operation that makes each trigger that a flush between tests needs out of the way."""
    unique = ("subject_id", "seq")
    return {"delete": append_only(table), "truncate": never_emptied(table, unique)}


@pytest.fixture(autouse=True)
def _guarded() -> None:
    """The triggers as the migrations make them; the test database lacks one for each table."""
    lacking = "delete" if connection.vendor == "sqlite" else "truncate"
    editor = connection.SchemaEditorClass(connection, atomic=False)
    for kind in HISTORIES.values():
        table = kind._meta.db_table
        if lacking == "delete":
            editor.execute(f"DROP TRIGGER {table}_no_update")
        triggers(table)[lacking].code(apps, editor)


@pytest.fixture
def worked(review: HallucinationReview, reviewer: User) -> HallucinationReview:
    """A review with five events."""
    Lease.take(review, reviewer)
    Lease.release(review, reviewer)
    Lease.take(review, reviewer)
    Lease.release(review, reviewer)
    return review


def ran(*arguments: str) -> tuple[str, bool]:
    """What the command printed, and whether it ended well."""
    out = io.StringIO()
    try:
        call_command("verify_audit", *arguments, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}", error.returncode != 1
    return out.getvalue(), True


def behind_its_back(statement: str, *values: Any) -> None:
    """What somebody does who owns the database: take the triggers away, change EVENTS, put the triggers back."""
    table = EVENTS
    with connection.cursor() as cursor:
        for verb in ("update", "delete"):
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {table}_no_{verb}{on}")
        cursor.execute(statement.replace("EVENTS", table), values)
    append_only(table).code(apps, connection.SchemaEditorClass(connection, atomic=False))  # type: ignore[arg-type]


def test_whole_histories_are_counted(worked: HallucinationReview) -> None:
    ApiKey.issue("nlq", ["read"])
    said, well = ran()
    assert well
    assert "review: 5 events in 1 chains, whole" in said
    assert "key: 1 events in 1 chains, whole" in said
    assert said.endswith("All histories are whole.\n")


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE EVENTS SET reason = 'x' WHERE seq = 3", "event 3: its content is not what was written"),
        (
            "UPDATE EVENTS SET actor_id = NULL WHERE seq = 2",
            "event 2: its content is not what was written",
        ),
        (
            "UPDATE EVENTS SET request_id = 'r' WHERE seq = 1",
            "event 1: its content is not what was written",
        ),
        (
            "UPDATE EVENTS SET hash = 'no hash' WHERE seq = 5",
            "event 5: its content is not what was written",
        ),
        ("UPDATE EVENTS SET seq = 9 WHERE seq = 4", "event 5: event 4 is missing"),
        ("DELETE FROM EVENTS WHERE seq = 2", "event 3: event 2 is missing"),
        ("DELETE FROM EVENTS WHERE seq = 1", "event 2: event 1 is missing"),
        ("DELETE FROM EVENTS", ": has no history"),
    ],
)
def test_what_was_changed_or_taken_out_is_named_and_ends_with_1(
    worked: HallucinationReview, statement: str, found: str
) -> None:
    behind_its_back(statement)
    said, well = ran()
    assert not well
    assert f"BROKEN review {worked.pk}" in said
    assert found in said
    assert "1 broken" in said


def test_a_forged_row_with_a_hash_of_its_own_does_not_follow(worked: HallucinationReview) -> None:
    event = worked.events.get(seq=3)
    event.reason = "forged"
    behind_its_back("UPDATE EVENTS SET reason = 'forged', hash = %s WHERE seq = 3", event.digest())
    said, well = ran()
    assert not well
    assert "event 4: it does not follow the event before it" in said


def test_only_the_broken_chain_is_reported(
    worked: HallucinationReview, make_review: Any, reviewer: User
) -> None:
    Lease.take(make_review(), reviewer)
    behind_its_back("UPDATE EVENTS SET reason = 'x' WHERE subject_id = %s", worked.pk)
    said, _ = ran()
    assert said.count("BROKEN") == 1
    assert "review: 7 events in 2 chains, 1 broken" in said


def test_a_trigger_that_was_taken_away_is_named(worked: HallucinationReview) -> None:
    on = f" ON {EVENTS}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {EVENTS}_no_update{on}")
    said, well = ran()
    assert not well
    assert f"BROKEN review {EVENTS}: the trigger {EVENTS}_no_update is missing" in said


def test_a_trigger_that_was_switched_off_is_named(worked: HallucinationReview) -> None:
    trigger = f"{EVENTS}_no_delete"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {EVENTS} DISABLE TRIGGER {trigger}")
        else:  # SQLite has no switch; another trigger of that name elsewhere does not count
            cursor.execute(f"DROP TRIGGER {trigger}")
            cursor.execute(f"CREATE TRIGGER {trigger} BEFORE DELETE ON reviews_lease BEGIN SELECT 1; END")
    assert f"the trigger {trigger} is missing" in ran()[0]


@pytest.fixture
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are old enough to be sealed at once."""
    monkeypatch.setattr(verify_audit, "SETTLED", timedelta(0))


@pytest.mark.usefixtures("_settled")
def test_a_seal_shows_what_was_cut_off_the_end(worked: HallucinationReview, tmp_path: Path) -> None:
    seal = tmp_path / "seal.json"
    assert ran("--seal", str(seal))[1]
    behind_its_back("DELETE FROM EVENTS WHERE seq = 5")
    assert ran()[1], "a chain alone does not show it"
    kept = seal.read_text()
    said, well = ran("--seal", str(seal))
    assert not well
    assert "1 events are gone" in said
    assert seal.read_text() == kept


@pytest.mark.usefixtures("_settled")
def test_a_seal_holds_while_histories_go_on(
    worked: HallucinationReview, reviewer: User, tmp_path: Path
) -> None:
    seal = tmp_path / "seal.json"
    assert ran("--seal", str(seal))[1]
    first = json.loads(seal.read_text())["review"]
    Lease.take(worked, reviewer)
    assert ran("--seal", str(seal))[1]
    assert (first["events"], json.loads(seal.read_text())["review"]["events"]) == (5, 6)


def test_an_event_that_others_may_not_see_yet_is_not_sealed(
    worked: HallucinationReview, tmp_path: Path
) -> None:
    seal = tmp_path / "seal.json"
    ran("--seal", str(seal))
    kept = json.loads(seal.read_text())["review"]
    assert (kept["events"], kept["until"] < timezone.now().isoformat()) == (0, True)


@pytest.mark.parametrize("content", ["", "[]", "{}x", '{"review": {}}', '{"review": {"until": 1}}'])
def test_a_file_that_is_no_seal_is_refused_and_kept(tmp_path: Path, content: str) -> None:
    seal = tmp_path / "seal.json"
    seal.write_text(content)
    said, well = ran("--seal", str(seal))
    assert not well
    assert said.endswith("is not a seal of verify_audit.")
    assert seal.read_text() == content
