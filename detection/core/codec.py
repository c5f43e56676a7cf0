"""The one translation between the dataclasses of :mod:`detection.core.types` and JSON.

What is stored must be readable for years, so it is plain: Decimals are strings, dates are ISO 8601, tuples
are lists, mappings have text keys, and a ``schema`` number says how to read the rest. Where a field may hold
a Decimal or a text (the value of a number or of a date), the text is written as ``{"text": …}``.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

SCHEMA = 1

T = TypeVar("T")


def dump(record: object) -> dict[str, Any]:
    """A dataclass of :mod:`detection.core.types` as JSON values, with ``schema``.

    Raises :class:`ValueError` naming the field for a number that is not finite or a value that is not of the
    declared type, and :class:`TypeError` for anything but a dataclass instance.
    """
    name = type(record).__name__
    if not is_dataclass(record) or isinstance(record, type):
        raise TypeError(f"{name} is not a record that can be stored.")
    try:
        return {"schema": SCHEMA, **_dumping(type(record))(record)}
    except _Misfit as fault:
        raise fault.named(name) from None


def load(cls: type[T], data: Mapping[str, Any]) -> T:
    """The record of type ``cls`` that :func:`dump` wrote. A field that ``data`` lacks takes its default, so
    that types may grow.

    Raises :class:`ValueError` naming the place when ``data`` has another schema, an unknown field, a missing
    field without a default, or a value of the wrong type.
    """
    if data.get("schema") != SCHEMA:
        raise ValueError(f"{cls.__name__}: schema {data.get('schema')!r} is not {SCHEMA}.")
    bare = {name: value for name, value in data.items() if name != "schema"}
    try:
        return cast(T, _loading(cast(Any, cls))(bare))
    except _Misfit as fault:
        raise fault.named(cls.__name__) from None


class _Misfit(Exception):
    """What does not fit; its place is put together on the way up, so that what fits pays nothing for it."""

    def __init__(self, why: str, place: str = "") -> None:
        super().__init__(why)
        self.why, self.place = why, place

    def inside(self, place: str) -> "_Misfit":
        """The same one step further out."""
        self.place = place + self.place
        return self

    def named(self, name: str) -> ValueError:
        """What the caller is told."""
        return ValueError(f"{name}{self.place}: {self.why}")


Turn = Callable[[Any], Any]
"""From a value to JSON, or back, for one type. Raises :class:`_Misfit`."""


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


@cache
def _dumping(hint: Any) -> Turn:
    """How values of a type are written; told once for each type, since answers have tens of thousands of records."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _choice(args, _dump_number)
    if origin is tuple:
        return _sequence(args, _dumping, list)
    if origin is not None and origin is not Literal:
        return _mapping_out(_dumping(args[1]))
    if is_dataclass(hint):
        return _record_out(hint)
    if hint is Decimal:
        return lambda value: str(_scalar(value, hint))
    return (lambda value: _scalar(value, hint).isoformat()) if hint is date else _checked(hint)


