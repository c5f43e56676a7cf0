"""A chunk read for its tables: lines of words apart, runs of lines with cells read by their marks or by their order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

import regex

from detection.core import numbers
from detection.core.evidence.tables import flowing, placed, words
from detection.core.evidence.tables.assembling import assemble
from detection.core.evidence.tables.flowing.paired import put_together
from detection.core.evidence.tables.lines import Line, lines_of
from detection.core.evidence.tables.markup import has_table, lines_of_markup, unmarked
from detection.core.evidence.tables.misplaced import recounted
from detection.core.evidence.tables.model import Grid, Table, Text
from detection.core.evidence.tables.sentences import (
    MARKED,
    MOST_WORDS,
    WORD,
    is_event,
    is_prose,
    is_remark,
    parted,
)
from detection.core.evidence.tables.told import announced, headed_in_words
from detection.core.evidence.tables.units import declares
from detection.core.patterns import late
from detection.core.types import Source

_LEAST_TIMES = 2  # headings that name periods
_ABOVE = 5  # lines of words above a table that may belong to it


def grids_of(text: str) -> list[Grid]:
    """Every table of a chunk, in order."""
    lines = lines_of_markup(text) if has_table(text) else lines_of(unmarked(text))
    lines = [part for line in lines for part in parted(line)]
    blocks, told = _blocks(lines, text)
    found = [
        replace(grid, told=tuple(one for one in told if grid.start <= one[0] < grid.end))
        for block in blocks
        for grid in _of_block(block, text)
    ]
    return headed_in_words(found, lines, text) or _waiting(lines, text)


def _waiting(lines: Sequence[Line], text: str) -> list[Grid]:
    """A chunk without tables that ends in a unit line, or in a line of headings, has it for those of the next chunk."""
    if lines and _is_of_heads(lines[-1]):
        return [_headed(lines)]
    listed = announced(lines, text)
    if listed is not None:
        return [listed]
    said = [Text(line.text, line.start, line.end) for line in lines[-_ABOVE:] if declares(line.text)]
    ends = bool(said) and said[-1].start == lines[-1].start
    return [Grid(captions=said, start=said[0].start, end=said[-1].end)] if ends else []


def _is_of_heads(line: Line) -> bool:
    """Whether a line between whose words blanks stand names periods and holds no value: ``Region     2024     2023``."""
    plain = not any(piece.is_value and not piece.is_time for piece in line.pieces)
    return line.cut == "blank" and plain and sum(piece.is_time for piece in line.pieces) >= _LEAST_TIMES


def _headed(lines: Sequence[Line]) -> Grid:
    """Headings without rows, with the lines of words above them."""
    *above, line = lines[-_ABOVE - 1 :]
    labelled = not (line.pieces[0].is_time or line.indent)
    heads = {at: [piece.text] for at, piece in enumerate(line.pieces, start=0 if labelled else 1)}
    captions = [Text(one.text, one.start, one.end) for one in above if not is_prose(one)]
    return Grid(captions, heads, columns=max(heads) + 1, start=lines[-len(above) - 1].start, end=line.end)


_LEAST_HEADS = 3
_LONGEST_HEAD = 400
_LONGEST_LABEL = 180
_FEW_VERBS = 2
_MANY_VALUES = 3


def _heads(line: Line, below: Line | None) -> bool:
    """Whether a line of many words stands right above a row of values and may be its headings, or above a value alone and
    may be its label."""
    text = line.text.rstrip()
    if below is None or text[-1:] in ".!?;" or len(text) > _LONGEST_HEAD:
        return False
    alone = all(piece.is_value or piece.said.sort == "sign" for piece in below.pieces)
    if alone and len(text) <= _LONGEST_LABEL:
        return True
    if below.gap or sum(piece.is_value for piece in below.pieces) < _MANY_VALUES or is_prose(below):
        return False
    return sum(word.lower() in words.SENTENCE for word in WORD.findall(text)) < _FEW_VERBS


def _is_row(line: Line, near: Sequence[Line | None]) -> bool:
    """Whether a line that ends in a value beside others that do is a row, though its label has a word of a sentence such
    as "during"; a finite verb makes it a sentence."""
    if (
        line.cut != "loose"
        or not _ends_in_value(line)
        or not any(one and _ends_in_value(one) for one in near)
    ):
        return False
    found = [word.lower() for word in WORD.findall(line.text)]
    return len(found) <= MOST_WORDS and words.FINITE.isdisjoint(found)


def _ends_in_value(line: Line) -> bool:
    first, *rest = line.pieces
    return bool(rest) and not first.is_value and all(piece.is_value for piece in rest)


def _blocks(lines: Sequence[Line], text: str) -> tuple[list[list[Line]], list[tuple[int, int]]]:
    """Neighbouring lines of one family of marks with the lines of words above them, and the stretches of prose."""
    found: list[list[Line]] = []
    told: list[tuple[int, int]] = []
    block: list[Line] = []
    family = ""
    near = zip([None, *lines[:-1]], lines, [*lines[1:], None], strict=True) if lines else ()
    for place, (above, line, below) in enumerate(near):
        if is_remark(line):
            told.append((line.start, line.end))
        if is_remark(line) or is_event(line):
            continue
        if is_prose(line) and not _heads(line, below) and not _is_row(line, (above, below)):
            told.append((line.start, line.end))
            if family and below and family == _family(below) in MARKED and not (line.gap or below.gap):
                continue  # a sentence between rows
            if family == "laid" and _between_cells(above, lines[place + 1 : place + 1 + _MOST_BEFORE]):
                continue
            found.append(block)
            block, family = ([], "") if family or line.gap else (_held_over(block, line, text), "")
            continue
        own = _family(line)
        if own and family and own != family:
            split = _split(block)
            found.append(block[:split])
            block, family = block[split:], own
        block.append(line)
        family = own or family
    return [one for one in (*found, block) if one], told


_MOST_BEFORE = 3  # lines of a row before the second of its values: a label, a unit, a value


def _between_cells(above: Line | None, behind: Sequence[Line]) -> bool:
    """Whether a sentence stands between two rows of one cell a line: a value above it, a name and a value below."""
    if above is None or not _is_value(above) or any(line.gap for line in behind):
        return False
    first = next((at for at, line in enumerate(behind) if _is_value(line)), 0)
    return first > 0 and not any(piece.is_time for line in behind[:first] for piece in line.pieces)


def _is_value(line: Line) -> bool:
    return len(line.pieces) == 1 and line.pieces[0].is_value


def _held_over(block: Sequence[Line], line: Line, text: str) -> list[Line]:
    """The lines of words above a line of prose that are of the table below it: unit lines, a title on its line."""
    return [one for one in block if declares(one.text) or "\n" not in text[one.end : line.start]]


def _family(line: Line) -> str:
    """Lines of one family may be rows of one table; lines of words alone join any."""
    if line.cut == "html":
        return f"html{line.group}"
    if line.cut in MARKED:
        return line.cut
    return "laid" if len(line.pieces) > 1 or any(piece.is_value for piece in line.pieces) else ""


def _split(block: Sequence[Line]) -> int:
    """Where the lines of words at the end of a block begin: they stand above the next table."""
    place = len(block)
    while place > 0 and not _family(block[place - 1]):
        place -= 1
    return place


def _title(block: Sequence[Line]) -> int:
    """Where the lines of words at the end of aligned ones begin; a unit line is of them, whatever stands beside it:
    ``Quay Works (USD 000)     As at 31 August 2024``."""
    place = _split(block)
    while place > 0 and not any(piece.is_value for piece in block[place - 1].pieces):
        if not declares(block[place - 1].text):
            break
        place = _split(block[: place - 1])
    return place


def _of_block(block: Sequence[Line], text: str) -> Iterator[Grid]:
    families = {_family(line) for line in block} - {""}
    if not families:
        return
    if "laid" not in families:
        first = next(index for index, line in enumerate(block) if _family(line))
        kept = block[max(0, first - _ABOVE) :]
        for part in _by_width(kept):
            found = placed.grids(recounted(part, text) or part, text)
            yield from _checked(found, drawn=any(line.cut == "html" for line in part))
        return
    for part in _by_width(put_together(block, text)):
        several = list(_by_heads(part))
        laid = [placed.aligned(one, text) for one in several]
        if len(several) > 1 and all(
            lines is not None or _rows(one) < 2 for one, lines in zip(several, laid, strict=True)
        ):
            for lines in laid:
                yield from _checked(placed.grids(lines or (), text))
            continue
        lines = placed.aligned(part, text)
        if lines is not None:
            yield from _checked(placed.grids(lines, text))
        else:
            yield from _checked(flowing.grids(part, text))


def _rows(lines: Sequence[Line]) -> int:
    return sum(len(line.pieces) > 1 and any(piece.is_value for piece in line.pieces) for line in lines)


def _by_heads(block: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Aligned lines, parted where a line of headings stands behind rows: each table has columns of its own."""
    first, filled = 0, False
    for index, line in enumerate(block):
        values = any(piece.is_value for piece in line.pieces)
        heads = not values and line.cut == "blank" and len(line.pieces) >= _LEAST_HEADS
        heads = heads or (filled and _heads_pairs(block, index))
        heads = (heads and not placed.is_row_of_years(line)) or (filled and _heads_times(block, index))
        if filled and heads:
            ends = first + _title(block[first:index])
            yield block[first:ends]
            first, filled = ends, False
        filled = filled or values
    yield block[first:]


