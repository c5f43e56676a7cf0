"""Nothing is supported by chance: other values, other cells, coarse numbers, cells that happen to agree."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.shuffled_tables import shuffled
from benchmarks.tables_made import Made, made
from detection.core.types import Source
from tests.core.derivation_tables import ENGLISH, judged, operands
from tests.tables import each_case

MADE = list(made(2))


@each_case("row", MADE, ids=[f"{row[0]} {row[1]}" for row in MADE])
@pytest.mark.requirement("NUM-06")
def test_a_true_number_of_a_made_table_follows(row: Made) -> None:
    _, group, sentence, surface, table = row
    assert judged(sentence, table, language=group[:2])[surface].code in ("derived", "exact")


def _is_telling(surface: str) -> bool:
    """Whether a number has so many digits that it hardly follows from new values of the cells that are named, too."""
    return len("".join(sign for sign in surface if sign.isdigit()).lstrip("0")) > 2


@settings(max_examples=40)
@given(st.sampled_from([row for row in MADE if _is_telling(row[3])]), st.randoms(use_true_random=False))
@pytest.mark.requirement("NUM-06")
def test_a_number_no_longer_follows_when_the_values_change_places(row: Made, chance: random.Random) -> None:
    _, group, sentence, surface, table = row
    named = judged(sentence, table, language=group[:2])[surface]
    other = shuffled(Source("S0", table), chance).text
    finding = judged(sentence, other, language=group[:2])[surface]
    assert finding.code != "derived" or operands(finding) == operands(named)


@given(st.integers(min_value=1, max_value=9999))
@example(1143)  # the change of the year before
def test_another_percentage_than_the_true_one_is_never_supported(hundredths: int) -> None:
    stated = f"{hundredths / 100:.2f}%"
    found = judged(f"The percentage change in rental income from 2023 to 2024 was {stated}.", ENGLISH)
    assert (found[stated].code == "derived") == (stated == "5.64%")


TWINS = " | 2024 | 2023\nRent, north wing | 4,120 | 3,900\nRent, south wing | 4,090 | 3,880\nRent, east wing | 4,300 | 3,950"


@pytest.mark.parametrize(
    ("answer", "claimed", "code"),
    [
        ("Rent in the north wing grew by 6% from 2023 to 2024.", "6%", "derived"),
        ("Rent grew by 6% from 2023 to 2024.", "6%", "not_found"),
        ("Rent in the west wing grew by 9% from 2023 to 2024.", "9%", "not_found"),
    ],
)
def test_a_coarse_number_needs_operands_that_are_not_in_doubt(answer: str, claimed: str, code: str) -> None:
    assert judged(answer, TWINS)[claimed].code == code


@pytest.mark.parametrize(
    ("answer", "claimed", "table"),
    [
        ("The sum of rent and parking in 2024 was $380.", "$380", " | 2024\nRent | 380\nParking | 0"),
        ("The sum of rent and parking in 2024 was $380.", "$380", " | 2024\nRent | 380\nParking | —"),
        ("The change in rent from 2023 to 2024 was $380.", "$380", " | 2024 | 2023\nRent | 380 | 0"),
        ("The change in rent from 2023 to 2024 was $380.", "$380", " | 2024 | 2023\nRent | 400 | 20%"),
        (
            "The total of rent and the occupancy in 2024 was $471.",
            "$471",
            " | 2024\nRent | 380\nOccupancy | 91%",
        ),
        (
            "The difference between rent and parking in 2024 was $0.",
            "$0",
            " | 2024\nRent | 5\nParking | 5.2%",
        ),
    ],
)
def test_a_plain_cell_is_no_result(answer: str, claimed: str, table: str) -> None:
    assert judged(answer, table)[claimed].code != "derived"


def test_amounts_of_two_currencies_are_not_added() -> None:
    table = " | 2024\nRent | $380\nParking | €20"
    assert judged("The sum of rent and parking in 2024 was $400.", table)["$400"].code != "derived"


def test_cells_of_two_tables_are_not_computed_with_each_other() -> None:
    first, second = " | 2024\nRent | 380", " | 2024\nParking | 20"
    assert judged("The sum of rent and parking in 2024 was $400.", first, second)["$400"].code != "derived"


def test_a_quarter_is_not_compared_with_a_year() -> None:
    table = " | Q4 2024 | Full year 2024 | Q4 2023 | Full year 2023\nRent | 110 | 400 | 100 | 380"
    right = judged("Rent in the fourth quarter grew by 10.0% from Q4 2023 to Q4 2024.", table)
    wrong = judged("Rent in the fourth quarter grew by 300.0% from Q4 2023 to Q4 2024.", table)
    assert right["10.0%"].code == "derived"
    assert wrong["300.0%"].status != "supported"
