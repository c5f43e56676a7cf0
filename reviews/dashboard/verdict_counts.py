"""How often which verdict was given on which claims: one grouped query that several tiles read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from reviews.dashboard.claim_detectors import detector_of
from reviews.models import ClaimVerdict

WRONG = ("corrected", "rejected")
RIGHT = ("supported", "not_a_claim")
"""A detector that doubts what is no claim raised a false alarm; "cannot tell" is neither."""


@dataclass(frozen=True, slots=True)
class Counted:
    """``n`` claims with this kind, detector and verdict; ``added`` by a reviewer, ``blind`` when judged so."""

    kind: str
    detector: str
    flagged: bool
    added: bool
    blind: bool
    verdict: str
    reason: str
    n: int

    @property
    def wrong(self) -> bool:
        """Whether the claims are wrong, as people judge."""
        return self.verdict in WRONG

    @property
    def right(self) -> bool:
        """Whether the claims do not mislead."""
        return self.verdict in RIGHT


def counts(verdicts: QuerySet[ClaimVerdict]) -> list[Counted]:
    """These verdicts, counted by all that tiles tell apart."""
    rows = verdicts.annotate(detector=detector_of("claim__")).values_list(
        "claim__kind",
        "detector",
        "claim__flagged",
        "claim__origin",
        "review_pass__blind",
        "verdict",
        "reason_code",
    )
    return [
        Counted(kind, detector, flagged, origin == "reviewer", blind, verdict, reason, n)
        for kind, detector, flagged, origin, blind, verdict, reason, n in rows.annotate(n=Count("pk"))
    ]


def total(counted: Iterable[Counted], wanted: Callable[[Counted], bool]) -> int:
    """How many claims those are."""
    return sum(each.n for each in counted if wanted(each))
