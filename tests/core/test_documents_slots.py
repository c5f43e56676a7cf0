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
