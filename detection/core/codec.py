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
    return {"schema": SCHEMA, **_dump_record(record, type(record), name)}


def load(cls: type[T], data: Mapping[str, Any]) -> T:
    """The record of type ``cls`` that :func:`dump` wrote. A field that ``data`` lacks takes its default, so
    that types may grow.

    Raises :class:`ValueError` naming the place when ``data`` has another schema, an unknown field, a missing
    field without a default, or a value of the wrong type.
    """
    if data.get("schema") != SCHEMA:
        raise ValueError(f"{cls.__name__}: schema {data.get('schema')!r} is not {SCHEMA}.")
    bare = {name: value for name, value in data.items() if name != "schema"}
    return cast(T, _load(bare, cls, cls.__name__))


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _dump_record(record: Any, cls: Any, place: str) -> dict[str, Any]:
    hints = _hints(cls)
    if type(record) is not cls:
        raise ValueError(f"{place}: {type(record).__name__} is not {cls.__name__}.")
    return {name: _dump(getattr(record, name), hint, f"{place}.{name}") for name, hint in hints.items()}


def _dump(value: Any, hint: Any, place: str) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _dump_choice(value, args, place)
    if origin is tuple:
        members = _members(value, args, place)
        return [_dump(item, of, f"{place}[{index}]") for index, (item, of) in enumerate(members)]
    if origin is not None and origin is not Literal:
        return {str(key): _dump(item, args[1], f"{place}[{key}]") for key, item in value.items()}
    if is_dataclass(hint):
        return _dump_record(value, hint, place)
    checked = _scalar(value, hint, place)
    if hint is Decimal:
        return str(checked)
    return checked.isoformat() if hint is date else checked


def _dump_choice(value: Any, args: tuple[Any, ...], place: str) -> Any:
    if value is None and NoneType in args:
        return None
    hints = [hint for hint in args if hint is not NoneType]
    if len(hints) == 1:
        return _dump(value, hints[0], place)
    if isinstance(value, str):
        return {"text": value}
    return _dump(value, Decimal, place)


def _load(value: Any, hint: Any, place: str) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _load_choice(value, args, place)
    if origin is tuple:
        members = _members(value, args, place)
        return tuple(_load(item, of, f"{place}[{index}]") for index, (item, of) in enumerate(members))
    if origin is not None and origin is not Literal:
        return _load_mapping(value, args, place)
    if is_dataclass(hint):
        return _load_record(value, hint, place)
    if hint in (Decimal, date):
        value = _read(value, Decimal if hint is Decimal else date.fromisoformat, place)
    return _scalar(value, hint, place)


def _load_choice(value: Any, args: tuple[Any, ...], place: str) -> Any:
    if value is None and NoneType in args:
        return None
    hints = [hint for hint in args if hint is not NoneType]
    if len(hints) == 1:
        return _load(value, hints[0], place)
    if isinstance(value, Mapping) and set(value) == {"text"}:
        return _scalar(value["text"], str, place)
    return _load(value, Decimal, place)


def _load_mapping(value: Any, args: tuple[Any, ...], place: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{place}: {value!r} is not a mapping.")
    key_of = int if args[0] is int else str
    return {_read(key, key_of, place): _load(item, args[1], f"{place}[{key}]") for key, item in value.items()}


def _load_record(value: Any, cls: Any, place: str) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError(f"{place}: {value!r} is not a {cls.__name__}.")
    hints = _hints(cls)
    for name in value:
        if name not in hints:
            raise ValueError(f"{place}: there is no field {name!r}.")
    for declared in fields(cls):
        if declared.name not in value and declared.default is declared.default_factory is MISSING:
            raise ValueError(f"{place}.{declared.name}: missing.")
    return cls(**{name: _load(item, hints[name], f"{place}.{name}") for name, item in value.items()})


def _members(value: Any, args: tuple[Any, ...], place: str) -> list[tuple[Any, Any]]:
    """The items of a tuple or list with the type of each."""
    if not isinstance(value, tuple | list):
        raise ValueError(f"{place}: {value!r} is not a list.")
    if args[1:] == (Ellipsis,):
        return [(item, args[0]) for item in value]
    if len(value) != len(args):
        raise ValueError(f"{place}: {len(value)} items where {len(args)} belong.")
    return list(zip(value, args, strict=True))


def _scalar(value: Any, hint: Any, place: str) -> Any:
    """``value`` if it is what the type says; a whole number may stand for a float."""
    if hint is object:
        return _plain(value, place)
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
        raise ValueError(f"{place}: {value!r} does not belong here.")
    return value


def _plain(value: Any, place: str) -> Any:
    """What came from JSON anyway (a source's metadata), as it is."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{place}[{key}]") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{place}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{place}: {value!r} does not belong here.")
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"{place}: {type(value).__name__} cannot be stored.")


def _read(value: Any, reader: Callable[[Any], Any], place: str) -> Any:
    if not isinstance(value, str):
        raise ValueError(f"{place}: {value!r} is not a text.")
    try:
        return reader(value)
    except (ValueError, InvalidOperation) as error:
        raise ValueError(f"{place}: {value!r} cannot be read.") from error
