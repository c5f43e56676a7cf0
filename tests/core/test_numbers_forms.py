"""The forms of numbers in English, Hebrew and Chinese (NUM-01…NUM-04)."""

from decimal import Decimal

import pytest

from detection.core.numbers import extract

ENGLISH = [
    ("NOI was $1,234,567.89.", "currency", "1234567.89", "USD"),
    ("It cost $1.2M.", "currency", "1200000", "USD"),
    ("It cost $500K.", "currency", "500000", "USD"),
    ("about 1.5 million dollars", "currency", "1500000", "USD"),
    ("five million dollars", "currency", "5000000", "USD"),
    ("EUR 3 bn", "currency", "3000000000", "EUR"),
    ("a loss of ($1,234)", "currency", "-1234", "USD"),
    ("it was -$5", "currency", "-5", "USD"),
    ("it was $-5.2", "currency", "-5.2", "USD"),
    ("it was $(5.2) million", "currency", "-5200000", "USD"),
    ("£12.50 a seat", "currency", "12.50", "GBP"),
    ("55,00 €", "currency", "55.00", "EUR"),
    ("HK$5 each", "currency", "5", "HKD"),
    ("occupancy of 85.5%", "percentage", "85.5", "%"),
    ("12.5 percent", "percentage", "12.5", "%"),
    ("15.25 percentage", "percentage", "15.25", "%"),
    ("twenty-five percent", "percentage", "25", "%"),
    ("down 40 bps", "percentage", "0.40", "pp"),
    ("up 2.5 percentage points", "percentage", "2.5", "pp"),
    ("DSCR 1.25", "ratio", "1.25", "x"),
    ("1.5x coverage", "ratio", "1.5", "x"),
    ("a ratio of 1.25", "ratio", "1.25", "x"),
    ("1.25× covered", "ratio", "1.25", "x"),
    ("3.5 times earnings", "ratio", "3.5", "x"),
    ("not less than 1.25 to 1", "ratio", "1.25", "x"),
    ("leverage of 1.68:1.0", "ratio", "1.68", "x"),
    ("its coverage ratio stood at 1.25", "ratio", "1.25", "x"),
    ("312 units", "number", "312", ""),
    ("36,821 standing alone", "number", "36821", ""),
]
HEBREW = [
    ('ההכנסות הסתכמו ב-1.2 מיליון ש"ח', "currency", "1200000", "ILS"),
    ("₪500 אלף", "currency", "500000", "ILS"),
    ("5 מיליון דולר", "currency", "5000000", "USD"),
    ("חמישה מיליון שקלים", "currency", "5000000", "ILS"),
    ("התפוסה עמדה על 85.5 אחוזים", "percentage", "85.5", "%"),
    ("ירידה של 3 אחוז", "percentage", "3", "%"),
    ("עלייה של 40 נקודות בסיס", "percentage", "0.40", "pp"),
    ("יחס כיסוי החוב היה 1.25", "ratio", "1.25", "x"),
    ("312 דירות", "number", "312", ""),
]
CHINESE = [
    ("净营业收入为1,234.5万元", "currency", "12345000.0", "CNY"),
    ("约3.2亿美元", "currency", "320000000", "USD"),
    ("五百万美元", "currency", "5000000", "USD"),
    ("出租率百分之八十五点五", "percentage", "85.5", "%"),
    ("出租率为85.5％", "percentage", "85.5", "%"),
    ("百分之85", "percentage", "85", "%"),
    ("上升2个百分点", "percentage", "2", "pp"),
    ("偿债覆盖率为1.25倍", "ratio", "1.25", "x"),
    ("312套公寓", "number", "312", ""),
]
DATES = [
    ("Q3 2024", "2024-Q3"),
    ("3Q24", "2024-Q3"),
    ("Q3'24", "2024-Q3"),
    ("third quarter of 2024", "2024-Q3"),
    ("the 1st quarter of 2013", "2013-Q1"),
    ("H1 2024", "2024-H1"),
    ("FY2024", "2024"),
    ("fiscal 2024", "2024"),
    ("December 2024", "2024-12"),
    ("Dec 2024", "2024-12"),
    ("2024-12-01", "2024-12-01"),
    ("12/01/2024", "2024-12-01"),
    ("31/12/2024", "2024-12-31"),
    ("31 December 2024", "2024-12-31"),
    ("July 4th, 2024", "2024-07-04"),
    ("since 2024", "2024"),
    ("רבעון 3 2024", "2024-Q3"),
    ("הרבעון השלישי של 2024", "2024-Q3"),
    ("ב-31 בדצמבר 2024", "2024-12-31"),
    ("דצמבר 2024", "2024-12"),
    ("2024年12月", "2024-12"),
    ("2024年12月31日", "2024-12-31"),
    ("2024年第三季度", "2024-Q3"),
    ("2024年上半年", "2024-H1"),
]


