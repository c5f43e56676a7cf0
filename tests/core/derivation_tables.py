"""A small income statement in three languages, and what an answer beside it is found to be."""

import re

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Finding, Source

ENGLISH = (
    "(in thousands) | 2024 | 2023 | 2022\nRental income | 4,120 | 3,900 | 3,500\nParking income | 380 | 350 | 330\n"
    "Total revenue | 4,500 | 4,250 | 3,830\nRepairs and maintenance | (410) | (350) | (300)\n"
    "Property taxes | (520) | (500) | (480)\nNet operating income | 2,700 | 2,500 | 2,200"
)
HEBREW = (
    '(באלפי ש"ח) | 2024 | 2023 | 2022\nהכנסות משכירות | 4,120 | 3,900 | 3,500\nהכנסות מחניה | 380 | 350 | 330\n'
    "סך ההכנסות | 4,500 | 4,250 | 3,830\nתחזוקה | (410) | (350) | (300)\nרווח תפעולי נקי | 2,700 | 2,500 | 2,200"
)
CHINESE = (
    "（千元） | 2024年 | 2023年 | 2022年\n租金收入 | 4,120 | 3,900 | 3,500\n停车收入 | 380 | 350 | 330\n"
    "收入合计 | 4,500 | 4,250 | 3,830\n维修费 | (410) | (350) | (300)\n净营业收入 | 2,700 | 2,500 | 2,200"
)
NUMBER = re.compile(r"\d[\d,.]*")
TABLES = {"en": ENGLISH, "he": HEBREW, "zh": CHINESE}


def judged(answer: str, *chunks: str, language: str = "en") -> dict[str, Finding]:
    """The findings of an answer by the text of each number."""
    sources = tuple(Source(f"S{index}", chunk) for index, chunk in enumerate(chunks))
    case = Case(answer=answer, language=language, sources=sources)
    read = claims.read(case)
    decided = numeric.decide(numeric.measure(Context(case, read)), Context())
    return {read[one.claim].text: one for one in decided.findings if read[one.claim].kind != "change"}


def follows(finding: Finding, shown: str) -> bool:
    """Whether a finding is derived from the numbers of the equation ``shown``, as the tables write them."""
    left = shown.rpartition(" = ")[0]
    return finding.code == "derived" and operands(finding) == sorted(NUMBER.findall(left))


def operands(finding: Finding) -> list[str]:
    """The numbers of the arithmetic of a finding as the tables write them, sorted; none when it is not derived."""
    shown = finding.matched.arithmetic if finding.code == "derived" and finding.matched else ""
    return sorted(NUMBER.findall(re.sub(r"(?<=\d),000(?![,\d])", "", shown or "")))
