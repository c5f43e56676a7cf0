"""Tables whose columns only the order of their cells tells, as text out of a PDF has them."""

from detection.core.evidence.tables.flowing.rows import grids

__all__ = ["grids"]
