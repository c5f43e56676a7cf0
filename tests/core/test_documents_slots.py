"""Which words of an answer name the slots of its numbers, and which belong to another number (NUM-05)."""

import pytest

from detection.core.types import Case, Source
from tests.core.document_cases import judged
from tests.core.record_cases import findings, told
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-05")

LOANS = "| Loan | Balance ($) | LTV (%) |\n|---|---|---|\n" + "\n".join(
    f"| L{place} | {balance},000,000 | {ltv} |"
    for place, (balance, ltv) in enumerate(((7, 58.0), (9, 68.4), (12, 51.2)))
)
FUNDS = "AUM by strategy, EUR m\n\n| Strategy | 2025 | 2024 |\n|---|---|---|\n| Infrastructure debt | 1,140 | 1,090 |\n| Private credit | 2,280 | 2,010 |\n| Total | 3,420 | 3,100 |"
COVENANTS = "| Covenant | Required | Reported |\n|---|---|---|\n| Fixed charge cover | at least 1.50x | 1.83x |\n| Leverage | at most 4.25x | 3.90x |"
STRETCHES = "\n\n".join(
    f"{count} months ended September 30 (in millions)\n\n| | 2025 | 2024 |\n|---|---|---|\n| Net sales | {now} | {before} |"
    for count, now, before in (("Three", 142.8, 136.0), ("Nine", 418.3, 409.7))
)
YEARS = "($m) | 2024 | 2023\nProvisions | 1.8 | 3.1\nOrders | 34.1 | 33.0\nSales | 32.9 | 31.0"
RETURNS = "The fund returned 9.6% before fees and 8.1% net of fees in 2023."
PAY = "| Employee | Gross pay | Net pay |\n|---|---|---|\n| Dana | $5,200 | $3,900 |\n| Omar | $4,800 | $3,650 |"
PRICES = "item,price_excl_vat,price_incl_vat\nPump,500,600\nValve,40,48"
SPENDING = "item,budget_usd,actual_usd\nBooks,21000,18000\nDesks,9000,9400"
SALES = "| Region | Sales target | Sales |\n|---|---|---|\n| North | 500 | 520 |\n| South | 300 | 280 |"
PERMIT, TERM = "The permit is valid until 31 May 2026.", "The lease has a term of 10 years."
RENT = "Annual rent, $\n\n| Source | 2024 |\n|---|---|\n| Base rent | 11,563,000 |\n| Parking | 1,577,000 |\n| Total revenue | 13,140,000 |"


@each_case(
    ("text", "answer", "number", "status"),
    [
        (LOANS, "None of the three loans carries an LTV above 70%.", "70%", "supported"),
        (LOANS, "None of the three loans carries an LTV above 65%.", "65%", "contradicted"),
        (LOANS, "Of the loans, none has an LTV below 50%.", "50%", "supported"),
        (LOANS, "Of the loans, none has an LTV below 55%.", "55%", "contradicted"),
        (COVENANTS, "Fixed charge cover must not drop below 1.50x.", "1.50x", "supported"),
        (COVENANTS, "Fixed charge cover must not drop below 1.83x.", "1.83x", "contradicted"),
        (STRETCHES, "Net sales were $418.3 million in the nine months ended September 30, 2025.", "$418.3 million", "supported"),
        (STRETCHES, "Net sales were $142.8 million in the nine months ended September 30, 2025.", "$142.8 million", "contradicted"),
        (YEARS, "Provisions were lighter, $1.8 million after $3.1 million in 2023.", "$1.8 million", "supported"),
        (YEARS, "Orders of $34.1 million exceeded sales by $1.2 million in 2024.", "$34.1 million", "supported"),
        (YEARS, "Orders of $32.9 million exceeded sales in 2024.", "$32.9 million", "contradicted"),
        (RENT, "In 2024 base rent accounted for 88% of the $13.14 million of total revenue.", "$13.14 million", "supported"),
        (RENT, "In 2024 base rent accounted for 88% of the $14.13 million of total revenue.", "$14.13 million", "contradicted"),
        ("The land is leased until 2071, for a ground rent of $640,000 a year.", "In 2024 the ground rent was $640,000.", "$640,000", "supported"),
    ],
)  # fmt: skip
def test_a_number_is_compared_at_the_slots_of_its_own_words(
    text: str, answer: str, number: str, status: str
) -> None:
    assert judged(answer, text, number=number).status == status


