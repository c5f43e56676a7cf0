"""Figures of record are evidence for statements too: told as passages, in view for p1 and scrubbed for p0."""

from dataclasses import replace

import pytest

from detection.core import evidence
from detection.core.citations import grounding
from detection.core.claims import read
from detection.core.context import Context
from detection.core.judge.prompts import critique
from detection.core.statements import NearDuplicates, full_context, scrubbed_refs
from detection.core.thresholds import DEFAULTS
from detection.core.types import RECORD, Case, Named, Overlap, Source
from tests.core.record_cases import FIGURES, PERIODS

SAID = Source("S0", "The roof of Oak Plaza was repaired.")
CASE = Case(
    answer="NOI of Oak Plaza was $1,234,567 in Q3 2024.",
    sources=(SAID,),
    figures=FIGURES,
    properties=(Named("OAK", "OAK"), Named("OAK", "Oak Plaza")),
    property="OAK",
    period=PERIODS[4],
    database="ok",
)
OWN = f"{RECORD}OAK, Q3 2024"


def told(case: Case) -> dict[str, str]:
    return {source.ref: source.text for source in evidence.texts(case)}


def test_each_figure_is_a_sentence_that_names_property_and_period() -> None:
    lines = told(CASE)[OWN].split("\n")
    assert "Oak Plaza (OAK), Q3 2024: net operating income 1,234,567 USD" in lines
    assert "Oak Plaza (OAK), Q3 2024: occupancy rate 95.4%" in lines
    assert "Oak Plaza (OAK), Q3 2024: Insurance expense 80,000 USD" in lines


def test_sources_come_first_as_they_came() -> None:
    assert evidence.texts(CASE)[0] is SAID


def test_only_properties_that_are_asked_for_or_named_are_told() -> None:
    named = replace(CASE, properties=(*CASE.properties, Named("MAPLE", "Maple Court")))
    assert f"{RECORD}MAPLE, Q3 2024" not in told(CASE)
    assert (
        "Maple Court (MAPLE), Q3 2024: net operating income 1,134,567 USD"
        in told(named)[f"{RECORD}MAPLE, Q3 2024"]
    )


def test_the_years_named_are_told_with_the_one_before() -> None:
    assert {ref.split()[-1] for ref in told(CASE) if ref != "S0"} == {"2023", "2024"}
    early = replace(CASE, answer="NOI of Oak Plaza grew in 2023.", period=None)
    assert {ref.split()[-1] for ref in told(early) if ref != "S0"} == {"2023"}
    undated = replace(CASE, answer="NOI of Oak Plaza grew.", period=None)
    assert len(told(undated)) == 1 + len(PERIODS)


def test_many_periods_are_cut_off_behind_those_asked_for() -> None:
    many = tuple(replace(f, period=f"{f.period} {n}") for n in range(9) for f in FIGURES)
    assert len(told(replace(CASE, figures=many))) == 1 + 24


@pytest.mark.parametrize("database", ["unavailable", "not_asked"])
def test_figures_that_could_not_be_read_are_not_told(database: str) -> None:
    assert told(replace(CASE, database=database)) == {"S0": SAID.text}  # type: ignore[arg-type]  # both are states


def test_a_statement_shares_its_words_with_the_figures() -> None:
    context = Context(CASE, read(CASE), DEFAULTS)
    overlap = grounding.measure(context).sentences[0]
    assert overlap.source == OWN
    assert overlap.overlap > 0.5


def test_figures_of_record_are_never_the_better_citation() -> None:
    assert Overlap(1.0, 1.0, OWN).citable is None
    assert Overlap(1.0, 1.0, "S0").citable == "S0"


def test_without_the_evidence_the_figures_are_out_of_view_too() -> None:
    known = evidence.texts(CASE)
    scrubbed = scrubbed_refs(known, ("S0",), NearDuplicates(known, 0.6))
    assert set(scrubbed) == {source.ref for source in known}


def test_verifier_and_judge_see_the_same_evidence() -> None:
    assert full_context(evidence.texts(CASE), DEFAULTS.placeholder) in critique(
        CASE, [CASE.answer], DEFAULTS.placeholder
    )
