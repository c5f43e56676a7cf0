"""What a table of a source is: its rows, its columns, and the values that stand where they cross."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, NamedTuple

from detection.core.evidence.tables.lines import Piece
from detection.core.types import Kind

Shape = Literal["matrix", "list"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column. ``heads`` are the texts above it, top to bottom, without the unit that they declare."""

    index: int
    heads: tuple[str, ...]
    unit: str = ""
    per: str = ""
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of values. ``texts`` are all its cells of words, the label first."""

    index: int
    label: str
    sections: tuple[str, ...]
    is_total: bool
    texts: tuple[str, ...]
    is_vacant: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A value and where it is written. ``value`` is in major units, its scale applied, None for a date; ``precision``
    is half a unit of its last written digit; ``is_none`` marks a dash that states that there is none."""

    source: str
    start: int
    end: int
    text: str
    row: int
    column: int
    kind: Kind
    value: Decimal | None
    precision: Decimal
    unit: str
    per: str
    iso: str = ""
    is_none: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one chunk. ``start`` and ``end`` hold its rows with the headings and unit lines above them, ``told``
    the sentences between these, which are prose."""

    source: str
    start: int
    end: int
    caption: str
    title: str
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    cells: tuple[Cell, ...]
    shape: Shape
    readable: bool = True
    why: str = ""
    told: tuple[tuple[int, int], ...] = ()

    @property
    def covered(self) -> tuple[tuple[int, int], ...]:
        """The stretches that are no prose."""
        ends = [self.start, *(place for one in self.told for place in one), self.end]
        return tuple(zip(ends[::2], ends[1::2], strict=True))


# --- a table before its units are told ---


class Text(NamedTuple):
    """A line of words and where it stands."""

    text: str
    start: int
    end: int


class GridRow(NamedTuple):
    """A row: the piece in each of its columns that has one, the section heads above it."""

    pieces: dict[int, Piece]
    sections: tuple[str, ...]
    start: int
    end: int
    label: str = ""


def text_of(piece: Piece) -> Text:
    """The words of a piece and where they stand."""
    return Text(piece.text, piece.start, piece.end)


@dataclass(slots=True)
class Grid:
    """``heads`` are the texts above each column, top to bottom; ``texts`` the columns of words; ``ordered`` says that the
    order of values alone tells their columns; ``why`` tells why the columns cannot be told; ``told`` are the sentences
    between its lines."""

    captions: list[Text] = field(default_factory=list)
    heads: dict[int, list[str]] = field(default_factory=dict)
    rows: list[GridRow] = field(default_factory=list)
    texts: frozenset[int] = frozenset()
    columns: int = 0
    start: int = 0
    end: int = 0
    why: str = ""
    loose_head: str = ""
    ordered: bool = False
    told: tuple[tuple[int, int], ...] = ()

    @property
    def values(self) -> list[int]:
        """The columns of values."""
        return [column for column in range(self.columns) if column not in self.texts]
