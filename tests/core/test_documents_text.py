"""A number beside those of running text: its unit, the words around it and its own year must agree."""

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Source
from tests.core.document_cases import judged
from tests.tables import each_case

LIST = (
    "Depreciation was $4.1 million, $3.6 million and $2.9 million in 2023, 2022 and 2021, respectively. "
    "Property taxes were $1.3 million in 2023."
)


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "text", "supported"),
    [
        ("Depreciation in 2022 was $3.6 million.", LIST, True),
        ("Depreciation in 2022 was $2.9 million.", LIST, False),
        ("Depreciation in 2022 was $3.6 thousand.", LIST, False),
        ("Depreciation in 2022 was €3.6 million.", LIST, False),
        ("Property taxes in 2023 were $1.3 million.", LIST, True),
        ("Property taxes in 2023 were $4.1 million.", LIST, False),
        (
            "The vacancy rate in 2022 was 6.5%.",
            "The vacancy rate was 5.1% in 2023 compared to 6.5% in 2022.",
            True,
        ),
        (
            "The vacancy rate in 2023 was 6.5%.",
            "The vacancy rate was 5.1% in 2023 compared to 6.5% in 2022.",
            False,
        ),
        (
            "שיעור התפוסה בשנת 2022 היה 91.2%.",
            "שיעור התפוסה היה 93.4% בשנת 2023 לעומת 91.2% בשנת 2022.",
            True,
        ),
        (
            "שיעור התפוסה בשנת 2023 היה 91.2%.",
            "שיעור התפוסה היה 93.4% בשנת 2023 לעומת 91.2% בשנת 2022.",
            False,
        ),
        (
            'עלות המכר הייתה 8.1 מיליון ש"ח.',
            'עלות המכר הייתה 12.4 מיליון והרווח הגולמי 8.1 מיליון ש"ח.',
            False,
        ),
        (
            'הרווח הגולמי היה 8.1 מיליון ש"ח.',
            'עלות המכר הייתה 12.4 מיליון והרווח הגולמי 8.1 מיליון ש"ח.',
            True,
        ),
        (
            'דמי הכניסה ירדו מ-42 ש"ח ב-2021 לרמה של 36 ש"ח.',
            'דמי הכניסה: 42 ש"ח בשנת 2021, 36 ש"ח בשנת 2022.',
            True,
        ),
        ("2024年管理费用为1,088万元。", "2024年度业绩。管理费用由上年的1,021万元上升至1,088万元。", True),
        ("2023年的折旧费用为410万元。", "2023年折旧费用为410万元，物业税为130万元。", True),
        ("2023年的物业税为410万元。", "2023年折旧费用为410万元，物业税为130万元。", False),
    ],
)
def test_a_number_of_text_is_supported_with_its_own_words_and_year_only(
    answer: str, text: str, supported: bool
) -> None:
    language = "he" if "ה" in answer else "zh" if "年" in answer else "en"
    assert (judged(answer, text, language=language).status == "supported") is supported


@pytest.mark.requirement("NUM-06")
def test_what_something_rose_to_is_not_what_it_rose_by() -> None:
    text = "In 2023 rental income increased by $0.4 million to $4.8 million."
    assert judged("Rental income increased by $0.4 million in 2023.", text).status == "supported"
    assert judged("Rental income in 2023 was $4.8 million.", text).status == "supported"
    assert judged("The increase in rental income in 2023 was $4.8 million.", text).status != "supported"


@pytest.mark.requirement("NUM-06")
def test_a_bound_is_kept_by_the_named_figure_alone() -> None:
    text = "Occupancy was 93.4% in 2023. The expense ratio was 40.4% in 2023."
    assert judged("Occupancy was more than 90% in 2023.", text).status == "supported"
    assert judged("The expense ratio was more than 90% in 2023.", text).status != "supported"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "source", "start"),
    [
        ("The loan closed on 31 December 2023.", "The loan closed on December 31, 2023 with $5 of fees.", 19),
        ("The loan closed on 31 December 2023.", "Loan | December 31, 2023\nBalance | $5", 7),
    ],
)
def test_a_date_is_found_once_in_text_and_in_the_headings_of_a_table(
    answer: str, source: str, start: int
) -> None:
    case = Case(answer=answer, sources=(Source("S0", source),))
    read = claims.read(case)
    (found,) = [numeric.measure(Context(case, read)).claims[c.index] for c in read if c.kind == "date"]
    assert [(one.days, one.start) for one in found.candidates] == [((0, 0), start)]


