"""The findings of numbers under other thresholds, out of where each turns (:mod:`detection.core.turning`)."""

from dataclasses import dataclass

import numpy as np

from detection.core import numeric_decision
from detection.core.thresholds import Thresholds
from detection.core.turning import SWITCHES, Switches
from reviews.tuning.codes import CODE, CODES, KINDS, STATUSES, TOLERANCES
from reviews.tuning.columns import Array, Columns


@dataclass(frozen=True, slots=True)
class Numbers:
    """One finding for each row of ``numbers``: status, code and severity; whether any source states the number
    (``placed``), and whether one does that its statement cites (``hit``)."""

    status: Array
    code: Array
    severity: Array
    placed: Array
    hit: Array


def decide_numbers(thresholds: Thresholds, columns: Columns) -> Numbers:
    """What :func:`detection.core.numeric_decision.decide` finds, for every number at once."""
    held, turns = columns.tables["numbers"], columns.tables["turns"]
    code = np.full(len(held["of"]), CODE["switched_off"], np.int8)
    placed = np.zeros(len(code), bool)
    hit = placed.copy()
    if thresholds.verify_against_database or thresholds.verify_against_documents:
        tolerances = np.array([getattr(thresholds, name) if name else 0.0 for name in TOLERANCES], float)
        settings = _settings(thresholds)[held["kind"]]
        reached = (turns["switches"] & settings[turns["of"]]) != 0
        reached &= turns["at"] <= tolerances[held["tolerance"]][turns["of"]]
        reached &= _switched_on(thresholds)[held["kind"]][turns["of"]]
        # of one number the turns ascend, so that the last one written is the one that holds
        at = turns["of"][reached]
        code[at] = turns["code"][reached]
        placed[at] = turns["placed"][reached]
        hit[at] = turns["hit"][reached]
    return Numbers(_STATUS[code], code, _severities(thresholds)[code], placed, hit)


_STATUS = np.array(
    [STATUSES.index(numeric_decision.STATUS.get(code, "unverified")) for code in CODES], np.int8
)


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


def _switched_on(thresholds: Thresholds) -> Array:
    names = [numeric_decision.SWITCHES.get(kind) for kind in KINDS]
    return np.array([bool(name) and getattr(thresholds, str(name)) for name in names])


def _severities(thresholds: Thresholds) -> Array:
    known = numeric_decision.STATUS
    return np.array(
        [numeric_decision.severity(code, thresholds) if code in known else 0.0 for code in CODES], float
    )
