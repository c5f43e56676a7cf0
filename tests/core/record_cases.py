"""A small property with figures of record, and what is found of an answer about it."""

from decimal import Decimal
from typing import Any

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.numbers import of_iso
from detection.core.thresholds import DEFAULTS
from detection.core.types import Alias, Case, Figure, Finding, Kind, Named, Period

QUARTERS = ("Q3 2023", "Q4 2023", "Q1 2024", "Q2 2024", "Q3 2024", "Q4 2024")
NOI = ("1000000", "1050000", "1100000", "1173500", "1234567", "1300000")
REVENUE = ("1800000", "1850000", "1900000", "2000000", "2100000", "2200000")
EXPENSES = ("800000", "800000", "800000", "826500", "865433", "900000")
DEBT = ("700000", "700000", "700000", "705000", "710000", "715000")
OCCUPANCY = ("91.0", "92.5", "93.0", "94.2", "95.4", "96.1")
NAMES = {
    "net_operating_income": "net operating income", "total_revenue": "total revenue",
    "operating_expenses": "operating expenses", "debt_service": "debt service", "occupancy_rate": "occupancy rate",
    "6120": "Insurance expense",
}  # fmt: skip


def period(label: str, owner: str = "OAK", number: int = 1) -> Period:
    """A quarter or a year by its label."""
    name, year = label.split()
    span = of_iso(f"{year}-{name}" if name.startswith("Q") else year)
    assert span.start is not None
    assert span.end is not None
    return Period(number, owner, label, span.start, span.end)


def figure(
    field: str, value: str | Decimal, within: Period, kind: Kind = "currency", unit: str = "USD"
) -> Figure:
    """One figure of record."""
    return Figure(
        "FinancialMetrics", within.id, field, NAMES.get(field, field), kind, Decimal(value), unit, within.property,
        within.label, within.start, within.end, "2024-11-04",
    )  # fmt: skip


PERIODS = tuple(period(label, number=number) for number, label in enumerate(QUARTERS, 1))
MAPLE = period("Q3 2024", "MAPLE", 21)
FIGURES = (
    *(figure("net_operating_income", value, within) for value, within in zip(NOI, PERIODS, strict=True)),
    *(figure("total_revenue", value, within) for value, within in zip(REVENUE, PERIODS, strict=True)),
    *(figure("operating_expenses", value, within) for value, within in zip(EXPENSES, PERIODS, strict=True)),
    *(figure("debt_service", value, within) for value, within in zip(DEBT, PERIODS, strict=True)),
    *(
        figure("occupancy_rate", v, within, "percentage", "%")
        for v, within in zip(OCCUPANCY, PERIODS, strict=True)
    ),
    figure("6120", "80000", PERIODS[4]),
    figure("net_operating_income", "1134567", MAPLE),
    figure("occupancy_rate", "88.0", MAPLE, "percentage", "%"),
)


def case(answer: str, **changed: Any) -> Case:
    """An answer about OAK in Q3 2024 with the figures above, or what else is given."""
    given: dict[str, Any] = {
        "figures": FIGURES, "periods": PERIODS, "property": "OAK", "period": PERIODS[4], "database": "ok",
        "properties": (Named("OAK", "OAK"), Named("MAPLE", "MAPLE"), Named("MAPLE", "Maple Court")),
        "aliases": (Alias("6120", "", "Insurance expense"),), **changed,
    }  # fmt: skip
    return Case(answer=answer, **given)


def findings(subject: Case, **thresholds: Any) -> dict[str, Finding]:
    """What is found of each number and date, by its text; of what is said without digits see ``told``."""
    limits = DEFAULTS.changed(**thresholds)
    read = claims.read(subject)
    decided = numeric.decide(numeric.measure(Context(subject, read, limits)), Context(thresholds=limits))
    return {read[one.claim].text: one for one in decided.findings if read[one.claim].kind != "change"}


def told(subject: Case, **thresholds: Any) -> dict[str, str]:
    """The code of each claim without digits, by its text."""
    limits = DEFAULTS.changed(**thresholds)
    read = claims.read(subject)
    decided = numeric.decide(numeric.measure(Context(subject, read, limits)), Context(thresholds=limits))
    return {read[one.claim].text: one.code for one in decided.findings if read[one.claim].kind == "change"}


def of(answer: str, claimed: str, **changed: Any) -> Finding:
    """What is found of one number of an answer."""
    return findings(case(answer, **changed))[claimed]
