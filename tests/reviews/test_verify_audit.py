"""``verify_audit`` finds what was done to the rows of a history behind the application's back."""

import hashlib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User

import detection
import reviews
from detection import keyed
from detection.history.signing import note_plain_heads
from detection.models import AccessEvent, ApiKey, Event, EventBody, PlainHead, ProfileEvent, ThresholdProfile
from detection.models.events import content_of
from reviews.models import HallucinationReview, Lease, ReviewEvent
from tests.reviews.attacks import BODIES, OF_EVENT, behind_its_back, found, ran

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db,
    pytest.mark.requirement("APP-03"),
    pytest.mark.requirement("SEC-20"),
]
CHANGED = "its content is not what was written"


def plain(event: Any) -> str:
    """The hash that a row had before there was a key, which everybody can compute."""
    return hashlib.sha256(content_of(event).encode()).hexdigest()


def rewritten(review: HallucinationReview, since: int = 1, reason: str = "") -> None:
    """Rewrite the chain of a review from an event on, which gets this reason, with hashes that follow each other."""
    previous = ""
    for event in ReviewEvent.objects.filter(subject=review).order_by("seq"):
        if event.seq >= since:
            event.body.reason = reason if event.seq == since else event.reason
            event.prev_hash, event.body_hash = previous, ""
            event.hash = plain(event)
            behind_its_back(
                "UPDATE TABLE SET body_hash = '', prev_hash = %s, hash = %s WHERE id = %s",
                *(event.prev_hash, event.hash, event.pk),
            )
            behind_its_back(
                "UPDATE TABLE SET reason = %s, salt = '' WHERE id = %s",
                *(event.reason, event.body_id),
                table=BODIES,
            )
        previous = event.hash


def test_whole_histories_are_counted(worked: HallucinationReview) -> None:
    ApiKey.issue("nlq", ["read"])
    said, well = ran()
    assert well, said
    assert "review: 5 events in 1 chains, whole" in said
    assert "key: 1 events in 1 chains, whole" in said
    assert "triggers: whole" in said
    assert said.endswith("All histories are whole.\n")


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("UPDATE TABLE SET actor_id = NULL WHERE seq = 2", f"event 2: {CHANGED}"),
        ("UPDATE TABLE SET request_id = 'r' WHERE seq = 1", f"event 1: {CHANGED}"),
        ("UPDATE TABLE SET hash = 'no hash' WHERE seq = 5", f"event 5: {CHANGED}"),
        ("UPDATE TABLE SET seq = 9 WHERE seq = 4", "event 5: event 4 is missing"),
        ("DELETE FROM TABLE WHERE seq = 2", "event 3: event 2 is missing"),
        ("DELETE FROM TABLE WHERE seq = 1", "event 2: event 1 is missing"),
    ],
)
def test_what_was_changed_or_taken_out_is_named_and_ends_with_1(
    worked: HallucinationReview, statement: str, where: str
) -> None:
    behind_its_back(statement)
    assert found() == [f"review {worked.pk} {where}"]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE TABLE SET reason = 'x'", CHANGED),
        ("UPDATE TABLE SET salt = ''", CHANGED),
        ("DELETE FROM TABLE", "its body is gone, and no event tells that it was erased"),
    ],
)
def test_a_body_that_was_changed_or_taken_away_is_named(
    worked: HallucinationReview, statement: str, what: str
) -> None:
    behind_its_back(f"{statement} WHERE {OF_EVENT}", 3, table=BODIES)
    assert found() == [f"review {worked.pk} event 3: {what}"]


def test_a_whole_chain_that_is_gone_is_named(worked: HallucinationReview) -> None:
    behind_its_back("DELETE FROM TABLE")
    assert found() == [f"review {worked.pk}: has no history"]


@pytest.mark.parametrize("since", [1, 3, 5])
def test_a_chain_that_was_rewritten_with_hashes_that_need_no_key_is_named(
    worked: HallucinationReview, since: int
) -> None:
    rewritten(worked, since, reason="forged")
    assert found() == [f"review {worked.pk} event {since}: its hash was made without the key"]


def test_an_event_that_was_added_without_the_key_is_named(worked: HallucinationReview) -> None:
    last = ReviewEvent.objects.get(subject=worked, seq=5)
    forged = ReviewEvent.objects.get(pk=last.pk)
    forged.pk, forged.seq, forged.prev_hash, forged.action = None, 6, last.hash, "noted"
    forged.body, forged.body_hash = EventBody.objects.create(), ""
    forged.hash = plain(forged)
    forged.save(force_insert=True)
    assert found() == [f"review {worked.pk} event 6: its hash was made without the key"]


