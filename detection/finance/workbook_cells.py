"""What one cell of a workbook says, as the rows of figures want it: text, an ISO date, a Decimal.

The format of a cell decides what its number means: 0.855 shown as ``85.5%`` is 85.5 per cent.
"""

import re
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from detection.models import IncomeStatementData
from detection.models.finance import FigureField, figure_columns

FIGURES: dict[str, FigureField] = {column.name: column for column in figure_columns()}
AMOUNT = IncomeStatementData._meta.get_field("amount")
DATES = ("start", "end")
LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.')
"""The parts of a number format that are shown as they stand: the ``%`` in ``0.0"%"`` scales nothing."""
ZEROS = re.compile(r"0+")
LARGEST = Decimal(10) ** 20


class BadCell(ValueError):
    """A cell that says nothing that can be stored; the message says what to do."""


def value_of(cell: Any, entered: Any, column: str) -> Any:
    """The value of ``cell`` under the heading ``column``; None for an empty one. ``entered`` is the same cell
    with its formula. Raises :class:`BadCell`."""
    if entered.data_type == "f" and cell.value is None and cell.data_type != "str":
        raise BadCell(
            "the formula has no stored result: open the workbook in a spreadsheet program, save it."
        )
    value = cell.value.strip() if isinstance(cell.value, str) else cell.value
    if value is None or value == "":
        return None
    if cell.data_type == "e":
        raise BadCell(f"the cell says {value}.")
    if not column:
        raise BadCell("a value under no column name.")
    figure = column in FIGURES or column == AMOUNT.name
    if isinstance(value, str):
        return _number_as_text(value) if figure else value
    if isinstance(value, bool):
        raise BadCell(f"{str(value).upper()} is no value for {column}.")
    if column in DATES:
        return _date(value)
    return _figure(value, cell, column) if figure else _text(value, cell)


def _number_as_text(value: str) -> str:
    """Digits that were entered as text. Separators are refused: nobody can tell 1,234 from 1.234 for sure."""
    try:
        Decimal(value)
    except InvalidOperation:
        raise BadCell(f"“{value}” is text: enter a number, or its digits with a point (1234.5).") from None
    return value


def _date(value: Any) -> str:
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    raise BadCell(f"{value} is no date: give a date cell, or text such as 2024-07-01.")


def _text(value: Any, cell: Any) -> str:
    """A name or code; Excel keeps 4000 as a number, and 0040 as 40 with the format ``0000``."""
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        zeros = str(cell.number_format)
        return str(int(value)).zfill(len(zeros) if ZEROS.fullmatch(zeros) else 0)
    raise BadCell(f"{value} is no text: format the cell as text and enter it again.")


def _figure(value: Any, cell: Any, column: str) -> Decimal:
    """A number with the digits a spreadsheet keeps (15), rounded half up to what the column stores."""
    if not isinstance(value, int | float):
        raise BadCell(f"{value} is no number: format the cell as a number and enter it again.")
    number = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.15g}")
    if not number.is_finite():
        raise BadCell(f"{value} is no number.")
    kind = FIGURES[column].kind if column in FIGURES else "currency"
    if _in_percent(cell):
        if kind == "currency":
            raise BadCell("an amount cannot be a percentage: change the format of the cell.")
        number = number * 100 if kind == "percentage" else number
    places = FIGURES[column].decimal_places if column in FIGURES else 2
    if abs(number) >= LARGEST:
        return number
    return number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _in_percent(cell: Any) -> bool:
    return "%" in LITERAL.sub("", str(cell.number_format))


@dataclass
class PercentColumns:
    """Keeps an eye on percentages that may have been entered as shares: 0.855 for 85.5 %."""

    _largest: dict[str, Decimal] = field(default_factory=dict)

    def see(self, column: str, cell: Any) -> None:
        """Take note of one cell that was read."""
        percentage = column in FIGURES and FIGURES[column].kind == "percentage"
        if percentage and isinstance(cell.value, int | float) and not _in_percent(cell):
            size = abs(Decimal(cell.value))
            self._largest[column] = max(size, self._largest.get(column, size))

    def doubts(self) -> list[tuple[str, str]]:
        """The columns without a percentage above 1, with what was made of them."""
        told = "no value is above 1; they are taken in per cent (0.855 as 0.855 %). For 85.5 % format the cells as percentages."
        return [(column, told) for column, largest in self._largest.items() if 0 < largest <= 1]
