"""What a chunk of a source says: its numbers with their labels, periods, units and scales."""

from detection.core.chunks.asked import Wording, goes_out, names_total, operations, wording
from detection.core.chunks.chunk import Chunk, chunk_of
from detection.core.chunks.introductions import of_tables
from detection.core.chunks.labels import equals, misread, period_of
from detection.core.chunks.metric_names import Names, Vocabulary, vocabulary
from detection.core.chunks.passages import Passage, passage, read
from detection.core.chunks.places import (
    BILLION,
    MILLION,
    THOUSAND,
    Place,
    Words,
    kind_of,
    units_meet,
    words,
    years,
)
from detection.core.chunks.slots import Cells, Label, Slot, Slots, TableSlots
from detection.core.chunks.source_periods import agreement, is_short
from detection.core.chunks.surroundings import Surroundings
from detection.core.chunks.tables.cells import Cell
from detection.core.chunks.tables.grids import Grid, parts
from detection.core.chunks.tables.periods import year_of

__all__ = [
    "BILLION",
    "MILLION",
    "THOUSAND",
    "Cell",
    "Cells",
    "Chunk",
    "Grid",
    "Label",
    "Names",
    "Passage",
    "Place",
    "Slot",
    "Slots",
    "Surroundings",
    "TableSlots",
    "Vocabulary",
    "Wording",
    "Words",
    "agreement",
    "chunk_of",
    "equals",
    "goes_out",
    "is_short",
    "kind_of",
    "misread",
    "names_total",
    "of_tables",
    "operations",
    "parts",
    "passage",
    "period_of",
    "read",
    "units_meet",
    "vocabulary",
    "wording",
    "words",
    "year_of",
    "years",
]
