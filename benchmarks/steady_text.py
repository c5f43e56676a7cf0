"""Text that is the same whenever the product does the same: ids as numbers, no durations, pages as what they say."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

VOLATILE = {"timings_ms", "verification_time_ms", "duration_ms", "latency_ms"}
DRAWN = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b")
UNSEEN = ("script", "style", "link", "meta")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
SHOWN = (
    "href",
    "action",
    "hx-get",
    "hx-post",
    "name",
    "value",
    "type",
    "aria-label",
    "title",
    "alt",
    "placeholder",
)


def numbered(text: str) -> str:
    """The text with every drawn id as its number in it, and without hashes."""
    seen: dict[str, str] = {}
    plain = DRAWN.sub(lambda found: seen.setdefault(found[0].replace("-", ""), f"<id {len(seen) + 1}>"), text)
    return HASH.sub("<hash>", plain)


def steady(value: Any) -> Any:
    """JSON without what a clock measured."""
    if isinstance(value, dict):
        return {key: None if key in VOLATILE else steady(each) for key, each in value.items()}
    return [steady(each) for each in value] if isinstance(value, list | tuple) else value


def written(value: Any, indent: int | None = None) -> str:
    """JSON as it is compared."""
    return numbered(json.dumps(steady(value), ensure_ascii=False, sort_keys=True, indent=indent, default=str))


def keep(path: Path, text: str) -> None:
    """Write one file of the outcome."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


class Visible(HTMLParser):
    """Collects a page's text and its telling attributes, in the order of the document."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element's names, links and labels, but for the token of its form."""
        self._silent = tag in ("script", "style")
        given = dict(attrs)
        if tag in UNSEEN or given.get("name") == "csrfmiddlewaretoken":
            return
        self.lines += [f"{tag} {key}={' '.join((given[key] or '').split())}" for key in SHOWN if key in given]

    def handle_endtag(self, tag: str) -> None:
        """The end of a script, at most."""
        self._silent = False

    def handle_data(self, data: str) -> None:
        """Text, unless it is nothing but white space."""
        if data.strip() and not self._silent:
            self.lines.append(" ".join(data.split()))


def shown(response: Any) -> str:
    """What an answer of the server says: its status and its visible text, or its body where it is no page."""
    body = b"".join(response) if response.streaming else response.content
    text, kind = body.decode(), response.headers.get("Content-Type", "")
    if kind.startswith("application/json"):
        text = written(json.loads(text), 1)
    elif kind.startswith("text/html"):
        page = Visible()
        page.feed(text)
        text = "\n".join(page.lines)
    return numbered(f"{response.status_code} {response.headers.get('Location', '')}\n{text}")
