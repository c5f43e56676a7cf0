"""The audit log in a browser: how a senior finds out who did what, and what the others are told (F12, F13, E18)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from reviews.audit import listing
from reviews.models import Lease, Preferences, ReviewPass
from tests.e2e import axe
from tests.e2e.conftest import Open, window
from tests.reviews import answers
from tests.reviews.answers import person
from tests.reviews.test_facts_pages import remembered

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def people() -> dict[str, User]:
    """One of each who matters here, and a review that was worked on."""
    dana = person("dana", "reviewer", full="Dana Levi")
    sofia = person("sofia", "senior", full="Sofia Ben-Ari")
    person("vera", "viewer", full="Vera Klein")
    oak = answers.oak_plaza()
    remembered()
    Lease.take(oak, dana)
    for claim, verdict in zip(oak.to_decide(), ("rejected", "supported", "supported"), strict=False):
        ReviewPass.decide(
            oak,
            dana,
            oak.version,
            claim,
            verdict,
            reason_code="wrong_period" if verdict == "rejected" else "",
        )
    Lease.release(oak, sofia, reason="צריך את זה עכשיו <b>now</b>")
    return {"dana": dana, "sofia": sofia}


def test_a_senior_finds_who_did_what_and_takes_it_along(
    open_page: Open, people: dict[str, User], keep: Callable[[Page, str], None], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(listing, "SIZE", 5)
    page = open_page("sofia", "/queue/")
    page.get_by_role("link", name="Audit", exact=True).click()
    rows = page.get_by_test_id("audit-row")
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text("Sofia Ben-Ari")
    expect(rows.first).to_contain_text("צריך את זה עכשיו <b>now</b>")
    keep(page, "audit-light-1440")
    wrong = axe.wrong(page, "the log")

    page.get_by_test_id("older").click()
    expect(rows.last).to_contain_text("Opened")
    page.get_by_test_id("newest").click()
    page.get_by_label("Who").fill("dana")
    page.get_by_label("Action").select_option("decided")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile("action=decided"))
    expect(rows.first).to_contain_text("Verdict on claim")
    assert set(
        page.locator("[data-testid=audit-row]").evaluate_all("all => all.map(it => it.dataset.action)")
    ) == {"decided"}
    with page.expect_download() as export:
        page.get_by_test_id("export").click()
    taken = tmp_path / "audit.csv"
    export.value.save_as(taken)
    lines = taken.read_text(encoding="utf-8-sig").splitlines()
    decided = rows.count()
    assert len([line for line in lines[1:] if ",decided," in line]) == len(lines) - 1 == decided

    rows.first.get_by_role("link").click()
    expect(page.get_by_test_id("event")).to_have_count(decided + 3)
    expect(page.get_by_test_id("thresholds")).to_contain_text("Version 1")
    expect(page.get_by_test_id("versions")).to_contain_text("reviewed here")
    keep(page, "history-light-1440")
    wrong += axe.wrong(page, "the history")
    page.get_by_role("link", name="In the audit log").click()
    expect(page.get_by_label("Which one")).not_to_have_value("")
    page.get_by_label("Who").fill("no such person")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_test_id("form-error")).to_contain_text("Nobody and no API key has this name.")
    keep(page, "audit-fault-light-1440")
    assert wrong == []


def test_the_log_and_the_history_in_the_dark_narrow_and_from_right_to_left(
    open_page: Open, people: dict[str, User], keep: Callable[[Page, str], None]
) -> None:
    wrong: list[str] = []

    def look(page: Page, mode: str, *widths: int) -> None:
        page.goto("/audit/")
        history = page.locator("[data-testid=audit-row][data-kind=review] a").first.get_attribute("href")
        for name in ("audit", "history"):
            if name == "history":
                page.goto(history or "")
            for width in widths:
                window(page, width=width, color_scheme="dark" if mode == "dark" else "light")
                keep(page, f"{name}-{mode}-{width}")
                wrong.extend(axe.wrong(page, f"{name}-{mode}-{width}"))

    look(open_page("sofia"), "dark", 800)
    Preferences.keep(people["sofia"], language="he")
    look(open_page("sofia", locale="he"), "hebrew", 390, 1440)
    assert wrong == []


def test_who_may_not_is_told_why_on_a_page_and_in_its_place(
    open_page: Open, people: dict[str, User], keep: Callable[[Page, str], None]
) -> None:
    page = open_page("vera", "/queue/")
    expect(page.get_by_role("link", name="Audit", exact=True)).to_have_count(0)
    assert page.goto("/audit/").status == 403  # type: ignore[union-attr]  # there is a response
    expect(page.get_by_role("main")).to_contain_text("The audit log is for seniors and administrators.")
    keep(page, "audit-refused")
    page.get_by_role("link", name="To the queue").click()
    expect(page.get_by_test_id("queue-row")).to_have_count(1)

    page = open_page("dana", "/queue/")
    page.get_by_test_id("queue-row").get_by_role("link").first.click()
    supported = page.locator("[data-testid=verdict-supported]:visible").first
    expect(supported).to_be_visible()
    page.wait_for_url("**/?claim=*")  # written by the script, once it has selected a claim
    here = page.url
    people["dana"].groups.clear()
    supported.click()
    told = page.get_by_test_id("problem")
    expect(told).to_contain_text("Not allowed. You have no role here yet. Ask an administrator for one.")
    assert page.url == here
    keep(page, "refused-in-its-place")
