"""Quarters, months, several figures in a sentence, scales of other chunks: which slot of a source a number is of."""

from calendar import monthrange
from datetime import date

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Finding, Named, Period, Source
from tests.core.document_cases import judged
from tests.tables import each_case

ENGLISH = "Metric | Q3 2024 | Q4 2024\nNOI | $1,200,000 | $1,300,000\nNet income | $610,000 | $640,000\nOccupancy | 91% | 93%"
MONTHS = "Metric | Jan 2024 | Feb 2024\nParking income | 61,250 | 58,930\nOccupancy rate | 91.5% | 92.5%"
HEBREW = (
    "מדד | רבעון 3 2024 | רבעון 4 2024\nהכנסה תפעולית נטו | $1,200,000 | $1,300,000\nשיעור התפוסה | 91% | 93%"
)
CHINESE = "指标 | 2024年第三季度 | 2024年第四季度\n净营业收入 | $1,200,000 | $1,300,000\n出租率 | 91% | 93%"
SOURCES = {"en": ENGLISH, "he": HEBREW, "zh": CHINESE}


def codes(answer: str, *texts: str, language: str = "en") -> list[str]:
    """The codes of the answer's numbers in order, dates left out."""
    case = Case(
        answer=answer, sources=tuple(Source(f"S{n}", text) for n, text in enumerate(texts)), language=language
    )
    return [finding.code for finding in found(case)]


def found(case: Case) -> list[Finding]:
    """The findings of a case's numbers, dates left out."""
    read = claims.read(case)
    decided = numeric.decide(numeric.measure(Context(case, read)), Context())
    return [finding for finding in decided.findings if read[finding.claim].kind != "date"]


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("language", "answer", "code"),
    [
        ("en", "NOI in Q4 2024 was $1,300,000.", "exact"),
        ("en", "NOI in Q4 2024 was $1,200,000.", "off_period"),
        ("en", "Occupancy in the third quarter of 2024 was 93%.", "off_period"),
        ("he", "ברבעון 4 של 2024, ההכנסה התפעולית נטו הייתה $1,300,000.", "exact"),
        ("he", "ברבעון 4 של 2024, ההכנסה התפעולית נטו הייתה $1,200,000.", "off_period"),
        ("zh", "2024年第四季度净营业收入为$1,300,000。", "exact"),
        ("zh", "2024年第四季度净营业收入为$1,200,000。", "off_period"),
    ],
)
def test_a_quarter_is_held_against_its_own_column(language: str, answer: str, code: str) -> None:
    assert judged(answer, SOURCES[language], language=language).code == code


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("Parking income was $58,930 in February 2024.", "exact"),
        ("Parking income was $61,250 in February 2024.", "off_period"),
        ("The occupancy rate in January 2024 was 92.5%.", "off_period"),
    ],
)
def test_a_month_is_held_against_its_own_column(answer: str, code: str) -> None:
    assert judged(answer, MONTHS).code == code


@pytest.mark.requirement("NUM-06")
def test_a_period_that_no_source_states_supports_nothing() -> None:
    assert judged("NOI in Q1 2024 was $1,200,000.", ENGLISH).status != "supported"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("The expense ratio was 31.9% in Q3 2024.", "exact"),
        ("The expense ratio was 31.9x in Q3 2024.", "not_found"),
        ("LTV was 56.8% in Q3 2024.", "exact"),
        ("DSCR was 1.42x in Q3 2024.", "exact"),
    ],
)
def test_a_row_named_for_a_rate_needs_no_sign_in_its_cells(answer: str, code: str) -> None:
    table = "Statement | Q3 2024\nExpense ratio | 31.9\nLoan to value | 56.8\nDSCR | 1.42"
    assert judged(answer, table).code == code


