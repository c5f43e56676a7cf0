"""What became of each slot of a number beside what it was compared with: said, stated, agreed, in conflict, open."""

from typing import Any

import pytest

from detection.core import claims, codec
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Candidate, Case, NumberMeasured, NumericMeasurement, SlotCompared, Source
from tests.core.record_cases import case

pytestmark = pytest.mark.requirement("NUM-05")

TABLE = (
    "| | Q2 2024 | Q3 2024 |\n|---|---|---|\n| Net operating income | 67,994 | 71,234 |\n"
    "| Operating expenses | 29,700 | 38,294 |"
)
TENANTS = "| Tenant | Area (sf) | Rent |\n|---|---|---|\n| Acme | 1,200 | $30,000 |\n| Bolt | 900 | $21,500 |"
PROSE = (
    "The loan agreement requires a DSCR of at least 1.20x. Budgeted revenue of Oak Plaza was $4.2 million."
)
SOURCES = (Source("S0", TABLE), Source("S1", TENANTS), Source("S2", PROSE))


def measured(subject: Case, text: str = "") -> NumberMeasured:
    """What is measured of the number ``text``, else of the first that is no date."""
    read = claims.read(subject)
    of = numeric.measure(Context(subject, read)).claims
    return next(of[c.index] for c in read if c.index in of and (c.text == text if text else c.kind != "date"))


def of_sources(answer: str, question: str = "", text: str = "") -> NumberMeasured:
    return measured(Case(answer=answer, question=question, sources=SOURCES), text)


def named(candidate: Candidate) -> dict[str, SlotCompared]:
    return {slot.slot: slot for slot in candidate.slots}


def verdicts(candidate: Candidate) -> dict[str, str]:
    return {slot.slot: slot.verdict for slot in candidate.slots}


def test_words_of_the_sentence_name_slots_where_they_stand_in_the_answer() -> None:
    answer = "At Oak Plaza, NOI came to $1,234,567 in Q3 2024."
    (found, *_) = measured(case(answer)).candidates
    for slot, said, states in (("metric", "NOI", "net_operating_income"), ("period", "Q3 2024", "Q3 2024")):
        one = named(found)[slot]
        assert (one.said, one.states, one.verdict, one.by) == (said, states, "agree", "sentence")
        assert answer[one.start : one.end] == said


def test_what_the_answer_is_filed_under_is_assumed_and_stands_nowhere() -> None:
    (found, *_) = measured(case("NOI was $1,234,567.")).candidates
    for slot, said in (("entity", "OAK"), ("period", "Q3 2024")):
        one = named(found)[slot]
        assert (one.said, one.verdict, one.by, one.start) == (said, "assumed", "link", None)


def test_words_of_the_question_fill_what_the_answer_leaves_open() -> None:
    (found, *_) = of_sources("It was $38,294.", "What were operating expenses in Q3 2024?").candidates
    metric, period = named(found)["metric"], named(found)["period"]
    assert (metric.said, metric.by, metric.verdict) == ("operating expenses", "question", "agree")
    assert (period.said, period.by, period.verdict, period.start) == ("Q3 2024", "question", "agree", None)


def test_the_sentence_before_fills_what_a_sentence_leaves_open() -> None:
    (found, *_) = of_sources("Q3 2024 was weak. Operating expenses were $38,294.", text="$38,294").candidates
    assert (named(found)["period"].by, named(found)["period"].start) == ("before", 0)


def test_a_number_in_a_table_of_the_answer_is_named_by_its_row_and_column() -> None:
    (found, *_) = of_sources(
        "| | Q2 2024 | Q3 2024 |\n|---|---|---|\n| Operating expenses | 29,700 | 38,294 |\n| NOI | 67,994 | 71,234 |",
        text="38,294",
    ).candidates
    assert [(named(found)[slot].by, named(found)[slot].verdict) for slot in ("metric", "period")] == [
        ("head", "agree"),
        ("head", "agree"),
    ]


