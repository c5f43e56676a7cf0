"""Which period a number speaks of: its own words, then the sentence's (the paragraph's and the answer's: ``bindings``).

Periods are ISO forms. A period may be named by its distance from another ("the prior quarter") or without its
year ("Q2"). What a figure rose from has no period unless it is dated itself.
"""

from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections.abc import Sequence
from datetime import date
from functools import cache
from sys import maxsize

import regex

from detection.core.binding.attachment import Attachment, Named, compared, in_order
from detection.core.binding.cues import Cues
from detection.core.binding.names import Mark, Names, Words
from detection.core.binding.period_words import PHRASES, SAME, Away, Part, Phrase
from detection.core.numbers import dates
from detection.core.types import NumericClaim

Span = tuple[date, date]
_BEFORE = 24  # characters before a date in which a cue or an event makes it one of comparison
_NEXT_TO = 6
_YEAR = 12
_DAY = 10  # characters of its ISO form
_LOOKED_AT = 8
_FROM_IT = regex.compile(r"מ(?!אי|רץ|רס|חצית)")  # "from", a prefix; no month that begins with it
_TODAY = regex.compile(r"\b(?:now|today|currently|at\spresent|כיום|היום|כעת)\b|目前|如今|现在|現在|现为")
_LATELY, _SOON = 60, 12  # characters of a clause before the end of its number and behind it
_WITH = ("相比", "相較", "相较")


@cache
def _phrases() -> Names[Phrase]:
    return Names(PHRASES)


def phrases(text: Words) -> list[Mark[Phrase]]:
    """The periods a text names without a date, in order."""
    return _phrases().find(text)


def shifted(span: Span, months: int) -> Span:
    """The period so many months later; both ends keep their day, the last of a month stays the last."""
    return _moved(span[0], months, first=True), _moved(span[1], months, first=span[0] == span[1])