@pytest.mark.requirement("NUM-06")
def test_a_sentence_without_a_period_means_the_answers() -> None:
    def code(label: str, first: int) -> str:
        period = _quarter(label, first)
        case = Case(
            answer="NOI was $1,200,000.", sources=(Source("S0", ENGLISH),), property="OAK", period=period
        )
        return found(case)[0].code

    assert (code("Q3 2024", 7), code("Q4 2024", 10)) == ("exact", "off_period")


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("NOI was $1.3M in Q4 2024, up from $1.2M in Q3 2024 (8.3%).", ["exact", "exact", "derived"]),
        ("NOI moved from $1.2M in Q3 2024 to $1.3M in Q4 2024.", ["exact", "exact"]),
        ("In Q4 2024, NOI was $1,300,000 and net income was $640,000.", ["exact", "exact"]),
        ("In Q4 2024, NOI was $1,300,000 while occupancy stood at 93%.", ["exact", "exact"]),
    ],
)
def test_the_figures_of_one_sentence_are_each_held_against_their_own_slot(
    answer: str, expected: list[str]
) -> None:
    assert codes(answer, ENGLISH) == expected


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "place", "code"),
    [
        ("NOI was $1.2M in Q4 2024, up from $1.1M in Q3 2024.", 0, "off_period"),
        ("In Q4 2024, NOI was $640,000 and net income was $640,000.", 0, "off_metric"),
        ("In Q4 2024, NOI was $1,300,000 while occupancy stood at 91%.", 1, "off_period"),
    ],
)
def test_a_wrong_figure_is_found_beside_others(answer: str, place: int, code: str) -> None:
    assert codes(answer, ENGLISH)[place] == code


@pytest.mark.requirement("NUM-06")
def test_several_figures_are_read_in_hebrew_and_chinese() -> None:
    hebrew = "ברבעון 4 של 2024 ההכנסה התפעולית נטו הייתה $1,300,000 ושיעור התפוסה היה 93%."
    chinese = "2024年第四季度净营业收入为$1,300,000，出租率为93%。"
    assert codes(hebrew, HEBREW, language="he") == ["exact", "exact"]
    assert codes(chinese, CHINESE, language="zh") == ["exact", "exact"]


@pytest.mark.requirement("NUM-06")
def test_a_scale_of_another_chunk_leaves_full_amounts_as_they_are() -> None:
    scaled = "(in thousands) | Q3 2023 | Q4 2023\nNOI | 1,100 | 1,150"
    full = "Metric | Q3 2024 | Q4 2024\nNOI | 3,224,432.50 | 3,301,120.75"
    assert judged("NOI in Q3 2024 was $3,224,432.50.", scaled, full).code == "exact"
    assert judged("NOI in Q4 2023 was $1,150,000.", scaled, full).code == "exact"


@pytest.mark.requirement("NUM-06")
def test_amounts_that_are_not_full_take_the_scale_of_the_chunk_before() -> None:
    table = "Metric | Q3 2024 | Q4 2024\nNOI | 3,224 | 3,301"
    assert judged("NOI in Q3 2024 was $3,224,000.", "(amounts in thousands, 2024)", table).code == "exact"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("title", "codes_of"), [("Harbour accounts, part 1 of 2", ["scale"]), ("Brewery accounts", ["exact"])]
)
def test_a_scale_is_lent_within_a_document_and_to_no_other(title: str, codes_of: list[str]) -> None:
    sources = (
        Source("S0", "(amounts in thousands)", title=title),
        Source("S1", "Metric | Q3 2024\nNOI | 3,224", title="Harbour accounts, part 2 of 2"),
    )
    for order in (sources, sources[::-1]):
        case = Case(answer="NOI in Q3 2024 was $3,224.", sources=order)
        assert [one.code for one in found(case)] == codes_of


@pytest.mark.requirement("NUM-06")
def test_a_chunk_that_names_another_property_supports_nothing() -> None:
    table = "Statement of Maple Court | Q3 2024\nNOI | $1,234,500"
    names = (Named("OAK", "Oak Terrace"), Named("MAPLE", "Maple Court"))

    def code(answer: str) -> str:
        case = Case(answer=answer, sources=(Source("S0", table),), properties=names, property="OAK")
        return found(case)[0].code

    assert code("NOI at Maple Court in Q3 2024 was $1,234,500.") == "exact"
    assert code("NOI in Q3 2024 was $1,234,500.") == "not_found"


@pytest.mark.requirement("NUM-08")
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("NOI in Q4 2024 was $1,200,000.", "equals NOI of Q3 2024, source S0"),
        ("NOI in Q4 2024 was $640,000.", "equals Net income of Q4 2024, source S0"),
        (
            "NOI in Q4 2024 was $1,300.",
            "is NOI of Q4 2024, source S0 divided by 1,000",
        ),
    ],
)
def test_a_slip_says_which_slot_the_number_is_from(answer: str, words: str) -> None:
    assert words in judged(answer, ENGLISH).reason


