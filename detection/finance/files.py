"""Reading files of figures of record: CSV, XLSX and JSON into the rows of :mod:`detection.finance.financials`.

A CSV line may name a property, a period, figures and one statement line at once; every line names its
property. Values that a later line repeats must be the same.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction

from detection.finance import financials, workbooks
from detection.finance.file_places import BadFile, Place
from detection.finance.financials import (
    KINDS,
    METRICS,
    PERIODS,
    PROPERTIES,
    STATEMENT_LINES,
    BadRow,
    BadRows,
    Kind,
    Outcome,
)
from detection.models import Property
from detection.serializers.financials import FIGURES
from detection.serializers.lookup import nearest

FORMAT = f"""
CSV (UTF-8, comma-separated, first line the column names) and XLSX; empty cells change nothing:
  property       code of the property; in every line
  property_name  needed once for a new property
  currency       ISO 4217 code, USD when a new property names none
  fiscal_year_end_month  1 to 12, the month in which the property's fiscal year ends
  period         label such as "Q3 2024"
  start, end     dates such as 2024-07-01, both inclusive; needed once for a new period
  account_code, account_name, amount   one line of the period's income statement
  figures of the period: {", ".join(FIGURES)}
Percentages are in percent (85.5), amounts in major units without separators (1234567.89).

XLSX: any number of sheets, each with those columns or with the fields of one of the lists below. Headings may be
written as people do (Net operating income) and stand below titles; a sheet without headings is left out, and
told. The result that a formula was saved with counts. A cell formatted as a percentage (85.5%) is what it shows.

JSON: an object with any of the lists "properties" (code, name, currency, fiscal_year_end_month), "periods"
(property, label, start, end), "financial-metrics" (property, period, figures) and "income-statements" (property,
period, account_code, account_name, amount); or a list of objects with the CSV's columns.
"""
COLUMNS = (
    "property", "property_name", "currency", "fiscal_year_end_month", "period", "start", "end", *FIGURES,
    "account_code", "account_name", "amount",
)  # fmt: skip
LAYOUTS = {"": COLUMNS} | {kind.name: (*kind.key, *kind.values) for kind in KINDS}
"""The columns a workbook's sheet may have: those of the CSV, or the fields of one kind of record."""


# A sheet's columns that a kind of record has under another name.
RENAMED = {"code": "property", "name": "property_name", "label": "period"}


@dataclass
class Batch:
    """The rows of one kind, and where in the file each of their values was found."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    _found: list[dict[str, Place]] = field(default_factory=list)
    _seen: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def append(self, row: Mapping[str, Any], place: Place) -> None:
        """Add a row as it is."""
        self.rows.append(dict(row))
        self.places.append(place)
        self._found.append(dict.fromkeys(row, place))

    def add(self, kind: Kind, row: Mapping[str, Any], place: Place) -> str:
        """Add a row, or lay it over the one with the same key; the contradiction if there is one."""
        key = tuple(row.get(name) for name in kind.key)
        at = self._seen.setdefault(key, len(self.rows))
        if at == len(self.rows):
            self.append(row, place)
            return ""
        earlier = self.rows[at]
        differing = [n for n, value in row.items() if n in earlier and earlier[n] != value]
        earlier.update(row)
        self._found[at].update(dict.fromkeys(row, place))
        return f"{place}: {', '.join(differing)} differ from {self.places[at]}." if differing else ""

    def place_of(self, row: BadRow) -> str:
        """Where the value stands that a fault is about."""
        place = self._found[row.position].get(row.field, self.places[row.position])
        exact = place.of(row.field)
        return place.of(RENAMED.get(row.field, "")) if exact == str(place) else exact


@dataclass(frozen=True, slots=True)
class Reading:
    """A file's rows by kind, and ``notes`` on what was left out or may be meant otherwise."""

    batches: Mapping[str, Batch]
    notes: Sequence[str] = ()


