"""A number that one source says and another says otherwise is disputed; what merely differs is not."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Dispute, Named, Source
from tests.core.record_cases import FIGURES, PERIODS
from tests.core.screened import screened
from tests.tables import each_case

CASES = Path(__file__).parents[2] / "benchmarks" / "disagreeing_sources.jsonl"
NUMBERS = [
    case
    for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    if case["about"] == "number" and "property" not in case
]
MISSED = {"n10", "p03"}
"""Sentences with words of their own on both sides: what is payable at closing may be another price."""
ANSWER = "Fenwick Court's net operating income was $4.2 million in Q3 2024."
RECORDED = "Net operating income of Oak Plaza was $1,234,567 in Q3 2024."


def source(place: int, given: Source | str | Sequence[str]) -> Source:
    """A source from its text, or from its title and text."""
    if isinstance(given, Source):
        return given
    title, text = ("", given) if isinstance(given, str) else given
    return Source(f"S{place}", text, title=title)


def case_of(answer: str, sources: Sequence[Source | str | Sequence[str]], **more: Any) -> Case:
    """An answer over sources that are called S0, S1 …"""
    return Case(answer, sources=tuple(source(*one) for one in enumerate(sources)), **more)


def disputes(case: Case, **limits: Any) -> list[Dispute]:
    """What is told to be disputed of the numbers of an answer."""
    found = screened(case, DEFAULTS.changed(**limits), due=("numeric",))
    return [one for finding in found.findings for one in finding.disputed]


def over_records(answer: str, *texts: str, property_: str | None = "OAK") -> Case:
    return case_of(
        answer,
        texts,
        figures=FIGURES,
        periods=PERIODS,
        properties=(Named("OAK", "Oak Plaza"), Named("MAPLE", "Maple Court")),
        property=property_,
        period=PERIODS[4],
        database="ok",
    )


@each_case("case", NUMBERS, [case["id"] for case in NUMBERS])
def test_of_sources_that_contradict_each_other_both_are_told_and_of_others_none(case: dict[str, Any]) -> None:
    found = disputes(
        case_of(case["answer"], case["sources"], question=case["question"], language=case["lang"])
    )
    assert bool(found) is (case["disagree"] and case["id"] not in MISSED)


def test_both_sides_stand_where_their_sources_say_so() -> None:
    sources = [ANSWER, "Net operating income at Fenwick Court came to $4.5 million in Q3 2024."]
    (one,) = disputes(case_of(ANSWER, sources))
    assert (one.carried.source, one.carried.text) == ("S0", "$4.2 million")
    assert (one.against.source, one.against.text) == ("S1", "$4.5 million")
    assert sources[1][one.against.start : one.against.end] == "$4.5 million"


def test_a_disputed_number_keeps_its_status() -> None:
    case = case_of(ANSWER, [ANSWER, ANSWER.replace("4.2", "4.5")])
    found = next(one for one in screened(case, due=("numeric",)).findings if one.disputed)
    assert (found.status, found.code, found.severity) == ("supported", "exact", 0.0)


def test_a_source_that_says_both_values_disputes_neither() -> None:
    both = f"{ANSWER} {ANSWER.replace('4.2', '4.5')}"
    assert disputes(case_of(ANSWER, [ANSWER, both])) == []
    assert disputes(case_of(ANSWER, [both, ANSWER.replace("4.2", "4.5")])) == []


def test_one_source_alone_disputes_nothing() -> None:
    assert disputes(case_of(ANSWER, [f"{ANSWER} {ANSWER.replace('4.2', '4.5')}"])) == []


@each_case(
    ("title", "other"),
    [
        ("Fenwick Court, operating statement", "Birch Court, operating statement"),
        ("Suite 1400", "Suite 1500"),
    ],
)
def test_titles_that_name_other_things_tell_two_sources_apart(title: str, other: str) -> None:
    said = "Net operating income was $4.2 million in Q3 2024."
    answer = f"At Fenwick Court {said[0].lower()}{said[1:]}"
    sources = [Source("S0", said, title=title), Source("S1", said.replace("4.2", "4.5"), title=other)]
    assert disputes(case_of(answer, sources)) == []
    same = [replace(source, title=title) for source in sources]
    assert len(disputes(case_of(answer, same))) == 1


def test_a_heading_of_another_building_tells_two_tables_apart() -> None:
    table = "{name}\n| Item | Q3 2024 |\n|---|---|\n| Net operating income | {value} |"
    one = table.format(name="Fenwick Court", value="4,200,000")
    assert disputes(case_of(ANSWER, [one, table.format(name="Birch Court", value="4,500,000")])) == []
    assert len(disputes(case_of(ANSWER, [one, table.format(name="Fenwick Court", value="4,500,000")]))) == 1


def test_a_stretch_without_end_is_like_no_sentence() -> None:
    for repeated, told in ((2, 1), (400, 0)):
        said = f"{'and so ' * repeated}{ANSWER}"
        assert len(disputes(case_of(ANSWER, [said, said.replace("4.2", "4.5")]))) == told


def test_a_value_many_times_as_large_is_of_another_scale() -> None:
    assert disputes(case_of(ANSWER, [ANSWER, ANSWER.replace("4.2", "42.0")])) == []


def test_a_source_disputes_a_figure_of_record_that_carries_the_answer() -> None:
    (one,) = disputes(over_records(RECORDED, RECORDED.replace("1,234,567", "1,324,567")))
    assert (one.carried.source, one.carried.text) == ("record: OAK, Q3 2024", "1,234,567 USD")
    assert (one.carried.start, one.carried.end) == (None, None)
    assert (one.against.source, one.against.text) == ("S0", "$1,324,567")


def test_a_record_that_refutes_a_number_is_told_beside_the_source_that_says_it() -> None:
    wrong = RECORDED.replace("1,234,567", "1,324,567")
    found = screened(over_records(wrong, wrong), due=("numeric",)).findings
    (one,) = [one for finding in found for one in finding.disputed]
    assert {finding.status for finding in found if finding.disputed} == {"contradicted"}
    assert (one.carried.source, one.against.source) == ("S0", "record: OAK, Q3 2024")


def test_records_of_other_periods_and_properties_dispute_nothing() -> None:
    assert disputes(over_records(RECORDED, RECORDED)) == []
    assert (
        disputes(over_records(RECORDED, "Maple Court's net operating income was $1,134,567 in Q3 2024."))
        == []
    )
    assert (
        disputes(over_records(RECORDED, "Net operating income of Oak Plaza was $1,173,500 in Q2 2024.")) == []
    )


def test_what_is_not_compared_is_not_disputed() -> None:
    sources = case_of(ANSWER, [ANSWER, ANSWER.replace("4.2", "4.5")])
    recorded = over_records(RECORDED, RECORDED.replace("1,234,567", "1,324,567"))
    assert disputes(sources, verify_against_documents=False) == []
    assert disputes(recorded, verify_against_database=False) == []
    assert disputes(recorded, verify_currency=False) == []
    assert len(disputes(sources, verify_against_database=False)) == 1


def test_the_words_of_a_record_are_no_rounding_of_another_value() -> None:
    rounded = RECORDED.replace("$1,234,567", "$1.2 million")
    assert disputes(over_records(RECORDED, rounded)) == []


def test_a_record_of_a_property_that_nobody_names_disputes_nothing() -> None:
    unnamed = "Net operating income was $1,234,567 in Q3 2024."
    source_says = unnamed.replace("1,234,567", "1,324,567")
    assert disputes(over_records(unnamed, source_says, property_=None)) == []
    assert disputes(over_records(unnamed, source_says))
