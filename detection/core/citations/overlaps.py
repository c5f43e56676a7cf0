"""Word overlap that knows what a word is worth: stems, few points for common words, many for numbers (RAG-08).

Beside the overlap of RAG-08, which counts every word alike. ``rents rose`` and ``the rent has risen`` share their
stems, ``the`` and ``של`` say next to nothing, and a number that is missing says more than a missing word.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache
from math import fsum

NUMBER = 4.0
COMMON = 0.1
PARTICLE = 0.5
"""What a number, a common word and a pair of Chinese characters with a particle count, where a word counts 1;
chosen on one half of the groups of the training pairs, reported on the other (``docs/benchmarks.md``)."""

_COMMON = frozenset((
    "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "as", "and", "or",
    "but", "if", "is", "are", "was", "were", "be", "been", "being", "it", "its", "this", "that",
    "these", "those", "he", "she", "they", "we", "you", "i", "his", "her", "their", "our", "your",
    "there", "which", "who", "whom", "what", "when", "where", "has", "have", "had", "do", "does", "did",
    "not", "no", "will", "would", "can", "could", "may", "might", "should", "than", "then", "so",
    "such", "also", "into", "over", "under", "about", "after", "before", "between", "more", "most",
    "other", "some", "any", "all", "each", "של", "את", "על", "עם", "אל", "מן", "לא", "כן", "גם", "או",
    "אך", "כי", "אם", "זה", "זו", "זאת", "אלה", "הוא", "היא", "הם", "הן", "אני", "אנחנו", "היה", "היתה",
    "הייתה", "היו", "יש", "אין", "כל", "רק", "עוד", "כמו", "בין", "לפי", "אחרי", "לפני", "אשר",
))  # fmt: skip
_PARTICLES = frozenset("的了是在和与與及或")
_ENDINGS = ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "ly", "s")
_HEBREW_ENDINGS = ("ים", "ות", "יה", "ה", "ת", "ו", "י", "ם", "ן")
_HEBREW_PREFIXES = "והבלמשכ"
_SHORTEST = 3


def weighted_overlap(claim: Collection[str], chunk: Collection[str]) -> float:
    """The share, 0 to 1, of what the claim's stems are worth that the chunk's stems have; 0 for no stems."""
    worth = {stem: value(stem) for stem in claim}
    total = fsum(worth.values())
    return fsum(points for stem, points in worth.items() if stem in chunk) / total if total else 0.0


def stems(words: Iterable[str]) -> frozenset[str]:
    """The distinct stems of words; Chinese and Japanese stay pairs of characters."""
    return frozenset(map(stem, words))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its usual endings, in Hebrew without the prefixes written on it. Rough on purpose: two
    forms of one word must meet, and it matters little when two words do."""
    if word in _COMMON or any(character.isdigit() for character in word):
        return word
    if word.isascii():
        return _english(word)
    return _hebrew(word) if "א" <= word[0] <= "ת" else word


def _english(word: str) -> str:
    bare = _without(word, _ENDINGS)
    if len(bare) > _SHORTEST and bare[-1] == bare[-2]:
        bare = bare[:-1]
    return bare[:-1] if len(bare) > _SHORTEST and bare[-1] in "ey" else bare


def _hebrew(word: str) -> str:
    while len(word) > _SHORTEST and word[0] in _HEBREW_PREFIXES:
        word = word[1:]
    return _without(word, _HEBREW_ENDINGS)


def _without(word: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=50_000)
def value(stem: str) -> float:
    """What a stem is worth."""
    if stem in _COMMON:
        return COMMON
    if any(character.isdigit() for character in stem):
        return NUMBER
    return PARTICLE if len(stem) == 2 and _PARTICLES.intersection(stem) else 1.0
