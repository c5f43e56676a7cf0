"""What a detector looks at, whom it may ask, and when its time is up."""

from collections.abc import Sequence
from dataclasses import dataclass

from detection.core.ports import Judges, Verifier
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Case, Claim, Expired, never

NO_CASE = Case("")
"""What is decided without its case: findings, told in English."""


@dataclass(frozen=True, slots=True)
class Context:
    """One answer under one profile: its case with the claims that were read, and everything a detector needs.

    Measuring may ask the ``verifier`` and the ``judges``, where there are any, until the detector's time has
    ``expired``; ``out_of_time`` are the exceptions by which the surroundings end work that took too long.
    Deciding asks nobody. An answer whose doubtful statements lack more than ``flag_threshold_bits`` together is
    flagged (SPEC-08.22).
    """

    case: Case = NO_CASE
    claims: Sequence[Claim] = ()
    thresholds: Thresholds = DEFAULTS
    scoring: str = "information_budget"
    flag_threshold_bits: float | None = None
    verifier: Verifier | None = None
    judges: Judges | None = None
    expired: Expired = never
    out_of_time: tuple[type[Exception], ...] = (TimeoutError,)

    @property
    def language(self) -> str:
        """The language that findings are told in: that of the answer."""
        return self.case.language
