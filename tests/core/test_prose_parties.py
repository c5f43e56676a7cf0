"""Whose a number of prose is: of parallel numbers each is of the party that its own words name; whole, part and origin."""

import pytest

from detection.core.evidence.prose import of_prose
from detection.core.periods import CALENDAR_YEAR
from detection.core.types import Source
from tests.core.document_cases import judged
from tests.tables import each_case

BAKERS = "In 2024 Marlow Bakery sold 4,200 loaves a day and Hexham Mill 3,600. Marlow employs 14 people, Hexham 11."
LENDERS = "The senior loan of $40 million comes from Bank Leyden; Arden Fund lends the junior $12 million."
FERRIES = "The Kessock ferry carried 310,000 passengers and the Corran ferry 265,000."
FARES = "מחיר הכרטיס היה 24 שקלים לעכו ו-31 שקלים ללוד."
SHOPS = "東門店本月售出茶葉1,250盒，每盒均價86元；西門店售出1,480盒，每盒均價79元。"


def parties(source: str, title: str = "") -> list[set[str]]:
    grids, _ = of_prose(Source("S0", source, title=title), (), CALENDAR_YEAR)
    return [set(fact.party) for fact in grids[0].facts]


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("Hexham Mill sold 3,600 loaves a day.", BAKERS, "3,600", "exact"),
        ("Hexham Mill sold 4,200 loaves a day.", BAKERS, "4,200", "off_metric"),
        ("Hexham, with 11 staff, is the smaller.", BAKERS, "11", "exact"),
        ("Marlow has a staff of 11.", BAKERS, "11", "off_metric"),
        ("Arden Fund lends $12 million.", LENDERS, "$12 million", "exact"),
        ("Arden Fund lends $40 million.", LENDERS, "$40 million", "off_metric"),
        ("Arden Fund ranks behind the $40 million senior loan.", LENDERS, "$40 million", "exact"),
        ("Next to Arden Fund, Bank Leyden lends $40 million.", LENDERS, "$40 million", "exact"),
    ],
)
def test_a_name_at_a_number_tells_whose_it_is(answer: str, source: str, phrase: str, code: str) -> None:
    assert judged(answer, source, number=phrase).code == code


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("It was Kessock, not Corran, that carried 310,000 passengers.", "310,000", "exact"),
        ("It was Corran, not Kessock, that carried 310,000 passengers.", "310,000", "off_metric"),
        ("Unlike Corran, Kessock carried 310,000 passengers.", "310,000", "exact"),
        ("Unlike Kessock, Corran carried 310,000 passengers.", "310,000", "off_metric"),
        ("Not only Corran but Kessock too, with 310,000 passengers, was full.", "310,000", "exact"),
    ],
)
def test_whom_a_sentence_denies_a_number_is_not_its_party(answer: str, phrase: str, code: str) -> None:
    assert judged(answer, FERRIES, number=phrase).code == code


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "language", "phrase", "code"),
    [
        ("הכרטיס לעכו עולה 24 שקלים.", FARES, "he", "24 שקלים", "exact"),
        ("הכרטיס לעכו עולה 31 שקלים.", FARES, "he", "31 שקלים", "off_metric"),
        ("הכרטיס ללוד, ולא זה שלעכו, עולה 31 שקלים.", FARES, "he", "31 שקלים", "exact"),
        ("הכרטיס לעכו, ולא זה שללוד, עולה 31 שקלים.", FARES, "he", "31 שקלים", "off_metric"),
        ("東門店每盒均價86元。", SHOPS, "zh", "86元", "exact"),
        ("西門店每盒均價86元。", SHOPS, "zh", "86元", "off_metric"),
        ("西門店售出1,480盒。", SHOPS, "zh", "1,480", "exact"),
        ("東門店售出1,480盒。", SHOPS, "zh", "1,480", "off_metric"),
    ],
)
def test_scripts_without_capitals_name_a_party_by_its_place(
    answer: str, source: str, language: str, phrase: str, code: str
) -> None:
    assert judged(answer, source, language=language, number=phrase).code == code


@pytest.mark.requirement("NUM-06")
def test_a_party_is_what_tells_parallel_numbers_apart() -> None:
    assert parties("Waits were 47 minutes for tourists and 62 minutes for referrals.") == [
        {"tourist"},
        {"referral"},
    ]
    assert parties("Waits were 47 minutes in May and 62 minutes in June.") == [set(), set()]
    assert parties("The rent of Orr House is $5 million.", "Orr House") == [set()]
    assert parties("Rent was $5 million and parking cost $3 million.") == [set(), set()]


