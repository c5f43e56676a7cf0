"""Rows whose columns only their order tells: one row a line, or one cell a line, as text out of a PDF has them.

A label is followed by as many values as the table has columns. How many is told by what repeats.
"""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

import regex

from detection.core.evidence.tables import heads as headings
from detection.core.evidence.tables.flowing import short
from detection.core.evidence.tables.flowing.measured import with_units
from detection.core.evidence.tables.flowing.periodic import (
    by_columns,
    declared_behind,
    list_of,
    period,
    summed,
    without_notes,
    without_total,
)
from detection.core.evidence.tables.heads import generic_label
from detection.core.evidence.tables.lines import Line, Piece, part_of, parts_of
from detection.core.evidence.tables.misplaced import joined
from detection.core.evidence.tables.model import Grid, GridRow, text_of
from detection.core.evidence.tables.sections import Sections, goes_on, is_furniture
from detection.core.evidence.tables.units import declares, only_unit

_MOST_VALUES = 40
_LEAST_TITLE = 2  # lines
_LEAST_SHARE = 0.5  # of the rows with values have as many as the table has columns


class Run(NamedTuple):
    """Words and the values behind them; ``times`` are dates and years that stand with the words, before them."""

    texts: list[Piece]
    values: list[Piece]


def grids(lines: Sequence[Line], text: str) -> Iterator[Grid]:
    """The tables in lines of pieces without columns of their own."""
    lines = _kept(lines, text)
    in_rows = _in_rows(lines)
    lines = [_labelled(line) for line in lines if not _is_page_number(line)] if in_rows else lines
    pieces = joined([piece for line in lines for piece in line.pieces if piece.text], text)
    pieces = list(with_units(_labelled_by_years(_without_page(_without_furniture(pieces)))))
    turned = by_columns(pieces)
    if turned is not None:
        yield turned
        return
    last: Sequence[Piece] = ()
    notes: Sequence[Piece] = ()
    repeated = period(pieces)
    if repeated is None and not in_rows:
        rows = without_notes(pieces)
        body, last = without_total(rows)
        repeated = period(body)
        notes = pieces[len(rows) :]
        pieces = list(body) if repeated else pieces
    if repeated is not None and (not in_rows or repeated[0] == _usual_length(lines)):
        for grid in list_of(pieces, *repeated):
            summed(grid, last)
            declared_behind(grid, notes)
            yield grid
        return
    starts = {line.start for line in lines}
    runs = _runs(pieces, starts if in_rows else frozenset())
    count = _count(runs)
    if count:
        yield from _Reading(runs, count, starts, in_rows, text).grids()


def _in_rows(lines: Sequence[Line]) -> bool:
    """Whether a row stands in one line: more lines hold a value beside something else than by itself."""
    alone = sum(len(line.pieces) == 1 and line.pieces[0].is_value for line in lines)
    beside = sum(len(line.pieces) > 1 and any(piece.is_value for piece in line.pieces) for line in lines)
    return beside > alone


def _usual_length(lines: Sequence[Line]) -> int:
    lengths = Counter(len(line.pieces) for line in lines if any(piece.is_value for piece in line.pieces))
    return lengths.most_common(1)[0][0]


def _is_page_number(line: Line) -> bool:
    return len(line.pieces) == 1 and line.pieces[0].is_value and is_furniture(line.pieces[0].text)


def _labelled(line: Line) -> Line:
    """A row that begins with a time and goes on with values only is named by it: ``2018 141.0``, ``May 2019 7 5``."""
    first, *rest = line.pieces
    if not first.is_time or not rest or not all(piece.is_value for piece in rest):
        return line
    return line._replace(pieces=(first._replace(said=first.said._replace(sort="text", value=None)), *rest))


def _kept(lines: Sequence[Line], text: str) -> Sequence[Line]:
    """Where cells stand in lines of their own, a number that ends a line of words belongs to them: ``S&P 500``."""
    alone = sum(len(line.pieces) == 1 and line.pieces[0].is_value for line in lines)
    mixed = sum(_ends_in_number(line) for line in lines)
    if alone < 3 * mixed or not mixed:
        return lines
    return [_whole(line, text) if _ends_in_number(line) else line for line in lines]


