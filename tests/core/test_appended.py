"""Numbers that stand behind another one and say of what it is: its change, what it was before, its limit."""

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Source

ACCOUNTS = (
    "USD m                   H1 2024   H1 2023   Change\n"
    "Total revenue           256.4     241.6     6.1%\n"
    "Adjusted EBITDA         61.5      52.4      17.4%\n"
    "Adjusted EBITDA margin  24.0%     21.7%     2.3 pts\n"
)
SHARES = (
    "| $ million | Q3 2024 | Q3 2023 |\n|---|---|---|\n| Net income | 24.4 | 3.0 |\n"
    "| Net income per diluted share ($) | 0.21 | 0.03 |\n"
)


def status(answer: str, text: str, said: str) -> str:
    """What is found of the number that is written ``said``."""
    context = Context(Case(answer=answer, sources=(Source("S0", text),)))
    read = claims.read(context.case)
    context = Context(context.case, read)
    found = numeric.decide(numeric.measure(context), context).findings
    wanted = next(claim.index for claim in read if claim.number and claim.number.text == said)
    return next(one.status for one in found if one.claim == wanted)


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize("said", ["up 17.4%", "an increase of 17.4%"])
def test_a_change_behind_an_amount_is_of_that_amount(said: str) -> None:
    answer = (
        f"The adjusted EBITDA margin was 24.0%, with adjusted EBITDA of $61.5 million in H1 2024, {said}."
    )
    assert status(answer, ACCOUNTS, "17.4%") == "supported"


@pytest.mark.requirement("NUM-06")
def test_points_are_found_in_a_column_of_changes() -> None:
    answer = "In H1 2024 the adjusted EBITDA margin widened by 2.3 percentage points."
    assert status(answer, ACCOUNTS, "2.3 percentage points") == "supported"
    assert status(answer.replace("widened", "narrowed"), ACCOUNTS, "2.3 percentage points") != "supported"


@pytest.mark.requirement("NUM-06")
def test_what_is_per_share_belongs_to_its_own_number() -> None:
    answer = (
        "Net income was $24.4 million in Q3 2024, or $0.21 per diluted share, versus $3.0 million in Q3 2023."
    )
    assert status(answer, SHARES, "$3.0 million") == "supported"
