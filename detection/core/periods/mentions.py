"""What a text says of a period, and which spans that means, given those spoken of and those that have figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import regex

from detection.core.periods.calendars import CALENDAR_YEAR, Calendar
from detection.core.periods.spans import (
    Span,
    ago,
    before,
    behind,
    contains,
    days,
    ended,
    granularity,
    month_end,
    months_of,
    pieces,
    same,
    shifted,
    stretch,
    whole_months,
)

Naming = Literal["", "fiscal", "calendar"]
_SAME = regex.compile(r"(?i)(?:the\s)?same\s(?:\w+)")
ToDate = Literal["", "year", "quarter", "month", "now", "on"]


class Away(NamedTuple):
    """A period by its distance from another: the other brought to ``unit`` months (0: as long as it is), then ``months``
    away, then ``whole`` times its own length. ``either`` where "last year" may be the same span of that year too,
    and "the same period" the one spoken of;
    ``year`` where the same span of a named year is meant; ``adjacent`` where the ``unit`` months lie right before or
    behind the span, wherever the calendar parts them."""

    months: int = 0
    whole: int = 0
    unit: int = 0
    either: bool = False
    year: int = 0
    adjacent: bool = False


class Part(NamedTuple):
    """A part of a year that is not named: the ``number``-th span of ``months``; or, where ``last`` is a month, the
    ``months`` that end with it; ``day`` a day of it. ``years`` away from the year spoken of."""

    months: int
    number: int = 0
    last: int = 0
    day: int = 0
    years: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch ``start``…``end`` of a text that names a period.

    ``span`` is set where the words name it absolutely (by the calendar where it is a fiscal one), otherwise ``away``
    or ``part`` say how it lies to the period spoken of. ``trailing`` counts the months of "the last six months";
    ``point`` is a point in time, no flow; ``fuzzy`` stands for "early", "mid", "end of"; ``is_base`` for what another
    figure is compared with; ``to_date`` up to where it reaches from its start ("on": it only begins a stretch, "from Q2
    onwards"); ``each`` for the months of the piece in "every quarter", ``several`` for how many pieces
    are meant together. ``naming`` says whether the words themselves call it fiscal or calendar; ``whole`` that a stretch is
    named as one.
    """

    start: int
    end: int
    span: Span | None
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
    third: int = -1  # of a fuzzy one: 0 early, 1 mid, 2 late; 3 the last day of a longer one, 4 its first
    between: bool = False  # "between Q3 and Q4": its ends may be meant
    ends: int = 0  # of a range, the months of its first and last piece: 3 in "Q1 to Q4 2024"
    whole: bool = False  # "the nine months ended June 30": neither end of it is meant by itself

    @property
    def is_this(self) -> bool:
        """Whether it is the one that is spoken of: "this quarter", "in the month"."""
        return self.away is not None and not (self.away.months or self.away.whole)

    @property
    def looks_back(self) -> bool:
        """Whether it lies before the period that is spoken of: "a year earlier"."""
        return self.away is not None and (self.away.months < 0 or self.away.whole < 0)


