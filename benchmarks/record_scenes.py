"""Figures of record as scenes of which sentences can be told: lists of properties in a period, and lines of a property over
its quarters. What hardly moves from quarter to quarter is left out: in another one it would be right as well.

Properties of one currency alone are told of, so that their amounts can be compared and added.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from benchmarks.table_scenes import LEAST_ROWS, Kind, Line, Scene, Unit, when

CURRENCY = "USD"
_MONEY = ("total_revenue", "gross_potential_rent", "operating_expenses", "net_operating_income", "net_income")  # fmt: skip
_RATES = ("occupancy_rate", "vacancy_rate", "expense_ratio", "cap_rate", "debt_yield")
_NAMES = {"ltv": "loan-to-value ratio", "dscr": "debt service coverage ratio"}
_AMOUNT, _PERCENT, _TIMES = Unit("$", shortens=True), Unit(percent=True), Unit(noun="x")
_UNITS = dict.fromkeys(_MONEY, _AMOUNT) | dict.fromkeys((*_RATES, "ltv"), _PERCENT) | {"dscr": _TIMES}
Row = Mapping[str, str]


def figures(path: Path) -> list[Row]:
    """The rows of the properties in :data:`CURRENCY`, statement lines with them, as ``import_financials`` takes them."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    own = {row["property"] for row in rows if row["currency"] == CURRENCY}
    return [row for row in rows if row["property"] in own]


def record_scenes(rows: Sequence[Row]) -> Iterator[Scene]:
    """A list of the properties for each quarter, a line over all quarters for each property."""
    stated = [row for row in rows if not row["account_code"] and row["period"].startswith("Q")]
    names = {row["property"]: row["property_name"] for row in stated}
    periods = sorted({row["period"] for row in stated}, key=when)
    of = {(row["property"], row["period"]): row for row in stated}
    for period in periods if len(names) >= LEAST_ROWS else ():
        yield _scene("L", [of[one, period] for one in names], [*names.values()], period, periods)
    for one, name in names.items():
        yield _scene("P", [of[one, period] for period in periods], periods, name, [*names.values()])


def _scene(
    kind: Kind, rows: Sequence[Row], names: Sequence[str], subject: str, others: Sequence[str]
) -> Scene:
    lines = [line for metric, unit in _UNITS.items() if (line := _line(metric, unit, rows))]
    about = rows[0]["property"] if kind == "P" else ""
    wrong = tuple(other for other in others if other != subject)
    return Scene(kind, {}, about, tuple(names), tuple(lines), subject, wrong)


def _line(metric: str, unit: Unit, rows: Sequence[Row]) -> Line | None:
    values = tuple(Decimal(row[metric]) for row in rows if row.get(metric))
    if len(set(values)) < len(rows) or min(values) <= 0:
        return None
    decimals = max(-int(value.as_tuple().exponent) for value in values)
    name = _NAMES.get(metric, metric.replace("_", " "))
    return Line(name, unit, values, max(decimals, 0), metric in _MONEY)
