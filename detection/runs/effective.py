"""The verdict on an answer that counts now: the detectors', until a person or a newer answer takes its place."""

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


def by_machine(found: Verdict | DetectionRun, at: datetime | None = None) -> Effective:
    """What the detectors found, stored at ``at``."""
    return Effective(
        by="machine",
        at=at,
        has_hallucinations=found.has_hallucinations,
        answer_status=found.answer_status or None,
        risk_level=found.risk_level or None,
    )
