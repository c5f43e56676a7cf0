"""Tables whose cells are known: the project's own, and those of the public rows."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A row of a table. ``unit``, ``scale`` and ``per`` are those of its values where they are not the table's."""

    label: str
    cells: tuple[str, ...] = ()
    unit: str | None = None
    scale: int | None = None
    per: str | None = None


@dataclass(frozen=True)
class Sheet:
    """A table to render. ``heads`` are its heading rows, the cell over the labels first; a heading over several columns
    stands in the first of them and is followed by empty cells. ``units`` are the unit, scale and per of each column where
    they differ from the table's; None for columns of words. ``own`` says that units are known."""

    name: str
    above: tuple[str, ...]
    heads: tuple[tuple[str, ...], ...]
    lines: tuple[Line, ...]
    unit: str = "USD"
    scale: int = 1
    units: tuple[tuple[str, int, str] | None, ...] = ()
    below: tuple[str, ...] = ()
    own: bool = True
    texts: int = 1
    rows: tuple[Row, ...] = field(default=(), compare=False)


def lines(text: str, **about: Any) -> tuple[Line, ...]:
    """Rows written with bars, for the tables below."""
    found = []
    for raw in text.strip().split("\n"):
        label, *cells = (part.strip() for part in raw.split("|"))
        found.append(Line(label, tuple(cells), **about))
    return tuple(found)


