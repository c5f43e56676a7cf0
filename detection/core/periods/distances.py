"""What the forms say that name a period by its distance, its end or its pieces; and which reading belongs to which form."""

import re
from collections.abc import Callable, Mapping

from detection.core.periods.mentions import Away, ToDate
from detection.core.periods.readings import Draft, Forms
from detection.core.periods.spans import stretch
from detection.core.periods.tokens import Tokens

_YEAR = 12
_MOST = 40  # pieces in a row
_PREFIXES = frozenset("בלמכשו")
_OF_YEARS = re.compile("U(?![YW])")  # a unit that is not the one of the year behind it: "the same year"
_PLURALS = frozenset(
    ("years", "months", "quarters", "half", "halves")
)  # "years ago", "a half before" count nothing
_FISCAL = frozenset("FQWж")
_TO_DATE: Mapping[int, ToDate] = {12: "year", 3: "quarter", 1: "month"}


def signs_apart(tokens: Tokens, first: int) -> bool:
    """Whether a number only stands before a Hebrew unit: "22 in the previous year"."""
    if tokens.signs[first : first + 2] not in ("DU", "Du"):
        return False
    return not _PREFIXES.isdisjoint(tokens.lexemes[first + 1][2])


class Reader(Forms):
    """Reads every form of the grammar in one text under one calendar."""

    def read(self, form: str, first: int, last: int) -> Draft | None:
        """The draft of a form that stands at the tokens; None where they turn out to say nothing."""
        draft = Draft(first, last, form=form)
        if signs_apart(self.tokens, first):
            return None
        signs = self.tokens.signs[first:last]
        draft.naming = "fiscal" if _FISCAL.intersection(signs) else "calendar" if "C" in signs else ""
        return draft if _FORMS[form](self, draft, signs) else None

    def pointed(self, draft: Draft, signs: str) -> bool:
        """ "In that quarter", "the later year": fills in at which of those named before it points, and how long that is."""
        which = str(self.one(draft, "ð") or ("earlier" if "G" in signs else "later"))
        draft.points = which, int(self.one(draft, "U") or 0)
        return True

    def trailing_to(self, draft: Draft, signs: str) -> bool:
        """ "Twelve months trailing to June 2024": fills in months and their end; False where no end is told."""
        draft.trailing = int(self.one(draft, "τ"))
        return self._with_end(draft, signs, draft.first + 1)

    def _with_end(self, draft: Draft, signs: str, first: int) -> bool:
        """Put the span of the words behind ``first`` into the draft: a date, a quarter, a year."""
        while self.tokens.signs[first] in "o@pa-t,zEex":
            first += 1
        rest = self.tokens.signs[first : draft.last]
        if any(sign in rest for sign in "qQU"):
            inner = self.read("part", first, draft.last)
        elif any(sign in rest for sign in "MmKTI"):
            inner = Draft(first, draft.last)
            if self._ending(inner, first, draft.last, 1) and inner.span is None and inner.part is not None:
                inner.part = inner.part._replace(number=inner.part.last, last=0)
        else:
            inner = self.read("year", first, draft.last)
        if inner is None:
            return False
        draft.span, draft.part = inner.span, inner.part
        return True

    def trailing(self, draft: Draft, signs: str) -> bool:
        """ "The last two quarters": fills in how many months there are, and how many pieces."""
        if "τ" in signs:
            draft.trailing = int(self.one(draft, "τ"))
            return True
        unit, count = int(self.one(draft, "UuAκ")), int(self.one(draft, "NDw") or 1)
        draft.trailing = unit * count
        if unit == 3 and count > 1:
            draft.each, draft.several = unit, count
        return True

    def span_last(self, draft: Draft, signs: str) -> bool:
        """ "The past six months": the same as the trailing ones."""
        return self.trailing(draft, signs)

    def to_date(self, draft: Draft, signs: str) -> bool:
        """ "Year to date", "the nine months so far": fills in of which unit, and its end where one is named."""
        unit = self.one(draft, "y")
        draft.to_date = _TO_DATE[int(unit if unit is not None else self.one(draft, "U"))]
        mark = signs.find("y") if "y" in signs else signs.find("d")
        if mark + 1 < len(signs):
            return self._with_end(draft, signs, draft.first + mark + 1)
        if mark > 0 and any(sign in signs for sign in "YW"):
            return self.year(draft, signs)
        draft.away = (
            Away(unit=_YEAR) if draft.to_date == "year" else Away(unit=3 if draft.to_date == "quarter" else 1)
        )
        return True

    def year_end(self, draft: Draft, signs: str) -> bool:
        """ "Year end 2024", "early 2024": fills in a point of time, or a rough part of a unit."""
        unit = int(self.one(draft, "UAκK") or 0)
        draft.point = True
        edge = self.one(draft, "ε")
        draft.third = 3 if edge is None else int(edge)
        part = self.one(draft, "f")
        if part is not None:
            begins = part == 0 and "Y" not in signs
            draft.third, draft.fuzzy, draft.point = (4, False, True) if begins else (int(part), True, False)
        if any(sign in signs for sign in "YW") and self.year(draft, signs):
            return True
        draft.away = Away(unit=unit, whole=self._years_away(draft, signs))
        return True

    def same(self, draft: Draft, signs: str) -> bool:
        """ "The same quarter of 2023": fills in how far away it is of those spoken of."""
        year = self._year(draft, signs)
        if year is not None and _OF_YEARS.search(signs) and self.one(draft, "U") == _YEAR:
            return self.year(draft, signs)
        if year is not None:
            draft.away = Away(year=year)
            return True
        word = self.one(draft, "r")
        if word and word[0] == _YEAR:
            draft.away = Away(months=int(word[1]) * _YEAR)
            return True
        that = "s" in signs or "that" in self.all(draft, "S")
        if that and signs[0] in "UuP":
            return False
        named = any(sign in signs for sign in "RLrZGΓV")
        if not named and self.one(draft, "U") == _YEAR:
            draft.away = Away(unit=_YEAR)  # "the same year" is that of what was named before
            return True
        draft.away = Away(months=-_YEAR, either=that and not named)
        return True

    def year_back(self, draft: Draft, signs: str) -> bool:
        """ "The year-ago quarter": fills in a year back; "a quarter earlier" the length of its own unit."""
        units = self.all(draft, "Uu")
        if units and units[0] != _YEAR and "G" in signs:
            draft.away = Away(whole=-1)
        else:
            draft.away = Away(months=-_YEAR)
        return True

    def ago(self, draft: Draft, signs: str) -> bool:
        """ "Two years earlier": fills in so many units back; False beyond fifty years."""
        unit, count = int(self.one(draft, "UuAκ")), int(self.one(draft, "NDw") or 1)
        months = unit * count
        if self._word(draft, signs) in _PLURALS and "N" not in signs and "D" not in signs:
            return False
        draft.away = Away(months=-months)
        return months <= 600

    def later(self, draft: Draft, signs: str) -> bool:
        """ "Two quarters later", "one year on": fills in so many units ahead; False beyond fifty years."""
        if "o" in signs and "over" not in self.all(draft, "o"):
            return False
        months = int(self.one(draft, "UAκ")) * int(self.one(draft, "ND") or 1)
        draft.away = Away(months=months)
        return months <= 600

    def yoy(self, draft: Draft, signs: str) -> bool:
        """ "Year over year": fills in a base so many months back."""
        months = int(self.one(draft, "%"))
        draft.away = Away(whole=-1) if months == 0 else Away(months=-months)
        draft.is_base = True
        return True

    def relative(self, draft: Draft, signs: str) -> bool:
        """ "Last quarter", "the next two years": fills in how far away it is, in its own unit."""
        word = self.one(draft, "rZΩ")
        if signs[0] == "U" and signs[-1] in "RXV" and self.tokens.words[draft.first].isascii():
            return self._year_prior(draft, signs)
        if (
            "l" in signs
            and "N" not in signs
            and "D" not in signs
            and self._word(draft, signs).endswith(("שנים", "חודשים", "רבעונים"))
        ):
            return False  # "in the last years"
        if word is not None:
            unit, step = word
        else:
            unit, step = self.one(draft, "UuκA") or 0, self.one(draft, "RXVLl")
        count = self.one(draft, "NDw")
        if (signs[-1] == "l" and unit >= _YEAR) or (signs[0] == "l" and unit == 6):
            draft.trailing = int(unit)
            return True
        if count and step:
            if unit == 3:
                draft.several, draft.each = int(count), int(unit)
            draft.away = Away(whole=int(step), unit=int(unit) * int(count), adjacent=True)
            return True
        if not unit:
            draft.away = Away(whole=int(step))
        else:
            draft.away = Away(
                whole=int(step), unit=int(unit), either=unit == _YEAR and step == -1 and "F" not in signs
            )
        return True

    def _year_prior(self, draft: Draft, signs: str) -> bool:
        """``The year prior`` is the one before; ``the month following the notice`` no period."""
        article = self.tokens.signs[draft.first - 1 : draft.first] == "t"
        if signs != "UR" or not article or self.tokens.signs.startswith("z", draft.last):
            return False
        draft.first -= 1
        draft.away = Away(months=-int(self.one(draft, "U")))
        return True

    def the_unit(self, draft: Draft, signs: str) -> bool:
        """ "The quarter": fills in the one spoken of; False for several."""
        if self.tokens.words[draft.last - 1].endswith("s"):
            return False
        draft.away = Away(unit=int(self.one(draft, "Uu") or 0))
        return True

    def each(self, draft: Draft, signs: str) -> bool:
        """ "Every quarter", "both years": fills in the months of a piece and how many are meant."""
        unit = (
            self.one(draft, "Uuκk")
            or self.one(draft, "K")
            or self.one(draft, "A")
            or (0 if "P" in signs else None)
        )
        count = self.one(draft, "NDw")
        if signs.startswith("iN") and "o" not in signs and count != 1:
            return False  # "every two years" is how often
        if "U" in signs and (
            self.tokens.signs.startswith("oā", draft.last) or self._word(draft, signs) == "half"
        ):
            return False  # "every quarter of an hour"
        if unit is None or (count and not self._definite(draft, signs, int(unit))):
            return False
        if unit == 1 and count in (3, 6, 9) and signs[1:] == "UY":
            draft.span = self.part_of(int(self.one(draft, "Y")), int(count), 1, draft.naming)
            return True
        draft.each = int(unit)
        draft.several = int(count) if count and count > 1 else self.one(draft, "j") or 0
        year = self._year(draft, signs) if any(sign in signs for sign in "YW") else None
        if year is not None:
            fiscal = draft.naming == "fiscal"
            draft.span = self.calendar.fiscal_year(year) if fiscal else stretch(year, 1, _YEAR)
        elif any(sign in signs for sign in "rZRLXVΩ"):
            draft.away = Away(whole=self._years_away(draft, signs), unit=_YEAR)
        elif not draft.several and "i" in signs and "per" not in self.all(draft, "i"):
            draft.away = Away()
        if "j" in signs and not draft.several and (not unit or (draft.span is None and draft.away is None)):
            draft.away = Away()
            return bool(unit)
        return count != 1 or "i" in signs

    def each_of(self, draft: Draft, signs: str) -> bool:
        """``Every month of the third quarter``, ``each of the first three quarters of 2024``."""
        start = next(place for place in range(1, len(signs)) if signs[place] in "ot")
        while signs[start] in "ot":
            start += 1
        inner = self.read("part", draft.first + start, draft.last)
        head = Draft(draft.first, draft.first + start)
        unit = self.one(head, "Uuκ") or self.one(draft, "Uuκ")
        if inner is None or unit is None:
            return False
        draft.span, draft.part, draft.each, draft.naming = inner.span, inner.part, int(unit), inner.naming
        return True

    def streak(self, draft: Draft, signs: str) -> bool:
        """``The third consecutive quarter``: three quarters up to the one spoken of."""
        draft.each, draft.several = int(self.one(draft, "Uuκ")), int(self.one(draft, "OD"))
        return 1 < draft.several <= _MOST

    def _word(self, draft: Draft, signs: str) -> str:
        """The word of the unit."""
        return self.tokens.words[draft.first + signs.index("U")] if "U" in signs else ""

    def _definite(self, draft: Draft, signs: str, unit: int) -> bool:
        """Whether a count of pieces means known ones: "the two years", "eight quarters"; a lease of two years is none,
        and "three quarters of the rent" a fraction."""
        word = self._word(draft, signs)
        of_each = "j" in signs or self.tokens.signs.endswith("io", 0, draft.first)
        if unit == 1 and not of_each and self.one(draft, "ND") and int(self.one(draft, "ND")) > _YEAR:
            return False
        if word in ("quarter", "year", "month") and "i" not in signs:
            return False
        if signs[:2] == "NU" and word == "quarters" and self.one(draft, "N") == 3:
            return self.tokens.signs[
                draft.first - 1 : draft.first
            ] == "o" and not self.tokens.signs.startswith("o", draft.first + 2)
        if unit == 3 or any(sign in signs for sign in "tjcYrRLVi"):
            return True
        return any("ה" in lexeme[2] for lexeme in self.tokens.lexemes[draft.first : draft.last])


_Form = Callable[[Reader, Draft, str], bool]
_FORMS: Mapping[str, _Form] = {
    "ended": Reader.ended, "ended_han": Reader.ended_han, "ended_too": Reader.ended_too, "each_of": Reader.each_of,
    "streak": Reader.streak,
    "numbers": Reader.numbers, "numbered": Reader.numbered, "quarter_of": Reader.quarter_of, "trailing_to": Reader.trailing_to, "trailing": Reader.trailing,
    "span_last": Reader.span_last, "to_date": Reader.to_date, "days": Reader.days, "day": Reader.day, "yearless_day": Reader.yearless_day,
    "months_han": Reader.months_han, "same": Reader.same, "pointed": Reader.pointed, "year_back": Reader.year_back, "each": Reader.each, "part": Reader.part, "quick": Reader.quick, "ordinal": Reader.ordinal, "bare_ordinal": Reader.bare_ordinal,
    "ago": Reader.ago, "later": Reader.later, "yoy": Reader.yoy, "year_end": Reader.year_end, "month": Reader.month, "relative": Reader.relative,
    "years": Reader.years, "year": Reader.year, "month_bare": Reader.month_bare, "han_month": Reader.month_bare, "the_unit": Reader.the_unit,
}  # fmt: skip
