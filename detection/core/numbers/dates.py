"""Dates and periods as texts state them, in three languages (NUM-04).

A date's ISO form is ``2024-12-01``, ``2024-12``, ``2024-Q3``, ``2024-H1`` or ``2024``; a period that has
no such name is ``first/last`` with two days.
"""

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from detection.core.numbers.words import (
    CHINESE_DIGITS,
    ENGLISH_NUMBERS,
    HEBREW_NUMBERS,
    MONTHS,
    ORDINALS,
    SPELLED_DAYS,
)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_STEM = r"(?P<y>(?:19|20|21)\d\d)"
_YEAR = rf"{_STEM}(?!\d|[.,]\d|%)"
_SHORT = rf"(?:{_STEM}|['’]?(?P<yy>\d\d))(?!\d|[.,]\d|%)"
_NAMES = _any(MONTHS)
_MONTH = rf"(?P<month>{_NAMES})(?![a-zא-ת])\.?"
_ENGLISH_NAMES = _any(name for name in MONTHS if name.isascii())
_ENGLISH_MONTH = rf"(?P<month>{_ENGLISH_NAMES})(?![a-zא-ת])\.?"
_HEBREW_NAMES = _any(name for name in MONTHS if not name.isascii())
_HEBREW_MONTH = rf"(?P<month>{_HEBREW_NAMES})(?![a-zא-ת])\.?"
_DAY = r"(?P<d>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_DAY_WORDS = "(?P<day>" + _any(SPELLED_DAYS).replace(" ", r"[\s-]") + ")"
_BEFORE_YEAR = r"(?:\s?,\s?|\sof\s|\s|-|/)?"
_FISCAL = (
    r"(?:(?:of|in|for)\s)?(?:the\s)?(?:fiscal(?:\syear)?\s|fy\s?|financial\syear\s|calendar\s(?:year\s)?)?"
)
_HE_OF = r"\s(?:של\s|ל|ב-?)?(?:שנת\s)?"
_HE_GLUED = r"[בלמהוכש]{0,2}-?"
_NEXT = r"\s?(?:[-–/]\s?|/\s?(?P=century))"
_ONES = "|".join(rf"{one}{_NEXT}(?P=tens){one + 1}" for one in range(9))
_TENS = "|".join(rf"{ten}9{_NEXT}{ten + 1}0" for ten in range(9))
_TWO_YEARS = (  # a year and the next, 1980 to 2070
    rf"(?P<pair>(?P<century>19(?=[89])|20(?=[0-6]))(?:(?P<tens>\d)(?:{_ONES})|{_TENS})|1999\s?(?:[-–/]\s?00|/\s?2000))"
)
_OF_TWO_YEARS = rf"{_TWO_YEARS}(?![\d%]|[/.,-]\d)"
_CLEARLY_TWO = rf"(?=\d{{4}}\s?[-–/]\s?(?:19|20)?(?:1[3-9]|[2-9]\d)(?!\d)){_OF_TWO_YEARS}"
_TO = r"(?:\s?[-–—]\s?|\s(?:through|thru)\s)"
_ENDED = (
    r"(?:(?P<span>half[\s-]years?|(?:fiscal\s|calendar\s|financial\s)?years?|twelve[\s-]months?|12[\s-]months?|quarters?|three[\s-]months?|3[\s-]months?"
    r"|six[\s-]months?|6[\s-]months?|nine[\s-]months?|9[\s-]months?|months?)(?:\speriods?)?\s(?:ended|ending)\s(?:on\s)?)?"
)
_NUMERIC = rf"(?P<a>\d\d?)(?P<sep>[/.-])(?P<b>\d\d?)(?P=sep)(?:{_STEM}|(?P<yy>\d\d))(?![\d%]|[./-]\d)"
_HE_DAY = rf"{_DAY}\s(?:ב|ל)(?P<month>{_HEBREW_NAMES}),?\s{_YEAR}"

