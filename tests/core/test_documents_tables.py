"""A number beside the cells of a table: only its own row, column, year, unit, scale and sign support it."""

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Source
from tests.core.document_cases import CHINESE, ENGLISH, HEBREW, judged
from tests.tables import each_case

TABLES = {"en": ENGLISH, "he": HEBREW, "zh": CHINESE}


@pytest.mark.requirement("NUM-06")
@each_case(
    ("language", "answer"),
    [
        ("en", "Rental income in 2023 was $4,812 thousand."),
        ("en", "In 2022 the rental income came to $4,377 thousand."),
        ("en", "NOI in 2023 was $3,481 thousand."),
        ("en", "The occupancy rate in 2023 was 93.4%."),
        ("en", "Operating expenses in 2023 were $1,946 thousand."),
        ("en", "Rental income in 2023 was $4.8 million."),
        ("he", 'ההכנסות משכירות בשנת 2023 היו 4,812 אלף ש"ח.'),
        ("he", "שיעור התפוסה בשנת 2023 היה 93.4%."),
        ("he", 'הוצאות התפעול בשנת 2023 היו 1,946 אלף ש"ח.'),
        ("zh", "2023年租金收入为4,812千元。"),
        ("zh", "2023年租金收入为481.2万元。"),
        ("zh", "2023年出租率为93.4%。"),
        ("zh", "2023年运营费用为1,946千元。"),
    ],
)
def test_the_value_of_the_named_row_and_year_is_supported(language: str, answer: str) -> None:
    assert judged(answer, TABLES[language], language=language).code == "exact"


@pytest.mark.requirement("NUM-06")
@each_case(
    ("language", "answer", "code"),
    [
        ("en", "Rental income in 2023 was $4,377 thousand.", "off_period"),
        ("en", "Rental income in 2023 was $615 thousand.", "off_metric"),
        ("en", "Rental income in 2023 was $4,812 million.", "scale"),
        ("en", "Rental income in 2023 was -$4,812 thousand.", "sign"),
        ("en", "Rental income in 2023 was $4,182 thousand.", "transposed"),
        ("en", "Rental income in 2023 was €4,812 thousand.", "not_found"),
        ("en", "Rental income in 2023 was $9,812 thousand.", "not_found"),
        ("en", "The occupancy rate in 2023 was 93.4 basis points.", "not_found"),
        ("he", 'ההכנסות משכירות בשנת 2023 היו 4,377 אלף ש"ח.', "off_period"),
        ("he", 'ההכנסות משכירות בשנת 2023 היו 615 אלף ש"ח.', "off_metric"),
        ("he", 'ההכנסות משכירות בשנת 2023 היו 4,812 מיליון ש"ח.', "scale"),
        ("he", 'ההכנסות משכירות בשנת 2023 היו -4,812 אלף ש"ח.', "sign"),
        ("he", 'ההכנסות משכירות בשנת 2023 היו 4,182 אלף ש"ח.', "transposed"),
        ("he", "ההכנסות משכירות בשנת 2023 היו 4,812 אלף דולר.", "not_found"),
        ("he", 'ההכנסות משכירות בשנת 2023 היו 9,812 אלף ש"ח.', "not_found"),
        ("zh", "2023年租金收入为4,377千元。", "off_period"),
        ("zh", "2023年租金收入为615千元。", "off_metric"),
        ("zh", "2023年租金收入为4,812万元。", "scale"),
        ("zh", "2023年租金收入为4,182千元。", "transposed"),
        ("zh", "2023年租金收入为4,812千美元。", "not_found"),
        ("zh", "2023年租金收入为9,812千元。", "not_found"),
    ],
)
def test_a_value_of_another_slot_or_a_misread_one_is_not_support_and_says_which(
    language: str, answer: str, code: str
) -> None:
    assert judged(answer, TABLES[language], language=language).code == code


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    "answer",
    [
        "The change in rental income between 2022 and 2023 was $4,812 thousand.",
        "The average rental income of 2022 and 2023 was $4,377 thousand.",
        "The sum of rental income in 2022 and 2023 was $4,812 thousand.",
        "The ratio of rental income to operating expenses in 2023 was 4,812.",
    ],
)
def test_a_single_cell_is_no_support_where_the_sentence_asks_for_several(answer: str) -> None:
    assert judged(answer, ENGLISH).status != "supported"


