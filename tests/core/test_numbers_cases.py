"""The project's own labelled sentences: every number in them is read, and nothing else (NUM-01…NUM-04)."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from detection.core.numbers import extract
from detection.core.types import NumericClaim
from tests.tables import each_case

CASES = Path(__file__).parent / "number_cases"
LANGUAGES = ("en", "he", "zh")
LEAST = {"en": 300, "he": 150, "zh": 150}
LEAST_WITHOUT = {"en": 60, "he": 30, "zh": 30}
FORMS = "forms"
"""Cases by form of writing, each in its own language: what the reader was widened for."""
MEASURED = "forms_measured"
"""Cases written with those and never looked at while the reader was widened."""
LEAST_MEASURED = 0.95
WHERE_STATED = ("noun", "precision", "start_date", "end_date")

Row = dict[str, Any]


def rows(language: str) -> list[Row]:
    """The cases of a language; each carries the language its text is read in."""
    lines = (CASES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return [{"language": language, **json.loads(line)} for line in lines]


def start_of(text: str, label: Row) -> int:
    """Where the labelled words stand: at their first occurrence, or at the one the label counts."""
    place = -1
    for _ in range(label.get("occurrence", 1)):
        place = text.index(label["text"], place + 1)
    return place


def expected(row: Row) -> list[Row]:
    """The labels as what the reader must say; what a label leaves out is off."""
    return [
        {
            "span": (start, start + len(label["text"])),
            "kind": label["kind"],
            "value": label["value"] if label["kind"] == "date" else Decimal(label["value"]),
            "unit": label["unit"],
            "approximate": label.get("approximate", False),
            "bound": label.get("bound"),
            "direction": label.get("direction"),
            **{name: label[name] for name in WHERE_STATED if name in label},
        }
        for label in row["claims"]
        for start in (start_of(row["text"], label),)
    ]


def said(claim: NumericClaim, label: Row) -> Row:
    """What the reader says, in the fields that ``label`` states."""
    told = {
        "span": (claim.start, claim.end),
        "kind": claim.kind,
        "value": claim.value,
        "unit": claim.unit,
        "approximate": claim.approximate,
        "bound": claim.bound,
        "direction": claim.direction,
        "noun": claim.noun,
        "precision": str(claim.precision.normalize() if claim.precision < 1 else int(claim.precision)),
        "start_date": str(claim.start_date) if claim.start_date else None,
        "end_date": str(claim.end_date) if claim.end_date else None,
    }
    return {name: told[name] for name in label}


CLAIMED = [
    pytest.param(row, id=f"{language}-{place}")
    for language in (*LANGUAGES, FORMS)
    for place, row in enumerate(rows(language), start=1)
]


@pytest.mark.requirement("NUM-01")
@pytest.mark.requirement("NUM-02")
@pytest.mark.requirement("NUM-03")
@pytest.mark.requirement("NUM-04")
@each_case("row", CLAIMED)
def test_the_numbers_of_a_sentence_are_read_and_nothing_else(row: Row) -> None:
    labels = expected(row)
    claims = extract(row["text"], row["language"])
    assert [claim.text for claim in claims] == [label["text"] for label in row["claims"]], row["why"]
    assert [said(claim, label) for claim, label in zip(claims, labels, strict=True)] == labels, row["why"]


def read_rightly(row: Row) -> bool:
    """Whether every number of the row is read as labelled, and nothing else."""
    labels, claims = expected(row), extract(row["text"], row["language"])
    texts = [claim.text for claim in claims] == [label["text"] for label in row["claims"]]
    return texts and [said(*pair) for pair in zip(claims, labels, strict=True)] == labels


def test_the_forms_kept_for_measuring_are_read() -> None:
    measured = rows(MEASURED)
    missed = [row["text"] for row in measured if not read_rightly(row)]
    assert len(missed) <= (1 - LEAST_MEASURED) * len(measured), missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_its_share_of_cases_and_of_texts_that_claim_no_number(language: str) -> None:
    cases = rows(language)
    assert len({row["text"] for row in cases}) == len(cases) >= LEAST[language]
    assert sum(not row["claims"] for row in cases) >= LEAST_WITHOUT[language]