def each_of(mention: Mention) -> tuple[Mention, ...]:
    """The pieces that a range goes through, in order: the four quarters of "Q1 to Q4 2024"; none where it has none."""
    months, part = mention.ends, mention.part
    if not months:
        return ()
    if mention.span is not None:
        return tuple(replace(mention, span=one, ends=0) for one in pieces(mention.span, months))
    if part is None or part.day or part.months % months or not (part.last or part.number > 0):
        return ()
    first = (part.last - part.months if part.last else (part.number - 1) * part.months) // months
    return tuple(
        replace(mention, part=Part(months, first + place, years=part.years), ends=0)
        for place in range(1, part.months // months + 1)
    )


def plainly(one: Mention) -> Mention:
    """ "The four quarters of 2024", and "every quarter of 2024", as the year that they make."""
    whole = one.span and one.several * one.each in (0, months_of(one.span))
    return replace(one, each=0, several=0) if whole else one


_YEAR = 12
_NINE = 9  # months: of a year so far, which are compared with those of the year before
_MONTH_DAYS = 31


def resolve(
    mention: Mention, anchors: Sequence[Span], calendar: Calendar = CALENDAR_YEAR, known: Sequence[Span] = ()
) -> tuple[Span, ...]:
    """The spans that the mention means.

    Usually one; where the words can be read in several ways the likeliest first, those of ``known`` before others.
    Where several pieces are meant together ("both quarters", "every month of 2024"): all of them, in order of time.
    ``anchors`` are the spans spoken of, nearest first. Empty where nothing tells which span is meant.
    """
    if mention.each or mention.several:
        return _together(mention, anchors, calendar, known)
    found = [_narrowed(span, mention) for span in _wholes(mention, anchors, calendar, known)]
    return tuple(dict.fromkeys(found))


def _wholes(
    mention: Mention, anchors: Sequence[Span], calendar: Calendar, known: Sequence[Span]
) -> Iterable[Span]:
    if mention.trailing:
        return _trailing(mention, anchors)
    if mention.to_date and mention.to_date != "on":
        return _to_date(mention, anchors, calendar, known)
    if mention.span is not None:
        return _known_first(_readings(mention, mention.span, calendar, known), known)
    if mention.part is not None:
        return _parts(mention, mention.part, anchors, calendar, known)
    if mention.away is not None:
        return _counted_back(mention, mention.away, anchors, calendar, known)
    return ()


def _counted_back(
    mention: Mention, away: Away, anchors: Sequence[Span], calendar: Calendar, known: Sequence[Span]
) -> list[Span]:
    """The span so far from the nearest anchor; from a further one where only that leads to one that is known: "2.6 points
    below Q2 2023, 1.41x against 1.55x a year earlier" of Q2 2024."""
    nearest: list[Span] = []
    for place in range(len(anchors)):
        found = _known_first(_moved(away, anchors[place:], calendar, base=mention.is_base), known)
        if any(same(span, one) for span in found for one in known):
            return found
        nearest = nearest or found
    return nearest


def _known_first(found: Sequence[Span], known: Sequence[Span]) -> list[Span]:
    if len(found) < 2:
        return list(found)
    return sorted(found, key=lambda span: not any(same(span, one) for one in known))


def _readings(mention: Mention, span: Span, calendar: Calendar, known: Sequence[Span]) -> list[Span]:
    """The readings of an absolute name: of a fiscal one under an unknown calendar, of a plain one beside a fiscal year."""
    months = months_of(span)
    if months not in (3, 6, _YEAR) or mention.point:
        return [span]
    if mention.naming == "fiscal" and calendar.year_end is None:
        return [span, *(one for one in known if _named_alike(one, span, months) and not same(one, span))]
    if mention.naming == "" and calendar.fiscal and whole_months(span):
        other = _otherwise(span, months, calendar)
        return [span, other] if other is not None and other != span else [span]
    return [span]


def _named_alike(one: Span, span: Span, months: int) -> bool:
    """Whether a stored span may go by the fiscal name whose calendar reading is ``span``."""
    return months == _YEAR and months_of(one) == _YEAR and ago(one[1], 7).year == span[1].year


def _otherwise(span: Span, months: int, calendar: Calendar) -> Span | None:
    """The other reading of a plain name: of a calendar year the fiscal one, of a fiscal quarter the calendar one."""
    if months == _YEAR:
        return calendar.fiscal_year(span[0].year) if span[0].month == 1 else None
    year = calendar.year_of(span[1])
    for number in range(1, _YEAR // months + 1):
        if calendar.fiscal_part(year, months, number) == span:
            return stretch(year, (number - 1) * months + 1, months)
    return None


def _trailing(mention: Mention, anchors: Sequence[Span]) -> list[Span]:
    end = mention.span if mention.span is not None else next(iter(anchors), None)
    return [ended(end[1], mention.trailing)] if end is not None else []


_UNITS = {"year": 12, "quarter": 3, "month": 1}


def _since(span: Span, anchors: Sequence[Span], known: Sequence[Span]) -> list[Span]:
    """From the start of a span to the end of one within it that is spoken of, else of the last that is known."""
    inner = next((one for one in anchors if contains(span, one) and one[1] < span[1]), None)
    last = inner or max(known, key=lambda one: one[1], default=span)
    return [(span[0], max(last[1], inner[1] if inner else span[1]))]


def _to_date(
    mention: Mention, anchors: Sequence[Span], calendar: Calendar, known: Sequence[Span]
) -> list[Span]:
    """From the start of the year, quarter or month to the day spoken of; "since the start of 2023" to the last that is
    known."""
    if mention.to_date == "now" and mention.span is not None:
        return _since(mention.span, anchors, known)
    unit = _UNITS[mention.to_date]
    span = mention.span
    if span is not None and months_of(span) == unit:
        inner = next((one for one in anchors if contains(span, one) and one[1] < span[1]), None)
        return [(span[0], inner[1])] if inner is not None else [span]
    if span is None:
        span = next(iter(anchors), None)
    if span is None:
        return []
    if mention.away is not None:
        span = shifted(span, mention.away.months)
    return [(_unit_of(span, unit, calendar)[0], span[1])]


def _unit_of(span: Span, months: int, calendar: Calendar) -> Span:
    """The year, half, quarter or month in which the span ends."""
    if months_of(span) == months:
        return span
    day = ago(span[1], 7) if days(span) > _MONTH_DAYS and span[1].day <= 7 else span[1]
    end = calendar.year_end or _YEAR
    place = (day.month - end - 1) % _YEAR // months
    year = calendar.year_of(day)
    return calendar.fiscal_year(year) if months == _YEAR else calendar.fiscal_part(year, months, place + 1)


def _moved(away: Away, anchors: Sequence[Span], calendar: Calendar, *, base: bool) -> list[Span]:
    anchor = _anchor(away.unit, anchors)
    if anchor is None:
        return []
    if away.adjacent:
        if away.whole > 0:
            start = behind((anchor[1], anchor[1]))[0]
            return [(start, ago(shifted((start, start), away.unit)[0]))]
        return [ended(ago(anchor[0]), away.unit)]
    if away.year:
        return [shifted(anchor, (away.year - anchor[1].year) * _YEAR)]
    if away.either and not away.unit:
        earlier = shifted(anchor, away.months)
        return [earlier, anchor] if base else [anchor, earlier]
    if not away.unit:
        moved = _stepped(shifted(anchor, away.months), away.whole)
        cumulative = away.whole == -1 and months_of(anchor) == _NINE
        return [shifted(anchor, -_YEAR), moved] if cumulative else [moved]
    whole = shifted(_stepped(_unit_of(anchor, away.unit, calendar), away.whole), away.months)
    found = [whole]
    if away.either and months_of(anchor) < away.unit:
        alike = shifted(anchor, away.unit * away.whole)
        found = [alike, whole] if base else [whole, alike]
    elif months_of(anchor) > away.unit and away.whole < 0:
        first = (anchor[0], shifted((anchor[0], anchor[0]), away.unit)[1])
        found = [_stepped((first[0], ago(first[1])), away.whole), whole]
    return found


def _anchor(unit: int, anchors: Sequence[Span]) -> Span | None:
    """The nearest span that is no longer than what is measured in; the nearest where all are."""
    fitting = (one for one in anchors if not unit or unit == _YEAR or months_of(one) <= unit)
    return next(fitting, next(iter(anchors), None))


def _stepped(span: Span, count: int) -> Span:
    for _ in range(min(abs(count), 100)):
        span = before(span) if count < 0 else behind(span)
    return span


def _parts(
    mention: Mention, part: Part, anchors: Sequence[Span], calendar: Calendar, known: Sequence[Span]
) -> list[Span]:
    """A part of a year that is not named: of the year spoken of, then of the latest known."""
    found = [_part(part, mention, anchor, calendar) for anchor in anchors[:1]]
    if anchors and not part.years and months_of(anchors[0]) < _YEAR and found[0][0] > anchors[0][1]:
        earlier = shifted(found[0], -_YEAR)
        found = [earlier, *found] if mention.is_base else [*found, earlier]
    inside = [
        one for anchor in anchors[1:] if contains(anchor, one := _part(part, mention, anchor, calendar))
    ]
    if inside and not contains(anchors[0], found[0]):
        found.append(inside[0])
    found = _known_first(found, known)
    if not part.years:
        latest = [one for one in known if same(one, _part(part, mention, one, calendar))]
        found.extend(sorted(latest, key=lambda span: span[1], reverse=True)[:1])
    return found


def _part(part: Part, mention: Mention, anchor: Span, calendar: Calendar) -> Span:
    if part.last:
        return _ended_with(part, anchor)
    if mention.naming == "calendar" or part.months not in (3, 6, 9) or not calendar.fiscal:
        if part.months == 1:
            return _month(part, anchor)
        return stretch(anchor[1].year + part.years, (part.number - 1) * part.months + 1, part.months)
    year = calendar.year_of(ago(anchor[1], 7) if anchor[1].day <= 7 < days(anchor) else anchor[1])
    return calendar.fiscal_part(year + part.years, part.months, part.number)


def _month(part: Part, anchor: Span) -> Span:
    """A month by its name: the one within the span spoken of, else that of the year in which it ends."""
    return _ended_with(part._replace(last=part.number), anchor)


def _ended_with(part: Part, anchor: Span) -> Span:
    """The months that end with a month, the one within the span spoken of."""
    year = anchor[1].year + part.years
    if not part.years and anchor[0].year < year and stretch(year, part.last, 1)[0] > anchor[1]:
        year -= 1
    end = month_end(year, part.last)
    if part.day:
        day = end.replace(day=min(part.day, end.day))
        return (day, day) if part.months <= 1 else ended(day, part.months)
    return ended(end, part.months)


def _together(
    mention: Mention, anchors: Sequence[Span], calendar: Calendar, known: Sequence[Span]
) -> tuple[Span, ...]:
    """The pieces that are meant together, in order of time."""
    several = mention.several
    each = mention.each or (months_of(anchors[0]) if anchors else 0)
    whole = next(iter(_wholes(mention, anchors, calendar, known)), None)
    if whole is not None:
        return pieces(whole, each) or (whole,)
    if not several or not anchors:
        return ()
    fitting = [one for one in dict.fromkeys(anchors) if months_of(one) == each]
    if len(fitting) >= several:
        return tuple(sorted(fitting[:several]))
    wide = next((one for one in anchors if months_of(one) == several * each), None)
    end = (
        _unit_of(fitting[0] if fitting else anchors[0], each, calendar)[1]
        if each in _UNITS.values()
        else anchors[0][1]
    )
    return pieces(wide or ended(end, several * each), each)


def _narrowed(span: Span, mention: Mention) -> Span:
    """The third or the last day of the span that the words around it leave."""
    if mention.third >= 0:
        return _third(span, mention.third)
    return span


def _third(span: Span, which: int) -> Span:
    """The first, middle or last ten days of a month; the first, middle or last third of a longer span."""
    start, end = span
    if which > 2:
        return (end, end) if which == 3 else (start, start)
    if granularity(span) == "month" or months_of(span) < 2:
        cuts = (start, start.replace(day=min(start.day + 10, 28)), start.replace(day=min(start.day + 20, 28)))
        return cuts[which], (ago(cuts[which + 1]) if which < 2 else end)
    third = months_of(span) // 3
    first = shifted((start, start), third * which)[0]
    return first, (ago(shifted((first, first), third)[0]) if which < 2 else end)


def spoken_of(one: Mention, body: str) -> Mention:
    """A mention in ``body`` as the period that was spoken of before, where it is "the same quarter"."""
    if one.span is None and not (one.away and one.away.unit) and _SAME.fullmatch(body, one.start, one.end):
        return replace(one, away=Away())
    return one