@each_case(
    ("answer", "phrase", "code"),
    [
        ("Private credit is twice the size of infrastructure debt.", "twice the", "holds"),
        ("Private credit is half of infrastructure debt.", "half of", "contradicted"),
        ("Infrastructure debt accounts for a third of AUM.", "a third of", "holds"),
        ("Private credit accounts for a third of AUM.", "a third of", "contradicted"),
        ("It is twice the size of infrastructure debt.", "twice the", "not_compared"),
    ],
)
def test_a_multiple_is_that_of_the_two_that_words_name(answer: str, phrase: str, code: str) -> None:
    assert told(Case(answer, sources=(Source("S0", FUNDS),)))[phrase] == code


def test_parts_of_a_document_are_one_table_by_their_titles() -> None:
    head = Source(
        "S0", "Park\tGLA (m²)\tWAULT (years)\nŁódź\t48,200\t5.1", title="Fund, asset list (beginning)"
    )
    rows = Source("S1", "Plzeň West\t26,900\t6.4", title="Fund, asset list (end)")
    for answer, number, status in (
        ("Plzeň West has a WAULT of 6.4 years.", "6.4", "supported"),
        ("Plzeň West has a WAULT of 5.1 years.", "5.1", "contradicted"),
    ):
        assert findings(Case(answer, sources=(head, rows)))[number].status == status


@each_case(
    ("text", "answer", "number", "status"),
    [
        (RETURNS, "The fund returned 9.6% before fees in 2023.", "9.6%", "supported"),
        (RETURNS, "The fund returned 8.1% after fees in 2023.", "8.1%", "supported"),
        (RETURNS, "The fund returned 8.1% before fees in 2023.", "8.1%", "contradicted"),
        (RETURNS, "The fund's net return was 9.6% in 2023.", "9.6%", "contradicted"),
        ("The pump costs €600 including 20% VAT.", "The pump costs €600.", "€600", "supported"),
        ("The pump costs €600 including 20% VAT.", "Without VAT the pump costs €600.", "€600", "contradicted"),
        ("A driver is paid $3,500 a month gross.", "A driver is paid $3,500 a month before tax.", "$3,500", "supported"),
        ("A driver is paid $3,500 a month gross.", "A driver takes home $3,500 a month.", "$3,500", "contradicted"),
        ("The truck weighs 18 tonnes gross and 7 tonnes net.", "The truck's net weight is 7 tonnes.", "7", "supported"),
        ("The truck weighs 18 tonnes gross and 7 tonnes net.", "The truck's net weight is 18 tonnes.", "18", "contradicted"),
        ("Turnover was £8.4 million in 2022, including £1.2 million of online sales.", "Excluding online sales, turnover was £8.4 million in 2022.", "£8.4 million", "contradicted"),
        ("The hospital treated 4,100 patients, including day cases.", "The hospital treated 4,100 patients excluding day cases.", "4,100", "contradicted"),
        ("Net income was $5.2 million before the merger closed.", "Net income was $5.2 million.", "$5.2 million", "supported"),
        ("The fund returned 8.1% net of fees in 2023.", "The fund returned 8.1% in 2023.", "8.1%", "supported"),
        (PAY, "Omar earns $4,800 before deductions.", "$4,800", "supported"),
        (PAY, "Omar takes home $4,800.", "$4,800", "contradicted"),
        (PRICES, "The pump costs €600 including VAT.", "€600", "supported"),
        (PRICES, "The pump costs €600 excluding VAT.", "€600", "contradicted"),
        ("החברה הרוויחה 12 מיליון ש\"ח לפני מס.", "הרווח הנקי היה 12 מיליון ש\"ח.", "12 מיליון ש\"ח", "contradicted"),
        ("שכר הדירה הוא 4,200 ש\"ח לחודש לא כולל ארנונה.", "שכר הדירה הוא 4,200 ש\"ח לחודש ללא ארנונה.", "4,200 ש\"ח", "supported"),
        ("שכר הדירה הוא 4,200 ש\"ח לחודש לא כולל ארנונה.", "שכר הדירה הוא 4,200 ש\"ח לחודש כולל ארנונה.", "4,200 ש\"ח", "contradicted"),
        ("公司税前利润为300万元。", "公司税前利润为300万元。", "300万元", "supported"),
        ("公司税前利润为300万元。", "公司税后利润为300万元。", "300万元", "contradicted"),
        ("毛重为40公斤，净重为36公斤。", "净重为40公斤。", "40", "contradicted"),
        ("该设备售价为5000元，含税。", "该设备不含税售价为5000元。", "5000元", "contradicted"),
    ],
)  # fmt: skip
def test_what_is_taken_off_or_added_already_is_a_slot(
    text: str, answer: str, number: str, status: str
) -> None:
    assert judged(answer, text, number=number).status == status


