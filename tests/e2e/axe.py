"""What axe-core finds on a page: what weak eyes, a screen reader or a keyboard would stumble over."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
GRAVE = {"serious", "critical"}
Rules = dict[str, Any]
ALL: Rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS: Rules = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that a theme can break on a page that keeps all others; most of the time of a run is theirs."""
WORDS: Rules = ALL | {"rules": {name: {"enabled": False} for name in COLOURS["runOnly"]}}
"""All but them: those that another language can break in the same theme."""
RUN = """async (rules) => (await axe.run(document, {resultTypes: ["violations"], ...rules})).violations.map(
    (rule) => ({id: rule.id, impact: rule.impact,
        nodes: rule.nodes.map((node) => `${node.target} ${node.html.slice(0, 160)}`)}))"""
SMALL = """() => [...document.querySelectorAll("a, button, summary, input, select, textarea")].filter((control) => {
    const box = control.getBoundingClientRect(), within = control.closest("p, dd, .alert, [data-testid=answer], .text");
    if (!box.width || control.type === "hidden" || control.closest(".unseen, .skip, [inert]")) return false;
    if (within && getComputedStyle(control).display === "inline") return false;
    const around = control.closest("label")?.getBoundingClientRect() ?? box;
    return Math.max(around.height, box.height) < 24 || Math.max(around.width, box.width) < 24;
}).map((control) => control.outerHTML.slice(0, 120))"""


def grave(page: Page, rules: Rules) -> list[str]:
    """The serious and critical findings of some rules, one line for each element; the script runs beside the
    page's content policy."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(RUN, rules)
    return [f"{rule['id']}: {node}" for rule in found if rule["impact"] in GRAVE for node in rule["nodes"]]


def wrong(page: Page, where: str, rules: Rules = ALL) -> list[str]:
    """What :func:`grave` and :func:`small_targets` find, and whether the page sticks out of its window."""
    out = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    found = [*grave(page, rules), *small_targets(page), *(["it scrolls sideways"] if out else [])]
    return [f"{where}: {each}" for each in found]


def small_targets(page: Page) -> list[str]:
    """Controls of less than 24 px in width or height that are no words of a sentence (WCAG 2.5.8)."""
    found: list[str] = page.evaluate(SMALL)
    return found
