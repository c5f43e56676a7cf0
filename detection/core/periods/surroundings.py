"""What the words around a mention make of it: a range with the next, the base of a comparison, a point, early or late."""

import re
from functools import cache
from itertools import pairwise

from detection.core import lexicons
from detection.core.periods.distances import Reader
from detection.core.periods.mentions import Part
from detection.core.periods.readings import Draft
from detection.core.periods.spans import month_end, months_of, shifted
from detection.core.periods.tokens import Tokens

_NEAR = 9  # tokens before a mention in which a word may make it a base of comparison
_CLAUSE = 20  # tokens back in which a verb of change is looked for
_DATED = frozenset(("day", "ended", "part", "quick", "month", "ended_han"))
_YEAR = 12
_VERBAL = frozenset(("in", "on", "during", "for", "over"))  # contracts "end in" 2025
_BEYOND = frozenset(("above", "below", "exceeded", "exceeding", "exceeds", "topped", "beat"))
_BREAKS = frozenset(",n.")
_STOPS = frozenset("n.B&")
_AND = re.compile(r",?&[ot-]{0,3}(?:[^hzn&.]{0,3}[0D][^hzn&.]{0,3})?")


def joined(reader: Reader, drafts: list[Draft]) -> list[Draft]:
    """Ranges put together, and a year given to what shares it: "Q1 and Q2 2024", "June 30, 2024 and 2023"."""
    signs = reader.tokens.signs
    found: list[Draft] = []
    for first, second in reversed([*pairwise(drafts)]):
        if (
            signs[first.last : second.first].strip(",t-o") in ("&", "z", "", "/")
            and second.first - first.last < 5
        ):
            _share_year(reader, first, second)
    for draft in drafts:
        before = found[-1] if found else None
        gap = signs[before.last : draft.first] if before else "n"
        if before is None or len(gap) > 4:
            found.append(draft)
            continue
        if gap.strip(",t-o") in ("&", "z", "", "/"):
            _share_naming(reader, before, draft)
            _share_day(before, draft)
            _share_date(signs, before, draft)
            _share_year_back(reader, before, draft)
        if gap == "" and before.form == "each" and draft.form == "range" and before.several:
            found.pop()
        if draft.form == "to_date" and draft.away and before.span and gap == "" and not before.to_date:
            before.to_date, before.last = draft.to_date, draft.last
        elif _is_range(reader.tokens, gap, before, draft):
            _extend(before, draft)
            before.between = "↕" in signs[max(before.first - 2, 0) : before.first]
        else:
            found.append(draft)
    return found


def _share_year(reader: Reader, first: Draft, second: Draft) -> None:
    """Give the year of the second to a first one of the same sort that names none."""
    part = first.part
    if part is None or second.span is None or part.years:
        return
    if part.day and second.point and second.form == "day":
        year = second.span[1].year - (part.number > second.span[1].month)
        day = month_end(year, part.number)
        first.span, first.part = (day.replace(day=min(part.day, day.day)),) * 2, None
    elif part.number and not part.day and months_of(second.span) == part.months:
        year = second.year or second.span[1].year
        first.naming = first.naming or second.naming
        first.span, first.part, first.year = (
            reader.part_of(year, part.months, part.number, second.naming), None, year
        )  # fmt: skip
        if part.months == 1 and first.span[0] > second.span[0]:
            first.span = shifted(first.span, -_YEAR)


def _share_year_back(reader: Reader, first: Draft, second: Draft) -> None:
    """Give the year of the first to a later part of the same sort: 2024年第一至第三季度."""
    part = second.part
    if part is None or part.years or not part.number or first.span is None:
        return
    if part.day:
        end = month_end(first.span[1].year, part.number)
        if first.form == "day" and first.span[1] < end:
            second.span, second.part = (end.replace(day=min(part.day, end.day)),) * 2, None
        return
    if not first.year:
        return
    if months_of(first.span) == part.months and first.span < (
        span := reader.part_of(first.year, part.months, part.number, first.naming)
    ):
        second.span, second.part, second.year = span, None, first.year


def _share_naming(reader: Reader, first: Draft, second: Draft) -> None:
    """Both are fiscal in "fiscal years 2022 and 2023"."""
    if first.form == second.form == "year" and first.naming == "fiscal" and not second.naming:
        second.naming, second.span = first.naming, reader.calendar.fiscal_year(second.year)


