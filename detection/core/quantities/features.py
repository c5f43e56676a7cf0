"""What words mean when two texts are compared: lemmas, and the known metrics that phrases name."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from detection.core import lexicons
from detection.core.lexicons import Words

BIGRAM = 2
HAN = regex.compile(r"[㐀-鿿]+")
_MEANING = "§"
_LONGEST_NUMBER = 3
_GOES_ON = regex.compile(r"[.,:/–-]?\d|\s?%")


class Feature(NamedTuple):
    """A word of a text by its lemma, or a phrase by the metric that it names (``§net_income``), and where it stands.

    ``inner`` are the lemmas of the words that a phrase is made of.
    """

    start: int
    end: int
    name: str
    inner: tuple[str, ...] = ()


def features(text: Words) -> tuple[Feature, ...]:
    """The words and named metrics of ``text`` in order; function words carry nothing and are left out."""
    found = list(lemmas(text))
    starts = [one.start for one in found]
    found += enumerated(text)
    for mark in lexicons.phrases("metrics").find(text):
        low, high = bisect_left(starts, mark.start), bisect_left(starts, mark.end)
        inner = tuple(one.name for one in found[low:high] if one.end <= mark.end)
        found += [Feature(mark.start, mark.end, _MEANING + name, inner) for name in sorted(mark.value)]
    return tuple(sorted(found))


def is_meaning(name: str) -> bool:
    """Whether a feature is a named metric, not a word."""
    return name.startswith(_MEANING)


def concept(name: str) -> str:
    """The metric that a feature names."""
    return name.removeprefix(_MEANING)


def meaning(metric: str) -> str:
    """The feature of a metric."""
    return _MEANING + metric


def lemmas(text: Words) -> list[Feature]:
    """The words of ``text`` by their lemmas, of Chinese every pair of characters, without function words."""
    found = []
    previous: tuple[int, str] | None = None
    for word, (start, end) in zip(text.words, text.spans, strict=True):
        if HAN.match(word):
            if previous and previous[0] == start:
                found.append(Feature(start - 1, end, previous[1] + word))
            previous = (end, word)
            continue
        previous = None
        lemma = content(word)
        if lemma:
            found.append(Feature(start, end, lemma))
    return found


def enumerated(text: Words) -> Iterator[Feature]:
    """Words with the number or the letter that tells several of their name apart: "Line 3", "Tower B", "the B loan",
    "3号线"."""
    for found in _numbers_ahead().finditer(text.folded) if HAN.search(text.folded) else ():
        yield Feature(*found.span(1), f"{found[2]} {found[1]}")
    for place in range(1, len(text.words)):
        word, end = text.words[place], text.spans[place][1]
        is_number = word.isdigit() and len(word) <= _LONGEST_NUMBER and not _GOES_ON.match(text.folded, end)
        if not (is_number or place in text.lettered) or not text.joined(place):
            continue
        lemma = _named(text.words[place - 1])
        if lemma:
            yield Feature(text.spans[place - 1][0], end, f"{lemma} {word}")
        elif not is_number and place + 1 < len(text.words) and text.joined(place + 1):
            lemma = _named(text.words[place + 1])
            if lemma:
                yield Feature(text.spans[place][0], text.spans[place + 1][1], f"{lemma} {word}")


def sized(text: Words) -> Iterator[Feature]:
    """The sizes that tell several of a name apart: the "20 mg" of "Drug 20 mg"."""
    for found in _sizes().finditer(text.folded):
        yield Feature(found.start(), found.end(), f"{found[1]} {found[2]}")


@cache
def _numbers_ahead() -> regex.Pattern[str]:
    signs = (sign for keys in lexicons.table("labels").values() for sign in keys["behind"])
    return regex.compile(rf"(?<![\d.,])(\d{{1,3}})({'|'.join(map(regex.escape, signs))})")


@cache
def _sizes() -> regex.Pattern[str]:
    units = (unit for keys in lexicons.table("labels").values() for unit in keys["sizes"])
    named = "|".join(map(regex.escape, sorted(units, key=len, reverse=True)))
    return regex.compile(rf"(?<![\w.,%-])(\d{{1,4}}(?:\.\d{{1,3}})?)[ \u00a0-]?({named})(?![a-zא-ת\d/])")


def _named(word: str) -> str:
    """The lemma of a word that may be told apart so; empty for any other."""
    return content(word) if word.isalpha() and not HAN.match(word) else ""


@lru_cache(maxsize=65_536)
def content(word: str) -> str:
    """The lemma of a word that carries something; empty for a function word or a run of digits."""
    if word.isdigit() or word in _stop():
        return ""
    lemma = lexicons.lemma(word)
    return "" if lemma in _stop() else lemma


@cache
def _stop() -> frozenset[str]:
    stop = frozenset(word for keys in lexicons.table("stop").values() for word in keys["words"])
    return stop - frozenset(
        word for keys in lexicons.table("totals").values() for words in keys.values() for word in words
    )
