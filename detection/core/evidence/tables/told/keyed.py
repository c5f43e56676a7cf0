"""What the rows of a table are called that it only numbers: ``Row 1: Alba plant``, ``1 = Alba plant``, ``A: Alba plant``."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import regex

from detection.core.evidence.tables import words
from detection.core.evidence.tables.model import Row, Table
from detection.core.patterns import late

Keys = tuple[tuple[str, str], ...]
"""The rows of a table by what stands in their first cell, each with its name."""

_LEAST = 2  # rows, where a word says that they are rows, or a mark stands behind each key
_LEAST_BARE = 3  # rows, where neither does
_LONGEST = 60  # characters of a name
_MOST = 20_000  # characters of a chunk that are looked at
_KEY = r"(?P<key>\d{1,3}|[A-Z]{0,3}\d{1,3}|[A-Z])"
_START = late(
    rf"(?m)(?:^[ \t*•-]*|(?<=[.;,:；，。：]\s?))(?:(?P<row>(?i:{words.ROW_KEYS}))\s?)?{_KEY}(?![A-Za-z\d])(?P<sign>\s?[行号號项項])?"
    r"(?P<mark>\s?[:：=]|\s[–—-](?=\s))?\s?(?=\p{L})"
)
_END = regex.compile(r"[\n;；。=:：|]|[.](?:\s|$)")
_ROWS = late(rf"(?i)(?<!\w)(?:{words.ROW_KEYS})(?!\w)[^.\n]*$")
_CALLED = regex.compile(rf"(?:\p{{L}}+\s)?{_KEY}")


class _Entry(NamedTuple):
    """A key with its name and where both stand; ``marked``: a word or a mark says that it is one."""

    key: str
    name: str
    start: int
    end: int
    marked: bool


def keys_in(text: str) -> tuple[Keys, ...]:
    """The lists of a text that give names to the keys of rows."""
    runs: list[list[_Entry]] = []
    for one in _entries(text[:_MOST]):
        if (
            runs
            and not text[runs[-1][-1].end : one.start].strip(" \t\n.,;；，。*•-")
            and _follows(runs[-1], one)
        ):
            runs[-1].append(one)
        else:
            runs.append([one])
    return tuple(tuple((one.key, one.name) for one in run) for run in runs if _is_list(run, text))


def _entries(text: str) -> Iterator[_Entry]:
    starts = list(_START.finditer(text))
    for place, found in enumerate(starts):
        stop = _END.search(text, found.end())
        behind = [starts[place + 1].start()] if place + 1 < len(starts) else []
        end = min([*behind, stop.start() if stop else len(text)])
        name = text[found.end() : end].strip(" \t,，.")
        if name and len(name) <= _LONGEST:
            marked = bool(found["row"] or found["mark"])
            yield _Entry(found["key"], name, found.start(), end, marked)


def _follows(run: Sequence[_Entry], one: _Entry) -> bool:
    """Whether a key is the one behind the last: the next number or letter, with the same letters before it."""
    before, key = run[-1].key, one.key
    if before.isalpha() and key.isalpha():
        return ord(key) == ord(before) + 1
    lead, other = before.rstrip("0123456789"), key.rstrip("0123456789")
    counted = len(lead) < len(before) and len(other) < len(key)
    return counted and lead == other and int(key[len(other) :]) == int(before[len(lead) :]) + 1


def _is_list(run: Sequence[_Entry], text: str) -> bool:
    if all(one.marked for one in run):
        return len(run) >= _LEAST
    return len(run) >= _LEAST_BARE and _ROWS.search(text[: run[0].start]) is not None


def named_by(table: Table, lists: Sequence[Keys]) -> Table:
    """A table whose rows are called by nothing but the keys of one list, with their names."""
    called = [_CALLED.fullmatch(row.label) for row in table.rows]
    keys = [found["key"] for found in called if found]
    fits = [
        dict(one)
        for one in dict.fromkeys(lists)
        if len(one) == len(keys) and {k for k, _ in one} == set(keys)
    ]
    if len(fits) != 1 or len(keys) != len([row for row in table.rows if not row.is_total]):
        return table
    names = (fits[0].get(found["key"], "") if found else "" for found in called)
    return replace(table, rows=tuple(map(_named, table.rows, names)))


def _named(row: Row, name: str) -> Row:
    return replace(row, label=name, texts=(name, *row.texts[1:])) if name else row
