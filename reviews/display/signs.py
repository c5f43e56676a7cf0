"""Characters that nobody sees but that move or cover what is seen: shown as signs, beside what they are.

An override of the writing direction (U+202D, U+202E) is cut off from the text around it, so that figures read
as they are stored; the other controls work inside their paragraph and nowhere else.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import regex

NAMES = {
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\u200b": "ZWSP",
    "\u2060": "WJ",
    "\ufeff": "BOM",
}
OVERRIDES = ("\u202d", "\u202e")
MARKS = 8
"""Combining marks that one letter may carry; no script needs more, and a flood covers the lines around it."""
_SEEN = rf"(?<=(?:^|[^\p{{M}}])\p{{M}}{{{MARKS}}})\p{{M}}+"
_SIGN = regex.compile(rf"[{''.join(NAMES)}]|[\U000e0000-\U000e007f]+|{_SEEN}")


@dataclass(frozen=True, slots=True)
class Sign:
    """A stretch of text; when ``name`` is given, characters that are shown by it. ``shut`` keeps them from the
    text around them; ``left_out`` says that they are not drawn at all."""

    text: str
    name: str = ""
    told: str = ""
    shut: bool = False
    left_out: bool = False


def signs(text: str) -> list[Sign]:
    """``text`` in stretches, its unseen characters apart; a text without any is one stretch."""
    return list(_signs(text)) if _SIGN.search(text) else [Sign(text)]


def _signs(text: str) -> Iterator[Sign]:
    at = 0
    for found in _SIGN.finditer(text):
        if found.start() > at:
            yield Sign(text[at : found.start()])
        yield _named(found.group())
        at = found.end()
    if at < len(text):
        yield Sign(text[at:])


def _named(found: str) -> Sign:
    if found in NAMES:
        told = f"U+{ord(found):04X} {unicodedata.name(found, '')}"
        return Sign(found, NAMES[found], told.strip(), found in OVERRIDES)
    if found[0] >= "\U000e0000":
        hidden = "".join(chr(ord(sign) - 0xE0000) for sign in found if ord(sign) > 0xE001F)
        return Sign(found, f"TAG {hidden}"[:60], "U+E0000", left_out=True)
    return Sign(found, f"+{len(found)}", f"{len(found)} × U+{ord(found[0]):04X}", left_out=True)
