"""What numbers count (NUM-01…NUM-04): durations, measures, things, out of the table ``counted`` of the lexicons.

English nouns stand in the plural, their singulars follow by rule.
"""

import re

from detection.core import lexicons


def _listed(key: str, language: str) -> tuple[str, ...]:
    return lexicons.table("counted")[language][key]


def _pairs(key: str, language: str) -> dict[str, str]:
    """One word and what it stands for."""
    return dict(pair.split(" ", 1) for pair in _listed(key, language))


DURATIONS, THINGS, NO_MODIFIERS = (_listed(key, "en") for key in ("duration", "thing", "no_modifier"))
IRREGULAR = _pairs("irregular", "en")


def _measures(language: str) -> tuple[str, ...]:
    """Patterns of the names of all units of measure but those of time, the longest first; a hyphen may join their words."""
    units = lexicons.table("units")[language]
    kinds = (units for kind, units in lexicons.measures().items() if not kind.startswith("time"))
    named = {name for kind in kinds for unit in kind for name in units[unit]}
    return tuple(map(_joined, sorted(named, key=lambda name: (-len(name), name))))


def _joined(name: str) -> str:
    return re.escape(name).replace(r"\ ", r"[\s-]").replace('"', "(?:\"|'')")


MEASURES = (
    r"sq(?:uare|\.)?\s?-?(?:f(?:ee|oo)t|ft|m(?:et(?:re|er)s?)?|yards?|yds?|miles?|mi|kilomet(?:re|er)s?|km|inch(?:es)?)", r"nsf", r"gsf",
    r"cubic\s(?:f(?:ee|oo)t|met(?:re|er)s?|yards?)", r"(?:m|ft|km|yd)[²2³3]", r"km/h", r"(?<=\s)t",
    *(rf"{name}(?!/)" if name == "km" else name for name in _measures("en")),
)  # fmt: skip
"""Units of measure as patterns."""

HEBREW_MEASURES = (*_listed("measure", "he"), *_measures("he"))
HEBREW_DUALS = _pairs("dual", "he")
HEBREW_SPANS, HEBREW_WITH_HE, HEBREW_NO_NOUNS = (
    _listed(key, "he") for key in ("before_one", "begins_with_he", "no_noun")
)
CHINESE_MEASURES = (*_listed("measure", "zh"), *(name for name in _measures("zh") if len(name) > 1))
CHINESE_THINGS = _listed("thing", "zh")
CHINESE_CLASSIFIERS, CHINESE_LOOSE_CLASSIFIERS = (
    "".join(_listed(key, "zh")) for key in ("classifier", "loose_classifier")
)