YEAR_APART = r"(?:1\d|2\d|3[0-5])"
"""A year of two digits that stands apart behind its quarter or half: "Q4 24"."""

FROM_DIGIT = rf"""
  (?=\d{{4}}\s?[-–/]\s?\d\d){_CLEARLY_TWO} |
  (?P<nth>1st|2nd|3rd|4th)[\s-](?:fiscal\s)?(?:(?P<quarter>quarter)|(?P<half>half)),?\s{_FISCAL}{_YEAR}
| {_STEM}(?P<sep>[-/.])(?P<m>0?[1-9]|1[0-2])(?P=sep)(?P<d>0?[1-9]|[12]\d|3[01])(?!\d)
| {_STEM}[-/](?P<month>{_NAMES})[-/](?P<d>0?[1-9]|[12]\d|3[01])(?!\d)
| {_YEAR}\s?[-]?\s?q(?P<q>[1-4])(?![a-z0-9_])
| {_YEAR}\s?[-]?\s?h(?P<h>[12])(?![a-z0-9_])
| (?P<q>[1-4])q\s?{_SHORT}
| (?P<h>[12])h\s?{_SHORT}
| (?P<count>6|9|12)m\s?{_SHORT}
| {_NUMERIC}
| (?P<m>0?[1-9]|1[0-2])\s?[/-]\s?{_YEAR}
| {_YEAR}-(?P<m>0[1-9]|1[0-2])(?![\d%]|-\d|[.]\d)
| {_STEM}\s?(?P<slash>/)\s?(?P<m>1[0-2]|0?[1-9])(?![\d%]|[/.,-]\d)
| {_YEAR}\s?年\s?(?P<since>1[0-2]|0?[1-9])\s?月?\s?[-–~至到]\s?(?P<m>1[0-2]|0?[1-9])\s?月(?!\s?\d)
| {_YEAR}\s?年\s?(?P<m>1[0-2]|0?[1-9])\s?月(?:\s?(?P<d>3[01]|[12]\d|0?[1-9])\s?[日号號](?:止(?P<span>年度|[三六九]个月|[三六九]個月))?)?
| {_YEAR}\s?年\s?前(?P<count>[一二两兩三四五六七八九十2-9])(?:(?P<quarter>个?季度?)|[个個]月)
| {_YEAR}\s?年\s?(?:第?\s?(?P<nth>[一二三四1-4])\s?(?P<quarter>季)[度]?|q(?P<q>[1-4])|(?P<nth>[上下])(?P<half>半年))
| {_YEAR}\s?(?:财年|財年|年度|年)
| {_HE_DAY}
| {_DAY}(?:\s|-|/)?(?:of\s)?{_MONTH}{_BEFORE_YEAR}{_YEAR}
| {_DAY}[-/]{_MONTH}(?:[-/]|\s?['’])(?P<yy>\d\d)(?![\d%]|[.,:]\d)
"""
FROM_LETTER = rf"""
  {_ENDED}{_ENGLISH_MONTH}[\s\-/]?\s?{_DAY}(?:\s?,\s?|\sof\s|\s|-|/){_YEAR}
| {_ENDED}{_DAY}(?:\s|-|/)?(?:of\s)?{_ENGLISH_MONTH}(?:\s?,\s?|\sof\s|\s|-|/)?{_YEAR}
| {_ENGLISH_MONTH}\s{_DAY_WORDS}(?:\s?,\s?|\s){_YEAR}
| {_DAY_WORDS}\s(?:day\s)?(?:of\s)?{_ENGLISH_MONTH}(?:\s?,\s?|\s){_YEAR}
| q(?P<since>[1-4])\s?[-–—]\s?q(?P<q>[1-4])\s?[-/]?\s?{_FISCAL}{_YEAR}
| q(?P<q>[1-4])(?:\s?[-/]?\s?{_FISCAL}{_STEM}|\s?(?:['’]|[-/]|fy)(?P<yy>\d\d)|\s(?P<yy>{YEAR_APART}))(?![\d%]|[.,]\d|\s?%)
| h(?P<h>[12])(?:\s?[-/]?\s?{_FISCAL}{_STEM}|\s?(?:['’]|[-/]|fy)(?P<yy>\d\d)|\s(?P<yy>{YEAR_APART}))(?![\d%]|[.,]\d|\s?%)
| (?P<lead>first|last|final)\s(?P<count>two|three|four|five|six|seven|eight|nine|ten|eleven|\d\d?)\s(?:(?P<quarter>quarters)|months),?\s{_FISCAL}{_YEAR}
| (?P<nth>first|second|third|fourth|final|last)[\s-](?:fiscal\s)?(?:(?P<quarter>quarter)|(?P<half>half)),?\s{_FISCAL}{_YEAR}
| (?:fy|fiscal\syears?|fiscal|financial\syear)[\s-]?(?=\d{{4}}\s?[-–/]\s?\d\d){_OF_TWO_YEARS}
| (?:fy|fiscal\syears?|fiscal|financial\syear|calendar\syear|cy|f)[\s-]?{_SHORT}
| (?P<since>{_ENGLISH_NAMES})(?![a-zא-ת])\.?{_TO}{_ENGLISH_MONTH}{_BEFORE_YEAR}{_YEAR}
| {_ENGLISH_MONTH}{_BEFORE_YEAR}{_YEAR}
| {_ENGLISH_MONTH}(?:\s?['’]|-)(?P<yy>\d\d)(?!\d|[.,]\d|%)
"""
FROM_HEBREW = rf"""
  {_HE_GLUED}(?P<span>שנה|רבעון|(?:{_any(HEBREW_NUMBERS)})\sה?חודשים)\sשהסתיימ?[הו]?ם?\s(?:ביום\s|ב-?)(?:{_HE_DAY}|{_NUMERIC})
| {_HE_GLUED}(?P<quarter>רבעון)\s(?:ה-?)?(?P<nth>ראשון|שני|שלישי|רביעי|[1-4]|[אבגד]')(?:{_HE_OF}|\s?/\s?){_YEAR}
| {_HE_GLUED}(?P<half>מחצית)\s(?:ה-?)?(?P<nth>ראשונה|שנייה|שניה|[12])(?:{_HE_OF}|\s?/\s?){_YEAR}
| {_HE_GLUED}(?P<count>{_any(HEBREW_NUMBERS)})\sה?חודשים\s(?:ה?ראשונים|(?P<lead>ה?אחרונים)){_HE_OF}{_YEAR}
| {_HE_GLUED}(?P<since>{_HEBREW_NAMES})\s?[-–]\s?{_HEBREW_MONTH},?{_HE_OF}{_YEAR}
| {_HE_GLUED}{_HEBREW_MONTH},?{_HE_OF}{_YEAR}
"""
_HAN_DIGIT = f"[{''.join(CHINESE_DIGITS)}]"
FROM_HAN = rf"""
  财年\s?{_YEAR}
| (?P<hy>{_HAN_DIGIT}{{4}})年(?:(?P<hm>十[一二]?|[一二三四五六七八九])月(?:(?P<hd>[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号號])?)?
"""

