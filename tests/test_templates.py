"""Every sentence that a template shows goes through translation, and none is put together from pieces (F39)."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.template.base import Lexer, Token, TokenType

from tests.tables import each_case

pytestmark = pytest.mark.requirement("APP-03")
TEMPLATES = sorted(
    path
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")
    if "drf_spectacular" not in path.parts
)
SAME_EVERYWHERE = {"Hallu", "UTC"}
"""Names that no language writes otherwise."""
SPOKEN = {"title", "aria-label", "placeholder", "alt", "label", "aria-description", "content"}
"""Attributes that a person reads or hears; and every ``data-…`` that holds more than one word."""
HOLE = "\ue000"
"""Stands where a tag or a variable of the template stood."""
TRANSLATED = re.compile(r"_\((?:\"[^\"]*\"|'[^']*')\)")
LITERAL = re.compile(r"\"([^\"]*)\"|'([^']*)'")
LETTERS = re.compile(r"[^\W\d_]{2,}")
MACHINES = {"viewport", "color-scheme", "htmx-config"}
SCREENS = sorted(
    path
    for folder, kinds in (("templates", ("*.html",)), ("static", ("*.css", "*.js")))
    for kind in kinds
    for path in (Path(settings.BASE_DIR) / folder).rglob(kind)
    if "uplot" not in path.parts
)
LONGEST = 120
"""Characters a line; the formatters break what they can, not a sentence or a template tag."""


class Reader(HTMLParser):
    """Collects what a person would read of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.read: list[str] = []
        self.silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent = tag if tag in ("script", "style", "kbd") else self.silent
        given = {name: value or "" for name, value in attrs}
        if tag == "meta" or given.get("name") in MACHINES:
            return
        for name, value in given.items():
            if name in SPOKEN or (name.startswith("data-") and " " in value.strip()):
                self.read.append(value)

    def handle_endtag(self, tag: str) -> None:
        self.silent = "" if tag == self.silent else self.silent

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.read.append(data)


def tokens(source: str) -> Iterator[Token]:
    """The tokens of a template outside its translated blocks and comments."""
    until = ""
    for token in Lexer(source).tokenize():
        name = token.contents.split(" ", 1)[0] if token.token_type == TokenType.BLOCK else ""
        if until:
            until = "" if name == until else until
        elif name in ("blocktranslate", "blocktrans", "comment"):
            until = f"end{name}"
            yield token
        elif token.contents == "block body_class":
            until = "endblock"
        elif token.token_type != TokenType.COMMENT:
            yield token


def bare_texts(source: str) -> list[str]:
    """The texts of a template that no translation holds."""
    page = "".join(t.contents if t.token_type == TokenType.TEXT else HOLE for t in tokens(source))
    reader = Reader()
    reader.feed(page)
    reader.close()
    return [text for text in reader.read if set(LETTERS.findall(text)) - SAME_EVERYWHERE]


def bare_literals(source: str) -> list[str]:
    """Texts inside tags and filters that are shown without being looked up, plurals by a letter among them.

    One word inside an HTML tag is a class or a state, not a text.
    """
    found: list[str] = []
    inside = False
    for token in tokens(source):
        if token.token_type == TokenType.TEXT:
            opened, closed = token.contents.rfind("<"), token.contents.rfind(">")
            inside = opened > closed if opened != closed else inside
        left = TRANSLATED.sub("", token.contents)
        if token.token_type == TokenType.VAR:
            shown = re.findall(r"\|(?:default|default_if_none|yesno|add):(\"[^\"]*\"|'[^']*')", left)
            found += [text for text in shown if LETTERS.search(text) and not (inside and " " not in text)]
            found += ["|pluralize"] if "|pluralize" in left else []
        elif token.token_type == TokenType.BLOCK and left.startswith(("include ", "with ")):
            texts = [one or other for one, other in LITERAL.findall(left)]
            found += [text for text in texts if re.match(r"[A-Z][a-z]|\w+ \w", text)]
    return found


def test_a_line_of_a_screen_can_be_read_without_scrolling() -> None:
    lines = (
        (path, n, len(line))
        for path in SCREENS
        for n, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    )
    assert [f"{path.name}:{n}: {length}" for path, n, length in lines if length > LONGEST] == []


@each_case("path", TEMPLATES, ids=lambda path: path.name)
def test_no_sentence_of_a_template_is_left_in_english(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert bare_texts(source) == []
    assert bare_literals(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "<p>Open</p>",
        "<p>{{ n }} open</p>",
        '<a title="Open it">1</a>',
        '<input placeholder="Search  /">',
        '<button data-said="Not saved">×</button>',
        "{% if a %}yes{% endif %}",
        "{% blocktranslate %}a{% endblocktranslate %} and",
    ],
)
def test_a_bare_text_is_found(source: str) -> None:
    assert bare_texts(source) != []


@pytest.mark.parametrize(
    "source",
    [
        "{{ name|default:'the system' }}",
        "claim{{ n|pluralize }}",
        "{% include 'a.html' with label='Correct' %}",
    ],
)
def test_a_bare_literal_is_found(source: str) -> None:
    assert bare_literals(source) != []


@pytest.mark.parametrize(
    "source",
    [
        '<p class="dim">{% translate "Open" %} · {{ n }} UTC</p>',
        "<script>let said = 'no';</script><kbd>Ctrl</kbd>",
        '<a data-key="KeyJ" href="/queue/" title="{% translate \'Go\' %}">‹</a>',
        '{{ text|default:_("(none)") }}<i aria-hidden="{{ flag|yesno:"true,false" }}"></i>{{ when|date:"DATE_FORMAT" }}',
        "{% blocktranslate count n=n %}{{ n }} day{% plural %}{{ n }} days{% endblocktranslate %}",
    ],
)
def test_what_is_translated_or_no_language_is_left_alone(source: str) -> None:
    assert bare_texts(source) == []
    assert bare_literals(source) == []
