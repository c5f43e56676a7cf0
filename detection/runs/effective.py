"""The verdicts that count now, on an answer and its claims: the detectors', until a person or a newer answer takes their
place."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from detection.core.types import Verdict
from detection.models import DetectionRun


@dataclass(frozen=True, slots=True)
class Effective:
    """Whose word counts (``by``), who that was and when, and what it says of the answer as it was delivered.

    ``at`` is None where nothing was stored, ``who`` and ``outcome`` where no person decided, ``risk_level`` where the
    detectors' does not count. ``has_hallucinations`` and ``answer_status`` are None where the person could not tell,
    and by supersession: ``superseded_by``, the newer answer, has the verdict then.
    """

    by: Literal["machine", "person", "supersession"]
    at: datetime | None = None
    who: str | None = None
    has_hallucinations: bool | None = None
    answer_status: str | None = None
    risk_level: str | None = None
    outcome: str | None = None
    superseded_by: UUID | None = None

    def shown(self) -> dict[str, Any]:
        """As plain JSON values, every key there."""
        at, newer = self.at, self.superseded_by
        return asdict(self) | {
            "at": at.isoformat() if at else None,
            "superseded_by": str(newer) if newer else None,
        }


@dataclass(frozen=True, slots=True)
class ClaimEffective:
    """Whose word counts on one claim, who that was and when (None where nothing was stored), and the word of the
    claim's conclusion that follows: None where the person could not tell or saw no claim there, and where the detectors'
    is of before conclusions were drawn. ``verdict``, ``reason_code`` and ``corrected_value`` are a person's, None without.
    """

    by: Literal["machine", "person"]
    word: str | None
    at: datetime | None = None
    who: str | None = None
    verdict: str | None = None
    reason_code: str | None = None
    corrected_value: str | None = None

    def shown(self) -> dict[str, Any]:
        """As plain JSON values, every key there."""
        return asdict(self) | {"at": self.at.isoformat() if self.at else None}


def claim_by_machine(word: str | None, at: datetime | None = None) -> ClaimEffective:
    """What the detectors concluded of a claim of a Result, stored at ``at``: the ``word`` of its conclusion, where it has one."""
    return ClaimEffective("machine", word, at)


def by_machine(found: Verdict | DetectionRun, at: datetime | None = None) -> Effective:
    """What the detectors found, stored at ``at``."""
    return Effective(
        by="machine",
        at=at,
        has_hallucinations=found.has_hallucinations,
        answer_status=found.answer_status or None,
        risk_level=found.risk_level or None,
    )
