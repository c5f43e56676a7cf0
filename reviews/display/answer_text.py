"""The text of an answer in slices: which claims cover each, where their badges stand, what it cites, which slots of
numbers its words name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from detection.core.text import mark_spans
from reviews.display.claim_rows import ClaimRow
from reviews.display.highlights import Piece, Span, cut
from reviews.display.paragraphs import ends
from reviews.display.slots import Slot


@dataclass(frozen=True, slots=True)
class SlotName:
    """Words from ``start`` to ``end`` that name a slot, which is called ``label``, of the claims ``ids``."""

    start: int
    end: int
    label: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a slice: all that it names, the widest first, and which of these ``ends`` with it."""

    text: str
    names: tuple[SlotName, ...] = ()
    ends: frozenset[SlotName] = frozenset()


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A slice of the answer: the innermost claim that covers it, all their ids, the badges after it; ``words`` are the
    same text, cut where words begin and end that name slots."""

    text: str
    look: str = ""
    claim: ClaimRow | None = None
    ids: tuple[int, ...] = ()
    badges: tuple[int, ...] = ()
    words: tuple[Stretch, ...] = ()


def slot_names(named: Iterable[tuple[int, Slot]]) -> list[SlotName]:
    """The words of the answer that name slots of claims; those that name the same of several claims stand once."""
    found: dict[tuple[int, int, str], dict[int, None]] = {}
    for claim, slot in named:
        if slot.at:
            found.setdefault((*slot.at, slot.label), {})[claim] = None
    return [SlotName(*place, tuple(ids)) for place, ids in found.items()]


def answer_pieces(
    text: str, claims: Sequence[ClaimRow], invalid: set[str], offset: int = 0, names: Sequence[SlotName] = ()
) -> list[AnswerPiece]:
    """``text``, which begins ``offset`` code points into the answer, as slices that together are it, claims
    and citation marks told apart; none goes on beyond a line end.

    A slice under several claims looks like the innermost and lists them all; a claim's badge stands after
    its last slice. ``names`` mark words inside slices and part none.
    """
    by_id = {c.id: c for c in claims}
    spans = [Span(c.start - offset, c.end - offset, c.id) for c in claims]
    spans += [Span(start, end, f"[{text[start:end]}") for start, end in mark_spans(text)]
    pieces, at = [], offset
    for piece in cut(text, spans, ends(text)):
        pieces.append(_piece(piece, _words(piece.text, at, names), by_id, invalid))
        at += len(piece.text)
    return pieces


def _words(text: str, start: int, names: Sequence[SlotName]) -> tuple[Stretch, ...]:
    stop = start + len(text)
    here = [one for one in names if one.start < stop and start < one.end]
    spans = [Span(one.start - start, one.end - start, n) for n, one in enumerate(here)]
    return tuple(
        Stretch(
            piece.text,
            tuple(here[int(n)] for n in piece.keys),
            frozenset(here[int(n)] for n in piece.closes if here[int(n)].end <= stop),
        )
        for piece in cut(text, spans)
    )


def _piece(
    piece: Piece, words: tuple[Stretch, ...], by_id: dict[int, ClaimRow], invalid: set[str]
) -> AnswerPiece:
    ids = tuple(k for k in piece.keys if isinstance(k, int))
    mark = next((k for k in piece.keys if isinstance(k, str)), "")
    inner = by_id[ids[-1]] if ids else None
    cites = ("citing wrong" if inner else "cite bad") if any(i in mark for i in invalid if i) else ""
    cites = cites or (("citing" if inner else "cite") if mark else "")
    return AnswerPiece(
        piece.text,
        " ".join(part for part in (inner.look if inner else "", cites) if part),
        inner,
        ids,
        tuple(sorted(by_id[k].n for k in piece.closes if isinstance(k, int))),
        words,
    )