def _ends_in_number(line: Line) -> bool:
    return line.cut == "loose" and len(line.pieces) == 2 and line.pieces[0].said.sort == "text"


def _whole(line: Line, text: str) -> Line:
    first, last = line.pieces[0], line.pieces[-1]
    piece = first._replace(text=text[first.start : last.end], end=last.end, right=last.right)
    return line._replace(pieces=(piece,)) if last.is_value and first.text[-1:] not in ":：" else line


_LEAST_YEARS = 3


def _labelled_by_years(pieces: list[Piece]) -> list[Piece]:
    """Years that follow one another with as many values between them are labels: ``2021 138 6 2022 135 6``."""
    years = [index for index, piece in enumerate(pieces) if piece.said.sort == "year"]
    chain: list[int] = []
    labels: set[int] = set()
    for index in years:
        value, gap = pieces[index].said.value, index - chain[-1] if chain else 0
        follows = (
            bool(chain) and value is not None and abs(value - (pieces[chain[-1]].said.value or value)) == 1
        )
        same = len(chain) < 2 or gap == chain[-1] - chain[-2]
        if not (
            follows and same and gap > 1 and all(piece.is_value for piece in pieces[chain[-1] + 1 : index])
        ):
            chain = []
        chain.append(index)
        if len(chain) >= _LEAST_YEARS:
            labels.update(chain)
    return [
        piece._replace(said=piece.said._replace(sort="text", value=None)) if index in labels else piece
        for index, piece in enumerate(pieces)
    ]


def _is_page(piece: Piece) -> bool:
    named_by_year = piece.text.isdigit()
    return not (piece.is_value or piece.is_time or named_by_year) and is_furniture(piece.text)


