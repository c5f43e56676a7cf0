"""Which calendar a text says that it follows."""

import re
from itertools import pairwise

from detection.core import lexicons
from detection.core.periods.calendars import Calendar
from detection.core.periods.finding import find
from detection.core.periods.mentions import Mention
from detection.core.periods.spans import ago, days, months_of

_YEAR = 12
_SLACK = 7  # days of the next month in which a year of 52 weeks may still end
_YEAR_DAYS = range(357, 379)
_BESIDE = 28  # characters between the name of a year and its dates
_HAN = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_NUMERALS = {
    name: month for names in (_HAN, [str(n) for n in range(1, 13)]) for month, name in enumerate(names, 1)
}
_NAMED = {
    language: {
        name: int(month) for month, names in lexicons.table("months")[language].items() for name in names
    }
    for language in ("en", "he")
}
_MONTH_OF = _NUMERALS | _NAMED["en"] | _NAMED["he"]
_MONTHS_EN, _MONTHS_HE = (
    "|".join(sorted(map(re.escape, names), key=len, reverse=True)) for names in _NAMED.values()
)
_PLAIN = {ord(wide): plain for wide, plain in zip("０１２３４５６７８９־–", "0123456789--", strict=True)} | {
    10: " ",
    160: " ",
}
_FISCAL = re.compile(r"fiscal|financial|\bfy|财年|財年|财政年|財政年|会计年|會計年|כספים|פיסקלי")
_PARTED = re.compile(r"[.;。；\d]")
_HAN_MONTH = r"(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])"
_ENDS = re.compile(
    rf"""(?:自|从|從)(?:每年)?{_HAN_MONTH}月[^。；]{{0,8}}?(?:至|到)(?:次年|翌年)?(?P<zh0>{_HAN_MONTH})月
    | שנ(?:ת|ות)\sה?כספים[^.;\d]{{0,30}}?מ-?(?:\d\d?\sב)?(?:{_MONTHS_HE})\s(?:ו?עד|ל)[^.;]{{0,6}}?(?P<he0>{_MONTHS_HE})
    | (?:(?:(?:fiscal|financial)\syears?|\bfy)\b[^.;]{{0,70}}?[\s-](?:end(?:s|ed|ing)?|closes|through|to)\b|\bfye\b|\byears?\send(?:ed|ing|s)\b)
      [\s:]{{1,2}}(?:(?:is|was|of|on|in|each|the|at|last|end|\w{{3,6}}day)\s){{0,5}}(?:\d\d?(?:st|nd|rd|th)?\s(?:of\s)?)?(?P<en>{_MONTHS_EN})\b
    | (?P<before>{_MONTHS_EN})\s\d\d?\s(?:fiscal|financial)\syear[\s-]?end
    | (?:[财財][务務政]?年度?|会计年度|會計年度|止年度|年结日|年結日)(?![自从從由])[^。，；\d]{{0,8}}?(?:\d{{4}}年|[〇零一二三四五六七八九]{{4}}年)?(?P<zh>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月
    | (?:[〇零一二三四五六七八九\d]{{4}}年|每年)?(?P<zh2>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:[\d一二三十]{{1,3}}日|底|末)(?:止|结束|結束)的?(?:[财財][务務政]?年|会计年|會計年|年度)
    | שנ(?:ת|ות)\sה?(?:כספים|דיווח)[^.,;\d]{{0,24}}?(?:\d\d?\sב?)?(?P<he>{_MONTHS_HE})""",
    re.VERBOSE,
)


_WEEKS = re.compile(
    rf"\b(?:5[23]|fifty[ -](?:two|three))[ -]weeks?\s(?:period\s)?(?:ended|ending|to)\s(?:\d\d?(?:st|nd|rd|th)?\s(?:of\s)?)?(?P<en>{_MONTHS_EN})\b"
)
_YEAR_TO = re.compile(
    rf"\b(?:year|twelve\smonths|12\smonths)\s(?:ended|to)\s(?:\d\d?(?:st|nd|rd|th)?\s(?:of\s)?(?P<en>{_MONTHS_EN})|(?P<us>{_MONTHS_EN})\s\d\d?)\b"
)
_STARTS = re.compile(
    rf"(?:fiscal|financial)\syear[^.;\d]{{0,30}}?\s(?:starts?|started|begins?|began|starting|beginning)\s(?:on\s|in\s)?"
    rf"(?:the\s)?(?:(?:\d\d?(?:st|nd|rd|th)?|first)\s(?:of\s)?)?(?P<en>{_MONTHS_EN})\b"
)

_DAY_BEHIND = re.compile(r"(?:\s|月)(\d\d?)(?!\d)")
_DAY_BEFORE = re.compile(r"(?<!\d)(\d\d?)(?:st|nd|rd|th)?\s(?:of\s|ב-?)?$")


def stated_in(text: str) -> Calendar | None:
    """The calendar that a text says it follows: "fiscal years ended September 30", "FYE June", "財年截至三月三十一日",
    "שנת הכספים מסתיימת ב-30 ביוני", "fiscal 2024, from 1 October 2023 to 30 September 2024"."""
    dated = dated_in(text)
    if dated is not None:
        return dated
    plain = text.casefold().translate(_PLAIN)
    match = _ENDS.search(plain) or _WEEKS.search(plain) or _YEAR_TO.search(plain)
    if match is not None:
        group = next(key for key, found in match.groupdict().items() if found)
        day = _DAY_BEHIND.match(plain, match.end(group)) or _DAY_BEFORE.search(plain, 0, match.start(group))
        early = day is not None and int(day[1]) <= _SLACK  # a year of 52 weeks
        return Calendar((_month(match[group]) - 1 - early) % _YEAR + 1)
    match = _STARTS.search(plain)
    return Calendar((_month(match["en"]) - 2) % _YEAR + 1) if match else None


def _month(name: str) -> int:
    return _MONTH_OF[name if name in _MONTH_OF else name.removeprefix("ב")]


def dated_in(text: str) -> Calendar | None:
    """The calendar by which a text names a fiscal year and gives its dates beside the name."""
    if not _FISCAL.search(text.casefold()):
        return None
    for first, second in pairwise(find(text, "en", Calendar())):
        if _PARTED.search(text, first.end, second.start) or second.start - first.end > _BESIDE:
            continue
        for name, dates in ((first, second), (second, first)):
            found = _by(name, dates)
            if found is not None:
                return found
    return None


def _by(name: Mention, dates: Mention) -> Calendar | None:
    """The calendar in which the year of that name has these dates."""
    if name.naming != "fiscal" or name.span is None or months_of(name.span) != _YEAR:
        return None
    if dates.span is None or dates.naming == "fiscal" or days(dates.span) not in _YEAR_DAYS:
        return None
    end = ago(dates.span[1], _SLACK) if dates.span[1].day <= _SLACK else dates.span[1]
    after = end.year - name.span[1].year
    return Calendar(end.month, ends_after=after) if after in (0, 1) else None
