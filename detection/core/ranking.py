"""Which number of the sources a claim speaks of: every place weighed by how well its slot fits the words (NUM-06).

A claim is not supported because its value occurs somewhere, but because the slot in which it occurs fits the
sentence better than the slots of other values do. The features are plain agreements and disagreements; their
weights are fitted (``benchmarks/training``) and multiply, so that each can be read as a bonus or a malus.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from detection.core.comparison import units_meet
from detection.core.places import Place, Words
from detection.core.ranking_weights import WEIGHTS
from detection.core.source_slots import Label, Slot, Slots, TableSlots
from detection.core.surroundings import Surroundings, Texts
from detection.core.types import NumericClaim
from detection.core.wording import Wording, names_total

Features = dict[str, float]
_FARTHEST_COLUMN = 2.0


@dataclass(frozen=True, slots=True)
class Weighed:
    """Some features, those that are 0 left out, and what they are worth together in log-odds."""

    features: Features
    weight: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place with how well its slot fits the claim, in log-odds: 1 more is e times as likely."""

    place: Place
    weight: float
    parts: tuple[Weighed, ...]

    @property
    def features(self) -> Mapping[str, float]:
        """What the weight is made of."""
        return {name: value for part in self.parts for name, value in part.features.items()}


class Ranking:
    """The places of some sources ranked for one claim."""

    def __init__(self, slots: Slots, texts: Texts, number: NumericClaim, said: Wording) -> None:
        self._slots, self._texts, self._number, self._said = slots, texts, number, said
        self._whole = slots.weigh(word for word in said.words if slots.known(word)) or 1.0
        self._kinds: dict[object, Weighed] = {}
        self.ranked = [*self._in_tables(), *self._in_text()]

    def _covered(self, label: Words) -> float:
        return self._slots.weigh(label & self._said.words) / self._whole

    def _foreign(self, label: Label) -> float:
        """The share of a label that the sentence does not say."""
        if not label.weight:
            return 0.0
        return self._slots.weigh(label.words - self._said.words) / label.weight

    def _in_tables(self) -> Iterator[Ranked]:
        for table in self._slots.tables:
            cells = [cell for cell in table.cells if units_meet(cell.place, self._number)]
            if cells:
                yield from self._in_table(table, cells)

    def _in_table(self, table: TableSlots, cells: list[Slot]) -> Iterator[Ranked]:
        rows = self._rows(table, {cell.place.line for cell in cells})
        columns = {said: self._column(label) for said, label in table.columns.items()}
        sides = [self._side(cell.place, columns[cell.place.column].features) for cell in cells]
        best: dict[int, float] = {}
        for cell, side in zip(cells, sides, strict=True):
            line = cell.place.line
            best[line] = max(best.get(line, side), side)
        about = _weighed(chunk_said=self._covered(self._slots.chunks.get(cells[0].place.source, frozenset())))
        for cell, side in zip(cells, sides, strict=True):
            place = cell.place
            behind = _weighed(column_behind=min(best[place.line] - side, _FARTHEST_COLUMN))
            parts = (about, rows[place.line], columns[place.column], behind, self._kind(cell, table.newest))
            yield Ranked(place, sum(part.weight for part in parts), parts)

    def _rows(self, table: TableSlots, lines: set[int]) -> dict[int, Weighed]:
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

    def _row(self, label: Label, section: Label) -> Features:
        total = names_total(label.words | section.words)
        return {
            "row_said": self._covered(label.words),
            "row_foreign": self._foreign(label),
            "section_said": self._covered(section.words),
            "section_foreign": self._foreign(section),
            "total_missing": self._said.total and not total,
            "total_foreign": total and not self._said.total,
        }

    def _column(self, label: Label) -> Weighed:
        return _weighed(column_said=self._covered(label.words), column_foreign=self._foreign(label))

    def _side(self, place: Place, column: Features) -> float:
        years = self._said.years
        agreed = 2.0 * bool(years & place.years) - 0.5 * len(place.years - years) if years else 0.0
        return column.get("column_said", 0.0) - 0.5 * column.get("column_foreign", 0.0) + agreed

    def _kind(self, cell: Slot, newest: str) -> Weighed:
        """What many cells have in common: year, unit, operation."""
        place = cell.place
        key = place.years, newest, cell.operations, cell.moves, cell.marked, place.unit
        if key not in self._kinds:
            found = self._year(place.years, newest) | self._asked(cell, place.years)
            self._kinds[key] = _weighed(**found)
        return self._kinds[key]

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

    def _in_text(self) -> Iterator[Ranked]:
        for slot in self._slots.texts:
            if units_meet(slot.place, self._number):
                found = self._sentence(slot, self._texts.around(slot.place))
                yield Ranked(slot.place, found.weight, (found,))

    def _sentence(self, slot: Slot, around: Surroundings) -> Weighed:
        place, named = slot.place, self._said.years
        near = Label(around.near, self._slots.weigh(around.near))
        moves = "change" in self._said.operations
        bound = around.years or place.years
        agrees = not named.isdisjoint(bound)
        return _weighed(
            text=1.0,
            chunk_said=self._covered(self._slots.chunks.get(place.source, frozenset())),
            sentence_said=self._covered(place.row),
            near_said=self._covered(around.near),
            near_foreign=self._foreign(near),
            close_said=self._covered(around.close),
            text_year_agrees=agrees,
            text_year_conflicts=bool(named) and bool(bound) and not agrees,
            by_for_change=moves and around.lead == "by",
            to_for_change=moves and around.lead == "to",
            by_for_value=not moves and around.lead == "by",
            to_for_value=not moves and around.lead == "to",
            **self._asked(slot, around.sentence_years),
        )


def _weighed(**features: float) -> Weighed:
    found = {name: float(value) for name, value in features.items() if value}
    return Weighed(found, sum(WEIGHTS.get(name, 0.0) * value for name, value in found.items()))