_SHARE = {"scale": 1, "per": "share"}
OWN: tuple[Sheet, ...] = (
    Sheet(
        "income", ("Alderbrook Paper Company", "Consolidated Statements of Income", "(In thousands, except per share data)"),
        (("", "Fiscal Year Ended", "", ""), ("", "June 29, 2024", "July 1, 2023", "July 2, 2022")),
        (
            *lines("Net sales | $418,260 | $391,745 | $402,118\nCost of goods sold | 271,869 | 258,552 | 261,377\nGross profit | 146,391 | 133,193 | 140,741\n"
                   "Selling, general and administrative | 88,402 | 84,976 | 81,230\nRestructuring charges | 3,240 | — | 1,875\nInterest expense | (6,212) | (4,890) | (4,105)\nNet income | $26,505 | $22,682 | $30,832"),
            *lines("Diluted earnings per share | $1.34 | $1.13 | $1.52", **_SHARE),
        ), scale=1000,
    ),
    Sheet(
        "cash flow", ("Calder Water Company", "Statements of Cash Flows", "(Dollars in thousands)"),
        (("", "Six months ended June 30,", "", "Year ended December 31,"), ("", "2024", "2023", "2023")),
        lines("Net income | 21,318 | 18,942 | 40,155\nDepreciation and amortization | 14,670 | 13,905 | 28,240\nChanges in working capital | (3,512) | 1,204 | 2,618\n"
              "Net cash from operating activities | 32,476 | 34,051 | 71,013\nCapital expenditures | (38,900) | (29,745) | (66,380)\nProceeds from asset sales | 1,150 | — | 460\nCash, end of period | 6,120 | 6,167 | 5,634"),
        scale=1000,
    ),
    Sheet(
        "balance", ("HARROW LOGISTICS PLC", "CONSOLIDATED BALANCE SHEETS", "(In millions, except share data)"),
        (("", "December 31,", ""), ("", "2023", "2022")),
        lines("ASSETS\nCash and cash equivalents | $312.4 | $428.9\nTrade receivables, net | 645.2 | 598.7\nInventories | 88.1 | 95.6\nTotal current assets | 1,045.7 | 1,123.2\n"
              "Property, plant and equipment, net | 2,310.8 | 2,104.5\nTotal assets | $3,356.5 | $3,227.7\nLIABILITIES AND EQUITY\nAccounts payable and accruals | 487.3 | 502.8\nLong-term debt | 1,260.0 | 1,385.0\n"
              "Retained earnings | 1,609.2 | 1,339.9\nTotal liabilities and equity | $3,356.5 | $3,227.7"),
        scale=10**6, below=("F-4",),
    ),
    Sheet(
        "segments", ("Note 15. Segment Information", "(In millions)"),
        (("", "Year Ended December 31,", "", ""), ("", "2023", "2022", "2021")),
        lines("Segment revenue:\nDiagnostics | $742.6 | $701.9 | $688.3\nImaging | 519.4 | 533.0 | 471.2\nField Services | 203.8 | 188.5 | 165.0\nTotal revenue | $1,465.8 | $1,423.4 | $1,324.5\n"
              "Segment operating profit (loss):\nDiagnostics | $163.4 | $147.4 | $151.5\nImaging | 62.3 | 79.9 | 61.3\nField Services | (8.2) | (3.4) | 1.7\nOperating income | $217.5 | $223.9 | $214.5"),
        scale=10**6, below=("88",),
    ),
    Sheet(
        "rent roll", ("Rent roll as of June 30, 2024 (all tenants NNN)",),
        (("Suite", "Tenant", "Area (sf)", "Base rent ($/sf/yr)", "Monthly base rent ($)", "Lease expiry"),),
        lines("100 | Cobalt Dental Supply | 12,400 | 18.50 | 19,116.67 | 2026-02-28\n120 | Marrow & Finch Printing | 8,250 | 16.80 | 11,550.00 | 2028-06-30\n200 | Quillback Robotics | 24,600 | 15.25 | 31,262.50 | 2032-10-31\n"
              "240 | Linden Optics | 5,150 | 17.10 | 7,338.75 | 2027-08-31\n300 | Astrid Home Goods | 9,600 | 19.00 | 15,200.00 | 2025-01-14"),
        units=(None, None, ("sf", 1, ""), ("USD", 1, "sf year"), ("USD", 1, "month"), ("", 1, "")), texts=2,
    ),
    Sheet(
        "market", ("Industrial market statistics, third quarter 2023",),
        (("Submarket", "Inventory (000 sf)", "Vacancy %", "Net absorption YTD (000 sf)", "Asking rent ($/sf/month, NNN)"),),
        lines("Harbor North | 41,870 | 3.9 | -312 | 1.12\nMill Flats | 27,305 | 5.2 | 488 | 0.94\nAirport South | 63,140 | 6.8 | -905 | 0.98\nGranite Gap | 12,685 | 8.1 | 15 | 0.71\nMarket total | 145,000 | 5.8 | -714 | 0.97"),
        units=(None, ("sf", 1000, ""), ("%", 1, ""), ("sf", 1000, ""), ("USD", 1, "sf month")),
    ),
    Sheet(
        "budget", ("Operating statement, nine months to 30 September 2023 (US$)",),
        (("Account", "Actual YTD", "Budget YTD", "Variance"),),
        lines("Gross potential rent | 2,184,300 | 2,160,000 | 24,300\nVacancy loss | (152,901) | (108,000) | (44,901)\nOther income | 96,420 | 90,000 | 6,420\nEffective gross income | 2,127,819 | 2,142,000 | (14,181)\n"
              "Payroll | 310,775 | 301,500 | 9,275\nUtilities | 188,640 | 171,000 | 17,640\nTotal operating expenses | 916,095 | 909,000 | 7,095\nNet operating income | 1,211,724 | 1,233,000 | (21,276)"),
    ),
    Sheet(
        "units", ("Self storage key figures",),
        (("Metric", "Unit", "Q1 2023", "Q2 2023", "Q3 2023", "FY 2022"),),
        (
            Line("Average occupancy", ("%", "91.2", "93.6", "94.1", "94.3"), "%", 1),
            Line("Rental revenue", ("$000", "3,412", "3,560", "3,655", "13,380"), "USD", 1000),
            Line("Same-store NOI", ("$000", "2,294", "2,484", "2,491", "9,170"), "USD", 1000),
            Line("Move-ins", ("units", "642", "815", "790", "3,019"), "", 1),
            Line("Realised rent", ("$ per sf per year", "17.84", "18.06", "18.41", "17.02"), "USD", 1, "sf year"),
        ), texts=2,
    ),
    Sheet(
        "region", ("Same-Store Portfolio by Region (dollars in thousands, except rent per unit)",),
        (("Region", "Units", "Avg monthly rent per unit 2Q24", "Occupancy 2Q24", "Revenue 2Q24", "Revenue 2Q23", "% chg"),),
        lines("Lakes | 4,210 | $1,685 | 95.8% | $21,940 | $21,105 | 4.0%\nPiedmont | 3,655 | $1,472 | 93.9% | 16,210 | 16,375 | (1.0)%\nHigh Desert | 2,980 | $1,598 | 94.4% | 14,425 | 14,110 | 2.2%\nTotal same-store | 10,845 | $1,589 | 94.7% | $52,575 | $51,590 | 1.9%"),
        units=(None, ("", 1, ""), ("USD", 1, "unit month"), ("%", 1, ""), ("USD", 1000, ""), ("USD", 1000, ""), ("%", 1, "")),
    ),
    Sheet(
        "footnotes", ("Table 2. Balance sheet key figures (EUR million unless stated)",),
        (("Item", "31 Dec 2023", "31 Dec 2022"),),
        (
            *lines("Forest assets (2) | 412.6 | 398.1\nNet debt | 58.3 | 49.7\nEquity* | 301.4 | 304.9"),
            *lines("Forest holdings, hectares | 73,400 | 72,150", unit="hectare", scale=1),
            *lines("Employees at year-end (3) | 386 | 402", unit="", scale=1),
        ), unit="EUR", scale=10**6, below=("(2) Carried at fair value.", "(3) Full-time equivalents; average for the year 391 (2022: 399)."),
    ),
    Sheet(
        "covenants", ("Amounts in US$ unless stated",),
        (("Covenant", "Requirement", "Actual", "Prior test"),),
        (
            *lines("Debt yield | >= 9.00% | 9.64% | 9.41%\nLoan to value | <= 62.5% | 58.3% | 57.0%\nLargest tenant share of rent | <= 20% | 17.8% | 18.1%", unit="%"),
            *lines("Interest cover (12m) | >= 1.80x | 1.92x | 2.11x", unit="x"),
            *lines("Minimum liquidity | >= 2,500,000 | 3,140,000 | 2,875,000"),
        ),
    ),
    Sheet(
        "long", ("Holbeck Retail Fund", "Schedule of properties, valuation at 31 December 2023", "(£000)"),
        (("Property", "2023", "2022"),),
        lines("\n".join(f"{name} {place} | {1000 + 37 * index * (index + 3):,} | {1040 + 31 * index * (index + 5):,}" for index, (name, place) in enumerate(
            (name, place) for name in ("Ash", "Birch", "Cedar", "Elm", "Hazel", "Larch", "Maple", "Oak", "Rowan") for place in ("Court", "House", "Park", "Quay", "Row", "Yard")))),
        unit="GBP", scale=1000,
    ),
)  # fmt: skip


