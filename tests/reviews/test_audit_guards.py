"""``verify_audit`` names triggers that are missing, switched off, or other than the migrations make them."""

import pytest
from django.db import connection

from detection.history.guards import statements
from reviews.models import HallucinationReview
from tests.reviews.attacks import EVENTS, by_sql, drop, found, ran

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db,
    pytest.mark.requirement("SEC-20"),
]
UPDATE, DELETE = f"{EVENTS}_no_update", f"{EVENTS}_no_delete"


def is_postgres() -> bool:
    return bool(connection.vendor == "postgresql")


def idle(trigger: str, table: str, verb: str = "UPDATE") -> None:
    """A trigger of this name that does nothing."""
    if is_postgres():
        by_sql(
            "CREATE OR REPLACE FUNCTION idle() RETURNS trigger AS $$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql"
        )
        by_sql(f"CREATE TRIGGER {trigger} BEFORE {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION idle()")
    else:
        by_sql(f"CREATE TRIGGER {trigger} BEFORE {verb} ON {table} BEGIN SELECT 1; END")


def test_what_the_migrations_made_is_whole() -> None:
    assert len(statements()) > 30
    assert ran()[1]


@pytest.mark.parametrize(("table", "trigger"), sorted(statements()))
def test_a_trigger_that_was_taken_away_is_named(db: None, table: str, trigger: str) -> None:
    drop(trigger, table)
    assert found() == [f"trigger {table} {trigger}: is missing"]


def test_a_trigger_that_does_nothing_is_named() -> None:
    drop(UPDATE, EVENTS)
    idle(UPDATE, EVENTS)
    assert found() == [f"trigger {EVENTS} {UPDATE}: is not as the migrations make it"]


def test_a_trigger_that_lets_some_rows_through_is_named() -> None:
    made = statements()[EVENTS, UPDATE]
    drop(UPDATE, EVENTS)
    by_sql(
        made.replace(" FOR EACH ROW", " FOR EACH ROW WHEN (OLD.seq > 1)")
        if is_postgres()
        else made.replace(" BEGIN", " WHEN OLD.seq > 1 BEGIN")
    )
    assert found() == [f"trigger {EVENTS} {UPDATE}: is not as the migrations make it"]


def test_columns_that_are_no_longer_kept_are_named() -> None:
    table, trigger = "detection_answer", "detection_answer_frozen"
    made = statements()[table, trigger]
    drop(trigger, table)
    by_sql(made.replace('UPDATE OF "question", "text"', 'UPDATE OF "question"'))
    assert found() == [f"trigger {table} {trigger}: is not as the migrations make it"]


def test_a_trigger_of_that_name_elsewhere_does_not_count(review: HallucinationReview) -> None:
    drop(DELETE, EVENTS)
    idle(DELETE, "reviews_lease", "DELETE")
    assert found() == [f"trigger {EVENTS} {DELETE}: is missing"]


def test_a_trigger_beside_ours_is_named() -> None:
    idle("swallows", EVENTS, "INSERT")
    assert found() == [f"trigger {EVENTS} swallows: is not made by any migration"]


@pytest.mark.services  # SQLite has neither a switch nor functions
@pytest.mark.parametrize("switch", ["DISABLE", "ENABLE REPLICA"])
def test_a_trigger_that_was_switched_off_is_named(switch: str) -> None:
    by_sql(f"ALTER TABLE {EVENTS} {switch} TRIGGER {DELETE}")
    assert found() == [f"trigger {EVENTS} {DELETE}: is switched off"]


@pytest.mark.services
def test_sessions_in_which_no_trigger_fires_are_named() -> None:
    by_sql("SET LOCAL session_replication_role = replica")
    assert found() == ["trigger session_replication_role: keeps all of them from firing"]


@pytest.mark.services
def test_a_function_that_does_nothing_is_named() -> None:
    by_sql(
        "CREATE OR REPLACE FUNCTION hallu_append_only() RETURNS trigger AS "
        "$$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql"
    )
    assert found() == ["trigger function hallu_append_only: is not as the migrations make it"]
