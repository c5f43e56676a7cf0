"""How an answer is graded, one rule a row (:mod:`detection.core.rules`): the source document's conditions of the levels
(CIT-07), what is advised (CIT-08), what asks for a reviewer (NUM-11).

One condition of the high level is enough for it; the low level needs every condition of its own; between
them lies moderate. Rows whose subject there is not are left out: citation rules that do not count for this
answer, a judge that was not asked.
"""

from operator import eq, ge, gt, le, lt
from typing import NamedTuple, get_args

from detection.core.rules import PLAIN, Algebra, Column, Columns, Row, among, any_of, besides, first, holds
from detection.core.thresholds import Thresholds
from detection.core.types import Action, AnswerStatus, Level
from detection.core.verdict.graded import DOUBTFUL, LASTING, UNDERCHECKED

LEVELS, ACTIONS, ANSWER_STATUSES = (get_args(words) for words in (Level, Action, AnswerStatus))

UNSETTLED = ("status", among, (*DOUBTFUL, "unverified"))
OPEN = ("status", among, ("unsupported", "unverified"))
UNCERTAIN = ("code", among, ("uncertain",))
_UNDECIDED = ("uncertain", "pending", "unbound")
_AWAY = (("status", among, ("unverified",)), ("code", besides, (*_UNDECIDED, "no_evidence")))
"""What was due and has no result: its verifier, its figures or its time were away."""
_UNMEASURED = ("not_measured", "error")
NO_OPINION = ("opinion", eq, False)
"""Not by a verifier's probability alone; what it believes of all statements is added up for the answer."""
CLAIMED = (
    Row("contradicted", ("status", among, ("contradicted",)), NO_OPINION),
    Row("opposed", ("status", among, DOUBTFUL), NO_OPINION),
    Row("doubtful", ("status", among, DOUBTFUL)),
    Row("unchecked", ("status", among, ("unverified",))),
    Row("unchecked", ("code", among, UNDERCHECKED)),
    # NUM-10 counts numbers; SPEC-08.42 whatever timed out
    Row("penalised", UNSETTLED, "number"),
    Row("penalised", UNSETTLED, ("code", among, ("timeout",))),
    Row("uncertain", OPEN, UNCERTAIN),
    Row("failing", "number", OPEN, ("code", besides, _UNDECIDED)),
    Row("unread", *_AWAY),
    Row("owed", ("number", eq, False), *_AWAY, ("code", besides, (*_UNMEASURED, *LASTING))),
    Row("owed", ("code", among, ("overload",))),
    Row("carried", ("status", among, ("supported",))),
    Row("unevidenced", ("code", among, ("no_evidence",))),
    Row("disputed", "disputed"),
)
"""What a claim makes of its answer; one such claim is enough."""
ASKS = (
    Row("asks", "cites_invalid"),
    Row("asks", "review_uncertain", UNCERTAIN),
    Row("asks", ("status", among, DOUBTFUL), ("code", besides, ("number_contradicted",))),
    Row("asks", "number", UNSETTLED, ("code", besides, _UNDECIDED)),
    Row("asks", "review_not_verified", *_AWAY),
    Row("asks", "disputed", "review_disputed"),
)
"""Which claims ask a reviewer for a decision: what is contradicted or unsupported for its own sake (not because of one of its
numbers), a number that could not be verified, or a source cited which does not exist. A statement that the verifier is
merely uncertain about, or that it could not judge, asks for nothing, unless the profile opens reviews for it."""
WEIGHED = (
    Row("judged", ("status", besides, ("not_checked", "unverified"))),
    Row("judged", ("status", among, ("unverified",)), ("code", among, _UNDECIDED)),
    Row("unjudged", *_AWAY),
    Row("unjudged", ("code", among, UNDERCHECKED)),
)
"""Which claims were judged, and which were due and were not. What was not asked for, and what asserts nothing, is neither."""
MOST_UNJUDGED = 0.2
"""An answer is not verified from this share of statements, or of numbers, that were not judged."""

