"""What each number of an answer is compared with, beside records in which every slot holds a value of its own."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from detection.core import claims, lexicons
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.numbers import extract, of_iso
from detection.core.types import Alias, Case, Claim, Figure, Named, Period

UNITS = {"percentage": "%", "ratio": "x", "number": ""}
METRICS = (
    "net_operating_income", "total_revenue", "operating_expenses", "debt_service", "occupancy_rate", "dscr", "ltv",
    "management_fees", "property_taxes",
)  # fmt: skip
PERIODS = (
    *(f"{year}-Q{quarter}" for year in (2022, 2023, 2024) for quarter in (1, 2, 3, 4)), "2021", "2022", "2023", "2024",
)  # fmt: skip


class Slot(NamedTuple):
    """Metric, period (ISO) and property of the figure that a number was compared with; None where with none."""

    metric: str | None
    period: str | None
    property: str | None


def period(iso: str, owner: str, number: int = 1) -> Period:
    """The period of a property with this ISO form."""
    span = of_iso(iso)
    assert span.start is not None
    assert span.end is not None
    return Period(number, owner, iso, span.start, span.end)


def slots(
    answer: str,
    *,
    language: str = "en",
    metrics: Sequence[str] = METRICS,
    names: Sequence[Named] = (),
    aliases: Sequence[Alias] = (),
    asked: str | None = "2024-Q2",
    own: str | None = "OWN",
    periods: Sequence[str] = PERIODS,
) -> list[Slot]:
    """The slot of each number of ``answer``, dates apart: of the property ``own`` and the period ``asked`` where its
    words name no others."""
    read = read_slots(
        answer, language=language, metrics=metrics, names=names, aliases=aliases, asked=asked, own=own, periods=periods
    )  # fmt: skip
    return [slot for _, slot in read]


def read_slots(
    answer: str,
    *,
    language: str,
    metrics: Sequence[str],
    names: Sequence[Named],
    aliases: Sequence[Alias],
    asked: str | None,
    own: str | None,
    periods: Sequence[str],
) -> list[tuple[Claim, Slot]]:
    """The numbers of ``answer``, dates apart, each with its slot."""
    money = next((number.unit for number in extract(answer, language) if number.kind == "currency"), "USD")
    owners = list(dict.fromkeys([*([own] if own else []), *(one.property for one in names)]))
    known = {owner: [period(iso, owner, n) for n, iso in enumerate(periods, 1)] for owner in owners}
    figures = tuple(
        figure(metric, within, Decimal(7_919_377) + 104_729 * n, money, aliases)
        for n, (metric, within) in enumerate(
            (metric, within) for metric in metrics for owner in owners for within in known[owner]
        )
    )
    case = Case(
        answer, language=language, figures=figures, periods=tuple(p for own in known.values() for p in own),
        aliases=tuple(aliases), properties=(*(Named(o, o) for o in owners), *names), property=own,
        period=period(asked, own or "") if asked else None, database="ok",
    )  # fmt: skip
    read = claims.read(case)
    measured = numeric.measure(Context(case, read)).claims
    numbers = [c for c in read if c.kind not in ("statement", "date", "change")]
    return [
        (c, Slot(measured[c.index].metric, measured[c.index].period, measured[c.index].property))
        for c in numbers
    ]


def figure(metric: str, within: Period, value: Decimal, money: str, aliases: Sequence[Alias]) -> Figure:
    """A figure of record of the kind that its metric has, amounts in the currency ``money``."""
    concept = lexicons.concepts().get(metric)
    kind = concept.kind if concept else "currency"
    if kind in ("percentage", "ratio"):
        value = value / 100_000_000
    name = next((alias.text for alias in aliases if alias.metric == metric), metric.replace("_", " "))
    return Figure(
        "FinancialMetrics", within.id, metric, name, kind, value, UNITS.get(kind, money), within.property, within.label,
        within.start, within.end, "2024-11-04",
    )  # fmt: skip
