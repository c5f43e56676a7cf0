"""``manage.py import_financials FILE.xlsx``: what a spreadsheet program saves, all or nothing, by its cells."""

import io
import random
import zipfile
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from openpyxl import Workbook
from openpyxl.workbook.protection import WorkbookProtection

from detection.finance import files, workbooks
from detection.finance.file_places import BadFile
from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
from tests.detection.test_import_financials import imported, refused

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-01")]
QUARTER = (datetime(2024, 7, 1), datetime(2024, 9, 30))  # noqa: DTZ001  # a cell's date has no zone
FLAT = ("property", "property_name", "period", "start", "end")
OAK = ("OAK", "Oak Tower", "Q3 2024", *QUARTER)
Row = Sequence[Any]


def book(**sheets: Sequence[Row]) -> Workbook:
    """A workbook with a sheet for each name; an underscore in a name is a space."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    for name, rows in sheets.items():
        sheet = workbook.create_sheet(name.replace("_", " "))
        for row in rows:
            sheet.append(list(row))
    return workbook


def saved(folder: Path, workbook: Workbook, name: str = "figures.xlsx") -> Path:
    path = folder / name
    workbook.save(path)
    return path


def one_sheet(folder: Path, *rows: Row) -> Path:
    return saved(folder, book(Figures=rows))


def metrics(code: str = "OAK") -> FinancialMetrics:
    return FinancialMetrics.objects.get(period__property__code=code)


def test_a_sheet_with_the_columns_of_the_csv_brings_everything_in(tmp_path: Path) -> None:
    told = imported(
        one_sheet(
            tmp_path,
            (*FLAT, "currency", "net_operating_income", "dscr", "account_code", "account_name", "amount"),
            (*OAK, "USD", 1234567.89, 1.25),
            ("OAK", None, "Q3 2024", None, None, None, None, None, 4000, "Rental income", 2000000),
            ("מגדל", "מגדל האלון", "רבעון 3 2024", *QUARTER, "ILS", 500000),
        )
    )
    quarter = FinancialPeriod.objects.get(property__code="OAK")
    assert (str(quarter.start), str(quarter.end)) == ("2024-07-01", "2024-09-30")
    assert (metrics().net_operating_income, metrics().dscr) == (Decimal("1234567.89"), Decimal("1.25"))
    assert metrics("מגדל").net_operating_income == 500000
    line = IncomeStatementData.objects.get()
    assert (line.account_code, line.account_name, line.amount) == ("4000", "Rental income", Decimal(2000000))
    assert "properties: 2 new, 0 changed, 0 unchanged" in told


def test_sheets_are_told_apart_by_their_columns(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        book(
            Buildings=[("Code", "Name", "Currency"), ("OAK", "Oak Tower", "USD")],
            Quarters=[("Property", "Label", "Start", "End"), ("OAK", "Q3 2024", *QUARTER)],
            Figures=[("Property", "Period", "Net operating income"), ("OAK", "Q3 2024", 5)],
            Accounts=[
                ("Property", "Period", "Account code", "Account name", "Amount"),
                ("OAK", "Q3 2024", "4000", "Rent", 7),
            ],
        ),
    )
    imported(path)
    assert (metrics().net_operating_income, IncomeStatementData.objects.get().amount) == (
        Decimal(5),
        Decimal(7),
    )
    assert "financial-metrics: 0 new, 0 changed, 1 unchanged" in imported(path)


def test_a_record_may_be_spread_over_sheets_that_agree(tmp_path: Path) -> None:
    head, row = (*FLAT, "dscr"), (*OAK, 1.25)
    imported(
        saved(
            tmp_path,
            book(A=[head, row], B=[("property", "period", "ltv", "dscr"), ("OAK", "Q3 2024", 61, 1.25)]),
        )
    )
    assert (metrics().dscr, metrics().ltv) == (Decimal("1.25"), 61)
    path = saved(tmp_path, book(A=[head, row], B=[("property", "period", "dscr"), ("OAK", "Q3 2024", 1.3)]))
    with pytest.raises(CommandError, match="sheet “B”, row 2: dscr differ from sheet “A”, row 2"):
        imported(path)


def test_a_sheet_without_column_names_is_left_out_and_told(tmp_path: Path) -> None:
    path = saved(tmp_path, book(Notes=[("Prepared by accounting",)], Figures=[FLAT, OAK], Empty=[]))
    told = imported(path)
    assert "Note: sheet “Notes” has no row of column names and was left out." in told
    assert "Empty" not in told
    assert Property.objects.get().code == "OAK"


def test_headings_stand_below_titles_and_may_be_merged(tmp_path: Path) -> None:
    """Property and period are merged over two rows; a title spans the figures below it."""
    workbook = book(
        Figures=[
            ("Portfolio figures, third quarter",),
            (),
            ("Property", "Property name", "Period", "Start", "End", "Income", None),
            (None, None, None, None, None, "Net operating income", "Net income"),
            (),
            (*OAK, 10, 4),
        ]
    )
    sheet = workbook["Figures"]
    sheet.merge_cells("A1:G1")
    sheet.merge_cells("F3:G3")
    for letter in "ABCDE":
        sheet.merge_cells(f"{letter}3:{letter}4")
    imported(saved(tmp_path, workbook))
    assert (metrics().net_operating_income, metrics().net_income) == (10, 4)


@pytest.mark.parametrize(
    ("value", "shown", "stored"),
    [
        (0.855, "0.0%", "85.5"),
        (0.8551, "0%", "85.51"),
        (85.5, "General", "85.5"),
        (85.5, '0.0"%"', "85.5"),
        (85.5, "0.0\\%", "85.5"),
        ("85.5", "@", "85.5"),
        (0.1 + 0.2, "General", "0.3"),
        (200 / 3, "0.0", "66.666667"),
    ],
)
def test_a_percentage_is_what_its_cell_shows(tmp_path: Path, value: Any, shown: str, stored: str) -> None:
    workbook = book(Figures=[(*FLAT, "occupancy_rate"), (*OAK, value)])
    workbook["Figures"]["F2"].number_format = shown
    imported(saved(tmp_path, workbook))
    assert metrics().occupancy_rate == Decimal(stored)


def test_a_ratio_shown_as_a_percentage_stays_the_ratio(tmp_path: Path) -> None:
    workbook = book(Figures=[(*FLAT, "dscr"), (*OAK, 1.25)])
    workbook["Figures"]["F2"].number_format = "0%"
    imported(saved(tmp_path, workbook))
    assert metrics().dscr == Decimal("1.25")


def test_shares_without_a_percent_format_are_pointed_out(tmp_path: Path) -> None:
    told = imported(one_sheet(tmp_path, (*FLAT, "occupancy_rate"), (*OAK, 0.855)), dry_run=True)
    assert "Note: sheet “Figures”, column F: no value is above 1; they are taken in per cent" in told


@pytest.mark.parametrize(("value", "stored"), [(2 / 3, "0.67"), (0.125, "0.13"), ("1234.5", "1234.50")])
def test_amounts_are_stored_to_the_cent(tmp_path: Path, value: Any, stored: str) -> None:
    imported(one_sheet(tmp_path, (*FLAT, "net_income"), (*OAK, value)))
    assert str(metrics().net_income) == stored


def test_codes_keep_their_zeros_and_periods_their_years(tmp_path: Path) -> None:
    workbook = book(
        Figures=[
            (*FLAT, "account_code", "account_name", "amount"),
            ("OAK", "Oak", 2024, *QUARTER, 40, "Rent", 1),
        ]
    )
    workbook["Figures"]["F2"].number_format = "0000"
    imported(saved(tmp_path, workbook))
    assert FinancialPeriod.objects.get().label == "2024"
    assert IncomeStatementData.objects.get().account_code == "0040"


def with_result(path: Path, result: str) -> Path:
    """The workbook as a spreadsheet program saves it: the only formula with its ``result`` beside it."""
    content = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(path, "w") as new:
        for part in old.infolist():
            data = old.read(part)
            if part.filename == "xl/worksheets/sheet1.xml":
                assert b"<v></v>" in data or b"<v/>" in data or b"<v />" in data
                for empty in (b"<v></v>", b"<v/>", b"<v />"):
                    data = data.replace(empty, f"<v>{result}</v>".encode())
            new.writestr(part, data)
    return path


def test_a_formula_counts_with_the_result_it_was_saved_with(tmp_path: Path) -> None:
    path = one_sheet(tmp_path, (*FLAT, "net_income"), (*OAK, "=1000000+234567.891"))
    imported(with_result(path, "1234567.891"))
    assert str(metrics().net_income) == "1234567.89"


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("net_income", "=SUM(A1:A9)", "the formula has no stored result"),
        ("net_income", "#DIV/0!", "the cell says #DIV/0!"),
        ("net_income", "1,234.50", "“1,234.50” is text"),
        ("net_income", "many", "“many” is text: enter a number"),
        ("net_income", True, "TRUE is no value for net_income"),
        ("net_income", QUARTER[0], "is no number"),
        ("net_income", 1e30, "net_income: Ensure that there are no more than 20 digits in total."),
        ("account_code", QUARTER[0], "is no text: format the cell as text"),
        ("account_code", 40.5, "40.5 is no text"),
    ],
)
def test_a_cell_that_says_nothing_usable_is_named(tmp_path: Path, column: str, value: Any, told: str) -> None:
    path = one_sheet(tmp_path, (*FLAT, column), OAK, ("OAK", None, "Q3 2024", None, None, value))
    (line,) = refused(path)
    assert line.startswith("sheet “Figures”, row 3, column F: ")
    assert told in line


@pytest.mark.parametrize(
    ("start", "told"),
    [
        (45474, "45474 is no date: give a date cell"),
        (datetime(2024, 7, 1, 12), "2024-07-01 12:00:00 is no date"),  # noqa: DTZ001
        ("1 July", "start: Date has wrong format."),
        (datetime(2024, 12, 31), "end: A period cannot end before it starts."),  # noqa: DTZ001
    ],
)
def test_a_date_that_is_none_is_named(tmp_path: Path, start: Any, told: str) -> None:
    (line,) = refused(one_sheet(tmp_path, FLAT, ("OAK", "Oak", "Q3 2024", start, QUARTER[1])))
    assert told in line
    assert line.startswith("sheet “Figures”, row 2, column ")


def test_an_amount_shown_as_a_percentage_is_refused(tmp_path: Path) -> None:
    workbook = book(Figures=[(*FLAT, "net_income"), (*OAK, 0.5)])
    workbook["Figures"]["F2"].number_format = "0%"
    assert "an amount cannot be a percentage" in refused(saved(tmp_path, workbook))[0]


def test_every_bad_cell_of_every_sheet_is_named_at_once(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        book(
            A=[(*FLAT, "dscr", "ltv"), (*OAK, True, "=1")],
            B=[("property", "period", "dscr"), ("OAK", "Q3 2024", "#REF!"), ("OAK", None, None, "seen")],
        ),
    )
    assert [line.rsplit(": ", 1)[0].split(":")[0] for line in refused(path)] == [
        "sheet “A”, row 2, column F", "sheet “A”, row 2, column G", "sheet “B”, row 2, column C",
        "sheet “B”, row 3, column D",
    ]  # fmt: skip


def test_what_the_rules_of_the_records_refuse_is_named_by_its_cell(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        book(
            Buildings=[("code", "name", "currency"), ("OAK", "Oak", "USD"), ("ELM", "Elm", "usd")],
            Quarters=[("property", "label", "start", "end"), ("OAK", "Q3 2024", *reversed(QUARTER))],
            Figures=[("property", "period", "dscr"), ("FIR", "Q4 2024", 1)],
        ),
    )
    told = refused(path)
    assert "sheet “Buildings”, row 3, column C: currency" in told[0]
    assert "sheet “Quarters”, row 2, column D: end: A period cannot end before it starts" in told[1]
    assert "sheet “Figures”, row 2, column A: property: There is no property “FIR”." in told[2]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([("property", "priod", "dscr")], "row 1, column B: there is no column “priod”. Nearest: period"),
        ([("period", "dscr"), ("Q3", 1)], "row 1: the column property is missing."),
        ([("property", "period", "period")], "row 1: the column period is there twice."),
        ([(*FLAT,), (*OAK, "seen")], "row 2, column F: a value under no column name."),
        ([("a", "b"), (1, 2)], "no sheet has a row of column names"),
        ([], "no sheet has a row of column names"),
    ],
)
def test_headings_that_are_wrong_are_named(tmp_path: Path, rows: list[Row], told: str) -> None:
    assert told in refused(one_sheet(tmp_path, *rows))[0]


def test_a_sheet_named_as_a_kind_of_record_must_have_its_columns(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        book(Figures=[FLAT, OAK], Financial_metrics=[("x", "y")], Periods=[("property", "labl", "end")]),
    )
    told = refused(path)
    assert told[0] == "sheet “Financial metrics”: there is no row of column names."
    assert "sheet “Periods”, row 1, column B: there is no column “labl”. Nearest: label" in told[1]


def written(folder: Path, content: bytes, name: str = "figures.xlsx") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def zipped(**parts: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is no workbook, or is damaged: save it as .xlsx again"),
        (b"property,period\nOAK,Q3\n", "is no workbook, or is damaged"),
        (workbooks.OLD_OFFICE + b"\0" * 600, "is an old .xls workbook: save it as .xlsx"),
        (workbooks.OLD_OFFICE + b"\0" * 600 + workbooks.ENCRYPTED, "is protected by a password: save a copy without one"),
        (zipped(readme=b"x"), "is a zip file without a workbook in it"),
        (zipped(**{"xl__workbook.xml": b"<workbook"}), "is damaged (KeyError): open figures.xlsx in a spreadsheet program"),
    ],
    ids=["empty", "csv", "old", "encrypted", "other zip", "damaged"],  # a zip file has the time in it
)  # fmt: skip
def test_a_file_that_is_no_workbook_says_what_to_do(tmp_path: Path, content: bytes, told: str) -> None:
    assert told in refused(written(tmp_path, content))[0]


def test_other_workbooks_are_refused_by_their_ending(tmp_path: Path) -> None:
    assert "save other workbooks as .xlsx" in refused(written(tmp_path, b"x", "figures.xlsb"))[0]
    assert "No such file" in refused(tmp_path / "nothing.xlsx")[0]


def test_a_workbook_locked_against_changes_is_read(tmp_path: Path) -> None:
    workbook = book(Figures=[FLAT, OAK])
    workbook.security = WorkbookProtection(workbookPassword="secret", lockStructure=True)
    workbook["Figures"].protection.set_password("secret")
    imported(saved(tmp_path, workbook))
    assert Property.objects.get().name == "Oak Tower"


def test_a_zip_bomb_is_refused_unpacked(tmp_path: Path) -> None:
    path = saved(tmp_path, book(Figures=[FLAT, OAK]))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/image.bin", b"\0" * (workbooks.MOST_UNPACKED + 1))
    assert path.stat().st_size < 1_000_000
    assert "unpacks to more than 200 MB: keep only the sheets with figures" in refused(path)[0]


def test_a_workbook_of_very_many_files_is_refused_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbooks, "MOST_PARTS", 5)
    path = saved(tmp_path, book(Figures=[FLAT, OAK]))
    assert "consists of more than 5 files" in refused(path)[0]


def test_more_rows_than_the_limit_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Empty rows count: one cell far below makes a million of them."""
    monkeypatch.setattr(workbooks, "MOST_ROWS", 1_000)
    workbook = book(Figures=[FLAT, OAK])
    workbook["Figures"]["A1048576"] = "OAK"
    assert "has more than 1,000 rows, empty ones among them" in refused(saved(tmp_path, workbook))[0]


