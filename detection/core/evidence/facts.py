"""Facts: quantities of the evidence, each in its place of a grid of labels."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from detection.core.evidence.labels import Axis
from detection.core.periods import CALENDAR_YEAR, Calendar, Span
from detection.core.quantities.features import is_meaning
from detection.core.types import Figure, Kind

OPEN = -1
"""The place on an axis of a fact that no label of it names."""

TOLD = "name"
"""The axis of the names of which prose tells the same, by which such a list is told from a table."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A value with its slots. ``at`` holds its label on each axis of its grid, ``role`` what it is besides an actual
    value (``budget``, ``limit_min`` …), ``days`` a date's two ends; ``source`` and the offsets say where it is written,
    ``figure`` which record it is. ``direction`` is where a change went that it states,
    ``turn`` whether it is what a change came ``from`` or went ``to``, ``polarity`` a ``loss`` or a ``profit``, ``roles``
    what happened on a date. ``came``: where prose says that a figure went to be what it is, ``up`` or ``down``; ``since`` is
    the place of the one that it came from, or of how far it went; ``base`` of how far something went the period that it
    went from. ``whole``: the place of the number of which prose says that it is a part; ``basis``: what is taken off or added
    already, and what is not (``after_fees``). ``party``: the words for whose it is, where prose names several; ``series``: the
    column of what its source says alike of several names.
    """

    kind: Kind
    value: Decimal | None
    precision: Decimal
    unit: str
    at: tuple[int, ...]
    span: Span | None = None
    role: str = ""
    per: str = ""
    days: Span | None = None
    text: str = ""
    source: str | None = None
    start: int = 0
    end: int = 0
    figure: Figure | None = None
    is_none: bool = False
    is_total: bool = False
    bound: str = ""
    direction: str = ""
    turn: str = ""
    polarity: str = ""
    roles: frozenset[str] = frozenset()
    came: str = ""
    since: int = OPEN
    base: Span | None = None
    whole: int = OPEN
    basis: frozenset[str] = frozenset()
    party: frozenset[str] = frozenset()
    series: int = OPEN


class Grid:
    """Facts that stand side by side: the records, a table, or the prose of a source. ``scale`` is what the
    digits of amounts are multiplied by; 0 where amounts may be in thousands or millions, and nothing says so."""

    def __init__(
        self,
        name: str,
        axes: Sequence[Axis],
        facts: Iterable[Fact],
        calendar: Calendar = CALENDAR_YEAR,
        calendars: Mapping[int, Calendar] | None = None,
        *,
        scale: Decimal = Decimal(1),
    ) -> None:
        self.name, self.axes, self.facts, self.calendar = name, tuple(axes), tuple(facts), calendar
        self._calendars = calendars or {}
        labels = axes[0].labels if axes else ()
        self.meanings = frozenset(w for one in labels for form in one.forms for w in form if is_meaning(w))
        self.is_list = bool(axes) and axes[0].name == "column"
        self.scale = scale
        self.source = next((fact.source for fact in self.facts), None)
        self.is_recorded = name == "records"
        self.is_told = len(axes) > 1 and axes[1].name == TOLD
        self.is_prose = bool(axes) and axes[0].name == "words"
        self.parties = frozenset(word for fact in self.facts for word in fact.party)
        self.spans = tuple(dict.fromkeys(fact.span for fact in self.facts if fact.span))
        self._at: dict[tuple[int, ...], list[Fact]] = defaultdict(list)
        self._on: list[dict[int, list[Fact]]] = [defaultdict(list) for _ in axes]
        for fact in self.facts:
            self._at[fact.at].append(fact)
            for place, index in enumerate(fact.at):
                self._on[place][index].append(fact)
        self._ladder = sorted((abs(f.value), i) for i, f in enumerate(self.facts) if f.value is not None)

    def at(self, choices: Sequence[Sequence[int] | None]) -> Iterator[Fact]:
        """The facts at the chosen labels; None leaves an axis open."""
        if all(choice is not None for choice in choices):
            for place in product(*(choice or () for choice in choices)):
                yield from self._at.get(place, ())
            return
        narrow = [
            (sum(len(self._on[i].get(one, ())) for one in choice), i)
            for i, choice in enumerate(choices)
            if choice is not None
        ]
        facts: Iterable[Fact] = self.facts
        if narrow:
            _, axis = min(narrow)
            facts = (fact for one in choices[axis] or () for fact in self._on[axis].get(one, ()))
        for fact in facts:
            if all(choice is None or fact.at[i] in choice for i, choice in enumerate(choices)):
                yield fact

    def equal(self, value: Decimal, precision: Decimal) -> Iterator[Fact]:
        """The facts whose magnitude is that of ``value`` within ``precision``."""
        low = bisect_left(self._ladder, (abs(value) - precision, -1))
        high = bisect_right(self._ladder, (abs(value) + precision, len(self.facts)))
        for _, index in self._ladder[low:high]:
            yield self.facts[index]

    def calendars(self, entities: Sequence[int] | None) -> tuple[Calendar, ...]:
        """How those of the second axis name their periods."""
        found = [self._calendars.get(one, self.calendar) for one in entities or ()]
        return tuple({id(one): one for one in found}.values()) or (self.calendar,)

    def among(self, axis: int, fits: Callable[[Fact], bool]) -> frozenset[int]:
        """The labels of an axis that have a fact that ``fits``."""
        return frozenset(i for i, facts in self._on[axis].items() if any(map(fits, facts)))

    def holds(self, fact: Fact) -> bool:
        """Whether a fact is one of these."""
        return any(one is fact for one in self._at.get(fact.at, ()))

    def named(self, axis: int, at: int) -> str:
        """The text of a label."""
        return self.axes[axis].labels[at].text if at != OPEN else ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything an answer is compared with: the figures of record, the tables and the prose of its sources.

    ``timed_out``: the time was over before all were read.
    ``dates`` are those that prose names, ``unread`` counts sources that were left unread, ``unreadable`` names tables whose columns cannot be told.
    """

    records: Grid | None = None
    grids: tuple[Grid, ...] = ()
    read: int = 0
    unread: int = 0
    unreadable: tuple[str, ...] = ()
    dates: tuple[Fact, ...] = ()
    timed_out: bool = False

    @property
    def all(self) -> tuple[Grid, ...]:
        """The grids, the records first."""
        return (self.records, *self.grids) if self.records else self.grids
