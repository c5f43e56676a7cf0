"""What each list of words of periods means to the grammar; the words are data (``lexicons``: ``months``, ``period_words``).

A word stands there once, without what is glued to it: Hebrew prefixes and the English ``'s`` are taken off before it is
looked up. Of phrases that begin alike the longest counts.
"""

from collections.abc import Mapping
from typing import NamedTuple

from detection.core import lexicons


class Meaning(NamedTuple):
    """What a list of words means: a sign of the grammar and a value."""

    sign: str
    value: object = None


_ORDINALS = {name: n for n, name in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"), 1)}  # fmt: skip

MEANINGS: Mapping[str, Meaning] = {
    **{name: Meaning("O", number) for name, number in _ORDINALS.items()},
    "fifteenth": Meaning("O", 15), "twentieth": Meaning("O", 20), "thirtieth": Meaning("O", 30), "final": Meaning("O", -1),
    **{f"count_{n}": Meaning("N", n) for n in (*range(1, 17), 18, 20, 24, 26, 39, 52, 53)}, "two_or_second": Meaning("w", 2),
    "month": Meaning("U", 1), "quarter": Meaning("U", 3), "half": Meaning("U", 6), "year": Meaning("U", 12), "two_years": Meaning("U", 24),
    "the_year": Meaning("u", 12), "the_month": Meaning("u", 1), "the_quarter": Meaning("u", 3), "period": Meaning("P"), "time": Meaning("†"), "week": Meaning("7"), "article": Meaning("ā"),
    "han_month": Meaning("K", 1), "han_quarter": Meaning("κ", 3), "han_half": Meaning("κ", 6), "han_day": Meaning("J"), "han_year": Meaning("A", 12), "han_fiscal_year": Meaning("ж", 12), "han_nth": Meaning("g"), "han_count": Meaning("个"), "han_first": Meaning("前"),
    "fiscal": Meaning("F"), "calendar": Meaning("C"), "ended": Meaning("E"), "prior": Meaning("R", -1), "last": Meaning("L", -1), "trailing": Meaning("l", 0),
    "next": Meaning("X", 1), "this": Meaning("V", 0), "ago": Meaning("G"), "before": Meaning("Γ"), "later": Meaning("»"), "onwards": Meaning("←"), "same": Meaning("S", "that"), "parallel": Meaning("S"), "that": Meaning("ð", "that"), "former": Meaning("ð", "earlier"), "latter": Meaning("ð", "later"),
    "last_year": Meaning("Z", (12, -1)), "last_year_zh": Meaning("r", (12, -1)), "before_last_year": Meaning("r", (12, -2)), "this_year": Meaning("r", (12, 0)), "next_year": Meaning("r", (12, 1)), "next_month": Meaning("r", (1, 1)),
    "last_half": Meaning("r", (6, -1)), "last_quarter": Meaning("r", (3, -1)), "this_quarter": Meaning("r", (3, 0)), "next_quarter": Meaning("r", (3, 1)),
    "last_month": Meaning("r", (1, -1)), "this_month": Meaning("r", (1, 0)), "last_period": Meaning("r", (0, -1)), "this_period": Meaning("r", (0, 0)), "whole_year": Meaning("Ω", (12, 0)),
    "half_1": Meaning("q", (6, 1)), "interim": Meaning("ç", (6, 1)), "half_2": Meaning("q", (6, 2)), "quarter_1": Meaning("q", (3, 1)), "quarter_4": Meaning("q", (3, 4)), "same_then": Meaning("s"),
    "yoy": Meaning("%", 12), "yoy_quarter": Meaning("%", 3), "yoy_month": Meaning("%", 1), "sequential": Meaning("%", 0),
    "ttm": Meaning("τ", 12), "ytd": Meaning("y", 12), "qtd": Meaning("y", 3), "mtd": Meaning("y", 1), "date": Meaning("d"),
    "the": Meaning("t"), "of": Meaning("o"), "over": Meaning("o", "over"), "between": Meaning("↕"), "from": Meaning("φ"), "since": Meaning("φ", "since"), "and": Meaning("&"), "to": Meaning("z"), "as": Meaning("a"), "at": Meaning("@"), "as_of": Meaning("p"),
    "base": Meaning("B"), "than": Meaning("θ"), "base_after": Meaning("β"), "end": Meaning("e"), "begin": Meaning("b", 0), "early": Meaning("f", 0), "middle": Meaning("f", 1), "late": Meaning("f", 2),
    "first_ten": Meaning("f", 0), "middle_ten": Meaning("f", 1), "last_ten": Meaning("f", 2), "each": Meaning("i"), "per": Meaning("i", "per"), "period_end": Meaning("ε", 3), "period_start": Meaning("ε", 4),
    "both": Meaning("j", 2), "all": Meaning("j"), "consecutive": Meaning("c"),
    "monthly": Meaning("k", 1), "quarterly": Meaning("k", 3), "yearly": Meaning("k", 12), "average": Meaning("v"), "change": Meaning("h"), "counted": Meaning("#"), "label": Meaning("!"), "plain": Meaning("x"),
}  # fmt: skip


_ALONE = {"ב": Meaning("o"), "ל": Meaning("o"), "מ": Meaning("φ"), "ו": Meaning("&")}
"""Hebrew prefixes that a dash parts from their number: ב-2024."""


def phrases() -> dict[str, Meaning]:
    """Every word and phrase of the three languages with its meaning."""
    words, months = lexicons.table("period_words"), lexicons.table("months")
    found = dict(_ALONE)
    for language in lexicons.LANGUAGES:
        verbs = words[language]["month_or_verb"]
        for number, names in (
            months[language].items() if language != "zh" else ()
        ):  # 三月 is a numeral and a unit
            for name in names:
                found.setdefault(name, Meaning("m" if name in verbs else "M", int(number)))
        for key, meaning in MEANINGS.items():
            for phrase in words[language][key]:
                found.setdefault(phrase, meaning)
    return found
