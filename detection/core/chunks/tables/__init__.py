"""Tables in source text, however they are written: Markdown, CSV, tabs, aligned columns, HTML."""

from detection.core.chunks.tables.grids import Grid, parts
from detection.core.chunks.tables.periods import year_of
from detection.core.chunks.tables.reading import Table
from detection.core.chunks.tables.terms import declared_scales

__all__ = ["Grid", "Table", "declared_scales", "parts", "year_of"]
