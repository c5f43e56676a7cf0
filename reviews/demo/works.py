"""What the demo properties spent on works: figures that stand in a table of a source alone, in three forms."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from html import escape
from typing import Any

from reviews.demo.portfolio import QUARTERS, Holding
from reviews.demo.wording import TEXTS, WORKS, period_name

SHARES = (Decimal("1.3"), Decimal("0.8"), Decimal("0.5"))
"""Roof, elevators and lobby, in per cent of revenue."""
THOUSAND = Decimal(1000)
Table = Sequence[Sequence[str]]


def spent(values: dict[str, Decimal]) -> list[Decimal]:
    """What was spent on each of the works and on all of them, in whole hundreds."""
    each = [round(values["total_revenue"] * share / 100, -2) for share in SHARES]
    return [*each, sum(each, Decimal(0))]


def works_source(
    holding: Holding, now: dict[str, Decimal], before: dict[str, Decimal], position: int
) -> dict[str, Any]:
    """The table of works, in thousands, in the form that the holding keeps it in."""
    words = TEXTS[holding.language]
    columns = [period_name(holding.language, *QUARTERS[at]) for at in (position, position - 1)]
    cells = zip(spent(now), spent(before), strict=True)
    rows = [
        [label, *(f"{amount / THOUSAND:,.1f}" for amount in pair)]
        for label, pair in zip(WORKS[holding.language], cells, strict=True)
    ]
    title = words["works_title"].format(name=holding.local_name, currency=holding.currency)
    return {
        "id": "S3",
        "title": words["works_name"],
        "text": FORMS[holding.form](title, [[words["works_head"], *columns], *rows]),
        "score": 0.83,
        "metadata": {"page": 7},
    }


def _markdown(title: str, table: Table) -> str:
    head, *rows = ["| " + " | ".join(row) + " |" for row in table]
    return "\n".join([f"### {title}", "", head, "|---" + "|---:" * (len(table[0]) - 1) + "|", *rows])


def _csv(title: str, table: Table) -> str:
    lines = [",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in table]
    return "\n".join([title, *lines])


def _html(title: str, table: Table) -> str:
    head, *rows = table
    parts = [f"<table><caption>{escape(title)}</caption>"]
    parts += ["<thead><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr></thead><tbody>"]
    parts += ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return "\n".join([*parts, "</tbody></table>"])


FORMS: dict[str, Callable[[str, Table], str]] = {"markdown": _markdown, "csv": _csv, "html": _html}
