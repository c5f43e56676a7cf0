"""What was read of a chunk, and how that is stored: compact and exact, without the id that the chunk had."""

import json
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from threading import Lock
from typing import Any, NamedTuple

from detection.core.evidence.facts import Fact, Grid
from detection.core.evidence.labels import Axis, Label
from detection.core.evidence.tables import Keys, Shape
from detection.core.periods import Calendar, Span

READER = 28
"""The version of the reader. It is raised whenever a chunk is read otherwise than before, so that nobody meets what an
older reader has stored: ``tests/core/test_frames.py`` asks for that."""
_MOST = 40_000  # facts that a process remembers of the chunks that it met last


class Outline(NamedTuple):
    """What other chunks need to know of one, told by its text and title alone.

    ``year_end`` is the month in which the fiscal year ends that it states, ``scale`` is the one that it declares,
    ``shapes`` its tables. ``leans``: a heading names a period that only the one which was asked for completes. ``keys`` are
    the lists that give names to rows.
    """

    year_end: int | None
    scale: Decimal | None
    shapes: tuple[Shape, ...]
    leans: bool
    keys: tuple[Keys, ...] = ()


class Frames(NamedTuple):
    """What was read of a chunk, or of all chunks of a document: the facts of its tables and of its prose, the dates that
    it names. ``headed`` counts values under a heading, ``unreadable`` says why a table cannot be read."""

    tables: tuple[Grid, ...] = ()
    prose: tuple[Grid, ...] = ()
    dates: tuple[Fact, ...] = ()
    headed: int = 0
    unreadable: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many facts it holds."""
        return len(self.dates) + sum(len(grid.facts) for grid in (*self.tables, *self.prose))


NOTHING = Frames()


class Recent:
    """The values that were asked for last, together no larger than ``most``; for threads together."""

    def __init__(self, most: int, size: Callable[[Any], int]) -> None:
        self._most, self._size = most, size
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._sum = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        """A value, None when it is not there."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            return None

    def put(self, key: Hashable, value: Any) -> None:
        """Keep a value; one that is larger than a tenth of everything is not kept."""
        size = 1 + self._size(value)
        if size * 10 > self._most:
            return
        with self._lock:
            if key not in self._kept:
                self._kept[key] = value
                self._sum += size
            while self._sum > self._most:
                _, gone = self._kept.popitem(last=False)
                self._sum -= 1 + self._size(gone)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._sum = 0


remembered = Recent(_MOST, lambda value: value.size if isinstance(value, Frames) else len(value.shapes))
"""Outlines by their key, frames by their key and the ids of the chunks."""


def pack_outline(outline: Outline) -> bytes:
    """An outline as it is stored."""
    shapes = [
        [[*one.heads.items()], one.columns, one.filled, one.captions, one.units] for one in outline.shapes
    ]
    return _packed([outline.year_end, str(outline.scale or ""), shapes, outline.leans, outline.keys])


def unpack_outline(stored: bytes) -> Outline:
    """The outline that :func:`pack_outline` wrote."""
    year_end, scale, shapes, leans, keys = _unpacked(stored)
    made = tuple(
        Shape({column: tuple(texts) for column, texts in heads}, columns, filled, tuple(above), tuple(units))
        for heads, columns, filled, above, units in shapes
    )
    named = tuple(tuple((key, name) for key, name in one) for one in keys)
    return Outline(year_end, Decimal(scale) if scale else None, made, leans, named)


def pack(frames: Frames, refs: Sequence[str]) -> bytes:
    """Frames as they are stored: with the place of a chunk among ``refs`` for its id."""
    texts = _Texts()
    places = {ref: place for place, ref in enumerate(refs)}
    grids = [
        [_grid(grid, places, texts) for grid in those if grid.facts]
        for those in (frames.tables, frames.prose)
    ]
    dates = [_fact(fact, places, texts) for fact in frames.dates]
    return _packed([[*texts.places], *grids, dates, frames.headed, frames.unreadable])


def unpack(stored: bytes, refs: Sequence[str], calendar: Calendar) -> Frames:
    """The frames that :func:`pack` wrote, of chunks that are called ``refs`` and follow a ``calendar``."""
    texts, tables, prose, dates, headed, unreadable = _unpacked(stored)
    grids = [tuple(_as_grid(one, refs, texts, calendar) for one in those) for those in (tables, prose)]
    named = tuple(_as_fact(one, refs, texts) for one in dates)
    return Frames(grids[0], grids[1], named, headed, tuple(unreadable))


