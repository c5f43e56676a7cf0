"""What is read of tables as they come: one cell a line, keys and headings in another chunk, two values in a cell."""

from decimal import Decimal

import pytest

from detection.core import claims, evidence
from detection.core.context import Context
from detection.core.evidence.facts import Fact, Grid
from detection.core.matching import numeric
from detection.core.types import Case, Source, never
from tests.core.layout_cases import CASES

TRIAL = (
    "                Drug 10 mg    Drug 20 mg    Placebo\n                N=204         N=201         N=198\n"
    "Headache        31 (15.2%)    28 (13.9%)    33 (16.7%)\nNausea          22 (10.8%)    37 (18.4%)    17  (8.6%)\n"
)


def read(*chunks: tuple[str, str]) -> list[tuple[Grid, Fact]]:
    sources = tuple(Source(f"S{n}", text, title=title) for n, (title, text) in enumerate(chunks))
    grids = evidence.read(Case("", sources=sources), never).grids
    return [(grid, fact) for grid in grids if not grid.is_prose for fact in grid.facts]


def places(grid: Grid, fact: Fact) -> set[str]:
    named = {grid.named(axis, at) for axis, at in enumerate(fact.at)}
    return named | ({str(fact.span[0])} if fact.span else set()) | ({"moves"} if fact.direction else set())


