"""What a sentence speaks of: the metrics that it names, the words that tell whose and which they are, numbers and periods."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from detection.core import lexicons
from detection.core.lexicons import Mark, Words
from detection.core.quantities.features import concept, is_meaning
from detection.core.quantities.texts import Text
from detection.core.text import detect_language
from detection.core.types import Kind

_KEPT, _LONGEST = 512, 1500  # sentences read lately, and characters of one
_REPORTING = ("arrivals", "months", "period_words", "periods", "reporting", "scales")
_LETTER = regex.compile(r"(?<=\p{L}\p{L} )[A-Z](?![\w'’&.])")
_PAPERS = frozenset(("papers", "sources"))
_TELLING = ("aggregations", "entities", "per", "qualifiers", "roles", "totals")
_SAME = frozenset(("same",))
_NO_OTHER = frozenset(("current", "domestic", "foreign", "reported", "retail", "total", "with"))
"""Qualifiers that a figure may have or lack and be the same, or that are words of names."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """``metrics`` are those of the kind that was asked for, ``called`` the words that name them, ``words`` what else is said, without what only reports;
    ``qualifiers`` which of the figures of a metric is meant, ``counts`` the plain numbers and those of suites or accounts, ``periods`` as they are written, ``approximate`` the places of numbers that are only about as large."""

    metrics: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    periods: frozenset[str] = frozenset()
    approximate: frozenset[int] = frozenset()
    qualifiers: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()


@lru_cache(maxsize=_KEPT)
def spoken(body: str, kind: Kind | None = None) -> Spoken:
    """What a sentence, a heading or a label speaks of; ``metrics`` only those of ``kind``, all others are words. Any text is
    read; None for the kind leaves every metric among the words."""
    if len(body) > _LONGEST:
        return Spoken(words=frozenset((body,)))  # nobody wrote that for readers: it is like nothing else
    text = Text(body, detect_language(body))
    known = lexicons.concepts()
    named = [one for one in text.features if is_meaning(one.name)]
    own = [one for one in named if kind and known[concept(one.name)].kind == kind]
    told = [(one.start, one.end) for one in (own if kind else named)]
    silent = _silent(text.words)
    return Spoken(
        metrics=frozenset(one.name for one in own),
        words=frozenset(
            one.name
            for one in text.features
            if (kind is None and one in named)
            or not (
                _meets(one.start, one.end, told) or _within(one.start, one.end, silent) or _is_joint(one.name)
            )
        ),
        counts=frozenset(str(one.value) for one in text.values if one.kind == "number") | _identifiers(text),
        periods=frozenset(body[one.start : one.end].casefold() for one in text.periods),
        approximate=frozenset(one.start for one in text.values if one.approximate),
        called=frozenset(word for one in own for word in one.inner),
        qualifiers=frozenset(key for mark in _marks("qualifiers", text.words) for key in mark.value)
        - _NO_OTHER,
    )


def titled(body: str, kind: Kind | None = None) -> Spoken:
    """What a title or a heading speaks of beside the kind of paper that it names."""
    words = Words(body)
    found = list(_marks("titles", words))
    found += [mark for mark in _marks("discourse", words) if mark.value & _PAPERS]
    plain = body
    for mark in found:
        plain = f"{plain[: mark.start]}{' ' * (mark.end - mark.start)}{plain[mark.end :]}"
    return spoken(plain, kind)


def _identifiers(text: Text) -> frozenset[str]:
    """Digits that are neither a number nor part of a date or a period, and single letters: those of a suite, an account, a tower."""
    taken = [(one.start, one.end) for one in text.numbers] + [(one.start, one.end) for one in text.periods]
    return frozenset(_LETTER.findall(text.text)) | frozenset(
        word
        for word, (start, end) in zip(text.words.words, text.words.spans, strict=True)
        if any(map(str.isdigit, word)) and not _meets(start, end, taken)
    )


def _silent(words: Words) -> list[tuple[int, int]]:
    """Where a text only reports, or names again what was named before."""
    telling = [mark for name in _TELLING for mark in _marks(name, words) if mark.value != _SAME]
    silent = [mark for name in _REPORTING for mark in _marks(name, words)]
    silent += [mark for mark in _marks("entities", words) if mark.value == _SAME]
    taken = [(mark.start, mark.end) for mark in telling]
    return [(mark.start, mark.end) for mark in silent if not _meets(mark.start, mark.end, taken)]


def _marks(name: str, words: Words) -> list[Mark[frozenset[str]]]:
    return lexicons.phrases(name).find(words)


def _meets(start: int, end: int, places: Iterable[tuple[int, int]]) -> bool:
    return any(low < end and start < high for low, high in places)


def _within(start: int, end: int, places: Iterable[tuple[int, int]]) -> bool:
    return any(low <= start and end <= high for low, high in places)


def _is_joint(name: str) -> bool:
    """Whether a pair of Chinese characters lies across two words one of which says nothing."""
    return name[0] >= "\u3400" and not _stops().isdisjoint(name)


@cache
def _stops() -> frozenset[str]:
    return frozenset(word for table in lexicons.table("stop").values() for word in table["words"])
