"""What the browser tests of the review page share: opening it, looking at a claim, counting keys, small answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

from reviews.models import HallucinationReview
from tests.reviews.answers import Written, number, record


def opened(page: Page, review: HallucinationReview) -> Page:
    """The review page, taken by itself."""
    page.goto(f"/reviews/{review.pk}/")
    expect(page.get_by_test_id("resolve")).to_be_visible()
    page.wait_for_load_state()  # drawn before its scripts run: a key pressed in between goes nowhere
    return page


def state_of(page: Page, n: int) -> Any:
    """An expectation about claim ``n`` of the list."""
    return expect(page.locator(f"#claims li[data-n='{n}']"))


def selected(page: Page, n: int) -> None:
    """Claim ``n`` is the one selected, and its evidence is what is shown."""
    row = page.locator(f"#claims li[data-n='{n}']")
    expect(row.locator("a")).to_have_attribute("aria-current", "true")
    shown = page.locator("[data-testid=evidence]:visible")
    expect(shown).to_have_attribute("data-claim-id", row.get_attribute("data-claim-id") or "")


def press_code(page: Page, code: str, key: str, **more: Any) -> None:
    """A key as a layout other than this machine's sends it."""
    page.evaluate(
        "(init) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', init))",
        {"key": key, "code": code, "bubbles": True, "cancelable": True, **more},
    )


@dataclass
class Keyboard:
    """Presses keys one after the other, as fast as they come, and counts them."""

    page: Page
    pressed: list[str] = field(default_factory=list)

    def press(self, *keys: str) -> None:
        """Each of ``keys`` once."""
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed.append(key)


def with_flagged(values: Sequence[str], *, expected: bool = False) -> HallucinationReview:
    """The review of an answer with one doubtful sum for each of ``values``; ``expected`` gives each a value of
    record."""
    written = Written(" ".join(f"Item {n} was ${value}." for n, value in enumerate(values)))
    for value in values:
        plain = value.replace(",", "")
        written.claim(
            f"${value}",
            "currency",
            "contradicted",
            "out_of_tolerance",
            numeric=number(plain, "1234567.89" if expected else None, "USD", "net_operating_income"),
            evidence=[record("1234567.89", "USD", "net_operating_income", matched=True)] if expected else [],
        )
    return written.store()


def positions(page: Page, selector: str) -> list[list[float]]:
    """Line and left edge of every character of an element, in the order of the text."""
    found: list[list[float]] = page.evaluate(
        """(selector) => {
          const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
          const places = [];
          for (let node = walker.nextNode(); node; node = walker.nextNode())
            for (let i = 0; i < node.length; i++) {
              const range = document.createRange();
              range.setStart(node, i); range.setEnd(node, i + 1);
              const box = range.getBoundingClientRect();
              places.push([Math.round(box.top / 12), box.left]);
            }
          return places;
        }""",
        selector,
    )
    return found


def visual_order(places: list[list[float]], text: str) -> str:
    """The text as the eye meets it: by line, then from the left."""
    placed = sorted(zip(places, text, strict=True), key=lambda pair: (pair[0][0], pair[0][1]))
    return "".join(letter for _, letter in placed if letter.strip())
