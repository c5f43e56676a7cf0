"""What is said of a number's place among others: the highest, third, ahead of. The number stands beside it, and says
which figure is ranked."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

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


def standing(
    claim: NumericClaim,
    reading: Reading,
    judged: Mapping[int, tuple[Quantity, Judged]],
    reach: Reach | None = None,
) -> Told | None:
    """Whether the number beside a word of order has the place that it gives; ``judged`` are the numbers by where they
    start, ``reach`` says among how many. None where no number that the evidence states stands beside it."""
    table, _, key = str(claim.value).partition(":")
    if table != "order":
        return None
    before, behind = _beside(claim, reading, judged)
    if key in ("ahead", "behind"):
        return _compared(before, behind, key) if before and behind else None
    for found in (behind, before):
        if found is not None and key in RANKS:
            return _placed(*found, key, reach)
    return None


def _beside(
    claim: NumericClaim, reading: Reading, judged: Mapping[int, tuple[Quantity, Judged]]
) -> tuple[tuple[Fact, Grid] | None, tuple[Fact, Grid] | None]:
    """The facts that the numbers next to a claim state: the last before it in its sentence, the first behind it in its clause."""
    index = reading.sentence_at(claim.start)
    start, _ = reading.sentences[index]
    _, end = reading.clause(claim.start, claim.end)
    before = [one for one in reading.written(start, claim.start) if claim.start - one.end <= _FAR]
    behind = [one for one in reading.written(claim.end, end) if one.start - claim.end <= _FAR]
    if before and behind and not reading.text[before[-1].end : claim.start].strip():
        before.pop()  # how far the one lies from the other: "$33,915, $6,415 above the budget of $27,500"
    return _stated(before[-1:], judged), _stated(behind[:1], judged)


def _stated(
    numbers: Sequence[NumericClaim], judged: Mapping[int, tuple[Quantity, Judged]]
) -> tuple[Fact, Grid] | None:
    """The one fact that supports a number."""
    for one in numbers:
        _, found = judged.get(one.start, (None, None))
        if found and found.outcome == "supported" and found.match and found.grid and not found.grid.is_prose:
            value = found.match.value
            if not value.how and len(value.facts) == 1 and not value.facts[0].is_total:
                return value.facts[0], found.grid
    return None


def _compared(before: tuple[Fact, Grid], behind: tuple[Fact, Grid], key: str) -> Told | None:
    """Whether one of two figures of a kind lies on the side of the other that is said."""
    (one, grid), (other, _) = before, behind
    if one.value is None or other.value is None or before[1] is not behind[1] or one.at[0] != other.at[0]:
        return None
    holds = one.value > other.value if key == "ahead" else one.value < other.value
    value = Value(
        one.value,
        (one, other),
        "order",
        f"{plain(one.value)} {_sign(one.value, other.value)} {plain(other.value)}",
    )
    return Told(holds, value, grid)


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
