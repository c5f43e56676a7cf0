"""The figures of a portfolio as the sources of an answer give them: ten chunks, tables and prose, no database."""

from collections.abc import Callable
from itertools import cycle

from benchmarks.numeric_latency import GROUPS, prose, table
from benchmarks.portfolio import COLUMNS, LINES, NAMES, Portfolio
from detection.core.types import Case, Source

_SEPARATORS = ("|", "\t", ",")
_EVERY = (*COLUMNS, *LINES)


def from_documents(book: Portfolio) -> Callable[[str, str, str, str], Case]:
    """Cases whose figures stand in their sources alone."""
    properties, aliases = book.properties(), book.aliases()
    known = {place: _sources(book, *place) for place in book.periods}

    def build(answer: str, language: str, owner: str, label: str) -> Case:
        return Case(
            answer=answer, language=language, sources=known[owner, label], aliases=aliases, properties=properties,
            property=owner, period=book.periods[owner, label],
        )  # fmt: skip

    return build


def _sources(book: Portfolio, owner: str, label: str) -> tuple[Source, ...]:
    """The property's quarters and years in five tables, the period and its year in prose, the quarters of the others."""
    labels = [name for code, name in book.periods if code == owner]
    separators = cycle(_SEPARATORS)
    texts = [table(book, owner, labels, fields, next(separators)) for fields in GROUPS]
    texts += [prose(book, owner, label), prose(book, owner, labels[-1])]
    quarters = [name for name in labels if name.startswith("Q")]
    texts += [table(book, other, quarters, _EVERY, next(separators)) for other in NAMES if other != owner]
    return tuple(Source(f"S{place}", text) for place, text in enumerate(texts))
