"""What the words say that a number was reckoned from: "A as a percentage of B", "the difference between A and B", "A per B".

A sentence can be divided in more than one place; each division that its words allow is given, few of them.
"""

from collections.abc import Iterator
from itertools import islice

import regex

from detection.core.lexicons import Mark
from detection.core.quantities.quantity import Formula, Operation, Quantity, Tier
from detection.core.quantities.reading import Reading

_MOST, _MOST_LISTED, _FAR = 6, 6, 600  # divisions, things of a list, characters on either side
_THING, _WORDS = 24, 2  # characters and words of a thing that something is by one of
_BACK = 100  # characters back to it
_BY_ONE = regex.compile(
    r"(?i)(?:\s\p{Latin}+){0,3}(?P<by>\s)(?:per|each|every)\s|(?:\s\p{Latin}+)?(?P<by>\s)an?\s|\s?(?P<by>/)"
    r"|(?:\s[א-ת\"״]+)?(?P<by>\s)ל(?:כל\s|-)?(?=[א-ת])"
)
_LISTED = regex.compile(r"[,;、](?!\d)")
_PREFIXES = {
    "and": regex.compile(r"(?<=\s)ו-?(?=[א-ת])"),
    "over": regex.compile(r"(?<=\s)ל-?(?=[א-ת])"),
}  # of Hebrew words
_OVER = frozenset(("share", "ratio", "margin"))
Stretch = tuple[int, int]


def formulas(reading: Reading, one: Quantity) -> tuple[Formula, ...]:
    """How a number of ``reading`` may have been reckoned by what its sentence says; nothing where no word tells."""
    named = one.cue("operations") | one.cue("aggregations")
    if one.number.kind == "date":
        return ()
    whole = _around(reading, one)
    found: list[Formula] = list(_rates(reading, one, whole))
    for how in _operations(one, named):
        if how in ("share", "ratio"):
            found += _quotients(reading, how, whole)
        elif how == "difference":
            found += _differences(reading, whole)
        else:
            found += _together(reading, how, whole)
    return tuple(islice((formula for formula in found if _is_said(formula)), _MOST))


def _operations(one: Quantity, named: frozenset[str]) -> Iterator[Operation]:
    kind, unit = one.number.kind, one.number.unit
    if named & _OVER and kind == "percentage" and unit != "pp" and ("share" in named or not one.direction):
        yield "share"
    if named & _OVER and kind in ("ratio", "number"):
        yield "ratio"
    if "difference" in named:
        yield "difference"
    if "mean" in named:
        yield "mean"
    elif "sum" in named:
        yield "sum"


def _rates(reading: Reading, one: Quantity, whole: Stretch) -> Iterator[Formula]:
    """What an amount or a count is said to be by: "$3 a trip", "income per trip was $3", "平均每辆3元"."""
    number = one.number
    if number.kind not in ("currency", "number"):
        return
    behind = _BY_ONE.match(reading.text, number.end, whole[1])
    low = max(reading.sentences[one.sentence][0] if reading.sentences else 0, number.start - _BACK)
    before = [mark.end for mark in _marks(reading, "each", (low, number.start))]
    for start in [behind.end("by")] if behind else before[-1:]:
        end = min(start + _THING, whole[1] if behind else number.start)
        words = [found.name for found in reading.within(start, end)[:_WORDS]]
        units = [key for mark in reading.marks("units", start, end)[:1] for key in mark.value]
        if words or units:
            yield Formula("rate", (one.tiers[:1], (Tier(dict.fromkeys((*words, *units), 1.0)),)))


def _around(reading: Reading, one: Quantity) -> Stretch:
    """The words around a number, up to the numbers beside it."""
    number = one.number
    start, end = reading.sentences[one.sentence] if reading.sentences else (0, len(reading.text))
    low = max((n.end for n in reading.values if start <= n.start < n.end <= number.start), default=start)
    high = min((n.start for n in reading.values if number.end <= n.start < end), default=end)
    return max(low, number.start - _FAR), min(high, number.end + _FAR)


def _quotients(reading: Reading, how: Operation, whole: Stretch) -> Iterator[Formula]:
    found = list(_halves(reading, "over", whole))
    if not found and _marks(reading, "head", whole):
        found = list(_halves(reading, "within", (_after_head(reading, whole), whole[1])))
    for first, second in found:
        first = _after_head(reading, first), first[1]
        parts = _tiers(reading, first), _tiers(reading, second)
        yield Formula(how, parts)
        for place, half in enumerate((first, second)):
            for left, right in islice(_halves(reading, "and", half), 2):
                both = (*_tiers(reading, left), *_tiers(reading, right))
                yield Formula(how, (both, parts[1]) if not place else (parts[0], both))


def _differences(reading: Reading, whole: Stretch) -> Iterator[Formula]:
    start = _after_head(reading, whole)
    for first, second in (
        *_halves(reading, "minus", whole),
        *_halves(reading, "and", (start, whole[1])),
    ):
        yield Formula("difference", (_tiers(reading, first), _tiers(reading, second)))


def _together(reading: Reading, how: Operation, whole: Stretch) -> Iterator[Formula]:
    whole = _after_head(reading, whole), whole[1]
    cuts = [(mark.start, mark.end) for mark in _marks(reading, "and", whole)]
    cuts = sorted([*cuts, *(found.span() for found in _LISTED.finditer(reading.text, *whole))])
    starts, ends = [whole[0], *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), whole[1]]
    listed = [(low, high) for low, high in zip(starts, ends, strict=True) if reading.within(low, high)]
    if 2 <= len(listed) <= _MOST_LISTED:
        yield Formula(how, tuple(_tiers(reading, part) for part in listed))
    for first, second in _halves(reading, "and", whole):
        yield Formula(how, (_tiers(reading, first), _tiers(reading, second)))


def _marks(reading: Reading, key: str, whole: Stretch) -> list[Mark[frozenset[str]]]:
    found = [mark for mark in reading.marks("divisions", *whole) if key in mark.value]
    if key in _PREFIXES and reading.words.hebrew:
        found += [
            Mark(*one.span(), frozenset((key,))) for one in _PREFIXES[key].finditer(reading.text, *whole)
        ]
    return sorted(found, key=lambda mark: mark.start)


def _halves(reading: Reading, key: str, whole: Stretch) -> Iterator[tuple[Stretch, Stretch]]:
    for mark in _marks(reading, key, whole):
        first, second = (whole[0], mark.start), (mark.end, whole[1])
        if reading.within(*first) and (reading.within(*second) or reading.spoken(*second)):
            yield first, second


def _after_head(reading: Reading, whole: Stretch) -> int:
    """Where the words begin behind those that name the operation: "the percentage of"."""
    for mark in _marks(reading, "head", whole):
        if reading.within(mark.end, whole[1]):
            return mark.end
    return whole[0]


def _tiers(reading: Reading, stretch: Stretch) -> tuple[Tier, ...]:
    return (reading.stretch(*stretch),)


def _is_said(formula: Formula) -> bool:
    """Whether every part names something, and not all the same."""
    flat = [tier for part in formula.parts for tier in part]
    return (
        all(tier.words or tier.periods for tier in flat)
        and len({(frozenset(t.words), t.periods) for t in flat}) > 1
    )
