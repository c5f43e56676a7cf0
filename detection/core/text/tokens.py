"""What every detector asks of a text: its words, its direction and language, what kind of sentence it is.

Sentences and citation marks have modules of their own and can be had from here as well.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import regex

from detection.core.patterns import late
from detection.core.text.marks import citation_marks, known_ids, mark_spans, resolve, strip_marks
from detection.core.text.phrases import HEDGES, INSTRUCTIONS, QUESTIONS, SUBORDINATE
from detection.core.text.splitting import sentences

__all__ = [
    "citation_marks",
    "detect_language",
    "direction",
    "is_hedge",
    "is_instruction",
    "is_question",
    "known_ids",
    "literal_words",
    "mark_spans",
    "resolve",
    "sentences",
    "shingles",
    "strip_marks",
    "words",
]

_TOKEN = regex.compile(
    r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}々]+"
    r"|\p{Nd}+(?:[.,]\p{Nd}+)*+"
    r"|[[\p{L}\p{M}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}々]]++"
    r"(?:['’\"״׳](?=\p{L})[[\p{L}\p{M}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}々]]++)*+"
)
_ASCII_TOKEN = re.compile(r"[0-9]+(?:[.,][0-9]+)*+|[a-z0-9]++(?:['\"](?=[a-z])[a-z0-9]++)*+")
_UNWRITTEN = regex.compile(r"[\p{Cf}\p{Mn}]+")
_INNER = regex.compile(r"['’\"״׳]|,(?=\p{Nd})")
_PAIRED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}々]")
_WRAPPING = " \t\n\r\"'”’“‘»«)(]*_`】）」』"
_LEADING = regex.compile(r"^[\s\"'“‘«*_`>#•\-–—]*(?:\d{1,3}[.)]\s+)?[\s\"'“‘«*_`]*")
_QUESTION_MARKS = ("?", "？", "؟", "՞")
_SCRIPTS = (
    ("he", r"\p{Hebrew}", 1),
    ("zh", r"\p{Han}", 2),
    ("ja", r"[\p{Hiragana}\p{Katakana}]", 2),
    ("ko", r"\p{Hangul}", 2),
    ("ar", r"\p{Arabic}", 1),
    ("ru", r"\p{Cyrillic}", 1),
    ("el", r"\p{Greek}", 1),
    ("hi", r"\p{Devanagari}", 1),
    ("hy", r"\p{Armenian}", 1),
    ("th", r"\p{Thai}", 1),
    ("en", r"\p{Latin}", 1),
)


def _any_of(table: Mapping[str, tuple[str, ...]]) -> "regex.Pattern[str]":
    return late("|".join(f"(?:{pattern})" for patterns in table.values() for pattern in patterns))


_QUESTION, _INSTRUCTION, _HEDGE = _any_of(QUESTIONS), _any_of(INSTRUCTIONS), _any_of(HEDGES)
_SUBORDINATE = regex.compile(SUBORDINATE)


def words(text: str) -> list[str]:
    """The words of ``text`` in order, as RAG-08 compares them: letters and digits, case-folded.

    Citation marks, vowel points and invisible characters are left out, widths and digit forms unified
    (NFKC), ``1,234.50`` is one word without its comma, ``ש"ח`` one without its mark, and Chinese and
    Japanese give pairs of neighbouring characters (a lone one gives itself).
    """
    bare = strip_marks(text)
    if bare.isascii():
        tokens = _ASCII_TOKEN.findall(bare.lower())
        return [token if token.isalnum() else _INNER.sub("", token) for token in tokens]
    plain = _UNWRITTEN.sub("", unicodedata.normalize("NFKC", bare)).casefold()
    found: list[str] = []
    for token in _TOKEN.findall(plain):
        if token.isascii() and token.isalnum():
            found.append(token)
        elif _PAIRED.match(token):
            found += [token] if len(token) == 1 else [a + b for a, b in pairwise(token)]
        else:
            found.append(_INNER.sub("", token))
    return found


def literal_words(text: str) -> frozenset[str]:
    """RAG-08's words as its document writes them: lower case, split at white space, marks and all."""
    return frozenset(text.lower().split())


def shingles(text: str, size: int = 3) -> frozenset[tuple[str, ...]]:
    """Every run of ``size`` neighbouring words; of a shorter text, the one run of all its words."""
    found = words(text)
    if len(found) < size:
        return frozenset({tuple(found)} if found else ())
    return frozenset(tuple(found[i : i + size]) for i in range(len(found) - size + 1))


def direction(text: str) -> Literal["ltr", "rtl"]:
    """The direction of ``text`` by the majority of its strong characters, without its citation marks;
    left to right when they balance. ``NOI היה 1.2 מיליון`` reads from the right, though it begins in Latin."""
    rightward = leftward = 0
    for character in strip_marks(text):
        strength = unicodedata.bidirectional(character)
        rightward += strength == "L"
        leftward += strength in ("R", "AL")
    return "rtl" if leftward > rightward else "ltr"


def detect_language(text: str) -> str:
    """The language of ``text`` by its scripts (ISO 639-1), ``en`` for Latin letters and for none.

    A Chinese, Japanese or Korean character counts twice, since it says as much as several letters; any kana
    makes Han Japanese when it is a fifth of it.
    """
    plain = strip_marks(text)
    counts = {code: weight * len(_script(pattern).findall(plain)) for code, pattern, weight in _SCRIPTS}
    if counts["ja"] * 5 >= counts["zh"] and counts["ja"]:
        counts["ja"] += counts.pop("zh")
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] else "en"


def is_question(sentence: str, language: str | None = None) -> bool:
    """Whether a sentence asks: by its mark, or by its form in Hebrew (``האם …``) and Chinese (``…吗``)."""
    plain = strip_marks(sentence).rstrip(_WRAPPING)
    if plain.endswith(_QUESTION_MARKS) or (language == "el" and plain.endswith(";")):
        return True
    return _begins(plain, _QUESTION)


def is_instruction(sentence: str, language: str | None = None) -> bool:
    """Whether a sentence tells the reader to do something, by its first words. ``Note that NOI fell`` is an
    assertion, and so is anything where an imperative could as well be a noun. ``language`` is not needed for
    English, Hebrew and Chinese, whose scripts tell them apart."""
    return _begins(strip_marks(sentence), _INSTRUCTION)


def is_hedge(sentence: str, language: str | None = None) -> bool:
    """Whether a sentence withholds its own assertion (``may have risen``, ``ייתכן``, ``可能``). Approximation
    (``about 5 %``) is no hedge, nor is a doubt that the sentence only reports in a subordinate clause: what is
    excluded is not verified, so too little is better than too much. ``language`` is not needed for English,
    Hebrew and Chinese."""
    plain = strip_marks(sentence)
    hedge = _HEDGE.search(plain)
    subordinate = _SUBORDINATE.search(plain) if hedge else None
    return hedge is not None and (subordinate is None or hedge.start() < subordinate.start())


def _begins(sentence: str, beginnings: "regex.Pattern[str]") -> bool:
    leading = _LEADING.match(sentence)
    return beginnings.match(sentence, leading.end() if leading else 0) is not None


@lru_cache(maxsize=256)
def _script(pattern: str) -> "regex.Pattern[str]":
    return regex.compile(pattern)
