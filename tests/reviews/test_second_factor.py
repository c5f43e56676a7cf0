"""The second step of the log-in: who has to pass it, that nothing opens before, and that it is guessed by nobody."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pyotp
import pytest
import time_machine
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from detection import identity_provider
from detection.models import NotHeld, PersonEvent, SecondFactor
from detection.models.second_factors import CODE, MOST_WRONG, RECOVERY_CODE, REST, Resting, WrongCode
from detection.models.standing import Change, standing
from reviews.audit.states import STATES
from tests.access_table import OPEN, SCREENS, every_route
from tests.filled_routes import routes_filled

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("SEC-38")]
RIGHT = "correct horse battery"
HOME, CAFE = "198.51.100.7", "203.0.113.9"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that goes on only when it is told to."""
    with time_machine.travel(datetime(2026, 3, 2, 9, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Administrators have to pass the second step, as in production."""
    monkeypatch.setattr(settings, "HALLU_SECOND_FACTOR", True)


@pytest.fixture
def ada(make_user: Callable[..., User]) -> User:
    """An administrator, without a second factor yet."""
    person = make_user("ada", "admin")
    User.objects.filter(pk=person.pk).update(is_staff=True)
    return User.objects.get(pk=person.pk)


def code_of(secret: str = SECRET) -> str:
    """What an app shows now."""
    return pyotp.TOTP(secret).at(timezone.now())


def gives(person: User, clock: Any) -> list[str]:
    """Give a person a second factor, half a minute ago; returns their recovery codes."""
    codes = SecondFactor.set(person, SECRET, code_of(), replaces=False)
    clock.shift(30)
    return codes


def first(name: str = "ada", address: str = HOME, **given: Any) -> Client:
    """A browser that has passed the first step."""
    browser = Client(REMOTE_ADDR=address, **given)
    browser.post("/login/", {"username": name, "password": RIGHT})
    return browser


def second(browser: Client, code: str, **given: Any) -> Any:
    """One code."""
    return browser.post("/login/second-step/", {"code": code}, **given)


def who(browser: Client) -> str | None:
    """The id of who is logged in."""
    return browser.session.get("_auth_user_id")


def events(person: User) -> list[str]:
    """What stands in a person's history."""
    return list(PersonEvent.objects.filter(subject=person).order_by("seq").values_list("action", flat=True))


# --- the way in ---
def test_who_administers_sets_it_up_at_the_first_log_in_and_passes_it_at_the_next(
    ada: User, clock: Any
) -> None:
    browser = Client()
    sent = browser.post("/login/", {"username": "ada", "password": RIGHT, "next": "/admin/"})
    assert sent["Location"] == "/login/second-step/"
    page = browser.get("/login/second-step/").content.decode()
    secret = re.search(r'data-testid="secret"[^>]*>([A-Z2-7 ]+)<', page)
    assert secret
    assert 'src="data:image/svg+xml' in page
    wrong = second(browser, "000000")
    assert "This code is wrong" in wrong.content.decode()
    assert secret.group(1) in wrong.content.decode()
    done = second(browser, code_of(secret.group(1).replace(" ", "")))
    codes = re.findall(r"<code>([a-z2-7]{7}(?:-[a-z2-7]{7}){3})</code>", done.content.decode())
    assert len(set(codes)) == 10
    assert 'href="/admin/"' in done.content.decode()
    assert browser.get("/admin/").status_code == 200
    clock.shift(30)
    again = first()
    assert second(again, code_of(secret.group(1).replace(" ", "")))["Location"] == "/queue/"
    assert events(ada) == ["access_changed", "signed_in", "signed_in"]
    told = PersonEvent.objects.filter(subject=ada).order_by("seq")
    assert (told[0].before, told[0].after) == ({"second_factor": False}, {"second_factor": True})
    assert told[2].after["confirmed_by"] == CODE
    assert PersonEvent.broken_at(ada) is None


@pytest.mark.parametrize("rights", ["role", "staff", "superuser"])
def test_every_right_of_administration_asks_for_it(make_user: Callable[..., User], rights: str) -> None:
    person = make_user("ada", *(("admin",) if rights == "role" else ("reviewer",)))
    User.objects.filter(pk=person.pk).update(is_staff=rights == "staff", is_superuser=rights == "superuser")
    assert who(first()) is None


def test_who_only_reviews_is_not_asked_but_may_ask_for_it(make_user: Callable[..., User], clock: Any) -> None:
    dana = make_user("dana", "reviewer")
    browser = first("dana")
    assert who(browser) == str(dana.pk)
    page = browser.get("/me/second-factor/").content.decode()
    secret = re.search(r'data-testid="secret"[^>]*>([A-Z2-7 ]+)<', page)
    assert secret
    made = browser.post("/me/second-factor/", {"new_code": code_of(secret.group(1).replace(" ", ""))})
    assert made.content.decode().count("<code>") == 10
    assert who(first("dana")) is None
    clock.shift(30)
    removed = browser.post(
        "/me/second-factor/", {"code": code_of(secret.group(1).replace(" ", "")), "remove": "1"}
    )
    assert removed.status_code == 302
    assert who(first("dana")) == str(dana.pk)


def test_everybody_is_asked_where_the_setting_says_so(
    make_user: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "HALLU_SECOND_FACTOR", "everybody")
    make_user("dana", "reviewer")
    assert who(first("dana")) is None


def test_it_is_off_where_the_setting_says_so(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "HALLU_SECOND_FACTOR", False)
    assert who(first()) == str(ada.pk)


# --- nothing opens before ---
@pytest.mark.budget(40)  # it opens every page
@pytest.mark.parametrize("has_one", [False, True])
def test_who_has_passed_the_first_step_alone_reaches_nothing(ada: User, clock: Any, has_one: bool) -> None:
    if has_one:
        gives(ada, clock)
    url = routes_filled()
    stranger, browser = Client(), first()
    reached = {}
    for route, _ in every_route():
        if route in OPEN or route in ("login/", "login/second-step/"):
            continue
        path = url(re.sub(r"\^?\(\?P<(app_label|url)>.*", "detection/", route))
        for method in ("get", "post"):
            got, should = (getattr(one, method)(path) for one in (browser, stranger))
            told = (got.status_code, got.get("Location"))
            if told != (should.status_code, should.get("Location")):
                reached[method, route] = told
    assert reached == {}
    assert len(SCREENS) > 50
    assert who(browser) is None


def test_a_first_step_ends_with_the_password_with_the_account_and_after_a_while(
    ada: User, clock: Any
) -> None:
    gives(ada, clock)
    late, changed, barred = first(), first(), first()
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert second(barred, code_of())["Location"] == "/login/"
    User.objects.filter(pk=ada.pk).update(is_active=True)
    ada.set_password("another horse battery")
    ada.save()
    assert second(changed, code_of())["Location"] == "/login/"
    ada.set_password(RIGHT)
    ada.save()
    late = first()
    clock.shift(11 * 60)
    assert second(late, code_of())["Location"] == "/login/"
    assert who(late) is who(changed) is who(barred) is None


def test_a_session_from_before_the_rights_ends_when_they_come(make_user: Callable[..., User]) -> None:
    dana = make_user("dana", "reviewer")
    browser = first("dana")
    assert browser.get("/queue/").status_code == 200
    dana.groups.add(Group.objects.get_or_create(name="admin")[0])
    assert browser.get("/queue/")["Location"].startswith("/login/")
    assert who(browser) is None


def test_nobody_sets_up_another_one_with_the_password_alone(ada: User, clock: Any) -> None:
    gives(ada, clock)
    browser = first()
    page = browser.get("/login/second-step/").content.decode()
    assert 'data-testid="secret"' not in page
    with pytest.raises(WrongCode):
        SecondFactor.set(ada, pyotp.random_base32(), code_of(), replaces=False)
    other = pyotp.random_base32()
    with pytest.raises(WrongCode):
        SecondFactor.set(ada, other, code_of(other), replaces=False)


def test_one_s_own_page_asks_for_a_code_of_the_present_app(ada: User, clock: Any) -> None:
    gives(ada, clock)
    browser = first()
    second(browser, code_of())
    page = browser.get("/me/second-factor/").content.decode()
    found = re.search(r'data-testid="secret"[^>]*>([A-Z2-7 ]+)<', page)
    assert found
    other = found.group(1).replace(" ", "")
    assert other != SECRET
    for sent in (
        {"new_code": code_of(other)},
        {"renew": "1"},
        {"remove": "1"},
        {"new_code": code_of(other), "code": "000000"},
    ):
        refused = browser.post("/me/second-factor/", sent)
        assert (refused.status_code, refused.content.count(b"This code is wrong")) == (422, 1)
    clock.shift(30)
    assert (
        browser.post("/me/second-factor/", {"remove": "1", "code": code_of()}).status_code == 422
    )  # ada must have one
    clock.shift(30)
    changed = browser.post("/me/second-factor/", {"new_code": code_of(other), "code": code_of()})
    assert changed.content.decode().count("<code>") == 10
    assert "second_factor_replaced" in events(ada)


def test_who_gets_another_second_factor_is_logged_in_here_alone(
    ada: User, make_user: Callable[..., User], clock: Any
) -> None:
    other = Client()
    other.force_login(make_user("dana", "reviewer"))
    gives(ada, clock)
    elsewhere, here = first(), first()
    second(elsewhere, code_of())
    clock.shift(30)
    second(here, code_of())
    page = here.get("/me/second-factor/").content.decode()
    found = re.search(r'data-testid="secret"[^>]*>([A-Z2-7 ]+)<', page)
    assert found
    clock.shift(30)
    new = code_of(found.group(1).replace(" ", ""))
    assert here.post("/me/second-factor/", {"new_code": new, "code": code_of()}).status_code == 200
    assert [browser.get("/help/").status_code for browser in (here, elsewhere, other)] == [200, 302, 200]


def test_a_second_factor_that_is_removed_takes_every_session_along(ada: User, clock: Any) -> None:
    gives(ada, clock)
    browser = first()
    second(browser, code_of())
    assert browser.get("/help/").status_code == 200
    call_command("remove_second_factor", "ada")
    assert browser.get("/help/").status_code == 302


# --- codes ---
def test_a_code_opens_once_and_in_its_minute(ada: User, clock: Any) -> None:
    gives(ada, clock)
    code = code_of()
    assert SecondFactor.accept(ada, f" {code[:3]} {code[3:]} ") == CODE
    assert SecondFactor.accept(ada, code) == ""
    clock.shift(90)
    stale = code_of()
    clock.shift(90)
    assert SecondFactor.accept(ada, stale) == ""


def test_a_recovery_code_opens_once_however_it_is_typed(ada: User, clock: Any) -> None:
    codes = gives(ada, clock)
    assert SecondFactor.accept(ada, codes[3].replace("-", " ").upper()) == RECOVERY_CODE
    assert SecondFactor.accept(ada, codes[3]) == ""
    used = PersonEvent.objects.filter(subject=ada).latest("seq")
    assert (used.action, used.before, used.after) == (
        "recovery_code_used", {"recovery_codes": 10}, {"recovery_codes": 9},
    )  # fmt: skip
    renewed = SecondFactor.renew_recovery(ada)
    assert SecondFactor.accept(ada, codes[4]) == ""
    assert SecondFactor.accept(ada, renewed[0]) == RECOVERY_CODE


@pytest.mark.parametrize("code", ["", " ", "0", "000000", "１２３４５６", "١٢٣٤٥٦", "\0", "-----"])
def test_anything_else_opens_nothing(ada: User, clock: Any, code: str) -> None:
    gives(ada, clock)
    assert SecondFactor.accept(ada, code) == ""


def test_whoever_reads_the_database_makes_no_codes(ada: User, clock: Any) -> None:
    codes = gives(ada, clock)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM detection_secondfactor")
        stored = str(cursor.fetchall())
    assert SECRET not in stored
    assert not any(code in stored or code.replace("-", "") in stored for code in codes)


def test_an_older_key_still_opens_and_a_lost_one_is_a_wrong_code(
    ada: User, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes, old = gives(ada, clock), settings.AUDIT_KEYS
    monkeypatch.setattr(settings, "AUDIT_KEYS", (b"a new key that signs", *old))
    assert SecondFactor.accept(ada, code_of()) == CODE
    assert SecondFactor.accept(ada, codes[0]) == RECOVERY_CODE
    browser = first()
    monkeypatch.setattr(settings, "AUDIT_KEYS", (b"a new key that signs",))
    clock.shift(30)
    for code in (code_of(), codes[1]):
        assert "This code is wrong" in second(browser, code).content.decode()


# --- guessing ---
def test_codes_are_guessed_no_oftener_than_passwords(ada: User, clock: Any) -> None:
    gives(ada, clock)
    browser = first(address=CAFE)
    assert [second(browser, "000000").status_code for _ in range(5)] == [200, 200, 200, 200, 429]
    assert second(browser, code_of()).status_code == 429
    assert (
        first(address=CAFE).get("/login/second-step/")["Location"] == "/login/"
    )  # nor begun again from there
    assert who(browser) is None
    assert second(first(address=HOME), code_of()).status_code == 302
    kept = AccessAttempt.objects.get()
    assert (kept.failures_since_start, "000000" in kept.post_data) == (5, False)


def test_a_right_password_forgets_no_wrong_code(ada: User, clock: Any) -> None:
    gives(ada, clock)
    for _ in range(4):
        second(first(address=CAFE), "000000")
    assert second(first(address=CAFE), "000000").status_code == 429


def test_from_many_addresses_codes_are_guessed_no_oftener_and_a_known_device_gets_in(
    ada: User, clock: Any
) -> None:
    gives(ada, clock)
    known = first(address=HOME)
    second(known, code_of())
    known.post("/logout/")
    got = [second(first(address=f"192.0.2.{n + 1}"), "000000").status_code for n in range(MOST_WRONG)]
    assert set(got[:-1]) == {200}
    clock.shift(30)
    refused = second(first(address="192.0.2.200"), code_of())
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) == REST.total_seconds() - 30
    known.post("/login/", {"username": "ada", "password": RIGHT})
    assert second(known, code_of()).status_code == 302


def test_the_rest_is_over_by_itself(ada: User, clock: Any) -> None:
    gives(ada, clock)
    for _ in range(MOST_WRONG):
        SecondFactor.accept(ada, "000000")
    with pytest.raises(Resting):
        SecondFactor.accept(ada, code_of())
    clock.shift(REST)
    assert SecondFactor.accept(ada, code_of()) == CODE


# --- lost ---
def test_an_administrator_removes_it_from_those_who_hold_no_more(
    ada: User, make_user: Callable[..., User], clock: Any
) -> None:
    gives(ada, clock)
    below, above = make_user("below", "admin"), make_user("above", "admin", "senior")
    Group.objects.get(name="admin").permissions.add(*Permission.objects.filter(codename="change_user"))
    Group.objects.get(name="admin").permissions.add(*Permission.objects.filter(codename="view_user"))
    for person in (below, above):
        SecondFactor.set(person, SECRET, code_of(), replaces=False)
    browser = first()
    second(browser, code_of())
    sent = {"action": "remove_second_factor", "_selected_action": [below.pk, above.pk]}
    page = browser.post("/admin/auth/user/", sent, follow=True).content.decode()
    assert "Above: Nobody gives what they do not hold themselves: senior." in page
    assert [standing(one)["second_factor"] for one in (below, above)] == [False, True]
    told = PersonEvent.objects.filter(subject=below).latest("seq")
    assert (told.actor, told.before, told.after) == (ada, {"second_factor": True}, {"second_factor": False})


def test_only_superusers_remove_that_of_a_superuser(
    ada: User, make_user: Callable[..., User], clock: Any
) -> None:
    root = make_user("root")
    User.objects.filter(pk=root.pk).update(is_superuser=True)
    SecondFactor.set(User.objects.get(pk=root.pk), SECRET, code_of(), replaces=False)
    with pytest.raises(NotHeld):
        SecondFactor.remove(root, actor=ada)
    assert standing(root)["second_factor"]


def test_whoever_runs_the_machine_removes_it_by_a_command(ada: User, clock: Any) -> None:
    gives(ada, clock)
    call_command("remove_second_factor", "ada")
    assert not SecondFactor.objects.exists()
    assert PersonEvent.objects.filter(subject=ada).latest("seq").after == {"second_factor": False}
    assert first().get("/login/second-step/").content.decode().count('data-testid="set-up"') == 1


def test_one_that_was_taken_away_behind_our_back_is_found(ada: User, clock: Any) -> None:
    Change(None, ()).end(ada)
    gives(ada, clock)
    chain = list(PersonEvent.objects.filter(subject=ada))
    assert STATES["person"].unexplained(ada, chain) == ""
    SecondFactor.objects.all().delete()
    assert "second_factor" in STATES["person"].unexplained(ada, chain)


# --- in the dialog ---
def test_in_the_dialog_the_second_step_follows_the_first(ada: User, clock: Any) -> None:
    gives(ada, clock)
    browser, headers = Client(), {"HX-Request": "true"}
    asked = browser.post("/login/", {"username": "ada", "password": RIGHT}, headers=headers).content.decode()
    assert "<html" not in asked
    assert 'hx-post="/login/second-step/"' in asked
    assert second(browser, "000000", headers=headers).status_code == 422
    assert 'data-testid="signed-in"' in second(browser, code_of(), headers=headers).content.decode()
    assert who(browser) == str(ada.pk)


def test_in_the_dialog_it_is_set_up_in_another_window(ada: User) -> None:
    headers = {"HX-Request": "true"}
    asked = Client().post("/login/", {"username": "ada", "password": RIGHT}, headers=headers).content.decode()
    assert 'target="_blank"' in asked
    assert 'data-testid="secret"' not in asked


# --- the provider's ---
@pytest.mark.parametrize(
    ("amr", "counts", "confirmed"),
    [
        (["pwd", "mfa"], ["mfa"], True),
        (["pwd"], ["mfa"], False),
        (["mfa"], [], False),
        ("mfa", ["mfa"], True),
        (None, ["mfa"], False),
    ],
)
def test_the_provider_s_second_factor_counts_where_the_configuration_says_so(
    amr: Any, counts: list[str], confirmed: bool
) -> None:
    provider = identity_provider.configured(
        "https://id.example", client_id="c", client_secret="s", scopes="openid", groups_claim="groups", groups="",
        creates=False, emergency=(), second_factors=counts,
    )  # fmt: skip
    assert provider
    assert provider.has_second_factor({"amr": amr}) is confirmed
