"""Rows whose marks stand in the wrong places: two values between two bars, headings beside their columns.

Programs that guess columns from a page write such tables. The values of a row are then told by their order, and the headings
are cut so that there is one for each; where that can be done in more than one way the marks are left as they are. A sign that
stands apart from its value is put to it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from detection.core import lexicons, numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.heads import cuts, generic_label, split_times
from detection.core.evidence.tables.lines import Line, Piece, parts_of
from detection.core.evidence.tables.units import declared, only_unit
from detection.core.evidence.tables.values import Said, currency

_LEAST_SHARE = 0.6  # of the rows with values have as many as the table has columns
_LEAST_TWICE = 0.25  # of the rows hold two values in one cell
_LEAST_ROWS = 2


def recounted(lines: Sequence[Line], text: str) -> list[Line] | None:
    """The lines with their pieces counted by order; None where the marks are right or the order does not tell more."""
    if (behind := _behind_labels(lines)) is not None:
        return behind
    lines = [line._replace(pieces=tuple(joined(line.pieces, text))) for line in lines]
    rows = [_Row(line) for line in lines]
    body = [row for row in rows if row.values]
    counts = Counter(len(row.values) for row in body if not row.is_mixed)
    if not counts:
        return None
    count, times = counts.most_common(1)[0]
    if count < _LEAST_ROWS or times < _LEAST_SHARE * len(body):
        return None
    first = next(index for index, row in enumerate(rows) if row.values)
    above = [row for row in rows[:first] if row.line.cut != "loose" and row.filled]
    if not above or not (_are_doubled(body) or _stand_apart(above, body)):
        return None
    named = max(len(row.texts) for row in body if not row.is_mixed)
    parts = {row.line.start: _fitted(row.filled, count, named - (row.filled[0].left > 0)) for row in above}
    if not any(parts.values()) or (len(body) < _LEAST_ROWS and _are_doubled(body)):
        return None
    return [_placed(row, count, parts.get(row.line.start)) for row in rows]


def _behind_labels(lines: Sequence[Line]) -> list[Line] | None:
    """The lines with each heading one cell further on, where the column of labels has none and no cell stands for it: the
    headings are one fewer than what each row holds, its label and values alone."""
    rows = [line for line in lines if len(line.pieces) > _LEAST_ROWS]
    body = [line for line in rows if any(piece.is_value for piece in line.pieces)]
    if len(body) < _LEAST_ROWS or rows[0] is body[0] or rows[1] is not body[0] or rows[0].cut != body[0].cut:
        return None
    heads, width = rows[0], len(body[0].pieces)
    if len(heads.pieces) != width - 1 or not all(piece.text for piece in heads.pieces):
        return None
    if not _is_of_values(heads.pieces[0]) or not all(map(partial(_is_labelled, width), body)):
        return None
    moved = [piece._replace(left=piece.left + 1, right=piece.right + 1) for piece in heads.pieces]
    return [line._replace(pieces=tuple(moved)) if line is heads else line for line in lines]


def _is_of_values(head: Piece) -> bool:
    """Whether a heading is of values and not of labels: a period, a figure, what has a unit."""
    figures = lexicons.phrases("metrics").find(lexicons.Words(head.text))
    return not generic_label(head.text) and (head.is_time or bool(figures) or bool(declared(head.text)))


def _is_labelled(width: int, line: Line) -> bool:
    first, *rest = line.pieces
    return len(line.pieces) == width and not first.is_value and all(piece.is_value for piece in rest)


class _Row:
    """A line with what stands in its cells: the words before the first value, and the values."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.filled = [piece for piece in line.pieces if piece.text]
        found = [part for piece in self.filled for part in parts_of(piece)]
        led = len(found) > 1 and found[0].is_value and found[1].said.sort == "text"  # 100 | Cobalt
        place = next(
            (index for index, part in enumerate(found) if part.is_value and index >= led), len(found)
        )
        self.texts, self.values = found[:place], found[place:]

    @property
    def is_mixed(self) -> bool:
        """Whether words stand behind the first value."""
        return not all(part.is_value or part.is_time for part in self.values)


def _are_doubled(body: Sequence[_Row]) -> bool:
    """Whether cells hold two values."""
    doubled = sum(len(row.texts) + len(row.values) > len(row.filled) for row in body)
    return doubled >= _LEAST_TWICE * len(body)


def _stand_apart(above: Sequence[_Row], body: Sequence[_Row]) -> bool:
    """Whether columns of values have no heading while headings stand over columns without values."""
    headed = {c for row in above for piece in row.filled for c in range(piece.left, piece.right)}
    filled = {piece.left for row in body for piece in row.filled if piece.is_value}
    return not filled <= headed


def _fitted(pieces: Sequence[Piece], count: int, named: int) -> tuple[list[Piece], list[Piece]] | None:
    """The headings over the labels and those over the values, cut so that there are ``count`` of these: where only one way
    cuts them at the fewest doubtful places; None where none or several do."""
    rest = pieces[named:]
    if len(pieces) == 1 and not pieces[0].is_time:
        return None
    ways: list[tuple[int, list[list[str]]]] = [(0, [])]
    for index, piece in enumerate(rest):
        most = count - (len(rest) - index - 1)
        ways = [
            (doubt + more, [*way, cut])
            for doubt, way in ways
            for cut, more in _cuts(piece.text, most - sum(map(len, way)))
        ]
    ways = [(doubt, way) for doubt, way in ways if sum(map(len, way)) == count]
    least = min((doubt for doubt, _ in ways), default=0)
    best = [way for doubt, way in ways if doubt == least]
    if len(best) != 1:
        return None
    return list(pieces[:named]), [
        part for piece, cut in zip(rest, best[0], strict=True) for part in _cut(piece, cut)
    ]