WIND = "In 2024 the wind farm produced 78.6 GWh. In 2023, its first full year, annual production came to 69.9 GWh."
FACTORY = "המפעל ייצר 120 טונות ב-2024. ב-2023 עמד הייצור השנתי על 95 טונות."
HALL = "The hall seats 900. Of the 640 tickets sold for the concert, 85 were returned."
MOORING = "The mooring fee is 4 %, paid on arrival, and the discount is 7 % for members."
MARGIN = "The gross margin was 4.2 % in the first quarter, 4.6 % in the second and 3.9 % in the third; for the year it reached 4.5 %."


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "language", "phrase", "code"),
    [
        ("Annual production was 78.6 GWh in 2024.", WIND, "en", "78.6", "exact"),
        ("Annual production was 69.9 GWh in 2024.", WIND, "en", "69.9", "off_period"),
        ("הייצור השנתי ב-2024 היה 120 טונות.", FACTORY, "he", "120", "exact"),
        ("הייצור השנתי ב-2024 היה 95 טונות.", FACTORY, "he", "95", "off_period"),
        ("85 of the 640 tickets were returned.", HALL, "en", "640", "exact"),
        ("85 of the 900 tickets were returned.", HALL, "en", "900", "off_metric"),
        ("On arrival 4 % is due.", MOORING, "en", "4 %", "exact"),
        ("On arrival 7 % is due.", MOORING, "en", "7 %", "off_metric"),
        ("The gross margin for the full year was 4.5 %.", MARGIN, "en", "4.5 %", "exact"),
    ],
)
def test_other_words_for_a_figure_are_told_from_another(
    answer: str, source: str, language: str, phrase: str, code: str
) -> None:
    assert judged(answer, source, language=language, number=phrase).code == code


MUSEUM = "Staff numbers fell from 48 to 41, and the rent climbed to $36,000 from $33,000."
RENT = "שכר הדירה עלה מ-5,200 שקלים ל-5,600 שקלים."
FARE = "票價由12元調升至15元。"


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "language", "phrase", "refuted"),
    [
        ("Rent is $36,000.", MUSEUM, "en", "$36,000", False),
        ("Rent is $33,000.", MUSEUM, "en", "$33,000", True),
        ("Before, rent was $33,000.", MUSEUM, "en", "$33,000", False),
        ("The old rent was $33,000.", MUSEUM, "en", "$33,000", False),
        ("The rent was $33,000 and is now $36,000.", MUSEUM, "en", "$33,000", False),
        ("The rent rose to $33,000 from $36,000.", MUSEUM, "en", "$33,000", True),
        ("The museum employs 48 people.", MUSEUM, "en", "48", True),
        ("שכר הדירה הוא 5,600 שקלים.", RENT, "he", "5,600 שקלים", False),
        ("שכר הדירה הוא 5,200 שקלים.", RENT, "he", "5,200 שקלים", True),
        ("לפני כן היה שכר הדירה 5,200 שקלים.", RENT, "he", "5,200 שקלים", False),
        ("票價為12元。", FARE, "zh", "12元", True),
        ("此前票價為12元。", FARE, "zh", "12元", False),
    ],
)
def test_where_a_change_came_from_is_not_what_is_now(
    answer: str, source: str, language: str, phrase: str, refuted: bool
) -> None:
    assert (judged(answer, source, language=language, number=phrase).status == "contradicted") == refuted


TENANTS = "Norfield paid $4 million and Calder paid $6 million for licences."
CLINICS = "Quill Ward treated 310 people with an average stay of 4.6 days; Riverbend treated 275 with an average stay of 5.2 days."
LEFT_OUT = "Reno paid $260,000 for fuel and Toledo $415,000."
GRANTS = "Schools received 41% of the grants, hospitals 33% and museums 26%."


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("It was Norfield that paid $4 million.", TENANTS, "$4 million", "exact"),
        ("It was Calder that paid $4 million.", TENANTS, "$4 million", "off_metric"),
        ("Riverbend did: 5.2 days on average.", CLINICS, "5.2", "exact"),
        ("Quill Ward did: 5.2 days on average.", CLINICS, "5.2", "off_metric"),
        ("The $260,000 was paid by Reno.", LEFT_OUT, "$260,000", "exact"),
        ("The $260,000 was paid by Toledo.", LEFT_OUT, "$260,000", "off_metric"),
    ],
)
def test_a_name_that_begins_a_clause_is_a_party(answer: str, source: str, phrase: str, code: str) -> None:
    assert judged(answer, source, number=phrase).code == code


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "code"),
    [
        ("41% of the grants went to schools.", "exact"),
        ("41% of the grants went to museums.", "off_metric"),
        ("The largest of the grants, 41%, went to schools.", "exact"),
        ("The largest of the grants, 41%, went to museums.", "off_metric"),
    ],
)
def test_words_behind_a_number_may_say_whose_it_is(answer: str, code: str) -> None:
    assert judged(answer, GRANTS, number="41%").code == code
