"""Workbooks (.xlsx) as rows of named cells: where the headings stand and what they name.

A workbook is a stranger's zip file, so its size is looked at before any of it is unpacked, and its rows are
counted as they come.
"""

import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.utils import get_column_letter

from detection.finance.file_places import BadFile, Place
from detection.finance.workbook_cells import BadCell, PercentColumns, value_of
from detection.serializers.lookup import nearest

MOST_UNPACKED = 200_000_000
"""Bytes that all parts of a workbook may have together once unpacked."""
MOST_PARTS = 10_000
"""Files that a workbook may consist of."""
MOST_ROWS = 200_000
"""Rows of all sheets together, empty ones among them."""
MOST_COLUMNS = 256
HEADING_WITHIN = 20
"""The headings stand in one of so many first rows; titles may stand above them."""
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
DAMAGE = (
    ArithmeticError, AttributeError, EOFError, LookupError, NotImplementedError, OSError, ParseError, RuntimeError,
    TypeError, ValueError, struct.error, zlib.error, zipfile.BadZipFile, zipfile.LargeZipFile,
)  # fmt: skip
"""What openpyxl raises for a part that is not as the format says."""

Layouts = Mapping[str, Sequence[str]]
Cells = Sequence[tuple[Any, Any]]
"""The cells of a row: each as a value and as what was entered, which may be a formula."""


@dataclass
class Sheet:
    """The rows of one sheet that speak of figures; ``layout`` names the columns it has."""

    layout: str
    rows: list[tuple[Place, dict[str, Any]]] = field(default_factory=list)


@dataclass
class Workbook:
    """What a workbook says, and ``notes`` on what was left out or may be meant otherwise."""

    sheets: list[Sheet] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(path: Path, layouts: Layouts) -> Workbook:
    """The rows of every sheet with headings. ``layouts`` are the column sets a sheet may have, by name; the
    first that has all its headings is taken.

    Raises :class:`~detection.finance.file_places.BadFile` with every fault that reading alone shows.
    """
    _refuse_others(path)
    found, faults = Workbook(), list[str]()
    known = {name for columns in layouts.values() for name in columns}
    for title, rows in _sheets(path):
        first = list(islice(rows, HEADING_WITHIN + 1))
        heading = _heading(first, known)
        if heading:
            skipped, names = heading
            sheet, wrong = _sheet(title, chain(first[skipped:], rows), skipped, names, layouts, found.notes)
            found.sheets.append(sheet)
            faults += wrong
        elif plain_name(title).replace("_", "-") in layouts:
            faults.append(f"sheet “{title}”: there is no row of column names.")
        elif any(first):
            found.notes.append(f"sheet “{title}” has no row of column names and was left out.")
    if not found.sheets and not faults:
        faults = [f"{path.name}: no sheet has a row of column names, “property” among them."]
    if faults:
        raise BadFile(faults)
    return found


def plain_name(heading: str) -> str:
    """A heading as columns are named: ``Net operating income`` is ``net_operating_income``."""
    return "_".join(heading.replace("-", " ").replace("_", " ").split()).casefold()


def _refuse_others(path: Path) -> None:
    """Refuse what is no workbook, or one too large, and say what to do."""
    with path.open("rb") as file:
        start = file.read(1 << 20)
    if start.startswith(OLD_OFFICE):
        locked = ENCRYPTED in start or ENCRYPTED in path.read_bytes()
        told = (
            "is protected by a password: save a copy without one"
            if locked
            else "is an old .xls workbook: save it as .xlsx"
        )
        raise BadFile([f"{path.name} {told}, and import that."])
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise BadFile([f"{path.name} is no workbook, or is damaged: save it as .xlsx again."]) from error
    if "xl/workbook.xml" not in {part.filename for part in parts}:
        raise BadFile([f"{path.name} is a zip file without a workbook in it: save the workbook as .xlsx."])
    if len(parts) > MOST_PARTS:
        raise BadFile([f"{path.name} consists of more than {MOST_PARTS:,} files: save it as .xlsx again."])
    if sum(part.file_size for part in parts) > MOST_UNPACKED:
        told = f"{path.name} unpacks to more than {MOST_UNPACKED // 1_000_000} MB"
        raise BadFile([f"{told}: keep only the sheets with figures, or split it."])


def _sheets(path: Path) -> Iterator[tuple[str, Iterator[Cells]]]:
    """Each sheet's title and rows, as the values that were last computed beside the formulas."""
    allowed = iter(range(MOST_ROWS))
    with _opened(path, data_only=True) as values, _opened(path, data_only=False) as entered:
        for sheet, formulas in zip(values.worksheets, entered.worksheets, strict=True):
            yield sheet.title, _rows(path, sheet, formulas, allowed)


