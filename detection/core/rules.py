"""A rule is declared once, as a row of data, and decides over one answer and over a hundred thousand alike.

A :class:`Row` gives a word (a level, a code, a threshold's name) where all its tests hold; a test compares a column of what
is judged with a limit. :mod:`~detection.core.verdict.levels`, :mod:`~detection.core.strawberry.scoring` and
:mod:`~detection.core.citations` are tables of such rows. Of one answer a column is a plain value. Where
thresholds are tried over many, it is a NumPy array with a value for each, made by :mod:`reviews.tuning`, which has no rule of
its own. Python's operators serve both; the little that they cannot do is an :class:`Algebra`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from detection.core.thresholds import Thresholds, form_fields

Column = Any
"""A value, or an array with a value for each claim or answer."""
Columns = Mapping[str, Column]
Test = str | tuple[str, Callable[[Any, Any], Any], Any]
"""``(column, operator, limit)``, the limit a value, words, or the name of a threshold or of another column; a bare name
asks whether that column or switch is true."""

TUNABLE = frozenset(field.name for field in form_fields())


class Row:
    """One rule: what it ``gives`` where all ``tests`` hold; where rows speak of several things, of which ``subject``; and
    what it ``says`` in the words of its source."""

    __slots__ = ("gives", "says", "subject", "tests")

    def __init__(self, gives: str, *tests: Test, subject: str = "", says: str = "") -> None:
        self.gives, self.tests, self.subject, self.says = gives, tests, subject, says


class Algebra:
    """What operators do not do for values and arrays alike, here for plain values."""

    log: Column = staticmethod(math.log)
    copysign: Column = staticmethod(math.copysign)
    least: Column = staticmethod(min)
    most: Column = staticmethod(max)
    rounded: Column = staticmethod(round)

    def where(self, condition: Column, yes: Column, no: Column) -> Column:
        """``yes`` where the condition holds, else ``no``."""
        return yes if condition else no

    def select(self, cases: Iterable[tuple[Column, Column]], otherwise: Column) -> Column:
        """The value of the first (condition, value) that holds."""
        return next((value for held, value in cases if held), otherwise)

    def word(self, cases: Iterable[tuple[Column, str]], otherwise: str, _words: Sequence[str]) -> Column:
        """As :meth:`select`, of one of ``words``."""
        return self.select(cases, otherwise)

    def by_word(self, word: Column, table: Mapping[str, float], otherwise: float = 0.0) -> Column:
        """What the table has for each word."""
        return table.get(word, otherwise)


PLAIN = Algebra()


def among(word: Column, words: Sequence[str]) -> Column:
    """Operator: whether a word is one of ``words``."""
    return word in words if isinstance(word, str) else word.among(words)


def besides(word: Column, words: Sequence[str]) -> Column:
    """Operator: whether a word is none of ``words``."""
    return among(word, words) ^ True


def holds(row: Row, columns: Columns, thresholds: Thresholds) -> Column:
    """Whether all tests of a row hold."""
    held: Column = True
    for test in row.tests:
        if isinstance(test, str):
            found = columns[test] if test in columns else getattr(thresholds, test)
        else:
            name, compare, limit = test
            if isinstance(limit, str):
                limit = getattr(thresholds, limit) if limit in TUNABLE else columns[limit]
            found = compare(columns[name], limit)
        held = found if held is True else held & found
        if held is False:  # a plain value: nothing can change it
            break
    return held


def any_of(rows: Iterable[Row], columns: Columns, thresholds: Thresholds) -> Column:
    """Whether any of the rows holds."""
    return reduce(or_, (holds(row, columns, thresholds) for row in rows))


def each(rows: Iterable[Row], columns: Columns, thresholds: Thresholds) -> dict[str, Column]:
    """Of each word that the rows give, whether any of its rows holds."""
    found: dict[str, Column] = {}
    for row in rows:
        held = holds(row, columns, thresholds)
        found[row.gives] = found[row.gives] | held if row.gives in found else held
    return found


def first(
    rows: Iterable[Row],
    columns: Columns,
    thresholds: Thresholds,
    otherwise: str,
    words: Sequence[str],
    algebra: Algebra = PLAIN,
) -> Column:
    """The word of the first row that holds, one of ``words``."""
    cases = ((holds(row, columns, thresholds), row.gives) for row in rows)
    return algebra.word(cases, otherwise, words)


def tuned(
    rows: Iterable[Row], columns: Columns, thresholds: Thresholds, otherwise: str, algebra: Algebra = PLAIN
) -> Column:
    """The threshold that the first row which holds names."""
    cases = ((holds(row, columns, thresholds), getattr(thresholds, row.gives)) for row in rows)
    return algebra.select(cases, getattr(thresholds, otherwise))


def compared(rows: Iterable[Row], *subjects: str) -> Iterator[tuple[str, str]]:
    """The thresholds that rows of these subjects compare columns with, each with its column."""
    for row in rows:
        if row.subject in subjects:
            yield from ((test[2], test[0]) for test in row.tests if test[-1] in TUNABLE)
