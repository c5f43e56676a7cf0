"""Two values in one cell of a row that blanks part: ``Nausea     22 (10.8%)   37 (18.4%)   17  (8.6%)``."""

from collections.abc import Sequence
from itertools import pairwise

import regex

from detection.core.evidence.tables.lines import Line, Piece
from detection.core.evidence.tables.values import bracketed

_BRACKETS = regex.compile(r"[(（][^()（）]*\d[^()（）]*[)）][*†‡§]?")
_BETWEEN = regex.compile(r"[ \u00a0]{0,4}")
_LEAST_ROWS = 2
_LEAST_SHARE = 0.8  # of the values have one in brackets behind them


def put_together(lines: Sequence[Line], text: str) -> Sequence[Line]:
    """The lines with each value in brackets put to the one that it stands behind, where nearly all have one."""
    rows = [line for line in lines if sum(piece.is_value for piece in line.pieces) > 1]
    if len(rows) < _LEAST_ROWS or not all(_are_pairs(line, text) for line in rows):
        return lines
    behind = [sum(_is_behind(one) for one in line.pieces) for line in rows]
    single = [
        sum(piece.is_value for piece in line.pieces) - own for line, own in zip(rows, behind, strict=True)
    ]
    if sum(behind) < _LEAST_SHARE * sum(single) or _is_headed_apart(lines, rows[0]):
        return lines
    if max(behind) == 1 and not all(_are_apart(line, text) for line in rows):
        return lines
    return [_joined(line, text) for line in lines]


def _is_behind(piece: Piece) -> bool:
    return piece.is_value and _BRACKETS.fullmatch(piece.text) is not None


def _are_pairs(line: Line, text: str) -> bool:
    """Whether every value in brackets stands right behind one that has none."""
    values = [piece for piece in line.pieces if piece.is_value]
    near = zip([None, *values[:-1]], values, strict=True)
    return all(
        before is not None and not _is_behind(before) and _BETWEEN.fullmatch(text, before.end, piece.start)
        for before, piece in near
        if _is_behind(piece)
    )


def _are_apart(line: Line, text: str) -> bool:
    """Whether the values of each pair are of two kinds: a number and per cent."""
    pairs = [(one, other) for one, other in pairwise(line.pieces) if _is_behind(other)]
    return all((one.said.unit == "%") is not (other.said.unit == "%") for one, other in pairs)


def _is_headed_apart(lines: Sequence[Line], first: Line) -> bool:
    """Whether a line above the first row has a heading for each value, those in brackets too."""
    count = sum(piece.is_value for piece in first.pieces)
    above = [line for line in lines if line.end <= first.start and line.cut == "blank"]
    return any(len(line.pieces) >= count + (not line.indent) for line in above)


def _joined(line: Line, text: str) -> Line:
    found: list[Piece] = []
    for piece in line.pieces:
        if found and found[-1].is_value and _is_behind(piece):
            first = found.pop()
            whole = text[first.start : piece.end]
            pair = bracketed(whole)
            said = first.said if pair is None else pair[0]
            piece = first._replace(text=whole, end=piece.end, right=piece.right, said=said)
        found.append(piece)
    return line._replace(pieces=tuple(found))
