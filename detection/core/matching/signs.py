"""Which sign a figure can have, and which one words give it."""

from functools import lru_cache

import regex

from detection.core import lexicons
from detection.core.evidence import OPEN, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.quantities import Quantity
from detection.core.quantities.features import concept

_EITHER = regex.compile(
    r"(?i)\b(?:net|changes?|variances?|differences?)\b|净|淨|变动|變動|差|נטו|שינוי|סטייה"
)
_ASIDE = regex.compile(r"[(（/]([^()（）]*)")
_TURNED = frozenset(("up", "down", "either", "loss", "profit"))
_BELOW = frozenset(("down", "worsen", "behind", "less_than", "loss"))
_ABOVE = frozenset(("up", "improve", "ahead", "more_than"))


def said(quantity: Quantity, grid: Grid, value: Value) -> tuple[bool, bool]:
    """Whether a value can have either sign, and whether it is said to be negative; a variance has its sign from the words
    that say on which side it lies, without such words none."""
    if _is_positive(quantity, grid, value):
        return True, False
    cues = quantity.cue("order") | quantity.cue("bounds") | quantity.cue("polarity") | {quantity.direction}
    below = bool(cues & _BELOW)
    if value.how or not value.facts[0].direction:
        return either(quantity, grid, value), loss(quantity, grid, value) or (below and value.value < 0)
    if is_move(quantity, grid, value):
        return True, quantity.number.direction == "down"
    return below != bool(cues & _ABOVE) and (either(quantity, grid, value) or _rises_well(grid, value)), below


def _is_positive(quantity: Quantity, grid: Grid, value: Value) -> bool:
    """Whether what is negative is said in so many words, or by its sign, to lie above nought: "a surplus of $5", "+$5"."""
    said = quantity.cue("polarity") == {"profit"} and not is_cost(grid, value.facts[0].at[0])
    return value.value < 0 and not value.how and (said or quantity.number.text.startswith("+"))


def is_move(quantity: Quantity, grid: Grid, value: Value) -> bool:
    """Whether a share of change is said to have gone up or down that a column of changes states, whose sign says where it went;
    of what costs, a column may call what is worse negative."""
    fact = value.facts[0]
    known = lexicons.concepts()
    metrics = [known[one] for one in metrics_of(grid, fact.at[0]) if one in known]
    costs = any(one.favourable == "down" for one in metrics)
    return bool(quantity.number.direction) and fact.kind == "percentage" and not costs and not grid.is_prose


def either(quantity: Quantity, grid: Grid, value: Value) -> bool:
    """Whether a figure can have either sign; of a row that names no metric that which the words name and its heading."""
    label = value.facts[0].at[0]
    known = lexicons.concepts()
    metrics = metrics_of(grid, label) or _above(quantity, grid, label)
    named = [known[one].sign for one in metrics if one in known]
    if named and ("either" in named or not _has_opposite(grid.named(0, label))):
        return "either" in named
    return value.value < 0 and label != OPEN and _is_either(grid.named(0, label))


def is_turned(quantity: Quantity, grid: Grid, value: Value) -> bool:
    """Whether a negative value is said to be positive: a figure that can have either sign, or a share of change that a column
    of changes states as negative and the words as up."""
    up = quantity.number.direction == "up" and is_move(quantity, grid, value)
    if up or _is_positive(quantity, grid, value):
        return True
    plain = quantity.direction in ("", "up") and not value.facts[0].direction and not grid.is_prose
    return plain and either(quantity, grid, value) and not loss(quantity, grid, value)


def is_cost(grid: Grid, label: int) -> bool:
    """Whether brackets around what stands at a label only say that it goes out: it is no figure that can have either sign."""
    known = lexicons.concepts()
    named = [known[one].sign for one in metrics_of(grid, label) if one in known]
    return "either" not in named if named else label != OPEN and not _is_either(grid.named(0, label))


def _above(quantity: Quantity, grid: Grid, label: int) -> list[str]:
    """The metrics that both the heading of a row and the words name: "Aerospace" under "EBIT by segment"."""
    above = grid.axes[0].labels[label].above[1:] if label != OPEN else ()
    return [concept(word) for metrics in above for word in metrics if word in quantity.tiers[0].words]


def loss(quantity: Quantity, grid: Grid, value: Value) -> bool:
    """Whether words call a figure a loss that is not called so where it stands."""
    label = value.facts[0].at[0]
    called = _ASIDE.sub(" ", grid.named(0, label)) if label != OPEN else ""
    return "loss" in quantity.cue("polarity") and not is_called(called, "polarity", frozenset(("loss",)))


@lru_cache(maxsize=4096)
def is_called(name: str, table: str, keys: frozenset[str]) -> bool:
    """Whether a name says that what it names is a result or has a sign: an average, a share, a loss."""
    return any(mark.value & keys for mark in lexicons.phrases(table).find(lexicons.Words(name)))


def _rises_well(grid: Grid, value: Value) -> bool:
    """Whether more of a figure is better, so that its variance is positive where it is above: revenue, no cost."""
    known = lexicons.concepts()
    named = [known[one] for one in metrics_of(grid, value.facts[0].at[0]) if one in known]
    return bool(named) and all(one.favourable == "up" for one in named)


@lru_cache(maxsize=4096)
def _is_either(name: str) -> bool:
    """Whether what is called so can have either sign: a net flow, a variance, an "increase (decrease)"."""
    return _EITHER.search(name) is not None or _has_opposite(name)


@lru_cache(maxsize=4096)
def _has_opposite(name: str) -> bool:
    """Whether a name says in brackets what it is when it is negative: "gains (losses)"."""
    asides = (found.group(1) for found in _ASIDE.finditer(name))
    return any(is_called(one, table, _TURNED) for one in asides for table in ("polarity", "directions"))
