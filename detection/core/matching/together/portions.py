"""What rows of a table that words name are together of its total: "Together that is 43 % of all debt", "fixed debt is 85 %
of the total"; what they come to, or one of them on average; and what figures that the answer states are together of another one."""

from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal
from itertools import product

from detection.core import periods
from detection.core.evidence import OPEN, Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, says
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.operations import MOVING, is_signed
from detection.core.matching.relations import parts
from detection.core.matching.together.quoted import Quoted
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Quantity

_PAIR = 2
_NEAR = 1  # the tier of the sentence


def matches(one: Comparison, beside: Sequence[Quoted]) -> Iterator[Match]:
    """What the rows that a quantity speaks of come to, beside what it says; one by which it is refuted where words say that
    they are taken together."""
    quantity = one.quantity
    if one.grid.is_prose or bounded(quantity) or quantity.by:
        return
    yield from _of_figures(one, beside)
    yield from _of_stated(one, beside)
    if is_portion(quantity):
        yield from _of_columns(one, beside)
    yield from _come_to(one)
    for group in () if one.grid.is_recorded else parts.groups(one):
        own = _meant(one, group, beside)
        total = sum((fact.value or Decimal(0) for fact in group), Decimal(0))
        if is_portion(quantity) and own and total:
            yield _share(quantity, own, total)
        elif _may_be(quantity, group[0]):
            yield from _amount(one, group, own)


def is_portion(quantity: Quantity) -> bool:
    """Whether a percentage is said to be a share: of something, by a word for it, or in brackets behind a figure."""
    number = quantity.number
    said = quantity.is_share or "share" in quantity.cue("operations")
    moved = quantity.direction in MOVING or quantity.by or "growth" in quantity.cue("operations")
    aside = quantity.in_brackets and not (moved or is_signed(quantity))
    return number.kind == "percentage" and number.unit == "%" and (said or aside)


def is_alone(quantity: Quantity, value: Value) -> bool:
    """Whether a share was taken of one figure where words say that several are taken together."""
    return value.how in ("ratio", "share") and len(value.facts) == _PAIR and is_together(quantity)


def is_together(quantity: Quantity) -> bool:
    """Whether a share is said to be that of several taken together, and not of one alone."""
    alone = "only" in quantity.cue("quantifiers")
    return quantity.is_share and "sum" in quantity.cue("operations") and not alone


def _of_stated(one: Comparison, beside: Sequence[Quoted]) -> Iterator[Match]:
    """What the figure that a sentence states right before a share is of the total of its column: "7.2 million (44 %)"."""
    quantity = one.quantity
    last = _last_before(quantity, beside)
    fact = last.fact if last and is_portion(quantity) else None
    if fact is None or not one.grid.holds(fact):
        return
    for group in parts.parts(one, fact.at[0], fact.span):
        total = sum((part.value or Decimal(0) for part in group), Decimal(0))
        if total and any(part is fact for part in group):
            yield _share(quantity, [fact], total)


def _columns(one: Comparison) -> Iterator[Sequence[Fact]]:
    """What may be taken together though nothing states its total: the rows of a column, of record the figures of all properties."""
    return _of_properties(one) if one.grid.is_recorded else parts.columns(one)


def _of_properties(one: Comparison) -> Iterator[Sequence[Fact]]:
    """The figures of all properties on record that are spoken of, in each period that is."""
    for label, span in product(one.slots.axes[0].labels or (), one.spans()):
        found = {fact.at[1]: fact for fact in one.grid.at([(label,), None]) if fact.span == span}
        if len(found) >= _PAIR and len({fact.unit for fact in found.values()}) == 1:
            yield list(found.values())


