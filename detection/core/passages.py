"""What a source chunk says in numbers: the cells of its tables and the numbers of its text (NUM-06)."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import regex

from detection.core import numbers
from detection.core.folding import fold
from detection.core.metrics import bind_periods
from detection.core.places import Place, Words, words, years
from detection.core.tables import BAR, Table
from detection.core.types import NumericClaim

_LINE = regex.compile(r"[^\n]*\n?")


def read(source: str, text: str) -> list[Place]:
    """Every number of a chunk: its tables' cells and its text's claims, dates among them."""
    folded, origin = fold(text)
    places: list[Place] = []
    prose: list[tuple[int, int]] = []
    table: list[tuple[int, str]] = []
    tables = 0
    for line in _LINE.finditer(folded):
        if BAR.search(line.group()):
            table.append((line.start(), line.group().rstrip("\n")))
            continue
        if table:
            places += Table(source, table, tables, folded).places()
            tables, table = tables + 1, []
        if line.group():
            prose.append(line.span())
    if table:
        places += Table(source, table, tables, folded).places()
    for start, end in prose:
        places += _prose(source, folded, start, end)
    return [_original(place, text, origin) for place in places]


def _original(place: Place, text: str, origin: list[int] | None) -> Place:
    start, end = place.start, place.end
    if origin is not None:
        start, end = origin[start], origin[end - 1] + 1
    return replace(place, start=start, end=end, text=text[start:end])


_SENTENCE_END = regex.compile(
    r"(?<![A-Za-z]\.[A-Za-z])(?<!\b(?:no|inc|corp|vs))\s?[.!?;](?=\s+\S)|[。！？；]"
)


def _prose(source: str, folded: str, start: int, end: int) -> Iterator[Place]:
    cuts = [match.end() for match in _SENTENCE_END.finditer(folded, start, end)]
    found = numbers.extract(folded[start:end])
    starts = [claim.start + start for claim in found]
    low = start
    for high in [*cuts, end]:
        inside = found[bisect_left(starts, low) : bisect_left(starts, high)]
        if inside:
            context, named = words(folded[low:high]), years(folded[low:high])
            for claim, period in zip(inside, bind_periods(inside), strict=True):
                yield _stated(
                    source, claim, start, context, frozenset((period[:4],)) if period else named, low
                )
        low = high


def _stated(source: str, claim: NumericClaim, offset: int, context: Words, named: Words, line: int) -> Place:
    date = claim if claim.kind == "date" else None
    value = claim.value if isinstance(claim.value, Decimal) else Decimal(0)
    start, end = claim.start + offset, claim.end + offset
    return Place(
        source,
        start,
        end,
        claim.text,
        value,
        claim.unit,
        Decimal(1),
        context,
        frozenset(),
        named,
        line=line,
        date=date,
    )
