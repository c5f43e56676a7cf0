"""What the documents say of a number once its slots are judged: the nearest values, and how a wrong one came about."""

from bisect import insort
from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from detection.core.chunks import Passage, Place, equals, misread, period_of
from detection.core.numbers import distance, how
from detection.core.retrieval import Judged, Stated
from detection.core.types import Candidate, NumericClaim, Slip

NEAREST = 3
_Near = tuple[Decimal, int, Decimal]  # how far from the claim, whose value, the value


def compared(
    number: NumericClaim, stated: list[Stated], verdict: Judged, passages: Mapping[str, Passage]
) -> tuple[list[Candidate], tuple[Slip, ...]]:
    """The nearest values of the claim's own slots and of all others, and the slips."""
    claimed = Decimal(number.value)
    own: list[_Near] = []
    others: list[_Near] = []
    for index, one in enumerate(stated):
        those = own if _is_own(one, verdict) else others
        for value in one.values:
            apart = abs(claimed - value)
            if len(those) < NEAREST or apart <= those[-1][0]:
                insort(those, (apart, index, value))
                del those[NEAREST:]
    chosen = [
        _candidate(number, value, stated[index].ranked.place, those is own, passages)
        for those in (own, others)
        for _, index, value in those
    ]
    if verdict.supported or number.bound:
        return chosen, ()
    return chosen, tuple(_slips(number, verdict, passages))


def _is_own(one: Stated, verdict: Judged) -> bool:
    if verdict.supported:
        return one.agrees
    return verdict.sure and one is verdict.other


def _candidate(
    number: NumericClaim, value: Decimal, place: Place, same: bool, passages: Mapping[str, Passage]
) -> Candidate:
    apart, relative = distance(Decimal(number.value), value)
    return Candidate(
        "document", place.text, number.unit, value, relative, apart, same=same, source=place.source, start=place.start,
        end=place.end, field=passages[place.source].label(place), period=period_of(place),
    )  # fmt: skip


def _slips(number: NumericClaim, verdict: Judged, passages: Mapping[str, Passage]) -> list[Slip]:
    """How a number that its own slot does not state comes about: misread, or another slot's."""
    if verdict.other is None or not verdict.sure:
        return []
    own = verdict.other.ranked
    slips = []
    for right in verdict.other.values:
        code = how(Decimal(number.value), right, number.precision)
        if code is not None:
            shown = _candidate(number, right, own.place, True, passages)
            slips.append(Slip(code, misread(code, number, shown), shown))
    if verdict.best is not None:
        value = min(verdict.best.values, key=lambda worth: abs(Decimal(number.value) - worth))
        shown = _candidate(number, value, verdict.best.ranked.place, False, passages)
        slips.append(Slip(_code(verdict.other, verdict.best), equals(shown), shown))
    return slips[:NEAREST]


def _code(own: Stated, other: Stated) -> Literal["property", "period", "metric"]:
    if "property_other" in other.ranked.features:
        return "property"
    return "period" if _same_row(own.ranked.place, other.ranked.place) else "metric"


def _same_row(one: Place, other: Place) -> bool:
    if one.table >= 0 and other.table >= 0:
        own_row = (one.source, one.table, one.line) == (other.source, other.table, other.line)
        return own_row or one.row == other.row
    apart = (one.years, one.periods) != (other.years, other.periods)
    return apart and len(one.row & other.row) * 2 >= len(one.row)
