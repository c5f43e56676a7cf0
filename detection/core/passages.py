"""What a source chunk says in numbers: the cells of its tables and the numbers of its text (NUM-06)."""

from functools import lru_cache

from detection.core import prose
from detection.core.chunk import chunk_of
from detection.core.places import Place
from detection.core.table_grids import Grid, parts
from detection.core.tables import Table

_REMEMBERED = 4000  # characters; a longer chunk is read anew each time


def read(source: str, text: str) -> list[Place]:
    """Every number of a chunk: its tables' cells and its text's claims, dates among them. ``text[start:end]`` of a
    place is the number as written."""
    if len(text) > _REMEMBERED:
        return _read(source, text)
    return list(_known(source, text))


@lru_cache(maxsize=128)
def _known(source: str, text: str) -> tuple[Place, ...]:
    """The same few chunks answer many questions."""
    return tuple(_read(source, text))


def _read(source: str, text: str) -> list[Place]:
    chunk = chunk_of(source, text)
    places: list[Place] = []
    tables = 0
    for part in parts(chunk.folded):
        if isinstance(part, Grid):
            table = Table(chunk, part, tables)
            places += table.places()
            tables += 1
            for start, end in table.texts:
                places += prose.places(chunk, start, end)
        else:
            places += prose.places(chunk, *part)
    return places
