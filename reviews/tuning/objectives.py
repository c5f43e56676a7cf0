"""The best thresholds for a stated objective, chosen on earlier days and reported on later ones
(review-queue §5.2, §5.3). A person activates them; nothing here does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from detection.core.thresholds import Value
from reviews.tuning.curves import Costs
from reviews.tuning.estimates import Performance, is_unaudited, performance
from reviews.tuning.grids import grid, in_force, with_value
from reviews.tuning.holdout import DAY, earlier_days
from reviews.tuning.labels import Labels
from reviews.tuning.replay.deciding import Replays
from reviews.tuning.replay.measured import Measured
from reviews.tuning.replay.scores import scores

Kind = Literal["cost", "precision", "load"]

SEARCHED = (
    "currency_tolerance",
    "percentage_tolerance",
    "ratio_tolerance",
    "date_tolerance_days",
    "overlap",
    "grounded_share",
    "minimum_lift",
    "target_confidence",
    "contradiction_probability",
    "citation_risk",
    "judge_risk",
)
"""The thresholds that a search moves, in this order: the limits that flags hang on."""
CANDIDATES = 12
"""How many values of each are tried."""
ROUNDS = 3
"""How often the search goes through all thresholds at most; it ends when a round changes nothing."""


@dataclass(frozen=True)
class Objective:
    """What is wanted: the least ``cost``; the highest ``precision`` with at least ``recall`` (0–1); the highest
    recall with at most ``load`` flagged answers a day."""

    kind: Kind
    costs: Costs = field(default_factory=Costs)
    recall: float = 0.8
    load: float = 0.0

    def rank(self, found: float, missed: float, flagged: float, days: float) -> tuple[float, ...]:
        """How good an outcome is, the smaller the better, from estimated numbers of answers over ``days``: wrong
        ones found, wrong ones missed, and flagged ones."""
        recall = found / (found + missed) if found + missed else 0.0
        precision = found / flagged if flagged else 0.0
        ranks: Mapping[Kind, tuple[float, ...]] = {
            "cost": (self.costs.missed * missed + flagged,),
            "precision": (max(0.0, self.recall - recall), -precision, flagged),
            "load": (max(0.0, flagged / days - self.load), -recall, -precision),
        }
        return tuple(round(part, 9) for part in ranks[self.kind])


@dataclass(frozen=True)
class Outcome:
    """How one profile does over some days: ``load`` flagged answers a day, ``cost`` in reviews a day."""

    performance: Performance
    load: float
    cost: float | None
    days: float


@dataclass(frozen=True)
class Suggestion:
    """The values found (as in a profile) and what they changed: name → (in force, suggested).

    ``chosen_on`` is their outcome on the earlier days, ``reported_on`` on the later ones, ``in_force`` that of
    the present values on the later days. ``moved`` says that on the later days the present values do better.
    ``why_not`` is empty, or why nothing can be suggested: nothing labelled, no audit of what passed unflagged,
    or all that is labelled wrong, or right.
    """

    values: Mapping[str, Any]
    changes: Mapping[str, tuple[Value, Value]]
    chosen_on: Outcome | None
    reported_on: Outcome | None
    in_force: Outcome | None
    moved: bool
    why_not: Literal["", "no_labels", "no_audits", "one_class"]


def suggest(
    measured: Measured,
    labels: Labels,
    values: Mapping[str, Any],
    scoring: str,
    objective: Objective,
) -> Suggestion:
    """Search the thresholds of :data:`SEARCHED` one at a time, each at a few values, until none gets better.

    The same input gives the same suggestion; of equal outcomes the value in force stays. The search counts the
    labelled answers of the earlier days by their weights; outcomes are of all answers.
    """
    early = earlier_days(measured)
    tried = Trial(measured.subset(early), labels.part(measured, early), scoring, objective)
    why_not = tried.why_not
    if why_not:
        return Suggestion(values, {}, None, None, None, False, why_not)
    best = tried.best(values)
    held_out = Trial(measured.subset(~early), labels.part(measured, ~early), scoring, objective)
    names = [name for name in SEARCHED if in_force(best, name) != in_force(values, name)]
    return Suggestion(
        values=best,
        changes={name: (in_force(values, name), in_force(best, name)) for name in names},
        chosen_on=tried.outcome(best),
        reported_on=held_out.outcome(best),
        in_force=held_out.outcome(values),
        moved=not held_out.why_not and held_out.rank(values) < held_out.rank(best),
        why_not="",
    )


class Trial:
    """Profiles tried over the answers of some days."""

    def __init__(self, measured: Measured, labels: Labels, scoring: str, objective: Objective) -> None:
        self.measured, self.labels, self.scoring, self.objective = measured, labels, scoring, objective
        counted = labels.weight > 0
        self._replays = Replays(measured.subset(counted))
        self._weight, self._wrong = labels.weight[counted], labels.answer[counted] == 1
        days = np.floor(measured.finished / DAY)
        self.days = float(days.max() - days.min() + 1) if len(days) else 0.0

    @property
    def why_not(self) -> Literal["", "no_labels", "no_audits", "one_class"]:
        """Why the labels cannot tell a better profile from a worse one; empty when they can."""
        if not len(self._wrong):
            return "no_labels"
        if is_unaudited(self.labels):
            return "no_audits"
        return "one_class" if self._wrong.all() or not self._wrong.any() else ""

    def rank(self, values: Mapping[str, Any]) -> tuple[float, ...]:
        """How good a profile is for the objective, the smaller the better."""
        flagged = self._replays.at(values, self.scoring).needs_review
        weight, wrong = self._weight, self._wrong
        found, missed = weight[flagged & wrong].sum(), weight[~flagged & wrong].sum()
        return self.objective.rank(float(found), float(missed), float(weight[flagged].sum()), self.days)

    def best(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The best values that changing one threshold after another leads to."""
        least = self.rank(values)
        for _ in range(ROUNDS):
            before = least
            for name in SEARCHED:
                for value in self._candidates(values, name):
                    tried = with_value(values, name, value)
                    rank = self.rank(tried)
                    if rank < least:
                        least, values = rank, tried
            if least == before:
                break
        return values

    def outcome(self, values: Mapping[str, Any]) -> Outcome | None:
        """What a profile does over all answers; None without an answer."""
        if not self.days:
            return None
        flagged = Replays(self.measured).at(values, self.scoring).needs_review
        found = performance(flagged, self.labels)
        missed = found.missed.value
        cost = None if missed is None else (self.objective.costs.missed * missed + found.flagged) / self.days
        return Outcome(found, found.flagged / self.days, cost, self.days)

    def _candidates(self, values: Mapping[str, Any], name: str) -> Iterator[Value]:
        """A few values of one threshold, evenly among those of its curve."""
        scored = scores(self.measured, name)
        points, here = grid(in_force(values, name), name, scored.values if scored else None)
        places = np.unique(np.linspace(0, len(points) - 1, CANDIDATES).round().astype(int))
        yield from (points[place] for place in places if place != here)
