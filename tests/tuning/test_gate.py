"""When a change may be activated (review-queue §5.3, Gate)."""

import numpy as np
import pytest

from reviews.tuning.gate import gate
from reviews.tuning.what_if import WhatIf, what_if
from tests.tuning.populations import labels_of, measured_of, replayed_of

SIZE = 1_000


def change(audits: int, in_band: int, *, flags_less: bool = True) -> tuple[WhatIf, object]:
    """A draft that flags 100 answers more, and one less if asked, with so many audits in all and in that band."""
    rows = np.arange(SIZE)
    was, is_ = rows < 50, rows < 150
    if flags_less:
        is_ = is_ & (rows > 0)
    audited = ((rows >= 50) & (rows < 50 + in_band)) | ((rows >= 150) & (rows < 150 + audits - in_band))
    labels = labels_of(np.zeros(SIZE, bool), sent=was, audited=audited, labelled=rows >= 50)
    compared = what_if(
        measured_of(rows + 1), labels, replayed_of(was), replayed_of(is_), days=30, name="overlap"
    )
    return compared, labels


@pytest.mark.requirement("APP-05")
@pytest.mark.parametrize(
    ("audits", "in_band", "opens", "why"),
    [
        (130, 29, False, "few_in_band"),
        (130, 30, True, "enough_audits"),
        (99, 40, False, "few_audits"),
        (100, 40, True, "enough_audits"),
        (0, 0, False, "few_audits"),
    ],
)
def test_thirty_audits_in_the_band_and_a_hundred_in_all_open_the_gate(
    audits: int, in_band: int, opens: bool, why: str
) -> None:
    state = gate(*change(audits, in_band))  # type: ignore[arg-type]
    assert (state.open, state.why) == (opens, why)
    assert (state.audits, state.band_audits) == (audits, in_band)
    assert (state.needed_audits, state.needed_band) == (100, 30)


def test_a_change_that_only_flags_more_needs_no_audit() -> None:
    state = gate(*change(0, 0, flags_less=False))  # type: ignore[arg-type]
    assert (state.open, state.why) == (True, "only_flags_more")


def test_what_was_judged_since_it_was_flagged_counts_in_the_band() -> None:
    """A draft that flags less moves answers that were all sent to review; their labels are known with certainty."""
    rows = np.arange(SIZE)
    was, is_ = rows < 50, rows < 10
    labels = labels_of(rows < 5, sent=was, audited=(rows >= 50) & (rows < 160))
    compared = what_if(measured_of(rows + 1), labels, replayed_of(was), replayed_of(is_), days=30)
    assert gate(compared, labels).band_audits == 40
    assert gate(compared, labels).open