_NUMBER = re.compile(r"[-(]*[$€£]?\s*[-(]?\d[\d,]*(?:\.\d+)?\)?\s?%?\)?")
_YEAR = re.compile(r"(?:19|20)\d\d")


def public(path: Path, most: int) -> list[Sheet]:
    """The different tables of the public rows, each with its rows; only those whose every row has as many cells."""
    sheets: dict[str, Sheet] = {}
    for row in (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()):
        text = next(chunk["text"] for chunk in row["source_chunks"] if chunk["kind"] == "table")
        known = sheets.get(text) or parsed(text, f"{row['doc']}")
        if known is not None:
            sheets[text] = Sheet(**{**known.__dict__, "rows": (*known.rows, row)})
    found = list(sheets.values())
    step = max(1, len(found) // most) if most else 1
    return found[::step][:most] if most else found


def parsed(text: str, name: str) -> Sheet | None:
    """The table of a text with bars; None where rows differ in length or nothing heads a column."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.split("\n") if line.strip()]
    first = next((index for index, row in enumerate(rows) if any(is_value(cell) for cell in row[1:])), 0)
    if not first or len(rows) - first < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) > 8:
        return None
    heads = tuple(tuple(row) for row in rows[:first])
    if any(len(row[0]) > 90 for row in rows) or not all(
        any(row[column] for row in heads) for column in range(1, len(rows[0]))
    ):
        return None
    return Sheet(name, (), heads, tuple(Line(row[0], tuple(row[1:])) for row in rows[first:]), own=False)


def is_value(text: str) -> bool:
    """Whether a cell of a public table is a number and no year."""
    return _NUMBER.fullmatch(text) is not None and not _YEAR.fullmatch(text)
