"""Tables are read whatever draws their columns: bars, tabs, CSV, blanks, HTML (NUM-06)."""

from typing import Any

import pytest

from tests.core.table_cases import Case, case, check, read
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-06")

SAME: dict[str, Any] = {"value": "1234", "unit": "USD", "row": "net sales", "periods": "2019", "table": 0}

FORMATS = [
    case("bars", " | 2019 | 2018\nNet sales | $1,234 | $1,100\nCosts | 800 | 700", "$1,234", **SAME),
    case("outer bars", "|  | 2019 | 2018 |\n| Net sales | $1,234 | $1,100 |\n| Costs | 800 | 700 |", "$1,234", **SAME),
    case("outer bar at the left", "|  | 2019 | 2018\n| Net sales | $1,234 | $1,100", "$1,234", **SAME),
    case("Markdown", "| Item | 2019 | 2018 |\n|:--|---:|:-:|\n| Net sales | $1,234 | $1,100 |", "$1,234", **SAME),
    case("Markdown without outer bars", "Item | 2019 | 2018\n---|---|---\nNet sales | $1,234 | $1,100", "$1,234", **SAME),
    case("bold Markdown", "| **Item** | **2019** |\n|---|---|\n| **Net sales** | **$1,234** |", "$1,234", **SAME),
    case("drawn frame", "+-------+------+\n| Item | 2019 |\n+-------+------+\n| Net sales | $1,234 |\n+-------+------+", "$1,234", **SAME),
    case("tabs", "\t2019\t2018\nNet sales\t$1,234\t$1,100", "$1,234", **SAME),
    case("CSV", "Item,2019,2018\nNet sales,\"$1,234\",\"$1,100\"\nCosts,800,700", "$1,234", **SAME),
    case("CSV with quotes within a field", 'Item "net";2019;2018\nNet sales;$1,234;$1,100\nCosts 5" pipes;800;700', "$1,234", **SAME),
    case("CSV with blanks", "Item, 2019, 2018\nNet sales, $1234, $1100\nCosts, 800, 700", "$1234", **SAME),
    case("CSV with semicolons", "Item;2019;2018\nNet sales;$1,234;$1,100\nCosts;800;700", "$1,234", **SAME),
    case("CSV of years", "year,profit_usd_million\n2021,13\n2022,8\n2023,11", "11", value="11000000", unit="USD", column="profit", periods="2023"),
    case("CSV of codes", "well,nitrate\nW1,31\nW2,44", "44", value="44", row="w2", column="nitrate"),
    case("CSV of three columns of plain numbers", "route,crates_thousand,tolls_eur,accidents\nR1,640,98000,2\nR2,700,91500,4", "700", value="700000", row="r2", column="crates"),
    case("CSV of two columns with semicolons", 'city;population\nHaifa;"1,204"\nAkko;52', "1,204", value="1204", row="haifa", column="population"),
    case("aligned", "               2019      2018\nNet sales    $1,234    $1,100\nCosts           800       700", "$1,234", **SAME),
    case("aligned under a line", "Item           2019      2018\n-----------------------------\nNet sales    $1,234    $1,100\nCosts           800       700", "$1,234", **SAME),
    case("aligned with sections and lines", "                Year ended December 31,\n                   2019        2018\nRevenue:\n  Net sales    $ 1,234     $ 1,100\n  Other            500         400\n               -------     -------\nTotal            1,734       1,500", "$ 1,234", section="revenue", **SAME),
    case("aligned, below a line", "                   2019        2018\n  Net sales    $ 1,234     $ 1,100\n  Other            500         400\n               -------     -------\nTotal            1,734       1,500", "1,500", row="total", periods="2018"),
    case("aligned with two columns of labels", "Unit    Tenant        SF      Rent\n101     Acme         1,200    $3,500\n102     Bolt           900    $2,800", "$2,800", row="bolt", column="rent"),
    case("parted by blanks alone", "Ward    Beds    Bed days 2023    Bed days 2024    Discharges 2024    Average stay 2024 (days)\nInternal A    42    14,620    15,105    3,284    4.6\nTotal    142    44,990    46,095    11,997    3.8", "46,095", value="46095", row="total", column="bed days", periods="2024"),
    case("parted by blanks alone, labels that end in a number", "Route    Buses    Riders 2023    Riders 2024\nRoute 7    24    812,400    845,900\nRoute 12    18    530,100    498,700", "530,100", value="530100", row="route 12", column="riders", periods="2023"),
    case("Hebrew parted by blanks alone", "מחלקה    מיטות    ימי אשפוז 2023    ימי אשפוז 2024    שהות ממוצעת 2024\nפנימית א'    42    14,620    15,105    4.6\nאורתופדיה    30    9,150    8,760    5.1", "8,760", value="8760", row="אורתופדיה", column="ימי אשפוז", periods="2024"),
    case("Chinese parted by blanks alone", "线路    车辆数    客运量 2023年    客运量 2024年    事故数 2024年\n1路    24    812,400    845,900    3\n合计    42    1,342,500    1,344,600    8", "1,344,600", value="1344600", row="合计", column="客运量", periods="2024"),
    case("HTML", "<table><tr><th>Item</th><th>2019</th><th>2018</th></tr><tr><td>Net sales</td><td>$1,234</td><td>$1,100</td></tr></table>", "$1,234", **SAME),
    case("HTML without ends", "<table><tr><th>Item<th>2019<tr><td>Net sales<td>$1,234", "$1,234", **SAME),
    case("HTML cut at the front", "<td>x</td></tr><tr><td></td><td>2019</td></tr><tr><td>Net sales</td><td>$1,234</td></tr></table> rest", "$1,234", value="1234", row="net sales"),
    case("HTML with a head", "<TABLE class='a'><THEAD><TR><TD>Item</TD><TD>2019</TD></TR></THEAD><TBODY><TR><TD>Net sales</TD><TD>$1,234</TD></TR></TBODY></TABLE>", "$1,234", **SAME),
    case("HTML with tags in a cell", "<table><tr><td></td><td><b>2019</b></td></tr><tr><td><i>Net</i> <br>sales</td><td><span>$1,<b>234</b></span></td></tr></table>", "$1,<b>234", **SAME),
    case("HTML entities", "<table><tr><td>&nbsp;</td><td>2019</td></tr><tr><td>Net&nbsp;sales</td><td>&#36;1,234</td></tr></table>", "&#36;1,234", **SAME),
    case("HTML table in a cell", "<table><tr><td>x<table><tr><td></td><td>2019</td></tr><tr><td>Net sales</td><td>$1,234</td></tr></table></td></tr></table>", "$1,234", **SAME),
    case("HTML footnote", "<table><tr><td></td><td>2019</td></tr><tr><td>Net sales<sup>2</sup></td><td>$1,234<sup>1</sup></td></tr></table>", "$1,234", **SAME),
    case("HTML spans", "<table><tr><td></td><td colspan=4>2019</td></tr><tr><td>Net sales</td><td>$1,234</td><td></td><td>$</td><td>77</td></tr></table>", "77", value="77", unit="USD", periods="2019"),
    case("HTML label over rows", "<table><tr><td></td><td></td><td>2019</td></tr><tr><td rowspan=2>Oak</td><td>NOI</td><td>5</td></tr><tr><td>Rent</td><td>7</td></tr></table>", "7", row="oak rent", periods="2019"),
    case("signs in cells of their own", " | 2019 |  | 2018 | \nNet sales | $ | 1,234 | $ | 1,100", "1,234", **SAME),
    case("brackets in cells of their own", " | 2019 | | 2018 |\nNet loss | (1,234 | ) | (5 | )", "(1,234", value="-1234", periods="2019"),
    case("windows lines", " | 2019 | 2018\r\nNet sales | $1,234 | $1,100\r\n", "$1,234", **SAME),
    case("Hebrew", " | 2019 | 2018\nהכנסות | 1,234 | 1,100\nהוצאות | 800 | 700", "1,234", row="הכנסות", periods="2019"),
    case("Chinese", "|项目|2024年|2023年|\n|---|---|---|\n|净营业收入|1,234|1,100|", "1,234", row="净营业收入", periods="2024"),
]  # fmt: skip


