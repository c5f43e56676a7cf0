"""The prose of a source as facts in a grid, and the dates that it names."""

import html
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

import regex

from detection.core import periods, text
from detection.core.evidence.facts import OPEN, Fact, Grid
from detection.core.evidence.labels import Axis, Label
from detection.core.evidence.moves import Move, is_move, moves
from detection.core.evidence.tables.markup import unmarked
from detection.core.evidence.times import when
from detection.core.periods import Calendar, Mention, Span
from detection.core.quantities import Quantity, Reading, Tier, basis
from detection.core.quantities.measures import measured_in
from detection.core.types import Source

NOBODY = Axis("entity", ())
_LEADS = 4  # sentences before one that may lead it in
_CARRIED = 0.8  # words of a prose number that are its own


def of_prose(
    source: Source, covered: Sequence[tuple[int, int]], calendar: Calendar
) -> tuple[tuple[Grid, ...], tuple[Fact, ...]]:
    """The numbers that the sentences of a source state outside its tables, and all days and periods that it names."""
    language = text.detect_language(source.text)
    dates = tuple(dates_of(source, language, calendar))
    body = _plain(_blanked(source.text, covered))
    if not body.strip():
        return (), dates
    reading = Reading(body, language, calendar)
    title = when(source.title, calendar, ()) or _leading(reading, 0)
    found = reading.quantities()
    if not found:
        return (), dates
    labels = [Label(_said(one, reading), _called(one)) for one in found]
    facts = [
        _stated(one, place, move, source, calendar, title, reading)
        for place, (one, move) in enumerate(zip(found, moves(found, reading), strict=True))
    ]
    return (Grid(f"prose {source.ref}", (Axis("words", labels), NOBODY), facts, calendar),), dates


def _called(one: Quantity) -> tuple[frozenset[str], ...]:
    """The words that a number of prose is called by; also without those for what is taken off it."""
    own = frozenset(word for word, weight in one.tiers[0].words.items() if weight >= _CARRIED)
    bare = own - basis.words(one.cue("basis"))
    return (own, bare) if bare and bare != own else (own,)


def _polarity(one: Quantity) -> str:
    said = one.cue("polarity") & {"loss", "profit"}
    return min(said) if len(said) == 1 else ""


def dates_of(source: Source, language: str, calendar: Calendar) -> Iterator[Fact]:
    """The days and periods that a source names, its tables among them."""
    reading = Reading(f"{source.text}\n{source.title}", language, calendar, found=())
    for one in reading.periods:
        if one.span:
            yield Fact(
                "date", None, Decimal(0), "", (), days=one.span, text=reading.text[one.start : one.end], source=source.ref,
                start=one.start, end=one.end, roles=reading.nearest("date_roles", one.start, one.end),
            )  # fmt: skip


def _said(one: Quantity, reading: Reading) -> str:
    start, end = reading.sentences[one.sentence]
    return reading.text[start:end].strip()


def _stated(
    one: Quantity,
    place: int,
    move: Move,
    source: Source,
    calendar: Calendar,
    title: Sequence[Span],
    reading: Reading,
) -> Fact:
    number = one.number
    roles = (one.called or one.cue("roles")) - {"actual"}
    start, end = _whole(source.text, number.start, number.end)
    return Fact(
        number.kind, Decimal(number.value), number.precision, number.unit or measured_in(number), (place, OPEN), _when(one, calendar, title, reading),
        min(roles) if roles else "", " ".join(sorted(one.cue("per"))), None, source.text[start:end], source.ref, start, end,
        bound=number.bound or "", direction=one.direction if number.direction or one.by or number.unit == "pp" else "",
        turn="" if not one.direction else "from" if one.is_base else "to" if one.arrives else "", polarity=_polarity(one),
        came=move.way, since=move.since, base=_base(one, calendar, title, reading) if is_move(one) else None,
        basis=one.cue("basis"),
    )  # fmt: skip


def _when(one: Quantity, calendar: Calendar, title: Sequence[Span], reading: Reading) -> Span | None:
    """The period of a number of prose: the one that its sentence names for it; else that of what leads it in and of the
    title, unless they name several."""
    led = _led(one, reading)
    near = _near(one, led, title, reading)
    for mention in _spoken(one):
        for span in periods.resolve(mention, near, calendar)[:1]:
            return span
    told = {*led, *title[:1], *_long(_absolute(one.behind))}
    return told.pop() if len(told) == 1 and not one.is_base else None


def _led(one: Quantity, reading: Reading) -> list[Span]:
    """The periods of the nearest sentence before a number that leads it in."""
    before = range(one.sentence - 1, max(one.sentence - 1 - _LEADS, -1), -1)
    return next((spans for index in before if (spans := _leading(reading, index))), [])


def _near(one: Quantity, led: Sequence[Span], title: Sequence[Span], reading: Reading) -> list[Span]:
    """The periods that are spoken of around a number, the nearest first; where the whole text names no year, one that has
    no name, so that its quarters and months are told apart."""
    near = [*(span for tier in one.tiers[:2] for span in _absolute(tier.periods)), *led, *title]
    near += [span for tier in (*one.tiers[2:], Tier({}, one.behind)) for span in _absolute(tier.periods)]
    return near or ([periods.UNNAMED] if not any(mention.span for mention in reading.periods) else [])


def _base(one: Quantity, calendar: Calendar, title: Sequence[Span], reading: Reading) -> Span | None:
    """The period from which something went so far: "a year earlier", the first day of a year "since the start" of it."""
    near = _near(one, _led(one, reading), title, reading)
    said = [mention for tier in one.tiers[:2] for mention in tier.periods]
    for mention in said:
        since = mention.to_date == "year" and mention.start >= one.number.end
        if mention.is_base or mention.looks_back or since:
            for start, end in periods.resolve(mention, near, calendar)[:1]:
                return (start, start) if since else (start, end)
    return None


def _spoken(one: Quantity) -> list[Mention]:
    """The periods that a number may be of, the likeliest first: a move is of the one that it led to, and what another
    number is compared with ("the year before it was 15.06") is none of the sentence's."""
    own, further = ([*tier.periods] for tier in one.tiers[:2])
    if one.number.direction or one.by or one.number.unit == "pp":
        own = [mention for mention in own if not mention.is_base]
    if not one.is_base:
        further = [mention for mention in further if not mention.looks_back] or further
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
    return "".join(
        " " * (high - low) if any(start <= low < end for start, end in inside) else body[low:high]
        for low, high in pairwise(cuts)
    )
