"""From findings to verdicts: risk, level and whether somebody should look (:mod:`detection.core.verdict.risk`), on columns."""

from dataclasses import dataclass

import numpy as np

from detection.core.pipeline import DETECTORS
from detection.core.thresholds import Thresholds
from detection.core.verdict import UNDERCHECKED
from reviews.tuning.codes import CODE, CONTRADICTED, KINDS, UNSUPPORTED, UNVERIFIED
from reviews.tuning.columns import Array, Columns
from reviews.tuning.findings import Findings
from reviews.tuning.numbers import Numbers
from reviews.tuning.rules import Rules, count
from reviews.tuning.statements import Statements

LOW, MODERATE, HIGH = range(3)
ANSWER_STATUSES = ("success", "insufficient_context", "low_confidence", "hallucination_detected", "error")
ACTIONS = ("accept", "refine_search", "reject")


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the claims of each answer come to: bools of A answers, but for ``flagged``, a bool of each claim."""

    flagged: Array
    wrong: Array
    penalised: Array
    contradicted: Array
    doubtful: Array
    unchecked: Array
    failing: Array
    uncertain: Array


def claimed(thresholds: Thresholds, columns: Columns, findings: Findings, rules: Rules) -> Claimed:
    """What the grader asks of the claims."""
    claims, answers = columns.tables["claims"], columns.tables["answers"]
    status, code = findings.status, findings.code

    def some(of_claims: Array) -> Array:
        return count(columns, "answers", claims["of"][of_claims]) > 0

    contradicted, doubtful = status == CONTRADICTED, (status == CONTRADICTED) | (status == UNSUPPORTED)
    unverified, uncertain = status == UNVERIFIED, code == CODE["uncertain"]
    asks = np.where(
        uncertain,
        thresholds.review_uncertain,
        ~_coded(code, "number_contradicted", "pending") & (doubtful | unverified),
    )
    invalid = rules.expected & (answers["invalid"] > 0)
    late_or_number = (claims["kind"] != KINDS.index("statement")) | (code == CODE["timeout"])
    open_ = (status == UNSUPPORTED) | unverified
    wrong = some(doubtful)
    return Claimed(
        flagged=asks | (claims["cites_invalid"] & rules.expected[claims["of"]]),
        wrong=wrong | invalid,
        penalised=some((doubtful | unverified) & late_or_number),
        contradicted=some(contradicted),
        doubtful=wrong,
        unchecked=some(unverified | _coded(code, *UNDERCHECKED)),
        failing=some(open_ & ~_coded(code, "uncertain", "pending")),
        uncertain=some(open_ & uncertain),
    )


def _coded(code: Array, *names: str) -> Array:
    return np.isin(code, [CODE[name] for name in names])


def failures(thresholds: Thresholds, columns: Columns, numbers: Numbers, statements: Statements) -> Array:
    """uint8[A]: the detectors that failed, a bit each: broke, or ran out of time before they could say anything."""
    answers, claims = columns.tables["answers"], columns.tables["claims"]
    told = {
        name: count(columns, "answers", claims["of"][of[found.status < UNVERIFIED]]) > 0
        for name, found, of in (
            ("numeric", numbers, columns.tables["numbers"]["of"]),
            ("strawberry", statements, columns.tables["lifts"]["of"]),
        )
    }
    told["judge"] = answers["judge_doubts"] & (answers["judge_confidence"] >= thresholds.judge_confidence)
    failed = answers["failed"].copy()
    for place, name in enumerate(DETECTORS):
        if name in told:
            failed |= np.where(told[name], 0, answers["late"] & (1 << place)).astype(np.uint8)
    return failed


def levels(
    thresholds: Thresholds, columns: Columns, claimed: Claimed, rules: Rules, misplaced: Array, failed: Array
) -> Array:
    """int8[A]: the rows of :data:`detection.core.verdict.levels.CONDITIONS`: one high row is enough, low needs all (CIT-07)."""
    answers = columns.tables["answers"]
    counting, judged, invalid = rules.expected, answers["judged"], answers["invalid"] > 0
    few = (rules.total >= thresholds.citation_ratio_claims) & (rules.ratio < thresholds.citation_ratio_low)
    high = counting & ((rules.risk > thresholds.citation_risk_high) | invalid | few)
    high |= counting & (rules.uncited >= thresholds.uncited_high)
    sure = answers["judge_confidence"] >= thresholds.judge_confidence
    high |= judged & (answers["judge_risk"] > thresholds.judge_risk_high)
    high |= judged & answers["judge_unsupported"] & sure
    high |= claimed.contradicted
    cited_well = (rules.risk <= thresholds.citation_risk) & ~invalid & (rules.uncited == 0)
    cited_well &= rules.ratio >= thresholds.citation_ratio_good
    low = cited_well | ~counting | (rules.total == 0)
    low &= ~judged | (answers["judge_risk"] <= thresholds.judge_risk)
    low &= ~claimed.doubtful & ~claimed.unchecked & (failed == 0)
    low &= ~(counting & misplaced) & ~answers["injected"] & ~answers["refused"]
    return np.where(high, HIGH, np.where(low, LOW, MODERATE)).astype(np.int8)


def lacks_too_much(columns: Columns, findings: Findings, limit: float | None) -> Array:
    """bool[A]: answers whose doubtful statements lack more than ``limit`` bits together (SPEC-08.22)."""
    of = columns.tables["claims"]["of"]
    rows = ~np.isnan(findings.lacking) & (
        (findings.status == CONTRADICTED) | (findings.status == UNSUPPORTED)
    )
    lacking = np.bincount(of[rows], findings.lacking[rows], columns.rows)
    return lacking > limit if limit is not None else np.zeros(columns.rows, bool)


def review(
    thresholds: Thresholds, columns: Columns, claimed: Claimed, level: Array, failed: Array, lacking: Array
) -> Array:
    """bool[A]: whether a review is opened (NUM-11)."""
    answers = columns.tables["answers"]
    if not thresholds.review_queue_enabled:
        return np.zeros(columns.rows, bool)
    needed: Array = (level == HIGH) | answers["refused"] | (failed != 0) | lacking
    if thresholds.review_injection:
        needed |= answers["injected"]
    if thresholds.review_uncertain:
        needed |= claimed.uncertain
    if thresholds.auto_flag_unverified:
        needed |= claimed.failing | claimed.wrong
    return needed


def risk_scores(columns: Columns, findings: Findings, rules: Rules) -> Array:
    """float64[A], four digits: the largest of the claims' joint risk, the citations' and the judge's."""
    answers, of = columns.tables["answers"], columns.tables["claims"]["of"]
    starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if len(of) else of
    calm = np.ones(columns.rows)
    calm[of[starts]] = np.multiply.reduceat(1 - findings.severity, starts) if len(of) else 1.0
    risk = np.maximum(1 - calm, np.where(rules.expected, rules.risk, 0.0))
    return rounded(np.maximum(risk, answers["judge_risk"]), 4)


