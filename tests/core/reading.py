"""What the reader of chunks makes of a fixed corpus. ``python -m tests.core.reading`` writes it down anew, after the
version of the reader was raised."""

import hashlib
import json
from pathlib import Path
from typing import Any

from detection.core import evidence
from detection.core.evidence import READER, Evidence, remembered
from detection.core.evidence.facts import Fact, Grid
from detection.core.types import Case, Source, never

HELD = Path(__file__).parent.parent / "data" / "reading.json"
CORPUS = (
    "NOI was $1,234,567 in Q3 2024, up 5.2% from $1,173,500 in Q2 2024. Occupancy stood at 94.2% at the end of September.",
    "| $ thousand | Q3 2024 | Q2 2024 |\n|---|---|---|\n| Net operating income | 1,235 | 1,174 |\n| Occupancy | 94.2% | 93.1% |",
    "The DSCR must not fall below 1.25x. The loan of $150 million matures on 30 June 2027; the rate is 5.75% a year.",
    "(in thousands)\nYear ended December 31, 2023 2022\nNet sales $ 3,440,258 $ 3,236,004\nOperating income 67,994 29,700\n"
    "Net loss (1,204) (980)\n",
    "Unit,Tenant,Area sf,Rent per month,Lease end\n101,Acme Ltd,1200,\"4,800\",2026-03-31\n102,Vacant,900,-,\nTotal,,2100,\"4,800\",\n",
    "ההכנסה התפעולית נטו ברבעון השלישי של 2024 הייתה 1.2 מיליון ש\"ח, עלייה של 5% לעומת הרבעון הקודם.",
    "2024年第三季度净营业收入为120万元，同比增长5.2%，出租率为94.2%。",
    "The fiscal year ends on September 30. Revenue of fiscal 2024 fell by a third to about $2.1bn; costs doubled.",
    "<table><tr><th></th><th>2024</th><th>2023</th></tr><tr><td>Rent</td><td>$380</td><td>$350</td></tr>"
    "<tr><td>Parking</td><td>—</td><td>20</td></tr></table>",
)  # fmt: skip
"""Prose and tables of every form in three languages."""


def reading() -> dict[str, Any]:
    """The reader's version and a hash of what it makes of each text of the corpus, and of all together."""
    remembered.clear()
    alone = [described(evidence.read(Case("", sources=(Source("S0", text),)), never)) for text in CORPUS]
    sources = tuple(Source(f"S{n}", text) for n, text in enumerate(CORPUS))
    together = described(evidence.read(Case("", sources=sources), never))
    return {"reader": READER, "digest": hashlib.sha256(json.dumps([alone, together]).encode()).hexdigest()}


def described(found: Evidence) -> list[Any]:
    """Everything that was read, as texts in a fixed order."""
    return [
        [_grid(grid) for grid in found.grids],
        [_fact(fact) for fact in found.dates],
        [found.read, found.unread, *found.unreadable],
    ]


def _grid(grid: Grid) -> list[Any]:
    labels = [
        [
            axis.name,
            str(axis.least),
            [[one.text, *(sorted(form) for form in (*one.forms, *one.above))] for one in axis.labels],
        ]
        for axis in grid.axes
    ]
    return [
        grid.name,
        str(grid.calendar.year_end),
        str(grid.scale),
        labels,
        [_fact(fact) for fact in grid.facts],
    ]


def _fact(fact: Fact) -> list[str]:
    slots = {name: getattr(fact, name) for name in Fact.__slots__}
    return [
        f"{name}={sorted(value) if isinstance(value, frozenset) else value}" for name, value in slots.items()
    ]


if __name__ == "__main__":
    HELD.write_text(json.dumps(reading()) + "\n")