@pytest.mark.requirement("NUM-01")
@pytest.mark.requirement("NUM-02")
@pytest.mark.requirement("NUM-03")
@pytest.mark.parametrize(("text", "kind", "value", "unit"), ENGLISH + HEBREW + CHINESE)
def test_a_number_is_read_with_its_kind_value_and_unit(text: str, kind: str, value: str, unit: str) -> None:
    read = [(claim.kind, claim.value, claim.unit) for claim in extract(text)]
    assert read == [(kind, Decimal(value), unit)]


@pytest.mark.requirement("NUM-04")
@pytest.mark.parametrize(("text", "iso"), DATES)
def test_a_date_is_read_in_its_iso_form(text: str, iso: str) -> None:
    assert [(claim.kind, claim.value) for claim in extract(text)] == [("date", iso)]


def test_a_date_has_both_ends_of_its_period() -> None:
    (quarter,) = extract("Q3 2024")
    assert (str(quarter.start_date), str(quarter.end_date)) == ("2024-07-01", "2024-09-30")
    (year,) = extract("year ended December 31, 2024")
    assert (str(year.start_date), str(year.end_date)) == ("2024-01-01", "2024-12-31")


def test_the_language_decides_an_ambiguous_date() -> None:
    assert extract("03/04/2024")[0].value == "2024-03-04"
    assert extract("03/04/2024", "he")[0].value == "2024-04-03"


def test_an_impossible_day_is_a_claim_without_ends_and_an_impossible_month_is_none() -> None:
    (claim,) = extract("on 02/30/2024")
    assert (claim.value, claim.start_date) == ("2024-02-30", None)
    assert not [claim for claim in extract("on 13/13/2024") if claim.kind == "date"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("$1.2–1.5M", ["1200000", "1500000"]),
        ("85–90%", ["85", "90"]),
        ("5 to 10 percent", ["5", "10"]),
        ("$1.2M to $1.5M", ["1200000", "1500000"]),
    ],
)
def test_both_ends_of_a_range_share_scale_and_unit(text: str, values: list[str]) -> None:
    read = extract(text)
    assert [claim.value for claim in read] == [Decimal(value) for value in values]
    assert len({(claim.kind, claim.unit) for claim in read}) == 1


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("$1.2M", "50000"),
        ("$1,234.56", "0.005"),
        ("85 %", "0.5"),
        ("40 bps", "0.005"),
        ("$5 thousand", "500"),
    ],
)
def test_precision_is_half_a_unit_of_the_last_stated_digit(text: str, half: str) -> None:
    assert extract(text)[0].precision == Decimal(half)


@pytest.mark.parametrize("text", ["about 5%", "nearly $5", "~5%", "כ-5%", "בערך 5%", "约5%", "5%左右"])
def test_approximation_is_seen_in_three_languages(text: str) -> None:
    assert [claim.approximate for claim in extract(text)] == [True]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("at least 5%", "at_least"), ("more than $3M", "at_least"), ("up to 10%", "at_most"), ("no more than 10%", "at_most"),
        ("לפחות 5%", "at_least"), ("עד 5%", "at_most"), ("至少5%", "at_least"), ("不超过5%", "at_most"), ("5% or more", "at_least"),
    ],
)  # fmt: skip
def test_a_bound_is_seen_in_three_languages(text: str, bound: str) -> None:
    assert extract(text)[0].bound == bound


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("increased by 5.2 %", "up"), ("down 40 bps", "down"), ("a decline of about 5%", "down"), ("עלה ב-5%", "up"),
        ("下降5%", "down"), ("5% higher", "up"), ("rose to 5%", None), ("NOI was 5%", None),
    ],
)  # fmt: skip
def test_direction_is_seen_where_a_change_is_stated(text: str, direction: str | None) -> None:
    assert extract(text)[0].direction == direction


@pytest.mark.parametrize(
    "text", ["١٢٣٤ units", "१२३४ units", "１２３４ units", "𝟏𝟐𝟑𝟒 units", "1\u200b234 units"]
)
def test_digits_of_any_script_and_hidden_characters_are_read_as_one_number(text: str) -> None:
    (claim,) = extract(text)
    assert claim.value == Decimal(1234)
    assert text[claim.start : claim.end] == claim.text
