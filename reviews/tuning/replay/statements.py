"""The findings of statements under other thresholds and scorings, for all of them at once (:mod:`detection.core.strawberry.scoring`)."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from detection.core.rules import holds
from detection.core.strawberry import SHORT, SILENT, scoring
from detection.core.thresholds import Thresholds
from detection.core.types import Score
from reviews.tuning.replay.arrays import ARRAYS, Words
from reviews.tuning.replay.codes import CODE, CODES, NOT_CHECKED, STATUSES, UNVERIFIED
from reviews.tuning.replay.columns import Array, Columns


@dataclass(frozen=True, slots=True)
class Statements:
    """One finding for each row of ``lifts``: status, code and severity; ``lacking`` is the budget gap in bits and ``believed``
    the verifier's probability, both nan where there is no score."""

    status: Array
    code: Array
    severity: Array
    lacking: Array
    believed: Array


class Beliefs:
    """:class:`detection.core.strawberry.scoring.Beliefs` of all statements: what no target enters stands in their columns."""

    justified = None

    def __init__(self, columns: Columns, target: Array) -> None:
        held = columns.tables["lifts"]
        self.p1, self.p0 = (held["p1_low"], held["p1_high"]), (held["p0_low"], held["p0_high"])
        self.p_no, self.p_cited, self.cited = (held["no_low"],), held["p_cited"], held["cited"]
        self.signed, self.corners = (
            (held["signed_low"], held["signed_high"]),
            (held["corner_low"], held["corner_high"]),
        )
        self.plain, self.above_chance = held["middle"], held["govil_observed"]
        self.use, self.grounding, self.target = held["govil_use"], held["govil_confidence"], target


def targets(thresholds: Thresholds, columns: Columns) -> Array:
    """τ of each statement."""
    lifts = columns.tables["lifts"]
    method = Words(lifts["method"], (*columns.names["method"], ""))
    target: Array = scoring.target_confidence(lifts["stated"], method, thresholds, ARRAYS)
    return target


def scored(thresholds: Thresholds, columns: Columns, target: Array, name: str) -> Score:
    """All statements under a scoring, nan where the verifier gave nothing usable; an unknown one is a KeyError."""
    return scoring.SCORINGS[name](Beliefs(columns, target), thresholds, ARRAYS)


def decide_statements(thresholds: Thresholds, columns: Columns, scores: Score) -> Statements:
    """What :func:`detection.core.strawberry.decide` finds of the statements that have an entry."""
    lifts = columns.tables["lifts"]
    short = holds(SHORT, lifts, thresholds)
    unusable = ~lifts["usable"]
    code = np.where(unusable, lifts["error"], found(scores).positions_in(CODES))
    table = scoring.statuses(thresholds)
    status = np.array([STATUSES.index(table.get(each, "unverified")) for each in CODES], np.int8)[code]
    severity = scoring.severity(scores, thresholds, ARRAYS)
    status[unusable], severity[unusable] = UNVERIFIED, thresholds.severity("unverified")
    silent = ~unusable & holds(SILENT, lifts, thresholds)
    code[silent], status[silent], severity[silent] = CODE[SILENT.gives], NOT_CHECKED, 0.0
    code[short], status[short], severity[short] = CODE["too_short"], NOT_CHECKED, 0.0
    gap = scoring.lacking_bits(scores, ARRAYS)
    middle = (lifts["p1_low"] + lifts["p1_high"]) / 2
    gap, believed = (np.where(short | unusable | silent, np.nan, each) for each in (gap, middle))
    return Statements(status, code, severity, gap, believed)


def found(scores: Score) -> Words:
    """The codes that were found, in the words of the scoring."""
    return cast(Words, scores.finding)