def test_an_event_of_another_history_counts_in_none() -> None:
    """The same subject, number and words: what is signed for one history is not for another."""
    ApiKey.issue("nlq", ["read"])
    event = AccessEvent.objects.get()
    event.subject_id = ThresholdProfile.active().pk
    columns = {field.attname for field in ProfileEvent._meta.fields} - {"id"}
    moved = ProfileEvent(**{name: getattr(event, name) for name in columns})
    moved.hash = keyed.signed(AccessEvent._meta.label_lower, content_of(moved))
    moved.save(force_insert=True)
    assert found() == [f"profile {moved.subject_id} event 1: {CHANGED}"]


def test_only_the_broken_chain_is_reported(
    worked: HallucinationReview, make_review: Any, reviewer: User
) -> None:
    Lease.take(make_review(), reviewer)
    behind_its_back("UPDATE TABLE SET request_id = 'x' WHERE subject_id = %s", worked.pk)
    said, _ = ran()
    assert said.count("BROKEN") == 1
    assert "review: 7 events in 2 chains, 1 broken" in said


# --- histories of before there was a key ------------------------------------------------------------
@pytest.fixture
def old(worked: HallucinationReview) -> HallucinationReview:
    """A review whose five events have the hashes of before; the migration has noted how far they go, and one more event
    has come since."""
    rewritten(worked)
    note_plain_heads(PlainHead, ReviewEvent)
    ReviewEvent.append(worked, "requeued")
    return worked


def test_old_hashes_count_up_to_where_they_were_noted(old: HallucinationReview) -> None:
    said, well = ran()
    assert well, said
    assert "review: 6 events in 1 chains, whole" in said
    assert ReviewEvent.broken_at(old) is None


@pytest.mark.parametrize("since", [1, 4, 5])
def test_an_old_chain_that_was_rewritten_with_old_hashes_is_named(
    old: HallucinationReview, since: int
) -> None:
    rewritten(old, since, reason="forged")
    assert found() == [f"review {old.pk} event 5: it is not the event that was there when hashes got a key"]


def test_an_old_hash_behind_the_noted_ones_is_named(old: HallucinationReview) -> None:
    rewritten(old, 6, reason="forged")
    assert found() == [f"review {old.pk} event 6: its hash was made without the key"]


def test_an_old_chain_that_was_cut_is_named(old: HallucinationReview) -> None:
    behind_its_back("DELETE FROM TABLE WHERE seq > 3")
    assert found() == [f"review {old.pk} event 4: event 4 is missing"]


def test_an_old_chain_that_is_gone_is_named(old: HallucinationReview) -> None:
    behind_its_back("DELETE FROM TABLE")
    assert f"review {old.pk} event 1: event 1 is missing" in found()


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("DELETE FROM TABLE", "event 1: its hash was made without the key"),
        (
            "UPDATE TABLE SET seq = 6",
            "event 6: what was noted of the chain when hashes got a key was changed",
        ),
    ],
)
def test_where_old_hashes_end_cannot_be_moved(old: HallucinationReview, statement: str, where: str) -> None:
    behind_its_back(statement, table="detection_plainhead")
    assert found() == [f"review {old.pk} {where}"]


class Before:
    """Models as the migration has them, whose events told everything themselves."""

    @staticmethod
    def get_model(app: str, name: str) -> Any:
        model = apps.get_model(app, name)
        return Events(model) if issubclass(model, Event) else model


class Events:
    """A history whose events are made with what they tell."""

    def __init__(self, model: Any) -> None:
        self.model, self.objects, self._meta = model, model.objects, model._meta

    def __call__(self, after: dict[str, Any], **columns: Any) -> Any:
        return self.model(**columns, body=EventBody.objects.create(after=after))


def test_the_migration_notes_what_people_and_keys_may_do(make_user: Any) -> None:
    person = make_user("paula", "senior")
    key, _ = ApiKey.issue("nlq", ["read", "submit"], user=person)
    assert any(line.startswith(f"person {person.pk}: roles is ['senior']") for line in found())
    for app in (detection, reviews):
        (path,) = (Path(str(app.__file__)).parent / "migrations").glob("*_signed_histories.py")
        import_module(f"{app.__name__}.migrations.{path.stem}").sign(Before, None)
    assert ran()[1]
    noted = AccessEvent.objects.get(subject=key, seq=2)
    assert (noted.action, noted.after["scopes"], noted.after["user"]) == (
        "noted", ["read", "submit"], "paula",
    )  # fmt: skip
