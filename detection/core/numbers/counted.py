"""What numbers count (NUM-01…NUM-04): durations, measures, things, out of the table ``counted`` of the lexicons.

English nouns stand in the plural, their singulars follow by rule.
"""

from detection.core import lexicons


def _listed(key: str, language: str) -> tuple[str, ...]:
    return lexicons.table("counted")[language][key]


def _pairs(key: str, language: str) -> dict[str, str]:
    """One word and what it stands for."""
    return dict(pair.split(" ", 1) for pair in _listed(key, language))


DURATIONS, THINGS, NO_MODIFIERS = (_listed(key, "en") for key in ("duration", "thing", "no_modifier"))
IRREGULAR = _pairs("irregular", "en")
MEASURES = (
    r"sq(?:uare|\.)?\s?-?(?:f(?:ee|oo)t|ft|m(?:et(?:re|er)s?)?|yards?|yds?|miles?|mi|kilomet(?:re|er)s?|km|inch(?:es)?)", r"sqft", r"sqm", r"sf", r"nsf", r"gsf", r"rsf",
    r"cubic\s(?:f(?:ee|oo)t|met(?:re|er)s?|yards?)", r"(?:m|ft|km|yd)[²2³3]", r"ha", r"kwh", r"mwh", r"gwh", r"kw", r"mw", r"gw", r"km/h", r"km(?!/)", r"kg", r"hl", r"twh",
)  # fmt: skip
"""Units of measure as patterns."""

HEBREW_MEASURES = _listed("measure", "he")
HEBREW_DUALS = _pairs("dual", "he")
HEBREW_SPANS, HEBREW_WITH_HE, HEBREW_NO_NOUNS = (
    _listed(key, "he") for key in ("before_one", "begins_with_he", "no_noun")
)
CHINESE_MEASURES, CHINESE_THINGS = _listed("measure", "zh"), _listed("thing", "zh")
CHINESE_CLASSIFIERS, CHINESE_LOOSE_CLASSIFIERS = (
    "".join(_listed(key, "zh")) for key in ("classifier", "loose_classifier")
)
