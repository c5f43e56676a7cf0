"""The formulas and the cells that a sentence may mean: one operation over time or between names, and chains of them.

Chains are what sentences commonly state: average growth, the change of an average or of a share, and shares of
things taken together.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import regex

from detection.core.chunks import Words, words, years
from detection.core.derivations.formulas import Shape
from detection.core.derivations.grid import Chosen, Grid, between_names, in_time, years_of
from detection.core.derivations.phrases import joined, parts
from detection.core.derivations.words import is_range, speaks_of_average

Choice = tuple[Shape, Chosen]
_CHANGES = ("growth", "difference")
_SPANS = regex.compile(r"\b((?:19|20)\d\d)\s?[-–]\s?((?:19|20)\d\d)\b")


@lru_cache(maxsize=256)
def _said(phrase: str) -> Words:
    return words(phrase)


def choices(grid: Grid, operation: str, sentence: str) -> Iterator[Choice]:
    """Formulas with the cells of ``grid`` that the words of ``sentence`` may mean by ``operation``."""
    if operation == "points":
        yield from _change_of_share(grid, sentence)
        return
    if operation in _CHANGES:
        yield from _changes(grid, operation, sentence)
    elif operation in ("sum", "average"):
        yield from _over(operation, _guessed(grid, in_time(grid, _all_years(grid, operation, sentence))))
    for phrases in parts(sentence, operation):
        yield from _over(operation, between_names(grid, [_said(phrase) for phrase in phrases], len(phrases)))
        if operation in ("share", "ratio"):
            yield from _parts_together(grid, operation, phrases[0], phrases[1])


def _over(operation: str, found: Iterator[Chosen]) -> Iterator[Choice]:
    for chosen in found:
        yield Shape(operation, tuple(range(len(chosen.cells)))), chosen


def _guessed(grid: Grid, found: Iterator[Chosen]) -> Iterator[Chosen]:
    """Choices behind those the sentence names, where it does not name two years."""
    for chosen in found:
        yield chosen if len(grid.named) > 1 else Chosen(chosen.cells, chosen.score - 1)


def _changes(grid: Grid, operation: str, sentence: str) -> Iterator[Choice]:
    average = speaks_of_average(sentence)
    if average and operation == "growth":
        yield from _average_growth(grid, sentence)
    spans = _SPANS.findall(sentence)
    if average and operation == "difference" and len(spans) == 2:
        (first, second), (third, fourth) = sorted(spans, reverse=True)
        shape = Shape(operation, (Shape("average", (0, 1)), Shape("average", (2, 3))))
        yield from ((shape, chosen) for chosen in in_time(grid, [first, second, third, fourth]))
        return
    yield from _over(operation, _guessed(grid, in_time(grid, _two_years(grid))))


def _average_growth(grid: Grid, sentence: str) -> Iterator[Choice]:
    """The mean of the yearly growth rates of a row."""
    over = _all_years(grid, "average", sentence)
    if len(over) > 2:
        growths = tuple(Shape("growth", pair) for pair in pairwise(range(len(over))))
        yield from ((Shape("average", growths), chosen) for chosen in in_time(grid, over))


def _change_of_share(grid: Grid, sentence: str) -> Iterator[Choice]:
    """What a share became, less what it was: two rows at two years."""
    if not (years_meant := _two_years(grid)):
        return
    later, earlier = years_meant
    shape = Shape("difference", (Shape("share", (0, 1)), Shape("share", (2, 3))))
    for phrases in parts(sentence, "share"):
        said = [_said(phrase) for phrase in phrases]
        now = list(between_names(grid.at_year(later), said, 2))[:1]
        before = list(between_names(grid.at_year(earlier), said, 2))[:1]
        for one, other in zip(now, before, strict=False):
            yield shape, Chosen((*one.cells, *other.cells), (one.score + other.score) / 2)


def _parts_together(grid: Grid, operation: str, first: str, second: str) -> Iterator[Choice]:
    """Two things together as a share of a third, one as a share of two together, or one year's share of another's."""
    named = years(first), years(second)
    if len(named[0]) == len(named[1]) == 1 and named[0] != named[1]:
        yield from _over(operation, in_time(grid, [min(named[0]), min(named[1])]))
    for one, other in joined(first):
        said = [_said(one), _said(other), _said(second)]
        shape = Shape(operation, (Shape("sum", (0, 1)), 2))
        yield from ((shape, chosen) for chosen in between_names(grid, said, 3))
    for one, other in joined(second):
        said = [_said(first), _said(one), _said(other)]
        shape = Shape(operation, (0, Shape("sum", (1, 2))))
        yield from ((shape, chosen) for chosen in between_names(grid, said, 2))


def _two_years(grid: Grid) -> list[str]:
    """The later and the earlier year of a change: named, or with the one before, or the newest two."""
    if len(grid.named) == 1:
        return _with_year_before(min(grid.named))
    found = sorted(grid.named, reverse=True) or years_of(grid)[:2]
    return [found[0], found[-1]] if len(found) > 1 else []


def _all_years(grid: Grid, operation: str, sentence: str) -> list[str]:
    """The years that a sum or an average goes over: named, the whole range named, or all there are.

    The average of one year is that of its opening and its closing value.
    """
    there, named = years_of(grid), grid.named
    if named and is_range(sentence):
        return [year for year in there if min(named) <= year <= max(named)]
    if len(named) == 1 and operation == "average":
        return _with_year_before(min(named))
    return sorted(named, reverse=True) or there


def _with_year_before(year: str) -> list[str]:
    return [year, str(int(year) - 1)]