# fmt: off
SUBJECTS = {
    "rules": Row("there", "expected"),
    "claims": Row("there", "expected", ("total", gt, 0), says="an answer without claims needs no citation (CIT-09)"),
    "judge": Row("there", "judged"),
    "answer": Row("there"),
}
CONDITIONS = (
    Row("high", ("risk", gt, "citation_risk_high"), subject="rules", says="hallucination_risk_score > 0.6"),
    Row("high", ("invalid", gt, 0), subject="rules", says="invalid_citations > 0"),
    Row("high", ("uncited", ge, "uncited_high"), subject="rules", says="uncited_sentences >= 3"),
    Row("high", ("judged_risk", gt, "judge_risk_high"), subject="judge", says="hallucination_risk > 0.6"),
    Row("high", "judge_unsupported", subject="judge", says="hallucination_notes name an unsupported claim"),
    Row("high", ("total", ge, "citation_ratio_claims"), ("ratio", lt, "citation_ratio_low"), subject="rules", says="citation_ratio < 0.3 and total_claims >= 3"),
    Row("high", "contradicted", subject="answer", says="a claim is contradicted"),
    Row("low", ("risk", le, "citation_risk"), subject="claims", says="hallucination_risk_score <= 0.3"),
    Row("low", ("invalid", eq, 0), subject="claims", says="invalid_citations = 0"),
    Row("low", ("uncited", eq, 0), subject="claims", says="uncited_sentences = 0"),
    Row("low", ("ratio", ge, "citation_ratio_good"), subject="claims", says="citation_ratio >= 0.7"),
    Row("low", ("judged_risk", le, "judge_risk"), subject="judge", says="hallucination_risk <= 0.3"),
    Row("low", ("doubtful", eq, False), subject="answer", says="no claim is doubtful"),
    Row("low", ("unchecked", eq, False), subject="answer", says="every due claim was checked"),
    Row("low", ("failed", eq, False), subject="answer", says="no due check failed"),
    Row("low", ("owed", eq, False), subject="answer", says="no verification is owed"),
    Row("low", ("misplaced", eq, False), subject="rules", says="no citation is misplaced"),
    Row("low", ("injected", eq, False), subject="answer", says="nothing gives orders to the verifier"),
    Row("low", ("disputed", eq, False), subject="answer", says="no evidence contradicts other evidence of a claim"),
    Row("low", ("refused", eq, False), subject="answer", says="strict generation let it pass"),
)
# fmt: on
WRONG = (
    Row("wrong", "opposed"),
    Row("wrong", ("doubt", gt, "doubt_limit")),
    Row("wrong", "expected", ("invalid", gt, 0)),
)
STATUSES = (
    Row("error", "all_failed", ("owed", eq, False)),
    Row("hallucination_detected", "wrong"),
    Row("hallucination_detected", "refused"),
    Row("not_verified", "owed"),
    Row("not_verified", "unjudged"),
    Row("insufficient_context", "sources_required", ("sources", eq, 0)),
    Row("insufficient_context", "unevidenced"),
    Row("insufficient_context", ("sources", eq, 0), ("carried", eq, False)),
    Row("low_confidence", ("mean_score", lt, "minimum_score")),
)
REVIEWED = (
    Row("review", ("level", among, ("high",))),
    Row("review", "refused"),
    Row("review", "broken"),
    Row("review", "failed", "review_not_verified"),
    Row("review", "unread", "review_not_verified"),
    Row("review", "lacks_too_much"),
    Row("review", "injected", "review_injection"),
    Row("review", "uncertain", "review_uncertain"),
    Row("review", "disputed", "review_disputed"),
    Row("review", "failing", "auto_flag_unverified"),
    Row("review", "wrong", "auto_flag_unverified"),
)
ADVICE = (
    Row("accept", ("to_limit", le, "near_limit")),
    Row("reject", ("level", among, ("high",))),
    Row("refine_search", ("level", among, ("moderate",))),
)


class Grades(NamedTuple):
    """What the rows give: of one answer, or of each of many."""

    has_hallucinations: Column
    risk_score: Column
    risk_level: Column
    needs_review: Column
    adjusted_confidence: Column
    answer_status: Column
    action: Column


def grades(answer: Columns, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Grades:
    """Grade the answer, or the answers, of these columns (:func:`detection.core.verdict.risk.answer_columns`)."""
    level = level_of(answer, thresholds, algebra)
    wrong = any_of(WRONG, answer, thresholds)
    told = {**answer, "level": level, "wrong": wrong}
    cited = algebra.where(answer["expected"], answer["risk"], 0.0)
    risk = algebra.most(algebra.most(1 - answer["calm"], cited), answer["judged_risk"])
    doubtful = answer["penalised"] | wrong
    return Grades(
        has_hallucinations=wrong,
        risk_score=algebra.rounded(risk, 4),
        risk_level=level,
        needs_review=any_of(REVIEWED, told, thresholds) & thresholds.review_queue_enabled,
        adjusted_confidence=adjusted(answer["original_confidence"], doubtful, thresholds, algebra),
        answer_status=first(STATUSES, told, thresholds, "success", ANSWER_STATUSES, algebra),
        action=first(ADVICE, told, thresholds, "accept", ACTIONS, algebra),
    )


def level_of(answer: Columns, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Column:
    """The level by :data:`CONDITIONS`."""
    high: Column = False
    low: Column = True
    for row in CONDITIONS:
        there, held = holds(SUBJECTS[row.subject], answer, thresholds), holds(row, answer, thresholds)
        if row.gives == "high":
            high = high | (there & held)
        else:
            low = low & (held | (there ^ True))
    return algebra.word(((high, "high"), (low, "low")), "moderate", LEVELS)


def adjusted(original: Column, doubtful: Column, thresholds: Thresholds, algebra: Algebra = PLAIN) -> Column:
    """NUM-10: the original less the penalty when something is doubtful; the penalty multiplies
    (0.95 × 0.8 = 0.76) and the outcome stays within [0, 1]."""
    factor = algebra.where(doubtful, 1 - thresholds.confidence_penalty / 100, 1.0)
    return algebra.rounded(algebra.least(1.0, algebra.most(0.0, original * factor)), 6)