@pytest.mark.parametrize(("name", "chunks", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_value_stands_where_a_person_reads_it(
    name: str, chunks: list[tuple[str, str]], expected: list[tuple[str, str, str]]
) -> None:
    found = read(*chunks)
    for written, row, column in expected:
        stands = [
            places(grid, fact) for grid, fact in found if fact.text.strip("()+ ") == written.strip("()+ ")
        ]
        assert any(all(any(word in place for place in own) for word in (row, column)) for own in stands), (
            written,
            row,
            column,
            stands,
        )


def test_headings_of_another_number_than_the_columns_head_nothing() -> None:
    rows = "North 41 45 49 12\nSouth 30 32 35 10\nEast 20 22 25 9"
    assert read(("Part 1", "Columns from left to right: 2022, 2023."), ("Part 2", rows)) == []


def test_keys_name_no_rows_of_a_table_that_has_others() -> None:
    rows = "| | Parcels | Cost |\n|1| 4,120 | 1.92 |\n|2| 2,865 | 1.85 |\n|3| 1,490 | 2.35 |"
    found = read(("Key", "Row 1: Alba\nRow 2: Brno"), ("Part", rows))
    assert found
    assert not any("Alba" in place for grid, fact in found for place in places(grid, fact))


def test_notes_that_are_numbered_are_no_keys() -> None:
    rows = "| | Parcels | Cost |\n|---|---|---|\n| 1 | 4,120 | 1.92 |\n| 2 | 2,865 | 1.85 |\n| 3 | 1,490 | 2.35 |"
    notes = "1 Excluding returns\n2 Restated\n3 Estimated"
    found = read(("Table", rows), ("Notes", notes))
    assert not any("Restated" in place for grid, fact in found for place in places(grid, fact))


def test_a_value_in_brackets_behind_another_is_not_below_zero() -> None:
    values = {fact.text: fact.value or 0 for _, fact in read(("Trial", TRIAL))}
    assert values["18.4%"] > 0
    table = (
        "| USD million | 2023 | 2022 |\n|---|---|---|\n| Growth | (4.2%) | 3.1% |\n| Result | (12.4) | 8.8 |"
    )
    values = {fact.text: fact.value or 0 for _, fact in read(("Results", table))}
    assert values["(4.2%)"] < 0
    assert values["(12.4)"] < 0


def test_a_mark_of_a_note_is_no_part_of_a_heading() -> None:
    table = "Mine | Ore (kt) | Gold (koz) a\nEast | 3,410 | 212.6\nWest | 1,965 | 96.3\na Thousand ounces, payable metal."
    labels = {place for grid, fact in read(("Output", table)) for place in places(grid, fact)}
    assert "Gold (koz)" in labels
    plain = table.rpartition("\n")[0]
    assert "Gold (koz) a" in {p for grid, fact in read(("Output", plain)) for p in places(grid, fact)}


def test_a_unit_line_below_the_rows_is_of_all_of_them() -> None:
    page = "Goods\n2022\n2023\nGrain\n612\n574\nSteel\n418\n402\nGravel\n530\n488\nAll figures in thousand tonnes\nSource: port office"
    facts = {fact.text: fact for _, fact in read(("Port", page))}
    assert (facts["574"].kind, facts["574"].value) == ("number", Decimal(574_000))


@pytest.mark.parametrize(
    ("answer", "outcomes"),
    [
        ("Nausea was reported by 18.4% of those on 20 mg.", {"18.4%": "supported"}),
        ("On 10 mg nausea was reported by 10.8%.", {"10.8%": "supported"}),
        ("Nausea was reported by 18.4% of those on 10 mg.", {"18.4%": "contradicted"}),
        ("Nausea was reported by 37 of those on 20 mg.", {"37": "supported"}),
    ],
)
def test_a_size_in_the_name_of_a_column_names_it(answer: str, outcomes: dict[str, str]) -> None:
    case = Case(answer=answer, sources=(Source("S0", TRIAL),))
    context = Context(case, claims.read(case))
    found = {one.claim: one.status for one in numeric.decide(numeric.measure(context), context).findings}
    said = {
        claim.number.text: found[claim.index]
        for claim in context.claims
        if claim.number and found[claim.index] != "not_checked"
    }
    assert said == outcomes


def test_columns_of_years_below_a_title_are_those_of_a_table_of_its_own() -> None:
    text = (
        "1. Dwellings by heating\nSource            2013    2018    2023\nGas                840     790     645\n"
        "Heat pump           75     160     378\n\n2. Average bill (EUR)\nSource            2018    2023\n"
        "Gas                910   1,470\nHeat pump          640     860\n"
    )
    found = {(fact.text, fact.span[0].year) for _, fact in read(("", text)) if fact.span}
    assert {("645", 2023), ("910", 2018), ("1,470", 2023), ("860", 2023)} <= found


PORT = (
    "PORT OF KELSO\nAnnual review 2022\n7\nTraffic by cargo\nVolumes are in thousand tonnes, duties in € thousand.\nCargo\nVolume 2022\nVolume 2021\n"
    "Duties 2022\nTimber\n412\n398\n1,205\nGrain (b)\n655\n701\n1,630\nStone\n1,020\n977\n1,148\n(b) Includes 18 thousand tonnes in transit.\nPage 7 of 32"
)
COAL = (
    "Quarter ended 31 December 2023\nIndicator\nUnit\nDec 2023 quarter\nSep 2023 quarter\nCoal railed\nkt\n904\n871\nStrip ratio\nbcm/t\n6.1\n5.8\n"
    "Note: railing stopped for nine days in October.\nCash cost\nA$/t\n92.4\n95.1\nCapital outlay\nA$m\n7.4\n6.9"
)
BUSES = "Table 1. Riders by depot (thousands)\nDepot      2021     2022\nEast      4,310    5,127\nWest      2,846    3,402\n\nTable 2. Punctuality\nDepot    On time %    Buses missed\nEast          91.7          1,308\nWest          94.2            655\n"
FOODS = "Year ended 28 February 2023\n                               2023     2022\n                               £'000    £'000\nRevenue                       8,124    7,650\nProfit before tax               612      558\nEarnings per share (pence)     21.4     18.9"
STALLS = "Stalls let at the end of the month. Columns give the market, then April, May and June 2023, then the target for June 2023.\nCorn Square – 114 – 118 – 121 – 120\nRiverside – 86 – 84 – 90 – 95"
PIER = "Use: landing stage\nDepth: 11.5 m\nRent: £86,000 a year exclusive\nBuilt: 2004\nPassengers: 614,300 (2022: 588,750)\nRateable value: £71,500\nDeposit: £9,200"
AIR = "Station | PM10 | Days above | Level\nQuay Street | 22.4 | 11 | Limit 40\nMill Lane | 31.0 | 37 | max. 35\nFell | -17.5 | 3 | Target -18.0"
HOMES = "| Home | Beds | Fee, £ |\n|---|---|---|\n| Linden | 64 | 1,145 |\n| Tern House (opened in August) | 40 | 1,265 |"
CLAIMS = ("Claims by line at 30 June 2023 (CHF million)\nLine\tNotified\tSettled\nMotor\t48.2\t39.7\nHome\t7.9\t7.1", "Line\tNotified\tSettled\nMarine\t3.4\t3.1\nTravel\t12.6\t9.2")  # fmt: skip
GRANTS = "Grants in 2023, amounts in EUR thousand\nBody | Holders | Amount paid\nNorth | 348 | 3,102\nSouth | 902 | 2,392"

TOLD: list[tuple[str, list[tuple[str, str]], str, str, str, str, str]] = [
    ("weights beside money", [("Port", PORT)], "398", "398000", "ton", "2021-01-01", ""),
    ("money beside weights", [("Port", PORT)], "1,630", "1630000", "EUR", "2022-01-01", ""),
    ("a unit in a line of its own", [("Mine", COAL)], "871", "871", "kiloton", "2023-07-01", ""),
    ("a row behind a note", [("Mine", COAL)], "6.9", "6900000", "AUD", "2023-07-01", ""),
    ("a scale of another table", [("Bus review", BUSES)], "655", "655", "", "", ""),
    ("a scale of its own title", [("Bus review", BUSES)], "3,402", "3402000", "", "2022-01-01", ""),
    ("a figure behind a comma", [("Air freight 2023", "Mail bags, thousand\nField | In | Out\nNorden | 41.2 | 38.7\nSud | 12.5 | 14.1")], "14.1", "14100", "", "2023-01-01", ""),
    ("a unit in the title", [("Newsletter", "Output, GWh (third quarter)\nSite | Q3 2023 | Q3 2022\nKnock | 61.3 | 54.7\nFell | 18.4 | 21.9")], "21.9", "21.9", "gwh", "2022-07-01", ""),
    ("a count beside amounts", [("Grants 2023", GRANTS)], "348", "348", "", "2023-01-01", ""),
    ("an amount beside counts", [("Grants 2023", GRANTS)], "2,392", "2392000", "EUR", "2023-01-01", ""),
    ("a part beside a total amount", [("Loans 2023", "Amounts in EUR thousand\nBranch | Senior | Junior | Total amount\nEast | 413 | 102 | 515\nWest | 902 | 92 | 994")], "413", "413000", "EUR", "2023-01-01", ""),
    ("a thousand in digits", [("Grain", "Exports, 1000 t | 2022 | 2023\nOdra | 412 | 455\nVarna | 388 | 371")], "388", "388000", "", "2022-01-01", ""),
    ("a year that ends in February", [("Foods", FOODS)], "7,650", "7650000", "GBP", "2021-03-01", ""),
    ("pence below thousands", [("Foods", FOODS)], "18.9", "0.189", "GBP", "2021-03-01", ""),
    ("a year to a day", [("Roads outturn 2022/23 (year to 31 March 2023), £000", "Work | Budget | Actual\nPaving | 120 | 124\nDrains | 18 | 17")], "124", "124000", "GBP", "2022-04-01", ""),
    ("dashes between cells", [("Stalls", STALLS)], "84", "84", "", "2023-05-01", ""),
    ("a target told in a sentence", [("Stalls", STALLS)], "95", "95", "", "2023-06-01", "target"),
    ("metres of a sheet", [("Pier 2023", PIER)], "11.5 m", "11.5", "metre", "2023-01-01", ""),
    ("a value beside what was built", [("Pier 2023", PIER)], "£9,200", "9200", "GBP", "2023-01-01", ""),
    ("an amount of which more is said", [("Pier 2023", PIER)], "£86,000", "86000", "GBP", "2023-01-01", ""),
    ("a year in brackets", [("Pier 2023", PIER)], "588,750", "588750", "", "2022-01-01", ""),
    ("a limit in a cell", [("Air 2023", AIR)], "40", "40", "", "2023-01-01", "limit"),
    ("a maximum in a cell", [("Air 2023", AIR)], "35", "35", "", "2023-01-01", "limit_max"),
    ("a target below zero", [("Air 2023", AIR)], "-18.0", "-18.0", "", "2023-01-01", "target"),
    ("what happened to a row", [("Homes at 30 September 2024", HOMES)], "1,265", "1265", "GBP", "2024-09-30", ""),
    ("money of the chunk before", [("Claims [1]", CLAIMS[0]), ("Claims [2]", CLAIMS[1])], "9.2", "9200000", "CHF", "2023-06-30", ""),
    ("a month of the year of a table", [("Berths", "Quay | Berths 2023\nOld | 41\nNew | 60\n\nAt the end of May 77.5% were let.")], "77.5%", "77.5", "%", "2023-05-21", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("chunks", "written", "value", "unit", "since", "role"),
    [one[1:] for one in TOLD],
    ids=[one[0] for one in TOLD],
)
def test_a_value_has_the_size_the_period_and_the_role_that_a_person_reads(
    chunks: list[tuple[str, str]], written: str, value: str, unit: str, since: str, role: str
) -> None:
    sources = tuple(Source(f"S{n}", text, title=title) for n, (title, text) in enumerate(chunks))
    facts = [fact for grid in evidence.read(Case("", sources=sources), never).grids for fact in grid.facts]
    (one,) = [fact for fact in facts if fact.text == written]
    assert (one.value, one.unit, str(one.span[0]) if one.span else "", one.role) == (
        Decimal(value),
        unit,
        since,
        role,
    )
