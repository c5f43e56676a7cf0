"""Evidence features: what can be read off a claim and its evidence without understanding either.

A context is cut into passages, each indexed once by word, stem and number; a claim is then compared with the
short window of sentences that covers it best. No feature rewards a text for its length or for what it
asks of its reader, so instructions hidden in a source have nothing to act on.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import regex

from detection.core.numbers import extract
from detection.core.text import words
from detection.core.types import NumericClaim
from detection.verifiers.lexical_tables import ABSOLUTES, FUNCTION_WORDS, NEGATIONS, OPPOSITES

Entry = TypeVar("Entry")

FEATURES = (
    "cover", "cover_exact", "cover_one", "cover_passage", "cover_all", "cover_words", "cover_squared",
    "covered_fully", "pairs", "precision", "missing_everywhere", "new_names", "figures_found",
    "figures_missing", "figures_differ", "figures_nowhere", "negation_differs", "negation_covered",
    "opposites", "absolutes",
)  # fmt: skip

PASSAGE_LENGTH = 1200
WINDOW = 3
LONGER_WINDOW_COSTS = 0.02
FIGURE_DRAWS = 1.0
"""How much a number counts, in words, when the window is chosen."""
COMMON = 0.1
"""Weight of a word that says nothing by itself."""

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


@dataclass(frozen=True, slots=True)
class _Window:
    """The sentences of a passage that cover a claim best."""

    passage: Passage
    mask: int
    cover: float


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


_opposites: dict[str, set[str]] = {}
for _one, _other in OPPOSITES:
    _opposites.setdefault(stem(_one), set()).add(stem(_other))
    _opposites.setdefault(stem(_other), set()).add(stem(_one))


def read_statement(text: str) -> Statement:
    """Read a claim."""
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


def features(statement: Statement, passages: Sequence[Passage], weights: Mapping[str, float]) -> list[float]:
    """The features of :data:`FEATURES`, in order, each about 0 to 1. ``weights`` says how much common words
    count; a word it does not know counts 1."""
    parts = _weighted(statement, weights)
    total = sum(weight for _, _, weight in parts) or 1.0
    window, one, best = _best_window(statement, parts, passages, total)
    nowhere = [weight for _, each, weight in parts if not any(each in p.stems for p in passages)]
    exact = sum(weight for word, _, weight in parts if _has(window, "words", word)) / total
    cover = window.cover if window else 0.0
    return [
        cover, exact, one, best, 1 - sum(nowhere) / total, _plain_cover(statement, passages), cover * cover,
        float(cover > 0.95), _pairs(statement, window), _precision(window, cover * len(parts)),
        math.log1p(sum(nowhere)) / 3, _new_names(statement, passages),
        *_figures(statement, window, passages), *_turns(statement, window, cover),
    ]  # fmt: skip


def _plain_cover(statement: Statement, passages: Sequence[Passage]) -> float:
    """Share of the claim's distinct words, numbers as written included, that occur in the evidence."""
    own = {*statement.words, *statement.codes, *statement.digits}
    return sum(any(word in passage.words for passage in passages) for word in own) / len(own) if own else 0.0


def _weighted(statement: Statement, weights: Mapping[str, float]) -> list[tuple[str, str, float]]:
    """Each distinct word of a claim with its stem and weight."""
    pairs = dict(zip(statement.words, statement.stems, strict=True))
    return [
        (word, each, COMMON if word in FUNCTION_WORDS else weights.get(word, 1.0))
        for word, each in pairs.items()
    ]


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


def _best_window(
    statement: Statement, parts: Sequence[tuple[str, str, float]], passages: Sequence[Passage], total: float
) -> tuple[_Window | None, float, float]:
    """The window that covers most of the claim, and the best cover by one sentence and by one passage."""
    best: _Window | None = None
    best_value, best_one, best_passage = -1.0, 0.0, 0.0
    for passage in passages:
        held = [(mask, weight) for _, each, weight in parts if (mask := passage.stems.get(each, 0))]
        figures = _figure_masks(statement, passage)
        best_passage = max(best_passage, sum(weight for _, weight in held) / total)
        for size in range(1, WINDOW + 1):
            for start in range(len(passage.sizes) - size + 1):
                mask = ((1 << size) - 1) << start | passage.always
                cover = sum(weight for at, weight in held if at & mask) / total
                best_one = max(best_one, cover) if size == 1 else best_one
                drawn = sum(FIGURE_DRAWS for at in figures if at & mask) / total
                value = cover + drawn - LONGER_WINDOW_COSTS * (size - 1)
                if value > best_value:
                    best, best_value = _Window(passage, mask, cover), value
    return best, best_one, best_passage


