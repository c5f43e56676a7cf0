"""Claims of one answer that say the same: what a person said of one is offered for the others.

A statement says the same in the same words; a number with the same value of the same metric, period and property, or,
where it names no metric, with the same words in the same place of the same sentence.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from detection.core.text import strip_marks
from reviews.display.claim_rows import ClaimRow

ABOUT = ("property", "entity")
"""Slots that tell whose a number is."""

Result = Mapping[str, Any]


def decided_alike(claims: Sequence[ClaimRow], rendered: Mapping[int, Result]) -> dict[int, ClaimRow]:
    """The ids of undecided ``claims``, each with the first decided one that says the same. ``rendered`` are the claims
    of the result by their index."""
    by_index = {claim.index: claim for claim in claims}
    said = {claim.id: _said(claim, by_index, rendered) for claim in claims}
    decided: dict[Hashable, ClaimRow] = {}
    for claim in claims:
        if claim.verdict_code:
            decided.setdefault(said[claim.id], claim)
    undecided = (claim for claim in claims if not claim.verdict_code)
    return {claim.id: decided[said[claim.id]] for claim in undecided if said[claim.id] in decided}


def _said(claim: ClaimRow, by_index: Mapping[int, ClaimRow], rendered: Mapping[int, Result]) -> Hashable:
    """What two claims have in common that say the same."""
    result = rendered.get(claim.index, {})
    number = result.get("numeric") or {}
    if number.get("metric"):
        slots = (slot for slot in result.get("slots") or () if slot.get("slot") in ABOUT)
        whose = next((slot.get("states") or slot.get("said") for slot in slots), None)
        told = ("value", "unit", "metric", "period", "bound")
        return (claim.kind, whose, *(str(number.get(name)) for name in told))
    if claim.kind == "statement":
        return claim.kind, _words(claim.text)
    around = by_index.get(result.get("statement", -1))
    place = (_words(around.text), claim.start - around.start) if around else claim.id
    return claim.kind, _words(claim.text), place


def _words(text: str) -> str:
    """A text without citations, its end, and what only sets it."""
    return " ".join(strip_marks(text).split()).casefold().rstrip(" .。")