@each_case(
    ("text", "answer", "number", "status"),
    [
        (SPENDING, "The school budgeted $21,000 for books.", "$21,000", "supported"),
        (SPENDING, "The school budgeted $18,000 on books.", "$18,000", "contradicted"),
        (SPENDING, "The school had a budget of $18,000 for books.", "$18,000", "contradicted"),
        (SPENDING, "The school spent $18,000 on books against a budget of $21,000.", "$18,000", "supported"),
        (SPENDING, "Books cost $18,000, under budget.", "$18,000", "supported"),
        ("| Project | Budget ($) | Cost ($) |\n|---|---|---|\n| Bridge | 4,000,000 | 4,600,000 |\n| Tunnel | 9,000,000 | 8,800,000 |", "The planned cost of the bridge was $4,600,000.", "$4,600,000", "contradicted"),
        (SPENDING, "Books stayed under their $21,000 budget at a cost of $18,000.", "$18,000", "supported"),
        (SALES, "South aimed for 280 in sales.", "280", "contradicted"),
        ("The clinic planned 300 visits in May and made 340.", "The clinic made 340 visits in May.", "340", "supported"),
        ("The clinic planned 300 visits in May and made 340.", "The clinic planned 340 visits in May.", "340", "contradicted"),
        ("A $18,000 budget was set for books; $16,500 was spent.", "The book budget was $18,000.", "$18,000", "supported"),
        ("A $18,000 budget was set for books; $16,500 was spent.", "The book budget was $16,500.", "$16,500", "contradicted"),
        ("实际产量为520台，目标为500台。", "产量目标为520台。", "520", "contradicted"),
        ("| סעיף | תקציב (ש\"ח) | ביצוע (ש\"ח) |\n|---|---|---|\n| ספרים | 21000 | 18000 |\n| שולחנות | 9000 | 9400 |", "לספרים תוקצבו 18,000 ש\"ח.", "18,000 ש\"ח", "contradicted"),
    ],
)  # fmt: skip
def test_what_came_about_is_not_the_plan_beside_it(text: str, answer: str, number: str, status: str) -> None:
    assert judged(answer, text, number=number).status == status


@each_case(
    ("text", "answer", "number", "status"),
    [
        (PERMIT, "The permit expires in May 2026.", "May 2026", "supported"),
        (PERMIT, "The permit expires in June 2026.", "June 2026", "contradicted"),
        (PERMIT, "In June 2026 the city will hold elections.", "June 2026", "not_checked"),
        ("The warranty lasts through 30 April 2027.", "The warranty ends in May 2027.", "May 2027", "contradicted"),
        ("The patent expires on 4 July 2031. The trademark expires on 9 May 2028.", "The trademark expires in June 2028.", "June 2028", "contradicted"),
        ("The company signed a loan on 2 April 2023.", "The company signed a lease in May 2023.", "May 2023", "not_checked"),
        ("许可证有效期至2026年5月31日。", "许可证于2026年6月到期。", "2026年6月", "contradicted"),
        ("ההיתר בתוקף עד 31 במאי 2026.", "ההיתר פג ביוני 2026.", "ביוני 2026", "contradicted"),
    ],
)  # fmt: skip
def test_a_date_is_refuted_by_another_one_of_what_it_is_said_to_be(
    text: str, answer: str, number: str, status: str
) -> None:
    assert judged(answer, text, number=number).status == status


@each_case(
    ("answer", "number", "status"),
    [
        ("The lease runs for ten years.", "ten", "supported"),
        ("The lease is for 10 years.", "10", "supported"),
        ("The lease runs for ten months.", "ten", "contradicted"),
        ("The lease is for 12 years.", "12", "contradicted"),
    ],
)  # fmt: skip
def test_how_long_something_runs_is_the_term_that_it_has(answer: str, number: str, status: str) -> None:
    assert judged(answer, TERM, number=number).status == status
