"""The periods that the headings and labels around a cell name, in ISO form (NUM-06).

``2019`` over ``Q3`` is one period, and so are ``Year ended June 30,`` in a corner and ``2019`` in a heading.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import regex

from detection.core import numbers
from detection.core.chunks.places import Words
from detection.core.numbers import MONTHS, dates

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_NTH = "first|second|third|fourth|1st|2nd|3rd|4th"
_PART = regex.compile(
    rf"""\bq[1-4]\b|\b[1-4]q\b|\bh[12]\b|\b[12]h\b|\b(?:{_NTH})\s(?:fiscal\s)?(?:quarter|half)\b
    |(?:(?:fiscal\s)?years?|(?:twelve|nine|six|three|12|9|6|3)\smonths|quarters?)(?:\speriods?)?\s(?:ended|ending)(?:\son)?\s(?:{_MONTH})\b\.?\s\d{{1,2}}(?!\d)
    |(?<![א-ת])(?:רבעון|מחצית)\s(?:ה-?)?(?:ראשונה?|שנייה|שניה|שני|שלישי|רביעי|[1-4]|[אבגד]')
    |第[一二三四1-4]季度?|[上下]半年|(?<!\d)(?:1[0-2]|[1-9])月
    |(?<![a-zא-ת])(?:{_MONTH})\.?\s\d{{1,2}}(?!\d)
    |(?<=^[\W\d]*)(?:{_NTH}|{_MONTH})(?=[\W\d]*$)""",
    regex.X,
)
_MAY_PART = frozenset(
    (*MONTHS, *_NTH.split("|"), "q", "h", "quarter", "half", "ended", "ending", "st", "nd", "rd", "th")
)
_LETTERS = re.compile(r"[a-z]+")
_ORDINAL = frozenset(_NTH.split("|"))
_MAY_YEAR = re.compile(r"(?:19|20|21)\d\d|[a-z'/.-]\d\d(?!\d)|fy\s\d")
_SPACES = regex.compile(r"\s+")


class Named(NamedTuple):
    """What a text names of time: whole periods, and the part of a year that still lacks its year."""

    periods: Words
    years: Words
    part: str


UNNAMED = Named(frozenset(), frozenset(), "")


@lru_cache(maxsize=4096)
def named(text: str) -> Named:
    """The periods that a heading or label (folded, short) names."""
    if not text:
        return UNNAMED
    if len(text) == 4 and text.isascii() and text.isdigit() and text[:2] in ("19", "20"):
        return Named(frozenset((text,)), frozenset((text,)), "")
    found = _periods(text)
    years = frozenset(year_of(period) for period in found)
    dated = all(len(period) == 4 for period in found)
    may = not text.isascii() or not _MAY_PART.isdisjoint(_LETTERS.findall(text))
    part = _PART.search(text) if dated and may else None
    return Named(found, years, part.group() if part else "")


def year_of(period: str) -> str:
    """The year of an ISO period, that of its last day where it crosses one: ``2019`` of ``2018-07-01/2019-06-30``."""
    return period.rpartition("/")[2][:4]


def _periods(text: str) -> Words:
    found = set()
    if _MAY_YEAR.search(text) is None:
        return frozenset()
    for claim in numbers.extract(_SPACES.sub(" ", text)):
        if claim.kind == "date" and claim.start_date and claim.end_date:
            found.add(dates.iso_of(claim.start_date, claim.end_date))
            if (claim.end_date - claim.start_date).days >= 360:
                found.add(f"{claim.end_date.year}")
    return frozenset(found)


@lru_cache(maxsize=2048)
def _joined(part: str, year: str) -> Words:
    """The period of a part of a year in ``year``; nothing when the two make none."""
    if part in _ORDINAL:
        part = f"{part} quarter"
    forms = (
        (f"{year}年{part}",) if "\u4e00" <= part[-1] <= "\u9fff" else (f"{part} {year}", f"{part}, {year}")
    )
    found = (_periods(form) for form in forms)
    return next((periods for periods in found if any(len(period) > 4 for period in periods)), frozenset())


def period_of(near: Named, others: tuple[Named, ...]) -> Words:
    """The periods of a cell: what ``near`` names, else the nearest of ``others``, a year joined with the quarter,
    month or day that stands elsewhere."""
    if near.periods and not near.part and not any(one.part for one in others):
        return near.periods
    naming = [one for one in (near, *others) if one.periods or one.part]
    dated = next((one for one in naming if one.periods), None)
    if dated is None:
        return frozenset()
    part = next((one.part for one in naming if one.part), "")
    if part and len(dated.years) == 1 and all(len(period) == 4 for period in dated.periods):
        return _joined(part, next(iter(dated.years))) or dated.periods
    return dated.periods
