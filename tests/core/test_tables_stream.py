"""Tables of sources read as one stream of cells, whatever marks part them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from detection.core.evidence.tables import Cell, Table, read, read_document
from detection.core.types import Source

HEADS = ("FY2023", "FY2022")
ROWS = (
    ("Net sales", "418,260", "391,745"),
    ("Restructuring charges", "3,240", "—"),
    ("Interest expense", "(6,212)", "(4,890)"),
)
PER_SHARE = ("Diluted earnings per share", "1.34", "1.13")
UNITS = "(In thousands of US dollars, except per share data)"


def one(text: str, title: str = "") -> Table:
    tables = read(Source("S0", text, title=title))
    assert len(tables) == 1
    return tables[0]


def cell(table: Table, label: str, *heads: str) -> Cell:
    rows = {row.index for row in table.rows if row.label == label}
    columns = {column.index for column in table.columns if all(head in column.heads for head in heads)}
    found = [own for own in table.cells if own.row in rows and own.column in columns]
    assert len(found) == 1, (label, heads, found)
    return found[0]


def barred(rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [*rows[:1], ("---",) * len(rows[0]), *rows[1:]])


def marked(mark: str) -> str:
    rows = [("", *HEADS), *ROWS, PER_SHARE]
    if mark == "|":
        return f"{UNITS}\n\n{barred(rows)}"
    if mark == "html":
        body = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in rows)
        return f"<p>{UNITS}</p><table>{body}</table>"
    if mark == "aligned":
        return "\n".join(
            [UNITS, *(row[0].ljust(32) + "".join(text.rjust(12) for text in row[1:]) for row in rows)]
        )
    if mark == "cells":
        return "\n\n".join([UNITS, *(text for row in rows for text in row if text)])
    if mark == "signs":
        signed = UNITS + "\n" + "\n".join(text for row in rows for text in row if text)
        return (
            signed.replace("\n418,260", "\n$\n418,260")
            .replace("(6,212)", "(6,212\n)")
            .replace("(4,890)", "(\n4,890\n)")
        )
    if mark == ",":
        return "\n".join(
            [UNITS, *(",".join(f'"{text}"' if "," in text else text for text in row) for row in rows)]
        )
    return "\n".join([UNITS, *(mark.join(text for text in row if text or mark != " ") for row in rows)])


@pytest.mark.parametrize("mark", ["|", "html", "\t", ",", " / ", "aligned", " ", "cells", "signs"])
def test_one_table_reads_the_same_whatever_parts_its_cells(mark: str) -> None:
    text = marked(mark)
    table = one(text)
    assert table.readable
    assert table.shape == "matrix"
    sales = cell(table, "Net sales", "FY2023")
    assert (sales.kind, sales.value, sales.unit, sales.precision) == (
        "currency",
        Decimal(418260000),
        "USD",
        Decimal(500),
    )
    assert cell(table, "Interest expense", "FY2022").value == Decimal(-4890000)
    none = cell(table, "Restructuring charges", "FY2022")
    assert (none.value, none.is_none) == (Decimal(0), True)
    each = cell(table, "Diluted earnings per share", "FY2022")
    assert (each.kind, each.value, each.per) == ("currency", Decimal("1.13"), "share")
    assert all(text[own.start : own.end] == own.text for own in table.cells)


def test_headings_broken_over_lines_stand_over_their_columns() -> None:
    text = "(In thousands)\n\nFiscal Year Ended\nJune 29,\n2024\nJuly 1,\n2023\nNet revenues\n$\n1,902\n\n$\n1,874\n\nGross profit\n485\n\n449\n\n47"
    table = one(text)
    assert table.columns[1].heads == ("Fiscal Year Ended", "June 29, 2024")
    assert table.columns[2].heads == ("Fiscal Year Ended", "July 1, 2023")
    assert cell(table, "Gross profit", "July 1, 2023").value == Decimal(449000)
    assert len(table.cells) == 4  # the page number is none


def test_a_heading_over_several_columns_heads_each_of_them() -> None:
    text = (
        "(Dollars in thousands)            Six months ended June 30,      Year ended December 31,\n"
        "                                  2024        2023               2023\n"
        "Net income                        21,318      18,942             40,155\n"
        "Proceeds from asset sales         1,150       —                  460"
    )
    table = one(text)
    assert [column.heads for column in table.columns[1:]] == [
        ("Six months ended June 30,", "2024"), ("Six months ended June 30,", "2023"), ("Year ended December 31,", "2023"),
    ]  # fmt: skip
    assert table.cells[2].value == Decimal(40155000)


def test_sections_hold_down_to_their_total() -> None:
    text = "(In millions)\nYear Ended December 31,\n2023\n2022\nSegment revenue:\nDiagnostics\n742.6\n701.9\nImaging\n519.4\n533.0\nTotal revenue\n1,262.0\n1,234.9\nSegment profit:\nDiagnostics\n163.4\n147.4"
    rows = one(text).rows
    assert [(row.label, row.sections, row.is_total) for row in rows] == [
        ("Diagnostics", ("Segment revenue",), False), ("Imaging", ("Segment revenue",), False),
        ("Total revenue", ("Segment revenue",), True), ("Diagnostics", ("Segment profit",), False),
    ]  # fmt: skip


def test_a_section_above_the_first_row_is_no_heading() -> None:
    text = "December 31, 2023\nDecember 31, 2022\nASSETS\nCash\n312.4\n428.9\nInventories\n88.1\n95.6\nLIABILITIES\nDebt\n150.0\n40.0"
    table = one(text)
    assert [column.heads for column in table.columns[1:]] == [("December 31, 2023",), ("December 31, 2022",)]
    assert [row.sections for row in table.rows] == [("ASSETS",), ("ASSETS",), ("LIABILITIES",)]


def test_a_list_names_its_rows_by_every_text() -> None:
    rows = [
        ("Suite", "Tenant", "Area (sf)", "Base rent ($/sf/yr)", "Lease expiry"),
        ("100", "Cobalt Dental", "12,400", "18.50", "2026-02-28"),
        ("240", "Vacant", "5,150", "–", "–"),
        ("300", "Astrid Home", "9,600", "19.00", "2025-01-14"),
        ("Total", "", "27,150", "", ""),
    ]
    table = one(barred(rows))
    assert table.shape == "list"
    assert table.rows[0].label == "100 Cobalt Dental"
    assert table.rows[1].is_vacant
    assert table.rows[3].is_total
    rent = cell(table, "100 Cobalt Dental", "Base rent")
    assert (rent.unit, rent.per, rent.value) == ("USD", "sf year", Decimal("18.50"))
    assert cell(table, "300 Astrid Home", "Lease expiry").iso == "2025-01-14"
    assert not [
        own for own in table.cells if own.row == 1 and own.column == 4
    ]  # a dash among dates is no value


def test_a_list_with_one_cell_a_line_is_read_row_by_row() -> None:
    cells = [
        "Suite",
        "Tenant",
        "Area (sf)",
        "Rent",
        "100",
        "Cobalt",
        "12400",
        "18.50",
        "120",
        "Marrow",
        "8250",
        "16.80",
        "200",
        "Quill",
        "24600",
        "15.25",
    ]
    table = one("\n".join(cells))
    assert cell(table, "120 Marrow", "Area").value == Decimal(8250)


def test_rows_and_columns_decide_their_units() -> None:
    text = "Metric\tUnit\tQ1 2023\tQ2 2023\nAverage occupancy\t%\t91.2\t93.6\nRental revenue\t$000\t3,412\t3,560\nMove-ins\tunits\t642\t815\nRealised rent\t$ per sf per year\t17.84\t18.06"
    table = one(text)
    kinds = [(own.kind, own.value, own.unit, own.per) for own in table.cells if own.column == 2]
    assert kinds == [
        ("percentage", Decimal("91.2"), "%", ""), ("currency", Decimal(3412000), "USD", ""), ("number", Decimal(642), "", ""),
        ("currency", Decimal("17.84"), "USD", "sf year"),
    ]  # fmt: skip


def test_units_of_a_title_speak_of_what_they_name() -> None:
    title = "恒岳商业 2024年第三季度数据（营业收入、NOI单位：万元）"
    table = one(
        "| 项目 | 营业收入 | 期末出租率 | 客流（万人次） |\n|---|---|---|---|\n| 南湖 | 8,642 | 96.4% | 512 |\n| 青石 | 3,175 | 87.9% | 236 |",
        title,
    )
    assert [(own.value, own.unit) for own in table.cells[:3]] == [
        (Decimal(86420000), "CNY"), (Decimal("96.4"), "%"), (Decimal(5120000), ""),
    ]  # fmt: skip
    hebrew = one(
        '| נכס | הכנסות | פדיון למ"ר לחודש (ש"ח) |\n|---|---|---|\n| קניון | 14,620 | 2,310 |\n| פארק | 6,905 | – |',
        'נתונים (הכנסות באלפי ש"ח)',
    )
    assert [(own.value, own.unit, own.per) for own in hebrew.cells[:2]] == [
        (Decimal(14620000), "ILS", ""), (Decimal(2310), "ILS", "sqm month"),
    ]  # fmt: skip


def test_two_tables_of_different_units_stay_apart() -> None:
    text = "Table 1. Results (EUR thousand)\nItem | 2023 | 2022\nNet sales | 96,440 | 104,815\nNet profit | 6,150 | 12,305\n\nTable 2. Balance (EUR million unless stated)\nItem | 2023 | 2022\nNet debt | 58.3 | 49.7\nForest holdings, hectares | 73,400 | 72,150"
    first, second = read(Source("S0", text))
    assert cell(first, "Net sales", "2023").value == Decimal(96440000)
    assert cell(second, "Net debt", "2022").value == Decimal(49700000)
    land = cell(second, "Forest holdings, hectares", "2023")
    assert (land.kind, land.value, land.unit) == ("number", Decimal(73400), "hectare")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"parent_ref": "D"}, {"parent_ref": "D"}),
        ({"title": "Rent roll, chunk 1 of 2"}, {"title": "Rent roll, chunk 2 of 2"}),
        ({}, {}),
    ],
)
def test_headings_and_units_go_on_into_the_next_chunk(first: dict[str, Any], second: dict[str, Any]) -> None:
    head = Source(
        "A",
        "All areas in square metres. Rents in GBP per annum.\nUnit | Tenant | Area | Passing rent | Expiry",
        **first,
    )
    rows = Source(
        "B", "G1 | Pellow | 210 | 63,000 | 23-Jun-2030\nG2 | Nimbus | 140 | 44,800 | 28-Sep-2029", **second
    )
    (table,) = read_document((head, rows))
    assert table.source == "B"
    rent = cell(table, "G2 Nimbus", "Passing rent")
    assert (rent.value, rent.unit, rent.per) == (Decimal(44800), "GBP", "year")
    assert cell(table, "G2 Nimbus", "Area").unit == "sqm"


def test_a_line_of_periods_that_ends_a_chunk_heads_the_rows_of_the_next() -> None:
    head = Source(
        "A", "Freight by mode\n% of tonne-kilometres\n             2024     2023", title="Transport, heading"
    )
    rows = Source(
        "B",
        "Road         71.2     72.0\nRail         20.1     19.6\nWater         8.7      8.4",
        title="Transport, rows",
    )
    (table,) = read_document((head, rows))
    rail = cell(table, "Rail", "2023")
    assert (rail.value, rail.kind) == (Decimal("19.6"), "percentage")


def test_headings_do_not_go_on_into_another_document() -> None:
    head = Source("A", "Unit | Tenant | Area | Rent | Expiry", title="Rent roll Oak")
    rows = Source(
        "B",
        "G1 | Pellow | 210 | 63,000 | 23-Jun-2030\nG2 | Nimbus | 140 | 44,800 | 28-Sep-2029",
        title="Rent roll Elm",
    )
    (table,) = read_document((head, rows))
    assert not any(column.heads for column in table.columns)


@pytest.mark.parametrize(
    "text",
    [
        "For the twelve months ended June 30, 2024, net operating income was $6,874,200 and debt service was $5,012,600.",
        "Hotel demand reached 4.62 million room nights in 2023, 3.6% more than the 4.46 million of 2022.\nSupply grew by 410 rooms to 18,260, so that average occupancy improved to 70.1%.",
        "The company had revenue of\n5,144 and\nnet income of\n207 in the year.",
        "", "47", "2024\n2023", "- one\n- two\n- three", "Call 555-1234, or 555-9876.",
    ],
)  # fmt: skip
def test_prose_holds_no_table(text: str) -> None:
    assert read(Source("S0", text)) == ()


def test_keys_and_values_are_a_table() -> None:
    table = one("Borrower:\tRavensholme Retail LLC\nTest date:\t31 December 2023\nLoan balance:\t$3,140,000")
    assert [row.label for row in table.rows] == ["Borrower", "Test date", "Loan balance"]
    assert table.rows[0].texts == ("Borrower", "Ravensholme Retail LLC")
    assert [(own.kind, own.iso or own.value) for own in table.cells] == [
        ("date", "2023-12-31"),
        ("currency", Decimal(3140000)),
    ]


def test_a_short_row_without_sorts_to_tell_it_gives_no_cells() -> None:
    table = one(
        "2023\n2022\n2021\nSales\n1,200\n1,100\n1,000\nCharges\n30\n10\nProfit\n300\n250\n240\nTaxes\n30\n25\n24"
    )
    assert [row.label for row in table.rows] == ["Sales", "Charges", "Profit", "Taxes"]
    assert not [own for own in table.cells if own.row == 1]


def test_a_first_line_whose_blanks_a_chunker_took_still_heads_its_columns() -> None:
    table = one(
        "2019        2018\nNet sales           1,200       1,100\nGross profit          300         250\nTaxes                  30          25"
    )
    assert [column.heads for column in table.columns[1:]] == [("2019",), ("2018",)]


STORES = (
    "Stores by region (GBP m)\nRegion Stores 2024 2023 Change\nNorth 41 212.0 205.5 6.5\nSouth 38 187.4 190.1 (2.7)\n"
    "West 12 64.6 60.4 4.2\n"
)


def test_a_row_without_some_columns_stands_in_those_whose_numbers_are_written_like_its_own() -> None:
    table = one(f"{STORES}Central costs (31.8) (30.2) (1.6)\nOperating profit 432.2 425.8 6.4\n")
    assert cell(table, "Central costs", "2024").value == Decimal(-31800000)
    assert cell(table, "Operating profit", "Change").value == Decimal(6400000)


def test_a_row_of_totals_without_some_columns_stands_in_those_that_it_sums() -> None:
    rows = "Berth Length Fee Year\nAnna 12 85 510 4,300\nBora 15 70 420 3,900\nCleo 18 95 570 5,200\n"
    table = one(f"Boat {rows}Total 250 1,500 13,400\n")
    found = {own.column: own.value for own in table.cells if own.text in ("250", "1,500", "13,400")}
    assert list(found.values()) == [250, 1500, 13400]
    heads = {column.index: column.heads for column in table.columns}
    assert [heads[index] for index in found] == [("Length",), ("Fee",), ("Year",)]


def test_a_long_dash_apart_from_the_number_behind_it_is_a_cell_of_its_own() -> None:
    rows = "Harbour Ferry Bus Total\nNorth 12.5 – 12.5\nSouth – 8.0 8.0\nEast 31.0 4.5 35.5\nWest 6.5 – 6.5\n"
    table = one(f"Fares (EUR m)\n{rows}")
    assert cell(table, "North", "Total").value == Decimal(12500000)
    assert cell(table, "North", "Bus").is_none
    assert cell(table, "South", "Bus").value == Decimal(8000000)


def test_the_two_ends_of_a_range_in_a_line_of_its_own_are_no_two_values() -> None:
    page = "Measure\n2023 guidance\n2023 actual\n2024 guidance\nOunces sold\n185 - 200\n191\n205 - 220\nTonnes milled\n1,400 - 1,550\n1,475\n1,450 - 1,600"
    table = one(page)
    assert [row.label for row in table.rows] == ["Ounces sold", "Tonnes milled"]
    assert [own.value for own in table.cells] == [Decimal(191), Decimal(1475)]
    assert cell(table, "Tonnes milled", "2023 actual").value == Decimal(1475)


@pytest.mark.parametrize(
    "page",
    [
        "Measure\n2024 guidance\n2024 actual\nStone sold\n410 - 450\n438\nStaff\n280 - 300\n291",
        "| Measure | 2024 guidance | 2024 actual |\n|---|---|---|\n| Stone sold | 410 - 450 | 438 |\n| Staff | 280–300 | 291 |",
    ],
)
def test_a_column_of_ranges_is_no_part_of_the_names_of_its_rows(page: str) -> None:
    table = one(page)
    assert [row.label for row in table.rows] == ["Stone sold", "Staff"]
    assert cell(table, "Stone sold", "2024 actual").value == Decimal(438)