_NO_COUNT = r"(?!\s(?!(?:was|is|as|this|has|its|his|us)\b)[a-z]+s\b)"
_NAME = re.compile(r"\(\?P<\w+>")
YEARLESS_FROM_DIGIT = _NAME.sub(
    "(?:",
    rf"{_DAY}\x20?(?:of\s)?(?:(?!may){_MONTH}|may(?![a-z]|\s[a-z]))|{_DAY}\x20[בל]{_MONTH}"
    r"|\d\d?\s?月(?:\s?\d\d?\s?[日号號])?",
)
YEARLESS_FROM_LETTER = _NAME.sub("(?:", rf"{_ENGLISH_MONTH}\x20{_DAY}(?![\d%]|[.,:/]\d){_NO_COUNT}")
"""A day or a month of no named year: its digits claim nothing, and no period can be told from it."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A date read: its ISO form and both ends; the ends are None for a day that does not exist."""

    iso: str
    start: date | None
    end: date | None


_PARTS = dict.fromkeys(
    ("y", "yy", "q", "h", "nth", "quarter", "half", "a", "b", "sep", "month", "m", "d", "day", "span", "since", "count",
     "lead", "slash", "pair", "hy", "hm", "hd")
)  # fmt: skip


def read(match: Any, day_first: bool) -> Stated | None:
    """The date of a match of one of the patterns above; None when the digits cannot be a date (``13/13/2024``)."""
    part = {**_PARTS, **match.groupdict()}
    if part["hy"]:
        return _in_han(part)
    if part["pair"]:
        return of_iso(f"{int(part['pair'][:4]) + 1}")  # a fiscal year is named by the year it ends in
    year = _year(part)
    if part["count"] or part["since"]:
        return _stretch(year, part)
    if part["q"] or part["h"] or part["quarter"] or part["half"]:
        number = int(part["q"] or part["h"] or ORDINALS[part["nth"]])
        quarter = bool(part["q"] or part["quarter"])
        if not quarter and number > 2:
            return of_iso(f"{year}-H2") if part["nth"] in ("final", "last") else None
        return of_iso(f"{year}-{'Q' if quarter else 'H'}{number}")
    if part["a"]:
        day = _numeric(year, int(part["a"]), int(part["b"]), day_first or part["sep"] == ".")
        return _ended(day, part["span"]) if day else None
    month = MONTHS[part["month"]] if part["month"] else int(part["m"] or 0)
    if not month:
        return of_iso(f"{year}")
    if part["slash"] and month == year % 100 + 1:
        return None  # 2010/11 is as often two years as a month
    if not part["d"] and not part["day"]:
        return of_iso(f"{year}-{month:02}")
    number = int(part["d"]) if part["d"] else SPELLED_DAYS[part["day"].replace("-", " ")]
    return _ended(_day(year, month, number), part["span"])


