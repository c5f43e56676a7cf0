"""A limit that an answer itself draws: how many lie beyond it is counted, the limit itself is nobody's figure."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

CATCH = (
    "| Harbour | Catch (t) | Boats |\n|---|---:|---:|\n| Grimsay | 410 | 12 |\n| Hallin | 250 | 9 |\n"
    "| Ness | 190 | 7 |\n| Stroma | 150 | 4 |"
)


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "number", "status"),
    [
        ("A threshold of 200 t in catch was passed by two of the four harbours.", "200", "supported"),
        ("A threshold of 200 t in catch was passed by three of the four harbours.", "200", "contradicted"),
        ("With a cut-off of 200 t of catch, two of the four harbours lie below it.", "200", "supported"),
        ("With a cut-off of 200 t of catch, one of the four harbours lies below it.", "200", "contradicted"),
        ("The catch was measured against a threshold of 200 t.", "200", "not_checked"),
    ],
)
def test_those_beyond_a_limit_are_counted(answer: str, number: str, status: str) -> None:
    assert judged(answer, CATCH, number=number).status == status


@pytest.mark.requirement("NUM-05")
def test_a_limit_that_a_source_states_is_compared() -> None:
    source = f"{CATCH}\n\nThe licence sets a limit: the catch must be at least 120 t."
    assert judged("The licence sets a threshold of 180 t.", source, number="180").status != "not_checked"


@pytest.mark.requirement("NUM-05")
def test_a_figure_of_another_table_explains_no_count() -> None:
    source = (
        f"{CATCH}\n\n| | 2023 | 2024 |\n|---|---:|---:|\n| Landing fees | 180 | 240 |\n| Fuel | 120 | 90 |"
    )
    answer = "A threshold of 200 t in catch was passed by three of the four harbours."
    assert judged(answer, source, number="200").status == "contradicted"