def _packed(data: object) -> bytes:
    return zlib.compress(
        json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"), 1
    )


def _unpacked(stored: bytes) -> Any:
    return json.loads(zlib.decompress(stored).decode("utf-8", "surrogatepass"))


class _Texts:
    """Texts by their place in the list of all; the first is empty."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {"": 0}

    def __call__(self, text: str) -> int:
        return self.places.setdefault(text, len(self.places))

    def all(self, those: Iterable[str]) -> list[int]:
        """The places of some, in order of their letters."""
        return [self(text) for text in sorted(those)]


def _grid(grid: Grid, places: dict[str, int], texts: _Texts) -> list[Any]:
    axes = [[texts(axis.name), axis.least, [_label(one, texts) for one in axis.labels]] for axis in grid.axes]
    place = places[grid.source or ""]
    return [place, str(grid.scale), axes, [_fact(fact, places, texts) for fact in grid.facts]]


def _as_grid(data: Any, refs: Sequence[str], texts: Sequence[str], calendar: Calendar) -> Grid:
    place, scale, axes, facts = data
    made = [
        Axis(texts[name], [_as_label(one, texts) for one in labels], least) for name, least, labels in axes
    ]
    kind = "prose" if made[0].name == "words" else "table"
    read = (_as_fact(one, refs, texts) for one in facts)
    return Grid(f"{kind} {refs[place]}", made, read, calendar, scale=Decimal(scale))


def _label(one: Label, texts: _Texts) -> list[Any]:
    forms = [texts.all(form) for form in one.forms]
    return [texts(one.text), forms, [texts.all(form) for form in one.above]]


def _as_label(data: Any, texts: Sequence[str]) -> Label:
    text, forms, above = data
    named, under = (
        tuple(frozenset(texts[word] for word in words) for words in those) for those in (forms, above)
    )
    return Label(texts[text], named, under)


def _fact(one: Fact, places: dict[str, int], texts: _Texts) -> list[Any]:
    """A fact by its slots, the rarer ones last and left out where they are empty."""
    data = [
        texts(one.kind), None if one.value is None else str(one.value), str(one.precision), texts(one.unit), one.at,
        texts(one.text), places[one.source or ""], one.start, one.end, _days(one.span), texts(one.role), texts(one.per),
        texts(one.direction), texts(one.bound), int(one.is_total), int(one.is_none), texts(one.turn), texts(one.polarity),
        _days(one.days), texts.all(one.roles) or 0, texts(one.came), one.since + 1, _days(one.base), one.whole + 1,
        texts.all(one.basis) or 0, texts.all(one.party) or 0, one.series + 1,
    ]  # fmt: skip
    while data[-1] == 0:
        data.pop()
    return data


_EMPTY: tuple[Any, ...] = (0,) * 27
_NONE: frozenset[str] = frozenset()


def _as_fact(data: Sequence[Any], refs: Sequence[str], texts: Sequence[str]) -> Fact:
    (
        kind, value, precision, unit, at, text, place, start, end, span, role, per, direction, bound, total, none, turn,
        polarity, days, roles, came, since, base, whole, basis, party, series,
    ) = (*data, *_EMPTY[len(data) :])  # fmt: skip
    return Fact(
        texts[kind], None if value is None else Decimal(value), Decimal(precision), texts[unit], tuple(at), _as_days(span),
        texts[role], texts[per], _as_days(days), texts[text], refs[place], start, end, None, bool(none), bool(total),
        texts[bound], texts[direction], texts[turn], texts[polarity], _as_set(roles, texts), texts[came], since - 1,
        _as_days(base), whole - 1, _as_set(basis, texts), _as_set(party, texts), series - 1,
    )  # fmt: skip


def _as_set(places: Any, texts: Sequence[str]) -> frozenset[str]:
    return frozenset(texts[one] for one in places) if places else _NONE


def _days(span: Span | None) -> Any:
    return [span[0].toordinal(), span[1].toordinal()] if span else 0


def _as_days(data: Any) -> Span | None:
    return (date.fromordinal(data[0]), date.fromordinal(data[1])) if data else None