def _rows(path: Path, sheet: Any, formulas: Any, allowed: Iterator[int]) -> Iterator[Cells]:
    with _telling(path, f"sheet “{sheet.title}”"):
        for one in (sheet, formulas):
            one.reset_dimensions()
        both = (one.iter_rows(max_col=MOST_COLUMNS) for one in (sheet, formulas))
        for values, entered in zip(*both, strict=True):
            if next(allowed, None) is None:
                told = f"{path.name} has more than {MOST_ROWS:,} rows, empty ones among them"
                raise BadFile([f"{told}: delete the empty rows or split it."])
            cells = list(zip(values, entered, strict=True))
            while cells and cells[-1][0].value is None and cells[-1][1].value is None:
                cells.pop()
            yield cells


@contextmanager
def _opened(path: Path, *, data_only: bool) -> Iterator[Any]:
    with _telling(path, path.name):
        workbook = openpyxl.load_workbook(path, read_only=True, data_only=data_only, keep_links=False)
    try:
        yield workbook
    finally:
        workbook.close()


@contextmanager
def _telling(path: Path, what: str) -> Iterator[None]:
    """Damage as a fault that says what to do. What openpyxl would only warn of is no matter here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except BadFile:
        raise
    except DAMAGE as error:
        told = f"{what} is damaged ({type(error).__name__}): open {path.name} in a spreadsheet program"
        raise BadFile([f"{told}, save it as .xlsx and import that."]) from error


def _heading(rows: Sequence[Cells], known: set[str]) -> tuple[int, dict[int, str]] | None:
    """The number of rows down to and with the headings, and the names by column; None where there are none.

    Two known names make a row of headings. A heading that is merged over two rows stands in the upper one.
    """
    for n, row in enumerate(rows[:HEADING_WITHIN]):
        names = _names(row)
        if len(known & set(names.values())) < 2:
            continue
        above = _names(rows[n - 1]) if n else {}
        names = {at: name for at, name in above.items() if name in known} | names
        below = _names(rows[n + 1]) if n + 1 < len(rows) else {}
        if below and known.issuperset(below.values()):
            return n + 2, names | below
        return n + 1, names
    return None


def _names(row: Cells) -> dict[int, str]:
    return {at: plain_name(str(v.value)) for at, (v, _) in enumerate(row) if str(v.value or "").strip()}


def _sheet(
    title: str, rows: Iterable[Cells], skipped: int, names: dict[int, str], layouts: Layouts, notes: list[str]
) -> tuple[Sheet, list[str]]:
    """The sheet below its headings, and its faults."""
    named = f"sheet “{title}”"
    layout = _layout(title, names, layouts)
    faults = _wrong_headings(named, skipped, names, layouts[layout])
    if faults:
        return Sheet(layout), faults
    sheet, percent = Sheet(layout), PercentColumns()
    letters = {name: get_column_letter(at + 1) for at, name in names.items()}
    for n, row in enumerate(rows, skipped + 1):
        place, cells = Place(f"{named}, row {n}", letters), {}
        for at, (value, entered) in enumerate(row):
            try:
                cells[names.get(at, "")] = value_of(value, entered, names.get(at, ""))
            except BadCell as bad:
                faults.append(f"{named}, row {n}, column {get_column_letter(at + 1)}: {bad}")
                continue
            percent.see(names.get(at, ""), value)
        sheet.rows.append((place, {name: value for name, value in cells.items() if value is not None}))
    notes += [f"{named}, column {letters[name]}: {told}" for name, told in percent.doubts()]
    return sheet, faults


def _layout(title: str, names: Mapping[int, str], layouts: Layouts) -> str:
    fitting = [layout for layout, columns in layouts.items() if set(columns).issuperset(names.values())]
    by_title = plain_name(title).replace("_", "-")
    return (fitting or [by_title if by_title in layouts else next(iter(layouts))])[0]


def _wrong_headings(named: str, row: int, names: Mapping[int, str], columns: Sequence[str]) -> list[str]:
    faults = [
        f"{named}, row {row}, column {get_column_letter(at + 1)}: there is no column “{name}”.{nearest(name, columns)}"
        for at, name in names.items()
        if name not in columns
    ]
    given = list(names.values())
    twice = sorted({name for name in given if given.count(name) > 1})
    faults += [f"{named}, row {row}: the column {name} is there twice." for name in twice]
    if columns[0] not in given:
        faults.append(f"{named}, row {row}: the column {columns[0]} is missing.")
    return faults
