"""The rules for whole answers under other thresholds: how it cites, where its citations are misplaced, how much of it the
sources share (:mod:`detection.core.citations`, :mod:`detection.core.citations.placement`, :mod:`detection.core.citations.grounding`)."""

from dataclasses import dataclass

import numpy as np

from detection.core.thresholds import Thresholds
from reviews.tuning.codes import KINDS, SUPPORTED
from reviews.tuning.columns import Array, Columns
from reviews.tuning.findings import Findings
from reviews.tuning.numbers import Numbers


@dataclass(frozen=True, slots=True)
class Rules:
    """The citation rules of each answer: whether they count, and what they find."""

    expected: Array
    risk: Array
    total: Array
    uncited: Array
    ratio: Array


def count(columns: Columns, table: str, of: Array) -> Array:
    """How many of the rows ``of`` (positions in ``table``) each row of the table has."""
    return np.bincount(of, minlength=len(next(iter(columns.tables[table].values()))))


def cite(thresholds: Thresholds, columns: Columns) -> Rules:
    """What :func:`detection.core.citations.decide` finds; ``ratio`` is the one that the profile chose (CIT-03)."""
    sentences, answers = columns.tables["sentences"], columns.tables["answers"]
    claiming = sentences["length"] > thresholds.claim_length
    long = sentences["length"] > thresholds.uncited_length
    total = count(columns, "answers", sentences["of"][claiming])
    literal = thresholds.citation_ratio_rule == "literal"
    counted = (
        answers["valid"]
        if literal
        else count(columns, "answers", sentences["of"][claiming & sentences["cites_valid"]])
    )
    ratio = counted / np.maximum(total, 1)
    return Rules(
        expected=_expected(thresholds, columns),
        risk=np.where(total > 0, 1.0 - np.minimum(ratio, 1.0), 0.0),
        total=total,
        uncited=count(columns, "answers", sentences["of"][long & ~sentences["cites"]]),
        ratio=ratio,
    )


def _expected(thresholds: Thresholds, columns: Columns) -> Array:
    answers = columns.tables["answers"]
    if thresholds.citations_expected == "auto":
        return answers["ruled"] & ((answers["valid"] > 0) | (answers["invalid"] > 0))
    return answers["ruled"] & (thresholds.citations_expected == "always")


def misplace(thresholds: Thresholds, columns: Columns, numbers: Numbers, findings: Findings) -> Array:
    """bool[A]: answers in which a statement cites sources that exist while another one says it (CIT-01).

    Numbers decide where a source states any of them; words decide alone otherwise. Periods tell no sources apart.
    """
    claims, held = columns.tables["claims"], columns.tables["numbers"]
    statement = held["of"] + claims["statement"][held["of"]]
    telling = (statement != held["of"]) & (findings.status[held["of"]] == SUPPORTED)
    telling &= (claims["kind"][held["of"]] != KINDS.index("date")) & numbers.placed
    placed = count(columns, "claims", statement[telling]) > 0
    hit = count(columns, "claims", statement[telling & numbers.hit]) > 0
    by_words = claims["elsewhere"] & (claims["lead"] >= thresholds.misplaced_margin)
    by_words &= claims["weighted"] >= thresholds.misplaced_overlap
    found = claims["cites"] & np.where(placed, ~hit, by_words)
    return count(columns, "answers", claims["of"][found]) > 0


def ground(thresholds: Thresholds, columns: Columns) -> Array:
    """bool[A]: whether enough sentences share enough words with a source (RAG-08)."""
    overlaps = columns.tables["overlaps"]
    chosen = overlaps["weighted" if thresholds.overlap_rule == "weighted" else "overlap"]
    total = count(columns, "answers", overlaps["of"])
    grounded = count(columns, "answers", overlaps["of"][chosen >= thresholds.overlap])
    return np.where(total > 0, grounded / np.maximum(total, 1), 1.0) >= thresholds.grounded_share
