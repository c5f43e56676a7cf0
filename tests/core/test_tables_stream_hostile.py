"""Long and hostile chunks are read in time that grows with their length."""

import random

import pytest

from detection.core.evidence.tables import read
from detection.core.types import Source
from tests.growth import grows_at_most

_NUMBERS = 40_000


def page(mark: str, line: str, end: str = "") -> str:
    pick = random.Random(7)  # noqa: S311
    rows = (
        [f"Row item {chr(97 + place % 26)}", *(f"{pick.randint(1, 10**6):,}" for _ in range(4))]
        for place in range(_NUMBERS // 4)
    )
    return line.join(mark.join(row) + end for row in rows)


@pytest.mark.budget(6)
@pytest.mark.parametrize(
    ("mark", "line"), [(" ", "\n"), ("\n", "\n"), (" | ", "\n"), ("\t", "\n"), ("    ", "\n")]
)
def test_a_page_of_forty_thousand_numbers_is_read_in_seconds(mark: str, line: str) -> None:
    read(Source("S0", page(mark, line)))


@pytest.mark.budget(5)
@pytest.mark.parametrize(
    "text",
    [
        "<td " * 50_000, "<table>" * 20_000, "<td " + 'a="' * 30_000, "," * 200_000, " " * 200_000 + "1", "|" * 200_000, " / " * 60_000,
        "(" * 100_000, "$\n" * 30_000, "1\n)\n" * 20_000, "a b c " * 50_000, ": " * 100_000, "1" * 200_000, "1," * 100_000, "万元" * 50_000,
        "(in thousands)\n" * 10_000, "Label\n12\n" * 10_000, "2024\n" * 20_000, "June 30,\n" * 15_000, "$ ( " * 50_000, "—\n" * 20_000,
        'a,"' * 60_000, "\t" * 100_000 + "1\n" + "\t1" * 50_000, ("x 1 " * 500 + "\n") * 50, ("a  1  " * 300 + "\n") * 40, "except " * 20_000,
        "<table>" + "<tr>" + '<td rowspan="60" colspan="60">x</td>' * 200 + "</tr>" + "<tr><td>1</td></tr>" * 500 + "</table>",
    ],
    ids=range(27),
)  # fmt: skip
def test_hostile_text_is_read_in_time(text: str) -> None:
    read(Source("S0", text))


def test_time_grows_with_length() -> None:
    whole = page("\n", "\n")
    assert grows_at_most(lambda length, _: read(Source("S0", whole[:length])), (40_000, 160_000), times=6)


def test_lines_of_signs_alone_break_nothing() -> None:
    assert read(
        Source(
            "S0",
            "  $     $\nNet sales      1,200   1,100\nTaxes            30      25\n  )     %\nCosts           300     250",
        )
    )
