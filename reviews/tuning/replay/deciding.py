"""The verdicts that other thresholds would have given, over what was measured (contracts §6).

The same rules as :func:`detection.core.pipeline.conclude`, on columns instead of single answers, and equal to it row by row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np

from detection.core.strawberry import SCORINGS
from detection.core.thresholds import Thresholds, resolve
from detection.core.verdict import ACTIONS, ANSWER_STATUSES, LEVELS
from reviews.tuning.replay import findings, grading, numbers, rules, statements
from reviews.tuning.replay.codes import CODE, CODES, STATUSES, UNVERIFIED
from reviews.tuning.replay.columns import Array, Columns
from reviews.tuning.replay.measured import Measured

FACETS = ("language", "property", "question_type", "source_quality")
KEPT = 4
"""How many outcomes of each step are remembered."""
MOST_PARTS = 64
"""How many groups of answers are kept cut out; overrides that are tried one after the other cut many."""

__all__ = ["ACTIONS", "ANSWER_STATUSES", "CODES", "LEVELS", "STATUSES", "Replayed", "Replays", "replay"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Replayed:
    """What would have been decided of A answers and their C claims, in the order of the :class:`Measured`.

    Of claims: ``status`` int8[C] (position in :data:`STATUSES`), ``code`` int8[C] (in :data:`CODES`), ``severity``
    float64[C] in [0, 1], ``flagged`` bool[C]. Of answers: ``has_hallucinations``, ``needs_review`` and ``grounded`` (RAG-08)
    bool[A], ``risk_score`` float64[A] in [0, 1], ``risk_level`` int8[A] (in :data:`LEVELS`), ``adjusted_confidence``
    float64[A] (nan without one), ``answer_status`` int8[A] (in :data:`ANSWER_STATUSES`), ``action`` int8[A] (in
    :data:`ACTIONS`), ``doubt`` float64[A] in [0, 1] and ``figures`` bool[A] (:class:`detection.core.verdict.Alike`). ``not_measured`` counts claims that needed a measurement which was not taken.
    """

    status: Array
    code: Array
    severity: Array
    flagged: Array
    has_hallucinations: Array
    risk_score: Array
    risk_level: Array
    needs_review: Array
    adjusted_confidence: Array
    answer_status: Array
    action: Array
    grounded: Array
    doubt: Array
    figures: Array
    not_measured: int


PER_CLAIM = ("status", "code", "severity", "flagged")
PER_ANSWER = (
    "has_hallucinations", "risk_score", "risk_level", "needs_review", "adjusted_confidence", "answer_status", "action",
    "grounded", "doubt", "figures",
)  # fmt: skip


def replay(
    measured: Measured, values: Mapping[str, Any], scoring: str, *, flag_threshold_bits: float | None = None
) -> Replayed:
    """Decide again under a profile's ``values`` (``{"base": …, "overrides": […]}``) and ``scoring``.

    ``flag_threshold_bits`` is that of ``measured`` unless told otherwise. Raises :class:`ValueError` naming the threshold
    for a value out of bounds, :class:`KeyError` for an unknown scoring.
    """
    return Replays(measured, flag_threshold_bits=flag_threshold_bits).at(values, scoring)


class Replays:
    """Many replays of the same measurements: what a changed threshold does not touch is worked out once."""

    def __init__(self, measured: Measured, *, flag_threshold_bits: float | None = None) -> None:
        self.measured = measured
        bits = measured.flag_threshold_bits if flag_threshold_bits is None else flag_threshold_bits
        self._bits = bits
        self._parts: dict[bytes, _Part] = {}

    def at(self, values: Mapping[str, Any], scoring: str) -> Replayed:
        """Decide again, see :func:`replay`."""
        groups = _groups(self.measured, values)
        if len(groups) == 1:
            return self._part(None).at(groups[0][1], scoring)
        done = [(rows, self._part(rows).at(thresholds, scoring)) for rows, thresholds in groups]
        return self._gathered(done)

    def _part(self, rows: Array | None) -> "_Part":
        """The answers of one group, cut out once; all of them for None."""
        key = b"" if rows is None else rows.tobytes()
        if key not in self._parts:
            if len(self._parts) >= MOST_PARTS:
                self._parts.clear()
            columns = self.measured.columns
            self._parts[key] = _Part(columns if rows is None else columns.subset(rows), self._bits)
        return self._parts[key]

    def _gathered(self, done: list[tuple[Array, Replayed]]) -> Replayed:
        """The groups' outcomes, each row at its place."""
        gathered = {}
        for name in (*PER_CLAIM, *PER_ANSWER):
            pieces = [(rows, getattr(part, name)) for rows, part in done]
            count = len(self.measured.claim if name in PER_CLAIM else self.measured.run)
            gathered[name] = np.empty(count, pieces[0][1].dtype)
            for rows, piece in pieces:
                gathered[name][self.measured.of_claims(rows) if name in PER_CLAIM else rows] = piece
        return Replayed(**gathered, not_measured=sum(part.not_measured for _, part in done))


