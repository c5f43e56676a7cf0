"""High, moderate or low: the source document's conditions, one a row (CIT-07), and what follows (CIT-08).

One condition of the high level is enough for it; the low level needs every condition of its own; between
them lies moderate. A row speaks of the citation rules, of the judge or of the answer's claims. Rows of
citation rules that do not count for this answer, and of a judge that was not asked, are left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from detection.core.thresholds import Thresholds
from detection.core.types import Action, Case, CitationDecision, Level
from detection.core.verdict.graded import DOUBTFUL, UNDERCHECKED, Graded, deciding_ratio, near_limit

Subject = Literal["rules", "judge", "answer"]

LEVEL_ACTIONS: Mapping[Level, Action] = {"low": "accept", "moderate": "refine_search", "high": "reject"}


class Condition(NamedTuple):
    """One row: ``says`` is the document's sentence, ``holds`` asks the ``subject`` whether it is so."""

    level: Literal["high", "low"]
    subject: Subject
    says: str
    holds: Callable[[Any, Thresholds], bool]


def _few(rules: CitationDecision, thresholds: Thresholds) -> bool:
    enough = rules.total_claims >= thresholds.citation_ratio_claims
    return enough and deciding_ratio(rules, thresholds) < thresholds.citation_ratio_low


def _checked(graded: Graded, _thresholds: Thresholds) -> bool:
    return not any(f.status == "unverified" or f.code in UNDERCHECKED for f in graded.findings)


# fmt: off
CONDITIONS = (
    Condition("high", "rules", "hallucination_risk_score > 0.6", lambda rules, t: rules.risk_score > t.citation_risk_high),
    Condition("high", "rules", "invalid_citations > 0", lambda rules, _t: bool(rules.invalid)),
    Condition("high", "rules", "uncited_sentences >= 3", lambda rules, t: rules.uncited_count >= t.uncited_high),
    Condition("high", "judge", "hallucination_risk > 0.6", lambda judge, t: judge.risk > t.judge_risk_high),
    Condition("high", "judge", "hallucination_notes name an unsupported claim", lambda judge, _t: judge.unsupported),
    Condition("high", "rules", "citation_ratio < 0.3 and total_claims >= 3", _few),
    Condition("high", "answer", "a claim is contradicted", lambda graded, _t: any(f.status == "contradicted" for f in graded.findings)),
    Condition("low", "rules", "hallucination_risk_score <= 0.3", lambda rules, t: rules.risk_score <= t.citation_risk),
    Condition("low", "rules", "invalid_citations = 0", lambda rules, _t: not rules.invalid),
    Condition("low", "rules", "uncited_sentences = 0", lambda rules, _t: rules.uncited_count == 0),
    Condition("low", "rules", "citation_ratio >= 0.7", lambda rules, t: deciding_ratio(rules, t) >= t.citation_ratio_good),
    Condition("low", "judge", "hallucination_risk <= 0.3", lambda judge, t: judge.risk <= t.judge_risk),
    Condition("low", "answer", "no claim is doubtful", lambda graded, _t: not any(f.status in DOUBTFUL for f in graded.findings)),
    Condition("low", "answer", "every due claim was checked", _checked),
    Condition("low", "answer", "no due check failed", lambda graded, _t: not graded.failed),
    Condition("low", "answer", "no citation is misplaced", lambda graded, _t: not _misplaced(graded)),
    Condition("low", "answer", "no source gives orders to the verifier", lambda graded, _t: not graded.injected),
    Condition("low", "answer", "strict generation let it pass", lambda graded, _t: not graded.case.refused),
)
# fmt: on


def risk_level(graded: Graded, thresholds: Thresholds) -> Level:
    """The level by :data:`CONDITIONS`."""
    if any(row.holds(subject, thresholds) for row, subject in _rows(graded, "high")):
        return "high"
    calm = all(row.holds(subject, thresholds) for row, subject in _rows(graded, "low"))
    return "low" if calm else "moderate"


def advice(case: Case, level: Level, thresholds: Thresholds) -> Action:
    """CIT-08: by level; near the iteration limit everything is accepted, marked with its level."""
    return "accept" if near_limit(case, thresholds) else LEVEL_ACTIONS[level]


def _rows(graded: Graded, level: Literal["high", "low"]) -> list[tuple[Condition, Any]]:
    """The rows of a level whose subject there is, with that subject."""
    subjects = {"rules": _counting(graded, level), "judge": graded.judge, "answer": graded}
    return [
        (row, subjects[row.subject])
        for row in CONDITIONS
        if row.level == level and subjects[row.subject] is not None
    ]


def _counting(graded: Graded, level: str) -> CitationDecision | None:
    """The citation rules where they count. An answer without claims needs no citation to be a low risk (CIT-09)."""
    rules = graded.citations
    if rules is None or not rules.expected or (level == "low" and rules.total_claims == 0):
        return None
    return rules


def _misplaced(graded: Graded) -> bool:
    rules = graded.citations
    return rules is not None and rules.expected and bool(rules.misplaced)