def _cuts(text: str, most: int) -> Iterator[tuple[list[str], int]]:
    """The ways to cut a heading into at most so many, each with its doubtful places."""
    if most >= 1:
        yield [text], 0
    times = split_times(text)
    for number in range(2, most + 1):
        found = (times, 0) if len(times) == number else cuts(text, number)
        if found and not all(only_unit(part) for part in found[0]):
            yield found


def _cut(piece: Piece, texts: Sequence[str]) -> list[Piece]:
    return [piece] if len(texts) == 1 else [piece._replace(text=text) for text in texts]


def _placed(row: _Row, count: int, heads: tuple[list[Piece], list[Piece]] | None) -> Line:
    """The line in columns: the words before the values in the first, then the values or headings one by one."""
    texts, values = heads or (row.texts, row.values if len(row.values) == count else [])
    whole = [_whole(texts)] if texts else []
    if not values:
        return row.line._replace(pieces=tuple(whole), cut="loose" if whole else row.line.cut)
    behind = [piece._replace(left=place, right=place + 1) for place, piece in enumerate(values, start=1)]
    return row.line._replace(pieces=(*whole, *behind), cut="html")


def _whole(texts: Sequence[Piece]) -> Piece:
    said = " ".join(piece.text for piece in texts)
    return texts[0]._replace(text=said, end=texts[-1].end, left=0, right=1)


# --- signs that stand apart from their value ---


def with_codes(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines with the currencies as words that a column of their own names: ``Country | Currency | Rent``."""
    headed = {
        piece.left
        for line in lines
        if not any(one.is_value for one in line.pieces)
        for piece in line.pieces
        if numbers.fold(piece.text)[0] in words.UNIT_HEADS and piece.right - piece.left == 1
    }
    if not headed:
        return lines
    return [
        line._replace(
            pieces=tuple(
                piece._replace(said=piece.said._replace(sort="text"))
                if piece.left in headed and piece.said.sort == "sign"
                else piece
                for piece in line.pieces
            )
        )
        for line in lines
    ]


_BEFORE = 6  # characters; more than a sign has


def joined(pieces: Sequence[Piece], text: str) -> list[Piece]:
    """The pieces with every sign put to the value that it belongs to; a sign without a value is dropped."""
    if not any(piece.said.sort == "sign" or _is_open(piece) for piece in pieces):
        return list(pieces)
    if len(pieces) > 1 and all(piece.said.sort in ("sign", "empty") for piece in pieces):
        return [piece._replace(said=Said("text")) if piece.text.isalpha() else piece for piece in pieces]
    first = pieces[0]
    if first.said.sort == "sign" and first.text.isalpha() and (first.left, first.right) == (0, 1):
        pieces = [first._replace(said=Said("text")), *pieces[1:]]  # a row named for a currency
    found: list[Piece] = []
    held: list[Piece] = []
    for piece in pieces:
        if piece.said.sort == "sign":
            if piece.text[0] in ")%" and found and not held and found[-1].said.value is not None:
                found[-1] = _closed(found[-1], piece, text)
            elif piece.text == "%":
                found.extend(sign._replace(said=Said("text")) for sign in held)
                found.append(piece._replace(said=Said("text")))
                held = []
            elif piece.text[0] not in ")%":
                held.append(piece)
            continue
        if held and piece.text:
            if piece.said.sort == "text" or (piece.said.sort == "year" and held[0].text.isalpha()):
                found.extend(sign._replace(said=Said("text")) for sign in held if sign.text != "(")
            piece = _opened(held, piece, text)
            held = []
        found.append(piece)
    return found


def _is_open(piece: Piece) -> bool:
    """``(38,714`` whose bracket closes in the next cell is a value already."""
    return piece.said.sort == "value" and piece.text.startswith("(") and not piece.text.endswith(")")


def _opened(signs: list[Piece], piece: Piece, text: str) -> Piece:
    if piece.said.sort not in ("value", "dash", "year") or piece.said.value is None:
        return piece
    if piece.said.sort == "year" and signs[0].text.isalpha():
        return piece  # USD above the labels, beside a year
    written = "".join(sign.text for sign in signs)
    sign = numbers.fold(written.strip("( )"))[0].strip()
    unit = piece.said.unit or currency(sign)
    value = piece.said.value
    if "(" in written and value > 0:
        value = -value
    sort = "value" if piece.said.sort == "year" else piece.said.sort
    told = piece.said._replace(value=value, unit=unit, sort=sort, bare=piece.said.bare or sign == "$")
    return _spanned(piece, signs[0].start, piece.end, text, told)


def _closed(piece: Piece, sign: Piece, text: str) -> Piece:
    told = piece.said
    if told.sort not in ("value", "dash") or told.value is None:
        return piece
    value = told.value
    if "%" in sign.text:
        told = told._replace(unit="%")
    if ")" in sign.text and "(" in text[max(0, piece.start - _BEFORE) : piece.end] and value > 0:
        told = told._replace(value=-value)
    return _spanned(piece, piece.start, sign.end, text, told)


def _spanned(piece: Piece, start: int, end: int, text: str, told: Said) -> Piece:
    """The piece with the signs beside it, where nothing but blanks stands between them."""
    whole = text[start:end]
    if len(whole) > 4 * len(piece.text) + 16 or "<" in whole or "|" in whole or "\t" in whole:
        return piece._replace(said=told)
    return piece._replace(text=whole, start=start, end=end, said=told._replace(start=0, end=len(whole)))