def read(path: Path) -> Reading:
    """What a file says. Raises :class:`BadFile` with every fault that reading alone shows."""
    ending = path.suffix.lower()
    if ending not in (".csv", ".xlsx", ".json"):
        raise BadFile([f"{path.name}: give a .csv, .xlsx or .json file; save other workbooks as .xlsx."])
    try:
        if ending == ".xlsx":
            return _from_workbook(workbooks.read(path, LAYOUTS))
        content = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile([f"{path.name}: byte {error.start} is not UTF-8."]) from error
    except OSError as error:
        raise BadFile([f"{path}: {error.strerror}."]) from error
    return Reading(_from_flat(_csv_rows(content)) if ending == ".csv" else _from_json(content))


def store(batches: Mapping[str, Batch], *, dry_run: bool = False) -> dict[str, Outcome]:
    """Write everything or nothing; a dry run tells the same and writes nothing.

    Raises :class:`BadFile` naming every bad row.
    """
    outcomes, faults = {}, []
    with transaction.atomic():
        for kind in KINDS:
            batch = batches.get(kind.name, Batch())
            try:
                outcomes[kind.name] = financials.upsert(kind, batch.rows, Property.objects.all())
            except BadRows as bad:
                faults += [_fault(row, batch) for row in bad.rows if not _follows(row, batch, batches)]
        transaction.set_rollback(dry_run or bool(faults))
    if faults:
        raise BadFile(faults)
    return {name: outcome for name, outcome in outcomes.items() if name in batches}


def _fault(row: BadRow, batch: Batch) -> str:
    return f"{batch.place_of(row)}: {row.field}: {row.message}"


def _follows(row: BadRow, batch: Batch, batches: Mapping[str, Batch]) -> bool:
    """Whether something is unknown only because the file's own row for it is bad, which is told already."""
    given = batch.rows[row.position]
    if row.field == "property":
        return any(p.get("code") == given.get("property") for p in batches.get("properties", Batch()).rows)
    named = (given.get("property"), given.get("period"))
    return row.field == "period" and any(
        (p.get("property"), p.get("label")) == named for p in batches.get("periods", Batch()).rows
    )


def _from_workbook(workbook: workbooks.Workbook) -> Reading:
    """The sheets of a workbook together: a record may be spread over several."""
    batches = {kind.name: Batch() for kind in KINDS}
    faults = []
    for sheet in workbook.sheets:
        kind = next((kind for kind in KINDS if kind.name == sheet.layout), None)
        for place, row in sheet.rows:
            if kind and row:
                faults.append(batches[kind.name].add(kind, row, place))
            elif row:
                faults += _take_apart(row, place, batches)
    return Reading(_filled(batches, faults), workbook.notes)


def _csv_rows(content: str) -> list[tuple[Place, dict[str, Any]]]:
    if "\x00" in content:
        raise BadFile([f"line {content[: content.index(chr(0))].count(chr(10)) + 1}: a NUL character."])
    reader = csv.DictReader(io.StringIO(content, newline=""), strict=True)
    try:
        columns = [name.strip() for name in reader.fieldnames or []]
        _refuse_columns(columns)
        reader.fieldnames = columns
        return [(Place(f"line {reader.line_num}"), _cells(row, reader.line_num)) for row in reader]
    except csv.Error as error:
        raise BadFile([f"line {reader.line_num}: {error}."]) from error


def _refuse_columns(columns: list[str]) -> None:
    faults = [
        f"line 1: there is no column “{name}”.{nearest(name, COLUMNS)}"
        for name in columns
        if name not in COLUMNS
    ]
    faults += [
        f"line 1: the column {name} is there twice."
        for name in sorted({n for n in columns if columns.count(n) > 1})
    ]
    if "property" not in columns:
        faults.append("line 1: the column property is missing.")
    if faults:
        raise BadFile(faults)


def _cells(row: Mapping[Any, Any], line: int) -> dict[str, Any]:
    if None in row:
        raise BadFile([f"line {line}: more cells than columns."])
    return {name: value.strip() for name, value in row.items() if value is not None and value.strip()}


