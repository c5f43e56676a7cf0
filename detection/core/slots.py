"""Whether a number of a source stands in the slot a claim speaks of: same row, same column, same year (NUM-06).

Words weigh by how rarely they occur among the rows of a table: the more the label of a row shares with the
sentence, and the less it adds of its own, the better the row fits. Only the best-fitting rows and columns of a
table are the claim's slot; being in the document is not being right.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from detection.core.places import Place, Words

_SLACK = 0.25
_TEXT_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Fit:
    """A place with how well its row and column fit the claim; ``same`` when both are the best of their table.

    ``sure`` says that words, not only the lack of better ones, make it the claim's slot; ``year`` that no year
    speaks against it.
    """

    place: Place
    row: float
    column: float
    same: bool
    sure: bool
    year: bool


def fits(places: Sequence[Place], said: Words, named: Words) -> list[Fit]:
    """How well each place fits a sentence with the words ``said`` that names the years ``named``."""
    tables: dict[tuple[str, int], list[Place]] = {}
    for place in places:
        tables.setdefault((place.source, place.table), []).append(place)
    found: list[Fit] = []
    for (_, table), inside in tables.items():
        found += _in_text(inside, said, named) if table < 0 else _in_table(inside, said, named)
    return found


def _weights(labels: Iterable[Words]) -> dict[str, float]:
    distinct = list(labels)
    counts = Counter(word for label in distinct for word in label)
    return {word: math.log(1 + len(distinct) / count) for word, count in counts.items()}


def _score(label: Words, said: Words, weights: dict[str, float], missing: float) -> float:
    return sum(weights[word] if word in said else -missing * weights[word] for word in label)


def _in_table(places: list[Place], said: Words, named: Words) -> list[Fit]:
    rows = {place.line: place for place in places}
    weights = _weights(place.row | place.section for place in rows.values())
    scores = {
        line: _score(place.row, said, weights, 0.5) + _score(place.section - place.row, said, weights, 0.1)
        for line, place in rows.items()
    }
    columns = {place.cell: place.column for place in places}
    column_weights = _weights(columns.values())
    shared = frozenset.intersection(*columns.values()) if columns else frozenset()
    sides = {cell: _score(label - shared, said, column_weights, 0.3) for cell, label in columns.items()}
    allowed = [place for place in places if _year_fits(place, named)]
    best_row = max((scores[place.line] for place in allowed), default=0.0)
    best_side: dict[int, float] = {}
    for place in allowed:
        best_side[place.line] = max(best_side.get(place.line, -9.0), sides[place.cell])
    return [
        _cell_fit(place, scores[place.line], sides[place.cell], best_row, best_side, named, said)
        for place in places
    ]


def _cell_fit(
    place: Place,
    row: float,
    side: float,
    best_row: float,
    best_side: dict[int, float],
    named: Words,
    said: Words,
) -> Fit:
    year = _year_fits(place, named)
    best = year and row >= best_row - _SLACK and side >= best_side.get(place.line, side) - _SLACK
    shares = bool(place.row & said) or bool(place.column & said)
    sure = row > 0 and bool(place.row & said)
    return Fit(place, row, side, best and shares, best and sure, year)


def _year_fits(place: Place, named: Words) -> bool:
    return not named or not place.years or bool(place.years & named)


def _in_text(places: list[Place], said: Words, named: Words) -> list[Fit]:
    shares = {place.line: len(place.row & said) / (len(said) or 1) for place in places}
    found = []
    for place in places:
        share = shares[place.line]
        year = _year_fits(place, named)
        found.append(Fit(place, share, 0.0, year and share >= _TEXT_SHARE, False, year))
    return found
