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
