"""Headings that a chunk only says in words, for rows in the next: ``Columns: month, sales 2024, sales 2023``."""

from bisect import bisect_right
from collections.abc import Sequence

import regex

from detection.core import numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.heads import generic_label
from detection.core.evidence.tables.lines import Line
from detection.core.evidence.tables.model import Grid, Text
from detection.core.evidence.tables.units import declares, measure, only_unit
from detection.core.evidence.tables.values import is_period, said
from detection.core.patterns import late

_LEAST, _MOST = 3, 24  # headings
_MOST_WORDS = 7  # of a heading
_NEAR = 3  # lines at the end of a chunk
_ABOVE = 8  # lines above a table that may say something of it
_LONGEST, _SHORT = 1000, 160  # characters of a line that are looked at, and of one that may be a title
_LED = late(rf"(?i)(?<!\w)(?:{words.COLUMNS})\s*")
_PART_OF_YEAR = rf"(?:(?:{words.MONTHS})\.?(?:\s\d{{1,2}})?|Q[1-4]|[1-4]Q|H[12]|[12]H)"
_LAST_ONE = rf"(?:(?:then|{words.COLUMNS_AND})\s+)"
_MARKED = rf"(?:[;；、，]|,(?!\d{{3}})(?:(?<!\b{_PART_OF_YEAR},)|(?!\s*(?:19|20)\d\d)))"
_PARTS = late(rf"(?i)\s*{_MARKED}\s*{_LAST_ONE}?")
_LAST = late(rf"(?i){_MARKED}\s*{_LAST_ONE}")
_AND = late(rf"(?i)\s+(?:{words.COLUMNS_AND})\s+|(?<=\p{{Han}})(?:{words.COLUMNS_AND})(?=\p{{Han}})")
_STOPS = regex.compile(r"(?<=[.。])\s*(?=\s\p{Lu}|\s?\p{Lo})")
_SEMICOLONS = regex.compile(r"\s*[;；]\s*")
_SENTENCES = regex.compile(r"(?<=[.;。；])\s+")


def announced(lines: Sequence[Line], text: str) -> Grid | None:
    """The headings that the last lines of a chunk list; None where they list none."""
    for place in range(len(lines) - 1, max(len(lines) - 1 - _NEAR, -1), -1):
        line = lines[place]
        body = text[line.start : line.end]
        led = _LED.search(body) if len(body) <= _LONGEST else None
        listed, behind = _told(body[led.end() :]) if led else ("", "")
        parts = _listed(listed, led=True)
        if not parts and place == len(lines) - 1:
            parts = _bare(body)
        if parts:
            around = [
                *(_text(one) for one in lines[:place]),
                *_declaring(line, body[: led.start()] if led else ""),
                *_declaring(line, behind),
            ]
            return _headed(parts, [one for one in around if one.text], line)
    return None


def headed_in_words(grids: Sequence[Grid], lines: Sequence[Line], text: str) -> list[Grid]:
    """The tables of a chunk, before each without headings those that the lines right above it list."""
    found: list[Grid] = []
    for grid in grids:
        if grid.rows and not grid.heads:
            first = bisect_right(lines, min(row.start for row in grid.rows), key=lambda line: line.end)
            listed = announced(lines[max(first - _ABOVE, 0) : first], text) if first else None
            found += [listed] if listed else []
        found.append(grid)
    return found


def _told(body: str) -> tuple[str, str]:
    """What leads on to its first full stop that another sentence follows, and the sentences behind."""
    listed, *behind = _STOPS.split(body, maxsplit=1)
    return listed, " ".join(behind)


def _listed(body: str, *, led: bool = False) -> list[str]:
    """The headings of a list, the last two with "and" between them where one that is ``led`` to has no comma there; empty
    where it is no such list."""
    bare = body.strip().rstrip(".。")
    parts = _SEMICOLONS.split(bare) if len(_SEMICOLONS.findall(bare)) > 1 else _PARTS.split(bare)
    if led and len(parts) > 1 and not _LAST.search(bare):
        parts = [*parts[:-1], *_AND.split(parts[-1], maxsplit=1)]
    parts = [one for part in parts for one in _several_times(part)] if led else parts
    fits = _LEAST <= len(parts) <= _MOST and all(0 < len(one.split()) <= _MOST_WORDS for one in parts)
    return parts if fits and not any(said(one).sort in ("value", "dash") for one in parts) else []


def _several_times(part: str) -> list[str]:
    """The times that one part of a list names, ``January, February and March 2024``, each a heading; else the part."""
    times = [one for some in _PARTS.split(part) for one in _AND.split(some)]
    return times if len(times) > 1 and all(is_period(numbers.fold(one)[0]) for one in times) else [part]


def _bare(body: str) -> list[str]:
    """The headings of a last line that is nothing but a list of them: most name a time or what they measure."""
    if body.rstrip()[-1:] in ".!?。":
        return []
    parts = _listed(body)
    spoken = {word.casefold() for part in parts for word in part.split()}
    told = sum(_tells(one) for one in parts) + any(generic_label(one) for one in parts[:1])
    return parts if 2 * told > len(parts) and spoken.isdisjoint(words.FINITE) else []


def _tells(head: str) -> bool:
    own = measure(head)
    return is_period(numbers.fold(head)[0]) or own._replace(times=False) != measure("") or only_unit(head)


def _declaring(line: Line, around: str) -> list[Text]:
    """The sentences around the list of a line that declare units."""
    return [Text(one, line.start, line.end) for one in _SENTENCES.split(around) if declares(one)]


def _text(line: Line) -> Text:
    return Text(line.text if declares(line.text) or len(line.text) < _SHORT else "", line.start, line.end)


def _headed(parts: list[str], captions: list[Text], line: Line) -> Grid:
    """Headings without rows; a unit in the place of the first is that of all, and stands over the labels."""
    if only_unit(parts[0]):
        captions = [*captions, Text(f"({parts[0]})", line.start, line.end)]
        parts = ["", *parts[1:]]
    heads = {place: [part] for place, part in enumerate(parts) if part}
    return Grid(captions, heads, columns=len(parts), start=line.start, end=line.end)
