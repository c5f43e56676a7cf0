"""Tables with one cell each of which the meaning is known, and how to find that cell."""

from decimal import Decimal
from typing import Any, NamedTuple

from detection.core.passages import read
from detection.core.places import Place, words


class Case(NamedTuple):
    """A chunk, a number as written in it (the last one, where it stands there twice), and what must be read.

    ``row`` and ``section`` are words that must be among those of the place, ``periods`` its ISO periods.
    """

    name: str
    chunk: str
    written: str
    expected: dict[str, Any]


def case(name: str, chunk: str, written: str, **expected: Any) -> Any:
    """A case of a table, told apart by its name."""
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
    expected = dict(one.expected)
    for name in ("row", "column", "section"):
        if name in expected:
            wanted = words(expected.pop(name))
            assert wanted <= getattr(place, name), (name, wanted, getattr(place, name))
    if "periods" in expected:
        assert place.periods == frozenset(expected.pop("periods").split()), place.periods
    if "years" in expected:
        assert place.years == frozenset(expected.pop("years").split()), place.years
    for name, wanted in expected.items():
        actual = getattr(place, name)
        if isinstance(actual, Decimal):
            wanted = Decimal(wanted)
        assert actual == wanted, (name, actual)
