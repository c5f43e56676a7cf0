"""What would change under a draft: the answers newly flagged and no longer flagged (review-queue §5.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reviews.tuning.estimates import Estimate, Performance, performance, share
from reviews.tuning.labels import Labels
from reviews.tuning.replay.codes import KINDS
from reviews.tuning.replay.deciding import Replayed
from reviews.tuning.replay.measured import Measured

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Changed:
    """Answers that change sides: how many, how many of them unlabelled, and what the labelled ones were.

    ``wrong`` and ``right`` count every label, ``audited_wrong`` and ``audited_right`` those of random audits
    among them. ``expected`` is how many of all are wrong, from labels that may be counted.
    """

    answers: int
    unlabelled: int
    wrong: int
    right: int
    audited_wrong: int
    audited_right: int
    expected: Estimate


@dataclass(frozen=True)
class Segment:
    """One slice of the change: ``facet`` is language, property or kind, ``value`` its value; answers."""

    facet: str
    value: str
    newly: int
    gone: int


@dataclass(frozen=True)
class WhatIf:
    """A draft (after) beside the profile in force (before), over the same answers.

    ``rows`` are the ids of the runs that change, confirmed errors that would be lost first; ``row_newly`` says
    which of them would be newly flagged, ``row_label`` repeats their labels (-1, 0, 1). Loads are flagged
    answers a day. ``band_audits`` counts changed answers whose label may be counted: audited ones, and those
    that were judged since they were flagged, as all flagged ones are. ``not_measured`` counts claims that need a
    measurement which was not taken.
    """

    name: str | None
    answers: int
    newly: Changed
    gone: Changed
    before: Performance
    after: Performance
    load_before: float
    load_after: float
    segments: tuple[Segment, ...]
    rows: NDArray[np.int64]
    row_newly: Mask
    row_label: NDArray[np.int8]
    band_audits: int
    only_flags_more: bool
    not_measured: int


def what_if(
    measured: Measured,
    labels: Labels,
    before: Replayed,
    after: Replayed,
    *,
    days: float,
    name: str | None = None,
    known: tuple[Performance, Performance] | None = None,
) -> WhatIf:
    """Compare two replays of the answers of a window of ``days``; ``name`` is the threshold that was changed,
    None for several. An answer counts as flagged when it would be sent to review. ``known`` is how
    both perform, where a curve has told that already."""
    was, is_ = before.needs_review, after.needs_review
    newly, gone = is_ & ~was, was & ~is_
    rows = _in_order(measured, labels, newly, gone)
    first, then = known or (performance(was, labels), performance(is_, labels))
    return WhatIf(
        name=name,
        answers=len(was),
        newly=_changed(labels, newly),
        gone=_changed(labels, gone),
        before=first,
        after=then,
        load_before=float(was.sum() / days),
        load_after=float(is_.sum() / days),
        segments=tuple(_segments(measured, before, after, newly, gone)),
        rows=measured.run[rows],
        row_newly=newly[rows],
        row_label=labels.answer[rows],
        band_audits=int(((newly | gone) & (labels.weight > 0)).sum()),
        only_flags_more=not gone.any(),
        not_measured=int(after.not_measured),
    )


def _changed(labels: Labels, mask: Mask) -> Changed:
    label, audited = labels.answer[mask], labels.audited[mask]
    answers = int(mask.sum())
    wrong = share(label == 1, labels.weight[mask])
    low, value, high = (
        None if part is None else part * answers for part in (wrong.low, wrong.value, wrong.high)
    )
    return Changed(
        answers=answers,
        unlabelled=int((label < 0).sum()),
        wrong=int((label == 1).sum()),
        right=int((label == 0).sum()),
        audited_wrong=int((audited & (label == 1)).sum()),
        audited_right=int((audited & (label == 0)).sum()),
        expected=Estimate(value, low, high, wrong.n),
    )


def _in_order(measured: Measured, labels: Labels, newly: Mask, gone: Mask) -> NDArray[np.int64]:
    """The rows of the changed answers: those no longer flagged first; among them, and among the newly flagged,
    wrong before right before unlabelled; newest first."""
    rows = np.flatnonzero(newly | gone)
    return rows[np.lexsort((-measured.run[rows], -labels.answer[rows], newly[rows]))]


def _segments(
    measured: Measured, before: Replayed, after: Replayed, newly: Mask, gone: Mask
) -> Iterator[Segment]:
    """The slices in which anything changes, by language, property and kind of the claims whose flag changes."""
    facets = (
        ("language", measured.languages, measured.language),
        ("property", measured.properties, measured.property),
    )
    for facet, names, codes in facets:
        more, fewer = (_by_code(codes[mask], len(names)) for mask in (newly, gone))
        for value, some, others in zip(names, more, fewer, strict=True):
            yield from _segment(facet, value, some, others)
    differs = np.flatnonzero(before.flagged != after.flagged)
    touched = np.zeros((len(KINDS), len(newly)), bool)
    touched[measured.kind[differs], measured.of_claims(np.arange(len(newly)))[differs]] = True
    for value, answers in zip(KINDS, touched, strict=True):
        yield from _segment("kind", value, int((answers & newly).sum()), int((answers & gone).sum()))


def _by_code(codes: NDArray[np.int32], names: int) -> list[int]:
    """How many of the codes, -1 for none, name each of ``names``."""
    counts: list[int] = np.bincount(codes[codes >= 0], minlength=names).tolist()
    return counts


def _segment(facet: str, value: str, newly: int, gone: int) -> Iterator[Segment]:
    if newly or gone:
        yield Segment(facet, value, newly, gone)
