"""Amounts in several currencies have no order: nothing is the highest among them."""

from dataclasses import replace
from decimal import Decimal

import pytest

from detection.core.types import Figure
from tests.core.record_cases import FIGURES, case, told

pytestmark = pytest.mark.requirement("NUM-12")
NOI = "net_operating_income"
SHENZHEN = tuple(
    replace(one, value=Decimal(3403621), unit="CNY")
    for one in FIGURES
    if one.property == "MAPLE" and one.field == NOI
)
OTHERS = tuple(one for one in FIGURES if one.property != "MAPLE" or one.field != NOI)


def ranked(figures: tuple[Figure, ...]) -> str:
    subject = case(
        "OAK had the highest NOI in Q3 2024.",
        question="Which property had the highest NOI in Q3 2024?",
        figures=figures,
        property=None,
        period=None,
    )
    return told(subject)["highest"]


def test_among_one_currency_the_highest_is_told() -> None:
    assert ranked(FIGURES) == "holds"
    more = tuple(replace(one, unit="USD") for one in SHENZHEN)
    assert ranked((*OTHERS, *more)) == "contradicted"


def test_among_several_currencies_nothing_is_told() -> None:
    assert SHENZHEN
    assert ranked((*OTHERS, *SHENZHEN)) == "not_compared"
