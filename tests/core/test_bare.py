"""An answer and its sources are read without the signs in them that say nothing, and shown as they came."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.written_otherwise import WAYS
from detection.core import claims
from detection.core.text import bare, sentences
from detection.core.types import Case, Source
from tests.core import record_cases
from tests.growth import grows_at_most

pytestmark = pytest.mark.requirement("NUM-05")

SIGNS = st.text(st.sampled_from("ab é營在5 .,;*_`-\u05d1\u05be\u200f\n[S0]**"), max_size=60)


@given(SIGNS)
def test_every_stretch_is_found_where_it_came_from(text: str) -> None:
    found = bare(text, cited=False)
    for start in range(len(found.text)):
        there = found.there(start, start + 1)
        assert there[1] - there[0] == 1
        assert found.here(*there) == (start, start + 1)
        read, came = found.text[start], text[there[0]]
        assert read == came or (read, came) in {
            (" ", "\n"),
            ("\u00a0", " "),
            ("-", "\u05be"),
            ("，", ","),
            ("；", ";"),
        }


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("NOI was **$5 million**, *up* 3 %.", "NOI was $5 million, up 3 %."),
        ("__Rent__ and `NOI` of _Oak_.", "Rent and NOI of Oak."),
        ("Rent* was 5 and NOI 4*.", "Rent* was 5 and NOI 4*."),
        ("5 * 3 * 2", "5 * 3 * 2"),
        ("about 3 450 units, 1 847 000 in all", "about 3\u00a0450 units, 1\u00a0847\u00a0000 in all"),
        ("Line 3 450 units; in 2023 450 people", "Line 3 450 units; in 2023 450 people"),
        ("1,200 and 3 450", "1,200 and 3 450"),
        ("net_operating_income of 5", "net_operating_income of 5"),
        ("ירדה ב־5% ל־\u200f95\u200f%", "ירדה ב-5% ל-95%"),
        ("在 2024 年,营收 5.2 亿元;", "在2024年，营收5.2亿元；"),
    ],
)
def test_what_says_nothing_is_left_out(text: str, read: str) -> None:
    assert bare(text).text == read


def test_citations_are_left_out_where_they_are_not_asked_for() -> None:
    assert bare("It was 5 % [S0]. It rose [S1, S2].", cited=False).text == "It was 5 %. It rose."
    assert bare("It was 5 % [S0].").text == "It was 5 % [S0]."


def test_claims_stand_in_the_answer_as_it_was_submitted() -> None:
    answer = "**Occupancy** was **95.4%** in Q3 2024, and NOI rose *by* **$61,067** [S0]."
    found = claims.read(Case(answer, language="en"))
    assert [one.text for one in found if one.number] == ["95.4%", "Q3 2024", "rose", "$61,067"]
    assert all(answer[one.start : one.end] == one.text for one in found)


WRAPPED = "\n".join(
    textwrap.wrap(
        "Cash, cash equivalents and investments were $412.8 million as of June 30, 2024, compared with $468.3 million as "
        "of March 31, 2024. Net loss was $61.8 million, or $0.94 per share, after a year of trials in California.",
        72,
    )
)
LISTED = "Occupancy: 95 %\nNOI: $5 million\nDebt: $3 million\nRooms: 40"
TITLED = (
    "Results\nNet operating income of the portfolio rose to $5 million in the year that ended in\nJune 2024."
)


@pytest.mark.parametrize(("text", "count"), [(WRAPPED, 2), (LISTED, 4), (TITLED, 2)])
def test_a_line_that_ends_for_want_of_room_ends_no_sentence(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@pytest.mark.parametrize("piece", ["** ", "*a", "_a ", "`", "**a** ", "\u200f5 ", "a\n", "[S0] "])
def test_reading_bare_grows_with_the_text(piece: str) -> None:
    assert grows_at_most(lambda size, new: bare(f"{new} {piece * size}", cited=False), (10_000, 40_000), 6)


SCHOOLS = (
    "| School | Pupils | Cost a pupil ($) | Passed (%) |\n|---|---:|---:|---:|\n| Alder | 842 | 19,650 | 81.4 |\n"
    "| Birch | 1,105 | 18,240 | 76.9 |\n| Cedar | 614 | 21,370 | 88.3 |\n| Total | 2,561 | – | – |"
)
HARVEST = (
    "The season closed with 22,650 tonnes of vegetables. Tomatoes yielded 8,420 tonnes, cucumbers 5,190 tonnes, "
    "peppers 6,730 tonnes and aubergines 2,310 tonnes. Sales rose to $12.4 million from $11.6 million."
)
ANSWERS = (
    (SCHOOLS, "en", "Cedar lost no pupil: it has 614 and passed 88.3%, at $21,370 a pupil, $3,130 more than Birch."),
    (SCHOOLS, "en", "Birch passed 81.4% of its 1,105 pupils."),
    (HARVEST, "en", "Tomatoes led with 8,420 tonnes; sales grew by 6.9% to $12.4 million."),
    (HARVEST, "en", "Peppers came third with 6,730 tonnes, and sales fell to $12.4 million."),
    ("学校,学生数,通过率（%）\n桤木,842,81.4\n白桦,1105,76.9", "zh", "桤木有842名学生，通过率为81.4%，比白桦高4.5个百分点。"),
    ("בית ספר,תלמידים,זכאות (%)\nאלון,842,81.4\nארז,1105,76.9", "he", "באלון 842 תלמידים, והזכאות בו היא 81.4%, גבוהה ב-4.5 נקודות משל ארז."),
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("text", "language", "answer"), ANSWERS)
def test_the_same_answer_is_judged_alike_however_it_is_written(
    text: str, language: str, answer: str, way: str
) -> None:
    write, layouts = WAYS[way]
    said, told = (answer, write(text, language)) if layouts else (write(answer, language), text)
    assert _codes(said, told, language) == _codes(answer, text, language)


def _codes(answer: str, text: str, language: str) -> list[str]:
    """What is found of each number and of each claim without digits, in order."""
    case = Case(answer, sources=(Source("S0", text),), language=language)
    return [*(one.code for one in record_cases.findings(case).values()), *record_cases.told(case).values()]
