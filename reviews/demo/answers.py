"""The answers of the demo: as in life most are correct, and one in six or seven is wrong somewhere.

Each recipe says what the imagined backend got right or wrong, and where; the rest follows from the portfolio.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from detection.models import Claim
from reviews.demo.labelled import chance
from reviews.demo.portfolio import HOLDINGS, QUARTERS, Holding, figures, neighbour
from reviews.demo.wording import ROWS, TEXTS, period_name
from reviews.demo.works import spent, works_source

Values = dict[str, Decimal]
Bend = Callable[[Values, Values, Values], Decimal]
RISING = (1, 2, 4, 5, 6)
"""The quarters whose income is above that of the quarter before."""
PAST = 2 / 3
"""The share of the answers that were judged and settled in the weeks before."""
STRIDE = 2
"""How far apart the quarters lie about which the same is asked again."""
PIECES = ("lease_right", "lease_wrong", "lease_made_up", "blamed", "waived", "unheard_of")
"""Wordings that are, or stand in, another one."""


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """One submission of the demo; ``name`` is its external id, stable over restarts. ``wrong`` is the piece of the answer
    that is wrong, empty in a correct one, ``right`` what should stand there instead, ``reason`` the reviewer's code for it."""

    name: str
    code: str
    period: str
    language: str
    question: str
    answer: str
    confidence: float
    sources: list[dict[str, Any]]
    wrong: str = ""
    right: str = ""
    reason: str = ""

    @property
    def past(self) -> bool:
        """Whether it belongs to the settled history and not to what came in just now: two in three do."""
        return chance("past", self.name) < PAST

    def verdicts(self, read: Iterable[Claim]) -> dict[int, tuple[str, str, str]]:
        """What a person who knows the answer says of each claim by its number: a verdict, the reason code, and what should
        stand there. Whatever touches the wrong piece is wrong, the rest is right."""
        start = self.answer.find(self.wrong) if self.wrong else len(self.answer)
        end = start + len(self.wrong)
        return {
            claim.index: self._said_of(claim)
            if claim.start < end and start < claim.end
            else ("supported", "", "")
            for claim in read
        }

    def _said_of(self, claim: Claim) -> tuple[str, str, str]:
        mended = claim.text.replace(self.wrong, self.right, 1)
        if self.right and mended != claim.text:
            return "corrected", self.reason, mended
        return "rejected", self.reason, ""


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


