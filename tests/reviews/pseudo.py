"""A language that puts marks around every sentence it is asked for: what comes without marks was never asked."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import translation

from reviews.templatetags import review_tags

BEGIN, END = "⟦", "⟧"
WORD = re.compile(r"[^\W\d_]{2,}")
VOID = {"meta", "link", "input", "br", "img", "hr", "rect", "path", "use", "wbr", "col"}
SPOKEN = {"title", "aria-label", "placeholder", "alt"}
SAME_EVERYWHERE = {"Hallu", "UTC"}


def speak(patch: pytest.MonkeyPatch) -> None:
    """From now on every sentence comes between marks, whatever the language."""

    def marked(text: str) -> str:
        return f"{BEGIN}{text}{END}"

    engine: Any = vars(translation)["_trans"]
    patch.setattr(engine, "gettext", marked)
    patch.setattr(engine, "pgettext", lambda context, text: marked(text))
    patch.setattr(engine, "ngettext", lambda one, many, n: marked(one if n == 1 else many))
    patch.setattr(engine, "npgettext", lambda context, one, many, n: marked(one if n == 1 else many))
    kept = vars(review_tags)["_options"]
    patch.setattr(review_tags, "_options", kept.__wrapped__)  # what was kept before has no marks


class Unmarked(HTMLParser):
    """Collects the words outside all marks; what stands in its own language or direction is content."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, bool]] = []
        self.depth = 0
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        content = tag in ("bdi", "script", "style", "kbd", "code") or (
            tag not in ("html", "body") and bool({"dir", "lang"} & set(given))
        )
        for name in SPOKEN & set(given):
            self._note(given[name], content=content)
        if tag not in VOID:
            self.open.append((tag, content))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        return

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            continue

    def handle_data(self, data: str) -> None:
        self.depth = self._note(data, content=any(content for _, content in self.open), depth=self.depth)

    def _note(self, text: str, *, content: bool, depth: int = 0) -> int:
        outside = []
        for letter in text:
            depth += {BEGIN: 1, END: -1}.get(letter, 0)
            outside.append(letter if depth == 0 and letter != END else " ")
        if not content and set(WORD.findall("".join(outside))) - SAME_EVERYWHERE:
            self.found.append(" ".join("".join(outside).split()))
        return depth


def unmarked(html: str, *names: str) -> list[str]:
    """The texts of a page that were not looked up, apart from ``names`` that are data."""
    reader = Unmarked()
    for name in names:
        html = html.replace(name, "1")
    reader.feed(html)
    return reader.found