@cache
def _loading(hint: Any) -> Turn:
    """How values of a type are read."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _choice(args, _load_number, _loading)
    if origin is tuple:
        return _sequence(args, _loading, tuple)
    if origin is not None and origin is not Literal:
        return _mapping_in(int if args[0] is int else str, _loading(args[1]))
    if is_dataclass(hint):
        return _record_in(hint)
    if hint in (Decimal, date):
        reader = Decimal if hint is Decimal else date.fromisoformat
        return lambda value: _scalar(_read(value, reader), hint)
    return _checked(hint)


def _checked(hint: Any) -> Turn:
    """A value as it is, if it is what the type says."""
    if hint in (str, int, bool):
        return lambda value: value if type(value) is hint else _scalar(value, hint)
    if get_origin(hint) is Literal:
        allowed = frozenset(get_args(hint))
        return lambda value: value if type(value) is str and value in allowed else _scalar(value, hint)
    return lambda value: _scalar(value, hint)


def _choice(args: tuple[Any, ...], number: Turn, turning: Callable[[Any], Turn] = _dumping) -> Turn:
    """A type or nothing; or a Decimal or a text."""
    hints = [hint for hint in args if hint is not NoneType]
    turn = turning(hints[0]) if len(hints) == 1 else number
    return (lambda value: None if value is None else turn(value)) if NoneType in args else turn


def _dump_number(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else str(_scalar(value, Decimal))


def _load_number(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"text"}:
        return _scalar(value["text"], str)
    return _scalar(_read(value, Decimal), Decimal)


def _sequence(args: tuple[Any, ...], turning: Callable[[Any], Turn], made: Callable[[Any], Any]) -> Turn:
    """A tuple as a list, or back."""
    any_number = args[1:] == (Ellipsis,)
    turns = [turning(args[0])] if any_number else [turning(hint) for hint in args]

    def turn(value: Any) -> Any:
        if not isinstance(value, tuple | list):
            raise _Misfit(f"{value!r} is not a list.")
        if not any_number and len(value) != len(turns):
            raise _Misfit(f"{len(value)} items where {len(turns)} belong.")
        index = 0
        try:
            found = []
            for index, item in enumerate(value):
                found.append(turns[0 if any_number else index](item))
        except _Misfit as fault:
            raise fault.inside(f"[{index}]") from None
        return made(found)

    return turn


def _mapping_out(turn_item: Turn) -> Turn:
    def turn(value: Any) -> Any:
        found, key = {}, None
        try:
            for key, item in value.items():
                found[str(key)] = turn_item(item)
        except _Misfit as fault:
            raise fault.inside(f"[{key}]") from None
        return found

    return turn


def _mapping_in(key_of: Callable[[Any], Any], turn_item: Turn) -> Turn:
    def turn(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _Misfit(f"{value!r} is not a mapping.")
        found = {}
        for key, item in value.items():
            own = _read(key, key_of)
            try:
                found[own] = turn_item(item)
            except _Misfit as fault:
                raise fault.inside(f"[{key}]") from None
        return found

    return turn


def _record_out(cls: Any) -> Turn:
    turns = [(name, _dumping(hint)) for name, hint in _hints(cls).items()]

    def turn(record: Any) -> Any:
        if type(record) is not cls:
            raise _Misfit(f"{type(record).__name__} is not {cls.__name__}.")
        name = ""
        try:
            found = {}
            for name, turn_field in turns:
                found[name] = turn_field(getattr(record, name))
        except _Misfit as fault:
            raise fault.inside(f".{name}") from None
        return found

    return turn


def _record_in(cls: Any) -> Turn:
    turns = {name: _loading(hint) for name, hint in _hints(cls).items()}
    needed = [one.name for one in fields(cls) if one.default is one.default_factory is MISSING]

    def turn(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _Misfit(f"{value!r} is not a {cls.__name__}.")
        given, name = {}, ""
        try:
            for name, item in value.items():
                turn_field = turns.get(name)
                if turn_field is None:
                    break
                given[name] = turn_field(item)
        except _Misfit as fault:
            raise fault.inside(f".{name}") from None
        if len(given) < len(value):
            raise _Misfit(f"there is no field {name!r}.")
        for name in needed:
            if name not in given:
                raise _Misfit("missing.", f".{name}")
        return cls(**given)

    return turn


def _scalar(value: Any, hint: Any) -> Any:
    """``value`` if it is what the type says; a whole number may stand for a float."""
    if hint is object:
        return _plain(value)
    if get_origin(hint) is Literal:
        fits = value in get_args(hint)
    elif hint is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        value = float(value) if fits else value
    elif hint is Decimal:
        fits = isinstance(value, Decimal) and value.is_finite()
    else:
        fits = type(value) is hint
    if not fits:
        raise _Misfit(f"{value!r} does not belong here.")
    return value


def _plain(value: Any, place: str = "") -> Any:
    """What came from JSON anyway (a source's metadata), as it is."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{place}[{key}]") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{place}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise _Misfit(f"{value!r} does not belong here.", place)
    if value is None or isinstance(value, str | int | float):
        return value
    raise _Misfit(f"{type(value).__name__} cannot be stored.", place)


def _read(value: Any, reader: Callable[[Any], Any]) -> Any:
    if not isinstance(value, str):
        raise _Misfit(f"{value!r} is not a text.")
    try:
        return reader(value)
    except (ValueError, InvalidOperation):
        raise _Misfit(f"{value!r} cannot be read.") from None
