"""However large or strange the sources are, a bounded number of choices is computed and nothing is raised."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core.derivation_tables import judged

SENTENCES = [
    "The percentage change in rent from 2023 to 2024 was 5.64%.",
    "The sum of rent and parking in 2024 was $4,500.",
    "The average rent and fees in 2024 was $4,500.25.",
    "Rent and fees as a percentage of rent and parking was 91.56%.",
    "The ratio of rent to parking was 10.84.",
    "The share of rent in fees rose by 0.21 percentage points.",
]


def wide(rows: int, columns: int) -> str:
    heading = "".join(f" | {2024 - column % 5}" for column in range(columns))
    cells = "".join(f" | {column + 1}" for column in range(columns))
    return "\n".join([heading, *(f"Rent fees parking {row}{cells}" for row in range(rows))])


@pytest.mark.budget(2)
@pytest.mark.parametrize("answer", SENTENCES)
@pytest.mark.parametrize("table", [wide(300, 2), wide(3, 300), "\n\n".join([wide(3, 3)] * 60)])
def test_what_is_reckoned_does_not_grow_with_the_square_of_the_sources(answer: str, table: str) -> None:
    judged(answer, table)


CELLS = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=False, places=2).map(str),
    st.sampled_from(["0", "—", "", "9" * 400, "1e999", "∞", "NaN", "(0)", "-", "5%", "$", "(", "%", "٣٤", "1,2,3", "$(5"]),
)  # fmt: skip


@settings(max_examples=60)
@given(
    st.sampled_from(SENTENCES),
    st.lists(st.lists(CELLS, max_size=4), max_size=5),
    st.sampled_from([" | 2024 | 2023", "", "2024 | 2024", "rent | parking | 2023"]),
)
@example(SENTENCES[0], [["9" * 40, "9" * 40]], " | 2024 | 2023")
def test_ragged_tables_of_any_cells_raise_nothing(answer: str, rows: list[list[str]], heading: str) -> None:
    names = ["Rent", "Parking", "Fees", "", "Total"]
    lines = [" | ".join([name, *cells]) for name, cells in zip(names, rows, strict=False)]
    for finding in judged(answer, "\n".join([heading, *lines])).values():
        assert finding.matched is None or finding.matched.value is None or finding.matched.value.is_finite()


@pytest.mark.parametrize("number", ["9" * 400, "0", "0.00", "1" + "0" * 300])
def test_claims_of_any_size_raise_nothing(number: str) -> None:
    table = f" | 2024 | 2023\nRent | {'9' * 18} | 0\nParking | 5 | 0.01"
    for unit in ("%", "", " million"):
        for finding in judged(f"Rent grew by {number}{unit} from 2023 to 2024.", table).values():
            assert finding.code != "derived"


def test_a_change_from_nothing_has_no_percentage() -> None:
    found = judged("Rent grew by 100% from 2023 to 2024.", " | 2024 | 2023\nRent | 380 | 0")
    assert found["100%"].status != "supported"
