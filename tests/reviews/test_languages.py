"""Which language the screens speak, and that programs are answered in English whatever they ask for (F39)."""

from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from reviews.models import Preferences

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]


def language_of(client: Client, url: str = "/login/", **headers: str) -> str:
    """The language in which a page came."""
    return client.get(url, headers=headers)["Content-Language"]


def signed_in(user: User, **preferences: str) -> Client:
    """A browser of ``user``, who has chosen ``preferences``."""
    if preferences:
        Preferences.objects.create(user=user, **preferences)
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        ("he", "he"),
        ("he-IL,he;q=0.9,en;q=0.8", "he"),
        ("zh-CN", "zh-hans"),
        ("zh-TW,zh;q=0.9", "zh-hant"),
        ("zh-Hant-HK", "zh-hant"),
        ("fr-FR,de", "en"),
        ("", "en"),
        ("*;q=0.5,'\"><script>", "en"),
    ],
)
def test_without_a_choice_the_browser_says_which(client: Client, asked: str, spoken: str) -> None:
    assert language_of(client, **{"Accept-Language": asked}) == spoken


def test_the_cookie_of_this_browser_comes_before_its_header(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hant"
    assert language_of(client, **{"Accept-Language": "he"}) == "zh-hant"


@pytest.mark.parametrize("left_over", ["", "xx", "../../etc/passwd", "he\x00", "h" * 4000])
def test_a_cookie_that_names_no_language_counts_for_nothing(client: Client, left_over: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = left_over
    assert language_of(client, **{"Accept-Language": "he"}) == "he"


def test_a_persons_choice_comes_before_both_and_the_browser_keeps_it(reviewer: User) -> None:
    client = signed_in(reviewer, language="he")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    assert language_of(client, reverse("queue"), **{"Accept-Language": "zh-TW"}) == "he"
    client.logout()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "he"
    assert language_of(client) == "he"


def test_the_choice_is_left_in_the_browser_once(reviewer: User) -> None:
    client = signed_in(reviewer, language="he")
    assert client.get(reverse("queue")).cookies[settings.LANGUAGE_COOKIE_NAME].value == "he"
    assert settings.LANGUAGE_COOKIE_NAME not in client.get(reverse("queue")).cookies


def test_who_gives_the_choice_up_is_not_held_to_it_by_the_cookie(reviewer: User) -> None:
    client = signed_in(reviewer, language="he")
    client.post(reverse("preferences"), {"theme": "system", "language": ""})
    assert language_of(client, reverse("queue"), **{"Accept-Language": "zh-TW"}) == "zh-hant"


def test_a_stored_choice_that_is_no_language_counts_for_nothing(reviewer: User) -> None:
    client = signed_in(reviewer, language="tlh")
    assert language_of(client, reverse("queue"), **{"Accept-Language": "he"}) == "he"


@pytest.mark.parametrize("url", ["/api/v1/answers/", "/api/v1/nothing/", "/admin/"])
def test_programs_and_operators_are_answered_in_english(reviewer: User, url: str) -> None:
    client = signed_in(reviewer, language="he")
    assert language_of(client, reverse("queue")) == "he"  # and this thread goes on with the next request
    response = client.get(url, headers={"Accept-Language": "he"})
    assert response.get("Content-Language", "en") == "en"
    assert not any("\u0590" <= letter <= "\u05ff" for letter in response.content.decode())


def test_the_same_refusal_of_the_api_whatever_the_header(client: Client) -> None:
    said = {
        client.get("/api/v1/answers/", headers={"Accept-Language": language}).content
        for language in ("en", "he", "zh-CN", "zh-TW")
    }
    assert len(said) == 1


@pytest.mark.parametrize(
    ("language", "written"),
    [("en", "5 Oct 2024 13:05"), ("he", "5 באוקטובר 2024 13:05"), ("zh-hans", "2024年10月5日 13:05")],
)
def test_dates_are_written_as_the_language_writes_them(language: str, written: str) -> None:
    with translation.override(language):
        assert date_format(datetime(2024, 10, 5, 13, 5, tzinfo=UTC), "DATETIME_FORMAT") == written
