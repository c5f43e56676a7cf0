"""Labelled sentences in three languages: at least 95 % of their numbers are bound right, each language by itself.

A line of ``binding_cases/LANGUAGE.jsonl`` is an answer with each of its numbers, dates apart, labelled with metric,
period and property. Null is what the words do not name: the answer's own; the period of a value that another rose
from without a date; the metric of a covenant, a budget, a count. What changed carries the metric that changed and
the period in which it had. ``python -m benchmarks.binding`` prints the figures.
"""

import pytest

from benchmarks.binding import CASES, judged, rows

GOAL = 0.95
LEAST = {"en": 200, "he": 60, "zh": 60}


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize("language", LEAST)
def test_numbers_are_bound_to_what_a_careful_reader_says(language: str) -> None:
    lines = [(row["text"], judged(row, language)) for row in rows(CASES, language)]
    numbers = [one for _, line in lines for one in line]
    wrong = [
        f"{text!r}: {one.text!r} found {one.found}, wanted {one.wanted}"
        for text, line in lines
        for one in line
        if not one.all_right
    ]
    assert len(wrong) <= (1 - GOAL) * len(numbers), "\n".join(wrong)


@pytest.mark.parametrize("language", LEAST)
def test_the_cases_are_many_and_label_what_they_hold(language: str) -> None:
    read = list(rows(CASES, language))
    assert len(read) >= LEAST[language]
    assert len({(row["text"], row.get("period")) for row in read}) == len(read)
    assert all(label["text"] in row["text"] for row in read for label in row["claims"])
