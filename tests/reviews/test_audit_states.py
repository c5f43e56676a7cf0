"""``verify_audit`` names keys, people, reviews and thresholds that are not what their history tells."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User

from detection.models import AccessEvent, ApiKey, CalibrationMap, PersonEvent, ThresholdProfile
from detection.models.standing import standing
from reviews.demo.people import tell_standing
from reviews.models import HallucinationReview, undo_step
from tests.api_calls import Caller, resolved, submitted
from tests.calibration_maps import drafted
from tests.reviews.attacks import behind_its_back, by_sql, found, ran

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db,
    pytest.mark.requirement("SEC-20"),
]


@pytest.fixture
def told(reviewer: User) -> User:
    """A reviewer who was added as ever."""
    PersonEvent.append(reviewer, "added", after=standing(reviewer))
    return reviewer


@pytest.fixture
def settled(told: User, backend: Caller, dana: Caller) -> HallucinationReview:
    """A review that was resolved over the API."""
    return resolved(dana, submitted(backend), "rejected")


# --- keys -------------------------------------------------------------------------------------------
def test_a_key_that_is_live_although_it_was_revoked_is_named() -> None:
    key, _ = ApiKey.issue("nlq", ["read"])
    key.revoke(reason="leaked")
    assert ran()[1]
    by_sql("UPDATE detection_apikey SET revoked = NULL WHERE id = %s", key.pk)
    assert found() == [f"key {key.pk}: revoked is False, by its history True"]


def test_scopes_that_nobody_gave_are_named() -> None:
    key, _ = ApiKey.issue("nlq", ["read"])
    by_sql("""UPDATE detection_apikey SET scopes = '["read", "admin"]' WHERE id = %s""", key.pk)
    assert found() == [f"key {key.pk}: scopes is ['admin', 'read'], by its history ['read']"]


@pytest.mark.parametrize("written", ["username", "pk"])
def test_an_owner_whom_nobody_named_is_named(told: User, make_user: Any, written: str) -> None:
    key, _ = ApiKey.issue("nlq", ["read"], user=told)
    AccessEvent.append(key, "changed", after={"user": str(getattr(told, written))})
    assert ran()[1]
    other = make_user("olga")
    by_sql("UPDATE detection_apikey SET user_id = %s WHERE id = %s", other.pk, key.pk)
    assert found()[0].startswith(f"key {key.pk}: user is 'olga', by its history ")


def test_a_key_that_was_put_in_is_named() -> None:
    forged = ApiKey.objects.create(name="forged", digest="0" * 64, prefix="hallu", scopes=["admin"])
    assert found() == [f"key {forged.pk}: has no history"]


# --- people -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("column", "name"), [("is_superuser", "everything"), ("is_staff", "administration")])
def test_who_was_made_powerful_by_sql_is_named(told: User, column: str, name: str) -> None:
    assert ran()[1]
    User.objects.filter(pk=told.pk).update(**{column: True})
    assert found() == [f"person {told.pk}: {name} is True, by its history False"]


def test_somebody_put_in_with_every_right_is_named() -> None:
    forged = User.objects.create_superuser("mallory")
    assert found() == [
        f"person {forged.pk}: administration is True, by its history False; "
        "everything is True, by its history False"
    ]


def test_a_role_that_nobody_gave_is_named(told: User) -> None:
    told.groups.add(Group.objects.get_or_create(name="senior")[0])
    assert found() == [f"person {told.pk}: roles is ['reviewer', 'senior'], by its history ['reviewer']"]


def test_who_may_log_in_again_although_it_was_taken_is_named(told: User) -> None:
    User.objects.filter(pk=told.pk).update(is_active=False)
    told.refresh_from_db()
    tell_standing(told)
    assert ran()[1]
    User.objects.filter(pk=told.pk).update(is_active=True)
    assert found() == [f"person {told.pk}: log_in is True, by its history False"]


def test_a_person_without_rights_needs_no_history(make_user: Any) -> None:
    make_user("nobody")
    assert ran()[1]


# --- reviews ----------------------------------------------------------------------------------------
REVIEWS = "reviews_hallucinationreview"
RESOLVED = (
    "UPDATE reviews_hallucinationreview SET state = 'resolved', outcome = 'approved', "
    "resolved_at = CURRENT_TIMESTAMP, resolved_by_id = %s WHERE id = %s"
)


def test_a_review_that_was_approved_by_sql_is_named(review: HallucinationReview, told: User) -> None:
    by_sql(RESOLVED, told.pk, review.pk)
    assert found() == [
        f"review {review.pk}: state is 'resolved', by its history 'live'; "
        f"outcome is 'approved', by its history ''; resolved_by is {told.pk}, by its history None"
    ]


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ("outcome = 'approved'", "outcome is 'approved', by its history 'rejected'"),
        ("final_confidence = 0.125", "final_confidence is 0.125, by its history "),
        ("corrected_answer = 'All is well.'", "corrected_answer is 'All is well.', by its history ''"),
        ("resolved_by_id = NULL", "resolved_by is None, by its history "),
    ],
)
def test_a_resolution_that_was_changed_is_named(
    settled: HallucinationReview, change: str, names: str
) -> None:
    assert ran()[1]
    by_sql(f"UPDATE {REVIEWS} SET {change} WHERE id = %s", settled.pk)  # noqa: S608  # the cases above
    (line,) = found()
    assert line.startswith(f"review {settled.pk}: {names}")


def test_a_resolution_whose_event_was_cut_off_is_named(settled: HallucinationReview) -> None:
    last = settled.events.order_by("-seq").first()
    assert last is not None
    assert last.action == "resolved"
    behind_its_back("DELETE FROM TABLE WHERE id = %s", last.pk)
    (line,) = found()
    assert line.startswith(f"review {settled.pk}: state is 'resolved', by its history 'live'")


def test_what_was_undone_and_reopened_is_whole(
    settled: HallucinationReview, told: User, senior: User
) -> None:
    PersonEvent.append(senior, "added", after=standing(senior))
    undo_step(settled, told)
    assert ran()[1]
    settled.refresh_from_db()
    settled.resolve(told, settled.version, final_confidence=0.5)
    settled.reopen(senior, "again")
    assert ran()[1]
    settled.void("withdrawn", actor=senior)
    assert ran()[1]
    by_sql("UPDATE reviews_hallucinationreview SET void_cause = 'duplicate' WHERE id = %s", settled.pk)
    assert found() == [f"review {settled.pk}: void_cause is 'duplicate', by its history 'withdrawn'"]


# --- thresholds and maps -----------------------------------------------------------------------------
def test_thresholds_that_nobody_activated_are_named() -> None:
    first = ThresholdProfile.active()
    second = ThresholdProfile.draft({"base": {"overlap": 0.4}})
    assert ran()[1]
    ThresholdProfile.objects.filter(pk=first.pk).update(state="retired")
    ThresholdProfile.objects.filter(pk=second.pk).update(state="active")
    assert found() == [
        f"profile {second.pk}: state is 'active', by its history 'draft'",
        f"profile {first.pk}: state is 'retired', by its history 'active'",
    ]


def test_thresholds_that_nobody_wrote_are_named() -> None:
    first = ThresholdProfile.active()
    behind_its_back(
        """UPDATE TABLE SET "values" = '{"base": {"overlap": 0.1}}' WHERE id = %s""",
        first.pk,
        table="detection_thresholdprofile",
    )
    (line,) = found()
    assert line.startswith(f"profile {first.pk}: values is {{'base': {{'overlap': 0.1}}")


def test_thresholds_that_went_their_way_are_whole() -> None:
    first = ThresholdProfile.active()
    second = ThresholdProfile.draft({"base": {"overlap": 0.4}})
    second.change({"base": {"overlap": 0.5}}, scoring=second.scoring, note="")
    second.shadow()
    second.activate()
    ThresholdProfile.objects.get(pk=first.pk).rollback(note="better")
    assert ran()[1]


def test_a_map_that_nobody_activated_is_named() -> None:
    fitted = drafted()
    assert ran()[1]
    CalibrationMap.objects.filter(pk=fitted.pk).update(state="active")
    assert found() == [f"calibration {fitted.pk}: state is 'active', by its history 'draft'"]
