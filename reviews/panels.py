"""The evidence panels beside an answer, one for each claim on the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from detection.models import Answer
from reviews import budgets, comparisons, evidence
from reviews.budgets import Budget
from reviews.claims_shown import ClaimShown
from reviews.comparisons import Comparison, Look
from reviews.evidence import Chunk


@dataclass(frozen=True, slots=True)
class Panel:
    """The evidence of one claim; ``read_as`` is what a number was taken for, ``slip`` its mistake in words."""

    claim: ClaimShown
    read_as: str = ""
    comparison: Comparison | None = None
    chunks: tuple[Chunk, ...] = ()
    missing: tuple[str, ...] = ()
    budget: Budget | None = None
    nothing: str = ""
    searched: Sequence[str] = ()
    looked: Sequence[Look] = ()
    slip: str = ""
    reason: str = ""
    candidate: str = ""
    suggested: str = ""


def panels(
    answer: Answer,
    claims: Sequence[ClaimShown],
    rendered: Mapping[int, Mapping[str, Any]],
    about: str,
    *,
    blind: bool,
) -> list[Panel]:
    """The panels of ``claims``, in order; two queries whatever their number."""
    wanted = {ref for c in claims for ref in evidence.source_refs(rendered.get(c.index, {}))}
    sources = {s.ref: s for s in answer.sources.filter(ref__in=wanted)}
    slot = {
        "property": answer.property.code if answer.property else "",
        "period": answer.period.label if answer.period else "",
    }
    return [_panel(c, rendered, sources, slot, about, blind=blind) for c in claims]


def _panel(
    claim: ClaimShown,
    rendered: Mapping[int, Mapping[str, Any]],
    sources: Mapping[str, Any],
    slot: Mapping[str, str],
    about: str,
    *,
    blind: bool,
) -> Panel:
    result = rendered.get(claim.index, {})
    if not result:
        return Panel(claim, nothing="There is no result for this claim.")
    parent = result if claim.kind == "statement" else rendered.get(result.get("statement", -1), {})
    compared = comparisons.comparison(result, slot)
    slip, slip_reason = comparisons.slip(result)
    refs = evidence.source_refs(result) or evidence.source_refs(parent)
    unfound = not compared and claim.kind != "statement"
    unchecked = claim.status in ("unverified", "not_checked")
    panel = Panel(
        claim,
        read_as=comparisons.read_as(result, slot),
        comparison=compared,
        chunks=tuple(evidence.chunk(sources[ref], result, blind=blind) for ref in refs if ref in sources),
        missing=tuple(ref for ref in refs if ref not in sources),
        budget=budgets.budget(parent),
        nothing=_nothing(unchecked, unfound, slip),
        searched=comparisons.searched(result, about) if unfound else (),
        looked=comparisons.looked_at(result),
        slip=slip,
        reason=str(result.get("reason") or ""),
        candidate=claim.fix,
        suggested=slip_reason,
    )
    return _without_conclusions(panel) if blind else panel


def _nothing(unchecked: bool, unfound: bool, slip: str) -> str:
    if unchecked:
        return "Not checked."
    if not unfound:
        return ""
    return "There is no figure for what it speaks of." if slip else "Nothing was found to compare it with."


def _without_conclusions(panel: Panel) -> Panel:
    """A panel for a blind pass: the evidence stays, what the detectors made of it goes."""
    compared = panel.comparison
    if compared:
        compared = replace(compared, difference="", percent="", held="")
    looked = [replace(look, difference="") for look in panel.looked if not look.says]
    return replace(
        panel, comparison=compared, looked=looked, budget=None, slip="", reason="", candidate="", suggested=""
    )