def _moved(day: date, months: int, *, first: bool) -> date:
    count = day.year * 12 + day.month - 1 + months
    year, month = min(max(count // 12, date.min.year), date.max.year), count % 12 + 1
    last = monthrange(year, month)[1]
    whole = day.day == monthrange(day.year, day.month)[1] and (not first or day.day > 1)
    return date(year, month, last if whole else min(day.day, last))


def _months(span: Span) -> int:
    """The length in whole months; 0 for a day."""
    if span[0] == span[1]:
        return 0
    return (span[1].year - span[0].year) * 12 + span[1].month - span[0].month + 1


def _span(iso: str | None) -> Span | None:
    stated = dates.of_iso(iso) if iso else None
    return (stated.start, stated.end) if stated and stated.start and stated.end else None


def _resolved(meaning: Phrase, anchor: Span | None, asked: Span | None, *, base: bool) -> Span | None:
    """The period that a phrase means, said beside ``anchor``; None where it cannot be told."""
    if isinstance(meaning, Part):
        return _part(meaning, anchor or asked, base=base)
    if meaning == Away():
        return asked
    for span in (anchor, asked):
        if span is None:
            continue
        months = meaning.months or meaning.whole * _months(span)
        if abs(months) == _YEAR or abs(months) == _months(span):
            return shifted(span, months) if months else None
    return None


def _part(meaning: Part, anchor: Span | None, *, base: bool) -> Span | None:
    if anchor is None or not meaning.months:
        return None
    first = date(anchor[0].year, (meaning.number - 1) * meaning.months + 1, 1)
    months = -12 if base and first > anchor[0] else 0
    end = _moved(date(first.year, first.month, 28), meaning.months - 1, first=True)
    return shifted((first, end.replace(day=monthrange(end.year, end.month)[1])), months)


class PeriodBinder:
    """The periods one sentence names, and which of them its numbers belong to.

    ``around`` is the period of the paragraph, ``asked`` that of the answer; both may be unknown.
    """

    def __init__(
        self,
        marks: Cues,
        bounds: tuple[int, int],
        stated: Sequence[NumericClaim],
        spoken: Sequence[Mark[Phrase]],
        numbers: Sequence[NumericClaim],
        around: str | None,
        asked: Span | None,
    ) -> None:
        self._marks, self._low = marks, bounds[0]
        self._numbers, self._around, self._asked = numbers, around, asked
        self._known = [
            (one.start, one.end, (one.start_date, one.end_date))
            for one in stated
            if one.start_date and one.end_date
        ]
        self._used: set[int] = set()  # years that belong to a phrase: "the same quarter of 2023"
        self.named = self._all(spoken) if self._known or spoken else []
        self._attachment = Attachment(marks, self._low, self.named, numbers)
        self._main = self._attachment.main()

    def values(self, alike: Sequence[bool]) -> list[str | None]:
        """The period of each number; None where no words name one.

        ``alike`` says which numbers are of a metric and of the same property as the number before: only of these,
        what is compared is another period."""
        rows = [(one.start, one.end, one.value) for one in self.named]
        ordered = in_order(self._marks.text.folded, self._numbers, rows, ranges=True)
        return [
            ordered[place]
            if place in ordered
            else None
            if (alike[place] and self._undated(place)) or self._is_of_today(place)
            else self._said(place) or self._around
            for place in range(len(self._numbers))
        ]

    def _is_of_today(self, place: int) -> bool:
        """Whether the clause of a number, which names no period, says "now": what was named before is over."""
        start = self._marks.clause(self._low, self._numbers[place].start)
        end = self._numbers[place].end
        named = bisect_left(self.named, start, key=lambda one: one.start)
        own = named < len(self.named) and self.named[named].start < end
        if own or start == self._low:
            return False
        near = max(start, end - _LATELY), end + _SOON
        return _TODAY.search(self._marks.text.folded, *near) is not None

    def lasting(self) -> list[Named]:
        """The periods that the following sentences go on with: what the sentence is about, and no single day that only
        dates one of its figures."""
        first = self._numbers[0].start if self._numbers else maxsize
        return [one for one in self._main if one.start < first or len(one.value or "") != _DAY]

    def _said(self, place: int) -> str | None:
        attachment, number = self._attachment, self._numbers[place]
        one = attachment.beside[place] or attachment.before(number) or attachment.behind(number)
        if one is None and number.direction and self._main:
            one = self._main[-1]  # "rose by $5, from $1 in 2023 to $6 in 2024" came about in 2024
        return one.value if one else None

    def _undated(self, place: int) -> bool:
        """Whether a number is what another rose or fell from, without a date of its own."""
        marks, number = self._marks, self._numbers[place]
        if self._attachment.beside[place]:
            return False
        before = bisect_right(self.named, number.start, key=lambda one: one.end) - 1
        if before >= 0 and self.named[before].base and self._attachment.own(self.named[before], number):
            return False
        if compared(marks, self._low, number.start, ("versus",)):
            return True
        ranges = marks.said("range", self._low, number.start)
        return not ranges and compared(marks, self._low, number.start, ("from",))

    def _all(self, spoken: Sequence[Mark[Phrase]]) -> list[Named]:
        """The periods the sentence names, dates and phrases together."""
        spans = {low: (high, span) for low, high, span in self._known}
        meanings = {mark.start: mark for mark in spoken if not self._in_date(mark.start)}
        named: list[Named] = []
        for low in sorted([*spans, *meanings]):
            base = self._compared(low, spans[low][0] if low in spans else meanings[low].end, named)
            if low in meanings:
                mark = meanings[low]
                span = self._of_phrase(mark, named, later=base or self._behind_base(low))
                if span is not None:
                    iso = dates.iso_of(*span)
                    named.append(Named(low, mark.end, iso, base, self._event(low), loose=True))
            elif low not in self._used:
                high, known = spans[low]
                named.append(Named(low, high, dates.iso_of(*known), base, self._event(low)))
        return named

    def _in_date(self, place: int) -> bool:
        before = bisect_right(self._known, place, key=lambda known: known[0]) - 1
        return before >= 0 and self._known[before][1] > place

    def _behind_base(self, low: int) -> bool:
        """Whether the number right before ``low`` is what another is compared with."""
        before = bisect_left(self._numbers, low, key=lambda number: number.start) - 1
        number = self._numbers[before] if before >= 0 else None
        return (
            number is not None
            and low - number.end <= _BEFORE
            and compared(self._marks, self._low, number.start)
        )

    def _of_phrase(self, mark: Mark[Phrase], named: list[Named], *, later: bool) -> Span | None:
        place, meaning = (mark.start, mark.end), mark.value
        anchor = self._anchor(place, named, either=isinstance(meaning, Part))
        year = self._year_beside(place, named) if meaning in (SAME, Away(-_YEAR)) else None
        if year is None:
            return _resolved(meaning, anchor, self._asked, base=later)
        asked = anchor if anchor and _months(anchor) < _YEAR else self._asked
        return shifted(asked, _YEAR * (year - asked[0].year)) if asked else None

    def _year_beside(self, place: tuple[int, int], named: list[Named]) -> int | None:
        """The year right before or behind "the same quarter"; taken out of ``named`` when it stands there."""
        first = bisect_left(self._known, place[0] - _NEXT_TO, key=lambda known: known[1])
        for low, high, span in self._known[first : first + 2]:
            if _months(span) == _YEAR and (0 <= low - place[1] <= _NEXT_TO or high == place[0]):
                self._used.add(low)
                if named and named[-1].start == low:
                    named.pop()
                return span[0].year
        return None

    def _anchor(self, place: tuple[int, int], named: list[Named], *, either: bool) -> Span | None:
        """The period that a phrase is said beside: the one before it in the sentence, else behind, else around it."""
        last = next((one for one in reversed(named[-_LOOKED_AT:]) if not one.base and not one.event), None)
        behind = bisect_left(self._known, place[1], key=lambda known: known[0])
        following = self._known[behind] if behind < len(self._known) else None
        if following and (last is None or (either and following[0] - place[1] < place[0] - last.end)):
            return following[2]
        return _span(last.value if last else self._around) or self._asked

    def _compared(self, low: int, high: int, named: list[Named]) -> bool:
        """Whether a figure is compared with the period named there."""
        folded = self._marks.text.folded
        if _FROM_IT.match(folded, low) or folded.startswith(_WITH, high):
            return True
        since = max(low - _BEFORE, named[-1].end if named else 0, self._low)
        cues = [
            (meaning, self._marks.last_cue(meaning, since, low)) for meaning in ("versus", "from", "than")
        ]
        return any(
            not self._marks.numbered(cue.end, low) and not self._marks.broken(cue.end, low)
            for meaning, cue in cues
            if cue and (meaning != "than" or cue.start > self._low or self._since(cue.start))
        )

    def _since(self, place: int) -> bool:
        """ "Since 2023 NOI has risen" compares with 2023; "Over 2024, NOI rose" speaks of it."""
        return self._marks.text.folded.startswith("since", place)

    def _event(self, low: int) -> bool:
        since = max(low - _BEFORE, self._low)
        cue = self._marks.last_cue("event", since, low)
        return cue is not None and not self._marks.broken(cue.end, low)


def periods_of(sentence: str, numbers: Sequence[NumericClaim]) -> list[str | None]:
    """The ISO period that each of a sentence's ``numbers`` belongs to by its words; None where it names none, and for
    dates."""
    stated = [one for one in numbers if one.kind == "date" and one.start_date and one.end_date]
    counted = [one for one in numbers if one.kind != "date"]
    if not stated or not counted:
        return [None] * len(numbers)
    text = Words(sentence)
    binder = PeriodBinder(Cues(text, numbers), (0, len(sentence)), stated, phrases(text), counted, None, None)
    found = iter(binder.values([False] * len(counted)))
    return [None if one.kind == "date" else next(found) for one in numbers]