CENTS = "Dividends on ordinary shares were 35 cents per share in 2023, 2022 and 2021."


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize("year", [2023, 2022, 2021])
def test_one_amount_holds_for_every_year_of_the_list_behind_it(year: int) -> None:
    assert judged(f"The dividend per share in {year} was $0.35.", CENTS).status == "supported"


@pytest.mark.requirement("NUM-06")
def test_hundredths_may_be_repeated_as_written_unless_the_sentence_names_the_whole_unit() -> None:
    assert judged("The dividend per ordinary share in 2022 was 35.", CENTS).status == "supported"
    assert judged("The dividend per ordinary share in 2022, in dollars, was 35.", CENTS).status != "supported"


FLOWS = (
    "Free cash flow was an outflow of $0.9 million in Q2 2024, against an inflow of $0.6 million in Q1 2024.",
    "2024年经营活动现金净流出1.2亿元，上年净流入0.8亿元。",
    "תזרים המזומנים מפעילות שוטפת בשנת 2024 היה שלילי והסתכם ב-12.4 מיליון דולר.",
)


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "text", "language", "code"),
    [
        ("Free cash flow in Q2 2024 was minus $0.9 million.", FLOWS[0], "en", "exact"),
        ("In Q2 2024 $0.9 million of cash flowed out on a free cash flow basis.", FLOWS[0], "en", "exact"),
        ("Free cash flow in Q2 2024 was $0.9 million.", FLOWS[0], "en", "sign"),
        ("Free cash flow in Q1 2024 was $0.6 million.", FLOWS[0], "en", "exact"),
        ("2024年经营活动现金流为-1.2亿元。", FLOWS[1], "zh", "exact"),
        ("2024年经营活动现金流为1.2亿元。", FLOWS[1], "zh", "sign"),
        ("תזרים המזומנים מפעילות שוטפת בשנת 2024 היה מינוס 12.4 מיליון דולר.", FLOWS[2], "he", "exact"),
        ("תזרים המזומנים מפעילות שוטפת בשנת 2024 היה 12.4 מיליון דולר.", FLOWS[2], "he", "sign"),
    ],
)
def test_what_text_calls_an_outflow_is_below_zero(answer: str, text: str, language: str, code: str) -> None:
    assert judged(answer, text, language=language).code == code


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(("number", "code"), [("88,200", "exact"), ("81,700", "off_period")])
def test_how_large_those_are_that_are_counted_is_no_figure(number: str, code: str) -> None:
    text = "Sales rose to 88,200 twelve-bottle crates in 2024 (2023: 81,700)."
    assert judged(f"It sold {number} crates in 2024.", text).code == code


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("right", "wrong", "text"),
    [
        ("€71.40 per MWh", "€71.40 per kWh", "The captured price was {} in 2024."),
        ("11.2 cubic metres of water", "11.2 litres of water", "The mill used {} in 2024."),
        ("3,410 tonnes of waste", "3,410 kilograms of waste", "The mill sent {} to landfill in 2024."),
        ("120 MW of storage", "120 MWh of storage", "The site added {} in 2024."),
        ("410 hl of beer", "410 litres of beer", "The brewery sold {} in 2024."),
        ("86 kilometres of pipe", "86 miles of pipe", "The utility renewed {} in 2024."),
    ],
)
def test_an_amount_in_another_unit_of_measure_is_another(right: str, wrong: str, text: str) -> None:
    source = text.format(right)
    assert judged(source, source).status == "supported"
    assert judged(text.format(wrong), source).code == "off_unit"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("source", "said", "code"),
    [
        ("3.4 hl of water per hl", "3.4 litres of water per litre", "exact"),
        ("3.4 litres of water per litre", "3.4 gallons of water per gallon", "exact"),
        ("3.4 hl of water per hl", "3.4 litres of water per hl", "off_unit"),
        ("3.4 hl of water per hl", "4.3 litres of water per litre", "transposed"),
    ],
)
def test_a_unit_per_itself_is_none(source: str, said: str, code: str) -> None:
    text = "The brewery used {} of beer in 2024."
    assert judged(text.format(said), text.format(source)).code == code


