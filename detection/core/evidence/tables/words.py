"""The words of tables, out of the table ``table_words`` of the lexicons, and the patterns made of them.

Every text that is compared with these is folded: lower case, plain signs.
"""

from collections.abc import Iterable
from itertools import chain

import regex

from detection.core import lexicons

_WORDS = lexicons.table("table_words")
_UNITS = lexicons.table("units")
_PERS = (
    "sf", "sqm", "share", "month", "quarter", "year", "day", "unit", "room", "employee", "bed", "ping", "hectare", "acre", "ton",
)  # fmt: skip
_EACHS = ("month", "year", "quarter", "sf", "sqm", "share", "unit", "employee", "ping")


def _listed(key: str, *languages: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(_WORDS[language][key] for language in languages or lexicons.LANGUAGES))


def _any(*keys: str, languages: tuple[str, ...] = ()) -> str:
    """Alternatives, the longest first; a full stop may end each word: ``sq. ft.``"""
    return _joined(chain.from_iterable(_listed(key, *languages) for key in keys))


def _joined(names: Iterable[str]) -> str:
    return "|".join(
        r"\.?[ -]?".join(map(regex.escape, name.split())) for name in sorted(names, key=len, reverse=True)
    )


def _within(key: str, *, prefixes: str = "") -> str:
    """A pattern of the words of a key wherever they stand whole; Hebrew ones behind some of ``prefixes`` too."""
    english, hebrew, chinese = (_any(key, languages=(language,)) for language in lexicons.LANGUAGES)
    behind = rf"(?<![א-ת])(?:[{prefixes}]{{1,2}})?" if prefixes else r"(?<![א-ת])"
    parts = (
        english and rf"(?<![a-z])(?:{english})(?![a-z])",
        hebrew and rf"{behind}(?:{hebrew})(?![א-ת])",
        chinese,
    )
    return "|".join(filter(None, parts))


_MONTH_NAMES = frozenset(
    name
    for language in ("en", "he")
    for names in lexicons.table("months")[language].values()
    for name in names
)

TOTALS, VACANT = _listed("total"), _listed("vacant")
VACANT_OF = _listed("vacant_of")
NONES = (*_listed("none"), "-", "--", "---", "—", "–", "―")
"""A cell that states that there is none."""
MISSING = (*_listed("missing"), "*", "...", "…", "..", "#n/a", "#")
"""A cell that states nothing."""

PERIOD_WORDS = frozenset(_listed("period")) | _MONTH_NAMES
STRONG_PERIODS = frozenset(_listed("strong_period")) | _MONTH_NAMES
ROLES = frozenset((*_listed("role"), "%"))
BASES = frozenset(_listed("base"))
MONEY, GENERIC = frozenset(_listed("money")), frozenset(_listed("generic"))
AMOUNTS = frozenset(_listed("amounts"))
"""What money is called wherever it stands: amounts, sums; without the ending of the plural."""
FOR_ONE, FOR_ONE_HAN = frozenset(_listed("for_one", "en", "he")), _listed("for_one", "zh")
FINITE, NO_EXCEPTION = frozenset(_listed("finite")), frozenset(_listed("no_exception"))
SENTENCE = FINITE | frozenset(_listed("linking"))
UNIT_HEADS = frozenset(
    ("unit", "units", "uom", "unit of measure", "currency", "单位", "單位", "יחידה", "יחידת מידה", "יח'")
)
"""Headings of the column that names the unit of each row."""
LABEL_HEADS, NOTE_HEADS = frozenset(_listed("label_head")), frozenset(_listed("note_head"))
NAME_HEADS = frozenset(_listed("name_head"))
"""What heads a column of names."""

_OUT = "ובהכמש"  # the prefixes of Hebrew without "per"
COUNTED = (
    rf"(?!(?:{_any('counted_not')}))(?:{_within('counted', prefixes=_OUT)})|\b(?:{_any('counted_last')})$"
    rf"|\b(?:{_any('averaged')})\b.{{0,60}}\b(?:{_any('counted_last')})\b|\((?:in |ב)?(?:{_any('counted_unit')})\)"
    rf"|^(?:total )?(?:{_any('counted_alone')})(?: \([^)]{{1,20}}\))?$|,\s(?:{_any('counted_unit')})(?!\w)"
)
"""Labels of what is counted or measured, and is no money."""

_NO_RATE = rf"(?!(?:{_any('rate_not')})s?(?![a-z]))"
RATES = rf"{_NO_RATE}(?:{_within('rate', prefixes='ובהלכמש')})"
NO_RATES, TIMES = _within("no_rate", prefixes="ובהלכמש"), rf"{_within('times', prefixes='ובהלכמש')}|\(x\)"
PERCENTS = rf"%|{_NO_RATE}(?:{_within('percent')})"

_BASIS_POINTS = [
    name for language in lexicons.LANGUAGES for name in lexicons.table("units")[language]["basis_point"]
]
POINTS = "|".join(
    rf"[(\[,]\s?{name}(?!\w)"  # not BP plc
    if name == "bp"
    else rf"(?<![a-zא-ת])ב?-?{regex.escape(name)}(?![a-zא-ת])"
    for name in _BASIS_POINTS
)
"""Headings of what is written in basis points."""
_POINTS = [name for language in lexicons.LANGUAGES for name in _UNITS[language]["point"]]
_OF_PERCENT = [name for name in _POINTS if name.startswith("pp") or " " in name or "百" in name]
_MOVED = [name for keys in lexicons.table("directions").values() for name in keys["either"]]
PERCENT_POINTS = (
    rf"(?<![a-zא-ת])(?:{_joined(_OF_PERCENT)})(?![a-zא-ת])"
    rf"|(?:{_joined(_MOVED)}).*[(\[,]\s?(?:{_joined(_POINTS)})\s?[)\]]?\s*$"
)
"""Headings of what is written in points of per cent; points alone are so where something moved, else those of an index."""

