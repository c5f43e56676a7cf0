"""What belongs to which part of a sentence: periods that are ranked over, words of the question, letters joined to words."""

import pytest

from detection.core.numbers import extract
from detection.core.types import Case, Source
from tests.core import record_cases
from tests.core.document_cases import judged

pytestmark = pytest.mark.requirement("NUM-06")


@pytest.mark.parametrize(
    ("answer", "number", "code"),
    [
        ("NOI was $1,234,567, the highest of any quarter since 2023, with occupancy at 95.4%.", "95.4%", "exact"),
        ("NOI was $1,234,567 in Q3 2024, the highest of any quarter since 2023, with occupancy at 91.0%.", "91.0%", "off_period"),
        ("NOI of $1,300,000 in Q4 2024 was its best in 2024; revenue was $2,200,000.", "$2,200,000", "exact"),
        ("净营业收入为1,234,567美元，是2023年以来各季度中最高的，出租率为95.4%。", "95.4%", "exact"),
        ("Debt service was $710,000 in two of the four quarters of 2024, and the largest, $715,000, came in the fourth quarter.", "$715,000", "exact"),
    ],
)  # fmt: skip
def test_what_is_ranked_over_is_the_period_of_no_other_number(answer: str, number: str, code: str) -> None:
    assert record_cases.of(answer, number, language="zh" if "，" in answer else "en").code == code


def test_the_question_names_each_figure_once() -> None:
    said = "Oak pulled in about $2.1 million in Q3 2024, of which $80,000 was paid out for insurance."
    asked = "How much did Oak pull in in Q3 2024, and how much of it went into insurance?"
    found = record_cases.findings(record_cases.case(said, question=asked))
    assert found["$80,000"].code == "exact"
    assert found["$2.1 million"].code != "off_metric"


LOSSES = "| | Q1 | Q2 | Q3 | Q4 |\n|---|---|---|---|---|\n| Net income, $ | -173,970 | 143,450 | 284,420 | -55,430 |"


@pytest.mark.parametrize(
    ("answer", "phrase", "code"),
    [
        ("The heaviest loss, $173,970, came in Q1.", "heaviest", "holds"),
        ("The heaviest loss, $55,430, came in Q4.", "heaviest", "contradicted"),
        ("The smallest loss, $55,430, came in Q4.", "smallest", "holds"),
        ("Net income was lowest in Q1, a loss of $173,970.", "lowest", "holds"),
    ],
)
def test_losses_are_ranked_by_how_large_they_are(answer: str, phrase: str, code: str) -> None:
    assert record_cases.told(Case(answer, sources=(Source("S0", LOSSES),)))[phrase] == code


HARVEST = (
    "Tomatoes yielded 8,420 tonnes, cucumbers 5,190 tonnes, peppers 6,730 tonnes and aubergines 2,310 tonnes."
)
MEMBERS = (
    "Oak Lane had 4,530 members, against 4,120 a year earlier; Hill Springs 7,610 against 7,860; "
    "Palm Court 5,690 against 5,240; Vine Town 3,375 against 3,490."
)


@pytest.mark.parametrize(
    ("text", "answer", "phrase", "code"),
    [
        (HARVEST, "Peppers came second with 6,730 tonnes.", "came second", "holds"),
        (HARVEST, "Peppers came third with 6,730 tonnes.", "came third", "contradicted"),
        (MEMBERS, "Hill Springs is the largest branch with 7,610 members.", "largest", "holds"),
        (MEMBERS, "Palm Court is the largest branch with 5,690 members.", "largest", "contradicted"),
        ("The cover ends after 24 months or 3,000 hours.", "It ends after 24 months or 3,000 hours, whichever comes first.", "first", None),
    ],
)  # fmt: skip
def test_what_prose_enumerates_is_ranked_also_where_it_is_counted(
    text: str, answer: str, phrase: str, code: str | None
) -> None:
    assert record_cases.told(Case(answer, sources=(Source("S0", text),))).get(phrase) == code


def test_a_number_whose_verb_and_noun_are_left_out_moved_as_the_one_before() -> None:
    assert judged("Hill Springs lost 250 members and Vine Town 115.", MEMBERS, number="115").code == "derived"


@pytest.mark.parametrize(
    ("text", "direction", "bound", "approximate"),
    [
        ("ההכנסות וירדו ב-5%", "down", None, False),
        ("אף שאיבד 250 מנויים", "down", None, False),
        ("העלייה של 5%", "up", None, False),
        ("ולפחות 5% מהם", None, "at_least", False),
        ("וכ-250 עובדים", None, None, True),
        ("סוכרת 5%", None, None, False),
    ],
)
def test_hebrew_letters_joined_to_a_word_leave_it_what_it_is(
    text: str, direction: str | None, bound: str | None, approximate: bool
) -> None:
    found = extract(text, "he")[0]
    assert (found.direction, found.bound, found.approximate) == (direction, bound, approximate)


COVENANT = "Covenant | Required | 31.12.2024\nTangible equity ($ million) | at least 180 | 204.8\nLiquidity ($ million) | at least 20 | 26.9"


@pytest.mark.parametrize(("said", "status"), [("6.5", "supported"), ("7", "unsupported")])
def test_what_exceeds_something_by_more_is_no_level(said: str, status: str) -> None:
    answer = f"Liquidity exceeded the required level by more than ${said} million."
    assert judged(answer, COVENANT).status == status


QUARTER = "厂区,利用率（%）,季增减（百分点）\n新埔厂,93.1,+2.4\n东港厂,70.0,-5.2"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("东港厂利用率为70.0%，比上一季下滑5.2个百分点。", "supported"),
        ("新埔厂利用率为93.1%，比上一季下滑5.2个百分点。", "contradicted"),
        ("东港厂利用率为70.0%。以上为各厂数据。", "supported"),
    ],
)
def test_what_a_move_is_measured_from_is_not_when_it_happened(answer: str, status: str) -> None:
    assert judged(answer, QUARTER, language="zh").status == status


MINES = "Mine,Gold (oz),Cash cost ($/oz)\nMbira Hill,57930,1048\nSanta Ruela,60412,912\nOld Tor,1306,—\nTotal,119648,975"
BRANDS = "Brand,Revenue FY2023 ($ thousand),Revenue FY2024 ($ thousand)\nHarbour Stout,4824,4597\nLow Tide,652,1291"


def test_a_dash_has_no_place_among_others() -> None:
    found = record_cases.told(
        Case("Santa Ruela had the lowest cash cost, $912.", sources=(Source("S0", MINES),))
    )
    assert found["lowest"] == "holds"


def test_what_almost_doubled_may_be_more_than_it_is_rounded_to() -> None:
    assert (
        judged("Revenue of Low Tide almost doubled to $1.29 million in FY2024.", BRANDS).status == "supported"
    )