def fell(now: Values, before: Values) -> bool:
    """Whether net operating income is below that of the quarter before."""
    return now["net_operating_income"] < before["net_operating_income"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """``text`` names a wording; ``quarters`` is about how many quarters it is asked; ``only`` are the holdings it is
    asked of, none meaning all whose language has the wording.

    ``wrong`` is the piece of the wording that is wrong, ``right`` what should stand there (empty: nothing should), and
    ``reason`` what a reviewer calls it; a correct answer has none of them. ``income`` bends the net operating income,
    ``occupancy`` the occupancy, ``growth`` that of the income, ``works`` what was spent on works. Each is given the
    figures of the quarter, of the one before, and of another property in the same quarter. ``turned`` says the
    opposite direction. ``rising`` asks for quarters whose income grew."""

    question: str
    text: str
    confidence: float
    quarters: int = 1
    only: tuple[str, ...] = ()
    wrong: str = ""
    right: str = ""
    reason: str = ""
    income: Bend = lambda now, *_: now["net_operating_income"]
    occupancy: Bend = lambda now, *_: now["occupancy_rate"]
    growth: Bend = lambda now, before, _: growth_of(now, before)
    works: Bend = lambda now, *_: spent(now)[-1]
    turned: bool = False
    rising: bool = False


INCOME, TRUE_INCOME = "{income}", "{true_income}"
RECIPES = {
    "correct": Recipe("q_income", "correct", 0.95, quarters=2),
    "result": Recipe("q_overview", "result", 0.93, quarters=3),
    "rounded": Recipe("q_overview", "rounded", 0.94, quarters=2),
    "growth": Recipe("q_income", "growth", 0.92, quarters=2, rising=True),
    "direction": Recipe("q_direction", "direction", 0.9, quarters=2),
    "loan": Recipe("q_loan", "loan", 0.94),
    "works": Recipe("q_works", "works", 0.9),
    "lease_right": Recipe("q_lease", "lease_right", 0.9),
    "lease_end": Recipe("q_end", "lease_end", 0.91),
    "mixed": Recipe("q_overview", "mixed", 0.7),
    "unnamed": Recipe("q_overview", "unnamed", 0.85, only=("MILL",)),
    "transposed": Recipe("q_income", "result", 0.95, only=("OAK", "CARMEL"), wrong=INCOME, right=TRUE_INCOME, reason="wrong_value", income=lambda now, *_: transposed(now["net_operating_income"])),
    "period": Recipe("q_income", "result", 0.92, only=("CEDAR", "HARBOR"), wrong=INCOME, right=TRUE_INCOME, reason="wrong_period", income=lambda _, before, __: before["net_operating_income"]),
    "metric": Recipe("q_income", "result", 0.9, only=("MILL",), wrong=INCOME, right=TRUE_INCOME, reason="wrong_metric", income=lambda now, *_: now["total_revenue"]),
    "property": Recipe("q_income", "result", 0.93, only=("LOTUS",), wrong=INCOME, right=TRUE_INCOME, reason="wrong_entity", income=lambda _now, _before, other: other["net_operating_income"]),
    "scale": Recipe("q_income", "result", 0.9, only=("BAMBOO",), wrong=INCOME, right=TRUE_INCOME, reason="wrong_unit_or_scale", income=lambda now, *_: now["net_operating_income"] * 1000),
    "sign": Recipe("q_income", "result", 0.87, only=("MILL",), wrong=INCOME, right=TRUE_INCOME, reason="wrong_value", income=lambda now, *_: -now["net_operating_income"]),
    "inexact": Recipe("q_income", "result", 0.93, only=("OAK", "BAMBOO"), wrong=INCOME, right=TRUE_INCOME, reason="wrong_value", income=lambda now, *_: now["net_operating_income"] + Decimal("4120.00")),
    "invented": Recipe("q_overview", "result", 0.88, only=("CEDAR", "LOTUS"), wrong="{occupancy}%", right="{true_occupancy}%", reason="wrong_value", occupancy=lambda now, *_: now["occupancy_rate"] - Decimal("11.3")),
    "wrong_growth": Recipe("q_income", "growth", 0.91, only=("HARBOR", "BAMBOO"), wrong="{growth}%", right="{true_growth}%", reason="wrong_value", growth=lambda now, before, _: growth_of(now, before) + Decimal("1.4"), rising=True),
    "turned": Recipe("q_direction", "direction", 0.89, only=("OAK", "CARMEL"), wrong="{moved}", right="{true_moved}", reason="contradicted_by_source", turned=True),
    "wrong_works": Recipe("q_works", "works", 0.89, only=("CEDAR",), wrong="{works}", right="{true_works}", reason="wrong_period", works=lambda _, before, __: spent(before)[-1]),
    "cause": Recipe("q_overview", "cause", 0.81, only=("MILL", "LOTUS"), wrong="{blamed}", reason="unsupported_inference"),
    "opposite": Recipe("q_lease", "lease_wrong", 0.86, only=("CEDAR", "HARBOR"), wrong="{lease_wrong}", right="{lease_right}", reason="contradicted_by_source"),
    "made_up": Recipe("q_lease", "lease_made_up", 0.84, only=("OAK", "CARMEL"), wrong="{lease_made_up}", reason="unsupported_inference"),
    "no_such_source": Recipe("q_overview", "bad_citation", 0.87, only=("MILL",), wrong="{waived}", reason="unsupported_inference"),
    "unheard_of": Recipe("q_deposits", "unheard_of", 0.85, only=("OAK", "BAMBOO"), wrong="{unheard_of}", reason="unsupported_inference"),
}  # fmt: skip
"""What the imagined backend got right and, from ``transposed`` on, wrong."""


def demo_answers() -> Iterator[DemoAnswer]:
    """Every recipe for its properties, over changing quarters; and one empty answer."""
    for place, holding in enumerate(HOLDINGS):
        for number, (name, recipe) in enumerate(RECIPES.items()):
            asked = holding.code in recipe.only if recipe.only else recipe.text in TEXTS[holding.language]
            quarters = RISING if recipe.rising else range(1, len(QUARTERS))
            for again in range(recipe.quarters if asked else 0):
                position = quarters[(place + number + STRIDE * again) % len(quarters)]
                yield _answer(f"{name}-{again + 1}" if again else name, recipe, holding, position)
    yield DemoAnswer("demo-empty", "OAK", "Q4 2024", "en", "What is the roof made of?", "", 0.5, [])


def _answer(name: str, recipe: Recipe, holding: Holding, position: int) -> DemoAnswer:
    words = TEXTS[holding.language]
    year, quarter = QUARTERS[position]
    now, before = figures(holding, position), figures(holding, position - 1)
    other = figures(neighbour(holding), position)
    shown = _shown(holding, now, year, quarter) | {
        "before": period_name(holding.language, *QUARTERS[position - 1]),
        "lobby": _money(holding, spent(now)[2]),
        "old_occupancy": before["occupancy_rate"],
    }
    for prefix, made in (("true_", Recipe("", "", 0.0)), ("", recipe)):
        shown |= {
            f"{prefix}income": _money(holding, made.income(now, before, other)),
            f"{prefix}occupancy": made.occupancy(now, before, other),
            f"{prefix}growth": made.growth(now, before, other),
            f"{prefix}works": _money(holding, made.works(now, before, other)),
            f"{prefix}moved": words["fell" if fell(now, before) != made.turned else "rose"],
        }
    shown |= {piece: words[piece].format(**shown) for piece in PIECES if piece in words}
    return DemoAnswer(
        name=f"demo-{holding.code}-{name}".lower(),
        code=holding.code,
        period=f"Q{quarter} {year}",
        language=holding.language,
        question=words[recipe.question].format(**shown),
        answer=words[recipe.text].format(**shown),
        confidence=recipe.confidence,
        sources=[
            *_sources(holding, now, before, position),
            *([works_source(holding, now, before, position)] if recipe.text == "works" else []),
        ],
        wrong=recipe.wrong.format(**shown),
        right=recipe.right.format(**shown),
        reason=recipe.reason,
    )


def _money(holding: Holding, amount: Decimal) -> str:
    return ("-" if amount < 0 else "") + TEXTS[holding.language]["money"].format(value=f"{abs(amount):,.2f}")


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
