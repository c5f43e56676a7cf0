"""Querysets whose SQL is written once: for a query of many conditions Django takes longer than the database.

A queryset is described by a function of lists of arguments, whole numbers and dates. For each combination of their
lengths its SQL is written with marks in the place of the arguments; every run puts the arguments there. Rows come
as from ``values_list``. What the function reads beside its arguments (a setting, the time) must never change.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql import Query

Argument = int | date
Row = tuple[Any, ...]
Described = Callable[..., QuerySet[Any, Any]]
_MOST = 256  # statements
_STEP = 16


@dataclass(frozen=True, slots=True)
class _Statement:
    """SQL, the places of the arguments among its parameters, the other parameters, and the columns of a row."""

    query: Query
    sql: str
    places: tuple[tuple[int, int], ...]
    constants: tuple[Any, ...]
    columns: tuple[Any, ...]


class Read(NamedTuple):
    """Rows as the database gives them, and what makes of any of them rows as from ``values_list``."""

    rows: list[Row]
    converted: Callable[[list[Row]], list[Row]]


def rows(described: Described, *lists: Sequence[Argument], most: int | None = None) -> list[Row]:
    """The first ``most`` rows of the queryset that ``described`` makes of ``lists``. Raises :class:`django.db.Error`."""
    found = read(described, *lists, most=most)
    return found.converted(found.rows)


def read(described: Described, *lists: Sequence[Argument], most: int | None = None) -> Read:
    """The rows of :func:`rows`, unconverted, for whoever knows some of them."""
    shape = tuple((isinstance(those[0], date) if those else False, len(those)) for those in lists)
    statement = _statement(described, shape, most, connection.vendor)
    arguments = [_adapted(argument) for argument in chain(*lists)]
    parameters = list(statement.constants)
    for place, index in statement.places:
        parameters[place] = arguments[index]
    compiler = statement.query.get_compiler(connection=connection)
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, parameters)
        found = cursor.fetchall()
    converters = compiler.get_converters(statement.columns)

    def converted(those: list[Row]) -> list[Row]:
        return [tuple(row) for row in compiler.apply_converters(those, converters)] if converters else those

    return Read(found, converted)


def padded(keys: Sequence[int]) -> list[int]:
    """``keys`` for a condition of membership: the last one repeated, so that only few lengths occur."""
    return [*keys, *([keys[-1]] * (-len(keys) % _STEP) if keys else ())]


@lru_cache(maxsize=_MOST)
def _statement(
    described: Described, shape: tuple[tuple[bool, int], ...], most: int | None, vendor: str
) -> _Statement:
    marks = _marks()
    lists = [[next(marks)[dated] for _ in range(count)] for dated, count in shape]
    query = described(*lists)[:most].query
    compiler = query.get_compiler(connection=connection)
    sql, parameters = compiler.as_sql()
    known = {_adapted(mark): index for index, mark in enumerate(chain(*lists))}
    places = tuple((place, known[one]) for place, one in enumerate(parameters) if one in known)
    if {index for _, index in places} != set(known.values()):
        raise ValueError(f"{described.__name__}: an argument is not in its query.")
    return _Statement(query, sql, places, tuple(parameters), tuple(column for column, *_ in compiler.select))


def _marks() -> Iterator[tuple[int, date]]:
    """Arguments that no query has of its own: a whole number or a date."""
    for count in range(1_000_000):
        yield -1_000_000_000 - count, date.min + timedelta(days=count)


def _adapted(argument: Argument) -> Any:
    """A date as the database takes it."""
    return connection.ops.adapt_datefield_value(argument) if isinstance(argument, date) else argument