def _groups(measured: Measured, values: Mapping[str, Any]) -> list[tuple[Array, Thresholds]]:
    """The answers that the same overrides apply to (a mask each), with their thresholds (CIT-10)."""
    overrides = values.get("overrides", [])
    if not overrides or not len(measured.run):
        return [(np.ones(len(measured.run), bool), resolve({"base": values.get("base", {})}, {}))]
    applies = np.stack([_applies(measured, override["when"]) for override in overrides])
    patterns, group = np.unique(applies, axis=1, return_inverse=True)
    found = []
    for place, pattern in enumerate(patterns.T):
        chosen = [
            {**override, "when": {}} for override, holds in zip(overrides, pattern, strict=True) if holds
        ]
        found.append((group.ravel() == place, resolve({**values, "overrides": chosen}, {})))
    return found


def _applies(measured: Measured, when: Mapping[str, str | None]) -> Array:
    """bool[A]: the answers whose facets agree with an override."""
    held = np.ones(len(measured.run), bool)
    for facet, wanted in when.items():
        names = measured.columns.names[facet] if facet in FACETS else ()
        # an answer without the facet has −1 there, and None agrees with that
        place = -1 if wanted is None else names.index(wanted) if wanted in names else -2
        held &= measured.answers[facet] == place if facet in FACETS else place == -1
    return held


class _Part:
    """Answers under one record of thresholds, decided step by step."""

    def __init__(self, columns: Columns, bits: float | None) -> None:
        self.columns = columns
        self._bits = bits
        self._kept: dict[Callable[..., Any], list[tuple[tuple[Any, ...], dict[str, Any], Any]]] = {}

    def at(self, thresholds: Thresholds, scoring: str) -> Replayed:
        """The way of :func:`detection.core.pipeline.conclude`."""
        if scoring not in SCORINGS:
            raise KeyError(scoring)
        held = self.columns
        turns = self._once(numbers.in_effect, thresholds, held)
        numeric = self._once(numbers.decide_numbers, thresholds, held, turns)
        target = self._once(statements.targets, thresholds, held)
        scores = self._once(statements.scored, thresholds, held, target, scoring)
        lifts = self._once(statements.decide_statements, thresholds, held, scores)
        found = self._once(findings.find, thresholds, held, numeric, lifts)
        cited = self._once(rules.cite, thresholds, held)
        misplaced = self._once(rules.misplace, thresholds, held, numeric, found)
        claimed = self._once(grading.claimed, thresholds, held, found, cited)
        failed = self._once(grading.failures, thresholds, held, numeric, lifts)
        told = self._once(grading.told_of_findings, thresholds, held, found, self._bits)
        graded = self._once(grading.grade, thresholds, held, claimed.told, told, cited, misplaced, failed)
        return Replayed(
            status=found.status,
            code=found.code,
            severity=found.severity,
            flagged=claimed.flagged,
            **graded,
            grounded=self._once(rules.ground, thresholds, held),
            doubt=told["doubt"],
            figures=told["figures"],
            not_measured=int(
                np.count_nonzero((found.code == CODE["not_measured"]) & (found.status == UNVERIFIED))
            ),
        )

    def _once(self, step: Callable[..., T], thresholds: Thresholds, *given: Any) -> T:
        """The step's outcome, from memory where it was given the same and the thresholds that it read are the same."""
        kept = self._kept.setdefault(step, [])
        for before, read, outcome in kept:
            same = all(a is b for a, b in zip(before, given, strict=True))
            if same and all(getattr(thresholds, name) == value for name, value in read.items()):
                return cast(T, outcome)
        watched = _Watched(thresholds)
        outcome = step(cast(Thresholds, watched), *given)
        kept.insert(0, (given, watched.read, outcome))
        del kept[KEPT:]
        return outcome


class _Watched:
    """Thresholds that remember which of them were read."""

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        self.read: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        value = self.read[name] = getattr(self._thresholds, name)
        return value
