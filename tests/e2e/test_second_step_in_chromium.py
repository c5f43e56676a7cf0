"""The second step of the log-in in a real browser: on a phone, dark, from right to left, by keyboard; and in the dialog."""

import pyotp
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, expect

from detection.models import SecondFactor
from reviews.models import ClaimVerdict, HallucinationReview, Preferences
from tests.e2e import axe
from tests.e2e.conftest import SIDEWAYS, Open
from tests.reviews.answers import person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("SEC-38"),
    pytest.mark.django_db(transaction=True),
]
RIGHT = "correct horse battery"


@pytest.fixture(autouse=True)
def asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Administrators have to pass the second step, as in production."""
    monkeypatch.setattr(settings, "HALLU_SECOND_FACTOR", True)


@pytest.fixture
def ada(transactional_db: None) -> User:
    """An administrator with a password and no second factor, who reads from right to left, in the dark."""
    ada = person("ada", "admin", full="Ada Kaplan")
    ada.set_password(RIGHT)
    ada.save()
    Preferences.keep(ada, language="he", theme="dark")
    return ada


def sound(page: Page) -> None:
    """A page that fits and that everybody can use."""
    assert page.evaluate(SIDEWAYS) == 0
    assert axe.grave(page, axe.ALL) == []
    assert axe.small_targets(page) == []


def first_step(page: Page) -> None:
    """The log-in page, by keyboard alone."""
    page.goto("/login/")
    expect(page.locator("input[name=username]")).to_be_focused()
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    expect(page.locator("input[name=password]")).to_be_focused()
    page.keyboard.type(RIGHT)
    page.keyboard.press("Enter")
    page.wait_for_url("**/login/second-step/")


def enter(page: Page, code: str) -> None:
    """One code, by keyboard alone."""
    expect(page.locator("input[name=code]")).to_be_focused()
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def test_it_is_set_up_and_passed_on_a_phone_by_keyboard(open_page: Open, ada: User) -> None:
    page = open_page(width=320, height=700, locale="he", color_scheme="dark")
    first_step(page)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    sound(page)
    secret = page.get_by_test_id("secret").inner_text().replace(" ", "")
    assert page.locator("img.qr").evaluate("image => image.complete && image.naturalWidth > 100")
    enter(page, "000000")
    expect(page.get_by_test_id("code-error")).to_be_visible()
    enter(page, pyotp.TOTP(secret).at(timezone.now()))
    expect(page.get_by_test_id("recovery-codes").locator("li")).to_have_count(10)
    sound(page)
    code = page.get_by_test_id("recovery-codes").locator("li").first.inner_text()
    page.get_by_test_id("go-on").click()
    page.wait_for_url("**/queue/")
    page.goto("/me/second-factor/")
    sound(page)
    again = open_page(width=320, height=700, locale="he", color_scheme="dark")
    first_step(again)
    sound(again)
    enter(again, code)
    again.wait_for_url("**/queue/")


def test_what_an_ended_session_interrupted_is_sent_after_both_steps_in_the_dialog(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    dana.set_password(RIGHT)
    dana.save()
    secret = pyotp.random_base32()
    codes = SecondFactor.set(dana, secret, pyotp.TOTP(secret).at(timezone.now()), replaces=False)
    page = open_page("dana", f"/reviews/{oak.pk}/")
    expect(page.get_by_test_id("resolve")).to_be_visible()
    Session.objects.all().delete()
    page.keyboard.press("a")
    dialog = page.locator("#signin")
    dialog.get_by_label("User name").fill("dana")
    dialog.get_by_label("Password").fill(RIGHT)
    page.keyboard.press("Enter")
    for code in ("000000", codes[0]):
        expect(dialog.get_by_label("Code")).to_be_focused()
        dialog.get_by_label("Code").fill(code)
        assert not ClaimVerdict.objects.exists()
        page.keyboard.press("Enter")
        if code != codes[0]:
            expect(dialog.get_by_test_id("code-error")).to_be_visible()
    expect(page.locator("#claims li[data-n='2']")).to_have_attribute("data-state", "supported")
    expect(dialog).to_be_hidden()
