"""The sources beside a claim: which are shown, which part of each, what is marked in it.

Reads the rendered Result (one claim's dictionary) and the answer's sources; decides nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from detection.core.text import direction
from detection.models import Source
from reviews import figures
from reviews.highlights import Piece, Span, cut, window
from reviews.source_tables import Block, shown, words_of

Result = Mapping[str, Any]

CHUNKS = 4


@dataclass(frozen=True, slots=True)
class Chunk:
    """A source as shown: its pieces, those with the key ``match`` being the matching span and those with
    ``slip`` the figure taken instead; ``blocks`` when there are tables in it."""

    ref: str
    title: str
    page: str
    role: str
    score: str
    direction: str
    pieces: tuple[Piece, ...]
    before: str
    after: str
    blocks: tuple[Block, ...] = ()


def source_refs(claim: Result) -> list[str]:
    """The sources to show for a claim, the matched first, then the cited, then the best overlap."""
    found = [str(i["source"]) for i in _saying(claim)]
    best = (claim.get("grounding") or {}).get("source")
    wanted = [*found, *map(str, claim.get("citations") or []), *([str(best)] if best else [])]
    return list(dict.fromkeys(wanted))[:CHUNKS]


def _saying(claim: Result) -> list[Result]:
    """The document candidates worth marking: those that say the expected value, else those of the slot."""
    own = [i for i in claim.get("evidence") or [] if i.get("source") and i.get("same", True)]
    expected = figures.decimal((claim.get("numeric") or {}).get("expected"))
    return [
        i
        for i in own
        if i.get("matched") or (expected is not None and figures.decimal(i.get("value")) == expected)
    ] or own


def _slips(claim: Result) -> list[Result]:
    """Where sources say what the claim says, of something else."""
    return [i for i in claim.get("looked_at") or [] if i.get("slip") and i.get("source")]


def _spans(items: Iterable[Result], ref: str, key: str) -> list[Span]:
    return [
        Span(int(i["start"]), int(i["end"]), key)
        for i in items
        if i["source"] == ref and i.get("start") is not None and i.get("end") is not None
    ]


def chunk(source: Source, claim: Result, *, blind: bool = False) -> Chunk:
    """A source with the claim's matching spans marked, cut to what surrounds them; and, unless ``blind``, the
    figures that it took instead."""
    marks = _spans(_saying(claim), source.ref, "match")
    places = {(mark.start, mark.end) for mark in marks}
    slips = [] if blind else _spans(_slips(claim), source.ref, "slip")
    marks += [slip for slip in slips if (slip.start, slip.end) not in places]
    part = shown(source.text, marks, *window(source.text, [(mark.start, mark.end) for mark in marks]))
    roles = ["cited"] if source.ref in (claim.get("citations") or []) else []
    roles += ["best overlap"] if (claim.get("grounding") or {}).get("source") == source.ref else []
    page = source.metadata.get("page") if isinstance(source.metadata, dict) else None
    here = [Span(mark.start - part.start, mark.end - part.start, mark.key) for mark in marks]
    return Chunk(
        ref=source.ref,
        title=source.title,
        page=str(page) if page not in (None, "") else "",
        role=", ".join(roles) or "matched",
        score=f"{source.score:.2f}" if source.score is not None else "",
        direction=direction(words_of(part.blocks) or source.text),
        pieces=() if part.blocks else tuple(cut(source.text[part.start : part.end], here)),
        before=source.text[: part.start],
        after=source.text[part.end :],
        blocks=part.blocks,
    )
