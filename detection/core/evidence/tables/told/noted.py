"""Marks of notes behind headings and labels, ``Gold (koz) a``, where a line below the table begins with the mark."""

from collections.abc import Sequence
from dataclasses import replace

import regex

from detection.core.evidence.tables.model import Grid, GridRow

_BELOW = 1200  # characters behind a table in which its notes stand
_NOTE = regex.compile(
    r"(?:^|\n|[.;。]\s)[ \t|]*(\([a-z]\)|\[[a-z]\]|[a-h]\)?|[א-ה])[.)]?\s+(?=[\p{Lu}\p{Lo}])"
)


def without_marks(grid: Grid, body: str) -> Grid:
    """A table with its headings and labels without the marks of the notes that stand below it."""
    marks = {
        found[1].rstrip(")") if found[1][0] not in "([" else found[1]
        for found in _NOTE.finditer(body[grid.end :][:_BELOW])
    }
    if not marks:
        return grid
    ends = regex.compile(rf"(?<=\S)(?:\s+|(?<=\)))(?:{'|'.join(map(regex.escape, sorted(marks)))})\)?$")
    heads = {column: _bare(texts, ends) for column, texts in grid.heads.items()}
    return replace(grid, heads=heads, rows=[_row(row, ends) for row in grid.rows])


def _bare(texts: Sequence[str], ends: "regex.Pattern[str]") -> list[str]:
    return [ends.sub("", text) for text in texts]


def _row(row: GridRow, ends: "regex.Pattern[str]") -> GridRow:
    first = row.pieces.get(0)
    if first is None or first.said.sort != "text":
        return row._replace(label=ends.sub("", row.label))
    told = first._replace(text=ends.sub("", first.text))
    return row._replace(label=ends.sub("", row.label), pieces={**row.pieces, 0: told})
