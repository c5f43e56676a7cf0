"""The keys of the review page in a real browser (F03): how many it takes, where they work and where they do not."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from reviews.models import ClaimVerdict, HallucinationReview, Preferences
from tests.e2e.conftest import Open
from tests.e2e.reviewing import Keyboard, opened, press_code, selected, state_of, with_flagged
from tests.reviews import answers

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
FIVE = ["1,000.10", "2,000.20", "3,000.30", "4,000.40", "5,000.50"]


SCENARIOS: dict[str, tuple[Callable[[], HallucinationReview], list[str], int, str]] = {
    "false alarm": (lambda: with_flagged(FIVE[:1]), ["a", "Control+Enter"], 2, "approved"),
    "database value": (
        lambda: with_flagged(FIVE[:1], expected=True),
        ["d", "Control+Enter"],
        2,
        "corrected",
    ),
    "five claims": (lambda: with_flagged(FIVE), [*"aqnaa", "Control+Enter"], 7, "no_decision"),
    "rejected with a reason": (
        lambda: with_flagged(FIVE[:1]),
        ["x", "p", "Enter", "Control+Enter"],
        4,
        "rejected",
    ),
    "suggested reason": (answers.off_period, ["y", "Control+Enter"], 2, "corrected"),
}


def test_five_ways_through_a_review_take_few_keys(open_page: Open, dana: User) -> None:
    counted: dict[str, list[str]] = {}
    page = open_page("dana")
    for name, (make, keys, budget, outcome) in SCENARIOS.items():
        review = make()
        keyboard = Keyboard(opened(page, review))
        keyboard.press(*keys)
        page.wait_for_url(re.compile(rf"^(?!.*/reviews/{review.pk}/)"))
        review.refresh_from_db()
        assert (review.state, review.outcome) == ("resolved", outcome), name
        counted[name] = keyboard.pressed
        assert len(keyboard.pressed) <= budget, name
    folder = Path(os.environ.get("HALLU_ARTEFACTS", "var/artefacts"))
    folder.mkdir(parents=True, exist_ok=True)
    shown = {name: {"keys": len(keys), "pressed": keys} for name, keys in counted.items()}
    (folder / "keystrokes.json").write_text(json.dumps(shown, indent=2))


def test_keys_go_by_place_and_stay_out_of_fields_and_dialogs(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    page = opened(open_page("dana"), oak)
    page.keyboard.press("c")
    field = page.locator("[data-testid=corrected-value]:visible")
    field.fill("")
    field.press_sequentially("1.25 axn")
    press_code(page, "KeyA", "ש")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Slash")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.evaluate("document.activeElement.blur()")
    press_code(page, "KeyA", "å", altKey=True)
    press_code(page, "KeyA", "a", isComposing=True)
    press_code(page, "KeyA", "a", modifierAltGraph=True)
    selected(page, 2)
    assert not ClaimVerdict.objects.exists()
    press_code(page, "KeyA", "ש")
    state_of(page, 2).to_have_attribute("data-state", "supported")
    press_code(page, "Numpad5", "5")
    selected(page, 5)
    assert ClaimVerdict.objects.get().claim.index == 1


def test_a_person_moves_keys_or_switches_them_off(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    Preferences.keep(dana, keymap={"supported": "KeyG"})
    page = opened(open_page("dana"), oak)
    expect(page.locator("[data-testid=verdict-supported]:visible kbd")).to_have_text("G")
    page.keyboard.press("a")
    page.keyboard.press("g")
    state_of(page, 2).to_have_attribute("data-state", "supported")
    Preferences.keep(dana, shortcuts=False)
    page.reload()
    expect(page.get_by_test_id("resolve")).to_be_visible()
    before = page.url
    for key in "gd3jxu":
        page.keyboard.press(key)
    assert page.url == before
    expect(page.locator(".row[open]")).to_have_count(0)
    assert ClaimVerdict.objects.count() == 1
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("undecided")).to_contain_text("2 claims undecided")


SEEN = "[...document.querySelectorAll('body kbd:not(.letter)')].filter((k) => k.checkVisibility())"
ANSWERS_ITS_KEY = (
    """(index) => {
  const kbd = """
    + SEEN
    + """[index];
  const control = kbd.closest('[data-key]') ?? kbd.parentElement.querySelector('[data-key]');
  if (!control) return [kbd.textContent, false];
  let reached = null;
  const stop = (event) => {
    reached = event.target.closest('[data-key]'); event.preventDefault(); event.stopImmediatePropagation();
  };
  document.addEventListener('click', stop, true);
  const parts = control.dataset.key.split(' ')[0].split('+');
  document.body.dispatchEvent(new KeyboardEvent('keydown', { code: parts.at(-1), key: 'x', bubbles: true, cancelable: true,
    ctrlKey: parts.includes('Ctrl'), shiftKey: parts.includes('Shift') }));
  document.removeEventListener('click', stop, true);
  const hit = reached === control || document.activeElement === control;
  document.activeElement?.blur?.();
  return [kbd.textContent, hit];
}"""
)


def test_every_visible_key_reaches_its_control(open_page: Open, dana: User, oak: HallucinationReview) -> None:
    page = opened(open_page("dana"), oak)
    page.keyboard.press("a")
    selected(page, 3)  # until then keys are kept
    reached = [page.evaluate(ANSWERS_ITS_KEY, n) for n in range(page.evaluate(f"{SEEN}.length"))]
    assert [label for label, hit in reached if not hit] == []
    assert len(reached) >= 15


def walk(page: Page, oak: HallucinationReview) -> None:
    """From one end of the review to the other without the mouse."""
    page.keyboard.press("5")
    selected(page, 5)
    page.keyboard.press("j")
    selected(page, 6)
    page.keyboard.press("Shift+KeyJ")
    selected(page, 2)
    page.keyboard.press("Shift+KeyK")
    selected(page, 6)
    page.keyboard.press("ArrowUp")
    selected(page, 5)
    page.keyboard.press("e")
    expect(page.locator("#evidence")).to_be_focused()
    page.keyboard.press("e")
    page.keyboard.press("2")
    page.keyboard.press("o")
    expect(page.locator("[data-testid=looked-at]:visible table")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("occupancy")
    expect(page.locator("#found")).to_have_text("1")
    page.keyboard.press("Escape")
    page.keyboard.press("2")


def test_a_whole_review_by_keyboard_alone(open_page: Open, dana: User, oak: HallucinationReview) -> None:
    following = answers.hebrew()
    page = open_page("dana", "/queue/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("resolve")).to_be_visible()
    walk(page, oak)
    page.keyboard.press("d")
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    page.keyboard.press("x")
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    state_of(page, 3).to_have_attribute("data-state", "rejected")
    page.keyboard.press("n")
    state_of(page, 6).to_have_attribute("data-state", "not_a_claim")
    page.keyboard.press("v")
    state_of(page, 4).to_have_attribute("data-state", "supported")
    page.keyboard.press("u")
    state_of(page, 4).to_have_attribute("data-state", "undecided")
    proposed = float(page.get_by_test_id("final-confidence").input_value())
    page.keyboard.press("-")
    expect(page.get_by_test_id("final-confidence")).to_have_value(f"{proposed - 0.05:.2f}")
    page.keyboard.press("+")
    page.keyboard.press("NumpadSubtract")
    expect(page.get_by_test_id("final-confidence")).to_have_value(f"{proposed - 0.05:.2f}")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/reviews/{following.pk}/**")
    assert ClaimVerdict.objects.get(claim__run=oak.run, claim__index=2).reason_code == "wrong_period"
    oak.refresh_from_db()
    assert oak.final_confidence == pytest.approx(proposed - 0.05)
