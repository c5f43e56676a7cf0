"""What a model proposes, held against the text: words that stand there fill what the words at a number leave open.

A proposal counts only for a number that the reader found, written as it stands, and a slot only if its words stand in the
text and are no part of a number. So nothing can be invented, and no value comes from a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import regex

from detection.core.ports import Numbered, Proposed
from detection.core.quantities.features import is_meaning
from detection.core.quantities.quantity import Quantity, Tier
from detection.core.quantities.reading import Reading

_LONGEST = 80  # characters of the words of a slot
_CUES = {"role": "roles", "aggregation": "aggregations"}
Stretch = tuple[int, int]


def numbered(reading: Reading) -> Numbered:
    """What is asked about a text."""
    return Numbered(reading.text, tuple((one.start, one.end) for one in reading.values))


def accepted(asked: Numbered, proposals: Sequence[Proposed]) -> dict[int, dict[str, Stretch]]:
    """For each number by its start the slots that its proposal names, and where their words stand."""
    return {
        one.start: {
            slot: place for slot, words in one.words.items() if (place := _standing(words, one, asked))
        }
        for one in proposals
        if (one.start, one.end) in asked.spans and one.written == asked.text[one.start : one.end]
    }


def _standing(words: str, of: Proposed, asked: Numbered) -> Stretch | None:
    """Where words stand in the text nearest to a number, outside all numbers."""
    if not words.strip() or len(words) > _LONGEST:
        return None
    places = [
        one.span()
        for one in regex.finditer(rf"(?i)(?<!\w){regex.escape(words.strip())}(?!\w)", asked.text)
        if not any(low < one.end() and one.start() < high for low, high in asked.spans)
    ]
    return min(places, key=lambda place: max(place[0] - of.end, of.start - place[1]), default=None)


def named(one: Quantity, reading: Reading, slots: Mapping[str, Stretch]) -> Quantity:
    """A quantity whose own words leave a slot open, with the words that were proposed for it."""
    own = one.tiers[0]
    words, periods = dict(own.words), own.periods
    slots = open_slots(one, slots)
    for slot in ("metric", "entity"):
        if slot in slots:
            words |= {feature.name: 1.0 for feature in reading.within(*slots[slot])}
    if "period" in slots:
        periods = tuple(reading.spoken(*slots["period"]))
    cues = dict(one.cues)
    for slot, table in _CUES.items():
        if slot in slots:
            cues[table] = reading.keys(table, (slots[slot],))
    return replace(one, tiers=(Tier(words, periods), *one.tiers[1:]), cues=cues)


def open_slots(one: Quantity, slots: Mapping[str, Stretch]) -> dict[str, Stretch]:
    """Those of the proposed slots that the words at the number leave open."""
    taken = {"period": bool(one.tiers[0].periods), "metric": any(map(is_meaning, one.tiers[0].words))}
    taken |= {slot: bool(one.cue(table)) for slot, table in _CUES.items()}
    return {slot: place for slot, place in slots.items() if not taken.get(slot, False)}
