"""A real Chromium against a live server; without one the tests are skipped, or fail when it is required."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

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


def _chromium() -> str | None:
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
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


@pytest.fixture
def faults() -> list[str]:
    """What went wrong in any page of the test: script errors and what the console calls errors, violations
    of the content policy among them."""
    return []


@pytest.fixture
def open_page(browser: Browser, live_server: Any, faults: list[str]) -> Iterator[Open]:
    """``open_page("dana", width=390)``: a page of a context of its own, logged in when a name is given."""
    contexts: list[BrowserContext] = []

    def opened(
        name: str = "", password: str = "", *, width: int = 1440, height: int = 860, **options: Any
    ) -> Page:
        context = browser.new_context(
            base_url=live_server.url, viewport={"width": width, "height": height}, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda said: faults.extend([said.text] if said.type == "error" else []))
        if name:
            log_in(page, name, password)
        return page

    yield opened
    for context in contexts:
        context.close()


def log_in(page: Page, name: str, password: str) -> None:
    """Through the log-in page, as a person does."""
    page.goto("/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/queue/**")


@pytest.fixture
def keep() -> Callable[[Page, str], None]:
    """``keep(page, "review")``: a screenshot in the folder HALLU_ARTEFACTS."""
    folder = Path(os.environ.get("HALLU_ARTEFACTS", "var/artefacts"))
    folder.mkdir(parents=True, exist_ok=True)

    def kept(page: Page, name: str) -> None:
        page.screenshot(path=str(folder / f"{name}.png"), caret="initial")

    return kept