def _heads_pairs(block: Sequence[Line], index: int) -> bool:
    """Whether a line of two headings stands below a blank line, or a title below one, over a label and one value."""
    line, above = block[index], block[index - 1]
    below = block[index + 1] if index + 1 < len(block) else None
    titled = above.gap and not _family(above)
    paired = len(line.pieces) == _PAIR and not any(p.is_value or p.is_time for p in line.pieces)
    if below is None or not paired or line.cut != "blank" or not (line.gap or titled):
        return False
    return len(below.pieces) == _PAIR and below.pieces[1].is_value


def _heads_times(block: Sequence[Line], index: int) -> bool:
    """Whether a line of periods behind a word stands below a blank line, or a title below one: other columns than those above."""
    line, above = block[index], block[index - 1]
    titled = above.gap and not _family(above)
    timed = len(line.pieces) > 1 and all(piece.is_time for piece in line.pieces[1:])
    return line.cut == "blank" and timed and (line.gap or titled)


_PAIR = 2


def _by_width(block: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Marked lines whose number of cells changes behind a blank line are two tables, as are those below a line of headings."""
    first, last = 0, -1
    for index, line in enumerate(block):
        if not _family(line):
            continue
        counts = (len(line.pieces), len(block[last].pieces)) if last >= 0 else (0, 0)
        headed = line.drawn and len(line.pieces) > _LEAST_HEADS and not any(p.is_value for p in line.pieces)
        if (headed or _is_titled(block, index)) and any(
            p.is_value for one in block[first:index] for p in one.pieces
        ):
            split = first + _split(block[first:index])
            yield block[first:split]
            first = split
        gap = line.gap or index - last > 1
        if gap and line.cut in MARKED - {"html"} and abs(counts[0] - counts[1]) > 1 and 2 in counts:
            yield block[first : last + 1]
            first = last + 1
        last = index
    yield block[first:]


def _is_titled(block: Sequence[Line], index: int) -> bool:
    """Whether a marked line is one of headings below a blank line and a line of words: another table."""
    line, above = block[index], block[index - 1]
    if not index or line.cut not in MARKED - {"html"} or _family(above) or not above.gap:
        return False
    filled = [piece for piece in line.pieces if piece.text]
    return len(filled) > 1 and not any(piece.is_value for piece in filled)


def _checked(found: Iterator[Grid] | list[Grid], *, drawn: bool = False) -> Iterator[Grid]:
    """Only what is a table: rows of values, or headings that wait for rows. What is ``drawn`` as one is one."""
    for grid in found:
        values = sum(
            1 for row in grid.rows if any(piece.is_value or piece.is_time for piece in row.pieces.values())
        )
        if grid.rows and values and (drawn or len(grid.rows) > 1 or grid.heads):
            if drawn or not _is_text(grid):
                yield grid
        elif not grid.rows and len(grid.heads) > 1:
            yield grid


_KEY = regex.compile(r"[:：]\s*$")
_STOPS = regex.compile(
    r"(?:\bof|\bto|\bin|\bwas|\bwere|\bis|\bare|\band|\bby|\bfrom|\bthan|\bat|\bwith|\ba|\bthe|\bor|\bfor|,)\s*$"
)


def _is_text(grid: Grid) -> bool:
    """Whether the rows are broken sentences: few values, labels that run on."""
    if grid.columns > 2:
        return False
    labels = [row.label or (row.pieces[0].text if 0 in row.pieces else "") for row in grid.rows]
    run_on = sum(_STOPS.search(numbers.fold(label)[0]) is not None for label in labels)
    if 3 * run_on > len(labels):
        return True
    keyed = sum(_KEY.search(label) is not None for label in labels)
    return not (grid.heads or grid.captions or 2 * keyed > len(labels) or len(labels) > 2)


# --- chunks of one document ---


_LONGEST = 2_000_000  # characters of a chunk that are read
_PART = late(
    rf"[\s,;:–—|(\[-]*(?:\b(?:chunk|part|page|pages|p\.|section|teil|seite|חלק|עמוד|עמ'|第)\s*(?:\d+|[a-z]\b|[ivx]+\b)?(?:\s*(?:of|/|מתוך)\s*\d+)?\s*(?:页|頁|部分|块|塊|段)?|\(?cont(?:inued|'d|\.)?\)?|(?<=[,;:–—|(-]\s?)(?:{words.PART_NAMES})\b|\d+/\d+|(?<=\[)\d+)[\s)\]]*$"
)


class Shape(NamedTuple):
    """What the chunk behind it needs to know of a table: its headings, its unit lines, how wide it is."""

    heads: Mapping[int, tuple[str, ...]]
    columns: int
    filled: int  # columns up to the last that holds something
    captions: tuple[str, ...]
    units: tuple[str, ...]  # captions that declare units


class Lead(NamedTuple):
    """What a table takes over from the chunks before it: headings, empty where it has its own, and unit lines."""

    heads: Mapping[int, tuple[str, ...]]
    columns: int
    above: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.heads or self.above)


class Last(NamedTuple):
    """The last table of a document so far, and the unit lines that hold on."""

    shape: Shape
    above: tuple[str, ...]


def read(source: Source) -> tuple[Table, ...]:
    """The tables of one chunk by itself."""
    return assembled(grids_in(source), (), source)


def read_document(sources: Sequence[Source]) -> tuple[Table, ...]:
    """The tables of all chunks, in order. Rows without headings take those of the chunk before them of the same document
    where the number of columns agrees, and its unit lines."""
    found: list[Table] = []
    last: dict[str, Last] = {}
    for source in sources:
        grids = grids_in(source)
        found += assembled(grids, leads_of(shapes_of(grids), document_of(source), last), source)
    return tuple(found)


def grids_in(source: Source) -> list[Grid]:
    """The tables of a chunk before their units are told."""
    return grids_of(source.text[:_LONGEST])


def shapes_of(grids: Sequence[Grid]) -> tuple[Shape, ...]:
    """What the next chunk needs to know of the tables of this one."""
    return tuple(_shape(grid) for grid in grids)


def _shape(grid: Grid) -> Shape:
    filled = max((max(row.pieces, default=0) + 1 for row in grid.rows), default=0)
    captions = tuple(one.text for one in grid.captions)
    heads = {column: tuple(texts) for column, texts in grid.heads.items()}
    return Shape(heads, grid.columns, filled, captions, tuple(filter(declares, captions)))


def leads_of(shapes: Sequence[Shape], document: str, last: dict[str, Last]) -> tuple[Lead, ...]:
    """What each table of a chunk takes over from those before it; ``last`` is brought up to date."""
    found: list[Lead] = []
    for place, shape in enumerate(shapes):
        before = last.get(document)
        lead = _lead(shape, *before) if before else _NO_LEAD
        if place and before and not shape.captions and not lead:
            lead = Lead({}, 0, before.above)  # below another, and without a title of its own
        if lead.heads and before:
            known = (*before.shape.captions, *shape.captions)
            shape = shape._replace(heads=lead.heads, columns=lead.columns, captions=known)
        last[document] = Last(shape, (*lead.above, *shape.units))
        found.append(lead)
    return tuple(found)


_NO_LEAD = Lead({}, 0, ())


def _lead(shape: Shape, before: Shape, above: tuple[str, ...]) -> Lead:
    if shape.units:
        return _NO_LEAD
    if not before.columns:
        return Lead({}, 0, above)
    if shape.heads:
        titled = any(text not in before.captions and _PART.search(text) is None for text in shape.captions)
        return Lead({}, 0, above) if shape.heads == before.heads and not titled else _NO_LEAD
    width = before.columns
    if before.heads and shape.filled <= width and width - 1 <= shape.columns <= width:
        told = tuple(one for one in before.captions if one not in above)
        return Lead(before.heads, max(shape.columns, width), (*told, *above))
    if 0 in before.heads and not before.filled and shape.columns == width + 1:  # none stands over the labels
        told = tuple(one for one in before.captions if one not in above)
        return Lead({at + 1: texts for at, texts in before.heads.items()}, width + 1, (*told, *above))
    return _NO_LEAD


def assembled(grids: Sequence[Grid], leads: Sequence[Lead], source: Source) -> tuple[Table, ...]:
    """The tables of a chunk with what they take over, none without ``leads``; those without rows only lead others."""
    found = []
    for grid, lead in zip_longest(grids, leads, fillvalue=_NO_LEAD):
        assert isinstance(grid, Grid)  # noqa: S101  # there are no more leads than grids
        if lead.heads:
            heads = {column: list(texts) for column, texts in lead.heads.items()}
            grid = replace(grid, heads=heads, columns=lead.columns, loose_head="")
        if grid.rows:
            found.append(assemble(grid, source, lead.above))
    return tuple(found)


def document_of(source: Source) -> str:
    """What names the document of a chunk: its parent, else its title but for the number of the part."""
    if source.parent_ref:
        return f"parent {source.parent_ref}"
    title = _titled(source.title)
    return f"title {title}" if title else "untitled"


@lru_cache(maxsize=1024)
def _titled(title: str) -> str:
    """A title without the number of its part: ``Rent roll, chunk 1 of 3`` and ``chunk 2 of 3`` are one document."""
    folded = numbers.fold(title)[0]
    return _PART.sub("", folded).strip(" –—-,;:|")
