"""Phrases found in a text word by word: names of metrics and properties, cue words, names of periods.

A text is cut into words once; each set of phrases is a tree of words, so that finding them costs the same
whether there are ten or ten thousand. Phrases are whole words: Chinese, which has no spaces, is read by
character, and a Hebrew word may carry prefixes ("והתפוסה" names "תפוסה").
"""

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

import regex

_WORD = regex.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+|&")
_PREFIXES = "ובהלמשכ"
_MOST_PREFIXES = 3
_APART = frozenset("\n\r|;:!?()[]，。；：！？（）、")
_LONGEST_GAP = 3
_SHORTENED = 2  # letters before a full stop that ends no sentence: "St. Mary" is one name

Value = TypeVar("Value")


class Word(NamedTuple):
    """A word of a text, in small letters, and where it stands."""

    start: int
    end: int
    text: str


class Mark(NamedTuple, Generic[Value]):
    """Where a text says one of the phrases, and what that phrase means."""

    start: int
    end: int
    value: Value


class Words:
    """A text cut into words. ``folded`` is the text in small letters, of the same length."""

    def __init__(self, text: str) -> None:
        self.folded = folded(text)
        self.words = [
            Word(match.start(), match.end(), match.group()) for match in _WORD.finditer(self.folded)
        ]

    def joined(self, place: int) -> bool:
        """Whether the word at ``place`` goes on with the one before it, nothing but space or a hyphen between."""
        before, word = self.words[place - 1], self.words[place]
        if word.start - before.end == 0:
            return True
        gap = self.folded[before.end : word.start]
        if len(gap) > _LONGEST_GAP or not _APART.isdisjoint(gap):
            return False
        return "." not in gap or before.end - before.start <= _SHORTENED


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
            for _, _, word in Words(phrase).words:
                node = node.following.setdefault("and" if word == "&" else word, _Node())
            if node is not self._root:
                node.values = [value]

    def find(self, text: Words) -> list[Mark[Value]]:
        """The phrases of ``text`` in order, none inside another."""
        marks: list[Mark[Value]] = []
        words, root, place = text.words, self._root.following, 0
        while place < len(words):
            word = words[place].text
            if word in root or word == "&" or _hebrew(word):
                end, value = self._longest(text, place)
                if end > place:
                    marks.append(Mark(words[place].start, words[end - 1].end, value[0]))
                    place = end
                    continue
            place += 1
        return marks

    def _longest(self, text: Words, place: int) -> tuple[int, list[Value]]:
        best: tuple[int, list[Value]] = (place, [])
        for node in self._first(text.words[place].text):
            found = self._walk(text, place + 1, node)
            if found[1] and found[0] > best[0]:
                best = found
        return best

    def _walk(self, text: Words, place: int, node: _Node[Value]) -> tuple[int, list[Value]]:
        best = (place, node.values)
        while place < len(text.words) and node.following and text.joined(place):
            following = _next(node, text.words[place].text)
            if following is None:
                break
            node, place = following, place + 1
            if node.values:
                best = (place, node.values)
        return best

    def _first(self, word: str) -> list[_Node[Value]]:
        """Where a phrase may begin: the word itself, and a Hebrew word without its prefixes."""
        root = self._root.following
        nodes = [root[word]] if word in root else []
        for count in range(1, min(_MOST_PREFIXES, len(word) - 2) + 1) if _hebrew(word) else ():
            if word[count - 1] not in _PREFIXES:
                break
            if node := root.get(word[count:]):
                nodes.append(node)
        return nodes


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
