"""The audit of a reasoning trace: is each step carried by the context or by the steps before it? (SPEC-08.23, SPEC-08.24)

``measure`` (of :mod:`detection.core.traces.measures`) asks and stores; ``decide`` judges what was stored. Steps
are judged by the information budget and by their numbers, as claims of an answer are; the words differ
(contracts §4). Three rules are this module's own:

* The context outranks the steps. What it speaks against is contradicted, unless steps that are themselves
  entailed carry it: a conclusion may differ from each single thing that the context says.
* A step that the context alone does not carry rests on earlier steps, and is entailed only if they are.
* Without any context nothing can be found missing from it: a step that follows from no other is a premise, and
  what follows from premises is entailed, under them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from detection.core import strawberry
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.statements import NO_EVIDENCE
from detection.core.strawberry import error_reason
from detection.core.thresholds import Thresholds
from detection.core.traces.measures import measure
from detection.core.traces.reading import step_named
from detection.core.types import Finding, NumericMeasurement
from detection.core.types.traces import (
    Reckoning,
    StepFound,
    StepMeasured,
    StepStatus,
    TextMeasured,
    TraceMeasured,
)
from detection.core.verdict import UNDERCHECKED

__all__ = ["STATUSES", "decide", "measure", "worst"]

STATUSES: tuple[StepStatus, ...] = ("CONTRADICTED", "NOT_IN_CONTEXT", "UNVERIFIABLE", "ENTAILED")
"""What a step can be, the worst first."""

_ELSEWHERE = ("off_metric", "off_period", "off_property")
_FAILED = ("CONTRADICTED", "NOT_IN_CONTEXT")
_BY_STATUS: Mapping[str, StepStatus] = {
    "supported": "ENTAILED",
    "contradicted": "CONTRADICTED",
    "unsupported": "NOT_IN_CONTEXT",
    "unverified": "UNVERIFIABLE",
    "not_checked": "UNVERIFIABLE",
}
_OPPOSED = (
    "The context speaks against this: without the steps the verifier gives {p_no:.0%} that it is false."
)
_ONLY_FAILED = "The context speaks against this; only a contradicted step says so."
_CARRIED = "The context carries this on its own ({p1:.0%}), whatever the steps before it say."
_PREMISE = "A premise: there is no context to hold it against."
_NOTHING = "It asserts nothing that can be verified."
_FAILURES = {
    "step_error": "This step could not be read.",
    "timeout": "The time for the audit was over before this step.",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """One statement or number of a text as a step's status; ``on`` are the earlier steps it rests on, and
    ``opposed`` says that the context alone speaks against it."""

    status: StepStatus
    code: str
    reason: str
    finding: Finding
    on: tuple[int, ...] = ()
    opposed: bool = False


def decide(
    measured: TraceMeasured, thresholds: Thresholds, scoring: str = "information_budget"
) -> tuple[StepFound, ...]:
    """What each step is, under these thresholds and this scoring. A step takes the worst of its claims."""
    found: list[StepFound] = []
    for index, step in enumerate(measured.steps):
        parts = _parts(step, index, measured.has_context, thresholds, scoring)
        found.append(_chained(_worst_of(step, parts, found), found))
    return tuple(found)


def judged(text: TextMeasured, thresholds: Thresholds, scoring: str) -> list[Judged]:
    """The arithmetic of a text that is wrong or all there is, then the claims that assert something, each by its
    own detector."""
    context = Context(thresholds=thresholds, scoring=scoring)
    findings = strawberry.decide(text.lifts, context).findings
    numbers = _numbers(text.numbers, text, context)
    counted = [f for f in sorted((*findings, *numbers), key=lambda f: f.claim) if _counts(f, text)]
    return [*(_reckoned(r) for r in text.reckoned if r.bare or not r.holds), *map(_judged, counted)]


def worst(parts: Iterable[Judged]) -> Judged | None:
    """The claim that decides a text: the worst status, the first of those alike; None when nothing asserts."""
    return min(parts, key=lambda part: STATUSES.index(part.status), default=None)


def _counts(finding: Finding, text: TextMeasured) -> bool:
    """What was deliberately not due says nothing; what was left out for its place does (contracts §2). A statement
    that is nothing but arithmetic is reckoned, not asked about, and a right result needs no source."""
    reckoned = {n for r in text.reckoned if r.holds for n in r.numbers}
    if finding.claim in {*text.given, *reckoned} and finding.status != "contradicted":
        return False
    if finding.claim in {r.statement for r in text.reckoned if r.bare}:
        return False
    return finding.status != "not_checked" or finding.code in UNDERCHECKED


def _numbers(measured: NumericMeasurement, text: TextMeasured, context: Context) -> list[Finding]:
    """The numbers' findings. What is reckoned with is named by what comes of it, so that a source which states it
    as another figure states it; and a right result may be another figure's value as well."""
    used = {n for r in text.reckoned for n in (*r.operands, *(r.numbers if r.holds else ()))}
    found = numeric.decide(measured, context).findings
    return [_as_operand(f) if f.claim in used and f.code in _ELSEWHERE else f for f in found]


