"""What a detector looks at, whom it may ask, and when its time is up."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from detection.core.ports import NOWHERE, FrameStore, Judges, SlotReader, Verifier
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Case, Claim, Expired, Measurement, never

NO_CASE = Case("")
"""That of whoever decides over measurements alone, told in English."""


@dataclass(frozen=True, slots=True)
class Context:
    """One answer under one profile: its case with the claims that were read, and everything a detector needs.

    Measuring may ask the ``verifier``, unless it is ``overloaded``, the ``judges`` and the ``slot_reader``, where there are any, until the
    detector's time has ``expired``, and reads sources until ``unread`` says so, where that is another time, keeping what it read in ``frames``; the surroundings end a detector that takes too
    long for what it is ``limited`` to, by one of the exceptions ``out_of_time``. Deciding asks nobody. An answer whose doubtful statements lack more than ``flag_threshold_bits`` together is
    flagged (SPEC-08.22).
    """

    case: Case = NO_CASE
    claims: Sequence[Claim] = ()
    thresholds: Thresholds = DEFAULTS
    scoring: str = "information_budget"
    flag_threshold_bits: float | None = None
    verifier: Verifier | None = None
    judges: Judges | None = None
    slot_reader: SlotReader | None = None
    overloaded: bool = False
    expired: Expired = never
    unread: Expired | None = None
    frames: FrameStore = NOWHERE
    limited: Callable[[], AbstractContextManager[None]] = nullcontext
    out_of_time: tuple[type[Exception], ...] = (TimeoutError,)

    @property
    def reading(self) -> Expired:
        """Says when no more sources are to be read."""
        return self.unread or self.expired

    @property
    def language(self) -> str:
        """The language that findings are told in: that of the answer."""
        return self.case.language


class NotAsked(Exception):
    """A detector was deliberately not run; the message says why. ``measurement`` is what is known all the same."""

    def __init__(self, why: str, measurement: Measurement | None = None) -> None:
        super().__init__(why)
        self.measurement = measurement
