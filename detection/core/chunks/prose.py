"""The numbers of running text in a source, each with the words of its sentence and its period (NUM-06)."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

import regex

from detection.core import numbers
from detection.core.binding import periods_of
from detection.core.chunks.chunk import Chunk
from detection.core.chunks.places import Place, Words, words, years
from detection.core.chunks.tables import year_of
from detection.core.numbers import iso_of, stated_scale
from detection.core.types import NumericClaim

_SENTENCE_END = regex.compile(
    r"(?<![A-Za-z]\.[A-Za-z])(?<!\b(?:no|inc|corp|vs|approx|ltd|co))\s?[.!?;](?=\s+\S)|[。！？；|\t]|\n"
)
_NAMES = 200  # characters before a list of numbers that may name them
_WRAPPED = 50  # characters; a shorter line is not broken off by its width
_BULLET = regex.compile(r"\s*(?:[-*•·–—>#]|\(?\w{1,3}[.)]\s|$)")
_TOGETHER = regex.compile(r"\brespectively\b|בהתאמה|分别|分別")
_JOINED = regex.compile(r"\s*(?:,|;|、|，)?\s*(?:and|or|to|&|ו|和|及|与|至)?\s*-?\s*")
_VERB = regex.compile(
    r"\s(?:was|were|is|are|totaled|totalled|amounted to|came to|of|stood at|reached|at)(?:\s(?:about|approximately))?\s*$|\s(?:היו|עמדו על|הסתכמו ב)-?\s*$|(?:分别|分別)(?:为|為|是|达)?\s*$"
)
_LISTED = regex.compile(r",\s*(?:and\s)?|\sand\s|\s&\s|\sו-?|、|和|及|与")


def places(chunk: Chunk, start: int, end: int) -> Iterator[Place]:
    """The numbers of the folded stretch of ``chunk``, dates among them, sentence by sentence."""
    folded = chunk.folded
    found = numbers.extract(folded[start:end])
    if not found:
        return
    starts = [claim.start + start for claim in found]
    low = start
    for high in _ends(folded, start, end):
        first, last = bisect_left(starts, low), bisect_left(starts, high)
        if first < last:
            yield from _sentence(chunk, start, found[first:last], low, high)
        low = high


def _ends(folded: str, start: int, end: int) -> Iterator[int]:
    """Where sentences end: at their marks, and at the end of a line unless the text is only broken there."""
    line = start
    for match in _SENTENCE_END.finditer(folded, start, end):
        if match.group() == "\n":
            before, line = line, match.end()
            if _goes_on(folded, before, match.start(), line):
                continue
        yield match.end()
    yield end


def _goes_on(folded: str, before: int, stop: int, line: int) -> bool:
    return (
        stop - before >= _WRAPPED
        and folded[stop - 1] not in ".!?:;"
        and not _BULLET.match(folded, line, line + 8)
    )


def _sentence(
    chunk: Chunk, offset: int, inside: Sequence[NumericClaim], low: int, high: int
) -> Iterator[Place]:
    folded = chunk.folded
    text = folded[low:high]
    context, dated = words(text), years(text)
    together = _TOGETHER.search(text) is not None
    periods: list[str | None] = [None] * len(inside)
    if any(one.kind == "date" for one in inside):
        periods = periods_of(text, [_moved(one, offset - low) for one in inside])
    shared = _shared(folded, offset, inside)
    others: dict[int, Words] = {}
    if together:
        runs = _runs(folded, offset, inside)
        periods = _in_order(inside, periods, runs)
        others = _others(folded, offset, inside, runs, low)
    for index, (claim, period) in enumerate(zip(shared, periods, strict=True)):
        start, end, original = chunk.original(claim.start + offset, claim.end + offset)
        value = claim.value if isinstance(claim.value, Decimal) else Decimal(0)
        own = others.get(index)
        yield Place(
            chunk.source, start, end, original, value, claim.unit, Decimal(1),
            context if own is None else context - own, frozenset(),
            frozenset((year_of(period),)) if period else dated,
            line=low if own is None else claim.start + offset,
            date=claim if claim.kind == "date" else None,
            periods=frozenset((period,)) if period else frozenset(),
        )  # fmt: skip


def _moved(claim: NumericClaim, places: int) -> NumericClaim:
    return replace(claim, start=claim.start + places, end=claim.end + places)


def _shared(folded: str, offset: int, inside: Sequence[NumericClaim]) -> list[NumericClaim]:
    """``$1.2 and $1.5 million``, ``5 and 6 %``: a unit and a scale stated once, with the last, hold for the whole
    list."""
    read = list(inside)
    for place in range(len(read) - 1, 0, -1):
        first, second = read[place - 1], read[place]
        if not isinstance(first.value, Decimal) or not isinstance(second.value, Decimal):
            continue
        if second.kind == "number" or first.noun or first.kind not in ("number", second.kind):
            continue
        if not _JOINED.fullmatch(folded, first.end + offset, second.start + offset):
            continue
        scale = stated_scale(second)
        if scale > 1 and stated_scale(first) == 1 and abs(first.value) < 1000:
            first = replace(first, value=first.value * scale, precision=first.precision * scale)
        if first.kind == "number":
            first = replace(first, kind=second.kind, unit=second.unit)
        if first.unit == second.unit:
            read[place - 1] = first
    return read


def _runs(folded: str, offset: int, inside: Sequence[NumericClaim]) -> list[range]:
    """The lists of two or more dates or of two or more numbers, as ranges of places in ``inside``."""
    runs, first = [], 0
    for place in range(1, len(inside) + 1):
        before = inside[place - 1]
        goes_on = (
            place < len(inside)
            and (before.kind == "date") == (inside[place].kind == "date")
            and _JOINED.fullmatch(folded, before.end + offset, inside[place].start + offset) is not None
        )
        if not goes_on:
            if place - first > 1:
                runs.append(range(first, place))
            first = place
    return runs


def _in_order(
    inside: Sequence[NumericClaim], periods: Sequence[str | None], runs: list[range]
) -> list[str | None]:
    """``$1 and $2 in 2019 and 2018, respectively``: a list of numbers goes with the next list of as many dates, else
    the last before it."""
    paired = list(periods)
    dated: dict[int, list[int]] = {}  # first places of the lists of dates, by their length
    for run in runs:
        if inside[run[0]].kind == "date":
            dated.setdefault(len(run), []).append(run[0])
    for run in runs:
        alike = dated.get(len(run))
        if inside[run[0]].kind == "date" or not alike:
            continue
        behind = bisect_left(alike, run[0])
        first = alike[min(behind, len(alike) - 1)]
        for place, when in zip(run, inside[first : first + len(run)], strict=True):
            known = when.start_date and when.end_date
            paired[place] = iso_of(when.start_date, when.end_date) if known else None
    return paired


def _others(
    folded: str, offset: int, inside: Sequence[NumericClaim], runs: list[range], low: int
) -> dict[int, Words]:
    """``Revenue and NOI were $3 and $1, respectively``: for each number of such a list, the words that name the
    other numbers and not this one."""
    found: dict[int, Words] = {}
    for run in runs:
        start = inside[run[0]].start + offset
        before = folded[max(low, start - _NAMES) : start]
        if inside[run[0]].kind == "date" or (verb := _VERB.search(before)) is None:
            continue
        items = [words(item) for item in _LISTED.split(before[: verb.start()])[-len(run) :]]
        if len(items) == len(run):
            every = frozenset[str]().union(*items)
            found.update((place, every - own) for place, own in zip(run, items, strict=True))
    return found