@pytest.mark.requirement("NUM-08")
def test_a_candidate_names_the_row_and_the_period_of_its_place() -> None:
    matched = judged("NOI in Q4 2024 was $1,300,000.", ENGLISH).matched
    assert matched is not None
    assert (matched.field, matched.period) == ("NOI", "Q4 2024")


def _quarter(label: str, first: int) -> Period:
    last = first + 2
    return Period(1, "OAK", label, date(2024, first, 1), date(2024, last, monthrange(2024, last)[1]))


PROSE = (
    "Report for the year ended 31 December 2024\n\n"
    "Store costs were $4.1 million, against $3.9 million in 2023, and rent arrears stood at $96,400.\n\n"
    "The average occupancy was 86.3% (2023: 87.5%). Insurance cost $1.1 million, while in 2023 marketing had cost $640,000."
)


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("The average occupancy was 86.3% in 2024.", "exact"),
        ("The average occupancy was 87.5% in 2024.", "off_period"),
        ("Insurance cost $1.1 million in 2024.", "exact"),
        ("Marketing cost $640,000 in 2024.", "off_period"),
        ("The average occupancy was 86.3%, up half a point on 2022.", "exact"),
    ],
)
def test_a_period_of_another_number_of_the_sentence_is_not_its_own(answer: str, code: str) -> None:
    assert codes(answer, PROSE)[0] == code


@pytest.mark.requirement("NUM-06")
def test_a_day_on_which_something_happens_is_no_other_period_without_a_figure_of_it() -> None:
    roll = "Rent roll as of 31 December 2024\nTenant | Area (sq m) | Lease signed\nOrvane | 5,400 | 18 January 2024\nTrillo | 2,150 | 2 May 2023"
    assert codes("Orvane signed on 18 January 2024 for an area of 5,400 sq m.", roll)[0] == "exact"


PLAN = (
    "Line | Actual | Budget | Variance\nRepairs | $33,915 | $27,500 | ($6,415)\nPayroll | $41,230 | $42,000 | $770\n"
    "Utilities | $9,105 | $12,200 | $3,095"
)
CAPEX = "Capital plan for 2026\nProject | Budget\nEmergency wing | $8,000,000\nParking structure | $5,750,000\nImaging suite | $2,600,000"


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "texts", "expected"),
    [
        ("Repairs were $33,915 against a budget of $27,500.", PLAN, ["exact", "exact"]),
        ("Repairs were $27,500 against a budget of $33,915.", PLAN, ["off_role", "off_role"]),
        ("Repairs came to $33,915, over the $27,500 budget.", PLAN, ["exact", "bound_ok"]),
        ("One line was over budget:\n- Repairs: $33,915 vs $27,500", PLAN, ["exact", "exact"]),
        ("Two payments were made:\n- Repairs: $27,500\n- Payroll: $41,230", PLAN, ["off_role", "exact"]),
        ("The emergency wing takes $8,000,000.", CAPEX, ["exact"]),
    ],
)
def test_a_plan_is_called_one_by_the_words_at_the_number_or_above_a_list(
    answer: str, texts: str, expected: list[str]
) -> None:
    told = [code for code in codes(answer, texts) if code not in ("holds", "not_compared")]
    assert told == expected


LEASES = (
    "Tenant | Area (sq ft) | Rent per sq ft | Rent\nCobalt | 18,900 | $22.00 | $415,800\nOrvane | 6,100 | $31.00 | $189,100\n"
    "Total | 25,000 | | $604,900"
)
OUTFLOWS = (
    "Investing | 2023 | 2022\nRefurbishment of guest rooms | $655,100 | $140,300\nPurchase of equipment | $387,900 | $142,600\n"
    "Total | $1,043,000 | $282,900"
)


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("answer", "text", "expected"),
    [
        ("Cobalt rents 18,900 sq ft.", LEASES, ["exact"]),
        ("Cobalt rents 6,100 sq ft.", LEASES, ["off_property"]),
        (
            "In 2023 $655,100 (most of it) went into guest rooms and $387,900 into equipment.",
            OUTFLOWS,
            ["exact", "exact"],
        ),
        (
            "NOI grew in the fourth quarter of 2024 ($1.3 million vs $1.2 million).",
            "Metric | Q4 2024 | Q4 2023\nNOI | $1.3 million | $1.2 million\nCash | $2.4 million | $2.7 million",
            ["exact", "exact"],
        ),
    ],
)
def test_a_unit_names_no_rate_and_brackets_part_what_is_compared(
    answer: str, text: str, expected: list[str]
) -> None:
    told = [code for code in codes(answer, text) if code not in ("holds", "not_compared")]
    assert told == expected