SLIPPED = [
    ("NOI was $67,994 in Q3 2024.", "period", "period", "Q3 2024", "Q2 2024"),
    ("Bolt pays $30,000 in rent.", "property", "entity", "Bolt", "Acme"),
    ("Actual revenue was $4.2 million.", "role", "role", "Actual", "budget"),
]


@pytest.mark.parametrize(("answer", "code", "slot", "said", "states"), SLIPPED)
def test_a_slip_is_in_conflict_in_its_own_slot_and_agrees_in_the_others(
    answer: str, code: str, slot: str, said: str, states: str
) -> None:
    (slip,) = of_sources(answer).slips
    assert slip.code == code
    found = named(slip.candidate)
    assert [one.slot for one in slip.candidate.slots if one.verdict == "conflict"] == [slot]
    assert (found[slot].said, found[slot].states) == (said, states)
    assert found["metric"].verdict == "agree"


def test_a_wrong_value_of_its_own_slots_is_in_conflict_in_none() -> None:
    (found, *_) = measured(case("NOI of OAK was $9,876,543 in Q3 2024.")).candidates
    assert (found.same, found.equal) == (True, False)
    assert verdicts(found) == dict.fromkeys(("metric", "entity", "period", "unit"), "agree")


def test_a_metric_that_nothing_names_is_open() -> None:
    found = of_sources("Acme comes to 1,200.").candidates[0]
    assert (found.same, named(found)["metric"].verdict, named(found)["metric"].said) == (False, "open", "")


def test_a_derived_value_names_the_metric_the_periods_and_the_direction() -> None:
    (found, *_) = measured(case("NOI rose 5.2% from Q2 2024.")).candidates
    assert named(found)["period"].states == "Q3 2024, Q2 2024"
    direction = named(found)["direction"]
    assert (direction.said, direction.states, direction.verdict) == ("rose", "up", "agree")


def test_periods_named_in_several_places_each_say_where_they_stand() -> None:
    answer = "Q3 2024 was strong. NOI rose 5.2% from Q2 2024."
    (found, *_) = measured(case(answer), "5.2%").candidates
    period = named(found)["period"]
    assert [(one.said, one.by) for one in period.parts] == [("Q2 2024", "sentence"), ("Q3 2024", "before")]
    assert [answer[one.start : one.end] for one in period.parts] == ["Q2 2024", "Q3 2024"]
    assert period.said == "Q2 2024, Q3 2024"


def test_a_period_named_again_further_away_names_nothing_more() -> None:
    (found, *_) = measured(
        case("Q2 2024 was weak. NOI rose 5.2% from Q2 2024 to Q3 2024."), "5.2%"
    ).candidates
    assert [one.by for one in named(found)["period"].parts] == ["sentence", "sentence"]


def test_what_a_rate_is_per_stands_where_its_words_do() -> None:
    answer = "Asking rent was $31.50 per square foot."
    subject = Case(answer=answer, sources=(Source("S0", "Asking rent is $31.50 per square foot per year."),))
    (found, *_) = measured(subject).candidates
    unit = named(found)["unit"]
    assert (unit.said, unit.by, answer[unit.start : unit.end]) == ("USD/sf", "sentence", "per square foot")


def test_a_long_name_shows_that_it_was_cut() -> None:
    title = "Share of patients who completed the study without any protocol deviation at all"
    source = Source("S0", f"| | 2023 |\n|---|---|\n| {title} | 83% |\n| Dropouts | 4% |\n| Deaths | 1% |")
    answer = "In 2023 the share of patients who completed the study was 83%."
    (found, *_) = measured(Case(answer=answer, sources=(source,)), "83%").candidates
    states = named(found)["metric"].states
    assert states.endswith("…")
    assert title.startswith(states[:-1])
    assert len(states) <= 60