@pytest.mark.requirement("NUM-06")
def test_cents_are_those_of_the_texts_own_currency() -> None:
    text = "The average passenger spent €6.85 in the shops in 2024 and €6.40 in 2023."
    answer = "Spending of a passenger in the shops rose by {} cents to €6.85 in 2024."
    assert judged(answer.format(45), text, number="45 cents").code == "derived"
    assert judged(answer.format(54), text, number="54 cents").status in ("contradicted", "unsupported")


@pytest.mark.requirement("NUM-06")
def test_the_market_value_is_no_figure_of_the_market() -> None:
    text = "As of June 30, 2024, the market value of the leased fee interest is concluded at $63,200,000."
    assert (
        judged("The building was appraised at $63.2 million as of June 30, 2024.", text).status == "supported"
    )


@pytest.mark.requirement("NUM-06")
@each_case(
    ("text", "right", "wrong", "language"),
    [
        ("The plant uses 7,500 kWh every month.", "The plant uses 7.5 MWh a month.", "The plant uses 7.9 MWh a month.", "en"),
        ("The plant uses 7,500 kWh every month.", "The plant uses 90 MWh a year.", "The plant uses 75 MWh a year.", "en"),
        ("The check took 150 minutes.", "The check took two and a half hours.", "The check took three and a half hours.", "en"),
        ("The phase lasted 1.5 years.", "The phase lasted 18 months.", "The phase lasted 24 months.", "en"),
        ("Delivery takes 21 days.", "Delivery takes three weeks.", "Delivery takes four weeks.", "en"),
        ("The press weighs 1,200 kg.", "The press weighs 1.2 tonnes.", "The press weighs 1.2 short tons.", "en"),
        ("The site covers 45,000 square metres.", "The site covers 4.5 hectares.", "The site covers 5.4 hectares.", "en"),
        ("The brewery sold 45,000 litres.", "The brewery sold 450 hectolitres.", "The brewery sold 540 hectolitres.", "en"),
        ("The mill crushes 48 tons per day.", "The mill crushes 2 tons an hour.", "The mill crushes 48 tons an hour.", "en"),
        ("| Tunnel | Length, m |\n|---|---|\n| North | 3,600 |\n| South | 2,100 |", "The North tunnel is 3.6 km long.", "The North tunnel is 2.1 km long.", "en"),
        ("| Month | Use (kWh) |\n|---|---|\n| January | 7,500 |\n| February | 8,200 |", "Use in January was 7.5 MWh.", "Use in January was 8.2 MWh.", "en"),
        ("隧道全长3,600米。", "隧道全长3.6公里。", "隧道全长6.3公里。", "zh"),
        ("| 月份 | 用电量（千瓦时） |\n|---|---|\n| 1月 | 7,500 |\n| 2月 | 8,200 |", "1月用电量为7.5兆瓦时。", "1月用电量为8.2兆瓦时。", "zh"),
        ("工期为18个月。", "工期为一年半。", "工期为两年半。", "zh"),
        ("甲车间每小时用水2吨。", "甲车间每天用水48吨。", "甲车间每天用水24吨。", "zh"),
        ('המפעל צורך 7,500 קוט"ש בחודש.', "המפעל צורך 7.5 מגה-ואט שעה בחודש.", "המפעל צורך 9.5 מגה-ואט שעה בחודש.", "he"),
        ("הבדיקה נמשכה 150 דקות.", "הבדיקה נמשכה 2.5 שעות.", "הבדיקה נמשכה 3.5 שעות.", "he"),
    ],
)  # fmt: skip
def test_an_amount_is_compared_in_any_unit_of_its_dimension(
    text: str, right: str, wrong: str, language: str
) -> None:
    found = judged(right, text, language=language)
    assert (found.status, found.code) == ("supported", "derived"), found.reason
    assert judged(wrong, text, language=language).status != "supported"


@pytest.mark.requirement("NUM-06")
@each_case(
    ("text", "answer"),
    [
        ("The rate is $20 per hour.", "The rate is $480 a day."),
        ("Rent is $20 per square metre.", "Rent is $1.86 per square foot."),
        ("The mill crushes 20 tons per day.", "The mill crushes 20 tons an hour."),
        ("The tunnel took 20 months to build.", "The tunnel took two years to build."),
        ("The lease runs for 5 days.", "The lease runs for 5 business days."),
        ("The turbine produced 3 MWh.", "The turbine is rated at 3 MW."),
    ],
)
def test_money_and_what_is_no_such_amount_is_not_converted(text: str, answer: str) -> None:
    assert judged(answer, text).status != "supported"
