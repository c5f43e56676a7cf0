"""Phrases found in a text word by word: names of metrics and properties, cue words, names of periods.

A text is cut into words once; each set of phrases is a tree of words, so that finding them costs the same
whether there are ten or ten thousand. Phrases are whole words: Chinese, which has no spaces, is read by
character, and a Hebrew word may carry prefixes ("והתפוסה" names "תפוסה").
"""

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

import regex

_WORD = regex.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+|&")
_ASCII_WORD = regex.compile(r"[a-z0-9]+|&")
_HEBREW = regex.compile(r"[א-ת]")
_PREFIXES = "ובהלמשכ"
_MOST_PREFIXES = 3
_APART = frozenset("\n\r|;:!?()[]，。；：！？（）、")
_LONGEST_GAP = 3
_SHORTENED = 2  # letters before a full stop that ends no sentence: "St. Mary" is one name

Value = TypeVar("Value")


class Mark(NamedTuple, Generic[Value]):
    """Where a text says one of the phrases, and what that phrase means."""

    start: int
    end: int
    value: Value


class Words:
    """A text cut into words. ``folded`` is the text in small letters, of the same length; ``words`` are its words and
    ``spans`` where they stand."""

    def __init__(self, text: str) -> None:
        self.folded = folded(text)
        found = list((_ASCII_WORD if text.isascii() else _WORD).finditer(self.folded))
        self.words: list[str] = [match.group() for match in found]
        self.spans: list[tuple[int, int]] = [match.span() for match in found]
        self.hebrew = _HEBREW.search(self.folded) is not None

    def joined(self, place: int) -> bool:
        """Whether the word at ``place`` goes on with the one before it, nothing but space or a hyphen between."""
        begun, ended = self.spans[place - 1]
        start = self.spans[place][0]
        gap = self.folded[ended:start]
        if gap in ("", " ", "-"):
            return True
        if len(gap) > _LONGEST_GAP or not _APART.isdisjoint(gap):
            return False
        return "." not in gap or ended - begun <= _SHORTENED


def folded(text: str) -> str:
    """``text`` in small letters, character for character."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


class _Node(Generic[Value]):
    __slots__ = ("following", "values")

    def __init__(self) -> None:
        self.following: dict[str, _Node[Value]] = {}
        self.values: list[Value] = []


class Names(Generic[Value]):
    """Phrases and what they mean, ready to be found; of phrases that overlap the longest counts."""

    def __init__(self, phrases: Mapping[str, Value] | Iterable[tuple[str, Value]]) -> None:
        self._root: _Node[Value] = _Node()
        for phrase, value in phrases.items() if isinstance(phrases, Mapping) else phrases:
            node = self._root
            for word in Words(phrase).words:
                node = node.following.setdefault("and" if word == "&" else word, _Node())
            if node is not self._root:
                node.values = [value]

    def find(self, text: Words) -> list[Mark[Value]]:
        """The phrases of ``text`` in order, none inside another."""
        marks: list[Mark[Value]] = []
        root, reached = self._root.following, 0
        for place, word in enumerate(text.words):
            if place < reached or not (word in root or (text.hebrew and _hebrew(word))):
                continue
            end, value = self._longest(text, place)
            if end > place:
                marks.append(Mark(text.spans[place][0], text.spans[end - 1][1], value[0]))
                reached = end
        return marks

    def _longest(self, text: Words, place: int) -> tuple[int, list[Value]]:
        best: tuple[int, list[Value]] = (place, [])
        for node in self._first(text.words[place]):
            found = self._walk(text, place + 1, node)
            if found[1] and found[0] > best[0]:
                best = found
        return best

    def _walk(self, text: Words, place: int, node: _Node[Value]) -> tuple[int, list[Value]]:
        best = (place, node.values)
        while place < len(text.words) and node.following and text.joined(place):
            following = _next(node, text.words[place])
            if following is None:
                break
            node, place = following, place + 1
            if node.values:
                best = (place, node.values)
        return best

    def _first(self, word: str) -> list[_Node[Value]]:
        """Where a phrase may begin: the word itself, and a Hebrew word without its prefixes."""
        root = self._root.following
        return [root[form] for form in forms(word) if form in root]


def forms(word: str) -> list[str]:
    """A word, and for a Hebrew one also what is left without its prefixes."""
    found = [word]
    for count in range(1, min(_MOST_PREFIXES, len(word) - 2) + 1) if _hebrew(word) else ():
        if word[count - 1] not in _PREFIXES:
            break
        found.append(word[count:])
    return found


def _hebrew(word: str) -> bool:
    return "א" <= word[0] <= "ת"


def _next(node: _Node[Value], word: str) -> _Node[Value] | None:
    """The word after, whether or not it carries the Hebrew article."""
    following = node.following
    if word == "&":
        word = "and"
    found = following.get(word)
    if found is None and _hebrew(word):
        found = following.get(word[1:] if word[0] == "ה" else "ה" + word)
    return found
