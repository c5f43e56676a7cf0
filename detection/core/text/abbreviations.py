"""Which dots end a sentence, and which an abbreviation, an initial or the number of a list item."""

from functools import lru_cache

import regex

from detection.core.text.phrases import BEFORE_NUMBER, MAYBE_LAST, NEVER_LAST, STARTERS

WORD = regex.compile(r"[\p{L}\p{M}’']+")
WORD_LENGTH = 30
_MARKER = regex.compile(r"\d{1,3}|\p{L}|[ivxIVX]{1,4}")
_FOOTNOTES = regex.compile(r"\d{1,3}(?:[ ,]\d{1,3}){0,9}(?=\s+[\"“‘(]?\p{Lu}\p{Ll}|\s*\[)")
_NOTED = regex.compile(r"(?:\p{Ll}{3}|[)\]])$")
_INITIALS = regex.compile(r"(?:\p{L}\.)*\p{L}")


def is_full_stop(text: str, dot: tuple[int, int], first: int, start: int, language: str) -> bool:
    """Whether the ``dot`` (its span) is one, and not the end of an abbreviation, an initial or a list number.

    ``first`` is where the next word begins, ``start`` where the sentence does.
    """
    if dot[1] - dot[0] > 1:
        return True
    word = word_before(text, dot[0], start)
    begun = text[max(start, dot[0] - len(word) - WORD_LENGTH) : dot[0] - len(word)]
    if _MARKER.fullmatch(word) and not any(character.isalnum() for character in begun):
        return False
    return not _abbreviates(word, text, first, language)


def footnote_after(text: str, dot: tuple[int, int], closed: int, start: int, language: str) -> int:
    """Where the bare numbers of footnotes end that a full stop carries, as in ``… was sold.11 12 The price …``; ``closed``,
    where the sentence's closing signs end, when it carries none. A capital must follow, and no abbreviation go before."""
    found = _FOOTNOTES.match(text, closed) if dot[1] - dot[0] == 1 else None
    if found is None or not _NOTED.search(text, max(start, dot[0] - WORD_LENGTH), dot[0]):
        return closed
    word = word_before(text, dot[0], start).lower()
    short = any(word in _table(name, language) for name in ("never", "number", "maybe"))
    return closed if short else found.end()


def word_before(text: str, position: int, start: int) -> str:
    """The word that ends at ``position``, with the dots inside it; of a very long one, its end."""
    begin, limit = position, max(start, position - WORD_LENGTH)
    while begin > limit and (text[begin - 1].isalnum() or text[begin - 1] in ".,°№-/@\"'״׳"):
        begin -= 1
    return text[begin:position].lstrip("\"'")


def _abbreviates(word: str, text: str, first: int, language: str) -> bool:
    lowered = word.lower()
    if lowered in _table("never", language):
        return True
    if lowered in _table("number", language) and text[first].isdigit():
        return True
    if lowered in _table("maybe", language) or _INITIALS.fullmatch(word):
        following = WORD.match(text, first, first + WORD_LENGTH)
        if following is None:
            return text[first].isdigit()
        return regex.split("['’]", following[0].lower())[0] not in STARTERS
    return False


@lru_cache(maxsize=64)
def _table(name: str, language: str) -> frozenset[str]:
    listed = {"never": NEVER_LAST, "number": BEFORE_NUMBER, "maybe": MAYBE_LAST}[name]
    spoken = dict.fromkeys(("en", "he", language[:2]))
    return frozenset(word for code in spoken for word in listed.get(code, "").split())
