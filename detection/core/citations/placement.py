"""Citations of sources that exist and do not say it, with the source that does (CIT-01, CIT-04).

What a source says is known from two measurements made for other ends: where the numbers of a statement were found, and
how much of its words each source shares. Numbers decide where there are any; words decide alone otherwise.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from decimal import Decimal
from math import nan
from operator import eq, ge

from detection.core.citations.grounding import NOTHING
from detection.core.rules import Row, among, any_of, besides, holds
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Candidate,
    Claim,
    Finding,
    GroundingMeasurement,
    Misplaced,
    NumberMeasured,
    NumericMeasurement,
    Overlap,
    Source,
)

TELLING = Row("telling", ("status", among, ("supported",)), ("kind", besides, ("date",)))
"""The numbers that tell sources apart. Periods stand in every source."""
MISPLACED = (
    Row("misplaced", "placed", ("hit", eq, False)),
    Row(
        "misplaced",
        ("placed", eq, False),
        ("lead", ge, "misplaced_margin"),
        ("weighted", ge, "misplaced_overlap"),
    ),
)
"""Some source states a number and no cited one does; or no number tells, and another source shares clearly more words."""


def misplaced(
    sources: Iterable[Source],
    claims: Sequence[Claim],
    findings: Sequence[Finding],
    numbers: NumericMeasurement | None,
    grounding: GroundingMeasurement | None,
    thresholds: Thresholds,
) -> tuple[Misplaced, ...]:
    """The statements whose citations are misplaced, in order; each with the source that says it.

    A statement that cites nothing, or nothing that exists, is not among them: those are other findings.
    """
    named = named_sources(sources)
    stated = _by_statement(claims, findings, thresholds)
    found = []
    for claim in claims:
        cited = {ref for each in claim.citations for ref in named.get(each, ())}
        if claim.kind == "statement" and cited and not claim.excluded:
            places = [_places(number, finding, numbers) for number, finding in stated.get(claim.index, ())]
            overlap = (grounding.claims.get(claim.index) if grounding else None) or NOTHING
            lead = lead_of(overlap, cited)
            told = {
                "placed": any(places),
                "hit": any(refs & cited for refs in places),
                "lead": nan if lead is None else lead,
                "weighted": overlap.weighted,
            }
            better = _most_named(places) or overlap.citable
            if better and any_of(MISPLACED, told, thresholds):
                found.append(Misplaced(claim.index, claim.citations, better))
    return tuple(found)


def named_sources(sources: Iterable[Source]) -> Mapping[str, set[str]]:
    """The sources that a citation may mean, by their ids: one by its own id, or all of one parent."""
    named: dict[str, set[str]] = {}
    own = {}
    for source in sources:
        own[source.ref] = {source.ref}
        if source.parent_ref:
            named.setdefault(source.parent_ref, set()).add(source.ref)
    return named | own


def _by_statement(
    claims: Sequence[Claim], findings: Sequence[Finding], thresholds: Thresholds
) -> Mapping[int, list[tuple[Claim, Finding]]]:
    """The numbers of each statement that tell sources apart."""
    stated: dict[int, list[tuple[Claim, Finding]]] = {}
    for claim, finding in zip(claims, findings, strict=True):
        told = {"kind": claim.kind, "status": finding.status}
        if claim.statement is not None and holds(TELLING, told, thresholds):
            stated.setdefault(claim.statement, []).append((claim, finding))
    return stated


def _places(claim: Claim, finding: Finding, numbers: NumericMeasurement | None) -> set[str]:
    """The sources that state the number, or hold what it was computed from; empty when none does."""
    measured = numbers.claims.get(claim.index) if numbers else None
    return places_of(measured, finding.matched) if measured else set()


def places_of(number: NumberMeasured, matched: Candidate | None) -> set[str]:
    """The ids of the sources that state a number which rests on ``matched``."""
    refs = _sources_of(matched) if matched else set()
    for candidate in number.candidates:
        if candidate.origin == "document" and candidate.same and _within(candidate, number.precision):
            refs |= _sources_of(candidate)
    return refs


def _within(candidate: Candidate, precision: Decimal) -> bool:
    return candidate.absolute is not None and candidate.absolute <= precision


def _sources_of(candidate: Candidate) -> set[str]:
    operands = {span.source for span in candidate.operands}
    return operands | ({candidate.source} if candidate.source else set())


def _most_named(places: Sequence[set[str]]) -> str | None:
    """The source with most of the numbers."""
    counted = Counter(ref for refs in places for ref in sorted(refs))
    return counted.most_common(1)[0][0] if counted else None


def lead_of(overlap: Overlap, cited: Container[str]) -> float | None:
    """How much more of a statement another source shares than the best of the ``cited`` ones, by what words are worth;
    None when the best is a cited one or figures of record, or there is nothing to compare."""
    if overlap.citable is None or overlap.citable in cited or overlap.cited is None:
        return None
    return overlap.weighted - overlap.cited
