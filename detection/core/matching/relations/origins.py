"""What a figure was before the change that prose tells of it: "1.37 %, down 0.08 points" was 1.45 %."""

from collections.abc import Iterator
from decimal import Decimal

from detection.core import periods
from detection.core.evidence import OPEN, Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.slots import fits
from detection.core.numbers import plain
from detection.core.periods import Mention, Span

_SLACK = 7  # days between the end of a year and the start of the next
_EDGES = frozenset((0, 4))  # early, the first day


def matches(one: Comparison) -> Iterator[Match]:
    """The values that the figure had before it changed, where the words say that they speak of that time."""
    named = one.slots.axes[0]
    if not one.grid.is_prose or named.labels is None or named.tier > 0 or bounded(one.quantity):
        return
    claimed, room = Decimal(one.quantity.number.value), slack(one.quantity.number)
    for place in one.places():
        for fact in one.grid.at([None if label == OPEN else (label,) for label in place]):
            move = next(one.grid.at(((fact.since,), None)), None) if fact.since != OPEN else None
            if move is None or not fits(one.quantity, fact) or not _speaks_of(one, fact, move):
                continue
            value = before(fact, move)
            if value is not None and abs(value.value - claimed) <= room:
                yield Match(value)


def before(fact: Fact, move: Fact) -> Value | None:
    """What a figure was before a move by an amount, by points or by per cent; None where that cannot be told."""
    if fact.value is None or not move.value or move.direction not in ("up", "down"):
        return None
    far, up = abs(move.value), move.direction == "up"
    if move.unit == "%" and fact.kind in ("currency", "number"):
        times = 1 + far / 100 * (1 if up else -1)
        if times <= 0:
            return None
        shown = f"{plain(fact.value)} / (1 {'+' if up else '−'} {plain(far)} %)"
        return Value(fact.value / times, (fact, move), "ratio", shown)
    in_points = fact.kind == "percentage" and fact.unit == "%" and move.unit == "pp"
    in_amounts = fact.kind == move.kind != "percentage" and fact.unit == move.unit
    if not in_points and not in_amounts:
        return None
    shown = f"{plain(fact.value)} {'−' if up else '+'} {plain(far)}"
    return Value(fact.value - far if up else fact.value + far, (fact, move), "difference", shown)


def _speaks_of(one: Comparison, fact: Fact, move: Fact) -> bool:
    """Whether the words speak of the time before a move: they call the number what another came from, or name the period."""
    quantity, own = one.quantity, one.quantity.tiers[0].periods
    named = [span for span in one.slots.now if span and one.slots.span_tier < 2]
    then = [span for span in (*named, *one.slots.bases) if _is_before(span, fact, move)]
    if quantity.is_base:
        now = fact.span is None or not named or any(periods.same(fact.span, span) for span in named)
        return bool(then) or (now and not one.slots.bases)
    if fact.span is None:
        return any(map(_goes_back, own))
    return bool(then) and one.slots.span_tier == 0


def _goes_back(mention: Mention) -> bool:
    """Whether words name an earlier time than the one spoken of: "a year earlier", "at the start of the year"."""
    return mention.looks_back or (mention.away is not None and mention.third in _EDGES)


def _is_before(span: Span, fact: Fact, move: Fact) -> bool:
    """Whether a period is the one from which a move went; where nothing says which it was, the year before a year."""
    if fact.span is None:
        return False
    if move.base is None:
        back = periods.year_back(fact.span)
        return periods.same(span, back) and periods.same(back, periods.before(fact.span))
    if move.base[0] != move.base[1]:
        return periods.same(span, move.base)
    apart = (abs((day - move.base[0]).days) for day in span)
    return span[1] < fact.span[1] and min(apart) <= _SLACK
