"""Small tables and texts of the project's own, and what the documents alone make of an answer's number."""

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.thresholds import DEFAULTS, Value
from detection.core.types import Case, Finding, Source

ENGLISH = (
    "(in thousands) | 2023 | 2022\n"
    "Rental income | $4,812 | $4,377\n"
    "Parking income | 615 | 588\n"
    "Operating expenses | (1,946) | (1,852)\n"
    "Net operating income | 3,481 | 3,113\n"
    "Occupancy rate | 93.4% | 91.2%"
)
HEBREW = (
    'באלפי ש"ח | 2023 | 2022\n'
    "הכנסות משכירות | 4,812 | 4,377\n"
    "הכנסות מחניה | 615 | 588\n"
    "הוצאות תפעול | (1,946) | (1,852)\n"
    "הכנסה תפעולית נטו | 3,481 | 3,113\n"
    "שיעור התפוסה | 93.4% | 91.2%"
)
CHINESE = (
    "单位：千元 | 2023年 | 2022年\n"
    "租金收入 | 4,812 | 4,377\n"
    "停车收入 | 615 | 588\n"
    "运营费用 | (1,946) | (1,852)\n"
    "净营业收入 | 3,481 | 3,113\n"
    "出租率 | 93.4% | 91.2%"
)


def judged(
    answer: str, *texts: str, language: str = "en", number: str | None = None, **thresholds: Value
) -> Finding:
    """The finding of the answer's ``number`` (without one, of its last that is no date), by ``texts`` alone."""
    sources = tuple(Source(f"S{index}", text) for index, text in enumerate(texts))
    case = Case(answer=answer, sources=sources, language=language)
    read = claims.read(case)
    limits = DEFAULTS.changed(**thresholds)
    found = numeric.decide(numeric.measure(Context(case, read, limits)), Context(thresholds=limits)).findings
    own = [
        f
        for f in found
        if (read[f.claim].text == number if number else read[f.claim].kind not in ("date", "change"))
    ]
    return own[-1]
