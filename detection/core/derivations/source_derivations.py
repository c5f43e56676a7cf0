"""A number against what follows from the figures of the sources: change, share, sum, average (contracts §3.4).

The words of the sentence say which operation is meant and name its operands. How many choices of operands are
tried depends on how precisely the number is stated: a coarse one agrees with too many of them by chance.
"""

from collections.abc import Sequence
from decimal import Decimal, DecimalException
from itertools import product

from detection.core.chunks import Place, Words, units_meet, words
from detection.core.derivations.choices import choices
from detection.core.derivations.formulas import Derived, Operand, compute
from detection.core.derivations.grid import Cells, Grid
from detection.core.derivations.signs import signed
from detection.core.derivations.words import operations
from detection.core.numbers import distance, stated_scale
from detection.core.types import Candidate, NumericClaim, Span

NEAREST = 3
_MOST_TRIED = 24
_LONGEST = 2000  # characters of a sentence whose words guide; nothing longer was written as one
_FORM = words(
    "percentage percent difference proportion"
)  # words of the claim's form, not of what it is about
_AS = {"points": "share"}  # a change of a share is made of what a share is made of
_CHANCE = Decimal("0.02")  # the share of wrong numbers that may agree with one of the choices tried


def derived_candidates(
    number: NumericClaim, places: Sequence[Place], sentence: str, named: Words
) -> list[Candidate]:
    """The nearest derivations of ``number`` from ``places``, guided by the words of ``sentence``
    (lower-cased, without the number itself) and the years ``named`` in it."""
    candidates = []
    sentence = sentence[:_LONGEST]
    for operation in operations(sentence, number.kind, number.unit):
        operands = [place for place in places if units_meet(place, number, _AS.get(operation, operation))]
        try:
            for derived, cells in _derivations(operation, operands, number, sentence, named):
                candidates.append(_candidate(number, derived, cells))
        except DecimalException:  # a number beyond what a Decimal holds follows from nothing
            continue
    return sorted(candidates, key=lambda candidate: candidate.absolute or Decimal(0))[:NEAREST]


def _candidate(number: NumericClaim, derived: Derived, cells: Cells) -> Candidate:
    apart, relative = distance(Decimal(number.value), derived.value)
    taken = tuple(Span(cell.source, cell.start, cell.end, cell.text) for cell in cells)
    return Candidate(
        "derived", f"{derived.value:.6g}", number.unit, derived.value, relative, apart,
        arithmetic=derived.arithmetic, operands=taken,
    )  # fmt: skip


def _derivations(
    operation: str, places: list[Place], number: NumericClaim, sentence: str, named: Words
) -> list[tuple[Derived, Cells]]:
    grids = _grids(places, sentence, named)
    chosen = [choice for grid in grids for choice in choices(grid, operation, sentence)]
    chosen.sort(key=lambda choice: -choice[1].score)
    chosen = [choice for choice in chosen if _alike(operation, choice[1].cells, number)]
    found: dict[Decimal, tuple[float, Derived, Cells]] = {}
    for (shape, choice), scaled in product(chosen[: 4 * _MOST_TRIED], _scalings(number)):
        operands = [_operand(place, scaled=scaled) for place in choice.cells]
        meant = signed(shape, operands, Decimal(number.value), number.direction, sentence)
        derived = compute(*meant, number.unit)
        if derived is not None and not _trivial(operation, operands, derived):
            found.setdefault(derived.value, (choice.score, derived, choice.cells))
    return [(derived, cells) for _, derived, cells in _undoubted(list(found.values()), _allowed(number))]


def _undoubted(
    ranked: list[tuple[float, Derived, Cells]], allowed: int
) -> list[tuple[float, Derived, Cells]]:
    """The first ``allowed``, without those that one left out fits as well."""
    if len(ranked) <= allowed:
        return ranked
    left_out = ranked[allowed][0]
    return [item for item in ranked[:allowed] if item[0] > left_out]


def _alike(operation: str, cells: Cells, number: NumericClaim) -> bool:
    """Whether cells can be computed with each other: of one unit, percentages only with percentages and no parts of them."""
    units = {cell.unit for cell in cells}
    if "%" in units:
        return units == {"%"} and operation not in ("share", "ratio", "points")
    stated = {unit for unit in units if unit}
    return len(stated) < 2 and (number.kind != "currency" or stated <= {number.unit})


def _scalings(number: NumericClaim) -> tuple[bool, ...]:
    """Whether the scale a table declares counts: for amounts; a number without unit and scale may repeat the digits."""
    if number.kind == "currency":
        return (True,)
    bare = number.kind == "number" and stated_scale(number) == 1
    return (True, False) if bare else (number.kind == "number",)


def _trivial(operation: str, operands: Sequence[Operand], derived: Derived) -> bool:
    """Whether nothing was computed: a sum with nothing, what lies between a value and zero."""
    return operation in ("sum", "difference") and any(
        abs(derived.value) == abs(operand.value) for operand in operands
    )


def _allowed(number: NumericClaim) -> int:
    """How many choices may be tried before a wrong number is likely to agree with one by chance."""
    claimed = abs(Decimal(number.value))
    if not number.precision:
        return _MOST_TRIED
    return min(_MOST_TRIED, max(1, int(_CHANCE * claimed / (2 * number.precision))))


def _grids(places: list[Place], sentence: str, named: Words) -> list[Grid]:
    tables: dict[tuple[str, int], list[Place]] = {}
    for place in places:
        tables.setdefault((place.source, place.table), []).append(place)
    said = words(sentence) - _FORM
    return [Grid(inside, said, named) for inside in tables.values()]


def _operand(place: Place, *, scaled: bool) -> Operand:
    """A cell in major units, or as it stands; a table that declares no scale means what it says."""
    scale = place.scale if scaled and place.scale is not None else Decimal(1)
    return Operand(place.value * scale, place.text, max(place.years, default=""), scale)