PERS = tuple(
    (
        rf"(?:(?:{_any('per_adjective')}|/)+ )*(?:{_any(f'per_{name}')}{'|㎡' if name == 'sqm' else ''})\.?",
        name,
    )
    for name in _PERS
) + tuple(
    ("|".join(regex.escape(name) for language in lexicons.LANGUAGES for name in _UNITS[language][unit]), unit)
    for kind, units in lexicons.measures().items()
    for unit in units
    if not kind.startswith("time") and unit not in _PERS
)
"""What may follow "per" or a slash, and the word it is named by."""
EACHS = tuple((_within(f"each_{name}"), name) for name in _EACHS)
"""What amounts are stated for, in one word."""

YEARLY = _listed("each_year")
_BOUNDS = {
    phrase: bound
    for bound, keys in (
        ("at_least", ("at_least", "more_than")),
        ("at_most", ("at_most", "less_than", "up_to")),
    )
    for language in lexicons.LANGUAGES
    for key in keys
    for phrase in lexicons.table("bounds")[language][key]
}
_BOUNDS.update(
    dict.fromkeys(("min", "min.", "minimum"), "at_least"),
    **dict.fromkeys(("max", "max.", "maximum"), "at_most"),
)
BOUNDS = "|".join(map(regex.escape, sorted(_BOUNDS, key=len, reverse=True)))
"""What stands beside a number in a cell and bounds it."""


_SET = frozenset(
    phrase
    for language in lexicons.LANGUAGES
    for key in ("limit", "limit_min", "limit_max", "budget", "target", "forecast")
    for phrase in lexicons.table("roles")[language][key]
)
SET_BEFORE = "|".join(map(regex.escape, sorted(_SET, key=len, reverse=True)))
"""What stands before a number in a cell and says that it was set, not come about: ``Limit 92``."""


def bound_of(text: str) -> str:
    """Which way a text bounds a number that is nothing but a phrase that does; empty for any other."""
    return _BOUNDS.get(text, "")


CURRENCY_PARTS = r"\bct(?=\s?/)|" + "|".join(
    rf"\b(?:{regex.escape(name)})\b" if name.isascii() else regex.escape(name)
    for language in lexicons.LANGUAGES
    for names in lexicons.table("currency_parts")[language].values()
    for name in names
)
"""Hundredths of a currency."""
LASTING = rf"\b(?:{'|'.join(word for word in lexicons.table('counted')['en']['duration'])})$"
"""Labels that end in what something lasts: ``Inventory days``."""

TIME_STARTS = (
    rf"(?:{_any('span_count')}|\d{{1,2}}) (?:{_any('span_unit')})\b|(?:fiscal |calendar )?(?:{_any('span_ended')})\b"
    rf"|(?:{_any('span_year')})\b|(?:{_any('as_of')}) (?=[a-z])"
)
SPAN_ENDS = "|".join(map(regex.escape, _listed("span_end")))
"""How a heading ends that names a stretch and not yet its last day: "year ended"."""
OPEN_ENDS = "|".join(map(regex.escape, _listed("open_end")))
"""Words that no heading ends in."""
LEFT_OUT = regex.compile(_within("left_out"))
"""Words behind which a label names what is left out of it: "income before taxes"."""
COLUMNS = rf"(?:{_any('columns')})\s?[:：]|(?:{_any('columns_are')})"
"""What leads to the headings of a table in words: "columns:"."""
ROW_KEYS = _any("row_key")
"""What leads to the key of a row: "Row 3: Ivo plant"."""
AGAINST = frozenset(chain.from_iterable(keys["base"] for keys in lexicons.table("period_words").values()))
"""What stands before what others are compared with: "change against 2019"."""
_SINCE = [
    name
    for keys in lexicons.table("period_words").values()
    for key in ("over", "since")
    for name in keys[key]
]
MOVED_SINCE = rf"(?<![a-zא-ת])(?:{_joined({*AGAINST, *_SINCE})})\s+(?:the\s+)?$"
"""What stands before what something moved from: "change on 2019"."""
COLUMNS_AND = _any("columns_and")
"""What stands between the last two of such headings."""
PART_NAMES = "|".join(map(regex.escape, sorted(_listed("part_name"), key=len, reverse=True)))
"""How a title says which part of a document a chunk is: "Rent roll – rows"."""
MONTH_NAMES = _MONTH_NAMES
MONTHS = "|".join(sorted(filter(str.isascii, _MONTH_NAMES), key=len, reverse=True))
MONTHS_HEBREW = tuple(name for name in _MONTH_NAMES if not name.isascii())

PAGED = rf"(?:{_any('page')}) ?\d{{1,4}}(?: ?(?:{_any('page_of')}|/) ?\d{{1,4}})? ?(?:{_any('page_sign')})?"
"""The number of a page with its word."""
FURNITURE = (
    rf"(?:(?:{_any('page')}) ?|- ?)?\d{{1,4}}(?: ?(?:{_any('page_of')}|/) ?\d{{1,4}}| ?-| ?(?:{_any('page_sign')}))?|[fsg]-\d{{1,3}}"
    rf"|\(?(?:{_any('furniture')})\.?\)?|(?:{_any('notes')}).{{0,80}}"
)
"""Lines that pages carry and tables do not."""