@pytest.mark.requirement("NUM-06")
def test_a_change_is_supported_by_a_column_of_changes() -> None:
    table = " | 2023 | 2022 | Change\nRental income | $4,812 | $4,377 | $435\nParking income | 615 | 588 | 27"
    assert judged("The change in rental income from 2022 to 2023 was $435.", table).status == "supported"


@pytest.mark.requirement("NUM-06")
def test_brackets_may_be_stated_without_their_sign_only_where_words_say_that_it_goes_out() -> None:
    table = " | 2023\nInterest expense | (212)\nFair value adjustment | (333)"
    assert judged("Interest expense in 2023 was $212.", table).code == "exact"
    assert judged("The fair value adjustment in 2023 was $333.", table).code == "sign"


@pytest.mark.requirement("NUM-06")
def test_a_count_is_stated_without_the_brackets_of_its_cell() -> None:
    table = "Restricted shares | 2023\nGranted | 48,500\nForfeited | (6,210)"
    assert judged("The number of restricted shares forfeited in 2023 was 6,210.", table).code == "exact"


@pytest.mark.requirement("NUM-06")
def test_a_row_without_a_label_is_the_total_of_its_section() -> None:
    table = " | 2023 | 2022\nDeferred income | | \nCurrent | 53.2 | 55.2\nNon-current | 13.6 | 14.4\n | 66.8 | 69.6"
    assert judged("Total deferred income in 2023 was 66.8.", table).code == "exact"


@pytest.mark.requirement("NUM-06")
def test_the_year_of_the_question_decides_where_the_sentence_names_none() -> None:
    def code(question: str) -> str:
        case = Case(
            answer="Rental income was $4,377 thousand.", question=question, sources=(Source("S0", ENGLISH),)
        )
        measured = numeric.measure(Context(case, claims.read(case)))
        return numeric.decide(measured, Context()).findings[0].code

    assert code("What was rental income in 2022?") == "exact"
    assert code("What was rental income in 2023?") == "off_period"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("caption", "answer", "status"),
    [
        ("Amounts in thousands of dollars.", "Rental income in 2023 was $4,812 thousand.", "supported"),
        ("Amounts in thousands of dollars.", "Rental income in 2023 was $4,812 million.", "contradicted"),
        ("Amounts in millions of dollars.", "Rental income in 2023 was $4,812 million.", "supported"),
        ("The property was built in 1987.", "Rental income in 2023 was $4,812.", "supported"),
        ("The property was built in 1987.", "Rental income in 2023 was $4,812 thousand.", "contradicted"),
    ],
)
def test_a_chunk_beside_the_table_may_declare_its_scale(caption: str, answer: str, status: str) -> None:
    table = " | 2023 | 2022\nRental income | $4,812 | $4,377\nParking income | $615 | $588"
    assert judged(answer, table, caption).status == status


UNDECLARED = " | 2023 | 2022\nRental income | 48,120 | 43,770\nParking income | 6,150 | 5,880\nCleaning | 9,460 | 8,520"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Rental income in 2023 was $48,120 thousand.", "supported"),
        ("Rental income in 2023 was $48.12 million.", "supported"),
        ("Rental income in 2023 was $43,770 thousand.", "unsupported"),
        ("Rental income in 2023 was $43.77 million.", "unsupported"),
        ("Rental income in 2023 was $48,120 billion.", "contradicted"),
    ],
)
def test_a_table_without_a_scale_has_the_one_that_makes_it_as_large_as_the_text(
    answer: str, status: str
) -> None:
    told = "Rents of new tenants were $8.5 million and those of the annex $14.2 million."
    assert judged(answer, UNDECLARED, told).status == status


