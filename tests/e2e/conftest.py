"""A real Chromium against a live server; without one the tests are skipped, or fail when it is required."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from reviews.models import HallucinationReview
from tests.reviews import answers
from tests.reviews.answers import person

# Playwright's loop runs in this thread; Django would refuse its ORM beside a loop.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
Open = Callable[..., Page]
expect.set_options(timeout=120_000)  # a busy machine is slow, not wrong


def _chromium() -> str | None:
    # The shell draws pages alone; the others draw a browser around each, for three times the processor time.
    known = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    names = (os.environ.get("CHROMIUM", ""), *known)
    return next((path for name in names if name and (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium of this machine."""
    path = _chromium()
    if path is None:
        reason = "No Chromium found: install it, or name it in CHROMIUM."
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


VIOLATIONS = """document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy violated: ${event.effectiveDirective} ${event.blockedURI}`));"""
REFUSED = (
    "Failed to load resource",
    "Response Status Error Code",
    "htmx:sendError",
    "htmx:afterRequest",
    "htmx:sendAbort",
)
"""How the console calls an answer of the server from 400 on, and none at all; many a test wants one."""


@pytest.fixture(autouse=True)
def faults() -> Iterator[list[str]]:
    """What went wrong in any page of the test: script errors and what the console calls errors, violations
    of the content policy among them. A test fails at its end if there is any but a refusal of the server."""
    found: list[str] = []
    yield found
    assert [fault for fault in found if not fault.startswith(REFUSED)] == []


@pytest.fixture
def dana(transactional_db: None) -> User:
    """A reviewer."""
    return person("dana", "reviewer", full="Dana Levi")


@pytest.fixture
def erez(transactional_db: None) -> User:
    """Another reviewer."""
    return person("erez", "reviewer", full="Erez Cohen")


@pytest.fixture
def oak(transactional_db: None) -> HallucinationReview:
    """The review of Oak Plaza: claims 2, 3 and 6 to decide."""
    return answers.oak_plaza()


@pytest.fixture
def open_page(browser: Browser, live_server: Any, faults: list[str]) -> Iterator[Open]:
    """``open_page("dana", "/queue/", width=390)``: a page of a context of its own, where ``dana`` is logged in
    when a name is given, gone to an address when one is. The session comes as a cookie; :func:`log_in` takes a
    person's way."""
    contexts: list[BrowserContext] = []

    def opened(
        name: str = "", path: str = "", *, width: int = 1440, height: int = 860, **options: Any
    ) -> Page:
        context = browser.new_context(
            base_url=live_server.url, viewport={"width": width, "height": height}, **options
        )
        contexts.append(context)
        context.add_init_script(VIOLATIONS)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda said: faults.extend([said.text] if said.type == "error" else []))
        if name:
            sign_in(context, name, live_server.url)
        if path:
            page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()


def sign_in(context: BrowserContext, name: str, url: str) -> None:
    """Give a browser context the session of a person."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": url}])


SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""How far a page can be scrolled sideways."""


def window(page: Page, *, width: int = 1440, height: int = 860, **media: Any) -> None:
    """Give a page's window a size, and the colours that ``media`` says, as :func:`open_page` gives a new one."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(**({"color_scheme": "light", "forced_colors": "none"} | media))


def log_in(page: Page, name: str, password: str) -> None:
    """Through the log-in page, as a person does."""
    page.goto("/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/queue/**")


@pytest.fixture
def keep() -> Callable[[Page, str], None]:
    """``keep(page, "review")``: a screenshot in the folder SCREENSHOTS, when somebody wants to look."""
    folder = os.environ.get("SCREENSHOTS")

    def kept(page: Page, name: str) -> None:
        if folder:
            page.screenshot(path=str(Path(folder) / f"{name}.png"), caret="initial")

    return kept
