"""The chunks of an answer, each read once: what is known of them is loaded, the rest is read and kept in parts.

What a chunk states follows from its text and title, and for its tables from what stands around: headings of the chunk
before it, the year's end and the scale that any source declares, the period that was asked for. Its frames are kept under
a hash of all that they depend on. A document that came in several chunks is also read as one text, and its tables are
taken from there where that puts more values under headings.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate

from detection.core import periods
from detection.core.evidence.cells import of_table, scale_of
from detection.core.evidence.facts import Evidence, Fact, Grid
from detection.core.evidence.frames import (
    NOTHING,
    Frames,
    Outline,
    pack,
    pack_outline,
    remembered,
    unpack,
    unpack_outline,
)
from detection.core.evidence.prose import of_prose
from detection.core.evidence.tables import (
    Keys,
    Last,
    Lead,
    Table,
    assembled,
    document_of,
    grids_in,
    keys_in,
    leads_of,
    named_by,
    read,
    shapes_of,
    words,
)
from detection.core.evidence.times import leans
from detection.core.marks import MARK, hashed
from detection.core.patterns import late
from detection.core.periods import Calendar, Span
from detection.core.ports import FrameStore
from detection.core.types import Expired, Source

_NUMBERED = late(
    rf"(?i)[\s,(\[–-]*(?:\b(?:table )?(?:head(?:er|ing)?s?|body|lines|rows)|(?<=[,;:(–—-]\s?)(?:{words.PART_NAMES})|(?:chunk|part|page|section)?\s*(?:\d+|[a-z])?\s*(?:of\s*\d+)?)[)\]]?$"
)
_MOST = 200_000  # characters of a document that are read as one
_HEAD = 2000  # characters in which a source says when its year ends


@dataclass(slots=True)
class _Chunk:
    """A source while it is read. ``own`` is a hash of its text and title, ``key`` of all that its frames depend on;
    ``tables`` are its own, where they were just read."""

    source: Source
    own: str
    outline: Outline | None = None
    tables: tuple[Table, ...] | None = None
    leads: tuple[Lead, ...] = ()
    key: str = ""


_Document = Sequence[_Chunk]


def read_all(
    sources: Sequence[Source],
    asked: Span | None,
    expired: Expired,
    store: FrameStore,
) -> Evidence:
    """Everything that the sources state; those not reached before the time had ``expired`` are left unread."""
    if not sources or expired():
        return Evidence(unread=len(sources), timed_out=bool(sources))
    return _Answer(sources, asked, expired, store).evidence()


class _Answer:
    """The chunks of one answer, and what all of them are read under."""

    def __init__(
        self, sources: Sequence[Source], asked: Span | None, expired: Expired, store: FrameStore
    ) -> None:
        self._expired, self._store, self._asked = expired, store, asked
        self._chunks = [_Chunk(source, hashed(source.title, source.text)) for source in sources]
        self._outlines = self._known_outlines()
        self._calendar = Calendar(self._year_end())
        self._scales = self._nearest_scales()
        self._keys = [one for chunk in self._chunks for one in self._keys_of(chunk)]
        self._last: dict[str, Last] = {}
        self._new: dict[str, bytes] = {}

    def evidence(self) -> Evidence:
        """What those chunks state that are reached in time."""
        found: list[Frames] = []
        reached = 0
        try:
            documents = list(_read_together(self._chunks))
            known = self._loaded(documents)
            for document in documents:
                alone = list(self._alone(document, known))
                reached += len(alone)
                found += self._best(document, alone, known)
        finally:  # also what was read when the worker is told to end
            self._keep()
        return self._together(found, reached)

    def _known_outlines(self) -> dict[str, Outline]:
        """The outlines that are known, loaded together."""
        found = {chunk.own: remembered.get(chunk.own) for chunk in self._chunks}
        stored = self._store.known([own for own, outline in found.items() if outline is None])
        for own, packed in stored.items():
            found[own] = unpack_outline(packed)
            remembered.put(own, found[own])
        return {own: outline for own, outline in found.items() if outline is not None}

    def _year_end(self) -> int | None:
        """The month in which the year ends by the first source that says so."""
        for chunk in self._chunks:
            known = self._outlines.get(chunk.own)
            month = known.year_end if known else _year_end(chunk.source)
            if month is not None:
                return month
        return None

    def _nearest_scales(self) -> dict[str, Decimal | None]:
        """The scale that the nearest chunk of its document declares for each, by its id; another document's is none of its own."""
        told: dict[str, list[tuple[int, Decimal]]] = {}
        for place, chunk in enumerate(self._chunks):
            scale = self._scale_of(chunk)
            if scale is not None:
                told.setdefault(document_of(chunk.source), []).append((place, scale))
        return {
            chunk.source.ref: _nearest(told.get(document_of(chunk.source), ()), place)
            for place, chunk in enumerate(self._chunks)
        }

    def _scale_of(self, chunk: _Chunk) -> Decimal | None:
        known = self._outlines.get(chunk.own)
        return known.scale if known else scale_of(chunk.source.text)

    def _keys_of(self, chunk: _Chunk) -> tuple[Keys, ...]:
        known = self._outlines.get(chunk.own)
        return known.keys if known else keys_in(chunk.source.text)

    def _loaded(self, part: Sequence[_Document]) -> Mapping[str, bytes]:
        """What is kept of the chunks of a part and no longer remembered; the outlines of new ones are read for that."""
        self._outlined([chunk for document in part for chunk in document])
        wanted = [(chunk.key, _refs([chunk])) for document in part for chunk in document if chunk.key]
        wanted += [(self._whole(document), _refs(document)) for document in part if _is_whole(document)]
        return self._store.known([key for key, refs in wanted if remembered.get((key, refs)) is None])

    def _outlined(self, chunks: Sequence[_Chunk]) -> None:
        """Give each chunk its outline, what it takes over from those before it, and its key, until the time is over."""
        for chunk in chunks:
            chunk.outline = self._outlines.get(chunk.own)
            if chunk.outline is None:
                if self._expired():
                    return
                chunk.outline, chunk.tables = _outlined(chunk.source)
                self._outlines[chunk.own] = chunk.outline
                remembered.put(chunk.own, chunk.outline)
                self._new[chunk.own] = pack_outline(chunk.outline)
            chunk.leads = leads_of(chunk.outline.shapes, document_of(chunk.source), self._last)
            chunk.key = self._key(chunk, chunk.outline)

    def _key(self, chunk: _Chunk, outline: Outline) -> str:
        """A hash of all that the frames of a chunk depend on."""
        around = [str(self._calendar.year_end)]
        if outline.shapes:
            around += [str(self._scales[chunk.source.ref]), *map(repr, self._keys)]
        if any(chunk.leads):
            around.append(repr(chunk.leads))
        if any(chunk.leads) or outline.leans:
            around.append(repr(self._asked))
        return chunk.own[:MARK] + hashed(chunk.own, *around)[MARK:]

    def _whole(self, document: _Document) -> str:
        """A hash of all that the reading of a document as one text depends on."""
        return document[0].own[:MARK] + hashed(repr(self._asked), *(chunk.key for chunk in document))[MARK:]

    def _alone(self, document: _Document, known: Mapping[str, bytes]) -> Iterator[Frames]:
        """The frames of each chunk by itself, until the time is over."""
        for chunk in document:
            refs = (chunk.source.ref,)
            frames = self._kept(chunk.key, refs, known)
            if frames is None:
                if not chunk.key or self._expired():
                    return
                frames = self._fresh(chunk.key, refs, self._read(chunk))
            yield frames

    def _best(
        self, document: _Document, alone: Sequence[Frames], known: Mapping[str, bytes]
    ) -> Sequence[Frames]:
        """The frames of a document: of its chunks as one text where more values stand under headings there."""
        if not _is_whole(document) or len(alone) < len(document):
            return alone
        key, refs = self._whole(document), _refs(document)
        whole = self._kept(key, refs, known)
        if whole is None:
            if self._expired():
                return alone
            headed = sum(frames.headed for frames in alone)
            whole = self._fresh(key, refs, self._read_whole(document, headed))
        return alone if whole == NOTHING else [whole]

    def _kept(self, key: str, refs: tuple[str, ...], known: Mapping[str, bytes]) -> Frames | None:
        frames: Frames | None = remembered.get((key, refs))
        if frames is None and key in known:
            frames = unpack(known[key], refs, self._calendar)
            remembered.put((key, refs), frames)
        return frames

    def _fresh(self, key: str, refs: tuple[str, ...], frames: Frames) -> Frames:
        remembered.put((key, refs), frames)
        self._new[key] = pack(frames, refs)
        return frames

    def _keep(self) -> None:
        if self._new:
            self._store.keep(self._new)
            self._new = {}

    def _read(self, chunk: _Chunk) -> Frames:
        """A chunk read by itself, with what its tables take over."""
        source, tables = chunk.source, chunk.tables
        if tables is None or any(chunk.leads):
            tables = assembled(grids_in(source), chunk.leads, source)
        prose, dates = of_prose(source, [span for table in tables for span in table.covered], self._calendar)
        why = tuple(table.why for table in tables if not table.readable)
        return Frames(self._grids(tables, source), prose, dates, _headed(tables), why)

    def _read_whole(self, document: _Document, headed: int) -> Frames:
        """The chunks of a document read as one text; nothing where no more than ``headed`` values stand under headings."""
        joined = _Joined([chunk.source for chunk in document])
        tables = read(joined.source)
        if _headed(tables) <= headed:
            return NOTHING
        parts = [part for table in tables for span in table.covered for part in joined.parts(*span)]
        told = [
            of_prose(chunk.source, [(low, high) for at, low, high in parts if at == place], self._calendar)
            for place, chunk in enumerate(document)
        ]
        return Frames(
            tuple(joined.told(grid) for grid in self._grids(tables, joined.source)),
            tuple(grid for prose, _ in told for grid in prose),
            tuple(fact for _, dates in told for fact in dates),
            _headed(tables),
            tuple(table.why for table in tables if not table.readable),
        )

    def _grids(self, tables: Sequence[Table], source: Source) -> tuple[Grid, ...]:
        found = [
            self._grid(table, source, [one for one in tables if one is not table])
            for table in tables
            if table.readable and table.cells
        ]
        return tuple(grid for grid in found if grid.facts)

    def _grid(self, table: Table, source: Source, others: Sequence[Table]) -> Grid:
        """The grid of a table; no scale that only the title of one of the ``others`` declares."""
        body = _without(source.text, others)
        is_others = bool(others) and scale_of(source.text) != scale_of(body)
        other = None if is_others else self._scales[source.ref]
        return of_table(named_by(table, self._keys), body, other, self._calendar, self._asked)

    def _together(self, found: Sequence[Frames], reached: int) -> Evidence:
        """All frames in the order of the sources: tables, then prose."""
        places = {chunk.source.ref: place for place, chunk in enumerate(self._chunks)}

        def placed(one: Grid | Fact) -> int:
            """The place of the source among the chunks."""
            return places.get(one.source or "", 0)

        tables = [grid for frames in found for grid in frames.tables]
        prose = sorted((grid for frames in found for grid in frames.prose), key=placed)
        return Evidence(
            grids=(*tables, *prose),
            read=reached,
            unread=len(self._chunks) - reached,
            unreadable=tuple(why for frames in found for why in frames.unreadable),
            dates=tuple(sorted((fact for frames in found for fact in frames.dates), key=placed)),
            timed_out=reached < len(self._chunks),
        )


