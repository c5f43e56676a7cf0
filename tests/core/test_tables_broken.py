"""Tables as programs break them: split rows, lost headings, page furniture, cut numbers, odd digits and blanks (NUM-06)."""

from decimal import Decimal

import pytest

from detection.core.evidence.tables import Table, read, read_document
from detection.core.types import Source

pytestmark = pytest.mark.requirement("NUM-06")


def tables(text: str) -> tuple[Table, ...]:
    return read(Source("S0", text))


def cells(text: str) -> dict[tuple[str, str], Decimal | None]:
    """Every value by the label of its row and the headings of its column."""
    return {
        (table.rows[cell.row].label, " ".join(table.columns[cell.column].heads)): cell.value
        for table in tables(text)
        for cell in table.cells
    }


def test_a_year_alone_on_a_line_is_a_section_and_no_value() -> None:
    (table,) = tables("First Second\n2019\nSales 10 20\nCosts 5 6\n2018\nSales 11 21\nCosts 7 8")
    assert [(row.label, row.sections) for row in table.rows] == [
        ("Sales", ("2019",)), ("Costs", ("2019",)), ("Sales", ("2018",)), ("Costs", ("2018",)),
    ]  # fmt: skip
    assert [cell.text for cell in table.cells] == ["10", "20", "5", "6", "11", "21", "7", "8"]


def test_rows_may_be_named_by_years_and_end_in_dates() -> None:
    assert cells("Amount\n2024 141.0\n2025 132.0\nthereafter 1580.0")["2024", ""] == Decimal("141.0")
    shares = "Shares Price\nHeld at December 31, 2018 17,059 $19.65\nGranted 9,780 12.41"
    assert cells(shares)["Held at December 31, 2018", "Shares"] == 17059


def test_a_row_without_a_label_and_a_page_number_leave_their_neighbours_alone() -> None:
    found = cells("2024 2023\nRent 700 600\nFees 80 70\n780 670\nTaxes (77) (79)\n47\nNet 703 591\n48")
    assert found["Taxes", "2024"] == -77
    assert found["Net", "2023"] == 591
    assert found["", "2024"] == 780


def test_a_dash_before_a_number_is_a_value_of_its_own_where_a_value_lacks() -> None:
    found = cells("2024 2023\nRent 700 600\nDeferred - 68\nFees 80 70")
    assert [found["Deferred", "2024"], found["Deferred", "2023"]] == [0, 68]


def test_bars_that_stand_in_wrong_places_do_not_place_values() -> None:
    text = "|  | 2024 2023 | 2022 |\n|---|---|---|\n| Net sales | 1,418 1,391 | 402 |\n| Costs | 271 | 1,258 1,261 |\n| Taxes | 3 | — 1 |"
    found = cells(text)
    assert [found["Costs", year] for year in ("2024", "2023", "2022")] == [271, 1258, 1261]
    assert [found["Taxes", year] for year in ("2024", "2023", "2022")] == [3, 0, 1]
    beside = "| Item | 2024 |  | 2023 |  |\n|---|---|---|---|---|\n| Debt |  | 58.3 |  | 49.7 |\n| Equity |  | 301.4 |  | 304.9 |"
    assert cells(beside)["Debt", "2023"] == Decimal("49.7")


def test_headings_that_may_be_cut_in_two_ways_are_not_cut() -> None:
    text = (
        "|  | Net Rent Gross Rent Total Area | Costs |\n|---|---|---|\n| Oak | 5 6 | 7 |\n| Elm | 8 9 | 10 |"
    )
    assert not {head for _, head in cells(text)} & {"Net Rent", "Gross Rent"}


def test_a_table_whose_columns_cannot_be_told_says_so_and_holds_nothing() -> None:
    (table,) = tables(
        "number of shares weighted average price paid\nGranted 9,780 12.41\nVested 9,038 19.54\nForfeited 1,757 18.62"
    )
    assert not table.readable
    assert table.why
    assert not table.cells
    (told,) = tables("Shares Price\nGranted 9,780 12.41\nVested 9,038 19.54\nForfeited 1,757 18.62")
    assert told.readable


