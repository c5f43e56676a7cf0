"""How much the evidence lifts a statement: p1 with it, p0 without it (GOV-01…03, SPEC-08.03).

The measuring half of :mod:`detection.core.strawberry`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from unicodedata import east_asian_width

from detection.core import evidence
from detection.core.context import Context, NotAsked
from detection.core.discourse import Absence, absence
from detection.core.disputes import statements as disputed
from detection.core.ports import Estimate, VerifierError
from detection.core.refuters import refutations
from detection.core.statements.batching import ask
from detection.core.statements.orders import ordered, without_orders
from detection.core.statements.scrubbing import (
    NearDuplicates,
    cited_context,
    cited_refs,
    full_context,
    scrubbed_context,
    scrubbed_refs,
)
from detection.core.text import strip_marks
from detection.core.thresholds import Thresholds, form_fields
from detection.core.types import Against, Case, Claim, LiftMeasured, Source, StrawberryMeasurement

_BOUNDS = {field.name: (field.metadata["low"], field.metadata["high"]) for field in form_fields()}
LOWEST_TARGET = min(_BOUNDS["target_confidence"][0], _BOUNDS["target_by_method"][0])
HIGHEST_LIFT = _BOUNDS["minimum_lift"][1]
ABSTENTIONS: Mapping[Absence, str] = {
    "absent": "abstention_held",
    "present": "abstention_doubted",
    "open": "abstention_open",
}
"""What is found of a statement that abstains, by whether the evidence holds what it says is not there."""
NO_EVIDENCE = "no_evidence"
"""The error of a statement that there is nothing to compare with: no verifier is asked what it believes by itself."""
OVERLOAD = "too many answers waited for the verifier. It is made up for when fewer do."


UNREAD = "no verifier is switched on."


@dataclass(frozen=True, slots=True)
class _Due:
    """A statement to verify: its text without marks, the sources it cites, the sources p0 must not see."""

    claim: Claim
    text: str
    cited: tuple[str, ...]
    scrubbed: tuple[str, ...]


def measure(context: Context) -> StrawberryMeasurement:
    """Ask for p1 and p0 of the statements that are due (GOV-01…03, GOV-08, SPEC-08.03).

    Statements that share their scrubbed sources share a context and a batch. A statement whose verifier
    call fails, or that ``expired`` cuts off, is stored with ``error``; the others go on (SPEC-08.42). Raises
    :class:`NotAsked` while the verifier is overloaded (SPEC-08.39) and where there is none.
    """
    if context.verifier is None:
        raise NotAsked(UNREAD, _left_out(context, "no_verifier"))
    if context.overloaded:
        raise NotAsked(OVERLOAD, _left_out(context, "overload"))
    case, claims, thresholds = context.case, context.claims, context.thresholds
    lifts, skipped = _sorted_out(case, claims, thresholds)
    known = evidence.texts(case)
    due = _due(known, [claim for claim in claims if claim.index not in skipped], thresholds)
    if evidence.is_empty(known):
        lifts |= {item.claim.index: _unasked(item) for item in due}
        return StrawberryMeasurement(lifts, skipped, case.original_confidence)
    full = full_context(known, thresholds.placeholder)
    scrubbed = [scrubbed_context(known, item.scrubbed, thresholds.placeholder) for item in due]
    asked = [(full, item.text) for item in due]
    asked += [(context, item.text) for context, item in zip(scrubbed, due, strict=True)]
    answers = _ask(context, asked)
    stated = [without_orders(source.text) for source in known]
    measured = [
        replace(
            _lift(item, answers[i], answers[i + len(due)]),
            against=_against(item, known, stated, case.language),
            disputes=disputed(item.text, known, stated, case.language),
        )
        for i, item in enumerate(due)
    ]
    probed = _probe(context, known, due, measured)
    if thresholds.leave_one_out:
        probed = _leave_one_out(context, known, due, probed)
    lifts |= {item.claim.index: lift for item, lift in zip(due, probed, strict=True)}
    return StrawberryMeasurement(lifts, skipped, case.original_confidence, ordered(case))


def _left_out(context: Context, why: str) -> StrawberryMeasurement:
    """What is measured when no verifier is asked: the statements that are due are skipped, by the code ``why``."""
    case, claims = context.case, context.claims
    lifts, skipped = _sorted_out(case, claims, context.thresholds)
    due = (claim.index for claim in claims if claim.kind == "statement" and claim.index not in skipped)
    return StrawberryMeasurement(
        lifts, skipped | dict.fromkeys(due, why), case.original_confidence, ordered(case)
    )


def _ask(context: Context, asked: Sequence[tuple[str, str]]) -> list[Estimate]:
    if context.verifier is None:
        raise VerifierError("No verifier was given.")
    return ask(context.verifier, asked, context.expired)


def _sorted_out(
    case: Case, claims: Iterable[Claim], thresholds: Thresholds
) -> tuple[dict[int, LiftMeasured], dict[int, str]]:
    """Why no verifier is asked about statements, and an entry for each that a lower minimum would make due (GOV-08)."""
    lifts: dict[int, LiftMeasured] = {}
    skipped: dict[int, str] = {}
    left = thresholds.maximum_verified_claims
    for claim in claims:
        length = _length(strip_marks(claim.text).strip())
        if claim.kind != "statement":
            continue
        if claim.excluded == "abstention":
            skipped[claim.index] = ABSTENTIONS[absence(case, claim.text)]
        elif claim.excluded:
            skipped[claim.index] = claim.excluded
        elif length < thresholds.minimum_claim_length:
            skipped[claim.index] = "too_short"
            lifts[claim.index] = LiftMeasured(
                length, bool(claim.citations), claim.confidence, error="not_measured"
            )
        elif left <= 0:
            skipped[claim.index] = "claim_limit"
        else:
            left -= 1
    return lifts, skipped


def _length(text: str) -> int:
    """Characters, a Chinese or other full-width one counting twice: it says as much as two letters."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _due(known: Sequence[Source], claims: Sequence[Claim], thresholds: Thresholds) -> list[_Due]:
    duplicates = NearDuplicates(known, thresholds.near_duplicate)
    scrubbed: dict[tuple[str, ...], tuple[str, ...]] = {}
    due = []
    for claim in claims:
        if claim.kind == "statement":
            cited = cited_refs(known, claim.citations)
            if cited not in scrubbed:
                scrubbed[cited] = scrubbed_refs(known, cited, duplicates)
            due.append(_Due(claim, strip_marks(claim.text).strip(), cited, scrubbed[cited]))
    return due