def _share_day(first: Draft, second: Draft) -> None:
    """A year behind a date of another year is that date of the year: "June 30, 2024 and 2023"."""
    if second.form != "year" or first.form not in _DATED or first.span is None or second.naming:
        return
    if second.year and abs(second.year - first.span[1].year) < 20:
        second.span = shifted(first.span, (second.year - first.span[1].year) * _YEAR)
        second.point, second.form = first.point, first.form


def _share_date(signs: str, first: Draft, second: Draft) -> None:
    """A year before a date of another year: 截至2023年及2022年12月31日止年度."""
    if (
        first.form == "year"
        and signs[first.last - 1] == "A"
        and second.form in ("day", "ended_han")
        and second.span
    ):
        first.span = shifted(second.span, (first.year - second.span[1].year) * _YEAR)
        first.point, first.form = second.point, second.form


def _is_range(tokens: Tokens, gap: str, first: Draft, second: Draft) -> bool:
    signs = tokens.signs
    between = "↕" in signs[max(first.first - 2, 0) : first.first]
    to_hebrew = between and gap == "" and "ל" in tokens.lexemes[second.first][2]
    if (
        gap.strip("tp") not in ("-", "z", "z-", "-z")
        and not (between and gap.strip("t-") in ("&", "o"))
        and not to_hebrew
    ):
        return False
    if (first.span is None) != (second.span is None) or (
        (first.span or second.span) is None and not _parts(first, second)
    ):
        return False
    if first.span and second.span and (first.span[0] >= second.span[0] or first.span[1] >= second.span[1]):
        return False
    if not between and tokens.words[first.last] != "to":
        return True
    changed = "h" in signs[max(0, first.first - _NEAR) : first.first]
    return not (changed and (between or signs[max(0, first.first - 2) : first.first].endswith(("φ", "φt"))))


def _parts(first: Draft, second: Draft) -> bool:
    one, other = first.part, second.part
    return (
        one is not None and other is not None and one.months == other.months and one.number > 0 and other.number > 0
        and (one.number < other.number or (one.months == 1 and one.number > other.number))  # October to March
        and not one.day and not one.years and not other.years
    )  # fmt: skip


