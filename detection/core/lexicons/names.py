"""Phrases found in a text word by word: names of metrics and properties, cue words, names of periods.

A text is cut into words once; each set of phrases is a tree of words, so that finding them costs the same
whether there are ten or ten thousand. Phrases are whole words: Chinese, which has no spaces, is read by
character, and a Hebrew word may carry prefixes ("והתפוסה" names "תפוסה").
"""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import regex

_WORD = regex.compile(r"(?<![^\W_])(?:k?m|ft|yd|mi)[²³]|[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+|&")
_HAN = "\u3400"
_ASCII_WORD = regex.compile(r"[a-z0-9]+|&")
_HEBREW = regex.compile(r"[א-ת]")
_PREFIXES, _SHORT = "ובהלמשכ", 4
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
    ``spans`` where they stand; ``places`` where each one does; ``lettered`` the places of words that are one capital: "Tower B"."""

    def __init__(self, text: str) -> None:
        self.folded = folded(text)
        found = list((_ASCII_WORD if text.isascii() else _WORD).finditer(self.folded))
        self.words: list[str] = [match.group() for match in found]
        self.spans: list[tuple[int, int]] = [match.span() for match in found]
        self.places: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            self.places.setdefault(word, []).append(place)
        self.known = self.places.keys()
        self.lettered = frozenset(
            place
            for place, (start, end) in enumerate(self.spans)
            if end - start == 1 and "A" <= text[start] <= "Z"
        )
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


_Node = dict[str, Any]  # the words that may follow, and under "" what the phrase that ends here means
_SKIPPED: Any = object()


class Names(Generic[Value]):
    """Phrases and what they mean, ready to be found; of phrases that overlap the longest counts.

    ``skipped`` are phrases without a meaning: they are read over, with all they contain.
    """

    def __init__(
        self, phrases: Mapping[str, Value] | Iterable[tuple[str, Value]], skipped: Iterable[str] = ()
    ) -> None:
        self._root: _Node = {}
        for phrase in skipped:
            self._add(phrase, _SKIPPED)
        for phrase, value in phrases.items() if isinstance(phrases, Mapping) else phrases:
            self._add(phrase, value)

    def _add(self, phrase: str, value: Value) -> None:
        node = _leaf(self._root, phrase)
        if node is not self._root:
            node[""] = value

    def find(self, text: Words) -> list[Mark[Value]]:
        """The phrases of ``text`` in order, none inside another."""
        marks: list[Mark[Value]] = []
        reached = 0
        for place in self._beginnings(text):
            if place < reached:
                continue
            end, value = self._longest(text, place)
            if end > place:
                if value is not _SKIPPED:
                    marks.append(Mark(text.spans[place][0], text.spans[end - 1][1], value))
                reached = end
        return marks

    def _beginnings(self, text: Words) -> Iterable[int]:
        """The places where a phrase may begin, in order."""
        root, known = self._root, text.known
        if not text.hebrew and "&" not in known:
            return sorted([place for word in root.keys() & known for place in text.places[word]])
        return [
            place for place, word in enumerate(text.words) if word in root or word == "&" or _hebrew(word)
        ]

    def _longest(self, text: Words, place: int) -> tuple[int, Value]:
        """Where the longest phrase from ``place`` on ends, and what it means; ``place`` itself where there is none."""
        if not text.hebrew:
            word = text.words[place]
            only = self._root.get("and" if word == "&" else word)
            return (place, _SKIPPED) if only is None else self._walk(text, place, only)
        best: tuple[int, Value] = (place, _SKIPPED)
        for node in self._first(text.words[place]):
            found = self._walk(text, place, node)
            if found[0] > best[0]:
                best = found
        return best

    def _walk(self, text: Words, start: int, node: _Node) -> tuple[int, Value]:
        place, words = start + 1, text.words
        best = (place, node[""]) if "" in node else (start, _SKIPPED)
        while place < len(words):
            following = _next(node, words[place])
            if following is None or not text.joined(place):
                break
            node, place = following, place + 1
            if "" in node:
                best = (place, node[""])
        return best

    def _first(self, word: str) -> list[_Node]:
        """Where a phrase may begin: the word itself, and a Hebrew word without its prefixes."""
        root = self._root
        return [root[form] for form in forms("and" if word == "&" else word) if form in root]


class Several(Generic[Value]):
    """Several sets of phrases in one tree: a text is walked once for all of them, each set found as ``Names`` would.

    ``sets`` maps the name of a set to its phrases and to those that it skips.
    """

    def __init__(self, sets: Mapping[str, tuple[Mapping[str, Value], Iterable[str]]]) -> None:
        self._names = tuple(sets)
        self._root: _Node = {}
        for number, (phrases, skipped) in enumerate(sets.values()):
            for phrase in skipped:
                self._add(phrase, number, _SKIPPED)
            for phrase, value in phrases.items():
                self._add(phrase, number, value)

    def _add(self, phrase: str, number: int, value: Value) -> None:
        node = _leaf(self._root, phrase)
        if node is not self._root:
            node.setdefault("", {})[number] = value

    def find(self, text: Words) -> dict[str, list[Mark[Value]]]:
        """The phrases of each set in ``text`` in order, none inside another of its set."""
        marks: list[list[Mark[Value]]] = [[] for _ in self._names]
        reached = [0] * len(self._names)
        root, hebrew, spans = self._root, text.hebrew, text.spans
        for place, word in enumerate(text.words):
            if not (word in root or word == "&" or (hebrew and _hebrew(word))):
                continue
            for number, (end, value) in self._longest(text, place).items():
                if place < reached[number]:
                    continue
                reached[number] = end
                if value is not _SKIPPED:
                    marks[number].append(Mark(spans[place][0], spans[end - 1][1], value))
        return dict(zip(self._names, marks, strict=True))

    def _longest(self, text: Words, start: int) -> dict[int, tuple[int, Value]]:
        """By set: where its longest phrase from ``start`` on ends, and what it means."""
        best: dict[int, tuple[int, Value]] = {}
        word = text.words[start]
        for form in forms("and" if word == "&" else word):
            node, place = self._root.get(form), start + 1
            while node is not None:
                for number, value in node.get("", {}).items():
                    if number not in best or best[number][0] < place:
                        best[number] = (place, value)
                if place == len(text.words) or not text.joined(place):
                    break
                node, place = _next(node, text.words[place]), place + 1
        return best


def _leaf(root: _Node, phrase: str) -> _Node:
    """The node of a tree at which a phrase ends, made where there is none; the root for a phrase without words."""
    node = root
    for place, word in enumerate(_cut(phrase)):
        word = _plain(word) if place else word
        following = node.get(word)
        if following is None:
            following = node[word] = {}
        node = following
    return node


def _cut(phrase: str) -> list[str]:
    """The words of a phrase, as ``Words`` cuts a text."""
    letters = phrase.replace(" ", "")
    if letters.isalpha() or (phrase.isascii() and letters.isalnum()):
        if max(letters) < _HAN:
            return folded(phrase).split()
        if min(letters) >= _HAN:
            return list(letters)
    found = (_ASCII_WORD if phrase.isascii() else _WORD).findall(folded(phrase))
    return ["and" if word == "&" else word for word in found]


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


def _next(node: _Node, word: str) -> _Node | None:
    """The word after, whether or not it carries the Hebrew article."""
    found: _Node | None = node.get("and" if word == "&" else _plain(word))
    return node.get(_plain(_plain(word))) if found is None and word[0] == "ה" else found


def _plain(word: str) -> str:
    """A word without one Hebrew ``ה`` before it, or behind its ``ו``; phrases hold their later words so: "שכר דירה" and "שכר
    הדירה" are one, "מזון ומשקאות" and "המזון והמשקאות"."""
    if word.startswith("וה") and len(word) > _SHORT:
        return f"ו{word[2:]}"
    return word[1:] if word[0] == "ה" and len(word) > 1 else word