def test_a_wrong_amount_keeps_the_direction_that_is_right() -> None:
    (found,) = of_sources("NOI rose by 4,900 from Q2 2024 to Q3 2024.", text="4,900").candidates[:1]
    assert not found.equal
    direction = named(found)["direction"]
    assert (direction.said, direction.states, direction.verdict) == ("rose", "up", "agree")


def test_the_wrong_direction_is_in_conflict() -> None:
    found = measured(case("NOI fell 5.2% from Q2 2024."), "5.2%").slips[0].candidate
    direction = named(found)["direction"]
    assert (direction.said, direction.states, direction.verdict) == ("fell", "up", "conflict")


def test_a_claim_without_digits_has_its_slots_too() -> None:
    (found,) = measured(case("NOI fell in Q3 2024."), "fell").candidates
    assert (verdicts(found)["metric"], verdicts(found)["direction"]) == ("agree", "conflict")


def test_a_ratio_that_is_named_is_what_its_two_figures_agree_with() -> None:
    (found, *_) = measured(case("DSCR was 1.74x.")).candidates
    metric = named(found)["metric"]
    assert (metric.said, metric.states, metric.verdict) == (
        "DSCR",
        "net_operating_income, debt_service",
        "agree",
    )


def test_a_bound_that_is_kept_agrees() -> None:
    (found, *_) = measured(case("NOI was above $1.1 million."), "$1.1 million").candidates
    assert (named(found)["bound"].said, named(found)["bound"].verdict) == ("above", "agree")


def test_a_number_that_nothing_is_near_says_what_its_words_name() -> None:
    found = measured(Case("NOI was budgeted at $5 million in Q3 2024."), "$5 million")
    assert found.candidates == ()
    said: dict[str, Any] = {slot.slot: (slot.said, slot.states, slot.verdict) for slot in found.slots}
    assert said["metric"] == ("NOI", "", "open")
    assert said["period"] == ("Q3 2024", "", "open")
    assert said["role"] == ("budgeted", "", "open")


def test_slots_are_stored_and_read_back_and_those_of_older_runs_are_none() -> None:
    subject = case("NOI was $1,173,500.")
    found = numeric.measure(Context(subject, claims.read(subject)))
    stored = codec.dump(found)
    assert codec.load(NumericMeasurement, stored) == found
    for number in stored["claims"].values():
        del number["slots"]
        for candidate in [*number["candidates"], *(slip["candidate"] for slip in number["slips"])]:
            del candidate["slots"]
    older = codec.load(NumericMeasurement, stored)
    assert all(candidate.slots == () for number in older.claims.values() for candidate in number.candidates)
    assert [f.code for f in numeric.decide(older, Context(subject)).findings] == [
        f.code for f in numeric.decide(found, Context(subject)).findings
    ]


ANSWERS = (
    "NOI was $1,234,567.", "NOI was $1,173,500.", "NOI was $1,134,567.", "NOI was $2,100,000.", "Occupancy was 94.2%.",
    "NOI rose 5.2% from Q2.", "NOI fell 5.2% from Q2.", "NOI margin was 58.8%.", "NOI in 2024 was $4,808,067.",
    "NOI was -$1,234,567.", "Occupancy rose 1.2 percentage points from Q2.", "NOI was above $1.1 million.",
)  # fmt: skip


@pytest.mark.parametrize("answer", ANSWERS)
def test_support_has_no_conflict_and_a_slip_has_its_own(answer: str) -> None:
    for number in numeric.measure(Context(case(answer), claims.read(case(answer)))).claims.values():
        for one in number.candidates:
            assert not (one.same and one.equal and "conflict" in verdicts(one).values())
        for slip in number.slips:
            own = {"property": {"entity"}, "sign": {"sign", "direction"}}.get(slip.code, {slip.code})
            apart = {slot for slot, verdict in verdicts(slip.candidate).items() if verdict == "conflict"}
            assert slip.code in ("transposed", "scale") or own & apart
