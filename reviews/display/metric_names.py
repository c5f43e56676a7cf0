"""What each metric is called on the screens; the accounts of a deployment keep the names they were given."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

METRICS: "dict[str, StrOrPromise]" = {
    "total_revenue": _("total revenue"),
    "operating_expenses": _("operating expenses"),
    "net_operating_income": _("net operating income"),
    "net_income": _("net income"),
    "debt_service": _("debt service"),
    "gross_potential_rent": _("gross potential rent"),
    "effective_gross_income": _("effective gross income"),
    "rental_income": _("rental income"),
    "other_income": _("other income"),
    "tenant_recoveries": _("tenant recoveries"),
    "parking_income": _("parking income"),
    "laundry_income": _("laundry income"),
    "late_fees": _("late fees"),
    "interest_income": _("interest income"),
    "bad_debt": _("bad debt"),
    "concessions": _("concessions"),
    "property_taxes": _("property taxes"),
    "insurance": _("insurance"),
    "utilities": _("utilities"),
    "repairs_and_maintenance": _("repairs and maintenance"),
    "management_fees": _("management fees"),
    "payroll": _("payroll"),
    "landscaping": _("landscaping"),
    "security": _("security"),
    "cleaning": _("cleaning"),
    "marketing": _("marketing"),
    "professional_fees": _("professional fees"),
    "general_and_administrative": _("general and administrative"),
    "income_taxes": _("income taxes"),
    "interest_expense": _("interest expense"),
    "depreciation": _("depreciation"),
    "capital_expenditures": _("capital expenditures"),
    "tenant_improvements": _("tenant improvements"),
    "leasing_commissions": _("leasing commissions"),
    "replacement_reserves": _("replacement reserves"),
    "cost_of_sales": _("cost of sales"),
    "cash_flow": _("cash flow"),
    "ebitda": _("EBITDA"),
    "gross_profit": _("gross profit"),
    "vacancy_loss": _("vacancy loss"),
    "property_value": _("property value"),
    "purchase_price": _("purchase price"),
    "loan_balance": _("loan balance"),
    "average_rent": _("average rent"),
    "occupancy_rate": _("occupancy rate"),
    "vacancy_rate": _("vacancy rate"),
    "expense_ratio": _("expense ratio"),
    "cap_rate": _("cap rate"),
    "debt_yield": _("debt yield"),
    "ltv": _("loan to value"),
    "noi_margin": _("NOI margin"),
    "net_margin": _("net margin"),
    "gross_margin": _("gross margin"),
    "interest_rate": _("interest rate"),
    "collection_rate": _("collection rate"),
    "cash_on_cash": _("cash on cash"),
    "dscr": _("DSCR"),
    "interest_coverage": _("interest coverage"),
    "current_ratio": _("current ratio"),
    "debt_to_equity": _("debt to equity"),
    "equity_multiple": _("equity multiple"),
}


def metric_name(name: str) -> str:
    """A metric as people read it, by its code (``net_operating_income``) or its stored English name."""
    plain = name.replace("_", " ")
    return str(METRICS.get(name.replace(" ", "_").lower(), plain))