def _extend(first: Draft, second: Draft) -> None:
    """Make the first one reach to the end of the second."""
    first.last = second.last
    first.naming = first.naming or second.naming
    first.ends = _months(first) if _months(first) == _months(second) else 0
    if first.span and second.span:
        first.span, first.point = (first.span[0], second.span[1]), False
    elif first.part and second.part:
        months = first.part.months
        count = ((second.part.number - first.part.number) % (_YEAR // months) + 1) * months
        starts = first.part.number == 1 and months > 1
        first.part = Part(count, number=1) if starts else Part(count, last=second.part.number * months)
    first.form = "range"


def _months(draft: Draft) -> int:
    """How long a mention is, where it is months and no day."""
    if draft.span:
        return months_of(draft.span)
    return draft.part.months if draft.part and not draft.part.day else 0


def end_trailing(tokens: Tokens, drafts: list[Draft]) -> None:
    """Give the months up to now the day behind them: "TTM revenue was $5 million as of March 31, 2024"."""
    for first, second in pairwise(drafts):
        if not first.trailing or first.span or first.part or second.span is None:
            continue
        gap = tokens.signs[first.last : second.first]
        if not _STOPS.intersection(gap) and gap.rstrip("ot-").endswith(("@", "p", "a")):
            first.span = second.span


def is_base(tokens: Tokens, before: Draft | None, draft: Draft, ceiling: int) -> bool:
    """Whether the words around a mention make it what another figure is compared with."""
    floor = before.last if before else 0
    signs = tokens.signs
    if before is not None and before.is_base and _AND.fullmatch(signs, before.last, draft.first):
        return True
    if "β" in signs[draft.last : draft.last + 2]:
        return True
    if draft.form == "later":
        return False
    start = max(0, draft.first - _CLAUSE)
    compared = draft.first > floor and tokens.words[draft.first - 1] in _comparing()
    if "מ" in tokens.lexemes[draft.first][2] and (compared or "h" in signs[start : draft.first]):
        return not signs.startswith("z", draft.last)
    numbered = False
    for place in range(draft.first - 1, max(floor, draft.first - _NEAR) - 1, -1):
        sign = signs[place]
        if sign in "Bβ":
            return True
        if sign == "θ":
            if tokens.words[place] in _BEYOND and "x" in signs[place : draft.first]:
                return False  # "below budget in 2024"
            return not numbered or signs[place + 1] == "t"
        if sign == "φ":
            since = tokens.lexemes[place][1] is not None
            return _is_from(
                signs, place, draft, ceiling, loose=numbered or (since and _is_changed(signs, draft))
            )
        if sign == "o" and tokens.lexemes[place][1] and draft.first - place <= 2:
            return not draft.trailing and _risen(signs, floor, place)
        if sign in "n." or (sign == "z" and signs[place - 1 : place] not in ("B", "h")):
            return False
        numbered = numbered or sign in "0D"
    return False


@cache
def _comparing() -> frozenset[str]:
    """The Hebrew words behind which a period is what another is compared with: "פחות מבתקופה"."""
    phrases = lexicons.table("further")["he"].values()
    return frozenset(phrase.split()[-1] for found in phrases for phrase in found)


def _risen(signs: str, floor: int, place: int) -> bool:
    """Whether a change by a number stands before: "up 5 % on"."""
    ahead = signs[max(floor, place - _NEAR) : place]
    return "h" in ahead and ("0" in ahead or "D" in ahead)


def _is_changed(signs: str, draft: Draft) -> bool:
    """Whether something rose or fell behind a mention, in the same sentence."""
    behind = re.split("[n.]", signs[draft.last : draft.last + _CLAUSE])[0]
    return "h" in behind


def _is_from(signs: str, place: int, draft: Draft, ceiling: int, *, loose: bool) -> bool:
    """Whether "from" says where a change began."""
    if draft.form in ("range", "years"):
        return False
    if loose or "h" in signs[max(0, place - _CLAUSE) : place]:
        return True
    behind = signs[draft.last : ceiling if ceiling > 0 else draft.last + _NEAR]
    if ceiling <= 0 and not behind.startswith(("o0", "oD")):
        return False
    return "h" in behind and not _BREAKS.intersection(behind[: behind.index("h")])


def edges(tokens: Tokens, draft: Draft, floor: int) -> None:
    """What stands right beside a mention: as of, at the end of, early, mid, late."""
    signs = tokens.signs
    if signs.startswith("←", draft.last):  # "from Q2 2024 onwards"
        draft.to_date, draft.is_base = "on", False
    place = draft.first
    skipped = "ot-U" if draft.form.startswith("month") else "ot-"
    while place > floor and signs[place - 1] in skipped:
        place -= 1
    if draft.form == "day":
        return _as_of(signs, draft, floor)
    verbal = not _VERBAL.isdisjoint(tokens.words[place : draft.first]) and signs[place - 1 : place] != "f"
    if place > floor and not verbal and signs[place - 1] in "ebf" and draft.first - place <= 4:
        _edge(tokens, draft, place - 1)
        draft.first = place - 1
    elif signs[draft.last : draft.last + 1] and signs[draft.last] in "ef":
        _edge(tokens, draft, draft.last)
        draft.last += 1
    elif signs.startswith("-e", draft.last) and draft.form.startswith("month"):
        _edge(tokens, draft, draft.last + 1)
        draft.last += 2
    return _as_of(signs, draft, floor)


def _as_of(signs: str, draft: Draft, floor: int) -> None:
    ahead = signs[max(floor, draft.first - 4) : draft.first].rstrip("t-o")
    if ahead.endswith(("a", "a@", "p")) and not draft.form.startswith("ended"):
        draft.point = True


def _edge(tokens: Tokens, draft: Draft, place: int) -> None:
    sign, value, prefix = tokens.lexemes[place]
    since = "מ" in prefix or tokens.signs[max(place - 2, 0) : place].rstrip("t").endswith("φ")
    if sign == "b" and since and (draft.form == "year" or (draft.away and draft.away.unit == _YEAR)):
        draft.to_date, draft.is_base = "now" if draft.span else "year", False
        return
    if draft.point and draft.form == "day":
        return
    if draft.away is not None:
        draft.away = draft.away._replace(either=False)
    if sign == "e":
        draft.point = True
        months = months_of(draft.span) if draft.span else draft.part.months if draft.part else 0
        draft.third = 2 if months == 1 else 3
        draft.fuzzy = months == 1
    else:
        draft.third, draft.fuzzy = int(str(value or 0)), True
