"""Overlap by what words are worth: stems, common words, numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.citations import COMMON, NUMBER, is_grounded, stem, stems, value, weighted_overlap
from detection.core.citations.grounding import measure
from detection.core.claims import read
from detection.core.context import Context
from detection.core.text import words
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Overlap, Source
from tests.tables import each_case


def stems_of(text: str) -> frozenset[str]:
    return stems(words(text))


@pytest.mark.requirement("RAG-08")
@each_case(
    ("one", "other"),
    [
        ("rents", "rent"), ("rising", "rise"), ("renewed", "renew"), ("properties", "property"), ("leases", "leased"),
        ("quickly", "quick"), ("stopped", "stop"), ("ההכנסה", "הכנסה"), ("והשכירות", "שכירות"), ("נכסים", "נכס"),
    ],
)  # fmt: skip
def test_forms_of_a_word_meet(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["2024", "1234.5", "the", "של", "增长", "x", "ab"])
def test_numbers_short_and_common_words_stay_as_they_are(word: str) -> None:
    assert stem(word) == word


def test_a_number_is_worth_more_than_a_word_and_a_common_word_less() -> None:
    assert (value("94.2"), value("rent"), value("the")) == (NUMBER, 1.0, COMMON)


@pytest.mark.requirement("RAG-08")
def test_a_missing_number_costs_more_than_a_missing_word() -> None:
    claim = stems_of("Occupancy rose to 94.2")
    assert weighted_overlap(claim, stems_of("occupancy rose to 93.1")) < weighted_overlap(
        claim, stems_of("occupancy grew to 94.2")
    )


@given(st.text(max_size=60), st.text(max_size=60))
def test_an_overlap_is_a_share(one: str, other: str) -> None:
    assert 0.0 <= weighted_overlap(stems_of(one), stems_of(other)) <= 1.0
    assert weighted_overlap(stems_of(one), stems_of(one)) in (0.0, 1.0)


@given(st.text(max_size=30))
def test_any_word_has_a_stem(word: str) -> None:
    assert bool(stem(word)) == bool(word)


def test_it_is_measured_beside_the_plain_overlap_and_with_the_cited_source() -> None:
    sources = (Source("S0", "The rent has risen to $42."), Source("S1", "Parking is free of charge."))
    case = Case(answer="Rents rise to $42 [S1].", sources=sources)
    overlap = measure(Context(case, read(case))).claims[0]
    assert overlap.source == "S0"
    assert overlap.weighted > overlap.overlap
    assert overlap.cited == 0.0


def test_a_parent_stands_for_its_chunks() -> None:
    sources = (Source("a", "Rents rose to $42.", parent_ref="doc"), Source("b", "Nothing.", parent_ref="doc"))
    case = Case(answer="Rents rose to $42 [doc].", sources=sources)
    assert measure(Context(case, read(case))).claims[0].cited == 1.0


def test_a_statement_without_citation_has_no_cited_overlap() -> None:
    case = Case(answer="Rents rose.", sources=(Source("S0", "Rents rose."),))
    assert measure(Context(case, read(case))).claims[0].cited is None


def test_a_profile_chooses_which_overlap_decides() -> None:
    worth = Overlap(0.4, 0.4, "S0", weighted=0.8)
    assert not is_grounded(worth, DEFAULTS)
    assert is_grounded(worth, DEFAULTS.changed(overlap_rule="weighted"))