def _of_columns(one: Comparison, beside: Sequence[Quoted]) -> Iterator[Match]:
    """What the rows that a sentence names, or the figure that it states right before a share, are of a column whose total nothing
    states: such rows need not be the parts of a whole, so that no other share is refuted by it."""
    row = one.slots.axes[-1]
    named = set(row.labels or ()) - {OPEN} if row.tier <= _NEAR else set()
    for group in _columns(one):
        total = sum((fact.value or Decimal(0) for fact in group), Decimal(0))
        held = set(map(id, group))
        told = [said for said in beside if said.value and held >= set(map(id, said.value.facts))]
        last = _last_before(one.quantity, told)
        stated = last.value.facts if last and last.value else ()
        for own in ([fact for fact in group if fact.at[1] in named], stated):
            if own and total and (match := _share(one.quantity, own, total)).equal:
                yield match


def _come_to(one: Comparison) -> Iterator[Match]:
    """What an average that names no part may be the mean of: the rows of a column whose total nothing states, or a line in all of
    its periods of one length; and what the figures of all properties add up to, where its own words name none. Nothing else is
    refuted by it: others may be on record that the answer is not compared with."""
    quantity, recorded = one.quantity, one.grid.is_recorded
    names_one = recorded and not one.slots.axes[1].tier and "whole" not in quantity.cue("entities")
    if "mean" in quantity.cue("aggregations"):
        groups = (*(() if names_one else _columns(one)), *_lines(one))
        some = [(group, len(group)) for group in groups]
    elif (recorded or one.grid.is_told) and not names_one and _of_all(quantity):
        some = [(group, 1) for group in _columns(one) if one.grid.is_told or group[0].kind == "currency"]
    else:
        return
    found = (_of(quantity, group, count) for group, count in some if _may_be(quantity, group[0]))
    yield from (match for match in found if match.equal)


def _of_all(quantity: Quantity) -> bool:
    """Whether words say that a number is of all properties: "the portfolio's income", "total income"."""
    whole = "whole" in quantity.cue("entities") or "sum" in quantity.cue("aggregations")
    return whole or quantity.is_whole


def _may_be(quantity: Quantity, fact: Fact) -> bool:
    """Whether a number is of the kind and the unit of a figure; one without a unit may be an amount."""
    number, kinds = quantity.number, {quantity.number.kind, fact.kind}
    return (len(kinds) == 1 or kinds == {"currency", "number"}) and number.unit in ("", fact.unit)


def _lines(one: Comparison) -> Iterator[Sequence[Fact]]:
    """The figures of each line that the words name, by the length of their periods and what they are; of record those of the
    property that is meant."""
    rest = one.slots.axes[1].labels or () if one.grid.is_recorded else None
    for label in one.slots.axes[0].labels or ():
        alike: dict[Hashable, dict[Span, Fact]] = {}
        for fact in one.grid.at([(label,), *(rest for _ in one.grid.axes[1:])]):
            if fact.span and fact.value is not None:
                length = periods.granularity(fact.span)
                alike.setdefault((length, fact.role, fact.unit, fact.at), {})[fact.span] = fact
        yield from (list(some.values()) for some in alike.values() if len(some) > _PAIR)


def _last_before(quantity: Quantity, told: Sequence[Quoted]) -> Quoted | None:
    """The figure that the sentence of a quantity states right before it."""
    before = [
        said for said in told
        if said.quantity.sentence == quantity.sentence and said.quantity.number.start < quantity.number.start
    ]  # fmt: skip
    return max(before, key=lambda said: said.quantity.number.start, default=None)


def _of_figures(one: Comparison, beside: Sequence[Quoted]) -> Iterator[Match]:
    """What the figures that a sentence states before a share, said to be taken together, are of the figure that it is of."""
    quantity = one.quantity
    if quantity.number.kind != "percentage" or "sum" not in quantity.cue("operations"):
        return
    found = [
        said.fact
        for said in sorted(beside, key=lambda said: said.quantity.number.start)
        if said.quantity.sentence == quantity.sentence and said.quantity.number.start < quantity.number.start
        and said.fact is not None and said.fact.kind in ("currency", "number") and one.grid.holds(said.fact)
    ]  # fmt: skip
    stated = list(dict.fromkeys(found))
    for whole in _wholes(one, stated[0]) if len(stated) >= _PAIR else ():
        own = [fact for fact in stated if fact is not whole and fact.unit == whole.unit]
        if len(own) >= _PAIR and whole.value:
            yield _share(quantity, own, whole.value)


