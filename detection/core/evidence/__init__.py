"""What an answer is compared with: figures of record, tables and prose, all read into facts in grids of labels."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from detection.core import periods
from detection.core.evidence import records
from detection.core.evidence.chunked import read_all
from detection.core.evidence.facts import OPEN, Evidence, Fact, Grid
from detection.core.evidence.frames import READER, remembered
from detection.core.evidence.labels import Axis, Label, label, together
from detection.core.evidence.nearest import nearest
from detection.core.evidence.passages import amount, is_empty, passage_of, texts
from detection.core.evidence.proposed import with_proposals
from detection.core.evidence.records import ENTITY, METRIC
from detection.core.ports import NOWHERE, FrameStore
from detection.core.types import Case, Expired, NumericClaim

__all__ = [
    "ENTITY",
    "METRIC",
    "OPEN",
    "READER",
    "Axis",
    "Evidence",
    "Fact",
    "Grid",
    "Label",
    "amount",
    "is_empty",
    "label",
    "passage_of",
    "read",
    "remembered",
    "texts",
    "together",
    "with_proposals",
]


def read(
    case: Case,
    expired: Expired,
    store: FrameStore = NOWHERE,
    cited: Collection[str] = (),
    numbers: Iterable[NumericClaim] = (),
) -> Evidence:
    """All evidence of a case: figures of record as one grid, each table and the prose of each source as others. What
    was read of a chunk is looked for in ``store``, and kept there; of very many sources those are read that are ``cited`` or hold
    most of the ``numbers``."""
    calendar = periods.learnt([(one.label, one.start, one.end) for one in case.periods], case.fiscal_year_end)
    asked = (case.period.start, case.period.end) if case.period else None
    sources, left = nearest(case.sources, cited, numbers)
    found = read_all(sources, asked, expired, store)
    found = replace(found, read=len(case.sources) - found.unread - left, unread=found.unread + left)
    return replace(found, records=records.read(case, calendar) if case.database == "ok" else None)
