"""Rows of a history can be neither changed nor deleted, whoever asks."""

import pytest
from django.db import Error, connection, transaction

from detection.models import AccessEvent, ApiKey, EventBody, ThresholdProfile
from reviews.models import HallucinationReview, ReviewEvent
from tests.conftest import append_only_tables

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_every_history_is_append_only() -> None:
    histories = [
        "detection_accessevent",
        "detection_calibrationevent",
        "detection_erasureevent",
        "detection_eventbody",
        "detection_factevent",
        "detection_personevent",
        "detection_plainhead",
        "detection_profileevent",
        "detection_rejectedfact",
        "detection_trace",
        "detection_tracestep",
        "reviews_auditdraw",
        "reviews_reviewevent",
    ]
    assert append_only_tables() == histories


def test_the_triggers_forbid_update_and_delete(review: HallucinationReview) -> None:
    for statement in ("UPDATE reviews_reviewevent SET action = 'x'", "DELETE FROM reviews_reviewevent"):
        with pytest.raises(Error, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert ReviewEvent.objects.filter(subject=review).count() == 1


def test_an_update_by_the_orm_is_refused(review: HallucinationReview) -> None:
    with pytest.raises(Error, match="append-only"), transaction.atomic():
        ReviewEvent.objects.update(action="rewritten")
    assert ReviewEvent.broken_at(review) is None


def test_each_subject_has_a_chain_of_its_own() -> None:
    first, _ = ApiKey.issue("first", ["submit"])
    second, _ = ApiKey.issue("second", ["submit"])
    AccessEvent.append(first, "looked_at")
    assert [event.seq for event in AccessEvent.objects.filter(subject=first)] == [1, 2]
    assert [event.seq for event in AccessEvent.objects.filter(subject=second)] == [1]


@pytest.mark.django_db(transaction=True)
def test_an_event_outside_a_transaction_is_refused() -> None:
    profile = ThresholdProfile.active()
    with pytest.raises(transaction.TransactionManagementError):
        profile.events.model.append(profile, "looked_at")


def test_a_gap_in_the_chain_is_found(review: HallucinationReview) -> None:
    ReviewEvent.append(review, "noted", reason="first")
    ReviewEvent.append(review, "noted", reason="second")
    assert ReviewEvent.broken_at(review) is None
    last = ReviewEvent.objects.get(subject=review, seq=3)
    forged = ReviewEvent(
        **{f.attname: getattr(last, f.attname) for f in ReviewEvent._meta.fields if f.name != "id"}
    )
    forged.seq, forged.body = 4, EventBody.objects.create(reason="forged")
    forged.save(force_insert=True)
    assert ReviewEvent.broken_at(review) == 4
