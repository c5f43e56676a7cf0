"""The prose of a source as facts in a grid, and the dates that it names."""

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import pairwise, takewhile

import regex

from detection.core import periods, text
from detection.core.evidence.facts import OPEN, Fact, Grid
from detection.core.evidence.labels import Axis, Label
from detection.core.evidence.prose.moves import Move, is_move, moves
from detection.core.evidence.prose.parties import parties
from detection.core.evidence.prose.series import listed
from detection.core.evidence.tables.markup import unmarked
from detection.core.evidence.times import when
from detection.core.periods import Calendar, Mention, Span
from detection.core.periods.spans import month_end
from detection.core.quantities import PLANS, Quantity, Reading, Tier, basis
from detection.core.quantities.features import is_meaning
from detection.core.quantities.measures import measured_in
from detection.core.quantities.wholes import counted_wholes
from detection.core.types import Source

NOBODY = Axis("entity", ())
_COLON = regex.compile("[:：]")
_LEADS = 4  # sentences before one that may lead it in


def of_prose(
    source: Source, covered: Sequence[tuple[int, int]], calendar: Calendar
) -> tuple[tuple[Grid, ...], tuple[Fact, ...]]:
    """The numbers that the sentences of a source state outside its tables, and all days and periods that it names."""
    language = text.detect_language(source.text)
    dates = tuple(dates_of(source, language, calendar))
    body = text.bare(_plain(_blanked(source.text, covered)), language)
    if not body.text.strip():
        return (), dates
    reading = Reading(body.text, language, calendar)
    title = when(source.title, calendar, ()) or _leading(reading, 0)
    found = reading.quantities()
    if not found:
        return (), dates
    moved = list(moves(found, reading))
    called = _called(found, moved, reading)
    labels = [Label(_said(one, reading), forms) for one, forms in zip(found, called, strict=True)]
    based = frozenset(mention for one in found if one.is_base for mention in one.tiers[0].periods)
    prose = _Prose(source, body, reading, calendar, title, based, _beside(dates))
    facts = [
        replace(_stated(one, place, move, prose), role=role, whole=whole, party=party)
        for place, (one, move, role, whole, party) in enumerate(
            zip(
                found,
                moved,
                _roles(found, reading),
                counted_wholes(found, reading),
                parties(found, reading, source.title),
                strict=True,
            )
        )
    ]
    series = listed(found, facts, reading, source.title, calendar)
    if series:
        facts = _belonging(facts, series)
    prose_grid = Grid(f"prose {source.ref}", (Axis("words", labels), NOBODY), facts, calendar)
    return (prose_grid, series) if series else (prose_grid,), dates


def _belonging(facts: Sequence[Fact], series: Grid) -> list[Fact]:
    """Facts with the names of which a list has them, and the column in which it does."""
    whose = {one.start: (series.axes[1].labels[one.at[1]].forms[0], one.at[0]) for one in series.facts}
    told = (whose.get(one.start, (one.party, OPEN)) for one in facts)
    return [replace(one, party=party, series=at) for one, (party, at) in zip(facts, told, strict=True)]


@dataclass(frozen=True, slots=True)
class _Prose:
    """The prose of a source as it was read, its ``body`` bare; ``title`` are the periods that lead all of it in, ``based`` those of the numbers
    that others are compared with, ``beside`` what is spoken of where the prose itself names no year."""

    source: Source
    body: text.Bare
    reading: Reading
    calendar: Calendar
    title: Sequence[Span]
    based: frozenset[Mention]
    beside: Sequence[Span]


def _beside(dates: Sequence[Fact]) -> list[Span]:
    """The one year that a source names, its tables among it; a year without a name where it names none."""
    years = {day.year for one in dates for day in one.days or ()}
    if not years:
        return [periods.UNNAMED]
    return [(date(min(years), 1, 1), date(min(years), 12, 31))] if len(years) == 1 else []


def _called(
    found: Sequence[Quantity], moved: Sequence[Move], reading: Reading
) -> Iterator[tuple[frozenset[str], ...]]:
    """The words that each number is called by, also without those for what is taken off it; one that none name is called as
    the one before it: "in Q2 it was $5 million"; also by the words of what it came from, and of what a pronoun before it stands for."""
    before: Quantity | None = None
    forms: tuple[frozenset[str], ...] = (frozenset(),)
    for place, one in enumerate(found):
        words = one.tiers[0].own() | one.share_of
        if words or before is None or not _goes_on(before, one):
            bare = words - basis.words(one.cue("basis"))
            came = found[moved[place].since].tiers[0].own() if moved[place].since != OPEN else frozenset()
            forms = tuple(dict.fromkeys((words, bare or words, words | came)))
        meant = _antecedent(found, place, reading)
        before = one
        yield tuple(dict.fromkeys((*forms, words | meant))) if meant else forms


