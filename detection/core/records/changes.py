"""Changes of record: over time, between properties, between metrics (contracts §3.4).

The words of the sentence choose the two figures; where they name none, the period before and the year before are
what people compare with.
"""

from collections.abc import Iterator, Sequence

from detection.core.numbers import dates
from detection.core.records.operands import Known, Reckoning, known, pair
from detection.core.records.slots import Records, Slot, year_before
from detection.core.records.words import (
    Said,
    Span,
    compared_with,
    directions,
    named_spans,
    scopes,
    set_against,
    steps,
)
from detection.core.types import NumericClaim

_MOST_SPANS = 4
Pair = tuple[Known, Known]  # what is compared, and what with


def changes(
    records: Records, slot: Slot, number: NumericClaim, said: Said, metrics: Sequence[str]
) -> list[Reckoning]:
    """What the words may mean by a change of ``slot``'s metric. ``metrics`` are those that the sentence names,
    in order."""
    pairs = [
        *between_properties(records, slot, said),
        *between_metrics(records, slot, metrics),
        *_over_time(records, slot, stated_pairs(records, slot, said)),
    ]
    return _reckoned(pairs, number, said)


def other_steps(records: Records, slot: Slot, number: NumericClaim, said: Said) -> list[Reckoning]:
    """Changes over the other step: to the period before where the words say year over year, and the other way
    round. They are what a wrong number may have been taken from, never support."""
    meant = stated_pairs(records, slot, said)
    lasts = list(dict.fromkeys(last for last, _ in meant)) or ([slot.span] if slot.span else [])
    others = [(last, first) for last in lasts for first in _steps_back(records, slot, last, (True, True))]
    return _reckoned(_over_time(records, slot, [step for step in others if step not in meant]), number, said)


def _reckoned(pairs: Sequence[Pair], number: NumericClaim, said: Said) -> list[Reckoning]:
    found = []
    for last, first in pairs:
        for operation in _operations(number, last.kind):
            for sign in directions(number, said):
                operands, name = (last, first), operation
                if sign < 0:
                    operands, name = (first, last), {"growth": "decline"}.get(operation, operation)
                unit = "pp" if operation == "difference" and number.kind == "percentage" else number.unit
                if (reckoning := pair(name, *operands, unit)) is not None:
                    found.append(reckoning)
    return found


def _operations(number: NumericClaim, kind: str) -> tuple[str, ...]:
    if number.kind != "percentage":
        return ("difference",)
    if number.unit == "pp":
        return ("difference",) if kind == "percentage" else ()
    return ("growth", "difference") if kind == "percentage" else ("growth",)


def stated_pairs(records: Records, slot: Slot, said: Said) -> list[tuple[Span, Span]]:
    """The periods a change runs between, the later one first."""
    asked = records.case.period
    around = (asked.start, asked.end) if asked else slot.span
    for scope in scopes(said):
        stated = named_spans(scope, around)[:_MOST_SPANS]
        bases = [span for span, base in stated if base]
        others = [span for span, base in stated if not base and not _only_places(span, around)]
        if bases or len(others) > 1 or any(steps(scope)) or scope is said:
            tops = [span for span, base in named_spans(said, around) if not base]
            return _pairs(records, slot, around, bases, others or _later(tops, bases, slot), scope)
    return []


def _later(tops: list[Span], bases: list[Span], slot: Slot) -> list[Span]:
    """The one period of a sentence that a change up from ``bases`` may end with, the claim's own before others."""
    found = [span for span in tops if bases and span > bases[0] and _alike(span, bases[0])]
    return [slot.span] if slot.span in found and slot.span is not None else found[:1]


def _pairs(
    records: Records, slot: Slot, around: Span | None, bases: list[Span], others: list[Span], said: Said
) -> list[tuple[Span, Span]]:
    if len(bases) + len(others) >= 2:
        spans = sorted({*bases, *others}, reverse=True)
        return [
            (last, first) for n, last in enumerate(spans) for first in spans[n + 1 :] if _alike(last, first)
        ]
    if bases:
        return [(around, bases[0])] if around and _alike(around, bases[0]) and bases[0] < around else []
    last = others[0] if others else around
    return [(last, first) for first in _steps_back(records, slot, last, _either(steps(said)))] if last else []


