"""The evidence panels beside an answer, one for each claim on the page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext

from detection.models import Answer
from reviews.display import comparisons, slots, wording
from reviews.display.claim_rows import ClaimRow
from reviews.display.comparisons import Comparison
from reviews.display.highlights import Span
from reviews.display.slots import Slot
from reviews.forms import DATABASE
from reviews.models import ClaimVerdict, name_of
from reviews.review_page import budgets, evidence, looks, rule_findings
from reviews.review_page.budgets import Budget
from reviews.review_page.disputes import Dispute, disputes
from reviews.review_page.evidence import Chunk
from reviews.review_page.looks import Look
from reviews.review_page.rule_findings import Rules
from reviews.review_page.source_rows import Sources, sources_of

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A verdict ready to be accepted: its form's fields, ``text`` why, ``leads_to`` what accepting says."""

    verdict: str
    text: str
    leads_to: str
    reason_code: str = ""
    corrected_value: str = ""
    note: str = ""
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """The evidence of one claim; ``named`` are the slots that a number's words name (``read_as`` in one line of an older
    result), ``slots`` those beside what it was compared with where there is no comparison, ``slip`` its mistake in words and ``apart`` the slots in which it lies
    as far as the comparison does not tell them,
    ``unchecked`` why its check has no result, ``disputed`` what evidence says otherwise than other evidence, ``overruled`` what
    checks said that does not count, ``proposal`` what one key accepts, ``alike`` the claim that says the same and has a verdict, while
    this one has none."""

    claim: ClaimRow
    read_as: str = ""
    named: tuple[Slot, ...] = ()
    slots: tuple[Slot, ...] = ()
    comparison: Comparison | None = None
    chunks: tuple[Chunk, ...] = ()
    missing: tuple[str, ...] = ()
    budget: Budget | None = None
    rules: Rules = field(default_factory=Rules)
    nothing: str = ""
    unchecked: str = ""
    searched: Sequence[str] = ()
    looked: Sequence[Look] = ()
    slip: str = ""
    apart: tuple[Slot, ...] = ()
    reason: str = ""
    disputed: tuple[Dispute, ...] = ()
    overruled: Sequence[str] = ()
    candidate: str = ""
    suggested: str = ""
    proposal: Proposal | None = None
    alike: ClaimRow | None = None

    @property
    def items(self) -> int:
        """How many pieces of evidence there are to step through."""
        rest = (self.comparison, self.nothing, self.looked, self.rules.found, self.budget)
        return len(self.chunks) + sum(bool(part) for part in rest)


@dataclass(frozen=True, slots=True)
class Shared:
    """What the panels of a page have in common: the result, its claims by index, the sources, the matches by
    source, the answer's property and period, and the verdicts carried from an older version."""

    result: Result
    rendered: Mapping[int, Result]
    sources: Sources
    matches: Mapping[str, Sequence[Span]]
    slot: Mapping[str, str]
    about: str
    carried: Mapping[int, ClaimVerdict]


def panels(
    answer: Answer,
    claims: Sequence[ClaimRow],
    result: Result,
    about: str,
    carried: Mapping[int, ClaimVerdict],
    *,
    blind: bool,
) -> list[Panel]:
    """The panels of ``claims``, in order; three queries whatever their number."""
    rendered = {c["index"]: c for c in result.get("claims") or []}
    wanted = {ref for c in claims for ref in evidence.source_refs(rendered.get(c.index, {}))}
    shared = Shared(
        result=result,
        rendered=rendered,
        sources=sources_of(answer, wanted),
        matches=evidence.matches((c.id, rendered.get(c.index, {})) for c in claims),
        slot={
            "property": answer.property.code if answer.property else "",
            "period": answer.period.label if answer.period else "",
        },
        about=about,
        carried=carried,
    )
    found = (_panel(c, shared, blind=blind) for c in claims)
    return [_without_conclusions(panel) if blind else panel for panel in found]


