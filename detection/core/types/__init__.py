"""The vocabulary of detection: what goes in, what is read, what is measured, what is found.

Everything here is a frozen dataclass of plain values, so that a measurement can be stored as JSON
(:mod:`detection.core.codec`) and decided again years later with other thresholds. Offsets are Python
code points into the answer exactly as submitted, half open: ``answer[start:end]`` is the text.
"""

from detection.core.types.findings import (
    CitationDecision,
    Coverage,
    Decision,
    Finding,
    GroundingDecision,
    JudgeDecision,
    NumericDecision,
    Reason,
    Score,
    StrawberryDecision,
    Verdict,
)
from detection.core.types.inputs import Alias, Case, Figure, Named, Period, Source
from detection.core.types.measurements import (
    Candidate,
    CitationMeasurement,
    GroundingMeasurement,
    JudgeMeasurement,
    LiftMeasured,
    Measurement,
    NumberMeasured,
    NumericMeasurement,
    Overlap,
    SentenceCited,
    Slip,
    Span,
    StrawberryMeasurement,
    Usage,
)
from detection.core.types.readings import Claim, NumericClaim
from detection.core.types.words import (
    Action,
    AnswerStatus,
    Expired,
    Interval,
    Kind,
    Level,
    ReportStatus,
    Status,
    never,
)

__all__ = [
    "Action",
    "Alias",
    "AnswerStatus",
    "Candidate",
    "Case",
    "CitationDecision",
    "CitationMeasurement",
    "Claim",
    "Coverage",
    "Decision",
    "Expired",
    "Figure",
    "Finding",
    "GroundingDecision",
    "GroundingMeasurement",
    "Interval",
    "JudgeDecision",
    "JudgeMeasurement",
    "Kind",
    "Level",
    "LiftMeasured",
    "Measurement",
    "Named",
    "NumberMeasured",
    "NumericClaim",
    "NumericDecision",
    "NumericMeasurement",
    "Overlap",
    "Period",
    "Reason",
    "ReportStatus",
    "Score",
    "SentenceCited",
    "Slip",
    "Source",
    "Span",
    "Status",
    "StrawberryDecision",
    "StrawberryMeasurement",
    "Usage",
    "Verdict",
    "never",
]
