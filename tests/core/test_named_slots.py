"""Labelled sentences in three languages: at least 95 % of their numbers are compared with the figure that a careful reader
says they are, each language by itself.

A line of ``slot_sentences/LANGUAGE.jsonl`` is an answer with each of its numbers, dates apart, labelled with metric,
period and property. Null is what the words do not name: the answer's own period and property; the period of a value
that another rose from without a date; the metric of a covenant, a budget, a count.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from detection.core.types import Alias, Named
from tests.core.slot_cases import METRICS, PERIODS, read_slots

SENTENCES = Path(__file__).parent / "slot_sentences"
GOAL = 0.95
LEAST = {"en": 200, "he": 60, "zh": 60}


class Compared(NamedTuple):
    """One labelled number and whether it was compared with the figure at its slots."""

    text: str
    number: str
    wanted: tuple[str | None, ...]
    found: tuple[str | None, ...]
    right: bool


def rows(language: str) -> Iterator[dict[str, Any]]:
    with (SENTENCES / f"{language}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def compared(row: dict[str, Any], language: str) -> Iterator[Compared]:
    """Each number of a line that its label gives a metric, beside records of all metrics, periods and properties."""
    labels = [label for label in row["claims"] if label["metric"]]
    accounts = [Alias(code, "", name) for code, name in row.get("accounts", ())]
    asked, own = row.get("period", "2024-Q2"), row.get("property", "OWN")
    named = {label["period"] for label in labels if label["period"]}
    found = read_slots(
        row["text"],
        language=language,
        metrics=tuple(dict.fromkeys([*METRICS, *(label["metric"] for label in labels)])),
        names=[Named(code, name) for code, name in row.get("properties", ())],
        aliases=accounts,
        asked=asked,
        own=own,
        periods=tuple(dict.fromkeys([*PERIODS, asked, *sorted(named)])),
    )
    for label in labels:
        start = -1
        for _ in range(label.get("occurrence", 1)):
            start = row["text"].index(label["text"], start + 1)
        slot = next(
            (slot for claim, slot in found if claim.start < start + len(label["text"]) and start < claim.end),
            None,
        )
        wanted = (label["metric"], label["period"] or asked, label["property"] or own)
        told = tuple(slot) if slot else (None, None, None)
        right = (
            told[0] == wanted[0]
            and told[2] == wanted[2]
            and (label["period"] is None or told[1] == wanted[1])
        )
        yield Compared(row["text"], label["text"], wanted, told, right)


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize("language", LEAST)
def test_numbers_are_compared_with_what_a_careful_reader_says(language: str) -> None:
    every = [one for row in rows(language) for one in compared(row, language)]
    wrong = [
        f"{one.text!r}: {one.number!r} found {one.found}, wanted {one.wanted}"
        for one in every
        if not one.right
    ]
    assert len(wrong) <= (1 - GOAL) * len(every), f"{len(wrong)} of {len(every)}\n" + "\n".join(wrong)


@pytest.mark.parametrize("language", LEAST)
def test_the_sentences_are_many_and_label_what_they_hold(language: str) -> None:
    read = list(rows(language))
    assert len(read) >= LEAST[language]
    assert len({(row["text"], row.get("period")) for row in read}) == len(read)
    assert all(label["text"] in row["text"] for row in read for label in row["claims"])