def _panel(claim: ClaimRow, shared: Shared, *, blind: bool) -> Panel:
    result = shared.rendered.get(claim.index, {})
    if not result:
        return _unmeasured(claim, shared)
    parent = result if claim.kind == "statement" else shared.rendered.get(result.get("statement", -1), {})
    compared = comparisons.comparison(result)
    slip, slip_reason = comparisons.slip(result)
    looked = looks.looked_at(result)
    apart = next((look.apart for look in looked if look.says), ()) if slip else ()
    refs = evidence.source_refs(result) or evidence.source_refs(parent)
    unfound = not compared and claim.kind != "statement"
    unchecked = not blind and claim.status in ("unverified", "not_checked")
    checks = shared.result.get("checks") or {}
    return Panel(
        claim,
        read_as=comparisons.read_as(result, shared.slot),
        named=slots.named(result, () if blind else apart),
        slots=() if compared else slots.stated(result),
        comparison=compared,
        chunks=tuple(_chunks(claim, refs, result, shared, blind=blind)),
        missing=tuple(ref for ref in refs if not shared.sources.named(ref)),
        budget=budgets.budget(parent),
        rules=rule_findings.rules(claim, parent, shared.result),
        nothing=_nothing(unchecked, unfound, "" if blind else slip),
        unchecked=rule_findings.unchecked(claim.kind, checks) if unchecked else "",
        searched=looks.searched(result, shared.about) if unfound else (),
        looked=looked,
        slip=slip,
        apart=tuple(one for one in apart if not compared or one not in compared.slots),
        reason=str(result.get("reason") or ""),
        disputed=disputes(result),
        overruled=[one["reason"] for one in (result.get("conclusion") or {}).get("overruled") or ()],
        candidate=claim.fix,
        suggested=slip_reason,
        proposal=_proposal(claim, shared.carried.get(claim.id), slip, slip_reason),
    )


def _unmeasured(claim: ClaimRow, shared: Shared) -> Panel:
    """A claim that no detector read: a reviewer added it."""
    nothing = (
        gettext("A reviewer added this claim. The detectors did not check it.")
        if claim.added
        else gettext("There is no result for this claim.")
    )
    return Panel(claim, nothing=nothing, proposal=_proposal(claim, shared.carried.get(claim.id), "", ""))


def _chunks(
    claim: ClaimRow, refs: Iterable[str], result: Result, shared: Shared, *, blind: bool
) -> Iterable[Chunk]:
    rows = [source for ref in refs for source in shared.sources.named(ref)]
    for source in list(dict.fromkeys(rows))[: evidence.CHUNKS]:
        others = [span for span in shared.matches.get(source.ref, ()) if span.key != claim.id]
        yield evidence.chunk(source, result, shared.sources, others, blind=blind)


def _nothing(unchecked: bool, unfound: bool, slip: str) -> str:
    if unchecked:
        return gettext("Not checked.")
    if not unfound:
        return ""
    if slip:
        return gettext("There is no figure for what it speaks of.")
    return gettext("Nothing was found to compare it with.")


def _without_conclusions(panel: Panel) -> Panel:
    """A panel for a blind pass: the evidence stays, what the detectors made of it goes."""
    compared = panel.comparison
    return replace(
        panel,
        comparison=comparisons.without_conclusions(compared) if compared else None,
        slots=slots.without_conclusions(panel.slots),
        looked=[replace(look, difference="", apart=()) for look in panel.looked if not look.says],
        budget=None,
        rules=Rules(),
        slip="",
        apart=(),
        reason="",
        disputed=(),
        overruled=(),
        candidate="",
        suggested="",
        proposal=None,
    )


def _proposal(claim: ClaimRow, carried: ClaimVerdict | None, slip: str, reason: str) -> Proposal | None:
    """What is proposed for ``claim``: an earlier verdict of the same words before a recognised mistake; None
    once it has a verdict."""
    if claim.verdict_code:
        return None
    if carried is not None:
        return _earlier(carried)
    if not slip or not reason:
        return None
    label = str(wording.WORDS.get(reason, reason)).lower()
    return Proposal(DATABASE if claim.fix else "rejected", slip, label, reason)


def _earlier(carried: ClaimVerdict) -> Proposal:
    given = carried.carried_from
    who = name_of(given.review_pass.reviewer) if given else ""
    word = carried.get_verdict_display().lower()
    text = gettext("%(name)s said of the same words before: %(verdict)s")
    return Proposal(
        carried.verdict,
        text % {"name": who, "verdict": word},
        carried.corrected_value,
        carried.reason_code,
        carried.corrected_value,
        carried.note,
        carried=True,
    )
