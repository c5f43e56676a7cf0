"""From findings to verdicts: the columns that the core's rows ask of answers (:func:`detection.core.verdict.risk.answer_columns`)."""

from typing import NamedTuple

import numpy as np

from detection.core.disputes import sorts_told
from detection.core.pipeline import DETECTORS
from detection.core.rules import Columns as Told
from detection.core.rules import any_of, each
from detection.core.strawberry import ABSTAINED
from detection.core.thresholds import Thresholds
from detection.core.verdict import (
    ASKING,
    ASKS,
    CLAIMED,
    DISPUTABLE,
    DOUBTFUL,
    MOST_UNJUDGED,
    WEIGHED,
    Alike,
    doubt_limit,
    levels,
)
from detection.core.verdict.doubt import LEAST
from reviews.tuning.replay.arrays import ARRAYS, Words, codes, statuses
from reviews.tuning.replay.codes import CODE, KINDS, OF_STATEMENTS, SUPPORTED, UNVERIFIED
from reviews.tuning.replay.columns import Array, Columns
from reviews.tuning.replay.findings import Findings, is_sure
from reviews.tuning.replay.numbers import Numbers
from reviews.tuning.replay.statements import Statements

BROKEN = sum(1 << place for place, name in enumerate(DETECTORS) if name not in ASKING)
"""The detectors, a bit each, whose failure is our own."""


class Claimed(NamedTuple):
    """``flagged``, bool[C]: the claims that ask for a decision; ``told``: what the claims make of each answer, bool[A]."""

    flagged: Array
    told: Told


def claimed(thresholds: Thresholds, columns: Columns, findings: Findings, cited: Told) -> Claimed:
    """What is asked of the claims, of each and of all of an answer."""
    claims = columns.tables["claims"]
    told = {
        "status": statuses(findings.status),
        "code": codes(findings.code),
        "number": claims["kind"] != KINDS.index("statement"),
        "opinion": ~np.isnan(findings.believed),
        "disputed": ((claims["disputes"] & (OF_STATEMENTS | sorts_told(thresholds))) != 0)
        & statuses(findings.status).among(DISPUTABLE),
        "cites_invalid": claims["cites_invalid"] & cited["expected"][claims["of"]],
    }
    some = each(CLAIMED, told, thresholds)
    found = {name: columns.some("answers", claims["of"][held]) for name, held in some.items()}
    weighed = each(WEIGHED, told, thresholds)
    unjudged = np.zeros(columns.rows, bool)
    for kind in (told["number"], ~told["number"]):
        judged, missed = (
            np.bincount(claims["of"][kind & weighed[name]], minlength=columns.rows)
            for name in ("judged", "unjudged")
        )
        unjudged |= (missed > 0) & (missed >= MOST_UNJUDGED * (judged + missed))
    owed = found["owed"] | (columns.tables["answers"]["away"] != 0)
    return Claimed(any_of(ASKS, told, thresholds), {**found, "owed": owed, "unjudged": unjudged})


def failures(thresholds: Thresholds, columns: Columns, numbers: Numbers, statements: Statements) -> Array:
    """uint8[A]: the detectors that failed, a bit each: broke, or ran out of time before they could say anything."""
    answers, claims = columns.tables["answers"], columns.tables["claims"]
    told = {
        name: columns.some("answers", claims["of"][of[found.status < UNVERIFIED]])
        for name, found, of in (
            ("numeric", numbers, columns.tables["numbers"]["of"]),
            ("strawberry", statements, columns.tables["lifts"]["of"]),
        )
    }
    abstained = np.isin(claims["code"], [CODE[code] for code in ABSTAINED])
    told["strawberry"] |= columns.some("answers", claims["of"][abstained])
    told["judge"] = answers["judge_doubts"] & is_sure(thresholds, columns)
    failed = answers["failed"].copy()
    for place, name in enumerate(DETECTORS):
        if name in told:
            failed |= np.where(told[name], 0, answers["late"] & (1 << place)).astype(np.uint8)
    return failed


def told_of_findings(
    thresholds: Thresholds, columns: Columns, findings: Findings, limit: float | None
) -> Told:
    """``calm``, float64[A]: the chance that no claim is wrong; ``lacks_too_much``, bool[A]: answers whose doubtful
    statements lack more than ``limit`` bits together (SPEC-08.22); ``doubt`` of each and its ``doubt_limit``, float64[A];
    ``figures``, bool[A]: answers with a verified number."""
    of = columns.tables["claims"]["of"]
    starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if len(of) else of
    calm = np.ones(columns.rows)
    calm[of[starts]] = np.multiply.reduceat(1 - findings.severity, starts) if len(of) else 1.0
    rows = ~np.isnan(findings.lacking) & statuses(findings.status).among(DOUBTFUL)
    lacking = np.bincount(of[rows], findings.lacking[rows], columns.rows)
    figures = _with_figures(columns, findings)
    return {
        "calm": calm,
        "lacks_too_much": lacking > (np.inf if limit is None else limit),
        "doubt": _doubts(columns, findings),
        "doubt_limit": _limits(thresholds, columns, figures),
        "figures": figures,
    }


def _doubts(columns: Columns, findings: Findings) -> Array:
    """float64[A]: :func:`detection.core.verdict.doubt_of` each answer."""
    rows = ~np.isnan(findings.believed)
    of, believed = columns.tables["claims"]["of"][rows], findings.believed[rows]
    odds = np.bincount(of, (1 - believed) / np.maximum(believed, LEAST), columns.rows)
    mean = odds / np.maximum(np.bincount(of, minlength=columns.rows), 1)
    return np.asarray(mean / (1 + mean))


def _with_figures(columns: Columns, findings: Findings) -> Array:
    claims = columns.tables["claims"]
    verified = (findings.status == SUPPORTED) & (claims["kind"] != KINDS.index("statement"))
    return columns.some("answers", claims["of"][verified])


def _limits(thresholds: Thresholds, columns: Columns, figures: Array) -> Array:
    """float64[A]: :func:`detection.core.verdict.doubt_limit` of each answer; one look for those that are alike."""
    answers = columns.tables["answers"]
    same = np.stack([answers["verifier"], answers["language"], figures])
    kinds, place = np.unique(same, axis=1, return_inverse=True)
    verifiers, languages = (*columns.names["verifier"], ""), (*columns.names["language"], "")
    limits = [
        doubt_limit(Alike(verifiers[by], languages[told], bool(has)), thresholds).doubt
        for by, told, has in kinds.T
    ]
    return np.array(limits)[place.ravel()] if limits else np.zeros(0)


def grade(
    thresholds: Thresholds,
    columns: Columns,
    claimed: Told,
    told: Told,
    cited: Told,
    misplaced: Array,
    failed: Array,
) -> dict[str, Array]:
    """The grades of all answers by name, words as their positions."""
    answers = columns.tables["answers"]
    given = {
        **answers, **cited, **claimed, **told,
        "judged_risk": answers["judge_risk"],
        "judge_unsupported": answers["judge_unsupported"] & is_sure(thresholds, columns),
        "misplaced": misplaced,
        "failed": failed != 0,
        "broken": failed & BROKEN != 0,
        "all_failed": (answers["due"] != 0) & (answers["due"] & failed == answers["due"]),
    }  # fmt: skip
    found = levels.grades(given, thresholds, ARRAYS)._asdict()
    return {name: value.at if isinstance(value, Words) else value for name, value in found.items()}