def _antecedent(found: Sequence[Quantity], place: int, reading: Reading) -> frozenset[str]:
    """The words of what a pronoun between the number before and a number stands for: of the nearest number of its kind that a
    metric names, else of the nearest."""
    one = found[place]
    low = found[place - 1].number.end if place else one.number.start
    if any(map(is_meaning, one.tiers[0].words)) or not reading.marks("pronouns", low, one.number.start):
        return frozenset()
    run = list(takewhile(lambda pair: _goes_on(*pair), pairwise(reversed(found[: place + 1]))))
    said = [other.tiers[0].own() for _, other in run]
    return next((words for words in said if any(map(is_meaning, words))), said[0] if said else frozenset())


def _roles(found: Sequence[Quantity], reading: Reading) -> Iterator[str]:
    """What each number is besides an actual value: as its own words say, else as a plan that heads its list: "Budget: income
    $8 million; costs $3 million", "a budget with costs of $3 million and income of $8 million"."""
    head, before = "", 0
    for one in found:
        start = reading.sentences[one.sentence][0]
        role = min((one.called or one.cue("roles")) - {"actual"}, default="")
        goes_on = start < before and not _is_parted(reading, before, one.number.start)
        if not goes_on or role:
            head = role if role in PLANS and _heads(reading, start, one.number.start) else ""
        yield role or head
        before = one.number.end


def _heads(reading: Reading, start: int, end: int) -> bool:
    """Whether the last role before a number is followed by what it consists of."""
    behind = max((mark.end for mark in reading.marks("roles", start, end)), default=end)
    parts = any("with" in mark.value for mark in reading.marks("qualifiers", behind, end))
    return parts or _COLON.search(reading.text, behind, end) is not None


def _is_parted(reading: Reading, start: int, end: int) -> bool:
    """Whether words between two numbers make them more than items of a list."""
    return any(reading.marks(table, start, end) for table in ("arrivals", "bases", "directions", "roles"))


def _goes_on(before: Quantity, one: Quantity) -> bool:
    """Whether two numbers that follow each other may be of one figure."""
    near = abs(one.sentence - before.sentence) <= 1
    return near and (before.number.kind, before.number.unit) == (one.number.kind, one.number.unit)


def _polarity(one: Quantity) -> str:
    said = one.cue("polarity") & {"loss", "profit"}
    return min(said) if len(said) == 1 else ""


def dates_of(source: Source, language: str, calendar: Calendar) -> Iterator[Fact]:
    """The days and periods that a source names, its tables among them; a day without a year is of that of the day named last
    before it."""
    body = text.bare(f"{source.text}\n{source.title}", language)
    reading = Reading(body.text, language, calendar, found=())
    year = 0
    for one in reading.periods:
        span = one.span or _in_year(one, year)
        if span:
            year = span[1].year if one.point else year
            event, (start, end) = reading.event(one.start, one.end), body.there(one.start, one.end)
            yield Fact(
                "date", None, Decimal(0), "", (), days=span, text=reading.text[one.start : one.end], source=source.ref,
                start=start, end=end, roles=event.value if event else frozenset(),
            )  # fmt: skip


def _in_year(one: Mention, year: int) -> Span | None:
    """The day of a year that a mention names without it; None for any other."""
    if not (year and one.part and one.part.day and one.part.months == 1):
        return None
    day = one.part.day if one.part.day <= month_end(year, one.part.number).day else 0
    return (date(year, one.part.number, day),) * 2 if day else None


def _said(one: Quantity, reading: Reading) -> str:
    start, end = reading.sentences[one.sentence]
    return reading.text[start:end].strip()


def _stated(one: Quantity, place: int, move: Move, prose: _Prose) -> Fact:
    number = one.number
    start, end = _whole(prose.source.text, *prose.body.there(number.start, number.end))
    return Fact(
        number.kind, Decimal(number.value), number.precision, number.unit or measured_in(number), (place, OPEN), _when(one, prose),
        "", " ".join(sorted(one.cue("per"))), None, prose.source.text[start:end], prose.source.ref, start, end,
        bound=number.bound or "", direction=one.direction if number.direction or one.by or number.unit == "pp" else "",
        turn="" if not one.direction else "from" if one.is_base else "to" if one.arrives else "", polarity=_polarity(one),
        came=move.way, since=move.since, base=_base(one, prose) if is_move(one) else None,
        basis=one.cue("basis"),
    )  # fmt: skip