def confidences(thresholds: Thresholds, columns: Columns, claimed: Claimed) -> Array:
    """float64[A]: NUM-10's adjusted confidence, nan where none came with the answer."""
    original = columns.tables["answers"]["original_confidence"]
    factor = np.where(claimed.penalised | claimed.wrong, 1 - thresholds.confidence_penalty / 100, 1.0)
    return rounded(np.minimum(1.0, np.maximum(0.0, original * factor)), 6)


def answer_statuses(thresholds: Thresholds, columns: Columns, claimed: Claimed, failed: Array) -> Array:
    """int8[A]: positions in :data:`ANSWER_STATUSES` (contracts §2)."""
    answers = columns.tables["answers"]
    all_failed = (answers["due"] != 0) & (answers["due"] & failed == answers["due"])
    without = (answers["sources"] == 0) & thresholds.sources_required
    weak = answers["mean_score"] < thresholds.minimum_score
    held = [all_failed, claimed.wrong | answers["refused"], without, weak]
    return np.select(held, [np.int8(place) for place in (4, 3, 1, 2)], np.int8(0))


def actions(thresholds: Thresholds, columns: Columns, level: Array) -> Array:
    """int8[A]: positions in :data:`ACTIONS`; near the iteration limit everything is accepted (CIT-08)."""
    near = columns.tables["answers"]["to_limit"] <= thresholds.near_limit
    return np.where(near, 0, level).astype(np.int8)


def rounded(values: Array, digits: int) -> Array:
    """``round(value, digits)`` of each value; where a digit more could be a tie, Python's own."""
    scaled = values * 10**digits
    done: Array = np.rint(scaled) / 10**digits
    ties = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6)
    done[ties] = [round(value, digits) for value in values[ties].tolist()]
    return done