@each_case("one", FORMATS, ids=lambda one: one.name)
def test_a_cell_is_read_in_every_format(one: Case) -> None:
    check(one)


PROSE = [
    ("a sentence above years", "In short, costs fell\n2021,13\n2022,8", 2),
    ("a sentence above counts", "Sales grew,profits fell.\n5,120 units were sold\n4,300 units came back", 2),
    (
        "commas",
        "In 2019, sales of bread, milk, and eggs were $5, up 3 %.\nIn 2018, sales of tea, rice, and oil were $4, down 2 %.",
        4,
    ),
    (
        "lists of places",
        "The offices in Austin, Texas, and Boise, Idaho, have 120 desks,\nthose in Salem, Oregon, and Reno, Nevada, have 80 desks,",
        2,
    ),
    ("numbers cut by commas", "Revenue was 1,234,567\nand costs were 1,100,200", 2),
    (
        "blanks behind sentences",
        "Sales were $5.  Costs were $4.  Both rose.\nRent was $3.  Tax was $2.  Both fell.",
        4,
    ),
    ("one bar", "NOI was $1,234 | occupancy was 91 %", 2),
    ("an indented line", "\tThe fund holds 12 buildings in 3 cities.", 2),
    ("a sign that is no tag", "Vacancy <5 % and turnover >3 % were reported.", 2),
]


