"""Tables with one cell each of which the meaning is known, and how to find that cell."""

from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from detection.core import evidence, periods
from detection.core.evidence import tables
from detection.core.types import Case as Answer
from detection.core.types import Source, never


class Place(NamedTuple):
    """A number of a source: ``row``, ``column`` and ``section`` are the words beside, above and over it, ``table`` is the
    number of its table, -1 in prose. ``value`` is in major units, its scale applied; of a date None."""

    text: str
    value: Decimal | None
    unit: str
    span: tuple[date, date] | None
    start: int
    end: int
    table: int = -1
    row: str = ""
    column: str = ""
    section: str = ""

    @property
    def iso(self) -> str:
        """Its period in ISO form; empty without one."""
        return periods.iso(self.span) if self.span else ""


class Case(NamedTuple):
    """A chunk, a number as written in it (the last one, where it stands there twice), and what must be read.

    ``row``, ``column`` and ``section`` are words that must be among those of the place (none where they are empty);
    ``periods`` are ISO forms and ``years`` years one of which its period is or lies in (none where they are empty);
    ``scale`` multiplies the value as it is written.
    """

    name: str
    chunk: str
    written: str
    expected: dict[str, Any]


def case(name: str, chunk: str, written: str, **expected: Any) -> Case:
    """A case of a table, told apart by its name; its value is given as text."""
    if "value" in expected:
        expected["value"] = Decimal(expected["value"])
    return Case(name, chunk, written, expected)


def read(chunk: str) -> list[Place]:
    """All numbers of a chunk in order, those of tables and of prose; dates of prose are left out."""
    source = Source("S1", chunk)
    grids = evidence.read(Answer("", sources=(source,)), never).grids
    spans = {(fact.start, fact.end): fact.span for grid in grids for fact in grid.facts}
    found: list[Place] = []
    for number, table in enumerate(tables.read(source)):
        for cell in table.cells if table.readable else ():
            row, column = table.rows[cell.row], table.columns[cell.column]
            found.append(
                Place(
                    cell.text, cell.value, cell.unit, spans.get((cell.start, cell.end)), cell.start, cell.end, number,
                    " ".join((row.label, *row.texts)), " ".join(column.heads), " ".join(row.sections),
                )
            )  # fmt: skip
    for prose in (grid for grid in grids if grid.is_prose):
        found += [
            Place(
                fact.text,
                fact.value,
                fact.unit,
                fact.span,
                fact.start,
                fact.end,
                row=prose.named(0, fact.at[0]),
            )
            for fact in prose.facts
        ]
    return sorted(found, key=lambda place: place.start)


def found(chunk: str, written: str) -> Place:
    """The last number of the chunk that is written so."""
    places = read(chunk)
    assert written in [place.text for place in places], [place.text for place in places]
    return [place for place in places if place.text == written][-1]


def check(one: Case) -> None:
    """Assert that the cell of a case is read as expected."""
    place = found(one.chunk, one.written)
    assert one.chunk[place.start : place.end] == one.written
    expected = dict(one.expected)
    scale = expected.pop("scale", None)
    value = expected.pop("value", None)
    if value is not None:
        assert place.value == value * (scale or 1)
    elif scale is not None:
        digits = "".join(sign for sign in one.written if sign in "0123456789.")
        assert place.value == Decimal(digits) * scale
    for name, wanted in expected.items():
        if name in ("periods", "years"):
            ends = str(place.span[1].year) if place.span else ""
            told = place.iso in wanted.split() or (name == "years" and ends in wanted.split())
            assert told if wanted else place.span is None, (name, place.iso)
            continue
        actual = getattr(place, name)
        if name in ("row", "column", "section"):
            lacking = [word for word in wanted.split() if word not in actual.casefold()]
            assert not lacking if wanted else not actual, (name, actual)
        else:
            assert actual == wanted, (name, actual)
