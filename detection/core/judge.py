"""The judge's opinion turned into risk and advice (CIT-04, CIT-06).

Only the second half is here: the judge needs a text model, and until one is configured its report says
``skipped``. What it would find is never made up.
"""

from detection.core.thresholds import Thresholds
from detection.core.types import JudgeDecision, JudgeMeasurement

ACTIONS = {
    "continue": "refine_search",
    "refine_search": "refine_search",
    "synthesize": "accept",
    "accept": "accept",
    "reject": "reject",
}
"""The judge's decision as an action (contracts §2)."""


def decide(measurement: JudgeMeasurement, thresholds: Thresholds) -> JudgeDecision:
    """The judge's risk, held within 0 and 1, and what it advises; a word that it was not offered counts for
    nothing, and the advice then follows from the risk."""
    risk = min(max(measurement.hallucination_risk, 0.0), 1.0)
    word = measurement.decision.strip().casefold()
    action = ACTIONS.get(word) or _by_risk(risk, thresholds)
    return JudgeDecision(risk=risk, action=action, notes=measurement.hallucination_notes)


def _by_risk(risk: float, thresholds: Thresholds) -> str:
    if risk > thresholds.judge_risk_high:
        return "reject"
    return "refine_search" if risk > thresholds.judge_risk else "accept"
