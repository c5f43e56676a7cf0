"""Sources of any size and shape: they end in time, crash nothing, and support nothing by chance."""

from decimal import Decimal

import pytest

from detection.core.chunks import Place, read, units_meet
from detection.core.matching import Documents
from detection.core.types import Case, NumericClaim, Source
from tests.core.document_cases import judged
from tests.tables import each_case

NUMBER = NumericClaim("currency", "$777", 8, 12, Decimal(777), "USD", Decimal("0.5"))


@pytest.mark.requirement("NUM-13")
def test_the_deadline_is_asked_before_each_chunk_and_leaves_the_number_timed_out() -> None:
    asked: list[bool] = []

    def expired() -> bool:
        asked.append(len(asked) >= 3)
        return asked[-1]

    sources = tuple(Source(f"S{index}", f"The fee was ${index}.") for index in range(9))
    compared = Documents(Case(answer="", sources=sources), 10, expired).compare(NUMBER, "Fee was $777", ())
    assert compared.timed_out
    assert compared.candidates == ()
    assert len(asked) == 4


@pytest.mark.requirement("NUM-14")
def test_each_chunk_is_read_once_for_all_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []

    def counted(ref: str, text: str) -> list[Place]:
        reads.append(ref)
        return read(ref, text)

    monkeypatch.setattr("detection.core.chunks.passages.read", counted)
    sources = tuple(Source(f"S{index}", f"The fee that is counted was ${index}.") for index in range(5))
    for _ in range(2):
        subject = Documents(Case(answer="", sources=sources), 10)
        for _ in range(4):
            subject.compare(NUMBER, "The fee was $777", ())
    assert sorted(reads) == [f"S{index}" for index in range(5)]


@pytest.mark.requirement("NUM-06")
@each_case(
    "text",
    [
        "",
        "|",
        " | 2023 | 2023\nRental income | | ",
        "2023 | 2022 | 2021",
        "a | b\n1\n2 | 3 | 4 | 5 | 6\n| | |\nRental income | x",
        "Rental income | " + "9" * 400 + "\nParking | 1e999",
        "Rental income in 2023 was $" + "9" * 400 + ".",
        "Rental income | ٤٨١٢ | 4,8१2 | ∞ | NaN",
        "(((((" * 200 + "4,812" + ")" * 200,
        "respectively " * 300 + "2023 " * 300 + "4,81 " * 300,
        "\u200f4\u200e,8\u200b1\u200d2\ufeff",
    ],
    ids=str,
)
def test_hostile_sources_crash_nothing_and_support_nothing(text: str) -> None:
    assert judged("Rental income in 2023 was $4,812 thousand.", text).status != "supported"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize("claimed", ["$" + "9" * 400, "$1e308", "$0", "$-0", "$0.000000000000000000001"])
def test_hostile_numbers_crash_nothing_and_are_not_supported(claimed: str) -> None:
    finding = judged(
        f"Rental income in 2023 was {claimed} or so much as 5.", " | 2023\nRental income | $4,812"
    )
    assert finding.status != "supported"


@pytest.mark.requirement("NUM-06")
def test_the_same_period_twice_supports_neither_value_as_sure() -> None:
    table = " | 2023 | 2023\nRental income | $4,812 | $4,377"
    codes = {judged(f"Rental income in 2023 was {value}.", table).code for value in ("$4,812", "$4,377")}
    assert len(codes) == 1


@pytest.mark.requirement("NUM-06")
def test_the_work_grows_with_the_sources_and_not_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    met = 0

    def counted(place: Place, number: NumericClaim) -> bool:
        nonlocal met
        met += 1
        return units_meet(place, number)

    monkeypatch.setattr("detection.core.chunks.slots.units_meet", counted)

    def work(rows: int) -> int:
        nonlocal met
        met = 0
        lines = "\n".join(f"Line {index} | {index} | {index + 1}" for index in range(rows))
        judged("Line 7 in 2023 was $777.", f" | 2023 | 2022\n{lines}")
        return met

    assert work(400) == pytest.approx(4 * work(100), rel=0.05)
