"""How much doubt correct answers meet here, verifier by verifier, and the limits of doubt that this teaches (conclusion §4).

Judged answers count as in every estimate (:mod:`reviews.tuning.labels`): those that were sent to review for each other, the audited ones
for the unflagged. So what a verifier says of correct answers is not learnt from those alone that it doubted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, isinf
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from detection.core.thresholds import Thresholds, resolve
from detection.core.verdict import RULES, Alike, Limit, doubt_limit
from detection.core.verdict.learning import Learnt, effective, learn, needed
from reviews.tuning.estimates import Estimate, is_unaudited, share
from reviews.tuning.grids import in_force
from reviews.tuning.labels import Labels
from reviews.tuning.replay.deciding import Replayed, replay
from reviews.tuning.replay.measured import Measured

WhyNot = Literal["", "no_share", "no_audits", "unsettled", "few"]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of the correct answers of one sort: of ``answers``, ``clean`` were judged and found correct.

    ``limit`` is the one in force where no override says otherwise, and ``sent`` the share
    of the clean that exceed it. ``learnt`` is None where ``why_not`` says why: the profile lets as good as none be sent; no unflagged
    answer was audited; none that was sent to review is settled; or ``missing`` more are needed, if they weigh alike.
    """

    alike: Alike
    answers: int
    clean: int
    limit: Limit
    sent: Estimate
    learnt: Learnt | None
    why_not: WhyNot = ""
    missing: int = 0

    @property
    def is_new(self) -> bool:
        """Whether another limit was learnt than the one in force."""
        return self.learnt is not None and (self.learnt.limit, "learnt") != self.limit


def standings(
    measured: Measured, given: Labels, values: Mapping[str, Any], scoring: str
) -> tuple[Standing, ...]:
    """Each sort of answers that a verifier judged or a limit was learnt for, under a profile's ``values``; most clean ones first."""
    decided = replay(measured, values, scoring)
    found = [
        _standing(alike, mine, measured, given, decided, values) for alike, mine in _sorts(measured, decided)
    ]
    known = {each.alike.name for each in found}
    limits: Any = in_force(values, "doubt_limits")
    nobody = np.zeros(len(measured.run), bool)
    found += [
        _standing(Alike.named(name), nobody, measured, given, decided, values)
        for name in limits
        if name not in known
    ]
    return tuple(sorted(found, key=lambda each: (-each.clean, -each.answers, each.alike)))


def with_learnt(values: Mapping[str, Any], found: Sequence[Standing]) -> dict[str, Any]:
    """A profile's ``values`` with what was learnt. Limits in force of which nothing new is known stay, unless they were learnt for
    another ``clean_to_review``."""
    wanted, limits = in_force(values, "clean_to_review"), in_force(values, "doubt_limits")
    kept: Any = limits if in_force(values, "doubt_limits_for") == wanted else {}
    learnt = {each.alike.name: each.learnt.limit for each in found if each.learnt}
    base = {**values.get("base", {}), "doubt_limits": {**kept, **learnt}, "doubt_limits_for": wanted}
    return {**values, "base": base}


def records(found: Sequence[Standing]) -> dict[str, dict[str, Any]]:
    """What each limit was learnt from, by its name in the profile, for the history."""
    return {each.alike.name: asdict(each.learnt) for each in found if each.learnt}


def _sorts(measured: Measured, decided: Replayed) -> Iterator[tuple[Alike, NDArray[np.bool_]]]:
    """The sorts of answers that a verifier judged, with their rows, bool[A]."""
    verifiers, languages = measured.verifiers, (*measured.languages, "")
    same = np.stack([measured.answers["verifier"], measured.language, decided.figures])
    kinds, place = np.unique(same, axis=1, return_inverse=True)
    for at, (by, told, figures) in enumerate(kinds.T):
        if verifiers[by] != RULES:
            yield Alike(verifiers[by], languages[told], bool(figures)), place.ravel() == at


def _standing(
    alike: Alike,
    mine: NDArray[np.bool_],
    measured: Measured,
    given: Labels,
    decided: Replayed,
    values: Mapping[str, Any],
) -> Standing:
    part, thresholds = given.part(measured, mine), resolve({"base": values.get("base", {})}, {})
    clean = (part.answer == 0) & (part.weight > 0)
    doubts, weights = decided.doubt[mine][clean], part.weight[clean]
    limit, wanted = doubt_limit(alike, thresholds), thresholds.clean_to_review
    learnt = learn(doubts.tolist(), weights.tolist(), wanted)
    why_not = _why_not(part, learnt, thresholds)
    return Standing(
        alike=alike,
        answers=int(mine.sum()),
        clean=int(clean.sum()),
        limit=limit,
        sent=share(doubts > limit.doubt, weights),
        learnt=None if why_not else learnt,
        why_not=why_not,
        missing=ceil(needed(wanted) - effective(weights.tolist())) if why_not == "few" else 0,
    )


def _why_not(part: Labels, learnt: Learnt | None, thresholds: Thresholds) -> WhyNot:
    """Why the labels of a sort teach no limit; empty when they do."""
    if isinf(needed(thresholds.clean_to_review)):
        return "no_share"
    sent, counted = part.stratum == 0, part.weight > 0
    if is_unaudited(part):
        return "no_audits"
    if sent.any() and not (sent & counted).any():
        return "unsettled"
    return "" if learnt else "few"
