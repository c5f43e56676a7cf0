"""The demo portfolio: seven properties, eight quarters each, figures that hang together.

Everything follows from each property's first-quarter revenue and a few rates, so that net operating
income is revenue less expenses and the coverage ratio is income over debt service, as a reader would check.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from django.db import transaction

from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, Property

CENT = Decimal("0.01")
QUARTERS = [(year, quarter) for year in (2023, 2024) for quarter in (1, 2, 3, 4)]
# Growth of revenue on the first quarter, in per cent; seasons and a slow rise.
GROWTH = [Decimal(g) for g in ("0", "1.7", "3.1", "2.4", "4.2", "5.6", "7.3", "6.1")]


@dataclass(frozen=True, slots=True)
class Holding:
    """One property of the demo: ``revenue`` of its first quarter, shares in per cent; ``form`` is how it keeps
    its tables."""

    code: str
    name: str
    local_name: str
    language: str
    currency: str
    revenue: Decimal
    expense_share: Decimal
    debt_share: Decimal
    occupancy: Decimal
    tenant: str
    form: str


HOLDINGS = (
    Holding("OAK", "Oak Plaza", "Oak Plaza", "en", "USD", Decimal("2246350.40"), Decimal("48.8"), Decimal("40.9"), Decimal("85.5"), "Harlow Books", "markdown"),
    Holding("MILL", "Mill Street Offices", "Mill Street Offices", "en", "USD", Decimal("1418720.15"), Decimal("44.2"), Decimal("39.6"), Decimal("91.2"), "Brightwater Dental", "csv"),
    Holding("CEDAR", "Cedar Court", "Cedar Court", "en", "USD", Decimal("934118.75"), Decimal("51.3"), Decimal("35.1"), Decimal("93.8"), "Fernway Grocers", "html"),
    Holding("HARBOR", "Harbor View", "נוף הנמל", "he", "ILS", Decimal("3127480.60"), Decimal("46.5"), Decimal("41.8"), Decimal("88.4"), "מאפיית הנמל", "html"),
    Holding("CARMEL", "Carmel Center", "מרכז כרמל", "he", "ILS", Decimal("1786240.30"), Decimal("49.1"), Decimal("37.4"), Decimal("90.6"), "ספרי הגליל", "markdown"),
    Holding("LOTUS", "Lotus Center", "莲花中心", "zh", "CNY", Decimal("5634210.90"), Decimal("43.7"), Decimal("44.5"), Decimal("92.1"), "春风书店", "csv"),
    Holding("BAMBOO", "Bamboo Tower", "竹园大厦", "zh", "CNY", Decimal("3871620.45"), Decimal("47.2"), Decimal("40.3"), Decimal("89.7"), "明月茶楼", "html"),
)  # fmt: skip

ACCOUNTS = (
    ("4000", "Rental income", Decimal("82.5")),
    ("4100", "Parking income", Decimal("6.2")),
    ("4200", "Expense recoveries", Decimal("11.3")),
    ("5000", "Repairs and maintenance", Decimal("11.4")),
    ("5100", "Property taxes", Decimal("15.9")),
    ("5200", "Insurance", Decimal("4.1")),
    ("5300", "Utilities", Decimal("7.6")),
)


def quarter_dates(year: int, quarter: int) -> tuple[date, date]:
    """First and last day of a quarter."""
    first = date(year, 3 * quarter - 2, 1)
    following = date(year + (quarter == 4), 3 * quarter % 12 + 1, 1)
    return first, following - timedelta(days=1)


def figures(holding: Holding, position: int) -> dict[str, Decimal]:
    """The figures of a holding's quarter number ``position`` (0–7)."""
    revenue = _cents(holding.revenue * (100 + GROWTH[position]) / 100)
    expenses = _cents(revenue * holding.expense_share / 100)
    income = revenue - expenses
    debt = _cents(holding.revenue * holding.debt_share / 100)
    occupancy = holding.occupancy + Decimal("0.4") * position
    return {
        "total_revenue": revenue,
        "gross_potential_rent": _cents(revenue / occupancy * 100),
        "operating_expenses": expenses,
        "net_operating_income": income,
        "net_income": _cents(income - debt),
        "debt_service": debt,
        "occupancy_rate": occupancy,
        "vacancy_rate": 100 - occupancy,
        "expense_ratio": holding.expense_share,
        "ltv": Decimal("61.5") - Decimal("0.3") * position,
        "cap_rate": Decimal("6.25"),
        "debt_yield": Decimal("9.8"),
        "dscr": (income / debt).quantize(CENT, ROUND_HALF_UP),
    }


def neighbour(holding: Holding) -> Holding:
    """The next property of the same currency."""
    kin = [other for other in HOLDINGS if other.currency == holding.currency]
    return kin[(kin.index(holding) + 1) % len(kin)]


def _cents(value: Decimal) -> Decimal:
    return value.quantize(CENT, ROUND_HALF_UP)


@transaction.atomic
def seed_portfolio() -> None:
    """Write properties, periods, figures and statement lines; running it again changes nothing."""
    for holding in HOLDINGS:
        about, _ = Property.objects.get_or_create(
            code=holding.code, defaults={"name": holding.local_name, "currency": holding.currency}
        )
        for position, (year, quarter) in enumerate(QUARTERS):
            _seed_quarter(about, holding, position, year, quarter)


def _seed_quarter(about: Property, holding: Holding, position: int, year: int, quarter: int) -> None:
    start, end = quarter_dates(year, quarter)
    period, created = FinancialPeriod.objects.get_or_create(
        property=about, label=f"Q{quarter} {year}", defaults={"start": start, "end": end}
    )
    if not created:
        return
    values = figures(holding, position)
    FinancialMetrics.objects.create(period=period, **values)
    IncomeStatementData.objects.bulk_create(
        IncomeStatementData(
            period=period,
            account_code=code,
            account_name=name,
            amount=_cents(values["total_revenue"] * share / 100),
        )
        for code, name, share in ACCOUNTS
    )
