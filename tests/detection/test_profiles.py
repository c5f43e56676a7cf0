"""Threshold profiles: versioned, frozen once in use, exactly one active."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from detection.core.thresholds import Thresholds
from detection.models import ProfileEvent, ThresholdProfile
from detection.models.thresholds import Overtaken

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_version_1_is_active_with_the_declared_defaults() -> None:
    profile = ThresholdProfile.active()
    assert profile.version == 1
    assert profile.resolve({}) == Thresholds()


def test_a_draft_gets_the_next_version_and_an_event(senior: Any) -> None:
    profile = ThresholdProfile.draft({"base": {"minimum_lift": 0.2}}, note="stricter", actor=senior)
    assert (profile.version, profile.state, profile.resolve({}).minimum_lift) == (2, "draft", 0.2)
    event = ProfileEvent.objects.get(subject=profile)
    assert (event.action, event.actor, event.after["values"]) == ("drafted", senior, profile.values)


@pytest.mark.parametrize(
    "values",
    [
        {"base": {"unheard_of": 1}},
        {"base": {"minimum_lift": 7}},
        {"base": {"minimum_lift": "much"}},
        {"overrides": [{"when": {"weather": "rain"}, "values": {}}]},
        {"overrides": [{"values": {}}]},
        {"overrides": [{"when": {"language": "he"}, "values": {"minimum_lift": -1}}]},
    ],
)
def test_values_out_of_bounds_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ThresholdProfile.draft(values)
    assert ThresholdProfile.objects.count() == 1


def test_overrides_apply_where_their_facets_match() -> None:
    profile = ThresholdProfile.draft(
        {
            "base": {"minimum_lift": 0.2},
            "overrides": [{"when": {"language": "he"}, "values": {"minimum_lift": 0.1}}],
        }
    )
    assert profile.resolve({"language": "he"}).minimum_lift == 0.1
    assert profile.resolve({"language": "en"}).minimum_lift == 0.2


def test_activating_retires_the_one_before() -> None:
    first = ThresholdProfile.active()
    second = ThresholdProfile.draft({})
    second.activate(reason="tuned")
    first.refresh_from_db()
    assert (first.state, second.state) == ("retired", "active")
    assert ThresholdProfile.active() == second
    assert second.activated_at is not None
    assert ProfileEvent.objects.get(subject=first).reason == "replaced by version 2"
    assert ProfileEvent.broken_at(second) is None


def test_a_shadow_becomes_active_and_never_a_draft_again() -> None:
    profile = ThresholdProfile.draft({})
    profile.shadow()
    with pytest.raises(ValidationError, match="cannot become shadow"):
        profile.shadow()
    profile.activate()
    assert [event.action for event in profile.events.order_by("seq")] == ["drafted", "shadow", "active"]


def test_a_retired_profile_stays_retired() -> None:
    profile = ThresholdProfile.draft({})
    profile.activate()
    ThresholdProfile.draft({}).activate()
    profile.refresh_from_db()
    with pytest.raises(ValidationError, match="retired and cannot become active"):
        profile.activate()


@pytest.mark.parametrize("change", [{"values": {"base": {}}}, {"scoring": "govil"}, {"version": 9}])
def test_what_has_left_draft_is_frozen(change: dict[str, Any]) -> None:
    profile = ThresholdProfile.draft({"base": {"minimum_lift": 0.2}})
    profile.shadow()
    for name, value in change.items():
        setattr(profile, name, value)
    with pytest.raises(ValidationError, match="frozen"):
        profile.save()


def test_a_draft_may_still_change() -> None:
    profile = ThresholdProfile.draft({})
    profile.values = {"base": {"minimum_lift": 0.3}}
    profile.save()
    assert ThresholdProfile.objects.get(version=2).resolve({}).minimum_lift == 0.3


@pytest.mark.parametrize("change", [{"state": "active"}, {"state": "unheard_of"}])
def test_the_database_holds_one_active_profile_in_a_known_state(change: dict[str, str]) -> None:
    profile = ThresholdProfile.draft({})
    with pytest.raises(IntegrityError), transaction.atomic():
        ThresholdProfile.objects.filter(pk=profile.pk).update(**change)


@pytest.mark.django_db(transaction=True)
def test_drafts_and_activations_at_once_come_one_after_the_other() -> None:
    start = Barrier(4, timeout=60)

    def draft_and_activate(_number: int) -> ThresholdProfile:
        try:
            start.wait()
            drafted = ThresholdProfile.draft({"base": {}})
            start.wait()
            drafted.activate()
            return drafted
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(draft_and_activate, range(4)))
    assert sorted(profile.version for profile in made) == [2, 3, 4, 5]
    states = Counter(ThresholdProfile.objects.values_list("state", flat=True))
    assert states == {"active": 1, "retired": 4}


def _activated_at_once(pairs: list[tuple[int, int | None]]) -> list[str]:
    """What becomes of activations that begin together: each is a version and the one it was seen beside."""
    start = Barrier(len(pairs), timeout=60)

    def activate(pair: tuple[int, int | None]) -> str:
        version, seen = pair
        try:
            profile = ThresholdProfile.objects.get(version=version)
            start.wait()
            profile.activate(seen=seen)
            return "won"
        except Overtaken as late:
            return f"after version {late.version}"
        finally:
            connection.close()

    with ThreadPoolExecutor(len(pairs)) as threads:
        return list(threads.map(activate, pairs))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("same", [True, False])
def test_of_two_who_activate_at_once_one_wins_and_the_other_is_told(same: bool) -> None:
    """On PostgreSQL rows are locked, on SQLite the transaction is; either way one comes first."""
    for _ in range(2):
        ThresholdProfile.draft({})
    for round_ in range(5):
        seen = ThresholdProfile.active().version
        drafts = [ThresholdProfile.draft({}).version for _ in range(2)]
        wanted = [drafts[0]] * 2 if same else drafts
        said = _activated_at_once([(version, seen) for version in wanted])
        winner = ThresholdProfile.active().version
        assert sorted(said) == [f"after version {winner}", "won"], round_
        assert winner in wanted


def test_two_shadows_run_at_most_and_the_database_holds_it() -> None:
    drafts = [ThresholdProfile.draft({}) for _ in range(3)]
    for draft in drafts[:2]:
        draft.shadow()
    with pytest.raises(ValidationError, match="Two shadows"):
        drafts[2].shadow()
    for slot in (1, 2, 3, None):
        with pytest.raises(IntegrityError), transaction.atomic():
            ThresholdProfile.objects.filter(pk=drafts[2].pk).update(state="shadow", shadow_slot=slot)


def test_a_retired_shadow_makes_room() -> None:
    drafts = [ThresholdProfile.draft({}) for _ in range(3)]
    for draft in drafts[:2]:
        draft.shadow()
    drafts[0].end_as_shadow()
    drafts[2].shadow()
    assert sorted(p.version for p in ThresholdProfile.objects.filter(state="shadow")) == [3, 4]


@pytest.mark.parametrize("change", [{"values": {"base": {"overlap": 3}}}, {"scoring": "guess"}])
def test_a_draft_is_not_changed_into_nonsense(change: dict[str, Any]) -> None:
    profile = ThresholdProfile.draft({"base": {"overlap": 0.3}})
    with pytest.raises(ValidationError):
        profile.change(**{"values": {}, "scoring": "govil", "note": "", **change})
    profile.refresh_from_db()
    assert (profile.values, profile.scoring) == ({"base": {"overlap": 0.3}}, "information_budget")


def test_a_change_of_a_draft_keeps_what_it_was(senior: Any) -> None:
    profile = ThresholdProfile.draft({"base": {"overlap": 0.3}})
    profile.change({"base": {"overlap": 0.4}}, scoring="govil", note="better", actor=senior, reason="audit")
    event = profile.events.get(action="changed")
    assert event.before == {"values": {"base": {"overlap": 0.3}}, "scoring": "information_budget", "note": ""}
    assert (event.actor, event.reason, event.after["scoring"]) == (senior, "audit", "govil")
    profile.shadow()
    with pytest.raises(ValidationError, match="cannot become"):
        profile.change({}, scoring="govil", note="")


@pytest.mark.parametrize("scoring", ThresholdProfile.Scoring.values)
def test_each_scoring_can_be_chosen(scoring: str) -> None:
    profile = ThresholdProfile.draft({}, scoring=scoring)
    profile.activate()
    assert ThresholdProfile.active().scoring == scoring
