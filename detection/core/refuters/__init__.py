"""What speaks against a statement in its own evidence, said with both spans: a denial, an opposite, other parties,
another quantity of things, another duty, condition, cause, speaker, event or unit.

A refuter first finds the words of a source that stand around the same thing, then compares one operator. It proposes;
what the proposal is worth by kind is measured by ``benchmarks/refuters.py``.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import nlargest

from detection.core.refuters.alignment import weigh
from detection.core.refuters.attributions import attributions
from detection.core.refuters.causes import causes
from detection.core.refuters.comparing import opposites
from detection.core.refuters.date_roles import date_roles
from detection.core.refuters.denials import denials
from detection.core.refuters.parties import exchanged, parties
from detection.core.refuters.reading import read
from detection.core.refuters.refutation import KINDS, Kind, Refutation
from detection.core.refuters.units import units
from detection.core.text import is_question, words

__all__ = ["KINDS", "MOST_READ", "Kind", "Refutation", "nearest", "refutations"]

MOST_READ = 5
"""Texts that a claim is held against: those that have most of its words, so that many sources cost little."""
_KEPT = 64  # claims held against their evidence lately: figures, the verifier and its measurement each ask


def refutations(claim: str, evidence: Sequence[str], language: str) -> tuple[Refutation, ...]:
    """What in ``evidence`` speaks against ``claim``, one sentence of an answer in ``language`` (ISO 639-1), in the order of its
    place in the claim. A question claims nothing. Never raises, whatever the texts hold."""
    return _refutations(claim, tuple(evidence), language)


@lru_cache(maxsize=_KEPT)
def _refutations(claim: str, evidence: tuple[str, ...], language: str) -> tuple[Refutation, ...]:
    if is_question(claim, language):
        return ()
    own = read(claim, language)
    near = nearest(claim, evidence)
    sources = [read(evidence[index], language) for index in near]
    weights = weigh(tuple(sources))
    found = [
        refuted
        for refuter in (opposites, denials, parties, exchanged, causes, attributions, units)
        for refuted in refuter(own, sources, weights)
    ]
    found += date_roles(own, sources, weights, language)
    placed = {replace(one, source_index=near[one.source_index]) for one in found}
    return tuple(sorted(placed, key=lambda one: (one.claim_start, one.claim_end, one.kind, one.source_index)))


def nearest(claim: str, evidence: Sequence[str]) -> list[int]:
    """The places of the texts in ``evidence`` that are read for a claim, in order: those that have most of its words."""
    if len(evidence) <= MOST_READ:
        return list(range(len(evidence)))
    own = set(words(claim))
    shared = [sum(word in text for word in own) for text in map(str.casefold, evidence)]
    return sorted(nlargest(MOST_READ, range(len(evidence)), key=shared.__getitem__))
