"""What an answer says without digits is a claim: it holds, is contradicted, or is not compared."""

import pytest

from detection.core import claims
from detection.core.types import Case, Source
from tests.core.record_cases import case, told
from tests.tables import each_case


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("NOI rose in Q3 2024 from Q2 2024.", "rose", "holds"),
        ("NOI fell in Q3 2024 from Q2 2024.", "fell", "contradicted"),
        ("NOI increased year over year.", "increased", "holds"),
        ("NOI decreased year over year.", "decreased", "contradicted"),
        ("Occupancy improved from Q2 2024.", "improved", "holds"),
        ("NOI doubled from Q2 2024.", "doubled", "contradicted"),
        ("The tenants' mood improved.", "improved", "not_compared"),
    ],
)
def test_a_change_without_digits_is_compared(answer: str, phrase: str, code: str) -> None:
    assert told(case(answer))[phrase] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("Occupancy was 93.0% in Q1 2024, and then rose to 96.1% in Q4 2024.", "rose", "holds"),
        ("Occupancy was 93.0% in Q1 2024, and then fell to 96.1% in Q4 2024.", "fell", "contradicted"),
        ("In Q3 2024 occupancy was 95.4% at OAK, clearly ahead of MAPLE's 88.0%.", "ahead of", "holds"),
        ("In Q3 2024 occupancy was 95.4% at OAK, clearly behind MAPLE's 88.0%.", "behind", "contradicted"),
    ],
)
def test_words_between_two_figures_are_compared_with_both(answer: str, phrase: str, code: str) -> None:
    assert told(case(answer))[phrase] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "language", "phrase", "code"),
    [
        ("ה-NOI גדל יותר מפי שניים, מ-0.4 ל-1.1 מיליון דולר.", "he", "מפי שניים", "holds"),
        ("ה-NOI גדל יותר מפי שלושה, מ-0.4 ל-1.1 מיליון דולר.", "he", "מפי שלושה", "contradicted"),
        ("NOI more than doubled, from 0.4 million dollars to 1.1 million dollars.", "en", "doubled", "holds"),
        ("NOI more than tripled, from 0.4 million dollars to 1.1 million dollars.", "en", "tripled", "contradicted"),
    ],
)  # fmt: skip
def test_a_multiple_is_that_of_the_two_numbers_behind_it(
    answer: str, language: str, phrase: str, code: str
) -> None:
    source = Source("S0", "NOI (in thousands of dollars)\n | 2023 | 2020\nNOI | 1,100 | 400")
    read = claims.read(Case(answer, language=language, sources=(source,)))
    assert phrase in [claim.text for claim in read]
    assert told(Case(answer, language=language, sources=(source,)))[phrase] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "language", "phrase", "code"),
    [
        ("2024年第三季度出租率95.4%，由高到低排第二。", "zh", "排第二", "holds"),
        ("2024年第一季度出租率93.0%，由高到低排第二。", "zh", "排第二", "contradicted"),
        ("2024年第三季度出租率95.4%，僅次於第四季度的96.1%。", "zh", "僅次於", "holds"),
        ("ברבעון השלישי של 2024 התפוסה, 95.4%, דורגה שנייה.", "he", "דורגה שנייה", "holds"),
        ("ברבעון השלישי של 2024 התפוסה, 95.4%, דורגה אחרונה.", "he", "דורגה אחרונה", "contradicted"),
        ("Occupancy of 95.4% in Q3 2024 was second only to the 96.1% of Q4 2024.", "en", "second only to", "holds"),
        ("Occupancy of 95.4% in Q3 2024 was second only to the 94.2% of Q2 2024.", "en", "second only to", "contradicted"),
    ],
)  # fmt: skip
def test_a_place_in_an_order_is_compared(answer: str, language: str, phrase: str, code: str) -> None:
    assert told(case(answer, language=language))[phrase] == code


def test_what_was_not_compared_says_nothing_for_or_against_the_answer() -> None:
    found = told(case("The tenants' mood improved."))
    assert set(found.values()) == {"not_compared"}


