"""The headings of a table: which heading stands over which column, and what it declares (NUM-06).

A heading may stand over several columns: as HTML says it, or as a text over blank cells, from the left or in
their middle.
"""

from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal

import regex

from detection.core.chunks.tables.cells import Cell
from detection.core.chunks.tables.periods import Named, named
from detection.core.chunks.tables.terms import LONGEST, Terms, declared_scales, terms

_MOST = 8  # rows of headings; what stands above more of them is forgotten
_AS_DECIMAL = regex.compile(r"(?<=\b(?:19|20)\d\d)\.0+(?!\d)")  # a year that went through a spreadsheet
_GOES_ON = regex.compile(r"\b(?:than|of|and|to|from|in|the|by|per|for|or|over|&|net|-)$|[-/&]$")


class Heading:
    """What stands over one column."""

    __slots__ = ("named", "terms", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.terms: Terms = terms(text)
        self.named: Named = named(text)


class Headings:
    """The heading rows above the rows being read, and what they declare for the whole table."""

    def __init__(self) -> None:
        self.scale: Decimal | None = None
        self.currency = ""
        self.corner = ""
        self.spared: tuple[frozenset[str], ...] = ()
        self._rows: list[_Spread] = []
        self._columns: dict[int, Heading] = {}

    def __bool__(self) -> bool:
        return bool(self._rows)

    def restart(self) -> None:
        """Forget the headings of the columns; what was declared for the table goes on."""
        self._rows, self._columns = [], {}
        self.corner = ""

    def add(self, row: Sequence[Cell]) -> None:
        """One more row of headings, below those before."""
        spread = _Spread(row)
        self._rows = [*self._rows[1 - _MOST :], spread]
        self._columns = {}
        corner = " ".join(cell.text for cell in row if not cell.column)[:LONGEST]
        if corner:
            self.corner = f"{self.corner} {corner}".strip()[-LONGEST:]
            self.declare(corner)
        for cell in spread.cells:
            text = cell.text[:LONGEST]
            if declared_scales(text) and not terms(text).words:
                self.declare(text, over_columns=True)

    def declare(self, text: str, over_columns: bool = False) -> None:
        """Take in what ``text`` declares for the whole table."""
        said = terms(text)
        self.spared += said.spared if len(self.spared) < _MOST else ()
        if not over_columns or self.scale is None:
            self.scale = said.scale or self.scale
        self.currency = said.currency or self.currency

    def over(self, column: int) -> Heading:
        """The heading of a column: the texts above it, from top to bottom."""
        found = self._columns.get(column)
        if found is None:
            below = [*self._rows[1:], None] if self._rows else []
            texts = [row.over(column, under) for row, under in zip(self._rows, below, strict=True)]
            kept = [text for place, text in enumerate(texts) if text and text not in texts[:place]]
            text = _AS_DECIMAL.sub("", " ".join(kept)[:LONGEST])
            found = self._columns[column] = Heading(text)
        return found


class _Spread:
    """One row of headings, without the corner."""

    def __init__(self, row: Sequence[Cell]) -> None:
        self.cells = [cell for cell in row if cell.column and cell.text]
        self.starts = [cell.column for cell in self.cells]
        texts = [cell.text for cell in self.cells]
        apart = any(after - before > 1 for before, after in zip(self.starts, self.starts[1:], strict=False))
        self.spreads = (
            all(cell.width == 1 for cell in row)
            and not (apart and len(set(texts)) < len(texts))
            and not any(_GOES_ON.search(text) for text in texts)
        )

    def at(self, column: int) -> str:
        """The text that stands in ``column`` itself."""
        place = bisect_right(self.starts, column) - 1
        held = place >= 0 and column < self.starts[place] + self.cells[place].width
        return self.cells[place].text if held else ""

    def over(self, column: int, under: "_Spread | None") -> str:
        """The text above ``column``, with the row ``under`` it; that of a neighbour where the cell is blank and
        the neighbour spreads."""
        own = self.at(column)
        if own or not self.cells:
            return own
        if under is not None and (block := self._block(column, under)):
            return block
        if not self.spreads:
            return ""
        below = under.at(column) if under is not None else ""
        place = bisect_right(self.starts, column) - 1
        if place < 0:
            return self.cells[0].text if len(self.cells) == 1 or _spans(self.cells[0].text, below) else ""
        if self.starts[0] > 1 and place + 1 < len(self.starts):
            nearer = self.starts[place + 1] - column < column - self.starts[place]
            return self.cells[place + nearer].text
        return self.cells[place].text

    def _block(self, column: int, under: "_Spread") -> str:
        """The heading of a block of columns, where the row below repeats the same texts once for each heading."""
        blocks, texts = len(self.cells), [cell.text for cell in under.cells]
        size = len(texts) // blocks
        if blocks < 2 or size < 2 or texts != texts[:size] * blocks:
            return ""
        starts = under.starts[::size]
        own = [bisect_right(starts, start) - 1 for start in self.starts]
        return self.cells[bisect_right(starts, column) - 1].text if own == list(range(blocks)) else ""


def _spans(text: str, below: str) -> bool:
    """Whether a heading may begin left of where it is written: it names a period or a scale, or stands over one,
    and is not the first line of a heading that goes on in the next row."""
    return any(_is_common(part) for part in (text[:LONGEST], below[:LONGEST]))


def _is_common(text: str) -> bool:
    found = named(text)
    return bool(found.periods or found.part) or terms(text).scale is not None or text in ("$", "%")
