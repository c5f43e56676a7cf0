"""The prose of sources with what a model proposes for its numbers: metric, period and role where its own words leave them open."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from detection.core import periods, text
from detection.core.evidence.facts import Evidence, Fact, Grid
from detection.core.evidence.labels import Axis, Label
from detection.core.ports import SlotReader
from detection.core.quantities import Quantity, Reading, accepted, numbered, open_slots
from detection.core.types import Source

Slots = Mapping[str, tuple[int, int]]


def with_proposals(known: Evidence, sources: Sequence[Source], reader: SlotReader) -> Evidence:
    """The evidence with the slots that ``reader`` names; one question for each source with prose."""
    texts = {source.ref: source.text for source in sources}
    read = {
        ref: Reading(texts[ref], text.detect_language(texts[ref]), grid.calendar)
        for grid in known.grids
        if grid.is_prose and (ref := grid.source or "") in texts
    }
    found = {ref: {one.number.start: one for one in reading.quantities()} for ref, reading in read.items()}
    asked = {ref: numbered(reading) for ref, reading in read.items()}
    proposals = dict(zip(asked, reader.propose([*asked.values()]), strict=True))
    slots = {ref: accepted(asked[ref], proposals[ref]) for ref in asked}
    grids = (
        _named(grid, read[ref], found[ref], slots[ref])
        if grid.is_prose and slots.get(ref := grid.source or "")
        else grid
        for grid in known.grids
    )
    return replace(known, grids=tuple(grids))


def _named(grid: Grid, reading: Reading, found: Mapping[int, Quantity], slots: Mapping[int, Slots]) -> Grid:
    labels = list(grid.axes[0].labels)
    facts = []
    for fact in grid.facts:
        one = found.get(fact.start)
        more = open_slots(one, slots.get(fact.start, {})) if one else {}
        if "metric" in more:
            labels[fact.at[0]] = _called(labels[fact.at[0]], reading, more["metric"])
        facts.append(_told(fact, reading, more))
    axes = (Axis(grid.axes[0].name, labels, grid.axes[0].least), *grid.axes[1:])
    return Grid(grid.name, axes, facts, grid.calendar, scale=grid.scale)


def _called(label: Label, reading: Reading, place: tuple[int, int]) -> Label:
    words = frozenset(one.name for one in reading.within(*place))
    return replace(label, forms=tuple(form | words for form in label.forms) or (words,))


def _told(fact: Fact, reading: Reading, more: Slots) -> Fact:
    """A fact with the period and the role that are proposed, where it has none."""
    if "period" in more and fact.span is None:
        spans = [
            span
            for one in reading.spoken(*more["period"])
            for span in periods.resolve(one, (), reading.calendar)
        ]
        fact = replace(fact, span=spans[0] if spans else None)
    if "role" in more and not fact.role:
        fact = replace(fact, role=min(reading.keys("roles", (more["role"],)) - {"actual"}, default=""))
    return fact
