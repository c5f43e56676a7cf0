"""What a tile of the dashboard holds, and the few ways in which its figures are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np

from reviews.tuning import estimates

Unit = Literal["count", "share", "seconds", "per_hour", "number", "days", "coefficient", "version", "state"]
"""How a figure is written. A share lies between 0 and 1, a coefficient between −1 and 1, seconds are a duration."""


@dataclass(frozen=True, slots=True)
class Row:
    """A part of a tile's figure, such as one priority or one reviewer; ``unit`` empty is the tile's."""

    label: str
    value: float | None
    n: int | None = None
    low: float | None = None
    high: float | None = None
    group: str = ""
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure over ``n`` things, None where it is not known, and ``text`` then says why.

    ``low`` and ``high`` are its 95 % interval, ``trend`` its values by the first day of a week, ``rows`` its parts.
    """

    value: float | None
    n: int | None = None
    low: float | None = None
    high: float | None = None
    trend: Sequence[tuple[date, float | None]] = ()
    rows: Sequence[Row] = ()
    text: str = ""


def share(part: int, whole: int, text: str, **more: object) -> Tile:
    """``part`` of ``whole`` with Wilson's interval; without a whole nothing but ``text``."""
    found = share_row("", part, whole)
    more = more if whole else {}
    return Tile(found.value, whole, found.low, found.high, text="" if whole else text, **more)  # type: ignore[arg-type]


def share_row(label: str, part: int, whole: int, group: str = "", unit: Unit | None = None) -> Row:
    """The same as a row."""
    if not whole:
        return Row(label, None, 0, group=group, unit=unit)
    found = estimates.wilson(part, whole)
    return Row(label, part / whole, whole, found.low, found.high, group, unit)


def quantile_rows(values: Sequence[float], names: tuple[str, str], shares: tuple[float, float]) -> list[Row]:
    """Two quantiles of ``values``, such as the median and what nine in ten stay under."""
    if not values:
        return []
    found = np.quantile(np.asarray(values, dtype=float), shares)
    return [Row(name, float(value), len(values)) for name, value in zip(names, found, strict=True)]


def median(values: Sequence[float], names: tuple[str, str], text: str, upper: float = 0.9) -> Tile:
    """The median with an upper quantile beside it."""
    rows = quantile_rows(values, names, (0.5, upper))
    return Tile(rows[0].value, len(values), rows=rows) if rows else Tile(None, 0, text=text)