@pytest.mark.parametrize(
    "answer", ["Up to 5 tenants moved in.", "The first half of 2024 was busy.", "Is it up?"]
)
def test_words_that_only_look_like_a_change_are_none(answer: str) -> None:
    read = claims.read(Case(answer))
    assert [claim.text for claim in read if claim.kind == "change" and claim.text != "up"] == []


@pytest.mark.parametrize(
    "answer",
    [
        "The lift has been out of order since May.", "Lift Properties leased five floors.", "The tenant of Rise Tower pays late.",
        "It offers higher education.", "On top of that, rent is due.", "It is behind on payments.", "The drop box is full.",
        "At the very latest it starts on 1 May 2022.", "Tenant improvements were finished.", "It contracts with a broker.",
        "מגדל הים מושכר במלואו.",
    ],
)  # fmt: skip
def test_nouns_names_and_places_are_no_change(answer: str) -> None:
    read = claims.read(Case(answer, language="he" if "א" <= answer[0] <= "ת" else "en"))
    assert [claim.text for claim in read if claim.kind == "change"] == []


@pytest.mark.parametrize(
    ("answer", "phrase"),
    [
        ("NOI was slightly up.", "up"), ("Higher NOI was seen.", "Higher"), ("There was a drop in occupancy.", "a drop in"),
        ("Footfall went down.", "went down"), ("Footfall was highest in spring.", "highest"), ("Rents are lower now.", "lower"),
        ("The drop in rents was seen by all.", "drop"), ("הפדיון ירד.", "ירד"), ("净利润下降。", "下降"),
    ],
)  # fmt: skip
def test_verbs_and_nouns_beside_a_figure_are(answer: str, phrase: str) -> None:
    read = claims.read(
        Case(answer, language="en" if answer.isascii() else "he" if "א" <= answer[0] <= "ת" else "zh")
    )
    assert phrase in [claim.text for claim in read if claim.kind == "change"]


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("Occupancy rose from 93.0% in Q1 2024 to 96.1% in Q4 2024.", "rose", "holds"),
        ("Occupancy fell from 93.0% in Q1 2024 to 96.1% in Q4 2024.", "fell", "contradicted"),
        ("In Q4 2024 occupancy was 96.1%, down from 93.0% in Q1 2024.", "down", "contradicted"),
        ("Occupancy fell from 93.0% to 97.9%.", "fell", "contradicted"),
        ("Occupancy rose from 93.0% to 97.9%.", "rose", "not_compared"),
    ],
)
def test_words_before_two_figures_are_compared_with_both(answer: str, phrase: str, code: str) -> None:
    assert told(case(answer))[phrase] == code


def test_a_word_beside_a_figure_that_nothing_states_is_not_compared_with_another() -> None:
    assert told(case("NOI fell by $77,777 in Q3 2024 from Q2 2024."))["fell"] == "not_compared"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("Sales grew in two of the three regions from 2022 to 2023.", "grew", "holds"),
        ("Sales grew in all three regions from 2022 to 2023.", "grew", "contradicted"),
        ("Two of the three regions grew from 2022 to 2023.", "grew", "holds"),
        ("One of the three regions grew from 2022 to 2023.", "grew", "contradicted"),
    ],
)
def test_how_many_of_a_group_moved_is_counted(answer: str, phrase: str, code: str) -> None:
    table = (
        "| Sales by region | 2022 | 2023 |\n|---|---|---|\n| North | $410 | $455 |\n"
        "| South | $380 | $362 |\n| West | $295 | $310 |"
    )
    assert told(Case(answer, sources=(Source("S0", table),)))[phrase] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("In Q3 2024 the occupancy of OAK was higher than that of MAPLE.", "higher than", "holds"),
        ("In Q3 2024 the occupancy of OAK was lower than that of MAPLE.", "lower than", "contradicted"),
    ],
)
def test_one_of_two_that_are_named_is_held_against_the_other(answer: str, phrase: str, code: str) -> None:
    assert told(case(answer))[phrase] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "phrase", "code"),
    [
        ("Depot B kept 30.0% of its fares, the highest share of the three depots.", "highest", "holds"),
        (
            "Depot B kept 30.0% of its fares, the second-highest share of the three depots.",
            "second-highest",
            "contradicted",
        ),
        ("Depot A had the highest cost of the three, an outlay of $610,000.", "highest", "holds"),
        (
            "Depot A had the second-highest cost of the three, an outlay of $610,000.",
            "second-highest",
            "contradicted",
        ),
    ],
)
def test_a_share_and_a_figure_named_again_have_their_places(answer: str, phrase: str, code: str) -> None:
    table = (
        "| Depot, 2024 | Fares ($) | Result ($) | Outlay ($) |\n|---|---|---|---|\n| Depot A | 600,000 | 10,000 | 610,000 |\n"
        "| Depot B | 500,000 | 150,000 | 350,000 |\n| Depot C | 640,000 | 96,000 | 544,000 |\n| Clearing | (40,000) | (20,000) | 20,000 |"
    )
    assert told(Case(answer, sources=(Source("S0", table),)))[phrase] == code


