"""Answers of which the truth is known, and what is left of it when only some of them are labelled."""

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reviews.tuning.labels import Labels, normalised
from reviews.tuning.replay.codes import CODE, KINDS, TOLERANCES
from reviews.tuning.replay.columns import LAYOUT, NAMED, Columns
from reviews.tuning.replay.deciding import PER_CLAIM, Replayed
from reviews.tuning.replay.measured import Measured

Bools = NDArray[np.bool_]


def labels_of(
    wrong: Any,
    *,
    sent: Any,
    audited: Any = False,
    probability: Any = 1.0,
    stratum: Any = 1,
    labelled: Any = True,
    each: int = 1,
) -> Labels:
    """Labels of answers that are ``wrong`` (bool[A]): known of those ``sent`` to review and of the ``audited``
    ones, unless not ``labelled``. The others may be scalars; ``stratum`` is that of the unflagged. Each
    of an answer's ``each`` claims has its label."""
    truth = np.asarray(wrong, bool)

    def column(given: Any, kind: Any) -> Any:
        return np.broadcast_to(np.asarray(given, kind), truth.shape).copy()

    was_sent, seen = column(sent, bool), column(labelled, bool)
    drawn = column(audited, bool) & ~was_sent & seen
    strata = np.where(was_sent, 0, column(stratum, np.int32)).astype(np.int32)
    counted = (was_sent & seen) | drawn
    raw = np.where(was_sent, 1.0, 1 / column(probability, float)) * counted
    answer = np.where(counted, truth, -1).astype(np.int8)
    nobody = np.zeros(len(truth), bool)
    return Labels(
        claim=np.repeat(answer, each),
        answer=answer,
        weight=normalised(raw, strata),
        audited=drawn,
        blind=nobody,
        failed=nobody,
        stratum=strata,
    )


def audited_window(wrong_audits: int, *, audits: int = 300) -> tuple[Bools, Labels]:
    """The design's example: 10,000 answers, 800 flagged and all judged, 560 of them wrong; of the 9,200 others
    ``audits`` were drawn and ``wrong_audits`` of those found wrong."""
    flagged = np.arange(10_000) < 800
    audited = (np.arange(10_000) >= 800) & (np.arange(10_000) < 800 + audits)
    wrong = (np.arange(10_000) < 560) | (audited & (np.arange(10_000) < 800 + wrong_audits))
    return flagged, labels_of(wrong, sent=flagged, audited=audited, probability=0.03)


def measured_of(
    run: Any,
    *,
    of: Any = (),
    claim: Any = (),
    names: dict[str, tuple[str, ...]] | None = None,
    kind: Any = 0,
    **answers: Any,
) -> Measured:
    """What was measured of the runs ``run``, whose claims have the keys ``claim`` and belong to the rows ``of``. Other
    columns of answers are given by name, with the ``names`` behind their codes; the rest is 0, -1 for codes."""
    length = {"answers": len(run), "claims": len(claim)}
    tables = {
        table: {name: np.zeros(length.get(table, 0), kind_) for name, kind_ in columns.items()}
        for table, columns in LAYOUT.items()
    }
    for column in NAMED["answers"]:
        tables["answers"][column][:] = -1
    for table, column, values in [
        ("answers", "run", run),
        *(("answers", name, values) for name, values in answers.items()),
        ("claims", "of", of),
        ("claims", "claim", claim),
        ("claims", "kind", kind),
    ]:
        tables[table][column][:] = values
    every = {name: () for columns in NAMED.values() for name in columns}
    return Measured(Columns(tables, {**every, **(names or {})}))


def replayed_of(needs_review: Any, flagged: Any = ()) -> Replayed:
    """A replay that says which answers need a review and which claims are flagged, and of the rest nothing."""
    review, claims = np.asarray(needs_review, bool), np.asarray(flagged, bool)
    sizes = {f.name: len(claims) if f.name in PER_CLAIM else len(review) for f in fields(Replayed)}
    empty: dict[str, Any] = {name: np.zeros(size) for name, size in sizes.items()}
    return Replayed(**{**empty, "needs_review": review, "flagged": claims, "not_measured": 0})


def amounts(deviation: Any, *, each: int = 1, **answers: Any) -> Measured:
    """Answers with ``each`` amounts of money, off by ``deviation`` per cent (float64[C], answer by answer): a replay
    contradicts those that are off by more than the tolerance."""
    off = np.asarray(deviation, float)
    size = len(off) // each
    measured = measured_of(
        np.arange(size) + 1,
        of=np.repeat(np.arange(size), each),
        claim=np.arange(len(off)) + 1,
        kind=KINDS.index("currency"),
        **answers,
    )
    every = np.arange(len(off))
    tables = dict(measured.columns.tables)
    tables["numbers"] = {
        "of": every.astype(np.int32),
        "kind": np.full(len(off), KINDS.index("currency"), np.int8),
        "tolerance": np.full(len(off), TOLERANCES.index("currency_tolerance"), np.int8),
    }
    # A number turns twice: contradicted from no tolerance on, near enough once the tolerance reaches it.
    at = np.column_stack([np.zeros(len(off)), off]).ravel()
    code = np.tile([CODE["contradicted"], CODE["approximate"]], len(off))
    tables["turns"] = {
        "of": np.repeat(every, 2).astype(np.int32),
        "switches": np.full(2 * len(off), 0xFFFF, np.uint16),
        "at": at,
        "code": code.astype(np.int8),
        "placed": np.zeros(2 * len(off), bool),
        "hit": np.zeros(2 * len(off), bool),
    }
    return Measured(Columns(tables, measured.columns.names))
