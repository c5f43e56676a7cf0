"""Small answers for the detectors by rule, so that patterns and tables are loaded before the first real one."""

from datetime import date
from decimal import Decimal

from detection.core import claims
from detection.core.context import Context
from detection.core.pipeline import screen
from detection.core.stores import Memory
from detection.core.types import Case, Figure, Source

_TABLE = "| $ thousand | Q3 2024 | Q2 2024 |\n|---|---|---|\n| Net operating income | 1,235 | 1,174 |"
_ANSWERS = {
    "en": "NOI was $1.2 million in Q3 2024 [S0], up 5.2% from $1.17 million, at an occupancy of 94.2% [S1].",
    "he": 'ה-NOI היה 1.2 מיליון ש"ח ברבעון 3 2024 [S0], עלייה של 5.2%.',
    "zh": "2024年第三季度净营业收入为120万元[S0]，增长5.2%。",
}


def warm() -> None:
    """Judge one answer of each language by rule. Nothing is returned and nothing is asked of anybody."""
    sources = (Source("S0", _TABLE), Source("S1", "Occupancy was 94.2% at the end of September 2024."))
    for language, answer in _ANSWERS.items():
        case = Case(
            answer, language=language, sources=sources, figures=(_figure(),), property="OAK", database="ok"
        )
        screen(Context(case, claims.read(case)), Memory(("numeric", "citation", "grounding")))


def _figure() -> Figure:
    start, end = date(2024, 7, 1), date(2024, 9, 30)
    noi = "net_operating_income"
    value = Decimal("1234567.89")
    return Figure("FinancialMetrics", 0, noi, noi, "currency", value, "USD", "OAK", "Q3 2024", start, end, "")
