"""The answer that is judged as quantities; a table in it is read as tables of sources are."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from typing import Literal, NamedTuple

from detection.core import periods
from detection.core.evidence import Evidence
from detection.core.evidence.tables import Cell, Table, read
from detection.core.lexicons import Words
from detection.core.periods import CALENDAR_YEAR, Calendar
from detection.core.ports import SlotReader
from detection.core.quantities import Quantity, Reading, Tier, accepted, formulas, named, numbered, sized
from detection.core.types import Case, NumericClaim, Source

_MOST_TABLED, _MOST_BESIDE, _MOST_TITLED = 100_000, 24, 100
"""Characters of an answer that is read for tables, numbers on either side of one that may have to do with it, and names that hold
one."""
_THOUSAND = 1000
_HEAD, _CELLS = 0.9, 3  # a heading counts a little less than the row; fewer cells are no table


class Passage(NamedTuple):
    """A stretch of a text whose words may name the slots of a quantity, and what it is to the answer."""

    reading: Reading
    start: int
    end: int
    by: Literal["sentence", "head", "before", "question", "model"]


class Answer:
    """The answer read once: its quantities with what its question names behind them."""

    def __init__(
        self, case: Case, found: Sequence[NumericClaim], known: Evidence, reader: SlotReader | None = None
    ) -> None:
        calendar = _calendar(case, known)
        sizes = _sizes(case, known)
        self._asking = asked = Reading(case.question, case.language, calendar, names=sizes)
        self._heads: dict[int, list[Reading]] = {}
        written = [number for number in found if number.kind != "change"]
        self.question = asked.stretch(0, len(case.question))
        self.reading = Reading(
            case.answer, case.language, calendar, found=written, names=sizes, titles=_titles(written, known)
        )
        self._cells = dict(self._in_cells(case)) if len(case.answer) <= _MOST_TABLED else {}
        self._proposed = self._accepted(reader) if reader else {}
        self._read: dict[int, tuple[Iterator[Quantity], list[Quantity]]] = {}

    @property
    def asked(self) -> Sequence[NumericClaim]:
        """The numbers that the question states."""
        return self._asking.values

    def said(self, number: NumericClaim) -> Quantity:
        """A number of the answer with its surroundings."""
        found = next((one for one in self.beside(number) if one.number.start == number.start), None)
        return found or self._asked(self.reading.at(number.start, number.end, number))

    def beside(self, number: NumericClaim) -> list[Quantity]:
        """The quantities of the sentence of a number, of a long one those up to it and some more."""
        index = self.reading.sentence_at(number.start)
        if index not in self._read:
            self._read[index] = self._quantities(index), []
        rest, found = self._read[index]
        passed = len(found) - bisect_right(found, number.start, key=lambda one: one.number.start)
        found += islice(rest, max(0, _MOST_BESIDE - passed))
        while not found or found[-1].number.start < number.start:
            more = next(rest, None)
            if more is None:
                break
            found.append(more)
        place = bisect_left(found, number.start, key=lambda one: one.number.start)
        return found[max(place - _MOST_BESIDE, 0) : place + _MOST_BESIDE]

    def _quantities(self, index: int) -> Iterator[Quantity]:
        """The quantities of a sentence in order. A question asks for several things at once: what the sentence names there in
        another clause than that of a number, is no name of it."""
        found = self.reading.in_sentence(index)
        said = {one.name for one in self.reading.within(*self._stretch(index))}
        for one in islice(found, _MOST_BESIDE):
            own = self._named(one)
            yield self._asked(own, said.difference(*(tier.words for tier in own.tiers[:2])))
        yield from (self._asked(self._named(one)) for one in found)

    def _named(self, one: Quantity) -> Quantity:
        """A quantity by the row and the column in which it stands, where it stands in a table, and by what a model proposes."""
        cell = self._cells.get(one.number.start)
        told = self._of_cell(*cell, one) if cell else one
        return named(told, self.reading, self._proposed.get(one.number.start, {}))

    def place(self, number: NumericClaim) -> tuple[object, ...]:
        """Where a number stands: the same words around two alike numbers make them one comparison (NUM-14)."""
        index = self.reading.sentence_at(number.start)
        start, _ = self.reading.sentences[index] if self.reading.sentences else (0, 0)
        near = self.reading.sentences[max(index - 2, 0) : index + 1]
        return (number.start - start, *(self.reading.text[low:high] for low, high in near))

    def around(self, claim: NumericClaim) -> Quantity:
        """The surroundings of a claim without digits."""
        key = str(claim.value).partition(":")[2]
        return self._asked(replace(self.reading.at(claim.start, claim.end, claim), direction=key))

    def passages(self, one: Quantity) -> list[list[Passage]]:
        """Where the words of each tier of a quantity stand."""
        heads = self._heads.get(one.number.start)
        first, last = self._stretch(one.sentence)
        here = [Passage(self.reading, first, last, "sentence")]
        here += [
            Passage(self.reading, *place, "model")
            for place in self._proposed.get(one.number.start, {}).values()
            if not first <= place[0] < last
        ]
        own = [[Passage(head, 0, len(head.text), "head") for head in heads], here] if heads else [here, here]
        count = len(one.tiers) - len(own) - 1
        led = [
            [Passage(self.reading, *self._stretch(one.sentence - 1 - back), "before")]
            for back in range(count)
        ]
        return [*own, *led, [Passage(self._asking, 0, len(self._asking.text), "question")]]

    def sentence(self, one: Quantity) -> str:
        """The sentence of a quantity."""
        start, end = self._stretch(one.sentence)
        return self.reading.text[start:end]

    def _accepted(self, reader: SlotReader) -> dict[int, dict[str, tuple[int, int]]]:
        """What a model proposes for the numbers of the answer, as far as it stands there."""
        asked = numbered(self.reading)
        return accepted(asked, *reader.propose([asked]))

    def _stretch(self, index: int) -> tuple[int, int]:
        sentences = self.reading.sentences
        return sentences[index] if sentences else (0, len(self.reading.text))

    def _asked(self, one: Quantity, others: Set[str] = frozenset()) -> Quantity:
        """A quantity with what the question names, but for the words of ``others``."""
        words = {word: weight for word, weight in self.question.words.items() if word not in others}
        asked = self.question._replace(words=words)
        return replace(one, tiers=(*one.tiers, asked), formulas=formulas(self.reading, one))

    def _in_cells(self, case: Case) -> Iterator[tuple[int, tuple[Table, Cell]]]:
        """The numbers in tables of the answer by where they begin: the table and the cell."""
        tables = (
            read(Source("", case.answer))
            if "|" in case.answer or "\t" in case.answer or "<t" in case.answer
            else ()
        )
        plain = self.reading.values
        ends = [one.end for one in plain]
        for table in tables:
            for cell in table.cells if len(table.cells) >= _CELLS else ():
                for one in islice(plain, bisect_right(ends, cell.start), None):
                    if one.start >= max(cell.end, cell.start + 1):
                        break
                    yield one.start, (table, cell)

    def _of_cell(self, table: Table, cell: Cell, one: Quantity) -> Quantity:
        side = next(found for found in table.rows if found.index == cell.row)
        head = next(found for found in table.columns if found.index == cell.column)
        named = [
            Reading(text, self.reading.language, self.reading.calendar)
            for text in (*side.texts, *side.sections, *head.heads)
        ]
        self._heads[one.number.start] = named
        words = {
            word: weight
            for place, text in enumerate(named)
            for word, weight in text.stretch(0, len(text.text)).words.items()
        }
        spoken = tuple(mention for text in named for mention in text.periods)
        around = self.reading.led(one.sentence)
        caption = Reading(table.caption, self.reading.language, self.reading.calendar).stretch(
            0, len(table.caption)
        )
        return replace(
            one,
            number=_in_scale(one.number, cell),
            tiers=(Tier(words, spoken), caption, *around),
            direction="",
            is_base=False,
            arrives=False,
            by=False,
        )


def _in_scale(number: NumericClaim, cell: Cell) -> NumericClaim:
    """A number of a table in the scale that its heading declares: "£ thousand"."""
    if (
        cell.value is None
        or not isinstance(number.value, Decimal)
        or abs(cell.value) < abs(number.value) * _THOUSAND
    ):
        return number
    return replace(number, value=cell.value, precision=cell.precision, kind=cell.kind, unit=cell.unit)


def _titles(written: Sequence[NumericClaim], known: Evidence) -> list[str]:
    """The names of rows and columns that hold a number of the answer and more: "Customers above $100k"."""
    said = {one.text for one in written if one.kind != "date"}
    labels = (
        label.text for grid in known.grids if not grid.is_prose for axis in grid.axes for label in axis.labels
    )
    held = (name for name in labels if name not in said and not said.isdisjoint(name.split()))
    return list(islice(held, _MOST_TITLED))


def _sizes(case: Case, known: Evidence) -> frozenset[str]:
    """The sizes that answer and question state and that rows or columns of tables have in their names."""
    said = {one.name for text in (case.answer, case.question) for one in sized(Words(text))}
    tables = (grid for grid in known.grids if said and not grid.is_prose)
    return frozenset(word for grid in tables for axis in grid.axes for word in said.intersection(axis.words))


def _calendar(case: Case, known: Evidence) -> Calendar:
    """How the answer names its years: as it says itself, else as the first evidence does that says so."""
    calendars = [grid.calendar for grid in known.all]
    first = next((one for one in calendars if one.year_end), next(iter(calendars), CALENDAR_YEAR))
    stated = periods.dated_in(f"{case.question}\n{case.answer}")
    return replace(first, year_end=stated.year_end, ends_after=stated.ends_after) if stated else first
