"""The sentences of the screens, found in the code and the templates without any tool of the system's."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation.template import templatize

FOLDERS = ("hallu_site", "reviews", "detection")
CALLS = {
    "_": ("text",),
    "gettext": ("text",),
    "gettext_lazy": ("text",),
    "ngettext": ("text", "plural"),
    "ngettext_lazy": ("text", "plural"),
    "pgettext": ("context", "text"),
    "pgettext_lazy": ("context", "text"),
    "npgettext": ("context", "text", "plural"),
    "npgettext_lazy": ("context", "text", "plural"),
    "_tunable": ("", "text"),
}
"""What the arguments of each function of :mod:`django.utils.translation` are, from the first, and of the declarations
of :mod:`detection.core.thresholds`, whose texts the templates look up; an empty name is none to translate."""
CALLED = re.compile(
    r"\b(n?p?gettext|_)\(((?:\s*u?(?:'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")\s*,?)+)", re.DOTALL
)
LITERAL = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)


class NotLiteral(Exception):
    """A sentence that is put together where it is looked up, so that no catalogue can hold it."""


@dataclass(frozen=True, slots=True, order=True)
class Sentence:
    """What is translated: a text, the plural beside it, and the context that tells it from its like."""

    text: str
    plural: str = ""
    context: str = ""


def sentences() -> dict[Sentence, list[str]]:
    """Every sentence of the screens with the files it stands in, sorted.

    Raises :class:`NotLiteral` for a call whose arguments are not plain texts.
    """
    found: dict[Sentence, set[str]] = {}
    for path, each in _everywhere():
        found.setdefault(each, set()).add(path.relative_to(settings.BASE_DIR).as_posix())
    return {each: sorted(found[each]) for each in sorted(found)}


def _everywhere() -> Iterator[tuple[Path, Sentence]]:
    for folder in FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*.py")):
            for sentence in in_code(path.read_text(encoding="utf-8"), str(path)):
                yield path, sentence
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        for sentence in in_template(path.read_text(encoding="utf-8")):
            yield path, sentence


def in_code(source: str, origin: str = "") -> Iterator[Sentence]:
    """The sentences of a Python module; ``origin`` names it in errors."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CALLS:
                given = zip(CALLS[name], node.args, strict=False)
                place = f"{origin}:{node.lineno}"
                yield Sentence(**{role: _literal(each, place) for role, each in given if role})


def in_template(source: str) -> Iterator[Sentence]:
    """The sentences of a Django template."""
    for name, arguments in CALLED.findall(templatize(source)):
        texts = (ast.literal_eval(each) for each in LITERAL.findall(arguments))
        yield Sentence(**dict(zip(CALLS[name], texts, strict=False)))


def _literal(node: ast.expr, place: str) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise NotLiteral(f"{place}: {ast.unparse(node)} is not a plain text.")
