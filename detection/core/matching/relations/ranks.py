"""Which places words of order give, and whether a figure has one of them among others."""

from collections.abc import Sequence
from functools import cache

from detection.core import lexicons
from detection.core.evidence import Fact, Grid
from detection.core.matching.relations import changes
from detection.core.matching.signs import is_cost

RANKS = {
    "maximum": (1, True), "second": (2, True), "third": (3, True),
    "fourth": (4, True), "minimum": (1, False), "second_lowest": (2, False), "third_lowest": (3, False),
}  # fmt: skip
"""The place that a word of order gives, and whether it is counted from the top."""


_TURNED = {
    "maximum": "minimum", "second": "second_lowest", "third": "third_lowest",
    "minimum": "maximum", "second_lowest": "second", "third_lowest": "third",
}  # fmt: skip


def reversed_rank(key: str) -> str:
    """The place from the other end: the largest loss is the lowest result."""
    return _TURNED.get(key, key)


def ranks(text: str, key: str, metrics: list[str]) -> tuple[str, ...]:
    """The places that a word may give: "best" is the lowest of what is good when low, and either end of what nobody knows."""
    if text.lower() not in _valued() or key not in _TURNED:
        return (key,)
    good = changes.sense("improve", metrics)
    return (key if good > 0 else _TURNED[key],) if good else (key, _TURNED[key])


@cache
def _valued() -> frozenset[str]:
    return frozenset(word for keys in lexicons.table("change_words").values() for word in keys["valued"])


def has_place(held: Fact, rivals: Sequence[Fact], key: str, grid: Grid) -> bool:
    """Whether a fact has the place among others that a word of order gives; alike ones share their places. Of costs in
    brackets the largest is the lowest figure; a dash has no place."""
    if all(fact.value and fact.value < 0 and is_cost(grid, fact.at[0]) for fact in rivals):
        key = reversed_rank(key)
    rank, from_top = RANKS[key]
    values = [one.value for one in rivals if one.value is not None and (one is held or not one.is_none)]
    if held.value is None or len(values) < 2:
        return False
    before = sum(1 for value in values if (value > held.value if from_top else value < held.value))
    alike = sum(1 for value in values if value == held.value)
    return before < rank <= before + alike
