"""Word overlap with the best chunk, measured and decided."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.citations import grounding, is_grounded
from detection.core.citations.grounding import decide, measure
from detection.core.claims import read
from detection.core.context import Context
from detection.core.text import literal_words, words
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, GroundingMeasurement, Overlap, Source

VOCABULARY = st.lists(
    st.sampled_from(["noi", "rose", "fell", "the", "rent", "in", "2024", "增长", "עלה", "Rose,"]), max_size=8
)
CHUNKS = st.lists(VOCABULARY.map(" ".join), max_size=6)


def measured(answer: str, *chunks: str, language: str = "en") -> GroundingMeasurement:
    sources = tuple(Source(f"S{index}", chunk) for index, chunk in enumerate(chunks))
    case = Case(answer=answer, language=language, sources=sources)
    return measure(Context(case, read(case)))


@pytest.mark.requirement("RAG-08")
def test_overlap_is_the_share_of_the_sentence_in_its_best_chunk() -> None:
    found = measured("NOI rose in 2024 [S1].", "Rents fell in 2024.", "In 2024 NOI rose.")
    best = Overlap(1.0, 3 / 5, "S1", weighted=1.0)  # literally "rose" is not "rose.", and "[s1]" is a word
    assert found == GroundingMeasurement({0: replace(best, cited=1.0)}, (best,))


@pytest.mark.requirement("RAG-08")
def test_the_better_of_the_two_ways_decides() -> None:
    literal = Overlap(0.25, 0.5, "S0")
    assert is_grounded(literal, DEFAULTS)
    assert is_grounded(Overlap(0.5, 0.0, "S0"), DEFAULTS)
    assert not is_grounded(Overlap(0.49, 0.49, "S0"), DEFAULTS)


@pytest.mark.requirement("RAG-08")
@pytest.mark.parametrize(
    ("grounded", "total", "enough"), [(7, 10, True), (6, 10, False), (0, 3, False), (0, 0, True)]
)
def test_an_answer_is_grounded_by_the_share_of_its_sentences(grounded: int, total: int, enough: bool) -> None:
    sentences = (Overlap(0.9, 0.1, "S0"),) * grounded + (Overlap(0.1, 0.1, "S0"),) * (total - grounded)
    found = decide(GroundingMeasurement({}, sentences), Context())
    assert (found.grounded, found.grounded_sentences, found.total_sentences) == (enough, grounded, total)
    assert found.ratio == pytest.approx(grounded / total if total else 1.0)


@pytest.mark.requirement("RAG-08")
@pytest.mark.parametrize(
    ("language", "answer", "chunk"),
    [("he", "ההכנסה עלתה השנה.", "השנה, ההכנסה - עלתה!"), ("zh", "收入增长了。", "公司收入增长了很多")],
)
def test_hebrew_and_chinese_are_compared_by_their_own_words(language: str, answer: str, chunk: str) -> None:
    assert measured(answer, chunk, language=language).sentences[0].overlap == 1.0


def test_nothing_in_common_has_no_source() -> None:
    assert measured("NOI rose.", "Vacancy").sentences == (Overlap(0.0, 0.0, None),)
    assert measured("NOI rose.").sentences == (Overlap(0.0, 0.0, None),)


def test_sentences_without_words_are_left_out() -> None:
    assert len(measured("NOI rose.\n---\n[S0]\n", "NOI rose").sentences) == 1
    assert measured("", "NOI rose") == GroundingMeasurement({}, ())


@pytest.mark.parametrize("few", [0, grounding.FEW])
@given(sentence=VOCABULARY, chunks=CHUNKS)
def test_the_index_finds_what_comparing_every_pair_finds(
    few: int, sentence: list[str], chunks: list[str]
) -> None:
    answer = " ".join(sentence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounding, "FEW", few)
        overlaps = measured(answer, *chunks).sentences
    for overlap in overlaps:
        wanted, literal = set(words(answer)), literal_words(answer)
        shares = [len(wanted & set(words(chunk))) / len(wanted) for chunk in chunks]
        literals = [len(literal & literal_words(chunk)) / len(literal) for chunk in chunks]
        assert overlap.overlap == max(shares, default=0.0)
        assert overlap.overlap_literal == max(literals, default=0.0)
        if overlap.source is not None:
            place = int(overlap.source[1:])
            assert max(shares[place], literals[place]) == max(overlap.overlap, overlap.overlap_literal)


def test_the_first_of_equal_chunks_is_named() -> None:
    assert measured("NOI rose in Haifa.", "Haifa", "NOI rose", "rose NOI").sentences[0].source == "S1"


def test_ten_thousand_chunks_are_searched() -> None:
    chunks = [f"property {number} had the rent of {number * 7}" for number in range(10_000)]
    answer = " ".join(f"The property {number} had a rent of {number * 7}." for number in range(300))
    found = measured(answer, *chunks)
    assert [overlap.source for overlap in found.sentences] == [f"S{number}" for number in range(300)]
