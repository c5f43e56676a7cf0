"""What people said of answers and their claims, and for how many answers each label speaks (review-queue §5.3).

A claim that was rejected or corrected is wrong, one that is supported is right. "Not a claim" is right as well: the
flag was a false alarm, and nothing wrong reached a reader. An answer is wrong when one of its claims is, also one that
the detectors missed and a reviewer added; it is right when all claims that had to be decided are.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reviews.lifecycle import sampling
from reviews.tuning.replay.measured import Measured
from reviews.tuning.verdicts import Judged, Selection, judged, selection

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Labels:
    """Verdicts aligned with the rows of a :class:`Measured`: A answers, C claims.

    ``claim`` and ``answer`` are 1 wrong, 0 right, -1 unlabelled. ``weight`` is for how many answers of the
    window a labelled answer speaks, 0 where it must not be counted. ``audited`` was drawn at random and
    labelled, ``blind`` judged without the detectors' conclusion, ``failed`` lacks the report of a detector.
    ``stratum`` is 0 for answers that were sent to review, from 1 on a stratum of the unflagged.
    """

    claim: NDArray[np.int8]
    answer: NDArray[np.int8]
    weight: Weights
    audited: NDArray[np.bool_]
    blind: NDArray[np.bool_]
    failed: NDArray[np.bool_]
    stratum: NDArray[np.int32]

    def part(self, measured: Measured, wanted: NDArray[np.bool_]) -> "Labels":
        """The labels of the answers that ``wanted`` (bool[A]) names, weighed anew for those alone; aligned with
        ``measured.subset(wanted)``."""
        kept = replace(
            self,
            claim=self.claim[measured.of_claims(wanted)],
            answer=self.answer[wanted],
            audited=self.audited[wanted],
            blind=self.blind[wanted],
            failed=self.failed[wanted],
            stratum=self.stratum[wanted],
        )
        return replace(kept, weight=normalised(self.weight[wanted], kept.stratum))


def labels(
    measured: Measured,
    *,
    blind_only: bool = False,
    with_gold: bool = False,
    with_cannot_tell: bool = False,
) -> Labels:
    """The labels of ``measured`` from submitted passes of resolved reviews, in a constant number of queries.

    An adjudicated verdict stands before that of pass 1, and pass 1 before pass 2; of several reviews the newest
    counts. ``blind_only`` keeps blind and adjudicated passes. "Cannot tell" leaves a claim unlabelled;
    ``with_cannot_tell`` counts it as wrong, since nobody could confirm what was said. Gold stays out unless asked
    for. An answer that was judged again keeps its label, while its claims' verdicts stay with the older run.
    """
    given = judged(measured, blind_only=blind_only, with_gold=with_gold)
    chosen = selection(measured.run)
    answer = _answers(measured, given, with_cannot_tell)
    audited = _named(measured.run, given.run[given.random]) & (answer >= 0)
    return Labels(
        claim=_looked_up(measured.claim, given.claim, given.wrong(with_cannot_tell)),
        answer=answer,
        weight=_weights(measured.run, answer, audited, chosen),
        audited=audited,
        blind=_named(measured.run, given.run[given.blind]) & (answer >= 0),
        failed=(measured.answers["failed"] | measured.answers["late"]) != 0,
        stratum=chosen.stratum,
    )


def normalised(raw: Weights, stratum: NDArray[np.int32]) -> Weights:
    """Weights (float64[A], 0 = not counted) scaled so that those of a stratum add up to its size (Hájek 1971).

    Answers of an unflagged stratum in which none is counted are spoken for by the other unflagged strata; when
    there is none such either, by nobody.
    """
    size = np.bincount(stratum).astype(np.float64)
    sums = np.bincount(stratum, weights=raw, minlength=len(size)).astype(np.float64)
    covered = sums > 0
    scale = np.divide(size, sums, out=np.zeros_like(sums), where=covered)
    passed = covered[1:]
    if passed.any():
        scale[1:] *= size[1:].sum() / size[1:][passed].sum()
    return raw * scale[stratum]


def _weights(
    run: NDArray[np.int64], answer: NDArray[np.int8], audited: NDArray[np.bool_], chosen: Selection
) -> Weights:
    """1 / p for audited answers (Horvitz and Thompson 1952), 1 for those sent to review, both normalised. What a
    person sent in or a shadow profile picked was not drawn at random and counts for nothing."""
    likely = sampling.probabilities(chosen.sampled.tolist())
    probability = np.array([likely.get(pk, np.nan) for pk in chosen.sampled.tolist()])
    sent = chosen.stratum == 0
    raw = np.where(sent, 1.0, 1 / np.where(np.isnan(probability), 1.0, probability))
    return normalised(np.where((answer >= 0) & (sent | audited), raw, 0.0), chosen.stratum)


def _answers(measured: Measured, given: Judged, with_cannot_tell: bool) -> NDArray[np.int8]:
    """Labels of answers from the standing verdicts of their claims."""
    wrong = given.wrong(with_cannot_tell)
    undecided = ~np.isin(given.required, given.claim[wrong >= 0])
    label = np.where(_named(measured.run, given.run), 0, -1)
    label[_named(measured.run, given.required_of[undecided])] = -1
    label[_named(measured.run, given.claim_of[wrong == 1])] = 1
    return label.astype(np.int8)


def _named(run: NDArray[np.int64], some: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows of ``run`` are among ``some``."""
    return np.isin(run, some)


def _looked_up(
    wanted: NDArray[np.int64], keys: NDArray[np.int64], codes: NDArray[np.int8]
) -> NDArray[np.int8]:
    """The code of each wanted key; -1 for one that is not among the ascending ``keys``."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int8)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, codes[place], -1).astype(np.int8)
