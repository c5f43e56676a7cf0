"""About a hundred demo answers that together show every claim status.

Each recipe says what the imagined backend got right or wrong; the rest follows from the portfolio.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from reviews.demo.portfolio import HOLDINGS, QUARTERS, Holding, figures, neighbour
from reviews.demo.wording import ROWS, TEXTS, period_name
from reviews.demo.works import spent, works_source

Values = dict[str, Decimal]
Bend = Callable[[Values, Values, Values], Decimal]
RISING = (1, 2, 4, 5, 6)
"""The quarters whose income is above that of the quarter before."""


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """One submission of the demo; ``name`` is its external id, stable over restarts."""

    name: str
    code: str
    period: str
    language: str
    question: str
    answer: str
    confidence: float
    sources: list[dict[str, Any]]


def transposed(amount: Decimal) -> Decimal:
    """The amount with its third and fourth leading digits swapped, or the next pair that differs."""
    digits = list(str(amount))
    for at in range(2, len(digits) - 1):
        first, second = digits[at], digits[at + 1]
        if first != second and first.isdigit() and second.isdigit():
            digits[at], digits[at + 1] = second, first
            break
    return Decimal("".join(digits))


def growth_of(now: Values, before: Values) -> Decimal:
    """How much net operating income grew, in per cent to one digit."""
    gained = now["net_operating_income"] / before["net_operating_income"] - 1
    return (gained * 100).quantize(Decimal("0.1"), ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class Recipe:
    """``text`` names a wording; ``income`` bends the net operating income, ``occupancy`` the occupancy, ``growth``
    that of the income, ``works`` what was spent on works. Each is given the figures of the quarter, of the one
    before, and of another property in the same quarter. ``rising`` asks for a quarter whose income grew."""

    question: str
    text: str
    confidence: float
    income: Bend = lambda now, *_: now["net_operating_income"]
    occupancy: Bend = lambda now, *_: now["occupancy_rate"]
    growth: Bend = lambda now, before, _: growth_of(now, before)
    works: Bend = lambda now, *_: spent(now)[-1]
    rising: bool = False


RECIPES = {
    "correct": Recipe("q_income", "correct", 0.95),
    "transposed": Recipe("q_income", "wrong_number", 0.95, income=lambda now, *_: transposed(now["net_operating_income"])),
    "period": Recipe("q_income", "wrong_number", 0.92, income=lambda _, before, __: before["net_operating_income"]),
    "metric": Recipe("q_income", "wrong_number", 0.9, income=lambda now, *_: now["total_revenue"]),
    "scale": Recipe("q_income", "wrong_number", 0.9, income=lambda now, *_: now["net_operating_income"] * 1000),
    "invented": Recipe("q_overview", "wrong_number", 0.88, occupancy=lambda now, *_: now["occupancy_rate"] - Decimal("11.3")),
    "inexact": Recipe("q_income", "wrong_number", 0.93, income=lambda now, *_: now["net_operating_income"] + Decimal("4120.00")),
    "rounded": Recipe("q_overview", "rounded", 0.94),
    "uncited": Recipe("q_overview", "uncited", 0.81),
    "bad_citation": Recipe("q_overview", "bad_citation", 0.87),
    "lease_right": Recipe("q_lease", "lease_right", 0.9),
    "lease_wrong": Recipe("q_lease", "lease_wrong", 0.86),
    "lease_made_up": Recipe("q_lease", "lease_made_up", 0.84),
    "mixed": Recipe("q_overview", "mixed", 0.7),
    "cut_off": Recipe("q_overview", "cut_off", 0.9),
    "unnamed": Recipe("q_overview", "unnamed", 0.85),
    "growth": Recipe("q_income", "growth", 0.92, rising=True),
    "wrong_growth": Recipe("q_income", "growth", 0.91, growth=lambda now, before, _: growth_of(now, before) + Decimal("1.4"), rising=True),
    "property": Recipe("q_income", "wrong_number", 0.93, income=lambda _now, _before, other: other["net_operating_income"]),
    "works": Recipe("q_works", "works", 0.9),
    "wrong_works": Recipe("q_works", "works", 0.89, works=lambda _, before, __: spent(before)[-1]),
}  # fmt: skip


def demo_answers() -> Iterator[DemoAnswer]:
    """Every recipe for every property, over changing quarters; and one empty answer."""
    for place, holding in enumerate(HOLDINGS):
        for number, (name, recipe) in enumerate(RECIPES.items()):
            if recipe.text in TEXTS[holding.language]:
                quarters = RISING if recipe.rising else range(1, len(QUARTERS))
                yield _answer(name, recipe, holding, quarters[(place + number) % len(quarters)])
    yield DemoAnswer("demo-empty", "OAK", "Q4 2024", "en", "What is the roof made of?", "", 0.5, [])


def _answer(name: str, recipe: Recipe, holding: Holding, position: int) -> DemoAnswer:
    words = TEXTS[holding.language]
    year, quarter = QUARTERS[position]
    now, before = figures(holding, position), figures(holding, position - 1)
    other = figures(neighbour(holding), position)
    earlier = period_name(holding.language, *QUARTERS[position - 1])
    shown = _shown(holding, now, year, quarter) | {"before": earlier}
    shown |= {
        "income": _money(holding, recipe.income(now, before, other)),
        "occupancy": recipe.occupancy(now, before, other),
        "growth": recipe.growth(now, before, other),
        "lobby": _money(holding, spent(now)[2]),
        "works": _money(holding, recipe.works(now, before, other)),
    }
    filler = " ".join(words["filler"].format(n=5000 + 10 * n) for n in range(12)) if "filler" in words else ""
    return DemoAnswer(
        name=f"demo-{holding.code}-{name}".lower(),
        code=holding.code,
        period=f"Q{quarter} {year}",
        language=holding.language,
        question=words[recipe.question].format(**shown),
        answer=words[recipe.text].format(**shown, filler=filler),
        confidence=recipe.confidence,
        sources=[
            *_sources(holding, now, before, position),
            *([works_source(holding, now, before, position)] if recipe.text == "works" else []),
        ],
    )


def _money(holding: Holding, amount: Decimal) -> str:
    return TEXTS[holding.language]["money"].format(value=f"{amount:,.2f}")


def _shown(holding: Holding, now: Values, year: int, quarter: int) -> dict[str, Any]:
    short = now["total_revenue"] / (10_000 if holding.language == "zh" else 1_000_000)
    return {
        "name": holding.local_name,
        "tenant": holding.tenant,
        "currency": holding.currency,
        "period": period_name(holding.language, year, quarter),
        "revenue": _money(holding, now["total_revenue"]),
        "revenue_short": TEXTS[holding.language]["revenue_short"].format(value=f"{short:.1f}"),
        "expenses": _money(holding, now["operating_expenses"]),
        "debt": _money(holding, now["debt_service"]),
        "dscr": now["dscr"],
        "ltv": now["ltv"],
    }


def _sources(holding: Holding, now: Values, before: Values, position: int) -> list[dict[str, Any]]:
    words = TEXTS[holding.language]
    year, quarter = QUARTERS[position]
    shown = _shown(holding, now, year, quarter) | {"occupancy": now["occupancy_rate"]}
    earlier = period_name(holding.language, *QUARTERS[position - 1])
    columns = ("total_revenue", "operating_expenses", "net_operating_income", "occupancy_rate")
    lines = [words["header"].format(**shown, before=earlier)]
    for label, column in zip(ROWS[holding.language], columns, strict=True):
        cells = [
            f"{v[column]}%" if column == "occupancy_rate" else f"{v[column]:,.2f}" for v in (now, before)
        ]
        lines.append(" | ".join([label, *cells]))
    return [
        {
            "id": "S0",
            "title": words["statement_title"].format(**shown),
            "text": "\n".join(lines),
            "score": 0.91,
            "metadata": {"page": 4},
        },
        {
            "id": "S1",
            "title": words["memo_title"].format(**shown),
            "text": words["memo"].format(**shown),
            "score": 0.86,
            "metadata": {"page": 2},
        },
        {
            "id": "S2",
            "title": words["lease_title"].format(**shown),
            "text": words["lease"].format(**shown),
            "score": 0.79,
            "metadata": {"page": 1},
        },
    ]
