"""A made-up portfolio for benchmarks: four properties, twelve quarters, fiscal years, every metric, statement lines.

The same seed gives the same figures. Rents grow, seasons matter, expenses wander; coverages, margins and yields
follow from the amounts, as they do in books.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from random import Random

from detection.core.types import Alias, Figure, Kind, Named, Period

NAMES = {"OAK": "Oak Terrace", "MAPLE": "Maple Court", "CEDAR": "Cedar Point", "PINE": "Pinewood Plaza"}
YEARS = (2022, 2023, 2024)
QUARTERS = {1: ((1, 1), (3, 31)), 2: ((4, 1), (6, 30)), 3: ((7, 1), (9, 30)), 4: ((10, 1), (12, 31))}
LINES = {
    "4010": "Parking income", "4020": "Laundry income", "6110": "Property taxes", "6120": "Insurance expense",
    "6130": "Utilities", "6140": "Repairs and maintenance", "6150": "Management fees", "6160": "Landscaping",
}  # fmt: skip
COLUMNS: dict[str, tuple[str, Kind]] = {
    "total_revenue": ("total revenue", "currency"),
    "gross_potential_rent": ("gross potential rent", "currency"),
    "operating_expenses": ("operating expenses", "currency"),
    "net_operating_income": ("net operating income", "currency"),
    "net_income": ("net income", "currency"),
    "debt_service": ("debt service", "currency"),
    "occupancy_rate": ("occupancy rate", "percentage"),
    "vacancy_rate": ("vacancy rate", "percentage"),
    "expense_ratio": ("expense ratio", "percentage"),
    "ltv": ("loan to value", "percentage"),
    "cap_rate": ("cap rate", "percentage"),
    "debt_yield": ("debt yield", "percentage"),
    "dscr": ("debt service coverage ratio", "ratio"),
}
_UNITS = {"currency": "USD", "percentage": "%", "ratio": "x"}
_PLACES = {"currency": Decimal("0.01"), "percentage": Decimal("0.1"), "ratio": Decimal("0.01")}
Values = dict[str, Decimal]


@dataclass(frozen=True)
class Portfolio:
    """The periods of every property, and the figures of every period by field."""

    periods: dict[tuple[str, str], Period]
    values: dict[tuple[str, str], Values]

    def figures(self) -> tuple[Figure, ...]:
        """All figures of record, as the core takes them."""
        return tuple(
            _figure(self.periods[place], field, value)
            for place, values in self.values.items()
            for field, value in values.items()
        )

    def of(self, owner: str) -> tuple[Period, ...]:
        """The periods of one property."""
        return tuple(period for (code, _), period in self.periods.items() if code == owner)

    def properties(self) -> tuple[Named, ...]:
        """The codes and names of the properties."""
        return tuple(Named(code, called) for code, name in NAMES.items() for called in (code, name))

    def aliases(self) -> tuple[Alias, ...]:
        """The names of the statement's accounts."""
        return tuple(Alias(code, "", name) for code, name in LINES.items())


def portfolio(seed: int = 7) -> Portfolio:
    """The portfolio of a seed. The fiscal year of the last year is not yet reported as such."""
    random = Random(seed)
    periods: dict[tuple[str, str], Period] = {}
    values: dict[tuple[str, str], Values] = {}
    for owner in NAMES:
        quarters: dict[int, list[Values]] = {}
        rent, debt = random.uniform(0.9e6, 2.6e6), random.uniform(0.38, 0.48)
        for year in YEARS:
            for quarter, (first, last) in QUARTERS.items():
                rent *= random.uniform(0.995, 1.025)
                row = _quarter(random, rent, debt)
                label = f"Q{quarter} {year}"
                periods[owner, label] = Period(
                    len(periods) + 1, owner, label, date(year, *first), date(year, *last)
                )
                values[owner, label] = row
                quarters.setdefault(year, []).append(row)
        for year in YEARS[:-1]:
            label = f"FY {year}"
            periods[owner, label] = Period(
                len(periods) + 1, owner, label, date(year, 1, 1), date(year, 12, 31)
            )
            values[owner, label] = _year(quarters[year])
    return Portfolio(periods, values)


def _rounded(value: float, kind: str) -> Decimal:
    return Decimal(str(value)).quantize(_PLACES[kind])


def _quarter(random: Random, rent: float, debt: float) -> Values:
    occupancy = random.uniform(0.885, 0.975)
    potential = _rounded(rent, "currency")
    other = {code: _rounded(rent * random.uniform(0.008, 0.02), "currency") for code in ("4010", "4020")}
    revenue = _rounded(rent * occupancy, "currency") + sum(other.values())
    costs = {
        code: _rounded(float(revenue) * random.uniform(low, high), "currency")
        for code, low, high in (
            ("6110", 0.12, 0.15), ("6120", 0.03, 0.05), ("6130", 0.05, 0.08), ("6140", 0.04, 0.07),
            ("6150", 0.028, 0.042), ("6160", 0.008, 0.015),
        )
    }  # fmt: skip
    expenses = sum(costs.values(), Decimal(0))
    service = _rounded(rent * debt * random.uniform(0.995, 1.005), "currency")
    income = revenue - expenses
    loan = float(service) * 4 / random.uniform(0.066, 0.07)
    value = float(income) * 4 / random.uniform(0.051, 0.064)
    amounts = {
        "total_revenue": revenue,
        "gross_potential_rent": potential,
        "operating_expenses": expenses,
        "net_operating_income": income,
        "net_income": income - service - _rounded(rent * random.uniform(0.05, 0.08), "currency"),
        "debt_service": service,
        **other,
        **costs,
    }
    return amounts | _rates(amounts, occupancy * 100, loan, value, 4)


def _rates(amounts: Values, occupancy: float, loan: float, value: float, times: int) -> Values:
    income = float(amounts["net_operating_income"])
    occupied = _rounded(occupancy, "percentage")
    return {
        "occupancy_rate": occupied,
        "vacancy_rate": Decimal(100) - occupied,
        "expense_ratio": _rounded(
            float(amounts["operating_expenses"] / amounts["total_revenue"]) * 100, "percentage"
        ),
        "ltv": _rounded(loan / value * 100, "percentage"),
        "cap_rate": _rounded(income * times / value * 100, "percentage"),
        "debt_yield": _rounded(income * times / loan * 100, "percentage"),
        "dscr": _rounded(income / float(amounts["debt_service"]), "ratio"),
    }


def _year(quarters: list[Values]) -> Values:
    amounts = {
        field: sum((quarter[field] for quarter in quarters), Decimal(0))
        for field in (*(name for name, (_, kind) in COLUMNS.items() if kind == "currency"), *LINES)
    }
    occupancy = float(sum(quarter["occupancy_rate"] for quarter in quarters)) / len(quarters)
    last = quarters[-1]
    income = float(amounts["net_operating_income"])
    loan, value = income / float(last["debt_yield"]) * 100, income / float(last["cap_rate"]) * 100
    return amounts | _rates(amounts, occupancy, loan, value, 1)


def kind_of(field: str) -> Kind:
    """The kind of a column, or of a statement line's amount."""
    return COLUMNS[field][1] if field in COLUMNS else "currency"


def _figure(period: Period, field: str, value: Decimal) -> Figure:
    record = "FinancialMetrics" if field in COLUMNS else "IncomeStatementData"
    name = COLUMNS[field][0] if field in COLUMNS else LINES[field]
    kind = kind_of(field)
    return Figure(
        record, period.id, field, name, kind, value, _UNITS[kind], period.property, period.label, period.start,
        period.end, "2025-01-31",
    )  # fmt: skip
