"""Numbers in the text of a source have the words of their sentence, their own year, and the unit said for all (NUM-06)."""

from decimal import Decimal

import pytest

from detection.core import evidence
from detection.core.types import Case, Source, never
from tests.core.table_cases import read
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-06")


PERIODS = [
    ("Sales were $5 and $6 million in 2019 and 2018, respectively.", ["2019", "2018"]),
    ("Sales were $5, $6 and $7 in 2019, 2018 and 2017, respectively.", ["2019", "2018", "2017"]),
    ("In 2019 and 2018, sales were $5 and $6, respectively.", ["2019", "2018"]),
    ("In 2019 and 2018, the 3 segments sold $5 and $6, respectively.", [None, "2019", "2018"]),
    ("Rent was $5 in 2019 and $6 in 2018.", ["2019", "2018"]),
    ("Rent was $5 in Q3 2024, $6 in Q2 2024.", ["2024-Q3", "2024-Q2"]),
    ("Report for 2024\n\nOccupancy was 86.3% (2023: 87.5%), while the rent reached $29.75.", ["2024", "2023", "2024"]),
    ("Report for 2024\n\nCosts were $13.1 million, against $12.4 million in 2023, so NOI was $23.8 million.", ["2024", "2023", "2024"]),
    ("BERN, 6 November 2024 — Results for the quarter ended 30 September 2024.\n\nSales were CHF 487 million.", ["2024-Q3"]),
    ("ההכנסות היו 5 ו-6 מיליון ש\"ח בשנים 2019 ו-2018, בהתאמה.", ["2019", "2018"]),
    ("2024年和2023年的租金收入分别为5万元和6万元。", ["2024", "2023"]),
    ("Net profit was 151, 144 and 169 in the first to third quarters of 2024, respectively.", ["2024-Q1", "2024-Q2", "2024-Q3"]),
    ("Quarterly sales were $3.1m, $2.9m, $3.4m and $3.8m from Q1 to Q4 2024.", ["2024-Q1", "2024-Q2", "2024-Q3", "2024-Q4"]),
    ("From January to March 2024 the clinic saw 310, 295 and 342 patients.", ["2024-01", "2024-02", "2024-03"]),
    ("In the first three quarters of 2024 the mill shipped 12, 15 and 11 tons, respectively.", ["2024-Q1", "2024-Q2", "2024-Q3"]),
    ("In the first three quarters of 2024 the mills shipped 12, 15 and 11 tons.", ["2024-01-01/2024-09-30"] * 3),
    ("Sales of $5, $6 and $7 were booked at Oak, Elm and Ash in Q1 to Q3 2024.", ["2024-01-01/2024-09-30"] * 3),
    ("In Q1 to Q3 2024 Oak, Elm and Ash sold 5, 6 and 7, respectively.", ["2024-01-01/2024-09-30"] * 3),
    ("Oak, Elm and Ash sold 5, 6 and 7 from Q1 to Q3 2024.", ["2024-01-01/2024-09-30"] * 3),
    ("From Q1 to Q3 2024 sales were 5, 6 and 7 at Oak, Elm and Ash.", ["2024-01-01/2024-09-30"] * 3),
    ("From Q1 to Q3 2024 sales were 5, 6 and 7, driven by volume, price and mix.", ["2024-Q1", "2024-Q2", "2024-Q3"]),
    ("In 2022 to 2023, net profit was 5 and 6.", ["2022", "2023"]),
    ("ברבעונים הראשון עד השלישי של 2024 היה הרווח 151, 144 ו-169, בהתאמה.", ["2024-Q1", "2024-Q2", "2024-Q3"]),
    ("בשנים 2021 עד 2023 היו ההוצאות 12, 15 ו-19 מיליון ש\"ח.", ["2021", "2022", "2023"]),
    ("2024年一至三季度分别实现收入3.1亿元、2.9亿元和3.4亿元。", ["2024-Q1", "2024-Q2", "2024-Q3"]),
    ("2021年至2023年，研发费用分别为1.2亿元、1.5亿元和1.9亿元。", ["2021", "2022", "2023"]),
]  # fmt: skip


@pytest.mark.parametrize(("chunk", "periods"), PERIODS)
def test_each_number_has_the_period_said_for_it(chunk: str, periods: list[str | None]) -> None:
    for place, period in zip(read(chunk), periods, strict=True):
        assert period is None or place.iso == period


LISTS = [
    ("It paid $1.2 and $1.5 million.", [("1200000", "USD"), ("1500000", "USD")]),
    ("It paid $1.2, $1.3 and $1.5 million.", [("1200000", "USD"), ("1300000", "USD"), ("1500000", "USD")]),
    (
        "It paid €151, 144 and 178 million.",
        [("151000000", "EUR"), ("144000000", "EUR"), ("178000000", "EUR")],
    ),
    ("It has $3, 5 towers and 6 million dollars.", [("3", "USD"), ("5", ""), ("6000000", "USD")]),
    ("It paid 1.2 and 1.5 million dollars.", [("1200000", "USD"), ("1500000", "USD")]),
    ("Rates were 5 and 6 %.", [("5", "%"), ("6", "%")]),
    ("Shares were 5, 6 and 7 percent.", [("5", "%"), ("6", "%"), ("7", "%")]),
    ("It paid $1,200,000 and $1.5 million.", [("1200000", "USD"), ("1500000", "USD")]),
    ("It paid $2 thousand and $1.5 million.", [("2000", "USD"), ("1500000", "USD")]),
    (
        "It made 41, 44, 39 and 52 thousand tonnes.",
        [("41000", "ton"), ("44000", "ton"), ("39000", "ton"), ("52000", "ton")],
    ),
    ('הרווח היה 12, 15 ו-19 מיליון ש"ח.', [("12000000", "ILS"), ("15000000", "ILS"), ("19000000", "ILS")]),
    ("收入分别为3.1、2.9和3.4亿元。", [("310000000", "CNY"), ("290000000", "CNY"), ("340000000", "CNY")]),
    ("It has 3 malls, 5 towers and 6 million dollars.", [("3", ""), ("5", ""), ("6000000", "USD")]),
    ("It has 5 buildings and 6 % vacancy.", [("5", ""), ("6", "%")]),
]


