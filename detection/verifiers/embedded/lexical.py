"""Evidence features: what can be read off a claim and its evidence without understanding either.

A claim (read by :mod:`detection.verifiers.embedded.lexical_reading`) is compared with the short window of sentences
that covers it best. No feature rewards a text for its length or for what it asks of its reader, so
instructions hidden in a source have nothing to act on.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from detection.verifiers.embedded.lexical_reading import Amount, Passage, Statement, stem
from detection.verifiers.embedded.lexical_tables import ABSOLUTES, FUNCTION_WORDS, NEGATIONS, OPPOSITES

FEATURES = (
    "cover", "cover_exact", "cover_one", "cover_passage", "cover_all", "cover_words", "cover_squared",
    "covered_fully", "pairs", "precision", "missing_everywhere", "new_names", "figures_found",
    "figures_missing", "figures_differ", "figures_nowhere", "negation_differs", "negation_covered",
    "opposites", "absolutes",
)  # fmt: skip

WINDOW = 3
LONGER_WINDOW_COSTS = 0.02
FIGURE_DRAWS = 1.0
"""How much a number counts, in words, when the window is chosen."""
COMMON = 0.1
"""Weight of a word that says nothing by itself."""


@dataclass(frozen=True, slots=True)
class _Window:
    """The sentences of a passage that cover a claim best."""

    passage: Passage
    mask: int
    cover: float


_opposites: dict[str, set[str]] = {}
for _one, _other in OPPOSITES:
    _opposites.setdefault(stem(_one), set()).add(stem(_other))
    _opposites.setdefault(stem(_other), set()).add(stem(_one))


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


def _best_window(
    statement: Statement, parts: Sequence[tuple[str, str, float]], passages: Sequence[Passage], total: float
) -> tuple[_Window | None, float, float]:
    """The window that covers most of the claim, and the best cover by one sentence and by one passage."""
    best: _Window | None = None
    best_value, best_one, best_passage = -1.0, 0.0, 0.0
    for passage in passages:
        held = [(mask, weight) for _, each, weight in parts if (mask := passage.stems.get(each, 0))]
        figures = [mask for mask in _figure_masks(statement, passage) if mask]
        if best and not held and not figures:
            continue
        best_passage = max(best_passage, sum([weight for _, weight in held]) / total)
        for size in range(1, WINDOW + 1):
            for start in range(len(passage.sizes) - size + 1):
                mask = ((1 << size) - 1) << start | passage.always
                cover = sum([weight for at, weight in held if at & mask]) / total
                best_one = max(best_one, cover) if size == 1 else best_one
                drawn = sum([FIGURE_DRAWS for at in figures if at & mask]) / total
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


def _agree(one: Amount, other: Amount) -> bool:
    """Whether two numbers can be the same: they touch, and neither unit denies it. Dates must lie one
    within the other: a month agrees with its quarter, two neighbouring quarters do not."""
    if "date" in (one.kind, other.kind):
        within = one.low <= other.low and other.high <= one.high
        return one.kind == other.kind and (within or (other.low <= one.low and one.high <= other.high))
    unit_fits = (one.kind, one.unit) == (other.kind, other.unit) or "number" in (one.kind, other.kind)
    slack = 1e-9 * max(abs(one.low), abs(other.low))
    return unit_fits and one.low <= other.high + slack and other.low <= one.high + slack
