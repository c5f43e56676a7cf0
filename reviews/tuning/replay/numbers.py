"""The findings of numbers under other thresholds, out of where each turns (:mod:`detection.core.matching.breakpoints`)."""

from dataclasses import dataclass

import numpy as np

from detection.core.matching import SWITCHES, Switches, decision
from detection.core.thresholds import Thresholds
from reviews.tuning.replay.codes import CODE, CODES, KINDS, STATUSES, TOLERANCES
from reviews.tuning.replay.columns import Array, Columns


@dataclass(frozen=True, slots=True)
class Numbers:
    """One finding for each row of ``numbers``: status, code and severity; whether any source states the number
    (``placed``), and whether one does that its statement cites (``hit``)."""

    status: Array
    code: Array
    severity: Array
    placed: Array
    hit: Array


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """Where numbers turn as their switches stand: the rows of ``turns`` that are in effect, with the row of their number
    (``of``) and its ``tolerance``."""

    of: Array
    at: Array
    tolerance: Array
    code: Array
    placed: Array
    hit: Array


def in_effect(thresholds: Thresholds, columns: Columns) -> Breakpoints:
    """The turns that the switches of ``thresholds`` leave; no tolerance is asked for."""
    held, turns = columns.tables["numbers"], columns.tables["turns"]
    kind = held["kind"][turns["of"]]
    on = np.array([decision.is_compared(name, thresholds) for name in KINDS])[kind]
    if on.any():
        on &= (turns["switches"] & _settings(thresholds)[kind]) != 0
    of = turns["of"][on]
    return Breakpoints(
        of, turns["at"][on], held["tolerance"][of], turns["code"][on], turns["placed"][on], turns["hit"][on]
    )


def decide_numbers(thresholds: Thresholds, columns: Columns, turns: Breakpoints) -> Numbers:
    """What :func:`detection.core.matching.decision.decide` finds, for every number at once."""
    tolerances = np.array([getattr(thresholds, name) if name else 0.0 for name in TOLERANCES], float)
    reached = np.flatnonzero(turns.at <= tolerances[turns.tolerance])
    # of one number the turns ascend, so that the last one written is the one that holds; 0 is none
    last = np.zeros(len(columns.tables["numbers"]["of"]), np.int64)
    last[turns.of[reached]] = reached + 1
    code = np.concatenate([[CODE["switched_off"]], turns.code]).astype(np.int8)[last]
    placed, hit = (np.concatenate([[False], each])[last] for each in (turns.placed, turns.hit))
    return Numbers(_STATUS[code], code, _severities(thresholds)[code], placed, hit)


_STATUS = np.array([STATUSES.index(decision.STATUS.get(code, "unverified")) for code in CODES], np.int8)


def _settings(thresholds: Thresholds) -> Array:
    """The bit of the switches' setting, for each kind; points are for percentages alone."""

    def bit(*, points: bool) -> int:
        setting = Switches(
            thresholds.verify_against_database,
            thresholds.verify_against_documents,
            thresholds.exact_numbers,
            points,
        )
        return 1 << SWITCHES.index(setting)

    bits = np.full(len(KINDS), bit(points=False), np.uint16)
    bits[KINDS.index("percentage")] = bit(points=thresholds.percentage_points)
    return bits


def _severities(thresholds: Thresholds) -> Array:
    known = decision.STATUS
    return np.array([decision.severity(code, thresholds) if code in known else 0.0 for code in CODES], float)