@pytest.mark.requirement("NUM-06")
def test_a_few_amounts_say_nothing_of_a_scale() -> None:
    assert (
        judged("Rental income was $48,120 thousand.", "Rental income | 48,120", "It cost $9 million.").status
        != "supported"
    )


LOANS = "The maturities of our loans, without leases, for the next years are as follows:"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize("told", [(LOANS, "MATURITIES"), ("MATURITIES", LOANS)], ids=["before", "behind"])
def test_the_sentence_that_introduces_a_table_names_rows_that_are_only_years(told: tuple[str, str]) -> None:
    table = " | amount (in thousands)\n2024 | 38,537\n2025 | 11,105\n2026 | 27,085"
    other = "Our loans to tenants of the annex were $14 million, and the leases came to $95 million."
    texts = [table if text == "MATURITIES" else text for text in told]
    assert judged("The maturities of loans in 2024 are 38,537.", *texts, other).status == "supported"
    assert judged("The maturities of loans in 2024 are 11,105.", *texts, other).status != "supported"


@pytest.mark.requirement("NUM-06")
def test_a_month_is_named_by_its_abbreviation() -> None:
    table = "Issued | Warrants\nAug | 842\nOct | 917\nDec | 553"
    assert judged("The warrants issued in August were 842.", table).status == "supported"
    assert judged("The warrants issued in October were 842.", table).status != "supported"


@pytest.mark.requirement("NUM-06")
def test_an_amount_is_in_no_column_that_counts() -> None:
    table = (
        "| Class of member | Customers 2024 | Visits 2024 | Revenue 2024 ($) |\n|---|---|---|---|\n"
        "| Student | 4,120 | 90,100 | 61,800 |\n| Corporate | 310 | 4,400 | 248,000 |"
    )
    answer = "Student customers accounted for a fifth of 2024 club revenue ($61,800)."
    assert judged(answer, table).code == "exact"
    assert judged("Student customers brought the club $61,800 in 2024.", table).code == "exact"
    assert judged("Student customers brought the club $248,000 in 2024.", table).code == "off_property"


PARTED = (
    "Ward    Beds    Bed days 2023    Bed days 2024    Discharges 2024    Average stay 2024 (days)\n"
    "Internal A    42    14,620    15,105    3,284    4.6\n"
    "Orthopaedics    30    9,150    8,760    1,718    5.1\n"
    "Total    142    44,990    46,095    11,997    3.8"
)
PARTED_HEBREW = (
    "מחלקה    מיטות    ימי אשפוז 2023    ימי אשפוז 2024    משתחררים 2024    שהות ממוצעת 2024 (ימים)\n"
    "פנימית א'    42    14,620    15,105    3,284    4.6\n"
    "אורתופדיה    30    9,150    8,760    1,718    5.1\n"
    'סה"כ    142    44,990    46,095    11,997    3.8'
)


@pytest.mark.requirement("NUM-06")
@each_case(
    ("language", "answer", "number", "code"),
    [
        ("en", "Bed days in total grew by 1,105 to 46,095 in 2024.", "1,105", "derived"),
        ("en", "Bed days in total grew by 1,105 to 46,095 in 2024.", "46,095", "exact"),
        ("en", "Bed days in total grew by 1,150 to 46,095 in 2024.", "1,150", "transposed"),
        (
            "en",
            "Total bed days grew by 1,105 to 46,095, although orthopaedics saw 390 fewer.",
            "390",
            "derived",
        ),
        ("en", "Total bed days grew by 1,105, although orthopaedics saw 390 more.", "390", "sign"),
        ("en", "Total bed days grew by 1,105, although orthopaedics saw 490 fewer.", "490", "not_found"),
        ("en", "In 2023 total bed days were 46,095.", "46,095", "off_period"),
        ("en", "Discharges from Internal A came to 1,718 in 2024.", "1,718", "off_property"),
        ("he", "ימי האשפוז בסך הכול גדלו ב-1,105 ל-46,095 בשנת 2024.", "1,105", "derived"),
        ("he", "ימי האשפוז בסך הכול גדלו ב-1,105 ל-46,095 בשנת 2024.", "46,095", "exact"),
        ("he", "בשנת 2024 היו בפנימית א' 14,620 ימי אשפוז.", "14,620", "off_period"),
        (
            "he",
            "ימי האשפוז גדלו בסך הכול ל-46,095 בשנת 2024, אף שבאורתופדיה נרשמו 390 פחות.",
            "390",
            "derived",
        ),
    ],
)
def test_cells_that_blanks_only_part_are_of_their_own_heading(
    language: str, answer: str, number: str, code: str
) -> None:
    text = {"en": PARTED, "he": PARTED_HEBREW}[language]
    assert judged(answer, text, language=language, number=number).code == code


