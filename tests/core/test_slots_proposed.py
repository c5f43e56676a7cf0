"""Slots that a model proposes: right ones raise what is bound, wrong words are refused, no value enters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.ports import Numbered, Proposed
from detection.core.quantities import accepted
from detection.core.types import Case, NumberMeasured, Source

pytestmark = pytest.mark.requirement("NUM-05")

TABLE = (
    "| | Q2 2024 | Q3 2024 |\n|---|---|---|\n| Net operating income | 67,994 | 71,234 |\n"
    "| Operating expenses | 29,700 | 38,294 |"
)
ANSWER = "It came to $38,294. That is for Q3 2024, and the line is operating expenses."
REMOTE = {"metric": "operating expenses", "period": "Q3 2024"}


@dataclass
class Scripted:
    """Proposes for each number, by how it is written, the words that it was given."""

    words: Mapping[str, Mapping[str, str]]
    name: str = "scripted"
    written: str = ""
    asked: list[Numbered] = field(default_factory=list)

    def propose(self, asked: Sequence[Numbered]) -> list[tuple[Proposed, ...]]:
        self.asked += asked
        return [tuple(self._of(one)) for one in asked]

    def _of(self, one: Numbered) -> list[Proposed]:
        texts = [(span, one.text[slice(*span)]) for span in one.spans]
        return [
            Proposed(*span, self.written or text, self.words[text])
            for span, text in texts
            if text in self.words
        ]


def measured(answer: str, reader: Scripted | None, *texts: str) -> NumberMeasured:
    """The first figure of an answer about these sources."""
    sources = tuple(Source(f"S{place}", text) for place, text in enumerate(texts))
    case = Case(answer=answer, sources=sources)
    read = claims.read(case)
    found = numeric.measure(Context(case, read, slot_reader=reader)).claims
    return next(found[c.index] for c in read if c.index in found and c.kind not in ("date", "change"))


def test_right_words_bind_a_number_that_its_own_words_leave_open() -> None:
    without = measured(ANSWER, None, TABLE)
    assert not any(one.same and one.equal for one in without.candidates)
    found = measured(ANSWER, Scripted({"$38,294": REMOTE}), TABLE)
    (top, *_) = found.candidates
    assert (top.same, top.equal) == (True, True)
    metric = next(slot for slot in top.slots if slot.slot == "metric")
    assert (metric.said, metric.by, metric.verdict) == ("operating expenses", "model", "agree")
    assert ANSWER[metric.start : metric.end] == "operating expenses"


@pytest.mark.parametrize(
    "words",
    [
        {"metric": "net operating income", "period": "Q2 2024"},  # stand nowhere in the answer
        {"metric": "operating expense", "period": "Q3 202"},  # stand there as parts of words only
        {"metric": "$38,294"},  # are a number
        {"metric": "x" * 81},
        {"metric": " "},
    ],
)
def test_words_that_do_not_stand_in_the_text_are_refused(words: dict[str, str]) -> None:
    assert measured(ANSWER, Scripted({"$38,294": words}), TABLE) == measured(ANSWER, None, TABLE)


def test_a_number_that_is_not_written_so_is_refused() -> None:
    reader = Scripted({"$38,294": REMOTE}, written="$71,234")
    assert measured(ANSWER, reader, TABLE) == measured(ANSWER, None, TABLE)


def test_a_number_that_the_reader_did_not_find_is_refused() -> None:
    text = "Revenue was $5."
    asked = Numbered(text, ((12, 14),))
    assert accepted(asked, [Proposed(0, 7, "Revenue", {"metric": "was"})]) == {}
    assert accepted(asked, [Proposed(12, 14, "$5", {"metric": "Revenue"})]) == {12: {"metric": (0, 7)}}


def test_no_value_and_no_number_is_changed_whatever_is_proposed() -> None:
    found = measured(ANSWER, Scripted({"$38,294": REMOTE}), TABLE)
    plain = measured(ANSWER, None, TABLE)
    assert (found.value, found.unit, found.precision) == (plain.value, plain.unit, plain.precision)
    assert {str(one.value) for one in found.candidates} <= {"38294", "29700", "71234", "67994"}


def test_a_wrong_number_stays_wrong_under_its_right_slots() -> None:
    wrong = ANSWER.replace("38,294", "71,234")
    found = measured(wrong, Scripted({"$71,234": REMOTE}), TABLE)
    assert not any(one.same and one.equal for one in found.candidates)


def test_what_the_words_at_a_number_name_is_not_named_anew() -> None:
    answer = "Operating expenses were $38,294 in Q3 2024. Net operating income moved in Q2 2024."
    words = {"metric": "Net operating income", "period": "Q2 2024"}
    assert measured(answer, Scripted({"$38,294": words}), TABLE) == measured(answer, None, TABLE)


def test_a_source_is_asked_about_once_and_its_open_period_is_filled() -> None:
    source = "All figures are those of Q2 2024 unless stated. We report as follows. Revenue was $4,200,500."
    words = {"$4,200,500": {"period": "Q2 2024"}}
    reader = Scripted(words)
    found = measured("Revenue was $4,200,500 in Q3 2024.", reader, source)
    assert [one.text for one in reader.asked] == [source, "Revenue was $4,200,500 in Q3 2024."]
    assert all(one.value == 4200500 for one in found.candidates)


def test_an_answer_without_numbers_asks_nothing() -> None:
    reader = Scripted({})
    case = Case(answer="Nothing to count.", sources=(Source("S0", TABLE),))
    numeric.measure(Context(case, claims.read(case), slot_reader=reader))
    assert reader.asked == []
