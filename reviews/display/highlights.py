"""The text of an answer cut at the boundaries of its claims and citation marks.

A highlight is a slice of the text as submitted, in code points; the slices of an answer, put together,
are the answer. Templates escape each slice, so nothing a submitter wrote is ever markup (SEC-8).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that something is said about; ``key`` says what (a claim's number, a mark)."""

    start: int
    end: int
    key: int | str


@dataclass(frozen=True, slots=True)
class Piece:
    """A slice of text that no span begins or ends inside. ``keys`` cover it, the widest first;
    ``opens`` begin with it and ``closes`` end with it."""

    text: str
    keys: tuple[int | str, ...] = ()
    opens: tuple[int | str, ...] = ()
    closes: tuple[int | str, ...] = ()


def cut(text: str, spans: Iterable[Span], ends: Iterable[int] = ()) -> list[Piece]:
    """``text`` split at every boundary of ``spans`` and at ``ends``; overlapping spans share pieces
    (review-queue §3.2).

    Spans that leave the text are clipped to it; empty ones are dropped.
    """
    inside = [Span(max(s.start, 0), min(s.end, len(text)), s.key) for s in spans]
    inside = sorted((s for s in inside if s.start < s.end), key=lambda s: (s.start, -s.end))
    if not inside and not ends:
        return [Piece(text)] if text else []
    opening: dict[int, list[Span]] = {}
    for span in inside:
        opening.setdefault(span.start, []).append(span)
    edges = sorted({0, len(text), *ends, *(s.start for s in inside), *(s.end for s in inside)})
    pieces, open_spans = [], list[Span]()
    for start, end in pairwise(edges):
        open_spans = [s for s in open_spans if s.end > start] + opening.get(start, [])
        open_spans.sort(key=lambda s: (s.start - s.end, s.start))
        pieces.append(
            Piece(
                text[start:end],
                tuple(s.key for s in open_spans),
                tuple(s.key for s in open_spans if s.start == start),
                tuple(s.key for s in open_spans if s.end == end),
            )
        )
    return pieces


@dataclass(frozen=True, slots=True)
class Change:
    """A slice of the corrected answer: ``kept`` text, or ``removed`` text with the ``added`` in its place."""

    kept: str = ""
    removed: str = ""
    added: str = ""


def replaced(text: str, replacements: Sequence[tuple[int, int, str]]) -> list[Change]:
    """The diff between ``text`` and its correction: replacements stand at claim spans and nowhere else (F08).

    A replacement that overlaps an earlier one is left out, as the corrected text leaves it out.
    """
    changes, at = [], 0
    for start, end, new in sorted(replacements):
        if start < at:
            continue
        if text[at:start]:
            changes.append(Change(kept=text[at:start]))
        changes.append(Change(removed=text[start:end], added=new))
        at = end
    if text[at:]:
        changes.append(Change(kept=text[at:]))
    return changes


def differing(claimed: str, expected: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Both values as (slice, differs) runs, so that the differing digits can be underlined.

    Values of one length are compared place by place, others by their longest common runs.
    """
    if len(claimed) == len(expected):
        flags = [a != b for a, b in zip(claimed, expected, strict=True)]
        return _runs(claimed, flags), _runs(expected, flags)
    left, right = [True] * len(claimed), [True] * len(expected)
    for a, b, size in SequenceMatcher(None, claimed, expected, autojunk=False).get_matching_blocks():
        left[a : a + size] = right[b : b + size] = [False] * size
    return _runs(claimed, left), _runs(expected, right)


def _runs(text: str, flags: Sequence[bool]) -> list[tuple[str, bool]]:
    runs: list[tuple[str, bool]] = []
    for letter, flag in zip(text, flags, strict=True):
        if runs and runs[-1][1] == flag:
            runs[-1] = (runs[-1][0] + letter, flag)
        else:
            runs.append((letter, flag))
    return runs


def window(text: str, spans: Sequence[tuple[int, int]], around: int = 420) -> tuple[int, int]:
    """The part of a long chunk worth showing first: its spans with ``around`` code points on each side."""
    if len(text) <= 2 * around + 120:
        return 0, len(text)
    first = min((s for s, _ in spans), default=0)
    last = min(max((e for _, e in spans), default=0), first + around)
    start, end = max(0, first - around), min(len(text), last + around)
    space = text.find(" ", start, first) if start else -1
    return (space + 1 if space >= 0 else start), end
