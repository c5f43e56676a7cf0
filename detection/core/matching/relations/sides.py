"""Whether one of two that words name lies on the side of the other that is said: "marketing was lower than cleaning"."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from detection.core.evidence import OPEN, Fact, Label
from detection.core.evidence.labels import totals
from detection.core.evidence.values import Value
from detection.core.matching.levels import Comparison
from detection.core.matching.relations.changes import says_up
from detection.core.matching.relations.multiples import has_moved, is_share, is_times
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Tier

_PAIR = 2


def sided(one: Comparison, first: Tier, second: Tier, key: str) -> Told | None:
    """Whether what the words before a word of order name lies there of what those behind it name, in every period of those
    that are listed; None where they do not name one figure of two, or two figures of one."""
    if len(one.grid.axes) < _PAIR:
        return None
    told = [
        _told(one, own, other, key)
        for own, other in _pairs(one, first, second)
        if None not in (own.value, other.value) and own.value != other.value
    ]
    listed = told if _lists_periods(one) else told[:1]
    return next((found for found in listed if not found.holds), told[0] if told else None)


def multiplied(one: Comparison, first: Tier, second: Tier, times: Decimal) -> Told | None:
    """Whether what the words before a multiple name is so many times what those behind it name: "private credit is twice the size
    of infrastructure debt", "lobbies take a third of the total". Without a value where it cannot be told of these two; None
    where the words behind name nothing of the grid."""
    names = any(_named(one, axis, second) != OPEN for axis in range(len(one.grid.axes)))
    pairs = [*_pairs(one, first, second), *(_of_whole(one, first, second) if times < 1 and not names else ())]
    told = [_as_often(one, own, other, times) for own, other in pairs if own.value and other.value]
    if told:
        return next((found for found in told if found.holds), told[0])
    return Told(holds=False) if names else None


def _as_often(one: Comparison, own: Fact, other: Fact, times: Decimal) -> Told:
    ratio = Decimal(own.value or 0) / Decimal(other.value or 1)
    shown = f"{plain(Decimal(own.value or 0))} / {plain(Decimal(other.value or 0))}"
    cues = one.quantity.cue("bounds")
    if one.quantity.by:
        holds = has_moved(ratio, times, says_up(one.quantity), cues)
    else:
        holds = (is_share if times < 1 else is_times)(ratio, times, cues)
    return Told(holds, Value(ratio, (own, other), "ratio", shown), one.grid)


def _of_whole(one: Comparison, first: Tier, second: Tier) -> Iterator[tuple[Fact, Fact]]:
    """A row of a column beside its total, where the words behind name the total or what stands above all rows."""
    own = _named(one, 0, first)
    rows = one.grid.axes[0].labels
    if own == OPEN or one.grid.is_list or not _is_heading(rows[own], second):
        return
    for span in _spans(one):
        part = fact_at(one, (own, OPEN), span)
        whole = [f for f in one.grid.facts if f.is_total and f.value is not None and f.span == span]
        if part and len(whole) == 1 and whole[0].at != part.at and whole[0].unit == part.unit:
            yield part, whole[0]


def _is_heading(row: Label, second: Tier) -> bool:
    """Whether words name what stands above a row, or a total."""
    above = frozenset(word for form in row.above for word in form)
    return bool((above | totals()) & second.words.keys())


def _spans(one: Comparison) -> Sequence[Span | None]:
    """The periods that are spoken of; where none is, the latest of the grid."""
    spans = one.spans()
    return spans if any(spans) or one.grid.is_recorded else (max(one.grid.spans, default=None),)


def _told(one: Comparison, own: Fact, other: Fact, key: str) -> Told:
    mine, theirs = Decimal(own.value or 0), Decimal(other.value or 0)
    shown = f"{plain(mine)} {'>' if mine > theirs else '<'} {plain(theirs)}"
    return Told((mine > theirs) == (key == "ahead"), Value(mine, (own, other), "order", shown), one.grid)


def _lists_periods(one: Comparison) -> bool:
    """Whether nothing but several periods is spoken of, each of them known: "in Q1 and Q3"."""
    said = [mention for mention in one.quantity.tiers[0].periods if not mention.is_base]
    return one.slots.span_tier == 0 and len(said) > 1 and len(said) == len(one.slots.now)


def _pairs(one: Comparison, first: Tier, second: Tier) -> Iterator[tuple[Fact, Fact]]:
    for axis in (1, 0):
        other = _named(one, axis, second)
        own = _named(one, axis, first) if other == OPEN else _subject(one, axis, first, other)
        rest = one.slots.axes[1 - axis]
        if own == other or OPEN in (own, other) or (axis and (rest.labels is None or rest.tier)):
            continue
        for label in rest.labels or (OPEN,):
            for span in _spans(one):
                found = [fact_at(one, (label, at) if axis else (at, label), span) for at in (own, other)]
                if found[0] and found[1] and (found[0].kind, found[0].unit) == (found[1].kind, found[1].unit):
                    yield found[0], found[1]


def _named(one: Comparison, axis: int, tier: Tier) -> int:
    """The one label that words name; open where none or several are."""
    labels, _ = one.grid.axes[axis].named(tier.words)
    return labels[0] if len(labels) == 1 else OPEN


def _subject(one: Comparison, axis: int, first: Tier, other: int) -> int:
    """What the words before name; where they name nothing, the one label beside the ``other`` that their sentence does: "The
    Mill is the oldest, and costs more than the Wharf"."""
    if one.grid.axes[axis].named(first.words)[0] or one.grid.is_prose or one.grid.is_recorded:
        return _named(one, axis, first)
    named = {at for tier in one.quantity.tiers[:2] for at in one.grid.axes[axis].named(tier.words)[0]}
    rest = named - {other}
    return rest.pop() if len(rest) == 1 else OPEN


def fact_at(one: Comparison, place: tuple[int, int], span: Span | None) -> Fact | None:
    """The only actual value at a place in a period."""
    found = [
        fact
        for fact in one.grid.at([(at,) for at in place])
        if fact.value is not None
        and fact.role in ("", "actual")
        and (span is None or fact.span in (None, span))
    ]
    return found[0] if len(found) == 1 else None
