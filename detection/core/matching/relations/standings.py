"""What is said of a number's place among others: the highest, third, ahead of. The number stands beside it, and says
which figure is ranked."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value
from detection.core.matching.judged import Judged
from detection.core.matching.relations.orders import RANKS, Told, has_place
from detection.core.numbers import plain
from detection.core.quantities import Quantity, Reading
from detection.core.quantities.reach import Reach
from detection.core.types import NumericClaim

_MOST = 400  # facts that one is ranked among
_LEAST_LINES = 3
_FAR = 60  # characters between a word of order and its number
_NEXT = 8  # characters from the end of its clause: "the best, with $304,121"


def standing(
    claim: NumericClaim,
    reading: Reading,
    judged: Mapping[int, tuple[Quantity, Judged]],
    reach: Reach | None = None,
) -> Told | None:
    """Whether the number beside a word of order has the place that it gives; ``judged`` are the numbers by where they
    start, ``reach`` says among how many. None where no number that the evidence states stands beside it."""
    table, _, key = str(claim.value).partition(":")
    before, behind = _beside(claim, reading, judged)
    if table == "directions":
        return _went(before, behind, key) if before and behind else None
    if table != "order":
        return None
    if key in ("ahead", "behind"):
        is_distance = before and not reading.text[before.end : claim.start].strip()
        return _compared(before, behind, key) if before and behind and not is_distance else None
    for found in (behind, before):
        if found is not None and key in RANKS and not found.value.how and not found.fact.is_total:
            return _placed(found.fact, found.grid, key, reach)
    return None


class _Stated(NamedTuple):
    """A number of the answer that the evidence supports: where it ends, the quantity, and what it rests on."""

    end: int
    quantity: Quantity
    value: Value
    grid: Grid

    @property
    def fact(self) -> Fact:
        """The first fact that it rests on."""
        return self.value.facts[0]


def _beside(
    claim: NumericClaim, reading: Reading, judged: Mapping[int, tuple[Quantity, Judged]]
) -> tuple[_Stated | None, _Stated | None]:
    """The numbers next to a claim: the last before it in its sentence, the first behind it in its clause or right after."""
    start, end = reading.sentences[reading.sentence_at(claim.start)]
    _, stop = reading.clause(claim.start, claim.end)
    before = [one for one in reading.written(start, claim.start) if claim.start - one.end <= _FAR]
    behind = [
        one for one in reading.written(claim.end, end) if one.start <= min(claim.end + _FAR, stop + _NEXT)
    ]
    if before and behind and not reading.text[before[-1].end : claim.start].strip():
        before.pop()  # how far the one lies from the other: "$33,915, $6,415 above the budget of $27,500"
    return _stated(before[-1:], judged), _stated(behind[:1], judged)


def _stated(numbers: Sequence[NumericClaim], judged: Mapping[int, tuple[Quantity, Judged]]) -> _Stated | None:
    """What supports a number."""
    for one in numbers:
        quantity, found = judged.get(one.start, (None, None))
        if quantity and found and found.outcome == "supported" and found.match and found.grid:
            value = found.match.value
            if value.facts and not found.grid.is_prose:
                return _Stated(one.end, quantity, value, found.grid)
    return None


def _are_alike(one: _Stated, other: _Stated) -> bool:
    """Whether two numbers are of one kind, unit and figure, or reckoned in one way."""
    first, second = one.quantity.number, other.quantity.number
    same = one.fact.at[0] == other.fact.at[0] and one.value.how == other.value.how
    moved = {one.value.how, other.value.how} & {"difference", "piece", "product"}
    return (
        (first.kind, first.unit) == (second.kind, second.unit)
        and one.grid is other.grid
        and same
        and not moved
    )


def _compared(before: _Stated, behind: _Stated, key: str) -> Told | None:
    """Whether one of two figures of a kind lies on the side of the other that is said."""
    if not _are_alike(before, behind):
        return None
    one, other = before.value.value, behind.value.value
    if before.value.facts == behind.value.facts:
        return None
    holds = one > other if key == "ahead" else one < other
    facts = (*before.value.facts, *behind.value.facts)
    value = Value(one, facts, "order", f"{plain(one)} {_sign(one, other)} {plain(other)}")
    return Told(holds, value, before.grid)


def _went(before: _Stated, behind: _Stated, key: str) -> Told | None:
    """Whether a figure went from one number to the next as is said: "to 94.0 %, then rose to 93.2 %"."""
    one, other = before.value.value, behind.value.value
    spans = before.fact.span, behind.fact.span
    dated = spans[0] and spans[1] and spans[0] < spans[1] and before.fact.at[1:] == behind.fact.at[1:]
    arrives = (
        behind.quantity.arrives
        and not before.quantity.is_base
        and not before.value.how
        and not behind.value.how
    )
    if (
        key not in ("up", "down")
        or not dated
        or not arrives
        or one == other
        or not _are_alike(before, behind)
    ):
        return None
    value = Value(
        other, (*behind.value.facts, *before.value.facts), "difference", f"{plain(other)} − {plain(one)}"
    )
    return Told((other > one) == (key == "up"), value, before.grid)


def _sign(one: Decimal, other: Decimal) -> str:
    return ">" if one > other else "<" if one < other else "="


def _placed(fact: Fact, grid: Grid, key: str, reach: Reach | None) -> Told | None:
    """Whether a fact has a place among those of its column, of its row or of its periods; denied where it has it in none."""
    groups = [group for group in _groups(fact, grid) if len(group) > 1]
    count = (reach.group or reach.least) if reach else None
    groups = [group for group in groups if len(group) == count] or groups
    if not groups or fact.value is None:
        return None
    holds = any(has_place(fact, group, key) for group in groups)
    return Told(holds, Value(fact.value, (fact,)), grid)


def _groups(fact: Fact, grid: Grid) -> Iterator[Sequence[Fact]]:
    known = [
        one for one in grid.facts if one.value is not None and one.kind == fact.kind and one.role == fact.role
    ]
    alike = [one for one in known if one.at[0] == fact.at[0] and not one.is_total][:_MOST]
    if len(fact.at) > 1 and fact.at[1] != OPEN:
        yield [one for one in alike if one.span == fact.span]
    here = [one for one in known if one.at == fact.at and one.span and fact.span]
    long = [one for one in here if periods.granularity(one.span) == periods.granularity(fact.span)]  # type: ignore[arg-type]  # has one
    yield long
    if fact.span:
        year = (fact.span[1].replace(month=1, day=1), fact.span[1].replace(month=12, day=31))
        yield [one for one in long if one.span and periods.contains(year, one.span)]
    lines = [
        one for one in known if one.at[1:] == fact.at[1:] and one.span == fact.span and _is_line(one, fact)
    ]
    if len(lines) >= _LEAST_LINES:
        yield lines[:_MOST]


def _is_line(one: Fact, fact: Fact) -> bool:
    """Whether two facts are lines of one section: of record, accounts whose codes begin alike."""
    if one.figure is None or fact.figure is None:
        return not one.is_total and one.unit == fact.unit
    return one.figure.field[:1].isdigit() and one.figure.field[:1] == fact.figure.field[:1]
