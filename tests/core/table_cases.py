"""Tables with one cell each of which the meaning is known, and how to find that cell."""

from decimal import Decimal
from typing import Any, NamedTuple

from detection.core.chunks import Place, read, words


class Case(NamedTuple):
    """A chunk, a number as written in it (the last one, where it stands there twice), and what must be read.

    ``row``, ``column`` and ``section`` are words that must be among those of the place, ``periods`` and ``years`` are
    all that it has.
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


def found(chunk: str, written: str) -> Place:
    """The last number of the chunk that is written so."""
    places = [place for place in read("S1", chunk) if place.text == written and place.date is None]
    assert places, [place.text for place in read("S1", chunk)]
    return places[-1]


def check(one: Case) -> None:
    """Assert that the cell of a case is read as expected."""
    place = found(one.chunk, one.written)
    assert one.chunk[place.start : place.end] == one.written
    for name, wanted in one.expected.items():
        actual = getattr(place, name)
        if name in ("row", "column", "section"):
            assert words(wanted) <= actual, (name, actual)
        elif name in ("periods", "years"):
            assert actual == frozenset(wanted.split()), (name, actual)
        else:
            assert actual == wanted, (name, actual)