def _figure_masks(statement: Statement, passage: Passage) -> list[int]:
    """For each number of the claim, the sentences of a passage that state it."""
    masks = [passage.words.get(code, 0) for code in statement.codes]
    for amount in statement.amounts:
        mask = 0
        for other, at in passage.amounts:
            mask |= at if _agree(amount, other) else 0
        masks.append(mask)
    return masks


def _has(window: _Window | None, table: str, entry: str) -> bool:
    return bool(window and getattr(window.passage, table).get(entry, 0) & window.mask)


def _pairs(statement: Statement, window: _Window | None) -> float:
    """Share of neighbouring words that are neighbours in the window too: who did what to whom."""
    pairs = set(pairwise(statement.stems))
    if not pairs or window is None:
        return 0.0
    return sum(bool(window.passage.pairs.get(pair, 0) & window.mask) for pair in pairs) / len(pairs)


def _precision(window: _Window | None, shared: float) -> float:
    """How much of the window the claim speaks of."""
    if window is None:
        return 0.0
    size = sum(count for place, count in enumerate(window.passage.sizes) if window.mask >> place & 1)
    return min(shared / size, 1.0) if size else 0.0


def _new_names(statement: Statement, passages: Sequence[Passage]) -> float:
    """Names that occur nowhere in the evidence, two or more counting as 1."""
    if not passages:
        return 0.0
    new = {name for name in statement.names if not any(name in passage.stems for passage in passages)}
    return min(len(new) / 2, 1.0)


def _figures(statement: Statement, window: _Window | None, passages: Sequence[Passage]) -> tuple[float, ...]:
    """Share of the claim's numbers found in the window; whether one is missing from it; whether one stands
    nowhere while the window states another of its kind, by how well the window fits; whether one stands
    nowhere. One wrong number makes a claim wrong, however many are right. Without evidence all are 0.
    """
    count = len(statement.amounts) + len(statement.codes)
    if not count or window is None:
        return 0.0, 0.0, 0.0, 0.0
    here = [amount for amount, at in window.passage.amounts if at & window.mask]
    there = [amount for passage in passages for amount, _ in passage.amounts]
    lost = [amount for amount in statement.amounts if not any(_agree(amount, other) for other in here)]
    gone = [amount for amount in lost if not any(_agree(amount, other) for other in there)]
    differs = any(amount.kind == other.kind for amount in gone for other in here)
    lost_codes = [code for code in statement.codes if not _has(window, "words", code)]
    gone_codes = [code for code in lost_codes if not any(code in passage.words for passage in passages)]
    missing = len(lost) + len(lost_codes)
    return 1 - missing / count, float(missing > 0), window.cover * differs, float(bool(gone or gone_codes))


def _turns(statement: Statement, window: _Window | None, cover: float) -> tuple[float, ...]:
    """Negations, opposites and absolutes on which the claim and its window disagree."""
    if window is None:
        return 0.0, 0.0, 0.0, 0.0
    own = any(word in NEGATIONS for word in statement.words)
    other = any(_has(window, "words", word) for word in NEGATIONS)
    mine = set(statement.stems)
    opposed = sum(
        not _has(window, "stems", each)
        and any(_has(window, "stems", against) and against not in mine for against in _opposites[each])
        for each in mine & _opposites.keys()
    )
    absolute = sum(word in ABSOLUTES and not _has(window, "words", word) for word in statement.words)
    return (
        float(own != other),
        cover * (own != other),
        min(opposed, 2) / 2 * cover,
        min(absolute, 2) / 2,
    )


def _amount(number: NumericClaim) -> Amount | None:
    if number.kind == "date":
        if number.start_date is None or number.end_date is None:
            return None
        return Amount("date", "", number.start_date.toordinal(), number.end_date.toordinal())
    value, half = float(number.value), float(number.precision)
    return Amount(number.kind, number.unit, value - half, value + half)


def _agree(one: Amount, other: Amount) -> bool:
    """Whether two numbers can be the same: they touch, and neither unit denies it. Dates must lie one
    within the other: a month agrees with its quarter, two neighbouring quarters do not."""
    if "date" in (one.kind, other.kind):
        within = one.low <= other.low and other.high <= one.high
        return one.kind == other.kind and (within or (other.low <= one.low and one.high <= other.high))
    unit_fits = (one.kind, one.unit) == (other.kind, other.unit) or "number" in (one.kind, other.kind)
    slack = 1e-9 * max(abs(one.low), abs(other.low))
    return unit_fits and one.low <= other.high + slack and other.low <= one.high + slack
