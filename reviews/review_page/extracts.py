"""The part of a long answer that one page shows: a stretch of its claims and the text they stand in.

An answer of a megabyte with thousands of claims opens as fast as a short one. The rest is a link away: the
claims before and after, and the whole text as plain text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reviews.display.claim_rows import ClaimRow
from reviews.display.highlights import Change

CLAIMS = 50
"""Claims on one page of a long answer."""
WHOLE = 60
"""Up to so many claims are shown together: a second page for a handful would be worse than a longer one."""
CHARACTERS = 12_000
"""Code points of the answer on one page."""
LEAD = 1_000
"""Code points of text before the selected claim when the text has to begin near it."""
KEPT = 160
"""Code points shown on both sides of a correction in a long answer."""


BEFORE, AFTER = 4, 12
"""Claims beside the selected one whose evidence is in the page already; the rest is one request away."""


@dataclass(frozen=True, slots=True)
class Extract:
    """``claims`` shown, the text from ``start`` to ``end`` (code points of the whole, ``length`` long), and
    the numbers of the claims that begin the stretches before and after; None where there is none."""

    claims: Sequence[ClaimRow]
    start: int
    end: int
    length: int
    earlier: int | None = None
    later: int | None = None

    @property
    def partial(self) -> bool:
        """Whether some of the text is left out."""
        return self.start > 0 or self.end < self.length

    @property
    def left_out_before(self) -> str:
        """How many characters come before, for people."""
        return f"{self.start:,}" if self.start else ""

    @property
    def left_out_after(self) -> str:
        """How many characters come after, for people."""
        return f"{self.length - self.end:,}" if self.end < self.length else ""

    @property
    def away(self) -> frozenset[int]:
        """Ids of shown claims whose text is not on this page."""
        return frozenset(c.id for c in self.claims if c.start >= self.end or c.end <= self.start)


def extract(length: int, claims: Sequence[ClaimRow], selected: ClaimRow | None) -> Extract:
    """What one page shows of an answer of ``length`` code points: all of it when it is short enough, else
    the stretch with the selected claim in it."""
    first, last = 0, len(claims)
    if len(claims) > WHOLE:
        place = claims.index(selected) if selected else 0
        first = place - place % CLAIMS
        last = min(first + CLAIMS, len(claims))
    start = claims[first].start if first else 0
    end = claims[last].start if last < len(claims) else length
    if end - start > CHARACTERS:
        if selected and selected.start - start > CHARACTERS - LEAD:
            start = selected.start - LEAD
        end = min(end, start + CHARACTERS)
    return Extract(
        claims[first:last],
        start,
        end,
        length,
        earlier=claims[first - CLAIMS].n if first else None,
        later=claims[last].n if last < len(claims) else None,
    )


def shortened(changes: Sequence[Change], length: int) -> list[Change]:
    """The corrections of a long answer with what stands beside them; of a short one, all of it."""
    if length <= CHARACTERS:
        return list(changes)
    final = len(changes) - 1
    return [
        Change(kept=_beside(c.kept, first=n == 0, final=n == final)) if c.kept else c
        for n, c in enumerate(changes)
    ]


def _beside(text: str, *, first: bool, final: bool) -> str:
    if len(text) <= 2 * KEPT:
        return text
    return f"{'' if first else text[:KEPT]} … {'' if final else text[-KEPT:]}"


def beside(claims: Sequence[ClaimRow], selected: ClaimRow | None) -> Sequence[ClaimRow]:
    """The claims around the selected one, all of a short list."""
    if len(claims) <= BEFORE + AFTER:
        return claims
    place = next((n for n, claim in enumerate(claims) if claim == selected), 0)
    first = max(0, min(place - BEFORE, len(claims) - BEFORE - AFTER))
    return claims[first : first + BEFORE + AFTER]