def _without_furniture(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces without what pages carry, and without the number of the page behind that."""
    found: list[Piece] = []
    carried = False
    for piece in pieces:
        carried, behind = _is_page(piece), carried
        if not carried and not (behind and piece.is_value and is_furniture(piece.text)):
            found.append(piece)
    return found


def _without_page(pieces: list[Piece]) -> list[Piece]:
    """The pieces without a first number right above headings that are times: that of the page."""
    first = next((index for index, piece in enumerate(pieces) if piece.is_value), len(pieces))
    behind = pieces[first + 1 : first + 3]
    headed = len(behind) > 1 and all(piece.is_time for piece in behind)
    if headed and is_furniture(pieces[first].text) and not pieces[first - 1].is_time:
        return [*pieces[:first], *pieces[first + 1 :]]
    return pieces


def _runs(pieces: Sequence[Piece], starts: Set[int]) -> list[Run]:
    """Words with the values behind them. Times count as values only behind or among values, and not where they begin a
    line of rows that stand in one line each; ``starts`` are the places of those. Values there are a row without a label."""
    runs: list[Run] = [Run([], [])]
    for piece in pieces:
        run = runs[-1]
        begins = piece.start in starts and bool(run.values)
        if piece.is_value and begins:
            runs.append(Run([], [piece]))
        elif piece.is_value or (
            piece.said.sort in ("date", "year") and run.values and not begins and not _over(run)
        ):
            run.values.append(piece)
        elif piece.is_time and not run.values:
            run.texts.append(piece)
        else:
            runs.append(Run([piece], []))
    return [_led(run) for run in runs if run.texts or run.values]


def _over(run: Run) -> bool:
    return len(run.values) >= _MOST_VALUES


def _led(run: Run) -> Run:
    """Dates that stand between a label and its values are values: ``Lease end 2026-02-28 12,400``."""
    values = run.values
    texts = list(run.texts)
    led: list[Piece] = []
    while values and len(texts) > 1 and texts[-1].said.sort == "date" and not texts[0].is_time:
        led.insert(0, texts.pop())
    return Run(texts, [*led, *values])


def _count(runs: Sequence[Run]) -> int:
    """How many values a row has: what most rows have. Sums without a label make a row look like two; one row is enough
    where as many times stand above it."""
    counts = Counter(own for run in runs if run.texts for own in _lengths(run))
    if not counts:
        return 0
    count, times = max(counts.items(), key=lambda item: (item[1], item[0]))
    headed = _headed_by(runs, counts) if times == 1 else 0
    if headed:
        return headed
    if times == 1:
        count = min(counts)
        times = sum(own % count == 0 for own in counts) if count > 1 else 1
    if times < 2:
        above = [piece.text for run in runs for piece in run.texts if piece.is_time]
        fits = [own for own in sorted(counts, reverse=True) if own > 1 and headings.timed(above, own)]
        return fits[0] if fits else 0
    if times < _LEAST_SHARE * sum(1 for run in runs if run.texts and run.values) or count > _MOST_VALUES:
        return 0
    return count


def _headed_by(runs: Sequence[Run], counts: Counter[int]) -> int:
    """As many values as the line above the first row has headings, 0 where it has no such number."""
    first = next((index for index, run in enumerate(runs) if run.values and run.texts), 0)
    above = [piece for run in runs[:first] for piece in run.texts if not only_unit(piece.text)]
    fits = (own for own in sorted(counts, reverse=True) if own > 1)
    return next(
        (own for own in fits for piece in above[-2:] if headings.split_head(piece.text, own, labelled=False)),
        0,
    )


def _lengths(run: Run) -> list[int]:
    """How many values a run may have: a note in brackets behind the label may be the first of them."""
    count = len(run.values)
    noted = count > 1 and _NOTE.fullmatch(run.values[0].text) is not None
    return [count, count - 1] if noted else [count] if count else []


_NOTE = regex.compile(r"\(\d{1,2}\)")


class _Reading:
    """Reads runs in order: what stands before the first row heads the table, words between rows are sections."""

    def __init__(self, runs: Sequence[Run], count: int, starts: set[int], in_rows: bool, text: str) -> None:
        self._runs, self._count, self._starts, self._in_rows = runs, count, starts, in_rows
        self._text = text
        self._sectioned = _has_sections(runs, count)
        self._grid = self._fresh()
        self._head: list[Piece] = []
        self._heads_end = 0
        self._seen: set[str] = set()
        self._short: dict[int, list[Piece]] = {}
        self._sections = Sections()
        self._done: list[Grid] = []

    def _fresh(self) -> Grid:
        return Grid(texts=frozenset((0,)), columns=self._count + 1, ordered=True)

    def grids(self) -> list[Grid]:
        """The tables that the stream of cells holds, in order."""
        for run in self._runs:
            if run.values and run.texts:
                self._row(run)
            elif run.texts:
                self._head.extend(run.texts)
            elif self._grid.rows and len(values := _apart(run.values, self._count)) == self._count:
                self._add("", [], values)
        self._close()
        return self._done

    def _row(self, run: Run) -> None:
        if self._is_headless(run):
            self._head.extend(run.texts)
            return
        label, before = _label(run.texts)
        self._head.extend(before)
        values, extra = self._fitted(
            _dashes(run.values) if len(run.values) == self._count - 1 else run.values
        )
        more: list[Piece] = []
        if len(values) > self._count and len(values) % self._count == 0:
            values, more = values[: self._count], values[self._count :]
        if more and self._head:  # several labels, then several rows of values: whose is whose is not told
            values, more = [], []
        self._above(len(values) == self._count)
        texts = [*label, *extra]
        self._add(" ".join(piece.text for piece in texts), texts, values)
        for low in range(0, len(more), self._count):
            self._add("", [], more[low : low + self._count])

    def _is_headless(self, run: Run) -> bool:
        """Values that no label stands right before: too few for a row above the first, right behind headings, or so many
        that they are those of several labels, which stand together before them."""
        if not self._grid.rows and len(run.values) < self._count:
            return True
        if len(run.texts) > 1 and run.texts[-1].is_time and run.texts[-2].is_time:
            return True
        return len(run.values) > 2 * self._count and len(self._head) + len(run.texts) > 2

    def _add(self, name: str, texts: list[Piece], values: list[Piece]) -> None:
        """A row; values without a label are a sum that the books leave unnamed, one value fewer than there are columns
        are those of a row without a note."""
        sections = self._sections.above(name)
        noteless = len(values) == self._count - 1 > 0 and headings.of_notes(self._grid.heads.get(1, ()))
        whole = noteless or len(values) == self._count
        pieces = {index + 1 + noteless: piece for index, piece in enumerate(values)} if whole else {}
        start = (texts or values)[0].start
        if values and not whole:
            self._short[len(self._grid.rows)] = values
        self._grid.rows.append(GridRow(pieces, sections, start, (values or texts)[-1].end, name))
        self._sections.close(name)

    def _fitted(self, values: list[Piece]) -> tuple[list[Piece], list[Piece]]:
        """As many values as there are columns: numbers at the front may end the label, a page number may follow."""
        extra = len(values) - self._count
        if extra <= 0:
            return values, []
        if extra == 1 and is_furniture(values[-1].text) and values[-1].start in self._starts:
            return values[:-1], []
        front = values[:extra]
        if all(piece.said.sort == "year" or _IN_LABEL.fullmatch(piece.text) for piece in front):
            return values[extra:], front
        return values, []

    def _above(self, fits: bool) -> None:
        """The words since the row before: headings above the first row, else sections or headings once more."""
        if not self._head:
            return
        times = [piece for piece in self._head if piece.is_time]
        started = bool(self._grid.rows)
        if started and not times:
            self._between()
        elif started:
            grid, end = self._fresh(), self._heads_end
            self._headed(grid, self._head)
            if not grid.heads:
                self._heads_end = end
            if grid.heads and fits and (grid.heads != self._grid.heads or self._is_titled()):
                self._close()
                self._grid, self._sections = grid, Sections()
                self._open_sections(self._head)
            else:
                self._open_sections([piece for piece in self._head if piece.text not in self._seen])
        else:
            self._headed(self._grid, self._head)
            self._open_sections(self._head)
        self._seen.update(piece.text for piece in self._head)
        self._head = []

    def _is_titled(self) -> bool:
        """Whether new words stand above headings that are those of the table before: another table begins."""
        words = [piece for piece in self._head if not piece.is_time and piece.text not in self._seen]
        return len(words) >= _LEAST_TITLE

    def _between(self) -> None:
        for piece in self._head:
            if declares(piece.text) and not self._grid.heads:
                self._grid.captions.append(text_of(piece))
            elif piece.text not in self._seen or piece.text.endswith(":"):
                self._sections.open(piece.text)

    def _open_sections(self, pieces: Sequence[Piece]) -> None:
        """Words behind the last heading are section heads."""
        for piece in pieces:
            if self._heads_end and piece.start >= self._heads_end and not declares(piece.text):
                self._sections.open(piece.text)

    def _headed(self, grid: Grid, pieces: Sequence[Piece]) -> None:
        """Headings of the columns from the pieces above the first row."""
        grid.start = pieces[0].start
        count = self._count
        times = [part for piece in pieces if piece.is_time for part in headings.split_times(piece.text)]
        found = headings.timed(times, count) if times else None
        used = {piece.start for piece in pieces if piece.is_time} if found else set()
        if found and len(times) == count + 1 and times[-1] not in found[count][-1]:
            used.discard(max(used))
        pairs = [] if self._in_rows else _pairs(pieces, count)
        if pairs:
            found = {index: [word.text, time.text] for index, (word, time) in enumerate(pairs, start=1)}
            used = {piece.start for pair in pairs for piece in pair}
        elif found is None or len(times) < count:
            mixed, taken = self._in_line(pieces) if self._in_rows else ({}, set())
            if not mixed:
                mixed, taken = _mixed(pieces, count, self._sectioned, self._in_rows)
            if mixed:
                found, used = mixed, taken
        grid.heads = found or {}
        if found:
            used |= _with_units(grid.heads, pieces, used, count)
        self._heads_end = max((piece.end for piece in pieces if piece.start in used), default=0)
        if not found and count > 1:
            grid.loose_head = " ".join(piece.text for piece in pieces[-2 * count :])
        behind = max(
            (index for index, piece in enumerate(pieces) if piece.start in used), default=len(pieces) - 1
        )
        grid.captions = [text_of(piece) for piece in pieces[: behind + 1] if piece.start not in used]

    def _in_line(self, pieces: Sequence[Piece]) -> tuple[dict[int, list[str]], set[int]]:
        """Headings in the line right above the rows, or above the head of their first section."""
        lines = list(_by_line(pieces, self._text))
        sorts = _sorts(self._runs, self._count)
        near = [one for one in reversed(lines) if not only_unit(_spoken(one, self._text))][:_NEAR]
        for place, line in enumerate(near):
            if place and headings.is_caseless(_spoken(line, self._text)):
                break
            parts = headings.over_values(_spoken(line, self._text), sorts, led=place == 0 and len(near) > 1)
            if parts and (self._count > 1 or (len(parts) == _PAIR and generic_label(parts[0]))):
                return {index: [part] for index, part in enumerate(parts)}, {piece.start for piece in line}
        return {}, set()

    def _close(self) -> None:
        grid = self._grid
        if grid.rows:
            grid.start = min(
                [row.start for row in grid.rows] + ([grid.start] if grid.heads or grid.captions else [])
            )
            grid.end = grid.rows[-1].end
            single = short.below(grid, self._short)
            short.fitted(grid, {i: own for i, own in self._short.items() if i < len(grid.rows)})
            declared_behind(grid, self._head)
            self._done += [grid, single] if single else [grid]
            self._short = {}
        elif self._head:
            self._headed(grid, self._head)


def _apart(values: list[Piece], count: int) -> list[Piece]:
    """As many values as there are columns, where blanks between them made them look like fewer: ``780 670``."""
    found = [
        part_of(piece, *word.span()) for piece in values for word in _BETWEEN_BLANKS.finditer(piece.text)
    ]
    return found if len(values) < count == len(found) else values


_NEAR = 2  # lines above the first row that may head its columns
_PAIR = 2


def _by_line(pieces: Sequence[Piece], text: str) -> Iterator[list[Piece]]:
    """The pieces in the lines that they stand in."""
    line: list[Piece] = []
    for piece in pieces:
        if line and "\n" in text[line[-1].end : piece.start]:
            yield line
            line = []
        line.append(piece)
    if line:
        yield line


def _spoken(line: Sequence[Piece], text: str) -> str:
    return " ".join(text[line[0].start : line[-1].end].split())


def _sorts(runs: Sequence[Run], count: int) -> list[headings.Sort]:
    """What the values of each column are, by most of the rows."""
    rows = [run.values for run in runs if run.texts and len(run.values) == count]
    return [Counter(map(_sort, column)).most_common(1)[0][0] for column in zip(*rows, strict=True)]


def _sort(piece: Piece) -> headings.Sort:
    if piece.said.sort == "missing":
        return "text"
    if piece.is_time and piece.said.sort != "year":
        return "date"
    unit = piece.said.unit
    return "percent" if unit in ("%", "pp") else "ratio" if unit == "x" else "money" if unit else "plain"


_BETWEEN_BLANKS = regex.compile(r"[^ ]+")


def _has_sections(runs: Sequence[Run], count: int) -> bool:
    """Whether words without values stand between rows; the number of a page above the first is no row, nor below the last."""
    rows = [index for index, run in enumerate(runs) if run.texts and count in _lengths(run)]
    between = runs[rows[0] + 1 : rows[-1]] if rows else ()
    return any(run.texts and not run.values for run in between)


def _pairs(pieces: Sequence[Piece], count: int) -> list[tuple[Piece, Piece]]:
    """As many words and times in turn as there are columns, each in a line of its own: ``Sales``, ``Q1 2025``."""
    own = pieces[-2 * count :]
    pairs = list(zip(own[::2], own[1::2], strict=False))
    paired = len(pairs) == count > 1 and all(time.is_time and not word.is_time for word, time in pairs)
    return pairs if paired else []


def _with_units(heads: dict[int, list[str]], pieces: Sequence[Piece], used: set[int], count: int) -> set[int]:
    """Units below the headings, one for each column: ``2019 2018 £m £m``."""
    below = [piece for piece in pieces if used and piece.start > max(used)]
    own = below[:count]
    if len(own) < count or not all(only_unit(piece.text) for piece in own):
        return set()
    for column, piece in enumerate(own, start=1):
        heads[column] = [*heads.get(column, []), piece.text]
    return {piece.start for piece in own}


def _dashes(values: list[Piece]) -> list[Piece]:
    """The values of a row that lacks one, a dash that stands before a number taken for a value of its own: ``- 68``."""
    return [part for piece in values for part in parts_of(piece)]


_IN_LABEL = regex.compile(r"\d{1,2}|\((?:\d{1,2}|[\p{L}\d]{1,8}(?<!\d))\)")


def _label(texts: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The label of a row, which may be broken over lines, and the pieces before it."""
    first = len(texts) - 1
    while first > 0 and not texts[first - 1].is_time and goes_on(texts[first - 1].text, texts[first].text):
        first -= 1
    return texts[first:], texts[:first]


def _mixed(
    pieces: Sequence[Piece], count: int, sectioned: bool, in_rows: bool
) -> tuple[dict[int, list[str]], set[int]]:
    """Headings of words, or of words and times: the last pieces above the rows, or one line that falls into as many.
    ``sectioned`` says that section heads stand between the rows, so that one may stand above the first, ``in_rows`` that
    a row stands in one line."""
    plain = [
        piece
        for piece in pieces
        if not (declares(piece.text) and piece.text[:1] in "(（") and not only_unit(piece.text)
    ]
    while plain and len(plain) > count and plain[-1].text[-1:] in ":：":
        plain.pop()
        sectioned = False
    noted = sum(piece.text[:1] in "(（" for piece in plain[-count:])
    while plain and 0 < noted < count and plain[-1].text[:1] in "(（":
        plain.pop()
    one_line = _in_one_line(plain, count)
    if (one_line[0] and in_rows) or count < 2 or len(plain) < count:
        return one_line
    if sectioned and len(plain) > count and not plain[-1].is_time and not _heads_labels(plain[-count - 1]):
        plain.pop()
    own = plain[-count:]
    if any(len(piece.text) > _LONGEST_HEAD for piece in own):
        return {}, set()
    found = {index: [piece.text] for index, piece in enumerate(own, start=1)}
    used = {piece.start for piece in own}
    before = plain[-count - 1] if len(plain) > count else None
    if before is not None and (len(plain) == count + 1 or generic_label(before.text)) and not before.is_time:
        found[0] = [before.text]
        used.add(before.start)
    return found, used


def _heads_labels(piece: Piece) -> bool:
    return generic_label(piece.text) and not piece.is_time


_LONGEST_HEAD = 90


def _in_one_line(plain: Sequence[Piece], count: int) -> tuple[dict[int, list[str]], set[int]]:
    for piece in reversed(plain[-3:]):
        for wanted in (count + 1, count):
            parts = headings.split_head(piece.text, wanted, wanted > count) if count > 1 else None
            if parts and (" " in piece.text):
                return {index + (count + 1 - wanted): [part] for index, part in enumerate(parts)}, {
                    piece.start
                }
        if len(piece.text.split()) > count + 1:
            break  # what stands above these headings, though nothing tells where they end, is a title
    return {}, set()