@pytest.mark.parametrize(
    ("language", "answer", "source", "code"),
    [
        (
            "zh",
            "第二季共處理42.8萬標準箱。",
            "單位:千標準箱\n項目 | 第一季 | 第二季\n處理量 | 412 | 428",
            "exact",
        ),
        (
            "he",
            "הייצור ברבעון 2 היה 428 אלפי ליטר.",
            "אלפי ליטר\nמוצר | רבעון 1 | רבעון 2\nייצור | 412 | 428",
            "exact",
        ),
        ("zh", "三季度订单同比增长14.2%。", "2024年三季度订单127.4万单,同比增长14.2%。", "exact"),
        (
            "zh",
            "2024年上半年毛利率为31.7%。",
            "2024年上半年收入18.42亿元,上年同期为15.06亿元;毛利率为31.7%。",
            "exact",
        ),
    ],
)
def test_words_of_units_and_periods_in_other_languages(
    language: str, answer: str, source: str, code: str
) -> None:
    assert codes(answer, source, language=language)[-1] == code


def test_when_something_ends_is_no_period_of_the_figures_before_it() -> None:
    roll = (
        "Rent roll at 30 June 2024\n\n| Suite | Tenant | Rent ($/sf) | Expiry |\n|---|---|---|---|\n| 100 | Brightwell Dental | 31.50 | 2031-03-31 |\n"
        "| 120 | Osprey Books | 28.75 | 2027-08-31 |"
    )
    answer = "Brightwell Dental has a rent of $31.50 per square foot and its lease runs to March 2031."
    assert judged(answer, roll).code == "exact"


UNDATED = (
    "| Month | Actual (MWh) | Budget (MWh) |\n|---|---|---|\n"
    "| April | 8,214 | 8,600 |\n| May | 9,731 | 9,400 |\n| June | 9,958 | 10,050 |"
)
QUARTERS = (
    "| Quarter | Visitors |\n|---|---|\n| Q1 | 12,410 |\n| Q2 | 15,920 |\n| Q3 | 18,305 |\n| Q4 | 11,115 |"
)


@pytest.mark.requirement("NUM-06")
@each_case(
    ("table", "answer", "number", "code"),
    [
        (UNDATED, "The plant delivered 27,903 MWh in the second quarter.", "27,903", "derived"),
        (UNDATED, "The plant delivered 27,903 MWh in the second quarter of 2024.", "27,903", "derived"),
        (UNDATED, "Budget for Q2 was 28,050 MWh.", "28,050", "derived"),
        (UNDATED, "The plant delivered 27,309 MWh in the second quarter.", "27,309", "contradicted"),
        (UNDATED, "The plant delivered 27,903 MWh in the third quarter.", "27,903", "not_found"),
        (UNDATED, "The plant delivered 9,958 MWh in the second quarter.", "9,958", "off_period"),
        (UNDATED, "In May the plant delivered 8,214 MWh.", "8,214", "off_period"),
        (QUARTERS, "The museum had 29,420 visitors in the second half.", "29,420", "derived"),
        (QUARTERS, "The museum had 28,330 visitors in the second half.", "28,330", "contradicted"),
        (QUARTERS, "Over the year the museum had 57,750 visitors.", "57,750", "derived"),
        (QUARTERS, "The museum had 15,920 visitors in the third quarter of 2024.", "15,920", "off_period"),
    ],
)
def test_parts_of_a_year_that_a_table_never_names_are_told_apart_and_added(
    table: str, answer: str, number: str, code: str
) -> None:
    assert judged(answer, table, number=number).code == code
