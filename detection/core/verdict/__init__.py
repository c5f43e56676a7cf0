"""From findings to a verdict: risk, level, reasons."""

from detection.core.verdict.boundary import stricter
from detection.core.verdict.conclusions import PROVED, concluded, decided_by
from detection.core.verdict.doubt import Alike, Limit, doubt_limit, doubt_of
from detection.core.verdict.findings import (
    DISPUTABLE,
    GRAVITY,
    NOT_OVERRULED,
    OVERRULED,
    UNREAD,
    absence,
    claim_findings,
)
from detection.core.verdict.graded import ASKING, ASSERTS_NOTHING, DOUBTFUL, LASTING, UNDERCHECKED, Graded
from detection.core.verdict.levels import (
    ACTIONS,
    ANSWER_STATUSES,
    ASKS,
    CLAIMED,
    CONDITIONS,
    LEVELS,
    MOST_UNJUDGED,
    WEIGHED,
)
from detection.core.verdict.owing import OWED_FOR, Owed, owed
from detection.core.verdict.reason_sentences import SENTENCES, WORDS, sentence, word
from detection.core.verdict.reasons import reason_code
from detection.core.verdict.reports import RULES, Report, missing, report_of, verifier_of
from detection.core.verdict.risk import adjust_confidence

__all__ = [
    "ACTIONS",
    "ANSWER_STATUSES",
    "ASKING",
    "ASKS",
    "ASSERTS_NOTHING",
    "CLAIMED",
    "CONDITIONS",
    "DISPUTABLE",
    "DOUBTFUL",
    "GRAVITY",
    "LASTING",
    "LEVELS",
    "MOST_UNJUDGED",
    "NOT_OVERRULED",
    "OVERRULED",
    "OWED_FOR",
    "PROVED",
    "RULES",
    "SENTENCES",
    "UNDERCHECKED",
    "UNREAD",
    "WEIGHED",
    "WORDS",
    "Alike",
    "Graded",
    "Limit",
    "Owed",
    "Report",
    "absence",
    "adjust_confidence",
    "claim_findings",
    "concluded",
    "decided_by",
    "doubt_limit",
    "doubt_of",
    "missing",
    "owed",
    "reason_code",
    "report_of",
    "sentence",
    "stricter",
    "verifier_of",
    "word",
]
