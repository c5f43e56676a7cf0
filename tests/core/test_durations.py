"""How long something takes is reckoned from the dates between which it lies, and compared with how long a source says."""

from datetime import date
from decimal import Decimal

import pytest

from detection.core.periods.lengths import Ends, ends_of
from tests.core.document_cases import judged
from tests.tables import each_case

LEASES = (
    "Brix Foods let unit 4 from 1 October 2021 to 30 September 2027. It may break on nine months' notice. "
    "Its neighbour Tasker holds unit 5 from 1 January 2020 to 31 December 2029."
)
HOSPITAL = "Construction of the Hill hospital began in April 2018 and was completed in October 2022. It has 410 beds."
TUNNEL = "The Orchard tunnel closed on 4 March 2023 and reopened on 8 December 2023. Tolls rose 3 % in 2024."
LOAN = "The Alder loan of €40 million bears 4 % and is repayable over seven years."
WORKS = (
    "| Bridge | Works began | Reopened | Cost ($ million) |\n|---|---|---|---|\n"
    "| Iron bridge | March 2020 | December 2020 | 12 |\n| Mill bridge | June 2021 | June 2023 | 40 |"
)
ALON = 'החוזה עם חברת אלון נמשך מ-1 בינואר 2021 עד 31 בדצמבר 2025. דמי השכירות הם 40,000 ש"ח לחודש.'
HAIRUN = "海润公司租用三楼，租期自2021年4月1日至2029年3月31日，月租18万元。"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "code"),
    [
        ("Tasker's lease runs for ten years.", LEASES, "derived"),
        ("Tasker's lease runs for six years.", LEASES, "contradicted"),
        ("Brix Foods has a six-year lease on unit 4.", LEASES, "derived"),
        ("Brix Foods has an eight-year lease on unit 4.", LEASES, "contradicted"),
        ("The Hill hospital took four and a half years to build.", HOSPITAL, "derived"),
        ("The Hill hospital took six and a half years to build.", HOSPITAL, "contradicted"),
        ("Construction lasted 54 months.", HOSPITAL, "derived"),
        ("Construction lasted 45 months.", HOSPITAL, "contradicted"),
        ("The Orchard tunnel was closed for nine months.", TUNNEL, "derived"),
        ("The Orchard tunnel was closed for six months.", TUNNEL, "contradicted"),
        ("Works on the Iron bridge took nine months.", WORKS, "derived"),
        ("Works on the Iron bridge took seven months.", WORKS, "contradicted"),
        ("החוזה עם אלון הוא לחמש שנים.", ALON, "derived"),
        ("החוזה עם אלון נמשך שבע שנים.", ALON, "contradicted"),
        ("海润公司的租期为八年。", HAIRUN, "derived"),
        ("海润公司的租期为十年。", HAIRUN, "contradicted"),
    ],
)
def test_a_length_is_reckoned_from_the_ends_that_the_evidence_gives(
    answer: str, source: str, code: str
) -> None:
    assert judged(answer, source).code == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "code"),
    [
        ("The works took four years, from May 2017 to May 2021.", "derived"),
        ("The works took six years, from May 2017 to May 2021.", "contradicted"),
        ("The tunnel was out of use for six weeks (3 March to 14 April 2024).", "derived"),
        ("The tunnel was out of use for nine weeks (3 March to 14 April 2024).", "contradicted"),
        ("工程从2016年3月到2022年3月，历时六年。", "derived"),
        ("工程从2016年3月到2022年3月，历时四年。", "contradicted"),
    ],
)
def test_a_sentence_that_names_its_own_ends_is_compared_with_them(answer: str, code: str) -> None:
    assert judged(answer, "The town has a ferry.").code == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "code"),
    [
        ("The Alder loan runs for seven years.", "not_compared"),
        ("The Alder loan runs for ten years.", "contradicted"),
    ],
)
def test_a_length_that_a_source_states_is_compared_where_the_words_lead_to_it(answer: str, code: str) -> None:
    assert judged(answer, LOAN).code == code


@pytest.mark.requirement("NUM-05")
@each_case(
    "answer",
    [
        "Brix Foods has been in unit 4 for three years.",
        "Brix Foods took unit 4 for a further 5 years.",
        "Brix Foods could leave after four years.",
        "With two years left, Tasker may stay.",
        "The fit-out for Tasker took two years.",
    ],
)
def test_a_part_of_a_length_and_another_one_are_not_compared_with_it(answer: str) -> None:
    assert judged(answer, LEASES).code == "not_compared"


@each_case(
    ("text", "span", "unit", "least", "most"),
    [
        ("1 July 2022 to 30 June 2030", (date(2022, 7, 1), date(2030, 6, 30)), "year", "7.99", "8"),
        ("May 2017 to May 2023", (date(2017, 5, 1), date(2023, 5, 31)), "month", "72", "73"),
        ("2015–2023", (date(2015, 1, 1), date(2023, 12, 31)), "year", "8", "9"),
        ("3 to 28 June 2024", (date(2024, 6, 3), date(2024, 6, 28)), "day", "25", "26"),
        ("31 January 2024 to 29 February 2024", (date(2024, 1, 31), date(2024, 2, 29)), "month", "1", "1.03"),
    ],
)
def test_a_length_is_counted_by_the_calendar_with_and_without_its_last_day(
    text: str, span: tuple[date, date], unit: str, least: str, most: str
) -> None:
    ends = ends_of(text, span, "en")
    assert isinstance(ends, Ends)
    assert [round(one - Decimal("0.004"), 2) for one in ends.length(unit)] == [
        round(Decimal(one) - Decimal("0.004"), 2) for one in (least, most)
    ]
