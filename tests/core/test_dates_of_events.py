"""A date is compared with the one on which the evidence says that the same came about to the same one."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

PERMIT = (
    "The quarry permit ends on 31 October 2027. The operator has to file for the next one by 30 April 2027. "
    "The permit fee is $48,000 a year."
)
AMENDED = "The lease of Unit 3 ends on 30 June 2026. An amendment moves the date to 30 June 2028."
MUSEUM = "The new wing of Alba Museum is due to open in March 2026. The old hall was closed in June 2024."
CLINIC = "新建的康復大樓預計2026年8月啟用，總經費12億元。"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "date", "code"),
    [
        ("The permit runs to 31 October 2027.", PERMIT, "31 October 2027", "exact"),
        ("The permit runs to 30 April 2027.", PERMIT, "30 April 2027", "contradicted"),
        ("The next application is due by 30 April 2027.", PERMIT, "30 April 2027", "exact"),
        ("The lease of Unit 3 ends on 30 June 2028.", AMENDED, "30 June 2028", "exact"),
        ("The new wing opens in March 2026.", MUSEUM, "March 2026", "exact"),
        ("The new wing opens in May 2026.", MUSEUM, "May 2026", "contradicted"),
        ("至於新康復大樓，要到2026年8月才會啟用。", CLINIC, "2026年8月", "exact"),
        ("至於新康復大樓，要到2025年8月才會啟用。", CLINIC, "2025年8月", "contradicted"),
    ],
)
def test_a_date_of_something_else_is_no_support(answer: str, source: str, date: str, code: str) -> None:
    assert judged(answer, source, number=date).code == code


MOORING = "Berth 9 is leased to Tam Marine from 1 May 2022 to 30 April 2030. Notice of renewal is due by 31 October 2029."


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "date", "code"),
    [
        ("The lease of Tam Marine began on 1 May 2022.", "1 May 2022", "exact"),
        ("The lease of Tam Marine ends on 30 April 2030.", "30 April 2030", "exact"),
        ("The lease of Tam Marine began on 30 April 2030.", "30 April 2030", "off_role"),
        ("The lease of Tam Marine ends on 1 May 2022.", "1 May 2022", "off_role"),
        ("Tam Marine must give notice by 31 October 2029.", "31 October 2029", "exact"),
        ("On 15 July 2025 Tam Marine held the berth.", "15 July 2025", "not_compared"),
    ],
)
def test_a_stretch_has_a_start_and_an_end(answer: str, date: str, code: str) -> None:
    assert judged(answer, MOORING, number=date).code == code


def test_a_wrong_role_of_a_date_is_told_as_such() -> None:
    found = judged("The lease of Tam Marine ends on 1 May 2022.", MOORING, number="1 May 2022")
    assert "is the date of something else" in found.reason


SURVEY = (
    "Aurelia leaves Koper on 2 September 2024. She enters the dock on 9 September and is back on 3 October."
)


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "date", "code"),
    [
        ("Aurelia docks on 9 September 2024.", SURVEY, "9 September 2024", "exact"),
        ("Aurelia docks on 9 September 2023.", SURVEY, "9 September 2023", "not_found"),
        ("Aurelia is back on 3 October 2024.", SURVEY, "3 October 2024", "exact"),
        ("延伸线2024年9月28日开通。", "延伸线于2024年8月30日竣工，同年9月28日开通。", "2024年9月28日", "exact"),
        ("הקו נסגר ב-9 באוקטובר 2022.", "הקו נפתח ב-4 בספטמבר 2022. הוא נסגר ב-9 באוקטובר.", "9 באוקטובר 2022", "exact"),
    ],
)  # fmt: skip
def test_a_day_without_a_year_is_of_that_of_the_day_before_it(
    answer: str, source: str, date: str, code: str
) -> None:
    assert judged(answer, source, number=date).code == code


def test_a_day_that_its_year_does_not_have_is_none() -> None:
    source = "The lease was signed on 28 February 2023 and countersigned on 29 February."
    assert (
        judged("It was countersigned on 29 February 2024.", source, number="29 February 2024").code
        == "not_found"
    )