def _without(body: str, others: Sequence[Table]) -> str:
    """A text with what stands in ``others`` of its tables blanked out, place for place: their titles speak of them alone."""
    for table in others:
        for low, high in table.covered:
            body = f"{body[:low]}{' ' * (high - low)}{body[high:]}"
    return body


def _nearest(told: Sequence[tuple[int, Decimal]], place: int) -> Decimal | None:
    """Of scales with their places, the one nearest to a place."""
    return min(told, key=lambda one: abs(one[0] - place))[1] if told else None


def _outlined(source: Source) -> tuple[Outline, tuple[Table, ...]]:
    """The outline of a chunk, and its tables for whoever reads on."""
    grids = grids_in(source)
    tables = assembled(grids, (), source)
    return Outline(
        _year_end(source),
        scale_of(source.text),
        shapes_of(grids),
        any(map(leans, tables)),
        keys_in(source.text),
    ), tables


def _year_end(source: Source) -> int | None:
    stated = periods.stated_in(f"{source.title}\n{source.text[:_HEAD]}")
    return stated.year_end if stated else None


def _read_together(chunks: Sequence[_Chunk]) -> Iterator[_Document]:
    """The documents; of one that is too long to be read as one, each chunk."""
    for document in _documents(chunks):
        yield from [document] if _is_whole(document) else ([chunk] for chunk in document)


