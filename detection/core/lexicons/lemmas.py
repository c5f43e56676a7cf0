"""One form for the forms of a word: a light stemmer for English, prefixes and endings of Hebrew taken off.

It need not find the dictionary's form, only the same one for "lease" and "leases", "operating" and "operation",
"הנכס" and "נכסים". Words that the rules would spoil are data: the table ``lemmas`` of the languages.
"""

from collections.abc import Iterable, Iterator, Mapping, Set

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")  # "sell", "loss": a doubled letter of the word itself
_MOST = 100_000  # forms remembered
_HEBREW_ENDS = ("יות", "ות", "ים", "ה", "ת", "י")
_FINAL = str.maketrans("ךםןףץ", "כמנפצ")


class Lemmas:
    """The lemmas of words. ``irregular`` maps a form to its word
    (a word that is its own form stays as it is), ``whole`` are words that lose nothing (of Hebrew:
    whose first letter is no prefix), ``stop`` words that carry no content."""

    def __init__(self, irregular: Mapping[str, str], whole: Set[str], stop: Set[str]) -> None:
        self._irregular = irregular
        self._whole = frozenset(whole)
        self._roots = frozenset(_ended(word) for word in whole if _hebrew(word))
        self._stop = frozenset(stop)
        self._stop_characters = frozenset(word for word in stop if _han(word))
        self._known: dict[str, str] = {}

    def lemma(self, word: str) -> str:
        """The one form of ``word``, which is in small letters."""
        found = self._known.get(word)
        if found is None:
            found = self._reckoned(word)
            if len(self._known) < _MOST:
                self._known[word] = found
        return found

    def content(self, words: Iterable[str]) -> frozenset[str]:
        """The lemmas of ``words`` without stop words; of Chinese characters each pair of neighbours."""
        found: set[str] = set()
        run = ""
        for word in words:
            if _han(word):
                run += word
                continue
            found.update(self._pairs(run))
            run = ""
            if word not in self._stop:
                found.add(self.lemma(word))
        found.update(self._pairs(run))
        return frozenset(found)

    def _pairs(self, run: str) -> Iterator[str]:
        part = ""
        for character in f"{run}的":  # a function word ends the last part
            if character not in self._stop_characters and character != "的":
                part += character
                continue
            if len(part) == 1:
                yield part
            yield from (part[place : place + 2] for place in range(len(part) - 1))
            part = ""

    def _reckoned(self, word: str) -> str:
        base = self._irregular.get(word, word)
        if base != word:
            return self.lemma(base)
        if word in self._whole or word in self._irregular:
            return _ended(word) if _hebrew(word) else word
        if _hebrew(word):
            return self._hebrew(word)
        if word.isascii() and word.isalpha():
            return _english(word)
        return word

    def _hebrew(self, word: str) -> str:
        """Without prefixes, then without the ending; a word known whole keeps its first letter. Of a word that nobody knows every
        letter goes that may be a prefix, so that "מפרץ", "המפרץ" and "במפרץ" are one."""
        word = word.strip("\"'״׳")
        rest = word
        for _ in range(4):
            if _ended(rest) in self._roots:
                return _ended(rest)
            if rest[:1] not in "ובהלמשכ" or len(rest) <= 3:
                break
            rest = rest[1:]
        rest = word
        while len(rest) > 3 and rest[0] in "ובהלמשכ":
            rest = rest[1:]
        return _ended(self._irregular.get(rest, rest))


def _hebrew(word: str) -> bool:
    return bool(word) and "א" <= word[0] <= "ת"


def _han(word: str) -> bool:
    return bool(word) and "\u3400" <= word[0] <= "\u9fff"


def _ended(word: str) -> str:
    """A Hebrew word without the ending of number, gender or construct, its last letter as inside a word."""
    for end in _HEBREW_ENDS:
        if word.endswith(end) and len(word) - len(end) >= 3:
            word = word.removesuffix(end)
            break
    return word.translate(_FINAL)


def _english(word: str) -> str:
    """Without the endings of number, tense and of nouns made from verbs, and without a final e."""
    if len(word) <= 3:
        return word
    word = _singular(word)
    for british, american in (("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("ise", "ize")):
        if word.endswith(british) and len(word) > len(british) + 3:
            word = word.removesuffix(british) + american
            break
    for end in ("ment", "ing", "ed"):
        if word.endswith(end) and _has_vowel(word.removesuffix(end)) and len(word) - len(end) >= 3:
            return _bare(word.removesuffix(end))
    if word.endswith(("tion", "sion")) and len(word) > 6:
        word = word.removesuffix("ion").removesuffix("iz")
        return _bare(word.removesuffix("izat") + "iz" if word.endswith("izat") else word)
    return _bare(word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith("ied") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _bare(stem: str) -> str:
    """Without a doubled last letter ("dropp") and without a final e ("leas")."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in _KEPT_DOUBLE and stem[-1] not in _VOWELS:
        return stem[:-1]
    return stem[:-1] if stem.endswith("e") and len(stem) > 3 else stem


def _has_vowel(stem: str) -> bool:
    return not _VOWELS.isdisjoint(stem)