def _when(one: Quantity, prose: _Prose) -> Span | None:
    """The period of a number of prose: the one that its sentence names for it; else that of what leads it in and of the
    title, unless they name several."""
    led = _led(one, prose.reading)
    near = _near(one, led, prose)
    for mention in _spoken(one, prose.based):
        for span in periods.resolve(mention, near, prose.calendar)[:1]:
            return span
    told = {*led, *prose.title[:1], *_long(_absolute(one.behind))}
    return told.pop() if len(told) == 1 and not one.is_base else None


def _led(one: Quantity, reading: Reading) -> list[Span]:
    """The periods of the nearest sentence before a number that leads it in."""
    before = range(one.sentence - 1, max(one.sentence - 1 - _LEADS, -1), -1)
    return next((spans for index in before if (spans := _leading(reading, index))), [])


def _near(one: Quantity, led: Sequence[Span], prose: _Prose) -> list[Span]:
    """The periods that are spoken of around a number, the nearest first; where the whole text names no year, one that has
    no name, so that its quarters and months are told apart."""
    near = [*(span for tier in one.tiers[:2] for span in _absolute(tier.periods)), *led, *prose.title]
    near += [span for tier in (*one.tiers[2:], Tier({}, one.behind)) for span in _absolute(tier.periods)]
    return near or ([] if any(mention.span for mention in prose.reading.periods) else [*prose.beside])


def _base(one: Quantity, prose: _Prose) -> Span | None:
    """The period from which something went so far: "a year earlier", the first day of a year "since the start" of it."""
    near = _near(one, _led(one, prose.reading), prose)
    for mention in (*one.tiers[0].periods, *one.tiers[1].periods, *one.bases):
        since = mention.to_date == "year" and mention.start >= one.number.end
        if mention.is_base or mention.looks_back or since:
            for start, end in periods.resolve(mention, near, prose.calendar)[:1]:
                return (start, start) if since else (start, end)
    return None


def _spoken(one: Quantity, based: frozenset[Mention]) -> list[Mention]:
    """The periods that a number may be of, the likeliest first: a move is of the one that it led to, and what another
    number is compared with ("the year before it was 15.06", "after $3 million in Q2") is none of the sentence's."""
    own, further = ([*tier.periods] for tier in one.tiers[:2])
    if one.number.direction or one.by or one.number.unit == "pp":
        own = [mention for mention in own if not mention.is_base]
    if not one.is_base:
        own = [mention for mention in own if mention not in based] or own
        further = [mention for mention in further if not (mention.looks_back or mention in based)] or further
    return own + further


def _leading(reading: Reading, index: int) -> list[Span]:
    """The stretches of time that a sentence names before its first number: a heading, "In 2023, rent was"."""
    start, end = reading.sentences[index]
    first = next((number.start for number in reading.written(start, end)), end)
    return _long(_absolute(one for one in reading.spoken(start, first) if not reading.is_end(one)))


def _absolute(spoken: Iterable[Mention]) -> list[Span]:
    return [one.span for one in spoken if one.span and not one.is_base]


def _long(spans: Iterable[Span]) -> list[Span]:
    """What others may be of too: no days."""
    return [span for span in spans if span[0] != span[1]]


_ENTITY = regex.compile(r"&(?:[a-z]{2,8}|#\d{2,5});")
_LONGEST = 10  # characters of an entity
_CLOSED = regex.compile(r"</[a-z]", regex.I)


def _plain(body: str) -> str:
    """A text with its markup and its entities as plain signs, place for place."""
    if "&" in body:
        body = _ENTITY.sub(lambda found: html.unescape(found[0]).rjust(len(found[0]))[-len(found[0]) :], body)
    return unmarked(body) if _CLOSED.search(body) else body


def _whole(body: str, start: int, end: int) -> tuple[int, int]:
    """The span of a number with the whole of an entity that it begins with: its sign is read at the entity's last place."""
    for found in _ENTITY.finditer(body, max(start - _LONGEST, 0), end):
        if found.start() < start < found.end():
            return found.start(), end
    return start, end


def _blanked(body: str, covered: Iterable[tuple[int, int]]) -> str:
    """The text with what belongs to tables blanked out, place for place."""
    cuts = sorted({0, len(body), *(place for one in covered for place in one)})
    inside = list(covered)
    rest = "".join(
        " " * (high - low) if any(start <= low < end for start, end in inside) else body[low:high]
        for low, high in pairwise(cuts)
    )
    return _MARK.sub(" ", rest) if inside else rest


_MARK = regex.compile(r"(?m)^[a-h](?=\s\p{Lu})")  # of a note below a table, no article: "a Thousand tonnes"
