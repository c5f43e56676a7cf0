"""Keys, groups and answers from before empty meant nothing (migration 0024), forwards, and on the way back; with a history of
before events told in rows apart (0030)."""

import hashlib
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from detection.models import AccessEvent, Answer, ApiKey, PropertyGroup, Query
from detection.models.events import EventBody, content_of

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


def is_frozen(answers: Any) -> bool:
    """Whether the database refuses to rewrite an answer."""
    with pytest.raises(DatabaseError, match="must not change"), transaction.atomic():
        answers.objects.update(text="rewritten")
    return True


def signed_as_before(event: Any) -> None:
    """Save an event with the hash that one of before there was a key has."""
    event.hash = hashlib.sha256(content_of(event).encode()).hexdigest()
    event.save()


TOLD = {"after": {"scopes": ["read"]}, "reason": "of before"}


def rows_of_now() -> None:
    """A key that sees all, whose event is as one of before, with its answer; and a key that sees nothing."""
    later = ApiKey.objects.create(name="later", digest="later", scopes=["read"], all_properties=True)
    Answer.objects.create(query=Query.objects.create(), text="NOI", submitted_by=later)
    body = EventBody.objects.create(**TOLD)
    signed_as_before(AccessEvent(subject=later, seq=1, action="issued", body=body, created_at=timezone.now()))
    ApiKey.issue("nothing", ["read"])


def rows_of_before(old: Any) -> None:
    """A key that names a property, one that names none, with its event and its answer; a group without properties."""
    bound, free = (
        old("detection", "ApiKey").objects.create(name=name, digest=name, scopes=["read"])
        for name in ("bound", "free")
    )
    bound.properties.add(old("detection", "Property").objects.create(code="OAK", name="Oak"))
    old("detection", "PropertyGroup").objects.create(name="empty")
    query = old("detection", "Query").objects.create()
    old("detection", "Answer").objects.create(query=query, text="NOI", submitted_by=free)
    signed_as_before(
        old("detection", "AccessEvent")(
            subject=free, seq=1, action="issued", created_at=timezone.now(), **TOLD
        )
    )


@pytest.mark.budget(30)  # the tables of two versions
def test_what_a_key_saw_it_sees_and_what_saw_nothing_sees_no_more_on_the_way_back() -> None:
    rows_of_now()
    old = before()
    assert old("detection", "AccessEvent").objects.get(subject__name="later").reason == "of before"
    revoked = old("detection", "ApiKey").objects.exclude(revoked=None)
    assert [key.name for key in revoked] == ["nothing"]
    assert is_frozen(old("detection", "Answer"))
    rows_of_before(old)
    now()
    seen = ApiKey.objects.filter(revoked=None).order_by("name")
    assert list(seen.values_list("name", "all_properties", "consented_at")) == [
        ("bound", False, None),
        ("free", True, None),
        ("later", True, None),
    ]
    assert not PropertyGroup.objects.get().all_properties
    assert Answer.objects.get(submitted_by__name="free").submitted_for is None
    assert is_frozen(Answer)
    for key in ApiKey.objects.filter(name__in=("free", "later")):
        assert AccessEvent.broken_at(key) is None
        first = key.events.get(seq=1)
        assert (first.reason, first.after, first.body_hash) == ("of before", {"scopes": ["read"]}, "")
