"""Which number of the sources a claim speaks of: every place weighed by how well its slot fits the words (NUM-06).

A claim is not supported because its value occurs somewhere, but because the slot in which it occurs fits the
sentence better than the slots of other values do. The features are plain agreements and disagreements; their
weights are fitted (``benchmarks/training``) and multiply, so that each can be read as a bonus or a malus.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from detection.core.comparison import units_meet
from detection.core.places import Place, Words, kind_of
from detection.core.ranking_weights import WEIGHTS
from detection.core.source_slots import Label, Slots, TableSlots
from detection.core.surroundings import Surroundings, Texts
from detection.core.types import NumericClaim
from detection.core.wording import Wording, names_total, operations

_MARKS = frozenset("$€£¥₪₹")
Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place with how well its slot fits the claim; ``row`` is the part of it that its row has.

    ``weight`` and ``row`` are log-odds without a unit: 1 more is e times as likely.
    """

    place: Place
    weight: float
    row: float
    features: Features


class Ranking:
    """The places of some sources ranked for one claim."""

    def __init__(self, slots: Slots, texts: Texts, number: NumericClaim, said: Wording) -> None:
        self._slots, self._texts, self._number, self._said = slots, texts, number, said
        self._whole = slots.weigh(word for word in said.words if slots.known(word)) or 1.0
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
            cells = [cell for cell in table.cells if units_meet(cell, self._number)]
            if cells:
                yield from self._in_table(table, cells)

    def _in_table(self, table: TableSlots, cells: list[Place]) -> Iterator[Ranked]:
        rows = self._rows(table, {cell.line for cell in cells})
        columns = {said: self._column(label) for said, label in table.columns.items()}
        sides = [self._side(cell, columns[cell.column]) for cell in cells]
        newest = max((year for cell in cells for year in cell.years), default="")
        best: dict[int, float] = {}
        for cell, side in zip(cells, sides, strict=True):
            best[cell.line] = max(best.get(cell.line, side), side)
        about = self._covered(self._slots.chunks.get(cells[0].source, frozenset()))
        for cell, side in zip(cells, sides, strict=True):
            row, column = rows[cell.line], columns[cell.column]
            own_words = cell.row | cell.section | cell.column
            spoken = cell.column if cell.years else own_words
            features = {
                "chunk_said": about,
                "column_behind": min(best[cell.line] - side, 2.0),
                **self._year(cell.years, newest),
                **self._kind(cell, own_words, spoken, cell.years),
            }
            own = weigh(row)
            yield Ranked(cell, own + weigh(column) + weigh(features), own, row | column | features)

    def _rows(self, table: TableSlots, lines: set[int]) -> dict[int, Features]:
        rows = {line: self._row(table.rows[line], table.sections[line]) for line in lines}
        alone = {line: row["row_said"] - 0.5 * row["row_foreign"] for line, row in rows.items()}
        within = {
            line: alone[line] + row["section_said"] - 0.3 * row["section_foreign"]
            for line, row in rows.items()
        }
        first, second = max(alone.values()), max(within.values())
        for line, row in rows.items():
            row["row_behind"], row["section_behind"] = first - alone[line], second - within[line]
        return rows

    def _row(self, label: Label, section: Label) -> Features:
        total = names_total(label.words | section.words)
        return {
            "row_said": self._covered(label.words),
            "row_foreign": self._foreign(label),
            "section_said": self._covered(section.words),
            "section_foreign": self._foreign(section),
            "total_missing": float(self._said.total and not total),
            "total_foreign": float(total and not self._said.total),
        }

    def _column(self, label: Label) -> Features:
        return {"column_said": self._covered(label.words), "column_foreign": self._foreign(label)}

    def _side(self, cell: Place, column: Features) -> float:
        years = self._said.years
        agreed = 2.0 * bool(years & cell.years) - 0.5 * len(cell.years - years) if years else 0.0
        return column["column_said"] - 0.5 * column["column_foreign"] + agreed

    def _year(self, years: Words, newest: str) -> Features:
        """Agreement of years; a sentence that names none means the newest."""
        named = self._said.years
        if not named:
            return {"year_older": float(bool(years) and max(years) < newest)}
        return {
            "year_agrees": float(bool(named & years)),
            "year_conflicts": float(bool(years) and not named & years),
            "year_absent": float(not years),
            "year_extra": float(bool(named & years) and bool(years - named)),
        }

    def _kind(self, place: Place, own: Words, spoken: Words, years: Words) -> Features:
        """Agreement of unit and of operation. ``spoken`` are the words that can say that the place is a change,
        ``years`` those it belongs to: a change between two years lies in a column of both or of none."""
        number, said, named = self._number, self._said, operations(own)
        moves = "change" in said.operations and (
            "change" in operations(spoken) or len(years & said.years) > 1
        )
        currency = number.kind == "number" and _is_marked(place)
        missing_years = len(said.years) > 1 and bool(years) and bool(said.years - years)
        return {
            "operation_missing": float(bool(said.operations - named)),
            "operation_foreign": float(bool(named - said.operations)),
            "several_asked": float(said.several and not moves),
            "several_years": float(missing_years and not moves),
            "unit_unknown": float(not place.unit and bool(number.unit)),
            "currency_for_number": float(currency),
            "percent_for_number": float(place.unit == "%" and number.kind == "number"),
        }

    def _in_text(self) -> Iterator[Ranked]:
        for place in self._slots.texts:
            if units_meet(place, self._number):
                features = self._sentence(place, self._texts.around(place))
                yield Ranked(place, weigh(features), 0.0, features)

    def _sentence(self, place: Place, around: Surroundings) -> Features:
        named = self._said.years
        near = Label(around.near, self._slots.weigh(around.near))
        moves = "change" in self._said.operations
        bound = around.years or place.years
        return {
            "text": 1.0,
            "chunk_said": self._covered(self._slots.chunks.get(place.source, frozenset())),
            "sentence_said": self._covered(place.row),
            "near_said": self._covered(around.near),
            "near_foreign": self._foreign(near),
            "close_said": self._covered(around.close),
            "text_year_agrees": float(bool(named & bound)),
            "text_year_conflicts": float(bool(named and bound and not named & bound)),
            "by_for_change": float(moves and around.lead == "by"),
            "to_for_change": float(moves and around.lead == "to"),
            "by_for_value": float(not moves and around.lead == "by"),
            **self._kind(place, place.row, place.row, around.sentence_years),
        }


def _is_marked(place: Place) -> bool:
    """Whether the place itself names a currency; a cell may have its table's."""
    return kind_of(place) == "currency" and (place.table < 0 or not _MARKS.isdisjoint(place.text))


def weigh(features: Features) -> float:
    """What features are worth together, in log-odds."""
    return sum(WEIGHTS.get(name, 0.0) * value for name, value in features.items() if value)
