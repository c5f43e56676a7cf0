"""Steps cite context ids and earlier steps, in the words of their language."""

from detection.core.traces import read, step_named
from detection.core.types.traces import Step
from tests.core.trace_cases import trace_of
from tests.tables import each_case

CONTEXT = {"S0": "The tenant renewed the lease.", "S1": "The lobby was painted."}


@each_case(
    ("ref", "index"),
    [
        ("step 1", 0),
        ("Step 12", 11),
        ("STEP #3", 2),
        ("שלב 2", 1),
        ("步骤3", 2),
        ("步驟 3", 2),
        ("第2步", 1),
        ("S1", None),
        ("1", None),
        ("stepping 1", None),
        ("step one", None),
    ],
)
def test_the_names_of_steps(ref: str, index: int | None) -> None:
    assert step_named(ref) == index


def test_citations_beside_and_inside_the_text_are_one() -> None:
    first, second = read(
        trace_of("The lease is new.", Step("So it is [Step 1] [S1].", ("S0",)), context=CONTEXT)
    )
    assert first.cited == ()
    assert second.cited == ("S0", "step 1", "S1")
    assert {ref for claim in second.claims for ref in claim.citations} == {"S0", "step 1", "S1"}
    assert second.near == (0,)


def test_a_later_step_the_step_itself_and_a_missing_source_are_unknown() -> None:
    steps = list(
        read(trace_of(Step("The lease is new.", ("step 1", "step 2", "S9")), "It is.", context=CONTEXT))
    )
    assert steps[0].unknown == ("step 1", "step 2", "S9")


def test_an_uncited_step_is_near_those_whose_rare_words_it_shares() -> None:
    steps = list(
        read(
            trace_of(
                "The tenant of the tower pays monthly.",
                "The garden of the tower has bees.",
                "The bees of the garden swarm.",
                context=CONTEXT,
            )
        )
    )
    assert steps[2].near == (1,)


def test_earlier_steps_stand_among_the_sources_and_later_ones_do_not() -> None:
    steps = list(read(trace_of("One.", "Two.", "Three.", context=CONTEXT)))
    assert [source.ref for source in steps[1].case.sources] == ["S0", "S1", "step 1"]