def _as_operand(finding: Finding) -> Finding:
    return replace(
        finding, status="supported", code="operand", reason="A source states it, as another figure."
    )


def _reckoned(reckoning: Reckoning) -> Judged:
    """Arithmetic as a claim of its own: it is right or wrong, whatever the sources say."""
    reason = f"{reckoning.text}: it comes to {reckoning.value}."
    if reckoning.holds:
        return _judged(Finding("arithmetic", reckoning.statement, "supported", "derived", reason))
    return _judged(Finding("arithmetic", reckoning.statement, "contradicted", "wrong_arithmetic", reason))


def _judged(finding: Finding) -> Judged:
    status = "NOT_IN_CONTEXT" if finding.code == "borderline" else _BY_STATUS[finding.status]
    return Judged(status, finding.code, finding.reason, finding)


def _parts(
    step: StepMeasured, index: int, has_context: bool, thresholds: Thresholds, scoring: str
) -> list[Judged]:
    if step.whole is None:
        return []
    known = {f.claim: f for f in _numbers(step.context_numbers, step.whole, Context(thresholds=thresholds))}
    parts = []
    for part in judged(step.whole, thresholds, scoring):
        if part.finding.detector == "numeric":
            part = _number(_recalled(part, step), known.get(part.finding.claim), index)
        elif index and part.finding.detector == "strawberry":
            part = _statement(part, step, thresholds)
        parts.append(part if has_context else _premised(part, index))
    return parts


def _statement(part: Judged, step: StepMeasured, thresholds: Thresholds) -> Judged:
    """A statement with what the context alone says of it."""
    alone = step.alone.get(part.finding.claim)
    if alone is None or alone.error:
        return _leaning(part, step)
    if alone.no[0] >= thresholds.contradiction_probability:
        reason = _OPPOSED.format(p_no=sum(alone.no) / 2)
        refuted = replace(part, status="CONTRADICTED", code="contradicted", reason=reason)
        return replace(_leaning(part, step), opposed=True) if part.status == "ENTAILED" else refuted
    if alone.yes[0] < _target(part, step, thresholds):
        return _leaning(part, step)
    if part.status == "ENTAILED" or part.code == "miscited":
        return part
    return replace(part, status="ENTAILED", code="supported", reason=_CARRIED.format(p1=sum(alone.yes) / 2))


def _leaning(part: Judged, step: StepMeasured) -> Judged:
    return replace(part, on=step.near) if part.status == "ENTAILED" else part


def _target(part: Judged, step: StepMeasured, thresholds: Thresholds) -> float:
    measurement = step.whole.lifts if step.whole else None
    lift = measurement.claims.get(part.finding.claim) if measurement else None
    return strawberry.target_of(lift, measurement, thresholds) if lift and measurement else 1.0


def _number(part: Judged, known: Finding | None, index: int) -> Judged:
    """A number with what the context alone says of it. One that only earlier steps state rests on them."""
    if known is not None and known.status == "supported":
        return _judged(known)
    opposed = known is not None and known.status == "contradicted"
    if part.status != "ENTAILED":
        return _judged(known) if known is not None and opposed else part
    on = part.on or _stated_in(part.finding, index)
    return replace(part, on=on, opposed=opposed and bool(on))