SHIPS = "The company operates 35 ships, of which 14 use LNG."
HOMES = "The estate has 420 homes, and 84 of them have no meter."
GUESTS = "| Mode | Guests |\n|---|---|\n| Train | 340 |\n| Car | 660 |\n| Total | 1,000 |"
TRUCKS = "该车队共有35辆卡车，其中14辆使用天然气。"
STAFF = "בחברה 80 עובדים, 40 מהם גרים בעיר."


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "text", "language", "code"),
    [
        ("Two fifths of the fleet uses LNG.", SHIPS, "en", "holds"),
        ("Three fifths of the fleet uses LNG.", SHIPS, "en", "contradicted"),
        ("More than a third of the ships use LNG.", SHIPS, "en", "holds"),
        ("More than half of the ships use LNG.", SHIPS, "en", "contradicted"),
        ("One in five homes has no meter.", HOMES, "en", "holds"),
        ("One in four homes has no meter.", HOMES, "en", "contradicted"),
        ("Three out of eight samples failed.", "Of the 64 samples, 24 failed.", "en", "holds"),
        ("Five out of eight samples failed.", "Of the 64 samples, 24 failed.", "en", "contradicted"),
        ("About a third of guests came by train.", GUESTS, "en", "holds"),
        ("About half of guests came by train.", GUESTS, "en", "contradicted"),
        ("五分之二的卡车使用天然气。", TRUCKS, "zh", "holds"),
        ("五分之三的卡车使用天然气。", TRUCKS, "zh", "contradicted"),
        ("每五户中有一户没有电表。", "小区共有420户，其中84户没有电表。", "zh", "holds"),
        ("每四户中有一户没有电表。", "小区共有420户，其中84户没有电表。", "zh", "contradicted"),
        ("מחצית מהעובדים גרים בעיר.", STAFF, "he", "holds"),
        ("רבע מהעובדים גרים בעיר.", STAFF, "he", "contradicted"),
        ("שלושה מתוך שישה עובדים גרים בעיר.", STAFF, "he", "holds"),
    ],
)
def test_a_share_in_words_is_that_of_a_part_in_its_whole(
    answer: str, text: str, language: str, code: str
) -> None:
    found = told(Case(answer, language=language, sources=(Source("S0", text),)))
    assert list(found.values()) == [code]


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "text"),
    [
        ("Half of the ships were built abroad.", SHIPS),
        ("A third of car guests paid by card.", GUESTS),
        ("Two in three tenants renewed.", SHIPS),
    ],
)
def test_a_share_is_denied_only_where_its_part_is_named(answer: str, text: str) -> None:
    found = told(Case(answer, language="en", sources=(Source("S0", text),)))
    assert list(found.values()) == ["not_compared"]
