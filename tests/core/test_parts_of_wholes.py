"""Rows that add up to a total are parts of a whole: they are ranked, added and compared with it (NUM-06)."""

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Source
from tests.core.document_cases import judged

pytestmark = pytest.mark.requirement("NUM-06")

STORES = """Sales by store (€ thousand)
| Store | 2022 | 2023 | 2024 |
|---|---|---|---|
| Leipzig | 1,240 | 1,310 | 1,405 |
| Dresden | 980 | 1,020 | 960 |
| Erfurt | 610 | 655 | 702 |
| Jena | 450 | 430 | 433 |
| Total | 3,280 | 3,415 | 3,500 |"""
LOANS = """Loans at 30 June 2024
| Lender | Outstanding (USD m) | Coupon | Type | Maturity |
|---|---|---|---|---|
| First Mercantile | 48.0 | 4.10% | Fixed | 2025 |
| Cobalt Insurance | 72.0 | 3.65% | Fixed | 2030 |
| Union Savings | 30.0 | 5.90% | Floating | 2026 |
| Meridian Notes | 50.0 | 4.80% | Fixed | 2028 |
| Total | 200.0 | | | |"""
CLIMATE = """Emissions (t CO2e)
|  | 2020 (base) | 2023 | 2024 |
|---|---|---|---|
| Fleet | 5,000 | 4,300 | 3,900 |
| Buildings | 7,000 | 5,600 | 4,350 |
| Total | 12,000 | 9,900 | 8,250 |"""
QUAYS = """| Quay | 2023 | 2024 |
|---|---|---|
| Timber | 420 | 460 |
| Grain | 300 | 270 |
| Cars | 80 | 100 |
| Total handled (kt) | 800 | 830 |"""
FUND = """Elmwood Fund
Opening NAV ($m) | Subscriptions | Redemptions | Income | Closing NAV
Q1 2024 | 310.0 | 12.0 | (4.5) | 3.2 | 320.7
Q2 2024 | 320.7 | 3.5 | (8.0) | 3.3 | 319.5"""


def flagged(answer: str, source: str) -> bool:
    """Whether a number, or a claim without digits, is refuted or found nowhere."""
    case = Case(answer=answer, language="en", sources=(Source("S", source),))
    decided = numeric.decide(numeric.measure(Context(case, claims.read(case))), Context())
    return any(one.status in ("contradicted", "unsupported") for one in decided.findings)


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (STORES, "Leipzig is the largest store.", "Leipzig is the second-largest store."),
        (STORES, "Jena is the smallest store.", "Erfurt is the smallest store."),
        (STORES, "Erfurt is the third-largest store.", "Erfurt is the second-largest store."),
        (STORES, "Dresden remains the second-largest store.", "Dresden remains the largest store."),
        (QUAYS, "Timber is the largest quay.", "Grain is the largest quay."),
        (
            QUAYS,
            "Grain and Cars together make up 45% of all goods in 2024.",
            "Grain and Cars together make up 33% of all goods in 2024.",
        ),
        (LOANS, "Cobalt Insurance is the largest lender.", "Meridian Notes is the largest lender."),
        (LOANS, "Union Savings is the smallest lender.", "First Mercantile is the smallest lender."),
        (
            LOANS,
            "First Mercantile is owed $48 million and Union Savings $30 million. Together that is 39% of all debt.",
            "First Mercantile is owed $48 million and Union Savings $30 million. Together that is 24% of all debt.",
        ),
        (
            LOANS,
            "First Mercantile and Meridian Notes together make up 49% of the debt.",
            "First Mercantile and Meridian Notes together make up 25% of the debt.",
        ),
        (LOANS, "Fixed debt amounts to 85% of the total.", "Fixed debt amounts to 65% of the total."),
        (
            STORES,
            "On average a store sold €875,000 in 2024.",
            "On average a store sold €700,000 in 2024.",
        ),
        (
            CLIMATE,
            "Emissions in 2024 stood 31% below the 2020 base.",
            "Emissions in 2024 stood 41% below the 2020 base.",
        ),
        (
            FUND,
            "Income came to $3.3 million in Q2 2024.",
            "Income came to $8.0 million in Q2 2024.",
        ),
        (
            FUND,
            "Closing NAV was $319.5 million in Q2 2024.",
            "Closing NAV was $320.7 million in Q2 2024.",
        ),
    ],
)
def test_what_is_said_of_parts_of_a_whole_is_compared(source: str, right: str, wrong: str) -> None:
    assert not flagged(right, source)
    assert flagged(wrong, source)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (LOANS, "Union Savings charges the highest rate and Cobalt Insurance the lowest."),
        (STORES, "Leipzig grew fastest."),
        (STORES, "Erfurt is one of the largest stores."),
    ],
)
def test_a_place_that_is_of_another_figure_is_not_denied_by_the_parts(source: str, answer: str) -> None:
    assert not flagged(answer, source)


MUSEUM = "Museum, $ thousand | 2023 | 2024\nAdmissions | 3,120 | 3,415\nCafé | 960 | 834\nTotal income | 4,700 | 4,920"


@pytest.mark.parametrize(("share", "status"), [("86.4%", "supported"), ("76.4%", "contradicted")])
def test_what_two_figures_are_together_of_a_third(share: str, status: str) -> None:
    said = f"In 2024 admissions of $3,415 thousand and the café's $834 thousand together made up {share} of total income."
    assert judged(said, MUSEUM).status == status
