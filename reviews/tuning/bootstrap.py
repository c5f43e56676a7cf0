"""Samples of labelled answers, drawn again and again: how much the figures depend on which answers were labelled
(Efron 1979; review-queue §5.3)."""

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]


def samples(
    hit: NDArray[np.bool_],
    wrong: NDArray[np.bool_],
    weight: Column,
    stratum: NDArray[np.int32],
    *,
    draws: int,
    seed: int,
) -> tuple[Column, Column, Column]:
    """Precision, recall and missed of ``draws`` samples of answers, drawn with replacement within each stratum;
    float64[draws, T].

    Answers that are alike in all that counts are drawn together: how often a group comes is multinomial.
    """
    groups, size = _alike(hit, wrong, weight, stratum)
    hit, wrong, weight, stratum = hit[groups], wrong[groups], weight[groups], stratum[groups]
    random = np.random.default_rng(seed)
    counts = np.zeros((draws, len(size)))
    for code in np.unique(stratum):
        here = stratum == code
        total = size[here].sum()
        times = random.multinomial(total, size[here] / total, size=draws) * weight[here]
        counts[:, here] = times * ((size[here] @ weight[here]) / times.sum(axis=1))[:, None]
    columns = hit.astype(np.float64)
    all_wrong = counts * wrong
    found = all_wrong @ columns
    missed = np.maximum(all_wrong.sum(axis=1)[:, None] - found, 0)
    flagged = counts @ columns
    return _ratio(found, flagged), _ratio(found, found + missed), missed


def _alike(
    hit: NDArray[np.bool_], wrong: NDArray[np.bool_], weight: Column, stratum: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One row index of each group of equal answers, and the groups' sizes."""
    parts = [
        np.packbits(hit, axis=1),
        wrong[:, None].astype(np.uint8),
        np.ascontiguousarray(weight, np.float64).view(np.uint8).reshape(len(weight), 8),
        np.ascontiguousarray(stratum, np.int32).view(np.uint8).reshape(len(stratum), 4),
    ]
    bytes_ = np.ascontiguousarray(np.concatenate(parts, axis=1))
    keys = bytes_.view(f"V{bytes_.shape[1]}").ravel()
    _, first, size = np.unique(keys, return_index=True, return_counts=True)
    return first, size


def _ratio(above: Column, below: Column) -> Column:
    """Elementwise quotient; 0 where ``below`` is 0."""
    return np.divide(above, below, out=np.zeros_like(below), where=below != 0)