def replaced(path: Path, part: str, content: bytes) -> Path:
    old = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(old) as archive, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for info in archive.infolist():
            new.writestr(info, content if info.filename == part else archive.read(info))
    return path


def test_entities_that_unfold_without_end_are_refused(tmp_path: Path) -> None:
    lines = [b'<!ENTITY a0 "xxxxxxxxxx">']
    lines += [b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12)]
    content = b'<?xml version="1.0"?><!DOCTYPE x [%s]><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c t="str" r="A1"><v>&a11;</v></c></row></sheetData></worksheet>' % b"".join(lines)  # fmt: skip
    path = replaced(one_sheet(tmp_path, FLAT, OAK), "xl/worksheets/sheet1.xml", content)
    assert "is damaged (ParseError)" in refused(path)[0]


def test_no_damage_gets_past_the_message(tmp_path: Path) -> None:
    """Workbooks with some bytes changed or the end cut off: each is read or refused, none raises anything else."""
    whole = one_sheet(tmp_path, (*FLAT, "dscr"), (*OAK, 1.25)).read_bytes()
    draw, refusals = random.Random(7), 0  # noqa: S311
    for n in range(300):
        bent = bytearray(whole)
        for _ in range(draw.randint(1, 12)):
            bent[draw.randrange(len(bent))] = draw.randrange(256)
        path = written(tmp_path, bytes(bent) if n % 3 else bytes(bent[: draw.randrange(len(bent))]))
        try:
            files.read(path)
        except BadFile:
            refusals += 1
    assert 100 < refusals < 300


def test_parts_that_are_bent_inside_the_zip_are_named(tmp_path: Path) -> None:
    path = one_sheet(tmp_path, (*FLAT, "dscr"), (*OAK, 1.25))
    whole, draw, refusals = path.read_bytes(), random.Random(8), 0  # noqa: S311
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for n in range(300):
        path.write_bytes(whole)
        part = sorted(parts)[n % len(parts)]
        bent = bytearray(parts[part])
        for _ in range(draw.randint(1, 4)):
            bent[draw.randrange(len(bent))] = draw.choice(b"<>/\"'=0123456789 abcxyz&;:")
        try:
            files.read(replaced(path, part, bytes(bent)))
        except BadFile:
            refusals += 1
    assert refusals > 50
