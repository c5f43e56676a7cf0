"""Whether the labels suffice to activate a change (review-queue §5.3, Gate)."""

from dataclasses import dataclass
from typing import Literal

from reviews.tuning.labels import Labels
from reviews.tuning.what_if import WhatIf

Why = Literal["changes_nothing", "only_flags_more", "enough_audits", "few_audits", "few_in_band", "sees_part"]

NEEDED_AUDITS = 100
NEEDED_BAND = 30


@dataclass(frozen=True)
class Gate:
    """Whether a change may be activated without an override, and why or why not."""

    open: bool
    why: Why
    audits: int
    band_audits: int
    needed_audits: int = NEEDED_AUDITS
    needed_band: int = NEEDED_BAND


def gate(change: WhatIf, labels: Labels, *, whole: bool = True) -> Gate:
    """Open when the change only flags more, or when at least 100 answers of the window were audited and at
    least 30 of the answers that change carry a label that may be counted; closed unless the window is the ``whole``
    of what was answered, since nobody counts the rest."""
    audits, band = int(labels.audited.sum()), change.band_audits
    if not whole:
        return Gate(False, "sees_part", audits, band)
    if not change.newly.answers and not change.gone.answers:
        return Gate(True, "changes_nothing", audits, band)
    if change.only_flags_more:
        return Gate(True, "only_flags_more", audits, band)
    if audits < NEEDED_AUDITS:
        return Gate(False, "few_audits", audits, band)
    if band < NEEDED_BAND:
        return Gate(False, "few_in_band", audits, band)
    return Gate(True, "enough_audits", audits, band)