def _documents(chunks: Sequence[_Chunk]) -> Iterator[list[_Chunk]]:
    """The chunks of each document: of one parent, else of one title but for its number, in their order."""
    grouped: dict[str, list[_Chunk]] = {}
    for place, chunk in enumerate(chunks):
        title = _NUMBERED.sub("", chunk.source.title)
        grouped.setdefault(chunk.source.parent_ref or title or f"\n{place}", []).append(chunk)
    yield from grouped.values()


def _is_whole(document: _Document) -> bool:
    """Whether the chunks of a document are also read as one text."""
    return len(document) > 1 and sum(len(chunk.source.text) for chunk in document) <= _MOST


def _refs(document: _Document) -> tuple[str, ...]:
    return tuple(chunk.source.ref for chunk in document)


def _headed(tables: Sequence[Table]) -> int:
    """How many values stand under a heading."""
    heads = [{one.index: bool(one.heads) for one in table.columns} for table in tables]
    return sum(
        1
        for table, named in zip(tables, heads, strict=True)
        for cell in table.cells
        if named.get(cell.column)
    )


class _Joined:
    """Chunks as one text, and where each begins in it."""

    def __init__(self, chunks: Sequence[Source]) -> None:
        self._chunks = chunks
        self._starts = [0, *accumulate(len(chunk.text) + 1 for chunk in chunks)]
        self.source = replace(chunks[0], text="\n".join(chunk.text for chunk in chunks))

    def told(self, grid: Grid) -> Grid:
        """A grid with its facts where they stand in their chunks."""
        facts = map(self._fact, grid.facts)
        return Grid(grid.name, grid.axes, facts, grid.calendar, scale=grid.scale)

    def _fact(self, fact: Fact) -> Fact:
        place = bisect_right(self._starts, fact.start) - 1
        low = self._starts[place]
        return replace(fact, source=self._chunks[place].ref, start=fact.start - low, end=fact.end - low)

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """A stretch of the whole as stretches of its chunks, each by the place of the chunk."""
        for place, chunk in enumerate(self._chunks):
            low = self._starts[place]
            first, last = max(start, low), min(end, low + len(chunk.text))
            if first < last:
                yield place, first - low, last - low
