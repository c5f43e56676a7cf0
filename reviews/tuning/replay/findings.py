"""One finding for each claim, out of what its detectors found (:mod:`detection.core.verdict.findings`), on columns."""

from dataclasses import dataclass

import numpy as np

from detection.core.judge import STATUSES as DOUBTS
from detection.core.judge import SURE
from detection.core.rules import holds
from detection.core.statements import DOUBTED, MOST_OPEN
from detection.core.strawberry import ABSTAINED
from detection.core.thresholds import Thresholds
from detection.core.verdict import ASSERTS_NOTHING, GRAVITY, NOT_OVERRULED, OVERRULED, UNREAD
from reviews.tuning.replay.codes import CODE, CONTRADICTED, JUDGED, KINDS, STATUSES, SUPPORTED
from reviews.tuning.replay.columns import Array, Columns, Table
from reviews.tuning.replay.numbers import Numbers
from reviews.tuning.replay.statements import Statements


@dataclass(frozen=True, slots=True)
class Findings:
    """One finding for each claim; ``lacking`` is the budget gap of a statement in bits, nan without one, and ``believed`` its
    verifier's probability, nan where anything else decides."""

    status: Array
    code: Array
    severity: Array
    lacking: Array
    believed: Array


def find(thresholds: Thresholds, columns: Columns, numbers: Numbers, statements: Statements) -> Findings:
    """The detectors' findings with the judge's doubts; figures carry their statement, and one that is contradicted contradicts it."""
    claims = columns.tables["claims"]
    status, code = claims["status"].copy(), claims["code"].copy()
    severity = np.zeros(len(status))
    lacking, believed = np.full(len(status), np.nan), np.full(len(status), np.nan)
    for found, of in (
        (numbers, columns.tables["numbers"]["of"]),
        (statements, columns.tables["lifts"]["of"]),
    ):
        status[of], code[of], severity[of] = found.status, found.code, found.severity
    of = columns.tables["lifts"]["of"]
    lacking[of], believed[of] = statements.lacking, statements.believed
    opinions = code.copy()
    doubted = code == CODE["abstention_doubted"]
    severity[doubted] = thresholds.severity(ABSTAINED["abstention_doubted"])
    _carry(claims, status, code, severity, believed)
    _doubt(thresholds, columns, status, code, severity)
    contradicted = np.flatnonzero((status == CONTRADICTED) & (claims["statement"] != 0))
    told = contradicted + claims["statement"][contradicted]
    told = told[claims["kind"][told] == KINDS.index("statement")]
    status[told], code[told], severity[told] = CONTRADICTED, CODE["number_contradicted"], 0.0
    believed[code != opinions] = np.nan
    return Findings(status, code, severity, lacking, believed)


def _carry(claims: Table, status: Array, code: Array, severity: Array, believed: Array) -> None:
    """Support statements that their figures carry (:func:`detection.core.statements.covered`)."""
    inner = np.flatnonzero(claims["statement"] != 0)
    parent = inner + claims["statement"][inner]
    carried, doubted = np.zeros(len(status), bool), np.zeros(len(status), bool)
    carried[parent[(status[inner] == SUPPORTED) & (claims["kind"][inner] != KINDS.index("date"))]] = True
    doubted[parent[np.isin(status[inner], _DOUBTED)]] = True
    told = carried & ~doubted & (claims["open_words"] <= MOST_OPEN)
    told &= np.isin(status, _OVERRULED) | np.isin(code, [CODE[name] for name in UNREAD]) | ~np.isnan(believed)
    told &= ~np.isin(code, [CODE[name] for name in NOT_OVERRULED])
    status[told], code[told], severity[told] = SUPPORTED, CODE["covered"], 0.0


_DOUBTED = [STATUSES.index(status) for status in DOUBTED]
_OVERRULED = [STATUSES.index(status) for status in OVERRULED]
_GRAVITY = np.array([GRAVITY[status] for status in STATUSES])
_DOUBT = np.array(
    [STATUSES.index(DOUBTS[name.removeprefix("judge_")]) if name else 0 for name in JUDGED], np.int8
)
_DOUBT_CODE = np.array([CODE[name] if name else 0 for name in JUDGED], np.int8)


def is_sure(thresholds: Thresholds, columns: Columns) -> Array:
    """bool[A]: where the judge is sure enough of itself to be heard."""
    sure: Array = holds(SURE, {"confidence": columns.tables["answers"]["judge_confidence"]}, thresholds)
    return sure


def _doubt(thresholds: Thresholds, columns: Columns, status: Array, code: Array, severity: Array) -> None:
    """Lay the doubts of a judge that is sure over findings that are less grave."""
    claims = columns.tables["claims"]
    sure = is_sure(thresholds, columns)
    rows = np.flatnonzero((claims["judge"] != 0) & sure[claims["of"]])
    doubt = _DOUBT[claims["judge"][rows]]
    graver = _GRAVITY[doubt] > _GRAVITY[status[rows]]
    graver &= ~np.isin(code[rows], [CODE[name] for name in ASSERTS_NOTHING])
    rows, doubt = rows[graver], doubt[graver]
    status[rows], code[rows] = doubt, _DOUBT_CODE[claims["judge"][rows]]
    severity[rows] = np.array([thresholds.severity(name) for name in STATUSES])[doubt]
