"""What is said of the columns and rows of a plain table: sums, shares of all, two columns of a row, ends of a move."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

pytestmark = [pytest.mark.requirement("NUM-05"), pytest.mark.requirement("NUM-06")]

FARM = (
    "| Season | Apples picked (t) | Juice pressed (thousand litres) | Average price per crate (£) |\n|---|---|---|---|\n"
    "| 2021 | 410 | 96 | 11.20 |\n| 2022 | 380 | 88 | 12.10 |\n| 2023 | 290 | 61 | 13.40 |"
)
MUSEUM = (
    "| House | Guides | Tours | Visitors | Guided visitors | Members |\n|---|---|---|---|---|---|\n"
    "| Old Mill | 6 | 310 | 4,200 | 1,260 | 96 |\n| Smithy | 4 | 250 | 3,100 | 2,480 | 71 |\n"
    "| Tannery | 9 | 440 | 5,900 | 1,180 | 150 |\n| Lock House | 3 | 120 | 1,800 | 720 | 33 |"
)
LOANS = (
    "| Branch | Books requested | Books delivered | Maps held |\n|---|---|---|---|\n"
    "| Quay | 1,300 | 1,170 | 250 |\n| Annex | 840 | 504 | 340 |\n| Hill | 620 | 589 | 310 |"
)
FREIGHT = (
    "Containers by berth, thousands\n\n| Berth | 2021 | 2022 | 2023 |\n|---|---|---|---|\n"
    "| North | 31.2 | 35.4 | 41.9 |\n| South | 12.6 | 11.8 | 14.7 |\n| River | 9.4 | 8.6 | 8.8 |"
)
RESULTS = (
    "Operating result in € million\n\n| Segment | 2022 | 2023 |\n|---|---|---|\n"
    "| Glass | 44 | -17 |\n| Steel | 120 | 133 |\n| Paper | 38 | 41 |"
)
BREAD = (
    "Per 100 g unless stated\n\n| Loaf | Sugar (g) | Fibre (g) | Weight (g) |\n|---|---|---|---|\n"
    "| Rye | 2.1 | 8.4 | 750 |\n| Spelt | 3.0 | 6.2 | 500 |\n| Toast | 4.6 | 2.8 | 400 |"
)


@each_case(
    ("text", "answer", "number", "status"),
    [
        (FARM, "The 2022 harvest came in at 380 tonnes.", "380", "supported"),
        (MUSEUM, "In all, 9,100 people were guided, and 15,000 visitors came.", "15,000", "supported"),
        (MUSEUM, "Some 15,000 visitors came, 5,900 of them to the Tannery.", "15,000", "supported"),
        (LOANS, "Nine in ten books requested at the Quay were delivered.", "Nine in ten", "supported"),
        (LOANS, "Three in ten books requested at the Quay were delivered.", "Three in ten", "contradicted"),
        (MUSEUM, "The oldest house, the Smithy, has less than half as many members as the Tannery.", "half as many", "supported"),
        (MUSEUM, "The oldest house, the Smithy, has less than a third as many members as the Tannery.", "a third", "contradicted"),
        (MUSEUM, "At Old Mill, guided visitors were only 30% of visitors.", "30%", "supported"),
        (LOANS, "The Quay and the Hill both delivered 95% of the books requested.", "95%", "unsupported"),
        (FREIGHT, "North handled just under two thirds of all containers in 2023.", "two thirds of", "supported"),
        (FREIGHT, "North handled just over two thirds of all containers in 2023.", "two thirds of", "contradicted"),
        (FREIGHT, "Traffic at North rose by 10.7 thousand over the two years to 2023, from 31.2 thousand to 41.9 thousand.", "31.2 thousand", "supported"),
        (RESULTS, "Glass swung from a profit of €44 million to a loss of €17 million.", "€44 million", "supported"),
        (RESULTS, "Glass swung from a €44 million profit to a €17 million loss.", "€17 million", "supported"),
        (RESULTS, "Glass swung from a €17 million profit to a €44 million loss.", "€44 million", "contradicted"),
        (BREAD, "Toast holds 4.6 g of sugar per 100 g.", "100", "not_checked"),
    ],
)  # fmt: skip
def test_rows_and_columns_are_taken_together_as_words_say(
    text: str, answer: str, number: str, status: str
) -> None:
    assert judged(answer, text, number=number).status == status


WELLS = (
    "Well tests, mg per litre\n\n| Substance | Result | Permitted |\n|---|---|---|\n"
    "| Chloride | 180 | Limit 250 |\n| Boron | 1.7 | max. 1.5 |"
)


@each_case(
    ("answer", "number", "status"),
    [
        ("Chloride was measured at 180 mg per litre, below its limit of 250.", "250", "supported"),
        ("Chloride was measured at 180 mg per litre, above its limit of 250.", "250", "contradicted"),
        ("Chloride was measured at 1.7 mg per litre.", "1.7", "contradicted"),
        ("Boron was measured at 1.5 mg per litre.", "1.5", "contradicted"),
    ],
)
def test_rows_name_what_stands_in_columns_of_roles_alone(answer: str, number: str, status: str) -> None:
    assert judged(answer, WELLS, number=number).status == status


@each_case(
    ("answer", "number", "code"),
    [
        ("River was at 8.8 thousand in 2023, 600 fewer than in 2021.", "600", "derived"),
        ("River was at 8.8 thousand in 2023, 600 more than in 2021.", "600", "sign"),
        ("River rose to 8.8 thousand in 2023, but was still 600 below 2021.", "600", "derived"),
        ("River rose to 8.8 thousand in 2023, but was still 600 below 2022.", "600", "not_found"),
    ],
)
def test_a_distance_is_one_from_the_period_that_is_named(answer: str, number: str, code: str) -> None:
    assert judged(answer, FREIGHT, number=number).code == code