def _wholes(one: Comparison, part: Fact) -> Iterator[Fact]:
    """The figures of which words say that a share is, beside a part of them: of the same period and property."""
    shares = [formula.parts[1] for formula in one.quantity.formulas if formula.how == "share"]
    named = [tier.words for tiers in shares for tier in tiers] or [dict.fromkeys(one.quantity.share_of, 1.0)]
    labels = {label for words in named if words for label in one.grid.axes[0].named(words)[0]}
    beside = one.grid.at([tuple(labels), *([at] for at in part.at[1:])]) if labels else ()
    yield from (fact for fact in beside if fact.span == part.span and fact.kind == part.kind)


def _share(quantity: Quantity, own: Sequence[Fact], total: Decimal) -> Match:
    value = sum((fact.value or Decimal(0) for fact in own), Decimal(0))
    shown = " + ".join(plain(fact.value or Decimal(0)) for fact in own)
    shown = f"({shown}) / {plain(total)}" if len(own) > 1 else f"{shown} / {plain(total)}"
    share = 100 * value / total
    return Match(Value(share, tuple(own), "share", shown), equal=says(quantity, share))


def _amount(one: Comparison, group: Sequence[Fact], own: Sequence[Fact]) -> Iterator[Match]:
    """The sum of several rows that are named, and of all of them the mean."""
    if len(own) >= _PAIR:
        yield _of(one.quantity, own, 1)
    elif "mean" in one.quantity.cue("aggregations"):
        match = _of(one.quantity, group, len(group))
        if match.equal or not own:
            yield match


def _of(quantity: Quantity, facts: Sequence[Fact], count: int) -> Match:
    value = sum((fact.value or Decimal(0) for fact in facts), Decimal(0)) / count
    shown = " + ".join(plain(fact.value or Decimal(0)) for fact in facts)
    shown = f"({shown}) / {count}" if count > 1 else shown
    return Match(
        Value(value, tuple(facts), "mean" if count > 1 else "sum", shown), equal=says(quantity, value)
    )


def _meant(one: Comparison, group: Sequence[Fact], beside: Sequence[Quoted]) -> Sequence[Fact]:
    """The rows of a group that the nearest words name; where these take several together and name fewer, those whose figures
    the answer states before."""
    axis = 1 if one.grid.is_list else 0
    choice = one.slots.axes[axis]
    labels = (
        set(choice.labels or ()) - {OPEN}
        if choice.tier <= (_NEAR if is_together(one.quantity) else 0)
        else set()
    )
    if one.quantity.is_share and _other_whole(one, labels):
        return ()
    named = [fact for fact in group if fact.at[axis] in labels]
    if len(named) >= _PAIR or not is_together(one.quantity):
        return named
    stated = _before(one.quantity, beside, group)
    return stated if len(stated) >= _PAIR else ()


def _before(quantity: Quantity, beside: Sequence[Quoted], group: Sequence[Fact]) -> Sequence[Fact]:
    """The rows whose figures stand in the sentences right before, as far back as each states one."""
    found: list[Fact] = []
    sentence = quantity.sentence
    told: dict[int, list[Fact]] = {one.quantity.sentence: [] for one in beside}
    for one in beside:
        if one.fact is not None and one.quantity.number.start < quantity.number.start:
            told[one.quantity.sentence] += [fact for fact in group if fact is one.fact]
    while sentence in told or sentence == quantity.sentence:
        found = [*told.get(sentence, ()), *found]
        sentence -= 1
    return list(dict.fromkeys(found))


def _other_whole(one: Comparison, labels: set[int]) -> bool:
    """Whether words name another row or column as the whole."""
    words = dict.fromkeys(one.quantity.share_of, 1.0)
    axis = one.grid.axes[1 if one.grid.is_list else 0]
    named = {label for label in axis.named(words)[0] if label != OPEN} if words else set()
    totals = {fact.at[1 if one.grid.is_list else 0] for fact in one.grid.facts if fact.is_total}
    return bool(named - totals - labels)
