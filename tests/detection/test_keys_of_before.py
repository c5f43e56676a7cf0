"""Keys, groups and answers from before empty meant nothing (migration 0024), forwards, and on the way back; with a history of
before events told in rows apart (0030)."""

import hashlib
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from detection.models import AccessEvent, Answer, ApiKey, PropertyGroup
from detection.models.events import content_of
from tests.conftest import let_flush_empty_tables

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgres,
    pytest.mark.requirement("SEC-7"),
]
BEFORE = [("detection", "0023_conclusions_of_steps")]


def before() -> Any:
    """The models of the version before, whose tables are there now."""
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    return executor.loader.project_state(BEFORE).apps.get_model


def now() -> None:
    """The tables of this version."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    let_flush_empty_tables()  # those that the migrations have just made anew


def is_frozen(answers: Any) -> bool:
    """Whether the database refuses to rewrite an answer."""
    with pytest.raises(DatabaseError, match="must not change"), transaction.atomic():
        answers.objects.update(text="rewritten")
    return True


@pytest.mark.budget(60)  # the tables of two versions, twice
def test_what_a_key_saw_it_sees_and_what_saw_nothing_sees_no_more_on_the_way_back() -> None:
    old = before()
    keys = [
        old("detection", "ApiKey").objects.create(name=n, digest=n, scopes=["read"])
        for n in ("bound", "free")
    ]
    keys[0].properties.add(old("detection", "Property").objects.create(code="OAK", name="Oak"))
    old("detection", "PropertyGroup").objects.create(name="empty")
    query = old("detection", "Query").objects.create()
    old("detection", "Answer").objects.create(query=query, text="NOI", submitted_by=keys[1])
    told = {
        "action": "issued",
        "after": {"scopes": ["read"]},
        "reason": "of before",
        "created_at": timezone.now(),
    }
    event = old("detection", "AccessEvent")(subject=keys[1], seq=1, **told)
    event.hash = hashlib.sha256(content_of(event).encode()).hexdigest()
    event.save()
    now()
    seen = ApiKey.objects.order_by("name").values_list("name", "all_properties", "consented_at")
    assert list(seen) == [("bound", False, None), ("free", True, None)]
    assert not PropertyGroup.objects.get().all_properties
    assert Answer.objects.get(submitted_by__name="free").submitted_for is None
    assert is_frozen(Answer)
    free = ApiKey.objects.get(name="free")
    assert AccessEvent.broken_at(free) is None
    first = free.events.get(seq=1)
    assert (first.reason, first.after, first.body_hash) == ("of before", told["after"], "")
    ApiKey.issue("nothing", ["read"])
    old = before()
    assert old("detection", "AccessEvent").objects.get(subject=free.pk, seq=1).reason == "of before"
    revoked = old("detection", "ApiKey").objects.exclude(revoked=None)
    assert [key.name for key in revoked] == ["nothing"]
    assert is_frozen(old("detection", "Answer"))
    now()
    assert is_frozen(Answer)
