"""Sources of any size and shape: they end in time, crash nothing, and support nothing by chance."""

import pytest

from detection.core import claims, numbers
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Source
from tests.core.document_cases import judged
from tests.growth import grows_at_most
from tests.tables import each_case


@pytest.mark.requirement("NUM-13")
def test_the_deadline_is_asked_before_each_number_and_leaves_the_rest_timed_out() -> None:
    asked: list[bool] = []

    def expired() -> bool:
        asked.append(len(asked) >= 2)
        return asked[-1]

    answer = "".join(f"The fee of tower {letter} was ${n}. " for n, letter in enumerate("ABCDE", 100))
    sources = tuple(Source(f"S{index}", f"The fee was ${index}.") for index in range(9))
    case = Case(answer=answer, sources=sources)
    measured = numeric.measure(Context(case, claims.read(case), expired=expired)).claims
    timed_out = [number.timed_out for number in measured.values()]
    assert timed_out[-1]
    assert timed_out == sorted(timed_out)


@pytest.mark.requirement("NUM-14")
def test_each_chunk_is_read_once_for_all_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    extract = numbers.extract

    def counted(text: str, *more: str) -> object:
        reads.append(text)
        return extract(text, *more)

    monkeypatch.setattr("detection.core.numbers.extract", counted)
    sources = tuple(Source(f"S{index}", f"The fee that is counted was ${index}.") for index in range(5))
    case = Case(answer="The fee was $777. " * 4, sources=sources)
    numeric.measure(Context(case, claims.read(case)))
    assert [text for text in reads if "counted" in text].count(sources[0].text) <= 1


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


LISTS: dict[str, tuple[str, str]] = {
    "two years": (" | 2023 | 2022", "Line {name} | {value} | {next}"),
    "a register": (
        "Tenant | Rent, $ | Area | Start",
        "Tenant {name} | {value} | {next}.5 | 2021-03-{day:02}",
    ),
    "dates": ("Tenant | Start", "Tenant {name} | 2021-03-{day:02}"),
    "sentences": ("", "Tenant {name} paid ${value} in rent for 20{day:02}."),
}


@pytest.mark.requirement("NUM-06")
@pytest.mark.budget(40)
@pytest.mark.parametrize(("head", "line"), LISTS.values(), ids=LISTS)
def test_the_work_grows_with_the_sources_and_not_faster(head: str, line: str) -> None:
    def work(rows: int, new: int) -> None:
        names = (f"{'abcdefghij'[new % 10]}{index}" for index in range(rows))
        lines = (
            line.format(name=name, value=index * 37 % 9973, next=index + 1, day=index % 28 + 1)
            for index, name in enumerate(names)
        )
        judged("Rent of tenant a26 in 2023 was $777.", "\n".join((head, *lines)))

    assert grows_at_most(work, (400, 1600), times=7)