def _in_han(part: dict[str, str]) -> Stated:
    """A date in Chinese numerals: ``二〇二四年十二月三十一日``."""
    year = int("".join(str(CHINESE_DIGITS[sign]) for sign in part["hy"]))
    if not part["hm"]:
        return of_iso(f"{year}")
    month = _han(part["hm"])
    return _day(year, month, _han(part["hd"])) if part["hd"] else of_iso(f"{year}-{month:02}")


def _han(numeral: str) -> int:
    tens, ten, ones = numeral.rpartition("十")
    return (CHINESE_DIGITS.get(tens, 1) * 10 if ten else 0) + CHINESE_DIGITS.get(ones, 0)


def _stretch(year: int, part: dict[str, str | None]) -> Stated | None:
    """Months of a year that are named by their count or by both ends: ``first nine months of``, ``January to March``."""
    if part["count"]:
        length = _count(part["count"]) * (3 if part["quarter"] else 1)
        from_start = part["lead"] in (None, "first")
        first, last = (1, length) if from_start else (13 - length, 12)
    elif part["q"]:
        first, last = int(part["since"] or 0) * 3 - 2, int(part["q"]) * 3
    else:
        since, until = part["since"] or "", part["month"]
        first = MONTHS[since] if since in MONTHS else int(since)
        last = MONTHS[until] if until else int(part["m"] or 0)
    if not 1 <= first <= last <= 12:
        return None
    start, end = date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1])
    return Stated(iso_of(start, end), start, end)


def _count(word: str) -> int:
    for table in (ENGLISH_NUMBERS, HEBREW_NUMBERS, CHINESE_DIGITS, {"十": 10}):
        if word in table:
            return table[word]
    return int(word)


