"""The names of the metrics as sets of words, the built-in ones and those of a deployment (NUM-06)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from detection.core.binding import ALIASES
from detection.core.chunks.places import Words, words
from detection.core.types import Alias

Names = Mapping[str, tuple[Words, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words of each name of each ``metric``, and the metrics that a label of exactly some words names."""

    names: Names
    metrics: Mapping[Words, frozenset[str]]


@lru_cache(maxsize=64)
def vocabulary(aliases: tuple[Alias, ...]) -> Vocabulary:
    """The vocabulary with the names of ``aliases``; the same aliases give the same object."""
    named = {metric: {words(name) for name in names} for metric, names in ALIASES.items()}
    for alias in aliases:
        named.setdefault(alias.metric, set()).add(words(alias.text))
    metrics: dict[Words, set[str]] = {}
    for metric, those in named.items():
        for name in those - {frozenset()}:
            metrics.setdefault(name, set()).add(metric)
    return Vocabulary(
        {metric: tuple(those - {frozenset()}) for metric, those in named.items()},
        {name: frozenset(those) for name, those in metrics.items()},
    )