def _from_json(content: str) -> dict[str, Batch]:
    try:
        given = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadFile([f"The file is not JSON: {error}."]) from error
    if isinstance(given, list):
        _refuse_other_than_objects("row", given)
        faults = [
            f"row {n}: there is no column “{name}”.{nearest(name, COLUMNS)}"
            for n, row in enumerate(given, 1) for name in row if name not in COLUMNS
        ]  # fmt: skip
        if faults:
            raise BadFile(faults)
        return _from_flat([(Place(f"row {n}"), row) for n, row in enumerate(given, 1)])
    names = [kind.name for kind in KINDS]
    if not isinstance(given, dict) or set(given) - set(names):
        raise BadFile([f"Give a list of rows, or an object with {', '.join(names)}."])
    batches = {}
    for name, rows in given.items():
        if not isinstance(rows, list):
            raise BadFile([f"{name}: give a list."])
        _refuse_other_than_objects(name, rows)
        batches[name] = Batch()
        for n, row in enumerate(rows, 1):
            batches[name].append(row, Place(f"{name} {n}"))
    return batches


def _refuse_other_than_objects(name: str, rows: list[Any]) -> None:
    faults = [f"{name} {n}: give an object." for n, row in enumerate(rows, 1) if not isinstance(row, dict)]
    if faults:
        raise BadFile(faults)


def _from_flat(rows: Iterable[tuple[Place, dict[str, Any]]]) -> dict[str, Batch]:
    """Lines that name several records at once, taken apart."""
    batches = {kind.name: Batch() for kind in KINDS}
    faults = [fault for place, row in rows if row for fault in _take_apart(row, place, batches)]
    return _filled(batches, faults)


def _take_apart(row: Mapping[str, Any], place: Place, batches: Mapping[str, Batch]) -> list[str]:
    """Add a line's records to their batches; its faults, empty ones among them."""
    return [
        *(batches[kind.name].add(kind, part, place) for kind, part in _parts(row)),
        _incomplete(row, place),
    ]


def _filled(batches: Mapping[str, Batch], faults: Iterable[str]) -> dict[str, Batch]:
    told = [fault for fault in faults if fault]
    if told:
        raise BadFile(told)
    return {name: batch for name, batch in batches.items() if batch.rows}


def _parts(row: Mapping[str, Any]) -> Iterable[tuple[Kind, dict[str, Any]]]:
    month = row.get("fiscal_year_end_month")
    if isinstance(month, str) and month.isdecimal():  # a file of texts has no numbers
        row = {**row, "fiscal_year_end_month": int(month)}

    def chosen(*names: str, **renamed: str) -> dict[str, Any]:
        pairs = [(n, n) for n in names] + [(there, here) for here, there in renamed.items()]
        return {here: row[there] for there, here in pairs if row.get(there) is not None}

    described = (row.get(name) for name in ("property_name", "currency", "fiscal_year_end_month"))
    if row.get("property") is not None and any(described):
        yield PROPERTIES, chosen("currency", "fiscal_year_end_month", code="property", name="property_name")
    if row.get("period") is None:
        return
    if row.get("start") or row.get("end"):
        yield PERIODS, chosen("property", "start", "end", label="period")
    if any(row.get(name) is not None for name in FIGURES):
        yield METRICS, chosen("property", "period", *FIGURES)
    if row.get("account_code") is not None:
        yield STATEMENT_LINES, chosen("property", "period", "account_code", "account_name", "amount")


def _incomplete(row: Mapping[str, Any], place: Place) -> str:
    """What a line says without saying of what."""
    if row.get("property") is None:
        return f"{place}: property is missing."
    dated = [n for n in ("start", "end", "account_code", *FIGURES) if row.get(n) is not None]
    if dated and row.get("period") is None:
        return f"{place}: {dated[0]} is given without a period."
    if row.get("account_code") is None and (row.get("amount") or row.get("account_name")):
        return f"{place}: amount or account_name is given without an account_code."
    return ""
