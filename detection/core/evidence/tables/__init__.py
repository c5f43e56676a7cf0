"""Tables of sources, in whatever form they reach us: read as a stream of cells.

Bars, tabs, HTML, aligned blanks, commas and line ends are hints about where cells end. The columns are told by what
repeats; headings, units, sections and totals hold down the rows and on into the chunks that follow.
"""

from detection.core.evidence.tables.model import Cell, Column, Grid, Row, Table
from detection.core.evidence.tables.reading import (
    Last,
    Lead,
    Shape,
    assembled,
    document_of,
    grids_in,
    leads_of,
    read,
    read_document,
    shapes_of,
)
from detection.core.evidence.tables.told import Keys, keys_in, named_by

__all__ = [
    "Cell",
    "Column",
    "Grid",
    "Keys",
    "Last",
    "Lead",
    "Row",
    "Shape",
    "Table",
    "assembled",
    "document_of",
    "grids_in",
    "keys_in",
    "leads_of",
    "named_by",
    "read",
    "read_document",
    "shapes_of",
]
