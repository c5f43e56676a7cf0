"""What a heading, a label or a caption of a table declares: words, scale, currency, unit (NUM-06).

A heading may say ``in thousands``, ``$m``, ``באלפי ש"ח`` or ``百万元``, a label ``per share`` or ``(%)``.
Everything here reads folded text.
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

import regex

from detection.core.chunks.places import Words, words, years
from detection.core.numbers import words as number_words

LONGEST = 300  # characters of a label or heading that are read
_FOOTNOTE = regex.compile(
    r"(?:\s?\((?:\d{1,2}|[a-z])(?:,\s?(?:\d{1,2}|[a-z]))*\)|[*†‡§¹²³⁰⁴-⁹])+$|(?<=[a-z]{3})\d(?=$|\s\()"
)
_SIGNS = r"(?:us\s?\$|[$€£¥₪₹]|usd|eur|gbp|rmb|cny|nis|ils|inr|chf|jpy)"
_SCALE = regex.compile(
    rf"""(?:\bin\b|\bof\b|\(|{_SIGNS}|\bdollars|\bamounts?|\bexpressed|\bstated|\beuros?)\s?'?(?:us\s)?(?:{_SIGNS}\s?)?
      (?:(?P<k>thousands?|(?<!\d\()k\b|000\b|'000s?|000'?s)|(?P<m>millions?|mn?\b|mm\b|mio\b)|(?P<b>billions?|bn\b)|(?P<t>trillions?|tn\b)|(?P<l>lakhs?)|(?P<c>crores?))
    | (?P<k>\bthousands\b|'000\b|\b000s\b|\bteur\b|\bt€)|(?P<m>\bmillions\b|\b(?:m|mn|mio\.?)\s?{_SIGNS}(?!\w))|(?P<b>\bbillions\b|\bbn\s?{_SIGNS}(?!\w))
    | (?P<k>באלפי|(?<!\d\s)אלפי\s(?:ש|דולר|שקל|יורו)|אלש"ח)|(?P<m>במיליוני|(?<!\d\s)(?:מיליוני|מיליון)\s(?:ש|דולר|שקל|יורו)|מלש"ח|(?<![א-ת"])מש"ח)|(?P<b>במיליארדי|(?<!\d\s)מיליארדי\s(?:ש|דולר|שקל))
    | (?<![\d.,十百千万萬亿億]\s?)(?:(?P<m>百万|百萬)|(?P<b>十亿|十億)|(?P<k>千)|(?P<w>万|萬)|(?P<y>亿|億))
      (?=人民币|人民幣|[美港日欧歐]?[元圆圓]|新?谢克尔|平方|[)\]:;,。]|\s*$)
    """,
    regex.X,
)
_POWERS = {"k": 3, "m": 6, "b": 9, "t": 12, "l": 5, "c": 7, "w": 4, "y": 8}


_MAY_SCALE = re.compile(
    r"thous|illi|lakh|crore|000|\b(?:k|mn?|mm|mio|bn?|tn|teur)\b|t€|אלפ|מיל|מליונ|אלש|מלש|מש\"|[千万萬百亿億十]"
)


def declared_scales(text: str) -> list[Decimal]:
    """Every scale that ``text`` declares, in order: ``in thousands``, ``£m``, ``(000s)``, ``万元``."""
    if _MAY_SCALE.search(text) is None:
        return []
    return [Decimal(10) ** _POWERS[found.lastgroup] for found in _SCALE.finditer(text) if found.lastgroup]


def _any(names: list[str]) -> str:
    return "|".join(regex.escape(name) for name in sorted(names, key=len, reverse=True))


_CODES = {code.lower(): number_words.CODE_MEANS.get(code, code) for code in number_words.CURRENCY_CODES}
_LETTERED = {name: code for name, code in number_words.CURRENCY_WORDS.items() if ord(name[0]) < 0x2E80}
_HAN = {
    name: code
    for name, code in number_words.CURRENCY_WORDS.items()
    if ord(name[0]) >= 0x2E80 and name != "元"
}
_NAMES = {**number_words.CURRENCY_SIGNS, **_CODES, **_LETTERED, **_HAN, "元": "CNY"}
_CURRENCY = regex.compile(
    rf"(?<![a-z])(?:{_any(list(number_words.CURRENCY_SIGNS))})|[$€£₪¥₹]|(?<![a-z])(?:{_any(list(_CODES))})(?![a-z])"
    rf"|(?<![a-zא-ת])ה?\K(?:{_any(list(_LETTERED))})(?![a-zא-ת])|{_any(list(_HAN))}|(?<=[千万萬亿億:(百])元"
)


_MAY_CURRENCY = frozenset((*_CODES, *(word for name in _NAMES for word in name.split() if word.isascii())))
_LETTERS = re.compile(r"[a-z]+")


def declared_currencies(text: str) -> list[str]:
    """The ISO 4217 codes of the currencies that ``text`` names, in order."""
    if text.isascii() and "$" not in text and _MAY_CURRENCY.isdisjoint(_LETTERS.findall(text)):
        return []
    return [_NAMES[found] for found in _CURRENCY.findall(text)]


_PERCENT = regex.compile(r"%|\bper\s?cent|\bpct\b|percentage|אחוז|百分|占比|同比|环比")
_RATE = regex.compile(
    r"\brates?\b(?!\s(?:swap|lock|cap|contract|hedg|deriv))|\bmargin\b|\byield\b|\bgrowth\b|\boccupancy\b|שיעור|תפוסה|率|比例"
)
_NO_RATE = regex.compile(r"exchange|汇率|比率|覆盖率|市盈率|周转率|备付率|coverage")
_TIMES = regex.compile(
    r"\bdscr\b|\bcoverage\b|\(x\)|\btimes\b|\bmultiple\b|倍|覆盖率|备付率|יחס\s(?:ה)?כיסוי|מכפיל"
)
_EACH = regex.compile(
    r"per\s(?:basic\s|diluted\s|common\s|ordinary\s|weighted\s)?(?:share|unit|square|ads|employee|room|day|bbl|barrel|ton)|\beps\b|\bratio\b|headcount"
    r"|employees|\((?:in\s)?(?:years|days|months)\)|average.{0,40}(?:price|fair value)|למניה|לכל מניה|למ\"ר|每股|每平方"
)
_MARKED = re.compile(r"[\d)*†‡§¹²³⁰⁴-⁹]")
_NONE: Words = frozenset()
_BRACKETED = regex.compile(r"\([^()]{1,120}\)")
_COUNTED = regex.compile(
    r"\bnumber of\b|\bheadcount\b|\bemployees\b|\bshares (?:outstanding|used|issued)\b|\(shares\)|\bsquare\b|\bunits$"
    r"|\((?:in )?(?:years|days|months|units)\)|מספר ה?|מ\"ר|יח\"ד|人数|数量|平方|股数|户数"
)
_EXCEPT = regex.compile(r"(?:except|other than|excluding|unless|除|למעט)[^|()]{0,80}")
_EXCEPTED = regex.compile(r"except\s(?:for\s)?([^|()]{1,80})")
_NO_EXCEPTION = words(
    "data amounts amount otherwise noted indicated where information figures specified stated"
)


_MAY_SAY = frozenset((
    "per", "percent", "percentage", "pct", "rate", "rates", "margin", "yield", "growth", "occupancy",
    "dscr", "coverage", "times", "multiple", "x", "eps", "ratio", "headcount", "employees", "years", "days",
    "months", "average", "except", "number", "shares", "square", "units",
))  # fmt: skip  # one of them stands in every English label that the patterns above know


class Terms(NamedTuple):
    """What one label or heading says. ``percent`` is 2 where it names per cent, 1 for a rate or a margin, which may
    be written otherwise. ``each`` marks what is stated for each share or unit, ``counted`` what has no
    currency, ``spared`` what the words
    except from the scale."""

    words: Words
    years: Words
    scale: Decimal | None
    currency: str
    percent: int
    times: bool
    each: bool
    counted: bool
    spared: tuple[Words, ...]


@lru_cache(maxsize=4096)
def terms(text: str) -> Terms:
    """The terms of a label or heading; ``text`` is folded and at most ``LONGEST`` characters long."""
    marked = _MARKED.search(text) is not None
    plain = _FOOTNOTE.sub("", text) if marked else text
    scales, currencies = declared_scales(text), declared_currencies(text)
    named = words(_undeclared(plain) if scales else plain)
    scale, currency = scales[0] if scales else None, currencies[0] if currencies else ""
    if text.isascii() and "%" not in text and _MAY_SAY.isdisjoint(_LETTERS.findall(text)):
        return Terms(named, years(plain) if marked else _NONE, scale, currency, 0, False, False, False, ())
    scaled = _EXCEPT.sub("", plain)
    rate = _RATE.search(scaled) is not None and _NO_RATE.search(scaled) is None
    return Terms(
        named,
        years(plain) if marked else _NONE,
        scale,
        currency,
        2 if _PERCENT.search(scaled) else int(rate),
        _TIMES.search(scaled) is not None,
        _EACH.search(scaled) is not None,
        _COUNTED.search(scaled) is not None,
        _spared(text) if "except" in text else (),
    )


def _undeclared(text: str) -> str:
    """``text`` without the words that declare its scale."""
    bare = _BRACKETED.sub(lambda group: "" if _SCALE.search(group.group()) else group.group(), text)
    return _SCALE.sub(" ", bare)


def _spared(text: str) -> tuple[Words, ...]:
    found = _EXCEPTED.search(text)
    parts = regex.split(r",|\band\b|&", found[1]) if found else []
    named = [words(part) - _NO_EXCEPTION for part in parts[:8]]
    return tuple(part for part in named if part)
