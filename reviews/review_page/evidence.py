"""The sources beside a claim: which are shown, which part of each, what is marked in it.

Reads the rendered Result (one claim's dictionary) and the answer's sources; decides nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from detection.core.types import is_of_record
from detection.models import Source
from reviews.display import figures
from reviews.display.highlights import Piece, Span, cut, window
from reviews.display.paragraphs import Paragraph, direction_of, ends, language_of, paragraphs
from reviews.review_page.source_rows import Nearby, Sources
from reviews.review_page.source_tables import Block, Excerpt, excerpt, words_of

Result = Mapping[str, Any]

CHUNKS = 4
BESIDE = 1_500
"""Code points shown of what stands before and after in a long source; the rest is a link away."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A source as shown: its pieces, those with the key ``match`` being the matching span, those with ``slip``
    the figure taken instead, those with a number the match of that other claim; ``blocks`` when there are
    tables in it. ``rank`` counts from 1 among ``of``; 0 where it is not known."""

    ref: str
    position: int
    title: str
    page: str
    role: str
    score: str
    rank: int
    of: int
    direction: str
    language: str
    paragraphs: tuple[Paragraph[Piece], ...]
    before: str
    after: str
    blocks: tuple[Block, ...] = ()
    previous: Nearby | None = None
    following: Nearby | None = None


def source_refs(claim: Result) -> list[str]:
    """The sources to show for a claim, the matched first, then the cited, then the best overlap."""
    found = [str(i["source"]) for i in (*_saying(claim), *_denying(claim))]
    best = (claim.get("grounding") or {}).get("source")
    wanted = [*found, *map(str, claim.get("citations") or []), *([str(best)] if best else [])]
    return [ref for ref in dict.fromkeys(wanted) if not is_of_record(ref)][:CHUNKS]


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


def _denying(claim: Result) -> list[Result]:
    """Where sources say otherwise than the one that carries the claim."""
    return [i["against"] for i in claim.get("disputed") or []]


def _spans(items: Iterable[Result], ref: str, key: str | int) -> list[Span]:
    return [
        Span(int(i["start"]), int(i["end"]), key)
        for i in items
        if i["source"] == ref and i.get("start") is not None and i.get("end") is not None
    ]


def matches(claims: Iterable[tuple[int, Result]]) -> dict[str, list[Span]]:
    """Where sources say what claims say: by source, each span with the id of its claim."""
    found: dict[str, list[Span]] = {}
    for pk, claim in claims:
        for item in _saying(claim):
            found.setdefault(str(item["source"]), []).extend(_spans([item], item["source"], pk))
    return found


def chunk(
    source: Source, claim: Result, among: Sources, others: Sequence[Span] = (), *, blind: bool = False
) -> Chunk:
    """A source with the claim's matching spans marked, cut to what surrounds them; and, unless ``blind``, the
    figures that it took instead. ``others`` are matches of other claims, marked where nothing else is."""
    marks = _marks(claim, source.ref, blind=blind)
    around = window(source.text, [(mark.start, mark.end) for mark in marks])
    marks += _free(others, marks)
    part = excerpt(source.text, marks, *around)
    words = words_of(part.blocks) or source.text[part.start : part.end]
    towards, language = direction_of(words), language_of(words)
    page = source.metadata.get("page") if isinstance(source.metadata, dict) else None
    previous, following = among.beside.get(source.ref, (None, None))
    return Chunk(
        ref=source.ref,
        position=source.position,
        title=source.title,
        page=str(page) if page not in (None, "") else "",
        role=_role(source.ref, claim),
        score=f"{source.score:.2f}" if source.score is not None else "",
        rank=among.ranks.get(source.ref, 0),
        of=among.count,
        direction=towards,
        language=language,
        paragraphs=() if part.blocks else _running(source.text, part, marks, towards, language),
        before=source.text[max(0, part.start - BESIDE) : part.start],
        after=source.text[part.end : part.end + BESIDE],
        blocks=part.blocks,
        previous=previous,
        following=following,
    )


def _marks(claim: Result, ref: str, *, blind: bool) -> list[Span]:
    marks = _spans(_saying(claim), ref, "match")
    places = {(mark.start, mark.end) for mark in marks}
    slips = [] if blind else _spans([*_slips(claim), *_denying(claim)], ref, "slip")
    return marks + [slip for slip in slips if (slip.start, slip.end) not in places]


def _running(
    text: str, part: Excerpt, marks: Iterable[Span], towards: str, language: str
) -> tuple[Paragraph[Piece], ...]:
    """The part of a source without tables, by paragraphs."""
    inside = text[part.start : part.end]
    here = [Span(s.start - part.start, s.end - part.start, s.key) for s in marks]
    return tuple(paragraphs(cut(inside, here, ends(inside)), towards, language))


def _free(others: Iterable[Span], marks: Iterable[Span]) -> list[Span]:
    """The spans of ``others`` that touch no mark and none before them."""
    taken, free = list(marks), []
    for span in others:
        if not any(span.start < mark.end and mark.start < span.end for mark in taken):
            taken.append(span)
            free.append(span)
    return free


def _role(ref: str, claim: Result) -> str:
    """Why a source is shown."""
    cited = ref in (claim.get("citations") or [])
    best = (claim.get("grounding") or {}).get("source") == ref
    if cited and best:
        return gettext("cited, shares the most words")
    if best:
        return gettext("shares the most words")
    return gettext("cited") if cited else gettext("found by the check")
