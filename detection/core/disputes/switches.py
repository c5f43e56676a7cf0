"""Which disputes about numbers count while a profile has records or documents switched off, as bits, so that tuning asks the same."""

from collections.abc import Iterable, Sequence

from detection.core.thresholds import Thresholds
from detection.core.types import Dispute, is_of_record

DOCUMENTS, RECORDS = 1, 2
"""The sorts of disputes: between documents, and of documents with figures of record."""


def told(disputes: Sequence[Dispute], thresholds: Thresholds) -> tuple[Dispute, ...]:
    """The disputes about a number that count."""
    counted = sorts_told(thresholds)
    return tuple(one for one in disputes if _sort(one) & counted)


def sorts_told(thresholds: Thresholds) -> int:
    """The sorts that count: one side at least is a document."""
    if not thresholds.verify_against_documents:
        return 0
    return DOCUMENTS | RECORDS if thresholds.verify_against_database else DOCUMENTS


def sorts(disputes: Iterable[Dispute]) -> int:
    """The sorts that there are among some disputes."""
    found = 0
    for one in disputes:
        found |= _sort(one)
    return found


def _sort(one: Dispute) -> int:
    return RECORDS if any(is_of_record(voice.source) for voice in (one.carried, one.against)) else DOCUMENTS
