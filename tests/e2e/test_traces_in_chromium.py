"""The pages of audited traces in a real browser: narrow, dark, by keyboard, without a script."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from detection import traces
from detection.models import Trace
from tests.e2e.conftest import Open, window
from tests.reviews.answers import person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("SPEC-08.24"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]
CONTEXT: list[dict[str, Any]] = [
    {"id": f"S{n}", "text": f"The tenant of unit {n} renewed its lease. " * 20} for n in range(12)
]
STEPS: list[dict[str, Any]] = [
    {"text": "The tenant of unit 11 renewed its lease.", "citations": ["S11"]},
    {"text": "The roof garden was opened by the mayor in spring.", "citations": ["S99"]},
    {"text": "The roof garden opened by the mayor blooms in spring."},
    {"text": "גינת הגג נפתחה באביב על ידי ראש העיר."},
]


@pytest.fixture
def vera(transactional_db: None) -> User:
    """Somebody who may look."""
    return person("vera", "viewer")


@pytest.fixture
def trace(transactional_db: None) -> Trace:
    return traces.audit(
        traces.trace_of(
            STEPS, context=CONTEXT, question="Who renewed?", answer="The tenant of unit 11 renewed its lease."
        )
    )


COLOURS: list[dict[str, Any]] = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"forced_colors": "active"},
]
LINES = "(all) => all.map((s) => getComputedStyle(s).borderInlineStartStyle)"


def test_every_width_and_colour_shows_all_of_it(
    open_page: Open, keep: Keep, faults: list[str], vera: User, trace: Trace
) -> None:
    page = open_page("vera")
    for path, name in (("/traces/", "traces"), (f"/traces/{trace.pk}/", "trace")):
        page.goto(path)
        for width, options in product((1280, 390), COLOURS):
            window(page, width=width, **options)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, options)
            keep(page, f"{name}-{width}-{'-'.join(options.values())}")
            if name == "trace":
                lines = page.locator(".step").evaluate_all(LINES)
                assert lines[0] != lines[1], (width, options)
                assert page.locator(".step").first.is_visible()
    assert faults == []


def test_the_way_from_the_list_to_a_cited_source_by_keyboard(
    open_page: Open, faults: list[str], vera: User, trace: Trace
) -> None:
    page = open_page("vera", "/queue/")
    page.get_by_role("link", name="Traces", exact=True).press("Enter")
    page.get_by_test_id("trace-row").get_by_role("link").press("Enter")
    expect(page.get_by_test_id("step")).to_have_count(4)
    page.get_by_role("link", name="cites S11").press("Enter")
    expect(page.locator("#source-11")).to_be_in_viewport()
    page.get_by_role("link", name="rests on step 2").press("Enter")
    expect(page.locator("#step-2")).to_be_in_viewport()
    assert faults == []


def test_everything_is_there_without_a_script(open_page: Open, vera: User, trace: Trace) -> None:
    page = open_page("vera", java_script_enabled=False)
    page.goto("/traces/?worst=doubtful")
    page.get_by_test_id("trace-row").get_by_role("link").click()
    expect(page.get_by_test_id("step-budget").first).to_be_visible()
    expect(page.get_by_test_id("post-hoc")).to_be_visible()