def _unasked(due: _Due) -> LiftMeasured:
    return LiftMeasured(_length(due.text), bool(due.cited), due.claim.confidence, error=NO_EVIDENCE)


def _lift(due: _Due, with_evidence: Estimate, without: Estimate) -> LiftMeasured:
    """p1 and p0 of one statement: both or neither, since half a pair proves nothing."""
    unusable = next((estimate for estimate in (with_evidence, without) if estimate.error), None)
    return LiftMeasured(
        text_length=_length(due.text),
        cited=bool(due.cited),
        confidence=due.claim.confidence,
        p1=None if unusable else with_evidence.yes,
        p0=None if unusable else without.yes,
        p_no=None if unusable else with_evidence.no,
        scrubbed=due.scrubbed,
        method=with_evidence.method,
        model=with_evidence.model,
        prompt_version=with_evidence.prompt_version,
        usage=with_evidence.usage + without.usage,
        latency_ms=with_evidence.latency_ms + without.latency_ms,
        error=unusable.error if unusable else None,
        retry_after=unusable.retry_after if unusable else None,
    )


def _against(due: _Due, known: Sequence[Source], stated: Sequence[str], language: str) -> tuple[Against, ...]:
    """What refuters find against a statement in what the sources say (``stated``, without orders), with the words on both
    sides."""
    return tuple(
        Against(
            one.kind,
            due.text[one.claim_start : one.claim_end],
            known[one.source_index].ref,
            known[one.source_index].text[one.start : one.end],
            one.start,
            one.end,
        )
        for one in refutations(due.text, stated, language)
    )


def _probe(
    context: Context, known: Sequence[Source], due: Sequence[_Due], lifts: Sequence[LiftMeasured]
) -> list[LiftMeasured]:
    """Add p_cited wherever any permitted threshold could ask for it; it is p1 when all sources are cited."""
    placeholder = context.thresholds.placeholder
    everything = {source.ref for source in known}
    wanted = [i for i, lift in enumerate(lifts) if _needs_probe(lift)]
    to_ask = [i for i in wanted if set(due[i].cited) != everything]
    contexts = {i: cited_context(known, due[i].cited, placeholder) for i in to_ask}
    answers = _ask(context, [(contexts[i], due[i].text) for i in to_ask])
    estimates = dict(zip(to_ask, answers, strict=True))
    probed = list(lifts)
    for i in wanted:
        probed[i] = _with_probe(lifts[i], estimates.get(i))
    return probed


def _needs_probe(lift: LiftMeasured) -> bool:
    if lift.p1 is None or lift.p0 is None or not lift.cited:
        return False
    return bool(lift.p1[1] >= LOWEST_TARGET and lift.p1[0] - lift.p0[1] < HIGHEST_LIFT)


def _with_probe(lift: LiftMeasured, estimate: Estimate | None) -> LiftMeasured:
    if estimate is None:
        return replace(lift, p_cited=lift.p1[0] if lift.p1 else None)
    return replace(
        lift,
        p_cited=None if estimate.error else estimate.yes[0],
        usage=lift.usage + estimate.usage,
        latency_ms=lift.latency_ms + estimate.latency_ms,
    )


def _leave_one_out(
    context: Context, known: Sequence[Source], due: Sequence[_Due], lifts: Sequence[LiftMeasured]
) -> list[LiftMeasured]:
    """Add p1 without each cited source, what nearly repeats it left out with it, so that every citation shows
    its own lift. A statement that cites one source has that in p0 already."""
    thresholds = context.thresholds
    duplicates = NearDuplicates(known, thresholds.near_duplicate)
    wanted = [
        (i, ref) for i, item in enumerate(due) if lifts[i].p1 and len(item.cited) > 1 for ref in item.cited
    ]
    contexts = {
        ref: scrubbed_context(known, scrubbed_refs(known, (ref,), duplicates), thresholds.placeholder)
        for ref in {ref for _, ref in wanted}
    }
    answers = _ask(context, [(contexts[ref], due[i].text) for i, ref in wanted])
    left = list(lifts)
    for (i, ref), estimate in zip(wanted, answers, strict=True):
        left[i] = _with_citation(left[i], ref, estimate)
    return left


def _with_citation(lift: LiftMeasured, ref: str, estimate: Estimate) -> LiftMeasured:
    return replace(
        lift,
        without=lift.without if estimate.error else {**lift.without, ref: estimate.yes},
        usage=lift.usage + estimate.usage,
        latency_ms=lift.latency_ms + estimate.latency_ms,
    )