@pytest.mark.parametrize(("chunk", "count"), [row[1:] for row in PROSE], ids=[row[0] for row in PROSE])
def test_text_that_only_looks_like_a_table_stays_text(chunk: str, count: int) -> None:
    assert [place.table for place in read(chunk)] == [-1] * count


def test_text_around_and_between_tables_is_read() -> None:
    chunk = "Rent was $9.\n\n | 2019\nNOI | 5\n\nTax was $8.\n<table><tr><td>Fees</td><td>7</td></tr></table>Interest was $6."
    read_as = {place.text: place.table for place in read(chunk)}
    assert read_as == {"$9": -1, "5": 0, "$8": -1, "7": 1, "$6": -1}


def test_a_blank_line_does_not_end_a_table_that_goes_on() -> None:
    places = read(" | 2019 | 2018\nNOI | 5 | 4\n\nRent | 7 | 6")
    assert [(place.text, place.table, place.iso) for place in places] == [
        ("5", 0, "2019"), ("4", 0, "2018"), ("7", 0, "2019"), ("6", 0, "2018"),
    ]  # fmt: skip


def test_two_tables_of_a_chunk_have_their_own_headings() -> None:
    places = read(" | 2019 | 2018\nNOI | 5 | 4\n\n | Q1 2020 | Q2 2020\nRent | 7 | 6")
    assert [(place.text, place.table, place.iso) for place in places] == [
        ("5", 0, "2019"), ("4", 0, "2018"), ("7", 1, "2020-Q1"), ("6", 1, "2020-Q2"),
    ]  # fmt: skip


def test_a_long_cell_is_read_as_the_sentences_it_holds() -> None:
    chunk = "<table><tr><td>The fund earned rent of $5 million in 2019 and paid interest of $2 million.</td></tr></table>"
    assert [place.text for place in read(chunk)] == ["$5 million", "$2 million"]


SENTENCES = [
    "Item | Discussion\nRevenue | Revenue rose to $5 million because 12 new tenants moved in.",
    " | 2019\nRent | 7\nThe fund earned $5 million from 12 buildings in that year | see the notes",
    " | 2019\nRent | 7\nNote | The fund earned $5 million from 12 buildings in that year",
    " | 2019\nThe fund earned $5 million from 12 buildings in that year | \nRent | 7",
]


@pytest.mark.parametrize("chunk", SENTENCES)
def test_sentences_in_cells_are_read_as_text(chunk: str) -> None:
    told = [place.text for place in read(chunk) if place.table < 0]
    assert told == ["$5 million", "12"]


def test_a_line_with_fewer_numbers_keeps_them_under_their_headings() -> None:
    chunk = "               2019      2018\nNet sales       50        40\nCosts           30        20\nFees                       7"
    assert [(place.text, place.iso) for place in read(chunk)][-1] == ("7", "2018")


def test_a_line_whose_numbers_stand_between_columns_is_no_row() -> None:
    chunk = "               2019      2018\nNet sales       50        40\nCosts           30        20\nFees                  7"
    assert [place.table for place in read(chunk) if place.text == "7"] == [-1]
