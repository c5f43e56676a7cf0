"""What a number may be reckoned from: the facts of a grid, and what they come to over those of a column, a row or a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value
from detection.core.matching.signs import is_called
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.types import Kind, NumericClaim

EVERY = -2
"""The place on an axis of a total of all labels."""
QUOTED = -1
"""The grid of a number of the answer itself."""
_FEW, _MOST_ADDED, _MOST_FACTS = 2, 60, 4_000
_AVERAGES = frozenset(("mean", "median"))
_GAP = 7  # days between pieces of a longer period


class Term(NamedTuple):
    """A value of the evidence with its slots. ``size`` is the value as a float, for quick comparison; ``pieces`` is of how many it is
    the total, 1 for a fact as it stands; ``place`` names the label on each axis, :data:`EVERY` where it is of all, ``names`` what
    those are called; ``grid`` counts the grids of the evidence."""

    size: float
    worth: Value
    kind: Kind
    unit: str
    place: tuple[int, ...]
    span: Span | None
    role: str
    pieces: int = 1
    names: tuple[str, ...] = ()
    grid: int = 0

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that it rests on."""
        return self.worth.facts


class Terms(NamedTuple):
    """The facts of all grids with a value and the totals that nothing states (``own``), and what is stated of the same figure at
    several times, in their order (``rows``)."""

    own: Sequence[Term]
    rows: Sequence[Sequence[Term]]

    def over(self, span: Span) -> Iterator[Term]:
        """The sums of pieces that make up a period without a gap."""
        for row in self.rows:
            inside = [one for one in row if one.span and periods.contains(span, one.span)]
            spans = [one.span for one in inside if one.span]
            whole = len(spans) >= _FEW and periods.same((spans[0][0], spans[-1][1]), span)
            if whole and all((after[0] - before[1]).days <= _GAP for before, after in pairwise(spans)):
                yield added(inside, inside[0].place, inside[0].names, (spans[0][0], spans[-1][1]))


def terms(grids: Sequence[Grid]) -> Terms:
    """What the grids of an answer's evidence give to reckon with."""
    own = [
        _of_fact(fact, grid, place)
        for place, grid in enumerate(grids)
        for fact in grid.facts[:_MOST_FACTS]
        if fact.value is not None and fact.kind != "date"
    ]
    laid = [one for one in own if not grids[one.grid].is_prose]
    totals = list(_totals(laid, grids))
    return Terms([*own, *totals], list(_over_time([*laid, *totals])))


def _of_fact(fact: Fact, grid: Grid, place: int) -> Term:
    value = fact.value or Decimal(0)
    names = tuple(grid.named(axis, at).casefold() for axis, at in enumerate(fact.at))
    return Term(
        float(value), Value(value, (fact,)), fact.kind, fact.unit, fact.at, fact.span, fact.role, names=names, grid=place
    )  # fmt: skip


def _totals(own: Sequence[Term], grids: Sequence[Grid]) -> Iterator[Term]:
    """The sums over one axis, where no total is stated; a table that goes on in another chunk is one."""
    for axis in (0, 1):
        groups: dict[object, list[Term]] = defaultdict(list)
        for one in own:
            across = not axis and grids[one.grid].is_list  # the columns of a list are of different things
            if (
                axis < len(one.place)
                and one.place[axis] != OPEN
                and not across
                and not grids[one.grid].is_recorded * (not axis)
                and not is_called(one.names[axis], "aggregations", _AVERAGES)
            ):
                rest = (*one.names[:axis], *one.names[axis + 1 :])
                groups[rest, one.span, one.role, one.kind, one.unit].append(one)
        for found in groups.values():
            stated = any(fact.is_total for one in found for fact in one.facts)
            apart = len({one.names[axis] for one in found}) == len(found)
            if not stated and apart and _FEW <= len(found) <= _MOST_ADDED:
                place = (*found[0].place[:axis], EVERY, *found[0].place[axis + 1 :])
                names = (*found[0].names[:axis], "", *found[0].names[axis + 1 :])
                yield added(found, place, names, found[0].span)


def added(found: Sequence[Term], place: tuple[int, ...], names: tuple[str, ...], span: Span | None) -> Term:
    """Several terms together."""
    total = sum((one.worth.value for one in found), Decimal(0))
    facts = tuple(fact for one in found for fact in one.facts)
    shown = " + ".join(plain(one.worth.value) for one in found)
    first = found[0]
    return Term(
        float(total), Value(total, facts, "sum", shown), first.kind, first.unit, place, span, first.role, sum(one.pieces for one in found), names, first.grid
    )  # fmt: skip


def _over_time(own: Sequence[Term]) -> Iterator[Sequence[Term]]:
    """The terms of one figure at several times of one length, in their order."""
    rows: dict[object, list[Term]] = defaultdict(list)
    for one in own:
        if one.span and (length := periods.granularity(one.span)) in ("month", "quarter", "half", "year"):
            rows[one.names, one.role, one.unit, one.kind, length].append(one)
    for row in rows.values():
        yield sorted({one.span: one for one in row}.values(), key=lambda one: one.span or ())


def quoted(number: NumericClaim, made: Value | None = None) -> Term:
    """A number of the answer that another may be reckoned from; ``made``: what it was itself reckoned from."""
    value = Decimal(number.value)
    worth = Value(value, made.facts, made.how) if made else Value(value, ())
    return Term(float(value), worth, number.kind, number.unit, (), None, "", grid=QUOTED)


def near(found: Iterable[Term], value: float, room: float) -> Iterator[Term]:
    """Those whose magnitude is that of ``value`` within ``room``."""
    low, high = abs(value) - room, abs(value) + room
    return (one for one in found if low <= abs(one.size) <= high)