def _either(wanted: tuple[bool, bool]) -> tuple[bool, bool]:
    """Words that name neither step leave both."""
    return wanted if any(wanted) else (True, True)


def _only_places(span: Span, asked: Span | None) -> bool:
    """``in 2024`` in a sentence about a quarter of 2024 names no other period to compare with."""
    return asked is not None and span != asked and span[0] <= asked[0] and asked[1] <= span[1]


def _steps_back(records: Records, slot: Slot, last: Span, wanted: tuple[bool, bool]) -> Iterator[Span]:
    yearly, sequential = wanted
    before = records.before(last, slot.property) if sequential else None
    if before is not None:
        yield before
    if yearly and before != (year := year_before(last)):
        yield year


def _alike(one: Span, other: Span) -> bool:
    return abs((one[1] - one[0]).days - (other[1] - other[0]).days) <= 7


def _over_time(records: Records, slot: Slot, spans: Sequence[tuple[Span, Span]]) -> list[Pair]:
    found = []
    for pair_of_spans in spans:
        sides = [known(records, Slot(slot.property, slot.metric, span)) for span in pair_of_spans]
        if sides[0] is not None and sides[1] is not None:
            found.append((sides[0], sides[1]))
    return found


def between_properties(records: Records, slot: Slot, said: Said) -> list[Pair]:
    """The subject's figure against the other property's that the sentence names: the property before the number
    is the subject, else the answer's own."""
    stated = records.named(said.text)
    about = records.case.property or slot.property
    against = [code for place, code in stated if compared_with(said, place)]
    before = [code for place, code in stated if place < said.start and code not in against]
    behind = [code for place, code in stated if place >= said.start and code not in against]
    subject = before[0] if before else (behind[0] if against and behind else about)
    others = [code for code in (*against, *behind, *before[1:], about) if code != subject]
    if not stated or not others:
        return []
    sides = [known(records, Slot(code, slot.metric, slot.span)) for code in (subject, others[0])]
    return [(sides[0], sides[1])] if sides[0] is not None and sides[1] is not None else []


def between_metrics(records: Records, slot: Slot, metrics: Sequence[str]) -> list[Pair]:
    """Two amounts of one slot that the sentence names, in its order: revenue above expenses."""
    if len(metrics) < 2 or slot.span is None:
        return []
    sides = [known(records, Slot(slot.property, metric, slot.span, slot.label)) for metric in metrics[:2]]
    if sides[0] is None or sides[1] is None or {side.kind for side in sides if side} != {"currency"}:
        return []
    return [(sides[0], sides[1])]


def starts_a_change(records: Records, slot: Slot, said: Said) -> bool:
    """Whether a number bound to the period that a change ends with is what it started from: its own words name
    no earlier period, and no property that it is compared with."""
    high = len(said.text) if said.high is None else said.high
    if set_against(said) and any(said.low <= place < high for place, _ in records.named(said.text)):
        return False
    asked = records.case.period
    ends = [span for span, base in named_spans(said, slot.span) if not base]
    ends += [(asked.start, asked.end)] if asked else []
    return slot.span is not None and slot.span >= max(ends, default=slot.span)


def base_slots(records: Records, slot: Slot, said: Said) -> list[Slot]:
    """Where ``from $1.1M`` may stand: the periods that a change up to the claim's own period starts from."""
    if slot.span is None:
        return []
    last = _last(slot.span, said)
    stated = [span for span, _ in named_spans(said, slot.span) if not dates.same_period(span, last)]
    earlier = [span for span in stated if span < last and _alike(span, last)]
    spans = earlier or list(_steps_back(records, slot, last, _either(steps(said))))
    return [Slot(slot.property, slot.metric, span) for span in spans]


def _last(own: Span, said: Said) -> Span:
    """The period that a change ends with: the latest one the sentence is about where all of them are over before
    the claim's ``own``, else that."""
    named = [span for span, base in named_spans(said, own) if not base and not _only_places(span, own)]
    latest = max((span for span in named if span[1] > span[0]), default=own)
    return latest if latest[1] < own[0] else own