def test_a_number_that_a_splitter_cut_in_two_is_none() -> None:
    chunks = (
        "| Item | 2024 | 2023 |\n|---|---|---|\n| Rent | 42,440 | 41,118 |\n| Fees | 2,440 | 37,",
        "744 |\n| Costs | 5,100 | 4,900 |",
    )
    found = read_document([Source(f"S{n}", text, "D") for n, text in enumerate(chunks)])
    values = {cell.text for table in found for cell in table.cells}
    assert {"42,440", "5,100"} <= values
    assert not values & {"37", "37,", "744"}


@pytest.mark.parametrize("blank", ["\u2009", "\u202f", "\u00a0"])
@pytest.mark.parametrize(
    "form", [" | 2024 | 2023\n{} | {} | {}", "2024 2023\n{} {} {}\nCosts 5 6\nTaxes 7 8"]
)
def test_thin_blanks_part_thousands(form: str, blank: str) -> None:
    found = cells(form.format("Sales", f"1{blank}234", f"12{blank}345{blank}678"))
    assert [found["Sales", "2024"], found["Sales", "2023"]] == [1234, 12345678]


@pytest.mark.parametrize("written", ["１，２３４", "١٬٢٣٤", "1'234"])
def test_digits_of_other_scripts_are_digits(written: str) -> None:
    assert cells(f" | 2024\nSales | {written}\nCosts | 800")["Sales", "2024"] == 1234


@pytest.mark.parametrize("written", ["Net in\u00adcome and pro\ufb01t", "Net income and profit"])
def test_soft_hyphens_and_ligatures_are_no_part_of_a_name(written: str) -> None:
    assert cells(f" | 2024\n{written} | 1,234\nCosts | 800")["Net income and profit", "2024"] == 1234


def test_an_amount_that_looks_like_a_year_is_one_under_a_heading() -> None:
    found = cells(
        "            2024     2023\nUnits sold  2,024    1,999\nStaff       1,100    1,050\nUnits left  2024     1950"
    )
    assert found["Units left", "2024"] == 2024
    assert found["Units left", "2023"] == 1950


def test_a_unit_line_belongs_to_the_table_below_it() -> None:
    text = "A. Rent ($)\nOak         1,200    1,100\nElm           900      800\n\nB. Debt ($ thousands)\n           Balance    Interest    Fees\nSenior       9,140         443      12\nMezzanine    1,400         133       5"
    found = cells(text)
    assert found["Senior", "Balance"] == 9_140_000
    assert found["Oak", ""] in (1200, 1100)


def test_what_brackets_count_is_no_money() -> None:
    (table,) = tables(
        "Generation (€ thousands)\nSite | Q2 2024 (MWh) | Sales\nCobb Hill | 10,480 | 410\nAmberfield | 6,210 | 250"
    )
    read_as = {cell.text: cell for cell in table.cells}
    assert [read_as[text].kind for text in ("10,480", "410")] == ["number", "currency"]
    assert [read_as[text].value for text in ("10,480", "410")] == [10480, 410_000]


def test_a_head_in_units_of_energy_is_no_money() -> None:
    (table,) = tables(
        "Energy (cost in £ thousand)\nSource | 2023 MWh | 2023 cost\nGrid | 14,860 | 2,941\nGas | 27,430 | 1,308"
    )
    read_as = {cell.text: cell for cell in table.cells}
    assert [read_as[text].kind for text in ("14,860", "2,941")] == ["number", "currency"]
    assert [read_as[text].value for text in ("14,860", "2,941")] == [14860, 2_941_000]


def test_a_chunk_of_unit_lines_declares_them_for_the_next() -> None:
    lead = "Oakhollow Foods S.A.\nStatement of financial position, thousands of euros"
    rows = "               2023     2022\nGoodwill     64,100   64,100\nCash         22,615   14,290"
    (table,) = read_document([Source("S0", lead, "D"), Source("S1", rows, "D")])
    assert {(cell.value, cell.unit) for cell in table.cells} >= {(Decimal(22_615_000), "EUR")}
