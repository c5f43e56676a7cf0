"""From findings to a verdict: risk, level, reasons."""

from detection.core.verdict.boundary import stricter
from detection.core.verdict.findings import ASSERTS_NOTHING, GRAVITY, absence, claim_findings
from detection.core.verdict.graded import UNDERCHECKED, Graded
from detection.core.verdict.reason_sentences import SENTENCES, WORDS, sentence, word
from detection.core.verdict.reports import Report, missing, report_of
from detection.core.verdict.risk import adjust_confidence

__all__ = [
    "ASSERTS_NOTHING",
    "GRAVITY",
    "SENTENCES",
    "UNDERCHECKED",
    "WORDS",
    "Graded",
    "Report",
    "absence",
    "adjust_confidence",
    "claim_findings",
    "missing",
    "report_of",
    "sentence",
    "stricter",
    "word",
]
