"""What a comparison found, as it is stored: candidates, slips and what became of each slot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal, TypeVar

from detection.core import lexicons
from detection.core.evidence import Fact, Grid
from detection.core.matching.beside import Beside
from detection.core.matching.judged import Judged
from detection.core.matching.levels import Match
from detection.core.matching.relations.told import Told
from detection.core.numbers import distance, how
from detection.core.periods import label
from detection.core.quantities import Quantity
from detection.core.text import Bare
from detection.core.types import Candidate, Figure, NumberMeasured, Slip, SlotCompared, SlotWords, Span

SlipCode = Literal["transposed", "period", "property", "metric", "scale", "sign", "role", "unit", "bound"]
_CODES: dict[str, SlipCode] = {
    "period": "period", "entity": "property", "metric": "metric", "sign": "sign", "role": "role", "unit": "unit",
    "bound": "bound",
}  # fmt: skip
_Words = TypeVar("_Words", SlotCompared, SlotWords)
_LONGEST = 60  # characters of a name that is kept


def told(empty: NumberMeasured, quantity: Quantity, found: Told | None, beside: Beside) -> NumberMeasured:
    """The record of a claim without digits: what says whether it holds, nothing where nothing tells."""
    if found is None or found.value is None:
        return empty
    value = found.value
    fact = value.facts[0] if value.facts else None
    text = fact.text if fact else ""
    candidate = Candidate(
        "derived", value.arithmetic or text, "", value.value, same=True, equal=found.holds,
        arithmetic=value.arithmetic or None, operands=_operands(value.facts),
        slots=beside.slots(quantity, Match(value, equal=found.holds), found.grid), **_of(fact.figure if fact else None),
    )  # fmt: skip
    whole = replace(empty, candidates=(candidate,))
    return _named(whole, found.grid, fact) if fact else whole


def figure(
    empty: NumberMeasured, quantity: Quantity, found: Judged, apart: Sequence[Judged], beside: Beside
) -> NumberMeasured:
    """The record of a figure; ``apart`` is what records alone and documents alone say, for whoever switches off one."""
    record = _Record(quantity, beside)
    candidates: list[Candidate] = []
    slips: list[Slip] = []
    if found.match is not None:
        candidates.append(record.own(found))
    candidates += [record.candidate(match, grid, same=True, equal=True) for match, grid in found.also]
    candidates += [
        record.candidate(one, found.grid, same=False, equal=False)
        for one in found.near
        if one is not found.match
    ]
    if found.outcome == "contradicted":
        slips += record.slips(found)
    for one in apart:
        if one.match is not None and one.grid is not found.grid:
            candidates.append(record.own(one))
            slips += record.slips(one) if one.outcome == "contradicted" else ()
    top = found.match or found.slip
    read = () if candidates or slips else beside.read(quantity)
    whole = replace(empty, candidates=tuple(candidates), slips=tuple(slips), slots=read)
    return _named(whole, found.grid, top.value.facts[0]) if top and top.value.facts else whole


def _named(whole: NumberMeasured, grid: Grid | None, fact: Fact) -> NumberMeasured:
    """The record with metric, period and property of what was compared."""
    if fact.figure:
        return replace(
            whole, metric=fact.figure.field, period=fact.figure.period, property=fact.figure.property
        )
    if grid is None or grid.is_prose:
        return whole
    return replace(whole, metric=grid.named(0, fact.at[0])[:_LONGEST] or None)


@dataclass(frozen=True, slots=True)
class _Record:
    """One quantity while what was found of it is written down."""

    quantity: Quantity
    beside: Beside

    def own(self, found: Judged) -> Candidate:
        """What was found at its own slots."""
        assert found.match is not None  # noqa: S101  # those without one have nothing of their own
        equal = found.outcome in ("supported", "unbound")
        return self.candidate(found.match, found.grid, same=found.outcome != "unbound", equal=equal)

    def slips(self, found: Judged) -> Iterator[Slip]:
        """How a wrong number came about: the value of another slot, or the right one misread."""
        if found.slip and found.slip.conflict in _CODES:
            shown = self.candidate(found.slip, found.grid, same=False, equal=False)
            yield Slip(_CODES[found.slip.conflict], "", shown)
        elif found.match:
            number = self.quantity.number
            code = how(Decimal(number.value), found.match.value.value, number.precision)
            if code:
                yield Slip(code, "", self.candidate(found.match, found.grid, same=True, equal=False))

    def candidate(self, match: Match, grid: Grid | None, *, same: bool, equal: bool) -> Candidate:
        """A value beside the number, and each slot of the one beside that of the other."""
        value, number = match.value, self.quantity.number
        apart, relative = distance(Decimal(number.value), value.value)
        fact = value.facts[0] if value.facts else None
        shown: dict[str, Any] = {
            "unit": number.unit, "value": value.value, "relative": relative, "absolute": apart, "same": same,
            "equal": equal, "slots": self.beside.slots(self.quantity, match, grid), **_of(fact.figure if fact else None),
        }  # fmt: skip
        if fact is None or value.how:
            operands = _operands(value.facts)
            if fact and fact.figure:
                shown["field"] = _name(fact.figure)
            return Candidate(
                "derived", value.arithmetic, arithmetic=value.arithmetic, operands=operands, **shown
            )
        if fact.figure:
            record = fact.figure
            return Candidate(
                "database", record.name, record=record.record, id=record.id, as_of=record.as_of, **shown
            )
        return Candidate(
            "document", fact.text, source=fact.source, start=fact.start, end=fact.end,
            field=grid.named(0, fact.at[0]) if grid and not grid.is_prose else None, period=label(fact.span) if fact.span else None, **shown,
        )  # fmt: skip


def _of(record: Figure | None) -> dict[str, Any]:
    if record is None:
        return {}
    return {"field": record.field, "period": record.period, "property": record.property}


def _name(record: Figure) -> str:
    """What a figure of record is called: by its concept, of which each language has a name, else as its account is."""
    return record.field if record.field in lexicons.concepts() else record.name


def _operands(facts: Sequence[Fact]) -> tuple[Span, ...]:
    return tuple(Span(fact.source, fact.start, fact.end, fact.text) for fact in facts if fact.source)


def marked(found: NumberMeasured, bare: Bare) -> NumberMeasured:
    """What is measured of a number, the words of its answer where they stand in it as it came."""
    return replace(
        found,
        slots=_placed(found.slots, bare),
        candidates=tuple(replace(one, slots=_placed(one.slots, bare)) for one in found.candidates),
        slips=tuple(
            replace(one, candidate=replace(one.candidate, slots=_placed(one.candidate.slots, bare)))
            for one in found.slips
        ),
    )


def _placed(slots: Sequence[SlotCompared], bare: Bare) -> tuple[SlotCompared, ...]:
    return tuple(_at(replace(one, parts=tuple(_at(part, bare) for part in one.parts)), bare) for one in slots)


def _at(one: _Words, bare: Bare) -> _Words:
    if one.start is None or one.end is None:
        return one
    start, end = bare.there(one.start, one.end)
    return replace(one, start=start, end=end)
