"""Which number of the sources a claim speaks of: every place weighed by how well its slot fits the words (NUM-06).

A claim is not supported because its value occurs somewhere, but because the slot in which it occurs fits the
sentence better than the slots of other values do. The features are plain agreements and disagreements; their
weights are fitted (``benchmarks/training``) and multiply, so that each can be read as a bonus or a malus.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from detection.core.chunks import (
    Cells,
    Label,
    Passage,
    Place,
    Slot,
    Slots,
    Surroundings,
    TableSlots,
    Wording,
    Words,
)
from detection.core.retrieval.ranking_weights import WEIGHTS
from detection.core.types import NumericClaim

Features = dict[str, float]
_FARTHEST_COLUMN = 2.0


class Weighed(NamedTuple):
    """Some features, 0 where they do not hold, and what they are worth together in log-odds."""

    features: Features
    weight: float


class Ranked(NamedTuple):
    """A place with how well its slot fits the claim, in log-odds: 1 more is e times as likely."""

    place: Place
    weight: float
    parts: tuple[Weighed, ...]
    slot: Slot

    @property
    def features(self) -> Mapping[str, float]:
        """What the weight is made of, those that are 0 left out."""
        return {name: float(value) for part in self.parts for name, value in part.features.items() if value}


class Ranking:
    """The places of some sources ranked for one claim. What places have in common is weighed once.

    ``rule`` gives what is added to the weight of a place, whatever the words.
    """

    def __init__(
        self,
        slots: Slots,
        passages: Mapping[str, Passage],
        number: NumericClaim,
        said: Wording,
        rule: Callable[[Place], Weighed],
    ) -> None:
        self._slots, self._passages, self._number, self._said = slots, passages, number, said
        self._rule = rule
        self._whole = slots.weigh(filter(slots.known, said.words)) or 1.0
        self._fits: dict[Words, tuple[float, float]] = {}
        self._known: dict[object, Weighed] = {}
        tables, sentences = slots.comparable(number)
        self.ranked = [ranked for cells in tables for ranked in self._in_table(cells)]
        self.ranked += [self._in_text(slot) for slot in sentences]

    def _fit(self, label: Words) -> tuple[float, float]:
        """The share of the sentence that a label says, and the share of the label that the sentence does not."""
        if label not in self._fits:
            self._fits[label] = self._covered(label), self._foreign(self._slots.label(label))
        return self._fits[label]

    def _covered(self, label: Words) -> float:
        common = label & self._said.words
        return self._slots.weigh(common) / self._whole if common else 0.0

    def _foreign(self, label: Label) -> float:
        if not label.weight:
            return 0.0
        return self._slots.weigh(label.words - self._said.words) / label.weight

    def _in_table(self, cells: Cells) -> Iterator[Ranked]:
        table, rule = cells.table, self._rule
        about = self._about(cells.cells[0].place.source)
        rows, beside = self._rows(table, cells.heads), self._beside(cells)
        kinds = [self._kind(cell, table.newest) for cell in table.kinds]
        for cell in cells.cells:
            place = cell.place
            row, (column, behind) = rows[place.line], beside[place.line][cell.head]
            kind, ruled = kinds[cell.kind], rule(place)
            weight = about.weight + row.weight + column.weight + behind.weight + kind.weight + ruled.weight
            yield Ranked(place, weight, (about, row, column, behind, kind, ruled), cell)

    def _beside(self, cells: Cells) -> dict[int, dict[int, tuple[Weighed, Weighed]]]:
        """For each head of each line, what its column is worth, and by how much another head of the line fits better."""
        found: dict[frozenset[int], dict[int, tuple[Weighed, Weighed]]] = {}
        for heads in cells.heads.values():
            if heads not in found:
                given = {head: cells.table.heads[head] for head in heads}
                columns = {head: self._column(one.column) for head, one in given.items()}
                sides = {head: self._side(one.years, columns[head].features) for head, one in given.items()}
                best = max(sides.values())
                found[heads] = {
                    head: (columns[head], self._behind(best - side)) for head, side in sides.items()
                }
        return {line: found[heads] for line, heads in cells.heads.items()}

    def _about(self, source: str) -> Weighed:
        if source not in self._known:
            self._known[source] = _weighed(chunk_said=self._covered(self._slots.words_of[source]))
        return self._known[source]

    def _behind(self, apart: float) -> Weighed:
        if apart not in self._known:
            self._known[apart] = _weighed(column_behind=min(apart, _FARTHEST_COLUMN))
        return self._known[apart]

    def _rows(self, table: TableSlots, lines: Iterable[int]) -> dict[int, Weighed]:
        rows = {line: self._row(table.rows[line], table.sections[line]) for line in lines}
        alone = {line: row["row_said"] - 0.5 * row["row_foreign"] for line, row in rows.items()}
        within = {
            line: alone[line] + row["section_said"] - 0.3 * row["section_foreign"]
            for line, row in rows.items()
        }
        first, second = max(alone.values()), max(within.values())
        return {
            line: _weighed(**row, row_behind=first - alone[line], section_behind=second - within[line])
            for line, row in rows.items()
        }

    def _row(self, row: Words, section: Words) -> Features:
        row_said, row_foreign = self._fit(row)
        section_said, section_foreign = self._fit(section)
        total = self._slots.label(row).total or self._slots.label(section).total
        return {
            "row_said": row_said,
            "row_foreign": row_foreign,
            "section_said": section_said,
            "section_foreign": section_foreign,
            "total_missing": self._said.total and not total,
            "total_foreign": total and not self._said.total,
        }

    def _column(self, label: Words) -> Weighed:
        if label not in self._known:
            covered, foreign = self._fit(label)
            self._known[label] = _weighed(column_said=covered, column_foreign=foreign)
        return self._known[label]

    def _side(self, years: Words, column: Features) -> float:
        named = self._said.years
        agreed = 2.0 * bool(named & years) - 0.5 * len(years - named) if named else 0.0
        return column.get("column_said", 0.0) - 0.5 * column.get("column_foreign", 0.0) + agreed

    def _kind(self, cell: Slot, newest: str) -> Weighed:
        """What many cells have in common: year, unit, operation."""
        years = cell.place.years
        key = years, newest, cell.operations, cell.moves, cell.marked, cell.place.unit
        if key not in self._known:
            self._known[key] = _weighed(**self._year(years, newest), **self._asked(cell, years))
        return self._known[key]

    def _year(self, years: Words, newest: str) -> Features:
        """Agreement of years; a sentence that names none means the newest."""
        named = self._said.years
        if not named:
            return {"year_older": bool(years) and max(years) < newest}
        agrees = not named.isdisjoint(years)
        return {
            "year_agrees": agrees,
            "year_conflicts": bool(years) and not agrees,
            "year_absent": not years,
            "year_extra": agrees and not years <= named,
        }

    def _asked(self, slot: Slot, years: Words) -> Features:
        """Agreement of operation and unit. A change between two years is one that names or spans them itself."""
        number, said, place = self._number, self._said, slot.place
        moves = "change" in said.operations and (slot.moves or len(years & said.years) > 1)
        return {
            "operation_missing": not said.operations <= slot.operations,
            "operation_foreign": not slot.operations <= said.operations,
            "several_asked": said.several and not moves,
            "several_years": len(said.years) > 1 and bool(years) and not said.years <= years and not moves,
            "unit_unknown": not place.unit and bool(number.unit),
            "currency_for_number": number.kind == "number" and slot.marked,
            "percent_for_number": number.kind == "number" and place.unit == "%",
        }

    def _in_text(self, slot: Slot) -> Ranked:
        place = slot.place
        parts = (*self._sentence(slot, self._passages[place.source].around(place)), self._rule(place))
        return Ranked(place, sum(part.weight for part in parts), parts, slot)

    def _sentence(self, slot: Slot, around: Surroundings) -> tuple[Weighed, ...]:
        place = slot.place
        key = slot.operations, slot.moves, slot.marked, place.unit, around.sentence_years
        if key not in self._known:
            self._known[key] = _weighed(text=1.0, **self._asked(slot, around.sentence_years))
        return (
            self._about(place.source),
            self._near(around, place.row),
            self._leading(_bound(place, around), around.lead),
            self._known[key],
        )

    def _near(self, around: Surroundings, sentence: Words) -> Weighed:
        """The words of a sentence, and those near a number of it."""
        key = sentence, around.near, around.close
        if key not in self._known:
            near, foreign = self._fit(around.near)
            self._known[key] = _weighed(
                sentence_said=self._covered(sentence),
                near_said=near,
                near_foreign=foreign,
                close_said=self._covered(around.close),
            )
        return self._known[key]

    def _leading(self, bound: Words, lead: str) -> Weighed:
        """The years that a number of a sentence is bound to, and the word that leads to it."""
        key = bound, lead
        if key not in self._known:
            named = self._said.years
            moves = "change" in self._said.operations
            agrees = not named.isdisjoint(bound)
            self._known[key] = _weighed(
                text_year_agrees=agrees,
                text_year_conflicts=bool(named) and bool(bound) and not agrees,
                by_for_change=moves and lead == "by",
                to_for_change=moves and lead == "to",
                by_for_value=not moves and lead == "by",
                to_for_value=not moves and lead == "to",
            )
        return self._known[key]


def _bound(place: Place, around: Surroundings) -> Words:
    """The years that a number of running text belongs to; those of its sentence do not become its own."""
    own = place.periods or not around.sentence_years
    return around.years or (place.years if own else frozenset())


def _weighed(**features: float) -> Weighed:
    weight = 0.0
    for name, value in features.items():
        if value:
            weight += WEIGHTS.get(name, 0.0) * value
    return Weighed(features, weight)
