"""Which chunks are read for a number when not all may be."""

import pytest

from detection.core.retrieval import Choice
from detection.core.types import NumericClaim, Source
from tests.core.document_cases import judged

FILLER = tuple(f"Note {index}. Other matters of chapter {index} cost {index} dollars." for index in range(40))


def chosen(
    texts: tuple[str, ...], sentence: str, citations: tuple[str, ...] = (), limit: int = 2
) -> list[int]:
    sources = tuple(Source(f"S{index}", text) for index, text in enumerate(texts))
    number = NumericClaim("currency", "$777", 0, 4, value="777", unit="USD")
    return Choice(sources, limit).chosen(number, sentence, citations)


@pytest.mark.requirement("NUM-06")
def test_chunks_without_a_number_use_up_no_part_of_the_limit() -> None:
    texts = (*["A heading"] * 30, "The fee was $5.", "The rent was $6.")
    assert chosen(texts, "The fee was") == [30, 31]


@pytest.mark.requirement("NUM-06")
def test_cited_chunks_come_first_then_those_that_share_rare_words() -> None:
    texts = (*FILLER, "The parking fee of the tower was $5.")
    assert 40 in chosen(texts, "The parking fee of the tower was")
    assert chosen(texts, "The parking fee of the tower was", ("S3", "S4")) == [3, 4]


@pytest.mark.requirement("NUM-06")
def test_a_chunk_with_the_claimed_digits_goes_before_one_that_shares_as_many_words() -> None:
    texts = (*FILLER, "The lease fee was $888.", "The lease fee was $777.", "The lease fee was $999.")
    assert 41 in chosen(texts, "The lease fee was", limit=1)


@pytest.mark.requirement("NUM-06")
def test_what_the_limit_leaves_unread_keeps_a_number_unverified_and_never_unsupported() -> None:
    finding = judged("The parking fee was $777.", *FILLER)
    assert (finding.status, finding.code) == ("unverified", "source_limit")
    assert "30 more" in finding.reason


@pytest.mark.requirement("NUM-06")
def test_the_right_chunk_among_many_is_found() -> None:
    texts = (*FILLER, "The parking fee of the tower was $777 in 2023.")
    assert judged("The parking fee of the tower was $777 in 2023.", *texts).code == "exact"