def _recalled(part: Judged, step: StepMeasured) -> Judged:
    """A number that the sources do not state, as what an earlier step reckoned."""
    steps = step.recalled.get(part.finding.claim, ())
    missed = part.status == "NOT_IN_CONTEXT" or part.code in _ELSEWHERE
    if not steps or not missed:
        return part
    return replace(part, status="ENTAILED", code="derived", reason=f"Reckoned in {_names(steps)}.", on=steps)


def _stated_in(finding: Finding, index: int) -> tuple[int, ...]:
    """The earlier steps from which a number was taken or reckoned."""
    matched = finding.matched
    refs = [matched.source, *(span.source for span in matched.operands)] if matched else []
    named = {step_named(ref) for ref in refs if ref}
    return tuple(n for n in range(index) if n in named)


def _premised(part: Judged, index: int) -> Judged:
    """Without a context, what no earlier step carries is a premise."""
    if part.finding.detector == "arithmetic":
        return part
    bare = part.status == "NOT_IN_CONTEXT" or part.code == NO_EVIDENCE
    if bare or (index == 0 and part.status != "UNVERIFIABLE"):
        return replace(part, status="UNVERIFIABLE", code="premise", reason=_PREMISE, on=())
    return part


def _worst_of(step: StepMeasured, parts: Sequence[Judged], found: Sequence[StepFound]) -> StepFound:
    if step.error:
        reason = _FAILURES.get(step.error) or error_reason(step.error)
        return StepFound("UNVERIFIABLE", step.error, reason)
    settled = [_settled(part, found) for part in parts]
    part = worst(settled)
    if part is None:
        return StepFound("UNVERIFIABLE", "no_assertion", _NOTHING)
    on = tuple(sorted({n for other in settled for n in other.on}))
    return StepFound(part.status, part.code, part.reason, on, part.finding.claim, _shown(part, settled))


def _settled(part: Judged, found: Sequence[StepFound]) -> Judged:
    """What earlier steps carry although the context alone speaks against it stands if they do: a conclusion may
    follow from several things that the context says. Where one of those steps is contradicted, so is this."""
    if part.opposed and any(found[n].status == "CONTRADICTED" for n in part.on):
        return replace(part, status="CONTRADICTED", code="contradicted", reason=_ONLY_FAILED)
    return part


def _shown(part: Judged, parts: Sequence[Judged]) -> Finding | None:
    """The finding whose budget is shown: the deciding one, or where a number decides the worst statement's."""
    if part.finding.detector == "strawberry":
        return part.finding
    statement = worst(other for other in parts if other.finding.detector == "strawberry")
    return statement.finding if statement else None


def _chained(step: StepFound, found: Sequence[StepFound]) -> StepFound:
    """A step that rests on others is entailed only if they are; premises do not break the chain, and show."""
    on = step.rests_on
    if step.status != "ENTAILED" or not on:
        return step
    failed = [n for n in on if found[n].status in _FAILED]
    if failed:
        reason = f"It follows only from {_names(failed)}, which the context does not carry."
        return replace(step, status="NOT_IN_CONTEXT", code="rests_on_failed", reason=reason)
    unsettled = [n for n in on if found[n].status == "UNVERIFIABLE" and found[n].code != "premise"]
    if unsettled:
        reason = f"It follows only from {_names(unsettled)}, which could not be verified."
        return replace(step, status="UNVERIFIABLE", code="rests_on_unverified", reason=reason)
    premises = [n for n in on if found[n].code in ("premise", "under_premises")]
    if premises:
        reason = f"It follows from {_names(on)}, and holds as far as {_names(premises)} {_holds(premises)}."
        return replace(step, code="under_premises", reason=reason)
    return replace(step, reason=f"It follows from {_names(on)}.")


def _names(steps: Sequence[int]) -> str:
    """``step 1``, ``steps 1 and 2``, ``steps 1, 2 and 4``."""
    numbers = [str(n + 1) for n in steps]
    if len(numbers) == 1:
        return f"step {numbers[0]}"
    return f"steps {', '.join(numbers[:-1])} and {numbers[-1]}"


def _holds(steps: Sequence[int]) -> str:
    return "does" if len(steps) == 1 else "do"
