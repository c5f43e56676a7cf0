"""The words of English, Hebrew and Chinese as data: what names a metric, a direction, a bound, a role, a unit.

``en.toml``, ``he.toml`` and ``zh.toml`` hold the same tables with the same keys; a speaker of the language can
extend them without reading Python. ``concepts.toml`` says of each metric what kind of figure it is. A table is
read when it is first asked for, and compiled once.
"""

import tomllib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import regex

from detection.core.lexicons.lemmas import Lemmas
from detection.core.lexicons.names import Mark, Names, Several, Words, folded, forms
from detection.core.types import Kind

__all__ = (
    "LANGUAGES", "SKIP", "Concept", "Mark", "Names", "Several", "Words",
    "concepts", "content", "folded", "forms", "lemma", "measure_signs", "measures", "named", "phrases", "several", "table", "tables", "warm",
)  # fmt: skip

LANGUAGES = ("en", "he", "zh")
SKIP = "skip"
"""The key of longer phrases that contain a word of their table and do not mean it: "up to" is no rise."""

_HERE = Path(__file__).parent
_HEAD = regex.compile(r"^\[(\w+)\]\n", regex.M)
Table = Mapping[str, tuple[str, ...]]


class Concept(NamedTuple):
    """What kind of figure a metric is, which way is good for its owner, whether it can be negative by itself
    (``either``) or is shown so though it is a cost or a deduction (``magnitude``), and whether it is stated for a
    point in time (``stock``) and not over a span."""

    kind: Kind
    favourable: Literal["up", "down", ""] = ""
    sign: Literal["positive", "either", "magnitude"] = "positive"
    stock: bool = False


@cache
def _sections(language: str) -> Mapping[str, str]:
    """The text of each table of a language, not yet read."""
    parts = _HEAD.split((_HERE / f"{language}.toml").read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@cache
def tables() -> tuple[str, ...]:
    """The names of all tables."""
    return tuple(_sections("en"))


@cache
def table(name: str) -> Mapping[str, Table]:
    """One table in each language: language → key → phrases."""
    read = {language: tomllib.loads(_sections(language)[name]) for language in LANGUAGES}
    return MappingProxyType(
        {
            language: MappingProxyType({key: tuple(listed) for key, listed in keys.items()})
            for language, keys in read.items()
        }
    )


@cache
def concepts() -> Mapping[str, Concept]:
    """Every metric by its name in the database and in ``metrics``."""
    read = tomllib.loads((_HERE / "concepts.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: Concept(**slots) for name, slots in read.items()})


@cache
def _measures() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((_HERE / "measures.toml").read_text(encoding="utf-8"))


@cache
def measures() -> Mapping[str, Mapping[str, tuple[Decimal, ...]]]:
    """The units of measure: dimension → unit → how large it may be beside the others."""
    return MappingProxyType(
        {
            dimension: MappingProxyType({unit: tuple(map(Decimal, sizes)) for unit, sizes in units.items()})
            for dimension, units in _measures().items()
            if dimension != "signs"
        }
    )


def measure_signs() -> Mapping[str, str]:
    """Signs that stand for units of measure in their own letters alone, large or small."""
    return _measures()["signs"]


@cache
def _meanings(name: str) -> tuple[Mapping[str, frozenset[str]], tuple[str, ...]]:
    """What each phrase of a table means in any language, and the phrases that are skipped."""
    meanings: dict[str, set[str]] = {}
    skipped: list[str] = []
    for keys in table(name).values():
        for key, listed in keys.items():
            if key == SKIP:
                skipped.extend(listed)
                continue
            for phrase in listed:
                meanings.setdefault(phrase, set()).add(key)
    return {phrase: frozenset(keys) for phrase, keys in meanings.items()}, tuple(skipped)


@cache
def phrases(name: str) -> Names[frozenset[str]]:
    """The phrases of a table in all languages, ready to be found; each means the set of keys it stands under."""
    return Names(*_meanings(name))


@cache
def several(*names: str) -> Several[frozenset[str]]:
    """The phrases of several tables in one tree, so that a text is walked once for all of them."""
    return Several({name: _meanings(name) for name in names})


def named(name: str, key: str, language: str) -> str | None:
    """What ``language`` calls a key of a table: its first phrase."""
    return next(iter(table(name)[language].get(key, ())), None)


def unit_names(units: str, language: str) -> str:
    """What ``language`` calls units of measure, those of a rate on either side of "/"; English where it calls them nothing."""
    known = language if language in LANGUAGES else "en"
    names = (named("units", unit, known) or named("units", unit, "en") or unit for unit in units.split("/"))
    return "/".join(names).replace("_", " ")


@cache
def _lemmas() -> Lemmas:
    irregular = {
        form: base
        for language in LANGUAGES
        for pair in table("lemmas")[language]["irregular"]
        for form, base in [pair.split()]
    }
    whole = {word for language in LANGUAGES for word in table("lemmas")[language]["whole"]}
    stop = {word for language in LANGUAGES for word in table("stop")[language]["words"]}
    return Lemmas(irregular, whole, stop)


def lemma(word: str) -> str:
    """One form for "lease" and "leases", "הנכס" and "נכסים"; ``word`` is in small letters."""
    return _lemmas().lemma(word)


def content(words: Iterable[str]) -> frozenset[str]:
    """The lemmas of the words that carry meaning; of Chinese the pairs of neighbouring characters."""
    return _lemmas().content(words)


def warm() -> None:
    """Read and compile everything now, before the first answer is waiting."""
    concepts()
    lemma("")
    for name in tables():
        phrases(name)
