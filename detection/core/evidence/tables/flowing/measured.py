"""Rows of one cell a line whose unit is a cell of its own: ``Ore milled``, ``kt``, ``1,364``, ``1,298``."""

from collections.abc import Sequence
from itertools import pairwise

from detection.core import numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.lines import Piece

_LEAST_ROWS = 2


def with_units(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The cells with the unit between a label and its values put to the label, in brackets, where a heading says that
    there are such units; else as they are."""
    heads = [at for at, one in enumerate(pieces) if _is_head(one)]
    if len(heads) != 1:
        return pieces
    units = {
        at
        for at in range(heads[0] + 2, len(pieces) - 1)
        if pieces[at + 1].is_value and _is_text(pieces[at]) and _is_text(pieces[at - 1])
    }
    first_values = sum(one.is_value and not before.is_value for before, one in pairwise(pieces))
    if not _LEAST_ROWS <= len(units) == first_values:
        return pieces
    return [
        _measured(one, pieces[at + 1]) if at + 1 in units else one
        for at, one in enumerate(pieces)
        if at not in units and at != heads[0]
    ]


def _is_head(piece: Piece) -> bool:
    return numbers.fold(piece.text)[0] in words.UNIT_HEADS


def _is_text(piece: Piece) -> bool:
    return piece.said.sort == "text"


def _measured(label: Piece, unit: Piece) -> Piece:
    return label._replace(text=f"{label.text} ({unit.text})", end=unit.end, right=unit.right)
