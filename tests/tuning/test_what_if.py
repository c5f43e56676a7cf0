"""What a draft changes: counts told apart by label, segments, and which answers come first."""

import numpy as np
import pytest

from reviews.tuning.estimates import Estimate
from reviews.tuning.what_if import Segment, what_if
from tests.tuning.populations import labels_of, measured_of, replayed_of


def test_the_designs_card_expects_31_wrong_among_37() -> None:
    """6 of 37 newly flagged answers were audited and 5 of those wrong."""
    rows = np.arange(1_000)
    was, is_ = rows < 80, rows < 117
    audited = (rows >= 80) & (rows < 86)
    labels = labels_of((rows < 56) | (rows >= 80) & (rows < 85), sent=was, audited=audited, probability=0.15)
    found = what_if(measured_of(rows + 1), labels, replayed_of(was), replayed_of(is_), days=30)
    assert (found.newly.answers, found.gone.answers) == (37, 0)
    assert (found.newly.unlabelled, found.newly.wrong, found.newly.right) == (31, 5, 1)
    assert (found.newly.audited_wrong, found.newly.audited_right) == (5, 1)
    assert found.newly.expected.value == pytest.approx(31, abs=0.5)
    assert found.newly.expected.low == pytest.approx(16.1, abs=0.1)
    assert found.newly.expected.high == pytest.approx(35.9, abs=0.1)
    assert found.gone.expected == Estimate(None, None, None, 0)
    assert (found.load_before, found.load_after) == pytest.approx((80 / 30, 117 / 30))
    assert found.only_flags_more
    assert found.band_audits == 6


def test_precision_and_recall_are_told_before_and_after() -> None:
    rows = np.arange(400)
    wrong = rows < 100
    labels = labels_of(wrong, sent=rows < 50, audited=rows >= 50)
    found = what_if(
        measured_of(rows + 1),
        labels,
        replayed_of(rows < 50),
        replayed_of(rows < 200),
        days=10,
        name="overlap",
    )
    assert found.before.recall.value == pytest.approx(0.5)
    assert found.after.recall.value == pytest.approx(1)
    assert (found.before.precision.value, found.after.precision.value) == pytest.approx((1, 0.5))
    assert found.name == "overlap"


def test_confirmed_errors_that_would_be_lost_come_first() -> None:
    #             lost: right, wrong, wrong, unlabelled | newly: wrong, unlabelled | unchanged
    was = np.array([True, True, True, True, False, False, True])
    is_ = np.array([False, False, False, False, True, True, True])
    labels = labels_of(
        [False, True, True, False, True, False, True],
        sent=was,
        audited=[False, False, False, False, True, False, False],
        labelled=[True, True, True, False, True, True, True],
    )
    found = what_if(measured_of(range(11, 18)), labels, replayed_of(was), replayed_of(is_), days=1)
    assert found.rows.tolist() == [13, 12, 11, 14, 15, 16]
    assert found.row_newly.tolist() == [False] * 4 + [True] * 2
    assert found.row_label.tolist() == [1, 1, 0, -1, 1, -1]
    assert not found.only_flags_more
    assert (found.gone.wrong, found.gone.right, found.gone.unlabelled) == (2, 1, 1)


def test_the_change_is_split_by_language_property_and_kind_of_claim() -> None:
    measured = measured_of(
        [1, 2, 3, 4],
        of=[0, 0, 1, 2, 3],
        claim=[10, 11, 12, 13, 14],
        kind=[2, 5, 2, 3, 5],
        names={"language": ("en", "he"), "property": ("OAK",)},
        language=[0, 1, 1, 0],
        property=[0, -1, 0, 0],
    )
    was, is_ = np.array([False, False, True, True]), np.array([True, True, False, True])
    labels = labels_of([False] * 4, sent=was)
    before = replayed_of(was, flagged=[False, True, False, True, True])
    after = replayed_of(is_, flagged=[True, True, True, False, True])
    found = what_if(measured, labels, before, after, days=1)
    assert found.segments == (
        Segment("language", "en", 1, 0),
        Segment("language", "he", 1, 1),
        Segment("property", "OAK", 1, 1),
        Segment("kind", "currency", 2, 0),
        Segment("kind", "percentage", 0, 1),
    )


def test_nothing_changes_between_equals() -> None:
    was = np.array([True, False])
    found = what_if(
        measured_of([1, 2]), labels_of([True, False], sent=was), replayed_of(was), replayed_of(was), days=1
    )
    assert (found.newly.answers, found.gone.answers, len(found.rows)) == (0, 0, 0)
    assert found.segments == ()
    assert found.only_flags_more