def _year(part: dict[str, str | None]) -> int:
    if part["y"]:
        return int(part["y"])
    short = int(part["yy"] or 0)
    return 2000 + short if short < 70 else 1900 + short


def _numeric(year: int, first: int, second: int, day_first: bool) -> Stated | None:
    day, month = (first, second) if (day_first and second <= 12) or first > 12 else (second, first)
    return _day(year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _day(year: int, month: int, day: int) -> Stated:
    iso = f"{year}-{month:02}-{day:02}"
    real = day <= calendar.monthrange(year, month)[1]
    return Stated(iso, date(year, month, day), date(year, month, day)) if real else Stated(iso, None, None)


_SPANS = {
    "half": 6, "year": 12, "twelve": 12, "12": 12, "nine": 9, "9": 9, "six": 6, "6": 6, "three": 3, "3": 3, "quarter": 3,
    "שנה": 12, "תשע": 9, "שיש": 6, "שש": 6, "שלוש": 3, "רבעון": 3, "年度": 12, "九": 9, "六": 6, "三": 3,
}  # fmt: skip


def _ended(day: Stated, span: str | None) -> Stated:
    if not span or day.end is None:
        return day
    months = next((n for word, n in _SPANS.items() if word in span), 1)
    after = day.end + timedelta(days=1)
    count = after.year * 12 + after.month - 1 - months
    last = calendar.monthrange(count // 12, count % 12 + 1)[1]
    return Stated(day.iso, date(count // 12, count % 12 + 1, min(after.day, last)), day.end)


@lru_cache(maxsize=4096)
def of_iso(iso: str) -> Stated:
    """Both ends of an ISO form, open for a day that its month does not have. Raises ValueError when it is none."""
    if "/" in iso:
        first, last = iso.split("/")
        return Stated(iso, date.fromisoformat(first), date.fromisoformat(last))
    if len(iso) == len("2024-12-31"):
        return _day(int(iso[:4]), int(iso[5:7]), int(iso[8:]))
    year, first_month, months = int(iso[:4]), 1, 12
    if iso[5:6] in ("Q", "H"):
        months = 3 if iso[5] == "Q" else 6
        first_month = (int(iso[6:]) - 1) * months + 1
    elif len(iso) > 4:
        first_month, months = int(iso[5:]), 1
    last_month = first_month + months - 1
    return Stated(
        iso, date(year, first_month, 1), date(year, last_month, calendar.monthrange(year, last_month)[1])
    )


@lru_cache(maxsize=4096)
def iso_of(start: date, end: date) -> str:
    """The shortest ISO form of a period: ``2024-Q3`` for July to September 2024."""
    if start == end:
        return start.isoformat()
    months = (end.year - start.year) * 12 + end.month - start.month + 1
    year = f"{start.year:04}"
    names = {1: f"{year}-{start.month:02}", 3: f"{year}-Q{(start.month + 2) // 3}", 6: f"{year}-H{1 + start.month // 7}", 12: year}  # fmt: skip
    name = names.get(months)
    if name and (of_iso(name).start, of_iso(name).end) == (start, end):
        return name
    return f"{start.isoformat()}/{end.isoformat()}"


def of_another_year(day: Stated, year: int) -> Stated | None:
    """The same day, month, quarter or span of another ``year``: "June 30, 2024 and 2023" are two days. None for a whole
    year, and where the other year has no such day."""
    if day.start is None or day.end is None or len(day.iso) == 4 or "/" in day.iso:
        return None
    iso = f"{year}{day.iso[4:]}"
    if len(iso) < len("2024-12-31"):
        return of_iso(iso)
    moved = year - day.end.year
    try:
        return Stated(iso, *(one.replace(year=one.year + moved) for one in (day.start, day.end)))
    except ValueError:
        return None  # the 29th of February
