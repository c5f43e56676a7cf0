"""What the forms that name dates, parts of years and years say: from the values of their tokens to a span."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from detection.core.periods.calendars import Calendar
from detection.core.periods.grammar import ENDED
from detection.core.periods.mentions import Away, Naming, Part, ToDate
from detection.core.periods.ordinals import stands_for
from detection.core.periods.spans import Span, ago, ended, month_end, stretch
from detection.core.periods.tokens import Tokens, day_of

_YEAR, _NINE = 12, 9  # "Sep-24" is a month, "Sep-5" a day
_SIX = 6
_COUNTED = frozenset(("两", "兩"))  # "two quarters", never the second one
_WITHIN = frozenset(("in", "on", "during", "for", "over"))  # a fifth in June is no day
_UNTIL = frozenset(("until", "till"))
_MONTHS = frozenset("MmK")
_AHEAD = 24  # tokens in which what is shared stands: "the first, second and third quarters"
_FISCAL = frozenset("FQWж")
_LISTED = re.compile("[Uu](?:[Ow],?){1,2}z?$|[Uu]D$")  # the unit before the ordinals that share it
_TO_DATE: Mapping[int, ToDate] = {12: "year", 3: "quarter", 1: "month"}


@dataclass(slots=True)
class Draft:
    """A mention while it is read: the tokens ``first`` up to ``last`` and what they say."""

    first: int
    last: int
    span: Span | None = None
    away: Away | None = None
    part: Part | None = None
    trailing: int = 0
    to_date: ToDate = ""
    point: bool = False
    fuzzy: bool = False
    is_base: bool = False
    each: int = 0
    several: int = 0
    naming: Naming = ""
    third: int = -1
    between: bool = False
    ends: int = 0
    form: str = ""
    year: int = 0  # the one that its words name
    points: tuple[str, int] | None = None  # at which of those named before, and of how many months it is


class Forms:
    """Reads the forms of one text that name dates, months, parts of years and years."""

    def __init__(self, tokens: Tokens, calendar: Calendar, *, day_first: bool) -> None:
        self.tokens, self.calendar, self.day_first = tokens, calendar, day_first

    def read(self, form: str, first: int, last: int) -> Draft | None:
        """The draft of a form that stands at the tokens; None where they turn out to say nothing."""
        raise NotImplementedError

    def one(self, draft: Draft, signs: str) -> Any:
        """The first value of such a sign, None without one."""
        return next(iter(self.tokens.values(draft.first, draft.last, signs)), None)

    def all(self, draft: Draft, signs: str) -> list[Any]:
        """All values of such signs, in order."""
        return self.tokens.values(draft.first, draft.last, signs)

    def day(self, draft: Draft, signs: str) -> bool:
        """ "30 June 2024": fills in one day; False where there is no such day."""
        if not _WITHIN.isdisjoint(self.tokens.words[draft.first + 1 : draft.last]):
            return False
        value = self.one(draft, "T")
        if value is not None:
            draft.span = day_of(value, day_first=self.day_first)
        else:
            draft.span = self._day(draft, signs, self._year(draft, signs))
        draft.point = draft.span is not None
        return draft.span is not None

    def days(self, draft: Draft, signs: str) -> bool:
        """ "11 to 20 September 2024": fills in the days from one to another."""
        first, last = (int(value) for value in self.all(draft, "DO")[-2:])
        month = self.one(draft, "Mm") or self.all(draft, "D")[0]
        year = self._year(draft, signs)
        if year is None or not 1 <= month <= _YEAR or not 1 <= first < last <= month_end(year, month).day:
            return False
        end = month_end(year, month)
        draft.span = end.replace(day=first), end.replace(day=last)
        return True

    def _day(self, draft: Draft, signs: str, year: int | None) -> Span | None:
        numbers = [int(value) for value in self.all(draft, "DO")]
        if signs.startswith("D-") and len(numbers) > 1:
            year = 2000 + numbers[1]
        if "K" in signs:
            month, day = (numbers[-2], numbers[-1]) if signs.count("D") > 1 else (numbers[-1], 0)
        else:
            month, day = self.one(draft, "Mm"), numbers[0] if numbers else 0
        if year is None or not month or not 1 <= month <= _YEAR:
            return None
        end = month_end(year, month)
        if not day:
            return stretch(year, month, 1)
        return (end.replace(day=day),) * 2 if 1 <= day <= end.day else None

    def _year(self, draft: Draft, signs: str) -> int | None:
        year = self.one(draft, "YW")
        if year is None and ("F" in signs or "ж" in signs) and "D" in signs and "Y" not in signs:
            short = self.all(draft, "D")[-1]
            return 2000 + int(short)
        return cast("int | None", year)

    def yearless_day(self, draft: Draft, signs: str) -> bool:
        """ "June 30": fills in a day of a year that others tell."""
        if not _WITHIN.isdisjoint(self.tokens.words[draft.first + 1 : draft.last]):
            return False
        month, day = self._month_day(draft, signs)
        if not (1 <= month <= _YEAR and 1 <= day <= month_end(2024, month).day):
            return False
        draft.part, draft.point = Part(1, month, day=day), True
        return True

    def _month_day(self, draft: Draft, signs: str) -> tuple[int, int]:
        numbers = [int(value) for value in self.all(draft, "DO")]
        if "K" in signs:
            return numbers[0], numbers[1]
        return int(self.one(draft, "Mm")), numbers[0]

    def ended(self, draft: Draft, signs: str) -> bool:
        """ "The nine months ended 30 September 2024": fills in the span, or its part of a year that others tell."""
        cut = draft.first + min(place for place in (signs.find("E"), signs.find("z")) if place >= 0) + 1
        head = Draft(draft.first, cut)
        if self.tokens.words[cut - 1] in _UNTIL:
            return False
        if "7" in signs[: cut - draft.first]:
            return self._weeks(draft, cut, int(self.one(head, "DN") or 1))
        unit = self.one(head, "Uu")
        count = self.one(head, "NDw") or 1
        months = int(unit) * int(count)
        if not months:
            return False
        if "l" in signs:
            draft.trailing = months
        return self._ending(draft, cut, draft.last, months)

    def ended_too(self, draft: Draft, signs: str) -> bool:
        """The first of "the three and nine months ended September 30, 2024"."""
        match = ENDED.search(self.tokens.signs, draft.last)
        other = self.read("ended", *match.span()) if match else None
        near = self.tokens.values(draft.last, draft.last + _AHEAD, "Uu")
        unit = near[0] if near else None
        if other is None or unit is None:
            return False
        months = int(str(unit)) * int(self.one(draft, "ND"))
        if other.span is not None:
            draft.span = ended(other.span[1], months)
        draft.part = other.part._replace(months=months) if other.part else None
        draft.form = "ended"
        return True

    def _weeks(self, draft: Draft, cut: int, weeks: int) -> bool:
        """``52 weeks ended January 28, 2024``."""
        if not self._ending(draft, cut, draft.last, 1) or draft.span is None:
            return False
        draft.span = ago(draft.span[1], weeks * 7 - 1), draft.span[1]
        return True

    def _ending(self, draft: Draft, first: int, last: int, months: int) -> bool:
        """The ``months`` that end with the date at the tokens ``first`` up to ``last``."""
        while first < last and self.tokens.signs[first] in "o@pa-t,zEe":
            first += 1
        tail = Draft(first, last)
        signs = self.tokens.signs[first:last]
        if (
            "Y" in signs
            or "T" in signs
            or "I" in signs
            or (signs[1:] == "-D" and self.one(tail, "D") > _NINE)
        ):
            end = self._end(tail, signs)
            if end is None:
                return False
            draft.span = ended(end[1], months)
            return True
        if "W" in signs:
            return False
        numbers = [int(value) for value in self.all(tail, "DO")]
        month = self.one(tail, "Mm") or (numbers[0] if numbers else 0)
        day = numbers[-1] if numbers and ("K" not in signs or len(numbers) > 1) else 0
        if not 1 <= month <= _YEAR or day > month_end(2024, month).day:
            return False
        last_day = day in (0, month_end(2023, month).day, month_end(2024, month).day)
        draft.part = Part(months, last=month, day=0 if last_day else day)
        return True

    def _end(self, tail: Draft, signs: str) -> Span | None:
        if "I" in signs:
            return cast(Span, self.one(tail, "I"))
        if signs[1:] == "-D":
            return stretch(2000 + int(self.one(tail, "D")), self.one(tail, "Mm"), 1)
        if not _MONTHS.intersection(signs) and "T" not in signs:
            year = self._year(tail, signs)
            return self.calendar.fiscal_year(year) if year is not None else None
        if "T" in signs:
            return day_of(self.one(tail, "T"), day_first=self.day_first)
        return self._day(tail, signs, self._year(tail, signs))

    def ended_han(self, draft: Draft, signs: str) -> bool:
        """截至2024年6月30日止六个月."""
        cut = draft.first + max(signs.find("J"), signs.find("T"), signs.find("K", 0, signs.find("E")), 0) + 1
        tail = Draft(cut, draft.last)
        months = int(self.one(tail, "UκKAж")) * int(self.one(tail, "D") or 1)
        return months > 0 and self._ending(draft, draft.first, cut, months)

    def part(self, draft: Draft, signs: str) -> bool:
        """ "Q3 2024", "the first half": fills in a part of a year, and its span where the year is named."""
        named = self._numbered(draft, signs)
        if named is None:
            return False
        months, number = named
        year = self._year(draft, signs)
        if year is not None:
            draft.span, draft.year = self.part_of(year, months, number, draft.naming), year
            return True
        draft.part = Part(months, number, years=self._years_away(draft, signs))
        return True

    def quick(self, draft: Draft, signs: str) -> bool:
        """``3Q24``: all in one word."""
        months, number, year, fiscal = self.one(draft, "×")
        draft.naming = "fiscal" if fiscal else ""
        draft.span = self.part_of(year, months, number, draft.naming)
        return True

    def ordinal(self, draft: Draft, signs: str) -> bool:
        """The first of "the first and second quarters", the second of "הרבעון השני והשלישי"."""
        everything = self.tokens.signs
        listed = _LISTED.search(everything, 0, draft.first)
        if listed is not None:
            unit = self.tokens.lexemes[listed.start()][1]
        else:
            unit = self.tokens.values(draft.last, draft.last + _AHEAD, "UκK")[0]
        number = self.one(draft, "Ow") or self.all(draft, "D")[-1]
        months, year = int(str(unit)), self._year(draft, signs)
        if months > 6 or not 1 <= int(number) <= _YEAR // months:
            return False
        if year is not None:
            draft.span, draft.year = self.part_of(year, months, int(number), draft.naming), year
        else:
            draft.part = Part(months, int(number), years=self._years_away(draft, signs))
        draft.form = "part"
        return True

    def bare_ordinal(self, draft: Draft, signs: str) -> bool:
        """The third of "79 % in the first quarter to 82 % in the third": as long as the part spoken of before it."""
        months, number = stands_for(self.tokens, draft.first, draft.last), int(self.one(draft, "OwD"))
        if not months or not -1 <= number <= _YEAR // months or number == 0:
            return False
        number, year = number if number > 0 else _YEAR // months, self._year(draft, signs)
        if year is not None:
            draft.span, draft.year = self.part_of(year, months, number, draft.naming), year
        else:
            draft.part = Part(months, number)
        draft.form = "part"
        return True

    def _years_away(self, draft: Draft, signs: str) -> int:
        """How many years from the one spoken of: "of last year"."""
        word = self.one(draft, "rZΩ")
        if word is not None:
            return int(word[1]) if word[0] == _YEAR else 0
        return int(self.one(draft, "RLXV") or 0) if any(sign in signs for sign in "RLX") else 0

    def _numbered(self, draft: Draft, signs: str) -> tuple[int, int] | None:
        """The months and the number of a part; None where there is no such part of a year."""
        named = self.one(draft, "qQç")
        if named is not None:
            return cast("tuple[int, int]", named)
        unit = int(self.one(draft, "UuκK"))
        ordinal = self.one(draft, "O")
        counts = self.all(draft, "NDw")
        if signs.startswith(("LU", "tLU")):  # "the last quarter of 2024"
            return unit, -1
        if "前" in signs or (counts and ("O" in signs or "L" in signs or "l" in signs)):
            months = unit * int(counts[0])
            if not 0 < months < _YEAR or (months < _SIX and unit == 1 and "Y" not in signs):
                return None
            last = "L" in signs or "l" in signs or ordinal == -1
            draft.ends = unit if months > unit else 0
            return months, (-1 if last else 1)
        if unit == 1 or (counts and self.tokens.words[draft.last - 2] in _COUNTED):
            return None
        number = int(ordinal if ordinal is not None else counts[0])
        most = _YEAR // unit if unit <= _YEAR else 0
        if number == -1:
            number = most
        return (unit, number) if 1 <= number <= most and unit < _YEAR else None

    def part_of(self, year: int, months: int, number: int, naming: Naming) -> Span:
        """A part of a year by the calendar: of the fiscal year where the words or the calendar say so."""
        calendar = self.calendar
        stored = calendar.labels.get(f"q{number} {year}") if months == 3 and naming == "" else None
        if stored is not None:
            return stored
        fiscal = naming == "fiscal" or (naming == "" and calendar.fiscal)
        if number == -1:
            end = calendar.fiscal_year(year)[1] if fiscal else month_end(year, _YEAR)
            return ended(end, months)
        if fiscal and months == 3:
            return calendar.fiscal_quarter(year, number)
        if fiscal and months > 1:
            return calendar.fiscal_part(year, months, number)
        return stretch(year, (number - 1) * months + 1, months)

    def months_han(self, draft: Draft, signs: str) -> bool:
        """ "2024年1-6月": fills in the months from one to another."""
        first, last = (int(value) for value in self.all(draft, "D"))
        if not 1 <= first < last <= _YEAR:
            return False
        draft.ends, year = 1, self._year(draft, signs)
        if year is not None:
            draft.span = stretch(year, first, last - first + 1)
        else:
            draft.part = Part(last - first + 1, last=last, years=self._years_away(draft, signs))
        return True

    def month(self, draft: Draft, signs: str) -> bool:
        """ "September 2024": fills in a month, of a year that others tell where none is named."""
        if "I" in signs:
            draft.span = cast(Span, self.one(draft, "I"))
            return True
        number = self.one(draft, "Mm") or self.one(draft, "D")
        if signs[1:] == "-D":
            return self._short_year(draft, number, int(self.one(draft, "D")))
        if not 1 <= number <= _YEAR:
            return False
        year = self._year(draft, signs)
        if year is not None:
            draft.span, draft.year = stretch(year, int(number), 1), year
        else:
            draft.part = Part(1, int(number), years=self._years_away(draft, signs))
        return True

    def quarter_of(self, draft: Draft, signs: str) -> bool:
        """``The March 2024 quarter``, ``the January–March quarter``: the one that ends with the month."""
        first, *rest = (int(value) for value in self.all(draft, "Mm"))
        unit, month, year = self.one(draft, "U"), [first, *rest][-1], self._year(draft, signs)
        if rest and (month - first) % _YEAR + 1 != unit:
            return False
        if unit not in (3, 6):
            draft.last -= 1
            return self.month(draft, signs[:-1]) if year is not None else self.month_bare(draft, signs)
        if year is not None:
            draft.span = ended(month_end(year, month), int(unit))
        else:
            draft.part = Part(int(unit), last=month)
        return True

    def numbers(self, draft: Draft, signs: str) -> bool:
        """``Quarters 1–3 of 2024``, 1-3季度."""
        first, last = (int(value) for value in self.all(draft, "D")[-2:])
        months, year = int(self.one(draft, "Uuκ")), self._year(draft, signs)
        if months not in (3, 6) or not 1 <= first < last <= _YEAR // months:
            return False
        draft.ends = months
        if year is not None:
            draft.span = (
                self.part_of(year, months, first, draft.naming)[0],
                self.part_of(year, months, last, draft.naming)[1],
            )
            return True
        count, away = (last - first + 1) * months, self._years_away(draft, signs)
        draft.part = (
            Part(count, number=1, years=away) if first == 1 else Part(count, last=last * months, years=away)
        )
        return True

    def numbered(self, draft: Draft, signs: str) -> bool:
        """``רבעון 2/2024``: the number before the stroke is the quarter's."""
        months, (start, _) = int(self.one(draft, "Uu")), self.one(draft, "I")
        if months not in (3, 6) or start.month > _YEAR // months:
            return False
        draft.form, draft.year = "part", start.year
        draft.span = self.part_of(start.year, months, start.month, draft.naming)
        return True

    def _short_year(self, draft: Draft, month: int, short: int) -> bool:
        """``Sep-24`` is a month; ``Sep-5`` a day."""
        if short > _NINE:
            draft.span = stretch(2000 + short, month, 1)
        else:
            draft.part, draft.point = Part(1, month, day=short), True
        return short > 0

    def month_bare(self, draft: Draft, signs: str) -> bool:
        """ "September" alone: fills in a month of a year that others tell."""
        draft.part = Part(1, int(self.one(draft, "MmD")))
        return 1 <= draft.part.number <= _YEAR

    def year(self, draft: Draft, signs: str) -> bool:
        """ "2024", "FY24", "2023/24": fills in a year by the calendar; False where none can be read."""
        unit = re.search("[Uu]", signs)
        if unit and self.one(draft, "Uu") != _YEAR:
            draft.first += unit.end()
        year = self._year(draft, signs)
        if year is None:
            return False
        draft.year = year
        if draft.naming == "fiscal":
            draft.span = self.calendar.fiscal_year(year)
        else:
            draft.span = self.calendar.labels.get(f"{year}", stretch(year, 1, _YEAR))
        return True

    def years(self, draft: Draft, signs: str) -> bool:
        """ "2022–2024": fills in the years from one to another; False beyond sixty."""
        first, last = self.one(draft, "↔")
        if last <= first or last - first > 60:
            return False
        draft.span, draft.ends = stretch(first, 1, _YEAR * (last - first + 1)), _YEAR
        return True
