"""Headings that a chunk only says in words, for rows in the next: ``Columns: month, sales 2024, sales 2023``."""

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
_LONGEST, _SHORT = 1000, 160  # characters of a line that are looked at, and of one that may be a title
_LED = late(rf"(?i)(?<!\w)(?:{words.COLUMNS})\s*")
_PARTS = regex.compile(r"\s*(?:[;；、]|,(?!\s*(?:19|20)\d\d|\d{3}))\s*(?:(?:then|and)\s+)?", regex.I)
_SEMICOLONS = regex.compile(r"\s*[;；]\s*")
_SENTENCES = regex.compile(r"(?<=[.;。；])\s+")


def announced(lines: Sequence[Line], text: str) -> Grid | None:
    """The headings that the last lines of a chunk list; None where they list none."""
    for place in range(len(lines) - 1, max(len(lines) - 1 - _NEAR, -1), -1):
        line = lines[place]
        body = text[line.start : line.end]
        led = _LED.search(body) if len(body) <= _LONGEST else None
        parts = _listed(body[led.end() :]) if led else []
        if not parts and place == len(lines) - 1:
            parts = _bare(body)
        if parts:
            before = [
                *(_text(one) for one in lines[:place]),
                *_said_before(line, body[: led.start()] if led else ""),
            ]
            return _headed(parts, [one for one in before if one.text], line)
    return None


def _listed(body: str) -> list[str]:
    """The headings of a list; empty where it is no such list."""
    bare = body.strip().rstrip(".。")
    parts = _SEMICOLONS.split(bare) if len(_SEMICOLONS.findall(bare)) > 1 else _PARTS.split(bare)
    fits = _LEAST <= len(parts) <= _MOST and all(0 < len(one.split()) <= _MOST_WORDS for one in parts)
    return parts if fits and not any(said(one).sort in ("value", "dash") for one in parts) else []


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


def _said_before(line: Line, before: str) -> list[Text]:
    """The sentences of a line before its list that declare units."""
    found = [one for one in _SENTENCES.split(before) if declares(one)]
    return [Text(one, line.start, line.start + len(before)) for one in found]


def _text(line: Line) -> Text:
    return Text(line.text if declares(line.text) or len(line.text) < _SHORT else "", line.start, line.end)


def _headed(parts: list[str], captions: list[Text], line: Line) -> Grid:
    """Headings without rows; a unit in the place of the first is that of all, and stands over the labels."""
    if only_unit(parts[0]):
        captions = [*captions, Text(f"({parts[0]})", line.start, line.end)]
        parts = ["", *parts[1:]]
    heads = {place: [part] for place, part in enumerate(parts) if part}
    return Grid(captions, heads, columns=len(parts), start=line.start, end=line.end)
