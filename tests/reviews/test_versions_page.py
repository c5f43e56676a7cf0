"""The pages of the versions: listed, compared, drafted, moved and rolled back by administrators (F23, E15)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from detection.models import ProfileEvent, ThresholdProfile
from detection.override_forms import overrides_of, rows_of
from detection.profiles.gates import Gate
from reviews.thresholds import gates
from reviews.thresholds.forms import draft_forms, values_of

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-05")]
STRICT: dict[str, Any] = {
    "base": {"currency_tolerance": 3.0, "verify_dates": False, "indicator_phrases": ["as we know", "כידוע"]},
    "overrides": [
        {"when": {"language": "he"}, "values": {"overlap": 0.4, "minimum_lift": 0.1}},
        {"when": {"property": "OAK", "source_quality": "low"}, "values": {"strict_budget": True}},
    ],
}
CLOSED = Gate(open=False, why="few_audits", text="12 answers were audited; 100 are needed.", audits=12)


@pytest.fixture
def admin(make_user: Callable[..., User]) -> User:
    return make_user("ada", "admin")


@pytest.fixture
def second_admin(make_user: Callable[..., User]) -> User:
    return make_user("boaz", "admin")


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def step(client: Client, version: int, name: str, **given: Any) -> Any:
    return client.post(reverse("version-step", args=[version]), {"step": name, **given})


def gate_says(monkeypatch: pytest.MonkeyPatch, gate: Gate) -> None:
    monkeypatch.setattr(gates, "of_profile", lambda _profile, _caller: gate)


def test_the_list_has_every_version_with_its_state_person_and_reason(admin: User, senior: User) -> None:
    ThresholdProfile.draft(STRICT, note="too many slips", actor=admin)
    html = client_of(senior).get(reverse("versions")).content.decode()
    assert html.index('data-version="2"') < html.index('data-version="1"')
    assert "too many slips" in html
    assert ">ada<" in html
    assert 'data-testid="new"' not in html


def test_rolling_back_copies_an_old_version_forward(admin: User) -> None:
    """E15: v8 equals v6, v7 stays readable, and the history says why."""
    first, second = ThresholdProfile.draft(STRICT), ThresholdProfile.draft({"base": {"overlap": 0.9}})
    first.activate()
    second.activate()
    browser = client_of(admin)
    sent = step(browser, first.version, "rollback", reason="v3 flags everything", seen=second.version)
    assert sent["Location"] == reverse("version", args=[4])
    copy = ThresholdProfile.active()
    assert (copy.version, copy.values, copy.scoring) == (4, first.values, first.scoring)
    assert copy.copied_from == first
    assert browser.get(reverse("version", args=[second.version])).status_code == 200
    event = copy.events.get(action="active")
    assert (event.actor, event.reason, event.after["replaced"]) == (admin, "v3 flags everything", 3)


@pytest.mark.parametrize("given", [{"reason": " "}, {}])
def test_a_rollback_needs_a_reason(admin: User, given: dict[str, str]) -> None:
    ThresholdProfile.draft(STRICT).activate()
    assert step(client_of(admin), 1, "rollback", **given).status_code == 422
    assert ThresholdProfile.active().version == 2


def test_what_never_was_active_cannot_come_back(admin: User) -> None:
    draft = ThresholdProfile.draft(STRICT)
    draft.shadow()
    draft.retire()
    refused = step(client_of(admin), 2, "rollback", reason="try")
    assert refused.status_code == 422
    assert "was active and is no longer" in refused.content.decode()


def test_who_saw_another_active_version_gets_409_with_who_and_when(admin: User, second_admin: User) -> None:
    mine, theirs = ThresholdProfile.draft(STRICT), ThresholdProfile.draft({"base": {"overlap": 0.6}})
    theirs.activate(actor=second_admin)
    late = step(client_of(admin), mine.version, "activate", seen=1)
    assert late.status_code == 409
    assert "boaz activated version 3" in late.content.decode()
    assert ThresholdProfile.active() == theirs
    mine.refresh_from_db()
    assert mine.state == "draft"


def test_activating_the_same_version_twice_wins_once(admin: User, second_admin: User) -> None:
    ThresholdProfile.draft(STRICT)
    assert step(client_of(second_admin), 2, "activate", seen=1).status_code == 302
    assert step(client_of(admin), 2, "activate", seen=1).status_code == 409
    assert ProfileEvent.objects.filter(action="active").count() == 1


def test_a_closed_gate_needs_a_second_administrator(
    admin: User, second_admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate_says(monkeypatch, CLOSED)
    ThresholdProfile.draft(STRICT)
    one, other = client_of(admin), client_of(second_admin)
    refused = step(one, 2, "activate", reason="urgent", seen=1)
    assert refused.status_code == 409
    assert CLOSED.text in refused.content.decode()
    assert step(one, 2, "ask").status_code == 422
    assert step(one, 2, "ask", reason="the rules changed").status_code == 302
    assert step(one, 2, "confirm", seen=1).status_code == 422
    assert ThresholdProfile.active().version == 1
    assert "the rules changed" in other.get(reverse("version", args=[2])).content.decode()
    assert step(other, 2, "confirm", seen=1).status_code == 302
    active = ThresholdProfile.active()
    assert active.gate is not None
    assert (active.version, active.gate["overridden"], active.gate["text"]) == (2, True, CLOSED.text)
    assert list(active.events.order_by("seq").values_list("action", "actor__username")) == [
        ("drafted", None),
        ("asked", "ada"),
        ("active", "boaz"),
    ]


def test_a_changed_draft_has_to_be_asked_for_again(admin: User, second_admin: User) -> None:
    draft = ThresholdProfile.draft(STRICT)
    draft.ask(actor=admin, reason="urgent", gate=CLOSED)
    draft.change({"base": {"overlap": 0.1}}, scoring="govil", note="", actor=admin)
    assert step(client_of(second_admin), 2, "confirm", seen=1).status_code == 422
    assert ThresholdProfile.active().version == 1


def test_a_third_shadow_is_refused_in_words(admin: User) -> None:
    for _ in range(3):
        ThresholdProfile.draft(STRICT)
    browser = client_of(admin)
    assert [step(browser, n, "shadow").status_code for n in (2, 3, 4)] == [302, 302, 422]
    assert "Two shadows are running" in step(browser, 4, "shadow").content.decode()
    assert step(browser, 2, "retire").status_code == 302
    assert step(browser, 4, "shadow").status_code == 302


def test_the_active_version_cannot_simply_end(admin: User) -> None:
    assert step(client_of(admin), 1, "retire").status_code == 422
    assert ThresholdProfile.active().version == 1


def test_two_versions_are_compared_by_key_old_and_new(senior: User) -> None:
    ThresholdProfile.draft(STRICT, scoring="govil", note="after the audit")
    html = client_of(senior).get(reverse("versions-compare"), {"a": 1, "b": 2}).content.decode()
    for name in (
        "scoring",
        "currency_tolerance",
        "verify_dates",
        "indicator_phrases",
        "overlap",
        "strict_budget",
    ):
        assert f'data-name="{name}"' in html
    assert 'data-name="uncited_high"' not in html
    assert "property=OAK source_quality=low" in html
    assert "after the audit" in html


@pytest.mark.parametrize("query", [{"a": "99", "b": "1"}, {"a": "1", "b": "99"}])
def test_comparing_with_a_version_that_is_not_there_is_404(senior: User, query: dict[str, str]) -> None:
    assert client_of(senior).get(reverse("versions-compare"), query).status_code == 404


def test_a_form_drafts_thresholds_and_overrides_without_json(admin: User) -> None:
    rows = {
        "overrides-TOTAL_FORMS": "3",
        "overrides-INITIAL_FORMS": "0",
        "overrides-0-language": "he",
        "overrides-0-threshold": "overlap",
        "overrides-0-value": "0.4",
        "overrides-1-language": "he",
        "overrides-1-threshold": "verify_dates",
        "overrides-1-value": "false",
    }
    sent = {"from": "1", "scoring": "spec08", "note": "Hebrew is shorter", "currency_tolerance": "3", **rows}
    made = client_of(admin).post(reverse("version-new"), sent)
    assert made["Location"] == reverse("version", args=[2])
    draft = ThresholdProfile.objects.get(version=2)
    assert (draft.scoring, draft.note, draft.created_by) == ("spec08", "Hebrew is shorter", admin)
    assert draft.values == {
        "base": {"currency_tolerance": 3.0},
        "overrides": [{"when": {"language": "he"}, "values": {"overlap": 0.4, "verify_dates": False}}],
    }


def test_one_posted_value_is_laid_over_the_version_it_comes_from(admin: User) -> None:
    ThresholdProfile.draft(STRICT, scoring="govil")
    client_of(admin).post(reverse("version-new"), {"from": "2", "currency_tolerance": "4"})
    draft = ThresholdProfile.objects.get(version=3)
    assert draft.values == {**STRICT, "base": {**STRICT["base"], "currency_tolerance": 4.0}}
    assert draft.scoring == "govil"


def test_the_form_shows_a_version_as_it_reads_it_again() -> None:
    base = ThresholdProfile.draft(STRICT)
    form, rows = draft_forms(base)
    sent = {name: "" if (value := form[name].value()) is None else str(value) for name in form.fields}
    assert sent["currency_tolerance"] == "3.0"
    form, rows = draft_forms(base, QueryDict(mutable=True))
    assert (form.is_valid(), rows.is_valid()) == (True, True), (form.errors, rows.errors)
    assert values_of(form, rows) == STRICT


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"language": "he", "value": "1"}, "Choose a threshold."),
        ({"language": "he", "threshold": "overlap"}, "Give a value."),
        ({"threshold": "overlap", "value": "0.4"}, "Say for which answers."),
        ({"language": "he", "threshold": "overlap", "value": "7"}, "less than or equal to 1"),
        ({"language": "he", "threshold": "overlap", "value": "much"}, "Enter a number"),
        ({"source_quality": "fine", "threshold": "overlap", "value": "0.4"}, "Select a valid choice"),
    ],
)
def test_a_wrong_override_is_named(admin: User, row: dict[str, str], said: str) -> None:
    sent = {"overrides-TOTAL_FORMS": "1", "overrides-INITIAL_FORMS": "0"}
    sent |= {f"overrides-0-{name}": text for name, text in row.items()}
    refused = client_of(admin).post(reverse("version-new"), {"from": "1", **sent})
    assert refused.status_code == 422
    assert said in refused.content.decode()
    assert ThresholdProfile.objects.count() == 1


def test_overrides_and_their_rows_mean_the_same() -> None:
    rows = rows_of(STRICT["overrides"])
    assert [row["threshold"] for row in rows] == ["overlap", "minimum_lift", "strict_budget"]
    assert overrides_of([]) == []


def test_a_version_leaves_as_a_file_and_comes_back_as_a_draft(admin: User) -> None:
    ThresholdProfile.draft(STRICT, scoring="pythea", note="כך")
    browser = client_of(admin)
    sent = browser.get(reverse("version-export", args=[2]))
    assert sent["Content-Disposition"] == 'attachment; filename="hallu-profile-2.yaml"'
    file = SimpleUploadedFile("profile.yaml", sent.content)
    assert browser.post(reverse("version-file"), {"file": file})["Location"] == reverse("version", args=[3])
    old, new = ThresholdProfile.objects.get(version=2), ThresholdProfile.objects.get(version=3)
    assert (new.values, new.scoring, new.note, new.state) == (old.values, old.scoring, old.note, "draft")
    assert old.difference(new) == []


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Choose a file, or paste its text."),
        (
            {"text": "hallu_profile: 2\nscoring: govil"},
            "line 1: hallu_profile: this system reads schema 1, not 2.",
        ),
        ({"file": SimpleUploadedFile("x.yaml", b"\xff\xfe")}, "no text in UTF-8"),
        ({"file": SimpleUploadedFile("x.yaml", b"x" * 70_000)}, "larger than 64 KB"),
    ],
)
def test_a_file_that_is_no_profile_is_refused_in_words(admin: User, sent: dict[str, Any], said: str) -> None:
    refused = client_of(admin).post(reverse("version-file"), sent)
    assert refused.status_code == 422
    assert said in refused.content.decode()
    assert ThresholdProfile.objects.count() == 1