@pytest.mark.parametrize(("chunk", "values"), LISTS)
def test_a_unit_said_once_holds_for_the_list(chunk: str, values: list[tuple[str, str]]) -> None:
    assert [(f"{place.value:f}".removesuffix(".0"), place.unit) for place in read(chunk)] == values


def words(chunk: str) -> list[frozenset[str]]:
    """The words that may name each number of a chunk, besides those of no number of its own."""
    (prose,) = evidence.read(Case("", sources=(Source("S1", chunk),)), never).grids
    return [prose.axes[0].labels[fact.at[0]].forms[0] for fact in prose.facts]


def test_each_number_of_a_list_has_the_words_of_its_own_item() -> None:
    first, second = words("Revenue and debt service were $3 and $1 in 2019, respectively.")
    assert "revenue" in first
    assert "debt" not in first
    assert "debt" in second
    assert "revenue" not in second


def test_a_sentence_broken_by_the_width_of_a_page_is_one() -> None:
    chunk = (
        "The net operating income of the property on Oak Street in Boston\nrose to $5 million. Rent was $3."
    )
    first, second = words(chunk)
    assert {"boston", "§net_operating_income"} <= first
    assert "§net_operating_income" not in second


def test_short_lines_are_sentences_of_their_own() -> None:
    (first, second) = words("NOI: $5\nOccupancy: 91 %")
    assert "§occupancy_rate" in second
    assert "§occupancy_rate" not in first
    assert "§net_operating_income" not in second


def test_places_are_those_of_the_text_as_submitted() -> None:
    chunk = "İNOI \u200fwas $1\u200b,234 in 2019."
    (place,) = read(chunk)
    assert place.text == "$1\u200b,234"
    assert place.value == 1234
    assert chunk[place.start : place.end] == place.text


ROWS = "cinema,admissions,revenue\nBondi,142.3,2312\nManly,98.7,1604"
UNITS = "Admissions in thousand, revenue in AUD thousand."


@each_case(
    "chunk, written",
    [
        (f"# {UNITS}\n# The circuit has 14 screens.\n{ROWS}", "14"),
        (f"{ROWS}\n# {UNITS}\n# The circuit has 14 screens.", "14"),
        (f"Cinemas, Q2 2024. {UNITS} The circuit has 14 screens.\n{ROWS}", "14"),
        (f"# {UNITS}\n# Spend per head for the circuit was AUD 7.10 in Q2 2024.\n{ROWS}", "AUD 7.10"),
        ("The network serves 7,300 connections.\nPlant | Heat | Staff\nNordby | 41,250 | 14\nSonder | 28,900 | 11", "7,300"),
        ("Item | 2024 | 2023\nSales | 512 | 480\nCosts rose by 7 percent.\nWages | 210 | 190\nRent | 88 | 85", "7 percent"),
        ("<table><caption>Wards. The target is 85 percent.</caption><tr><th>Ward<th>Beds<th>Bed days</tr><tr><td>Maple<td>32<td>871</tr><tr><td>Birch<td>28<td>703</tr></table>", "85 percent"),
        ('תפוקה בטונות, הכנסות באלפי ש"ח. במפעל עובדים 340 איש.\nמפעל | תפוקה | הכנסות\nצפון | 5,210 | 11,200\nדרום | 3,980 | 8,560', "340"),
        ("# 供水量以万立方米计，水费收入以万元计。\n# 管网漏损率为9.8%。\n区域,供水量,水费收入\n南区,1830,5490\n北区,1270,3810", "9.8%"),
    ],
)  # fmt: skip
def test_a_whole_sentence_beside_or_within_a_table_is_prose(chunk: str, written: str) -> None:
    places = read(chunk)
    assert [place.table for place in places if place.text == written] == [-1]
    assert [place.text for place in places if place.table < 0] == [written]


@each_case(
    "chunk, written, value",
    [
        (f"# {UNITS}\n# The circuit has 14 screens.\n{ROWS}", "2312", "2312000"),
        (f"Cinemas, Q2 2024. {UNITS} The circuit has 14 screens.\n{ROWS}", "142.3", "142300"),
        ("Item | 2024 | 2023\nSales | 512 | 480\nCosts rose by 7 percent.\nRent | 88 | 85", "88", "88"),
    ],
)  # fmt: skip
def test_a_sentence_parts_no_table_from_its_units_and_headings(chunk: str, written: str, value: str) -> None:
    place = next(place for place in read(chunk) if place.text == written)
    assert (place.value, bool(place.column)) == (Decimal(value), True)


@each_case(
    "caption",
    [
        "Table 3. Rents by shop.",
        "Occupancy of 412 rooms",
        "Rents in the 12 months.",
        "Rents at 31 December 2024.",
    ],
)
def test_a_title_is_of_its_table(caption: str) -> None:
    places = read(f"{caption}\nShop | Rent\nOak | 5,100\nElm | 4,300")
    assert [place.text for place in places] == ["5,100", "4,300"]