def statuses(answer: str, text: str) -> set[str]:
    """What is said of the numbers of an answer beside one source."""
    case = Case(answer=answer, sources=(Source("S0", text),))
    measured = numeric.measure(Context(case, claims.read(case)))
    return {one.status for one in numeric.decide(measured, Context()).findings}


MARGINS = "Loan,Borrower,Balance (USD),Margin_bps,Maturity\nA1,Orrin Foods,4100000,315,2027-03-31\nA2,Vale Dairies,2600000,240,2028-06-30"
RISKS = "| | 2024 | 2023 |\n|---|--:|--:|\n| Cost of risk, basis points | 41 | 55 |\n| Net interest margin (bps) | 312 | 298 |"


@pytest.mark.requirement("NUM-06")
@each_case(
    ("text", "answer", "is_right"),
    [
        (MARGINS, "Vale Dairies pays a margin of 240 basis points.", True),
        (MARGINS, "Vale Dairies pays a margin of 240 percent.", False),
        (MARGINS, "Vale Dairies pays a margin of 315 basis points.", False),
        (MARGINS, "Vale Dairies' margin rose by 240 bps.", False),
        (RISKS, "The cost of risk was 41 basis points in 2024, after 55 in 2023.", True),
        (RISKS, "The cost of risk was 55 basis points in 2024, after 41 in 2023.", False),
        (RISKS, "The net interest margin improved by 14 basis points to 3.12%.", True),
        (RISKS, "The net interest margin improved by 24 basis points to 3.12%.", False),
        ("| | 2024年 |\n|---|---|\n| 风险成本（基点） | 41 |\n| 净息差（基点） | 312 |", "2024年净息差为312个基点。", True),
        ("| | 2024年 |\n|---|---|\n| 风险成本（基点） | 41 |\n| 净息差（基点） | 312 |", "2024年净息差为41个基点。", False),
    ],
)  # fmt: skip
def test_a_heading_in_basis_points_gives_levels_in_them(text: str, answer: str, *, is_right: bool) -> None:
    assert {"contradicted", "unsupported", "unverified"}.isdisjoint(statuses(answer, text)) is is_right


COSTS = "Cost report No. 7                                   Page 3 of 9\nHarbour Sheds (GBP 000)          As at 30 June 2025\nPackage              Budget   Committed   Forecast final\nPiling                3,400       3,210            3,310\nSteelwork             9,250       9,900           10,050\nTotal                12,650      13,110           13,360\n"


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "is_right"),
    [
        ("The forecast final cost is £13.36 million against a budget of £12.65 million.", True),
        ("The forecast final cost is £12.65 million against a budget of £13.36 million.", False),
        ("Steelwork has a forecast final of £10.05 million and a budget of £9.25 million.", True),
        ("Steelwork has a forecast final of £9.25 million and a budget of £10.05 million.", False),
        ("Steelwork's forecast final cost is above its budget by £800,000.", True),
        ("Steelwork's forecast final cost is below its budget by £800,000.", False),
        ("The forecast final cost of piling is £90,000 less than its budget.", True),
        ("The forecast final cost of piling is £90,000 more than its budget.", False),
    ],
)
def test_a_forecast_beside_a_budget_is_told_from_it(answer: str, *, is_right: bool) -> None:
    assert {"contradicted", "unsupported"}.isdisjoint(statuses(answer, COSTS)) is is_right
