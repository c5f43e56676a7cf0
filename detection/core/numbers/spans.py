"""Where numbers and dates begin and end, and what only looks like one (NUM-01…NUM-04).

One scan finds each place where something may begin. The shapes that most numbers and dates have are read by
the scan itself; anything else is matched at its place with the full pattern of its script, which would read a
usual shape to the same end.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import regex

from detection.core.numbers import dates
from detection.core.numbers import spelled as spelled
from detection.core.numbers import words as words
from detection.core.numbers.counted import HEBREW_DUALS
from detection.core.numbers.nouns import HAN_COUNTED
from detection.core.patterns import late


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _by_first_letter(names: Iterable[str]) -> str:
    """An alternation that looks at one letter before it tries the names that begin with it."""
    heads: dict[str, set[str]] = {}
    for name in names:
        heads.setdefault(name[0], set()).add(name[1:])
    return "|".join(f"{head}(?:{_any(tails)})" for head, tails in sorted(heads.items()))


_ENGLISH = (*words.ENGLISH_NUMBERS, *words.ENGLISH_SCALES)
_HEBREW = _any((*words.HEBREW_NUMBERS, *words.HEBREW_SCALES, *HEBREW_DUALS))
_ENGLISH_MONTHS = [month for month in words.MONTHS if month.isascii()]
_OTHER_MONTHS = _any(month for month in words.MONTHS if not month.isascii())
_ORDINALS = {"final", "last", *(name.split()[0] for name in words.SPELLED_DAYS)}
_CHINESE = "".join((*words.CHINESE_DIGITS, *words.CHINESE_UNITS, *words.CHINESE_MYRIADS))
_CODES = [code.lower() for code in words.CURRENCY_CODES]

# --- usual shapes: what follows them rules out that a date, a time or a phone number begins there ---
_MONTH = _by_first_letter(_ENGLISH_MONTHS)
_USUAL_DIGITS = rf"""(?:
      (?:[0-9]{{1,3}}(?:,[0-9]{{3}})++(?:\.[0-9]++)?+|[0-9]{{1,9}}\.[0-9]++)(?![0-9e]|[.,'\u00a0:/-]\s?[0-9])
    | [1-9][0-9]{{0,3}}(?=[%xk]|[,;.]?\s?\Z|[,;.]\s|[ \n][0-9](?![0-9]?/|[0-9]{{2}}(?![0-9]))|\s(?!(?:of\s)?(?:{_MONTH})|q[1-4]|h[12]|[ap]\.?m\b)[a-z]))"""
_YEAR = r"(?:19|20|21)[0-9]{2}"
_LAST_YEAR = rf"{_YEAR}(?![0-9%]|[.,][0-9]|[/–-][0-9][0-9])"
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_USUAL_WORDS_OF_DATE = rf"""(?:q[1-4]\s|fy\s?){_LAST_YEAR}
    | (?:{_MONTH})\s(?:{_DAY},\s)?{_LAST_YEAR}"""
_USUAL_DIGITS_OF_DATE = rf"""{_YEAR}-(?:0[1-9]|1[0-2])-{_DAY}(?![0-9])
    | [0-9]{{1,2}}/[0-9]{{1,2}}/{_YEAR}(?![0-9%]|[./-][0-9])"""

# --- the scan -------------------------------------------------------------------------------------------
_PERIOD = r"(?:\s?[-/]?\s?(?:of|in|for|the|[fc'’]|[0-9])|\s?[-–—]\s?q[1-4])"
_SCALES = "|".join(words.ENGLISH_SCALES)
_KEYWORD = _by_first_letter(
    (
        *(rf"{word}(?![a-z])" for word in (*_ENGLISH, *_ENGLISH_MONTHS)),
        *(rf"{word}(?=s?\s(?:period|end))" for word in ("year", "quarter", "month")),
        *(rf"{word}(?=[\s-])" for word in _ORDINALS),
        rf"half(?=\s(?:an?|of|{_SCALES})\s|[\s-]years?\send)", rf"quarter(?=\s(?:of\sa|{_SCALES})\s)",
        *(rf"{word}(?=\syear)" for word in ("financial", "calendar")),
        rf"q[1-4](?={_PERIOD})", rf"h[12](?={_PERIOD})", "f[12y]", "fisc", "cy", "https?:", r"www\.",
        *(rf"{code}(?=[0-9])" for code in _CODES),
    )
)  # fmt: skip
_AFTER_BREAK = rf"""(?:
    (?<=\[)(?P<skip>[\w\s,;\#:.^&-]{{1,60}}+(?=\]))
  | (?=[0-9])(?:(?<=[\s(])(?P<date>{_USUAL_DIGITS_OF_DATE}) | (?<=[\s$€£₪(])(?P<digits>{_USUAL_DIGITS}))?
  | (?=(?:{_KEYWORD}))(?P<period>{_USUAL_WORDS_OF_DATE})?)"""
_AT_START = re.compile(_AFTER_BREAK, re.VERBOSE)
_ASCII = re.compile(rf"[^a-z0-9_]{_AFTER_BREAK}", re.VERBOSE)
_WIDE = re.compile(
    rf"""[^a-z0-9_]{_AFTER_BREAK}
  | (?P<here>(?<![א-ת])(?=[בלמהוכש]{{0,2}}-?(?:רבעון|מחצית|שנה\sש|חצי\s|רבע\s|{_HEBREW}|{_OTHER_MONTHS}))
    | (?=财年) | (?<![{_CHINESE}])(?=[{_CHINESE}]|半[百千]?[万萬亿億]))""",
    re.VERBOSE,
)

# --- the full patterns, each matched at a place that the scan found -------------------------------------
_MAY_BE_DATE = (  # what follows the first digits of every form of dates.FROM_DIGIT
    r"(?=\d{1,4}+(?:[-–/rt]|\.\d{1,2}[-/.]|\s{0,2}[adfhjmnoqsא-ת年财財]|\s[-/]))"
)
_NO_NAME = (
    r"(?:(?<![a-z]-)|(?=\d{4}-\d\d-\d\d(?![\d-]))|(?<=(?<![a-z])(?:mid|pre|post|late|early|sub|circa)-))"
)
_IDENTIFIER = r"(?<=[a-z]-)\d++(?:-\d++)+|\d++(?:-\d++){2,}|\d{4,}+-0\d++|\d{1,4}-\d{7,}+"
_FRACTION = (
    r"(?:\d{1,3}[\x20-])?[1-9]\d?/(?:2|3|4|5|8|16|32|64)(?=\s?(?:%|percent|per\scent|pct|million|billion))"
)
_FROM_DIGIT = late(
    rf"""(?:
   (?P<skip>(?=[\d+(])(?<![a-z0-9_א-ת.])(?:
     (?:\+\d{{1,3}}[\s.-]?)?+(?:\(\d{{2,4}}\)[\s.-]?\d{{3,4}}[\s.-]\d{{3,4}}|(?:\d{{2,4}}[.-])\d{{3,4}}[.-]\d{{3,4}}|0\d{{1,2}}-?\d{{7,8}}|\d{{3}}-\d{{4}})(?![\w.,-]\d|[a-z0-9_])
   | 1-\d{{3}}-\d{{3}}-\d{{4}}(?![\d-])
   | \+\d{{1,3}}[\s.-]\d{{1,4}}[\s.-]\d{{3,4}}[\s.-]?\d{{3,4}}))
 | (?P<skip>(?<![a-z0-9_.,:$])\d{{1,2}}(?::\d\d(?::\d\d)?+(?:\.\d++)?(?:\s?[ap]\.?m\b\.?)?(?![\d:.]\d)|\s?[ap]\.?m\b\.?))
 | (?P<date>{_MAY_BE_DATE}{_NO_NAME}(?<![a-z0-9_$€£¥₪₹]|\d[./-])(?:{dates.FROM_DIGIT}))
 | (?P<skip>(?<![a-z0-9_$€£¥₪₹]|\d[.,/-])(?:{dates.YEARLESS_FROM_DIGIT}|{_IDENTIFIER}))
 | (?P<mixed>(?<![a-z0-9_.,]){spelled.MIXED_HAN})
 | (?P<digits>(?<![a-z0-9_.,])\d{{1,3}}(?:\x20\d{{3}}(?!\d))++(?:,\d++)?(?=\s?(?:[$€£¥₪]|mio|mrd|(?:{_any(_CODES)})\b)))
 | (?P<digits>(?<![a-z0-9_%=&@/.,]|\d[-\x20]){_FRACTION})
 | (?P<digits>{_NO_NAME}(?<![a-z0-9_%=&@]|\d[./])(?:\d++(?:[.,'\u00a0](?=\d)\d++)*+(?:e[-+]?\d{{1,3}}(?!\w)|\x20?[¼½¾⅓⅔⅛⅜⅝⅞])?+|(?<!\w)\.\d++(?![\d.])))
)""",
    regex.X,
)
_FROM_LETTER = late(
    rf"""(?:(?P<skip>(?:https?://|www\.)\S++)|(?P<date>{dates.FROM_LETTER})
 |(?P<skip>{dates.YEARLESS_FROM_LETTER})
 | (?:{_any(_CODES)})(?P<digits>\d++(?:[.,'\u00a0](?=\d)\d++)*+)
 |(?P<words>(?<!-){spelled.ENGLISH}))""",
    regex.X,
)
_FROM_HEBREW = late(
    rf"(?:(?P<date>{dates.FROM_HEBREW})|[בלמהוכש]{{0,2}}-?(?P<words>{spelled.HEBREW}))",
    regex.X,
)
_HAN_CURRENCIES = _any(regex.escape(name) for name in words.CURRENCY_WORDS if ord(name[0]) > 0x2E80)
_HAN_UNIT = rf"{_HAN_CURRENCIES}|个百分点|倍|%"
_TENTHS = r"[一二两兩三四五六七八九]成(?:[一二三四五六七八九半](?![年个個家名项項天月])|(?![本功立交长長分果员員熟就绩績品型份套语語了不新]))"
_FROM_HAN = late(
    rf"""(?:(?P<date>{dates.FROM_HAN})
 |(?<![几幾数數多])(?P<words>{_TENTHS}|半[百千]?[{"".join(words.CHINESE_MYRIADS)}](?=\s?(?:{_HAN_CURRENCIES})))
 |(?:(?<=百分之)|(?!百分之))(?P<words>[{_CHINESE}]{{1,16}}+(?:点[{_CHINESE}]{{1,8}}+)?(?:(?<=百分之.{{1,26}})|(?=\s?(?:{_HAN_UNIT}|{HAN_COUNTED}))|(?<=[十百千{"".join(words.CHINESE_DIGITS)}][{"".join(words.CHINESE_MYRIADS)}])(?![一分里里]))))""",
    regex.X,
)


def marks(folded: str) -> Iterator[tuple[str, int, int]]:
    """Each number, date or thing that only looks like one, in order and not overlapping: its sort (``digits``,
    ``mixed``, ``words``, ``date`` or ``skip``), where it starts and where it ends."""
    search = (_ASCII if folded.isascii() else _WIDE).search
    begin = _AT_START.match(folded) or search(folded)
    place = 0
    while begin is not None:
        sort = begin.lastgroup
        go_on = begin.end()
        if sort == "digits" or sort == "date" or sort == "period":
            start, place = begin.span(sort)
            yield ("digits" if sort == "digits" else "date"), start, place
        elif sort == "skip":
            place = go_on + 1
            yield sort, begin.start(), place
        elif (match := _matched(folded, begin, place)) is not None:
            sort = match.lastgroup
            start, place = match.span(sort)
            go_on = place - 1  # the last character may be the break before the next mark
            yield sort, start, place
        elif sort == "here":
            go_on += 1
        begin = search(folded, go_on)


def parts(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    """The numbers of a run of digits and commas that is no number itself: ``7125,6980``."""
    if not _LIST.fullmatch(folded, start, end) or _AMOUNT.fullmatch(folded, start, end):
        return []
    return [part.span() for part in _PART.finditer(folded, start, end)]


_LIST = re.compile(r"[0-9]++(?:\.[0-9]++)?+(?:,[0-9]++(?:\.[0-9]++)?+)++")
_AMOUNT = re.compile(
    r"[0-9]{1,3}+(?:,[0-9]{3}(?![0-9]))++(?:\.[0-9]++)?+|[0-9]{1,2}(?:,[0-9]{2}(?![0-9]))+,[0-9]{3}(?:\.[0-9]++)?+|[0-9]{1,3}(?:\.[0-9]{3})++,[0-9]++|[0-9]++,[0-9]{1,2}"
)
_PART = re.compile(r"[0-9.]++")


def _matched(folded: str, begin: Any, place: int) -> Any:
    """The match of the full pattern where the scan says that something may begin; None when nothing does."""
    first, start = begin.span()
    if begin.lastgroup == "here":
        return _full(folded[first]).match(folded, first) if first >= place else None
    if folded[first] in "(+." and first >= place and folded[start].isdigit():
        match = _FROM_DIGIT.match(folded, first)
        if match is not None:
            return match
    return _full(folded[start]).match(folded, start)


def _full(sign: str) -> Any:
    """The pattern of everything that begins with ``sign``."""
    if "a" <= sign <= "z":
        return _FROM_LETTER
    if "א" <= sign <= "ת":
        return _FROM_HEBREW
    return _FROM_HAN if sign > "\u2e80" else _FROM_DIGIT


@lru_cache(maxsize=4096)
def date_of(run: str, day_first: bool) -> dates.Stated | None:
    """What a mark of sort ``date`` says; None when its digits cannot be a date (``13/13/2024``)."""
    match = _full(run[0]).fullmatch(run)
    return dates.read(match, day_first) if match else None
