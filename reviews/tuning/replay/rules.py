"""What is counted for whole answers and asked of the core's rows: how an answer cites, where its citations are misplaced, how
much of it the sources share."""

from detection.core.citations import MISPLACED, SENTENCES, TELLING, figures, is_enough, shares_enough
from detection.core.rules import Columns as Told
from detection.core.rules import any_of, each, holds
from detection.core.thresholds import Thresholds
from reviews.tuning.replay.arrays import ARRAYS, Words, statuses
from reviews.tuning.replay.codes import KINDS
from reviews.tuning.replay.columns import Array, Columns
from reviews.tuning.replay.findings import Findings
from reviews.tuning.replay.numbers import Numbers


def cite(thresholds: Thresholds, columns: Columns) -> Told:
    """The citation rules of each answer (:func:`detection.core.citations.figures`)."""
    sentences, answers = columns.tables["sentences"], columns.tables["answers"]
    counted = {
        name: columns.count("answers", sentences["of"][held])
        for name, held in each(SENTENCES, sentences, thresholds).items()
    }
    asked = {name: answers[name] for name in ("ruled", "valid", "invalid")}
    return figures({**counted, **asked}, thresholds, ARRAYS)


def misplace(thresholds: Thresholds, columns: Columns, numbers: Numbers, findings: Findings) -> Array:
    """bool[A]: answers in which a statement cites sources that exist while another one says it (CIT-01)."""
    claims, of = columns.tables["claims"], columns.tables["numbers"]["of"]
    statement = of + claims["statement"][of]
    told = {"status": statuses(findings.status[of]), "kind": Words(claims["kind"][of], KINDS)}
    telling = (statement != of) & holds(TELLING, told, thresholds) & numbers.placed
    placed = columns.some("claims", statement[telling])
    hit = columns.some("claims", statement[telling & numbers.hit])
    found = claims["cites"] & any_of(MISPLACED, {**claims, "placed": placed, "hit": hit}, thresholds)
    return columns.some("answers", claims["of"][found])


def ground(thresholds: Thresholds, columns: Columns) -> Array:
    """bool[A]: whether enough sentences share enough words with a source (RAG-08)."""
    overlaps = columns.tables["overlaps"]
    shared = {"words": overlaps["overlap"], "weighted": overlaps["weighted"]}
    grounded = columns.count("answers", overlaps["of"][shares_enough(shared, thresholds)])
    enough: Array
    enough, _ = is_enough(grounded, columns.count("answers", overlaps["of"]), thresholds, ARRAYS)
    return enough
