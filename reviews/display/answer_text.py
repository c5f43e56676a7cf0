"""The text of an answer in slices: which claims cover each, where their badges stand, what it cites."""

from collections.abc import Sequence
from dataclasses import dataclass

from detection.core.text import mark_spans
from reviews.display.claim_rows import ClaimRow
from reviews.display.highlights import Piece, Span, cut
from reviews.display.paragraphs import ends


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A slice of the answer: the innermost claim that covers it, all their ids, the badges after it."""

    text: str
    look: str = ""
    claim: ClaimRow | None = None
    ids: tuple[int, ...] = ()
    badges: tuple[int, ...] = ()


def answer_pieces(
    text: str, claims: Sequence[ClaimRow], invalid: set[str], offset: int = 0
) -> list[AnswerPiece]:
    """``text``, which begins ``offset`` code points into the answer, as slices that together are it, claims
    and citation marks told apart; none goes on beyond a line end.

    A slice under several claims looks like the innermost and lists them all; a claim's badge stands after
    its last slice.
    """
    by_id = {c.id: c for c in claims}
    spans = [Span(c.start - offset, c.end - offset, c.id) for c in claims]
    spans += [Span(start, end, f"[{text[start:end]}") for start, end in mark_spans(text)]
    return [_piece(piece, by_id, invalid) for piece in cut(text, spans, ends(text))]


def _piece(piece: Piece, by_id: dict[int, ClaimRow], invalid: set[str]) -> AnswerPiece:
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
    )
