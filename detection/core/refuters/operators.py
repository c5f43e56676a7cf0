"""The words that turn a sentence round, as data: ``en.toml``, ``he.toml`` and ``zh.toml`` of this room."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from detection.core import lexicons
from detection.core.lexicons import LANGUAGES, SKIP, Several, Words

_HERE = Path(__file__).parent
DENIAL = "negation.denial"
"""The family of words that deny."""
CONDITION = "condition.tie"
"""The family of words that tie a clause to a condition, or free it of one."""
CAUSE = "cause.reason"
"""The family of words that give a cause."""
SAYING = "attribution.saying"
"""The family of words that tell who said, thought, proposed something."""
PART = "unit.part"
"""The family of words that make an amount another than its number."""
SHARE = "quantifier.share"
"""The family of words that say how many of all."""
ROLE = "party.role"
"""The family of words for those who act."""

Mark = lexicons.Mark[frozenset[str]]


@cache
def tables() -> Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]]:
    """Family → language → value → phrases, a family named as kind.family."""
    found: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
    for language in LANGUAGES:
        read = tomllib.loads((_HERE / f"{language}.toml").read_text(encoding="utf-8"))
        for kind, families in read.items():
            for family, values in families.items():
                table = {value: tuple(phrases) for value, phrases in values.items()}
                found.setdefault(f"{kind}.{family}", {})[language] = table
    return found


@cache
def pairs(family: str) -> frozenset[frozenset[str]]:
    """The pairs of values of a family that exclude each other; none where any two do."""
    return frozenset(frozenset(pair.split()) for pair in _exclusions().get(family, ()))


@cache
def _exclusions() -> Mapping[str, list[str]]:
    return tomllib.loads((_HERE / "exclusions.toml").read_text(encoding="utf-8"))


def marks(words: Words) -> Mapping[str, list[Mark]]:
    """The operators of a text by family, in order."""
    return _tree().find(words)


@cache
def _tree() -> Several[frozenset[str]]:
    return Several({family: _phrases(languages) for family, languages in tables().items()})


def _phrases(
    languages: Mapping[str, Mapping[str, tuple[str, ...]]],
) -> tuple[Mapping[str, frozenset[str]], tuple[str, ...]]:
    meanings: dict[str, frozenset[str]] = {}
    skipped: list[str] = []
    for values in languages.values():
        for value, phrases in values.items():
            if value == SKIP:
                skipped.extend(phrases)
                continue
            for phrase in phrases:
                meanings[phrase] = meanings.get(phrase, frozenset()) | {value}
    return meanings, tuple(skipped)
