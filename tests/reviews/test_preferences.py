"""What a person chooses for themselves: looks, language, keys, password; and the help they read."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from detection.models import DetectionRun
from reviews.account import guidelines
from reviews.display import wording
from reviews.display.keys import KEYS, keys_of
from reviews.models import ClaimVerdict, Preferences

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def dana(client: Client, reviewer: User) -> User:
    """A reviewer who is logged in."""
    client.force_login(reviewer)
    return reviewer


def page(client: Client) -> str:
    return client.get(reverse("preferences")).content.decode()


def own(user: User) -> Preferences:
    return Preferences.of(User.objects.get(pk=user.pk))


# --- looks and language -----------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark", "system"])
def test_the_chosen_theme_is_in_the_first_byte_of_every_page(client: Client, dana: User, theme: str) -> None:
    sent = client.post(reverse("preferences"), {"theme": theme, "language": ""})
    assert sent["Location"] == reverse("preferences")
    for name in ("preferences", "help", "queue", "answers"):
        assert f'data-theme="{theme}">' in client.get(reverse(name)).content.decode(), name


@pytest.mark.parametrize(
    ("language", "direction"), [("he", "rtl"), ("zh-hans", "ltr"), ("zh-hant", "ltr"), ("en", "ltr")]
)
def test_the_chosen_language_turns_the_page(
    client: Client, dana: User, language: str, direction: str
) -> None:
    client.post(reverse("preferences"), {"theme": "system", "language": language})
    html = page(client)
    assert f'<html lang="{language}" dir="{direction}"' in html
    assert own(dana).language == language


def test_going_back_to_the_browsers_language_forgets_the_choice(client: Client, dana: User) -> None:
    client.post(reverse("preferences"), {"theme": "system", "language": "he"})
    page(client)
    client.post(reverse("preferences"), {"theme": "system", "language": ""})
    assert '<html lang="en" dir="ltr"' in page(client)
    answer = client.get(reverse("preferences"), headers={"Accept-Language": "he"})
    assert '<html lang="he" dir="rtl"' in answer.content.decode()


@pytest.mark.parametrize(
    "sent",
    [{"theme": "pink", "language": ""}, {"theme": "dark", "language": "xx"}, {}, {"theme": "dark\x00"}],
)
def test_a_choice_that_is_none_stores_nothing_and_says_so(
    client: Client, dana: User, sent: dict[str, str]
) -> None:
    response = client.post(reverse("preferences"), sent)
    assert (response.status_code, b'role="alert"' in response.content) == (422, True)
    assert not Preferences.objects.exists()


# --- keys -------------------------------------------------------------------------------------------


def test_a_moved_key_is_bound_and_shown_and_can_be_put_back(client: Client, dana: User) -> None:
    client.post(reverse("preferences-keys"), {"search": "KeyF"})
    assert own(dana).keymap == {"search": "KeyF"}
    assert 'data-key="KeyF"' in client.get(reverse("queue")).content.decode()
    assert 'value="KeyF" selected' in page(client)
    client.post(reverse("preferences-keys"), {"search": "KeyF", "reset": "1"})
    assert own(dana).keymap == {}
    assert 'data-testid="reset-keys"' not in page(client)


def test_two_actions_of_a_screen_never_share_a_key(client: Client, dana: User) -> None:
    refused = client.post(reverse("preferences-keys"), {"supported": "KeyX"})
    html = refused.content.decode()
    assert refused.status_code == 422
    assert "X is already the key for “reject”." in html
    assert '<a href="#id_supported">' in html
    assert own(dana).keymap == {}


def test_keys_may_change_places_and_repeat_on_another_screen(client: Client, dana: User) -> None:
    swapped = {"supported": "KeyX", "rejected": "KeyA", "start": "KeyX"}
    assert client.post(reverse("preferences-keys"), swapped).status_code == 302
    assert own(dana).keymap == swapped
    mine = keys_of(own(dana))
    assert (mine["supported"].codes, mine["rejected"].hint) == ("KeyX", "A")


@pytest.mark.parametrize(
    "sent", [{"supported": "Digit1"}, {"supported": "<script>"}, {"supported": "Escape"}, {"next": "Enter"}]
)
def test_what_is_no_key_to_move_to_is_refused(client: Client, dana: User, sent: dict[str, str]) -> None:
    assert client.post(reverse("preferences-keys"), sent).status_code == 422
    assert own(dana).keymap == {}


def test_every_key_that_can_be_moved_has_its_choice(client: Client, dana: User) -> None:
    html = page(client)
    for name, key in KEYS.items():
        assert (f'name="{name}"' in html) == (not key.fixed), name


def test_single_keys_are_switched_off_and_on_from_any_page(client: Client, dana: User) -> None:
    off = client.post(reverse("preferences-shortcuts"), {"next": "/queue/?kind=number"})
    assert off["Location"] == "/queue/?kind=number"
    assert "data-key=" not in client.get(reverse("answers")).content.decode()
    on = client.post(
        reverse("preferences-shortcuts"), {"shortcuts": "on", "next": "https://elsewhere.example/"}
    )
    assert on["Location"] == reverse("preferences")
    assert 'data-key="Shift+Slash"' in client.get(reverse("answers")).content.decode()


# --- who --------------------------------------------------------------------------------------------


def test_preferences_are_for_people_who_are_logged_in_whatever_their_role(
    client: Client, make_user: Any
) -> None:
    addresses = [reverse(name) for name in ("preferences", "help", "password")]
    assert [client.get(address).status_code for address in addresses] == [302] * 3
    client.force_login(make_user("nobody"))
    assert [client.get(address).status_code for address in addresses] == [200] * 3
    for name in ("preferences-keys", "preferences-shortcuts"):
        assert client.get(reverse(name)).status_code == 405


def test_one_person_changes_nothing_of_another(client: Client, dana: User, colleague: User) -> None:
    Preferences.keep(colleague, theme="light")
    client.post(reverse("preferences"), {"theme": "dark", "language": "he", "user": colleague.pk})
    assert (own(colleague).theme, own(colleague).language) == ("light", "")


def test_a_password_is_changed_for_the_old_one_only(client: Client, dana: User) -> None:
    wrong = {
        "old_password": "guess",
        "new_password1": "three blue horses",
        "new_password2": "three blue horses",
    }
    assert b'role="alert"' in client.post(reverse("password"), wrong).content
    other = Client()
    other.force_login(dana)
    sent = client.post(reverse("password"), {**wrong, "old_password": "correct horse battery"})
    assert sent["Location"] == reverse("preferences")
    assert "Your password was changed." in page(client)
    assert other.get(reverse("preferences")).status_code == 302
    assert User.objects.get(pk=dana.pk).check_password("three blue horses")


# --- logging in again -------------------------------------------------------------------------------


def test_logging_in_again_in_the_dialog_gives_the_forms_a_new_token(client: Client, reviewer: User) -> None:
    sent = {"username": "dana", "password": "correct horse battery"}
    answer = client.post(reverse("login"), sent, headers=HTMX)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert f'data-person="{reviewer.pk}"' in html
    assert "csrfmiddlewaretoken" in html
    assert client.get(reverse("queue")).status_code == 200
    again = client.post(reverse("login"), sent, headers=HTMX)
    assert b'data-testid="signed-in"' in again.content


def test_a_wrong_password_in_the_dialog_is_said_in_the_dialog(client: Client, reviewer: User) -> None:
    for attempt in range(1, settings.AXES_FAILURE_LIMIT):
        wrong = client.post(reverse("login"), {"username": "dana", "password": "no"}, headers=HTMX)
        assert (wrong.status_code, b"<html" in wrong.content) == (422, False), attempt
        assert b'data-testid="login-error"' in wrong.content
    locked = client.post(reverse("login"), {"username": "dana", "password": "no"}, headers=HTMX)
    assert (locked.status_code, b"<html" in locked.content) == (429, False)
    assert "again by itself after 15 minutes" in locked.content.decode()
    whole = client.post(reverse("login"), {"username": "dana", "password": "correct horse battery"})
    assert (whole.status_code, b"<html" in whole.content) == (429, True)


# --- help -------------------------------------------------------------------------------------------


def test_every_status_verdict_reason_and_key_is_explained(client: Client, dana: User) -> None:
    html = client.get(reverse("help")).content.decode()
    assert set(guidelines.STATUS_MEANS) == set(wording.STATUSES)
    assert set(guidelines.FINDING_MEANS) == set(wording.FINDINGS)
    assert set(guidelines.VERDICT_FITS) == set(ClaimVerdict.Verdict.values)
    assert set(guidelines.REASON_FITS) == set(ClaimVerdict.Reason.values)
    for key in KEYS.values():
        assert f"<dd>{key.help}</dd>" in html, key


def test_help_needs_no_data(client: Client, dana: User) -> None:
    assert not DetectionRun.objects.exists()
    assert client.get(reverse("help")).status_code == 200
