"""Periods named by their distance from another ("the prior quarter", "去年同期") or without their year ("Q2").

``PHRASES`` maps each phrase to what it says: how many spans of which length it lies away, or which quarter, half
or month it is.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from detection.core.numbers import MONTHS


class Away(NamedTuple):
    """A period so many ``months`` away from the one spoken of; 0 with ``whole`` is one period of the same length."""

    months: int = 0
    whole: int = 0


class Part(NamedTuple):
    """The ``number``-th span of ``months`` of a year that is not named."""

    months: int
    number: int


Phrase = Away | Part
SAME = Part(0, 0)  # "the same quarter of", beside a year

_PRIOR = ("prior", "previous", "preceding", "last")
_UNITS = {"quarter": 3, "month": 1, "year": 12, "fiscal year": 12, "half": 6}
_SAME = ("quarter", "period", "month", "time", "half")
_LAST_YEAR = (
    "last year", "of last year", "the prior year", "of the prior year", "in the prior year", "the previous year", "of the previous year", "in the previous year",
    "a year ago", "a year earlier", "one year earlier", "the year before", "the preceding year", "of the preceding year",
)  # fmt: skip


def _english() -> Iterable[tuple[str, Phrase]]:
    for prior in _PRIOR:
        yield from ((f"{prior} {unit}", Away(-months)) for unit, months in _UNITS.items())
        yield f"{prior} period", Away(whole=-1)
    for unit, months in _UNITS.items():
        yield from ((f"{unit} {when}", Away(-months)) for when in ("earlier", "ago", "before"))
        yield from ((f"{current} {unit}", Away()) for current in ("this", "current"))
        yield from (
            (f"{following} {unit}", Away(months)) for following in ("next", "following", "subsequent")
        )
    for count in ("twelve", "12"):
        yield from ((f"{count} months {when}", Away(-12)) for when in ("earlier", "ago", "before"))
    for span in _SAME:
        yield from ((f"same {span} {year}", Away(-12)) for year in _LAST_YEAR)
        yield from ((f"{ago} {span}", Away(-12)) for ago in ("year ago", "year earlier", "prior year", "prior year s", "last year s"))  # fmt: skip
        yield f"corresponding {span} of the prior year", Away(-12)
        yield from ((f"{same} {span}", SAME) for same in ("same", "corresponding", "comparable"))
    for number, ordinal in enumerate(("first", "second", "third", "fourth"), 1):
        yield f"{ordinal} quarter", Part(3, number)
        yield f"q{number}", Part(3, number)
    for number, ordinal in enumerate(("first", "second"), 1):
        yield f"{ordinal} half", Part(6, number)
        yield f"h{number}", Part(6, number)


_OTHERS: Mapping[Phrase, tuple[str, ...]] = {
    Away(-3): (
        "רבעון קודם", "הרבעון הקודם", "ברבעון הקודם", "לרבעון הקודם", "הרבעון שקדם לו", "רבעון קודם לכן", "上季度", "上一季度", "上一季", "上个季度", "前一季度", "上季",
    ),
    Away(-12): (
        "שנה קודמת", "השנה הקודמת", "שנה שעברה", "אשתקד", "רבעון המקביל אשתקד", "רבעון המקביל", "הרבעון המקביל אשתקד", "הרבעון המקביל בשנה שעברה", "רבעון המקביל בשנה שעברה", "רבעון המקביל בשנה הקודמת",
        "תקופה המקבילה אשתקד", "תקופה המקבילה", "תקופה מקבילה אשתקד", "רבעון מקביל אשתקד", "שנה קודם לכן", "שנה לפני כן", "תקופה המקבילה בשנה הקודמת",
        "去年同期", "上年同期", "去年", "上年", "上一年", "上一年度", "前一年", "上年度", "一年前", "去年同季", "上年同季",
    ),
    SAME: ("同期", "同季"),
    Away(-1): ("חודש קודם", "החודש הקודם", "חודש שעבר", "上月", "上个月", "上一个月", "前一个月"),
    Away(whole=-1): ("תקופה קודמת", "התקופה הקודמת", "上期", "上一期", "前期", "上一期间"),
    Away(): ("רבעון הנוכחי", "שנה הנוכחית", "רבעון זה", "本季度", "本季", "本期", "本年", "今年", "本月", "当季", "当期"),
    Part(3, 1): ("רבעון ראשון", "רבעון 1", "第一季度", "一季度", "首季"),
    Part(3, 2): ("רבעון שני", "רבעון 2", "第二季度", "二季度"),
    Part(3, 3): ("רבעון שלישי", "רבעון 3", "第三季度", "三季度"),
    Part(3, 4): ("רבעון רביעי", "רבעון 4", "第四季度", "四季度"),
    Part(6, 1): ("מחצית ראשונה", "上半年"),
    Part(6, 2): ("מחצית שנייה", "מחצית שניה", "下半年"),
}  # fmt: skip


def _months() -> Iterable[tuple[str, Phrase]]:
    """Months by name, but for those that are words of their own."""
    return ((name, Part(1, month)) for name, month in MONTHS.items() if len(name) > 3 and name != "march")


PHRASES: dict[str, Phrase] = {
    **dict(_months()),
    **dict(_english()),
    **{phrase: meaning for meaning, phrases in _OTHERS.items() for phrase in phrases},
}
