"""What serves connects with a database role that reads and writes rows, owns no table and cannot rewrite a history."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from detection.models import Answer, PersonEvent
from hallu_site.startup import warn_of_owner
from reviews.models import ReviewEvent
from tests.api_calls import Caller, resolved, submitted
from tests.conftest import append_only_tables
from tests.reviews.attacks import ran
from tests.reviews.erased import erased, said, saying, settled

pytestmark = [pytest.mark.services, pytest.mark.django_db, pytest.mark.requirement("SEC-30")]

PASSWORD = "a-long-one"

ERASABLE = {
    ("detection_eventbody", "DELETE"),
    ("detection_trace", "UPDATE"),
    ("detection_tracestep", "UPDATE"),
    ("detection_rejectedfact", "UPDATE"),
}


@pytest.fixture
def role(settings: Any) -> str:
    """A role that the command has made; gone with the test's transaction."""
    name = f"serves_{uuid4().hex[:8]}"
    settings.RUNTIME_DATABASE_URL = f"postgresql://{name}:{PASSWORD}@localhost/hallu"
    call_command("runtime_role")
    return name


@pytest.fixture
def _served_by_it(role: str) -> Iterator[None]:
    """Everything below is asked by that role."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {role}")
        yield
        cursor.execute("RESET ROLE")


@pytest.mark.usefixtures("_served_by_it")
def test_an_answer_goes_from_submission_to_its_resolved_review(backend: Caller, dana: Caller) -> None:
    review = resolved(dana, submitted(backend), "rejected")
    assert ReviewEvent.objects.filter(subject=review).count() > 1
    call_command("sweep", once=True)


@pytest.mark.usefixtures("_served_by_it")
def test_histories_can_be_verified() -> None:
    assert ran()[1]


@pytest.mark.usefixtures("_served_by_it")
def test_what_is_append_only_can_only_be_read_and_added_to() -> None:
    """But for what is erased: bodies of histories go, and other rows lose their words, by an order alone."""
    verbs = {"UPDATE": "UPDATE {} SET id = id", "DELETE": "DELETE FROM {}", "TRUNCATE": "TRUNCATE {} CASCADE"}
    for table in append_only_tables():
        for verb, statement in verbs.items():
            if (table, verb) not in ERASABLE:
                refused(statement.format(table), "permission denied")


@pytest.mark.usefixtures("_served_by_it")
@pytest.mark.requirement("SEC-19")
def test_the_role_erases(backend: Caller, dana: Caller) -> None:
    answer = said(backend)
    settled(answer, dana)
    erased(answer)
    assert saying() == set()


@pytest.mark.usefixtures("_served_by_it")
def test_no_table_trigger_or_role_is_its_to_alter(role: str) -> None:
    table = ReviewEvent._meta.db_table
    for statement in (
        "CREATE TABLE mine (id int)",
        f"ALTER TABLE {table} DISABLE TRIGGER ALL",
        f"DROP TRIGGER {table}_no_update ON {table}",
        f"ALTER TABLE {table} OWNER TO {role}",
        "CREATE OR REPLACE FUNCTION hallu_append_only() RETURNS trigger AS 'BEGIN RETURN NEW; END' LANGUAGE plpgsql",
        "SET session_replication_role = replica",
        "CREATE ROLE another SUPERUSER",
        f"ALTER ROLE {role} SUPERUSER",
        f"DROP TABLE {Answer._meta.db_table} CASCADE",
        "DELETE FROM django_migrations",
    ):
        refused(statement, "permission denied|must be owner|must be superuser")


def refused(statement: str, why: str) -> None:
    with pytest.raises(DatabaseError, match=why), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_command_may_be_repeated_and_takes_back_what_is_no_longer_due(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT UPDATE ON {PersonEvent._meta.db_table} TO {role}")
        call_command("runtime_role")
        cursor.execute(f"SELECT has_table_privilege('{role}', '{PersonEvent._meta.db_table}', 'UPDATE')")
        assert cursor.fetchone() == (False,)


def test_the_password_is_stored_hashed_and_no_right_over_others_given(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolpassword, rolsuper, rolcreaterole FROM pg_authid WHERE rolname = %s", [role]
        )
        password, *rights = cursor.fetchone()
    assert password.startswith("SCRAM-SHA-256$")
    assert rights == [False, False]


def test_an_owner_that_may_make_no_roles_uses_the_one_it_finds(role: str) -> None:
    owner = f"owns_{uuid4().hex[:8]}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {owner}")
        cursor.execute(f"ALTER SCHEMA public OWNER TO {owner}")
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"ALTER TABLE {table} OWNER TO {owner}")
        cursor.execute(f"REVOKE ALL ON {Answer._meta.db_table} FROM {role}")
        cursor.execute(f"SET LOCAL ROLE {owner}")
        call_command("runtime_role")
        cursor.execute(f"SET LOCAL ROLE {role}")
        assert list(Answer.objects.all()) == []
        cursor.execute("RESET ROLE")


def test_the_role_that_asks_cannot_be_the_one_that_serves(settings: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        settings.RUNTIME_DATABASE_URL = f"postgresql://{cursor.fetchone()[0]}:{PASSWORD}@localhost/hallu"
    with pytest.raises(CommandError, match="has to be another"):
        call_command("runtime_role")


def test_without_a_url_it_says_what_to_set(settings: Any) -> None:
    settings.RUNTIME_DATABASE_URL = ""
    with pytest.raises(CommandError, match="HALLU_RUNTIME_DATABASE_URL"):
        call_command("runtime_role")


def test_a_start_says_when_the_owner_serves(
    role: str, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PRODUCTION = True
    warn_of_owner()
    assert "served_by_owner" in caplog.text
    caplog.clear()
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {role}")
        warn_of_owner()
        cursor.execute("RESET ROLE")
    assert caplog.text == ""
