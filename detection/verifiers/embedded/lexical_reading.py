"""A claim and its evidence, taken apart: words, stems, names and numbers, each passage indexed once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import regex

from detection.core.numbers import extract
from detection.core.text import words
from detection.core.types import NumericClaim

Entry = TypeVar("Entry")

PASSAGE_LENGTH = 1200

_SENTENCE_END = regex.compile(r"(?<=[.!?;:؛;])\s+|(?<=[。！？；])|\n+")
_NAME = regex.compile(r"(?<![.!?:]\s)(?<!^)(?<!^[\"'“‘(])\b\p{Lu}[\p{L}\p{M}’'-]*")
_DIGIT = regex.compile(r"\p{Nd}")
_LATIN_SUFFIX = regex.compile(r"(?:ations?|ments?|ings?|ies|ied|ers?|ed|es|ly|s|e|y)$")
_HEBREW = regex.compile(r"\p{Hebrew}")
_HEBREW_PREFIX = regex.compile(r"^[ובהלמשכ]+(?=\p{Hebrew}{3})")
_HEBREW_SUFFIX = regex.compile(r"(?<=\p{Hebrew}{3})(?:ים|ות|ית|יות|ה|ת)$")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as it is compared: its kind and unit, and the range it covers (dates in days)."""

    kind: str
    unit: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of evidence, indexed: each table maps to a bit mask of the sentences that hold the entry."""

    words: Mapping[str, int]
    stems: Mapping[str, int]
    pairs: Mapping[tuple[str, str], int]
    amounts: tuple[tuple[Amount, int], ...]
    sizes: tuple[int, ...]
    always: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim, read: its words without those of its numbers, the numbers, the names, the turning words."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    amounts: tuple[Amount, ...]
    codes: tuple[str, ...]
    digits: tuple[str, ...]
    names: tuple[str, ...]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without what inflects it, roughly: Latin suffixes, Hebrew prefixes and endings.

    Every leading letter that may be a Hebrew prefix goes, also where it belongs to the root: what matters is
    that ``הכנסה`` and ``ההכנסה`` end up the same.
    """
    if word.isascii():
        return _LATIN_SUFFIX.sub("", word) if len(word) > 4 else word
    if _HEBREW.match(word):
        return _HEBREW_SUFFIX.sub("", _HEBREW_PREFIX.sub("", word))
    return word


@lru_cache(maxsize=512)
def read_statement(text: str) -> Statement:
    """Read a claim. Kept, because p1 and p0 ask about the same one."""
    found = extract(text)
    rest = text
    for number in found:
        rest = rest[: number.start] + " " * (number.end - number.start) + rest[number.end :]
    every = words(rest)
    plain = tuple(word for word in every if not _DIGIT.search(word))
    names = tuple(stem(name) for found_name in _NAME.findall(rest) for name in words(found_name))
    return Statement(
        words=plain,
        stems=tuple(stem(word) for word in plain),
        amounts=tuple(amount for number in found if (amount := _amount(number))),
        codes=tuple(word for word in every if _DIGIT.search(word)),
        digits=tuple(word for number in found for word in words(number.text)),
        names=names,
    )


@lru_cache(maxsize=512)
def read_passages(text: str) -> tuple[Passage, ...]:
    """Cut a chunk into passages of whole sentences and index each. Kept, because p1, p0 and every claim of
    an answer read the same chunks."""
    passages: list[list[str]] = [[]]
    length = 0
    for sentence in filter(str.strip, _SENTENCE_END.split(text)):
        if length + len(sentence) > PASSAGE_LENGTH and passages[-1]:
            passages.append([])
            length = 0
        passages[-1].append(sentence)
        length += len(sentence)
    return tuple(_indexed(sentences) for sentences in passages if sentences)


def _indexed(sentences: Sequence[str]) -> Passage:
    written: dict[str, int] = {}
    stems: dict[str, int] = {}
    pairs: dict[tuple[str, str], int] = {}
    amounts: list[tuple[Amount, int]] = []
    sizes = []
    for place, sentence in enumerate(sentences):
        bit = 1 << place
        found = words(sentence)
        stemmed = [stem(word) for word in found]
        sizes.append(len(set(found)))
        _mark(written, found, bit)
        _mark(stems, stemmed, bit)
        _mark(pairs, pairwise(stemmed), bit)
        amounts += [(amount, bit) for number in extract(sentence) if (amount := _amount(number))]
    table_rows = sum("|" in sentence for sentence in sentences) > len(sentences) / 2
    return Passage(written, stems, pairs, tuple(amounts), tuple(sizes), 0b11 if table_rows else 0)


def _mark(table: dict[Entry, int], entries: Iterable[Entry], bit: int) -> None:
    for entry in entries:
        table[entry] = table.get(entry, 0) | bit


def _amount(number: NumericClaim) -> Amount | None:
    if number.kind == "date":
        if number.start_date is None or number.end_date is None:
            return None
        return Amount("date", "", number.start_date.toordinal(), number.end_date.toordinal())
    value, half = float(number.value), float(number.precision)
    return Amount(number.kind, number.unit, value - half, value + half)
