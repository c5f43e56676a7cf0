"""How many bytes and requests is each page, with nothing in the browser's cache and with everything?

    python -m benchmarks.page_weight http://localhost:8000/ NAME PASSWORD [--chromium PATH]

Asks a running server (./run prints its log-ins) as a person with a real Chromium, and prints for each page its requests
and kilobytes as they go over the wire, compressed where the server compresses, and the kilobytes of the page itself;
then the same for a second visit. Nothing on the server is changed, but that the first open review is taken.
"""

import argparse
import shutil
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

PAGES = {
    "log in": "/login/",
    "my work": "/",
    "queue": "/queue/",
    "review": "",
    "history": "history/",
    "answers": "/answers/",
    "facts": "/facts/",
    "traces": "/traces/",
    "monitoring": "/monitoring/",
    "preferences": "/me/",
    "help": "/help/",
}


@dataclass(slots=True)
class Weight:
    """What one visit fetched: requests that reached the server, bytes on the wire, bytes of the page's text."""

    requests: int = 0
    bytes: int = 0
    page: int = 0


class Scale:
    """Weighs what a tab fetches; what comes out of the browser's cache weighs nothing."""

    def __init__(self, tab: CDPSession) -> None:
        self.weight, self.cached, self.page = Weight(), set[str](), ""
        tab.send("Network.enable")
        tab.on("Network.requestServedFromCache", lambda event: self.cached.add(event["requestId"]))
        tab.on("Network.responseReceived", self._received)
        tab.on("Network.loadingFinished", self._finished)

    def _received(self, event: dict[str, Any]) -> None:
        if event["type"] == "Document":
            self.page = event["requestId"]
        if event["response"].get("fromDiskCache"):
            self.cached.add(event["requestId"])

    def _finished(self, event: dict[str, Any]) -> None:
        name = event["requestId"]
        if name in self.cached:
            return
        size = int(event["encodedDataLength"])
        self.weight.requests += 1
        self.weight.bytes += size
        self.weight.page += size if name == self.page else 0


def weigh(page: Page, scale: Scale, path: str) -> Weight:
    """One visit."""
    scale.weight, scale.cached = Weight(), set()
    answer = page.goto(path, wait_until="networkidle")
    if answer is None or not answer.ok:
        raise SystemExit(f"{path} did not answer as a page.")
    weight, scale.weight = scale.weight, Weight()
    return weight


def log_in(page: Page, name: str, password: str) -> None:
    """Through the form."""
    page.goto("/login/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(password)
    page.locator("button.go").click()
    page.wait_for_url(lambda url: "/login/" not in url)


def addresses(page: Page) -> dict[str, str]:
    """The pages, the first review of the queue among them."""
    page.goto("/queue/")
    link = page.get_by_test_id("open-review").first
    review = (link.get_attribute("href") or "").partition("?")[0] if link.count() else ""
    found = {name: path if path.startswith("/") else review + path for name, path in PAGES.items()}
    return {name: path for name, path in found.items() if path.startswith("/") and name != "log in"}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("server")
    parser.add_argument("name")
    parser.add_argument("password")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "")
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=asked.chromium, args=["--no-sandbox"])
        context = browser.new_context(base_url=asked.server)
        page = context.new_page()
        scale = Scale(context.new_cdp_session(page))
        rows = {"log in": (weigh(page, scale, "/login/"), weigh(page, scale, "/login/"))}
        log_in(page, asked.name, asked.password)
        for name, path in addresses(page).items():
            empty_cache(page)
            first = weigh(page, scale, path)
            rows[name] = (first, weigh(page, scale, path))
        browser.close()
    print("| page | requests | KB | of them the page | again: requests | KB |\n|---|---|---|---|---|---|")
    for name, (first, again) in rows.items():
        print(
            f"| {name} | {first.requests} | {first.bytes / 1000:.1f} | {first.page / 1000:.1f}"
            f" | {again.requests} | {again.bytes / 1000:.1f} |"
        )


def empty_cache(page: Page) -> None:
    """Empty the browser's cache."""
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")


if __name__ == "__main__":
    main()
