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
from detection.core.text import isolated
from detection.core.thresholds import Thresholds
from detection.core.traces.measures import measure
from detection.core.traces.reading import step_named
from detection.core.traces.sentences import named, told
from detection.core.types import CONCLUSIONS, Case, Finding, NumericMeasurement, Status, Word
from detection.core.types.traces import (
    Reckoning,
    StepFound,
    StepMeasured,
    StepStatus,
    TextMeasured,
    TraceMeasured,
)
from detection.core.verdict import UNDERCHECKED, concluded

__all__ = ["STATUSES", "decide", "measure", "worst"]

STATUSES: tuple[StepStatus, ...] = ("CONTRADICTED", "NOT_IN_CONTEXT", "UNVERIFIABLE", "ENTAILED")
"""What a step can be, the worst first."""

_ELSEWHERE = ("off_metric", "off_period", "off_property")
_FAILED = ("CONTRADICTED", "NOT_IN_CONTEXT")
_BY_STATUS: Mapping[Status, StepStatus] = {
    "supported": "ENTAILED",
    "contradicted": "CONTRADICTED",
    "unsupported": "NOT_IN_CONTEXT",
    "unverified": "UNVERIFIABLE",
    "not_checked": "UNVERIFIABLE",
}
_CLAIMED: Mapping[StepStatus, Status] = {status: claim for claim, status in _BY_STATUS.items()}
_UNREAD = ("step_error", "timeout")


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

    @property
    def conclusion(self) -> Word:
        """Like that of a claim of an answer: of a statement only a verifier thinks so, numbers and arithmetic are proof."""
        kind = "statement" if self.finding.detector == "strawberry" else "number"
        return concluded(kind, _CLAIMED[self.status], "")


def decide(
    measured: TraceMeasured,
    thresholds: Thresholds,
    scoring: str = "information_budget",
    language: str = "en",
) -> tuple[StepFound, ...]:
    """What each step is, under these thresholds and this scoring, told in ``language``. A step takes the worst of its
    claims, and of claims alike one that is proved."""
    context = asking(thresholds, scoring, language)
    found: list[StepFound] = []
    for index, step in enumerate(measured.steps):
        parts = _parts(step, index, measured.has_context, context)
        found.append(_chained(_worst_of(step, parts, found, language), found, language))
    return tuple(found)


def asking(thresholds: Thresholds, scoring: str, language: str) -> Context:
    """What is decided by, of texts whose case is not known any more."""
    return Context(Case("", language=language), thresholds=thresholds, scoring=scoring)


def judged(text: TextMeasured, context: Context) -> list[Judged]:
    """The arithmetic of a text that is wrong or all there is, then the claims that assert something, each by its
    own detector."""
    findings = strawberry.decide(text.lifts, context).findings
    numbers = _numbers(text.numbers, text, context)
    counted = [f for f in sorted((*findings, *numbers), key=lambda f: f.claim) if _counts(f, text)]
    reckoned = (_reckoned(r, context.language) for r in text.reckoned if r.bare or not r.holds)
    return [*reckoned, *map(_judged, counted)]


def worst(parts: Iterable[Judged]) -> Judged | None:
    """The claim that decides a text: the worst status, of those alike the gravest conclusion, else the first; None when
    nothing asserts."""
    return min(parts, key=_gravity, default=None)


def _gravity(part: Judged) -> tuple[int, int]:
    return STATUSES.index(part.status), CONCLUSIONS.index(part.conclusion)


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
    language = context.language
    return [_as_operand(f, language) if f.claim in used and f.code in _ELSEWHERE else f for f in found]


def _as_operand(finding: Finding, language: str) -> Finding:
    return replace(finding, status="supported", code="operand", reason=told("operand", language))


def _reckoned(reckoning: Reckoning, language: str) -> Judged:
    """Arithmetic as a claim of its own: it is right or wrong, whatever the sources say."""
    shown = {name: isolated(getattr(reckoning, name), language) for name in ("text", "value")}
    reason = told("reckoned", language, **shown)
    if reckoning.holds:
        return _judged(Finding("arithmetic", reckoning.statement, "supported", "derived", reason))
    return _judged(Finding("arithmetic", reckoning.statement, "contradicted", "wrong_arithmetic", reason))


def _judged(finding: Finding) -> Judged:
    status = "NOT_IN_CONTEXT" if finding.code == "borderline" else _BY_STATUS[finding.status]
    return Judged(status, finding.code, finding.reason, finding)


def _parts(step: StepMeasured, index: int, has_context: bool, context: Context) -> list[Judged]:
    if step.whole is None:
        return []
    known = {f.claim: f for f in _numbers(step.context_numbers, step.whole, context)}
    parts = []
    for part in judged(step.whole, context):
        if part.finding.detector == "numeric":
            part = _number(_recalled(part, step, context.language), known.get(part.finding.claim), index)
        elif index and part.finding.detector == "strawberry":
            part = _statement(part, step, context)
        parts.append(part if has_context else _premised(part, index, context.language))
    return parts


def _statement(part: Judged, step: StepMeasured, context: Context) -> Judged:
    """A statement with what the context alone says of it."""
    alone, thresholds = step.alone.get(part.finding.claim), context.thresholds
    if alone is None or alone.error:
        return _leaning(part, step)
    if alone.no[0] >= thresholds.contradiction_probability:
        reason = told("opposed", context.language, p_no=sum(alone.no) / 2)
        refuted = replace(part, status="CONTRADICTED", code="contradicted", reason=reason)
        return replace(_leaning(part, step), opposed=True) if part.status == "ENTAILED" else refuted
    if alone.yes[0] < _target(part, step, thresholds):
        return _leaning(part, step)
    if part.status == "ENTAILED" or part.code == "miscited":
        return part
    reason = told("carried", context.language, p1=sum(alone.yes) / 2)
    return replace(part, status="ENTAILED", code="supported", reason=reason)


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


def _recalled(part: Judged, step: StepMeasured, language: str) -> Judged:
    """A number that the sources do not state, as what an earlier step reckoned."""
    steps = step.recalled.get(part.finding.claim, ())
    missed = part.status == "NOT_IN_CONTEXT" or part.code in _ELSEWHERE
    if not steps or not missed:
        return part
    reason = told("recalled", language, steps=named(steps, language))
    return replace(part, status="ENTAILED", code="derived", reason=reason, on=steps)


def _stated_in(finding: Finding, index: int) -> tuple[int, ...]:
    """The earlier steps from which a number was taken or reckoned."""
    matched = finding.matched
    refs = [matched.source, *(span.source for span in matched.operands)] if matched else []
    stated = {step_named(ref) for ref in refs if ref}
    return tuple(n for n in range(index) if n in stated)


def _premised(part: Judged, index: int, language: str) -> Judged:
    """Without a context, what no earlier step carries is a premise."""
    if part.finding.detector == "arithmetic":
        return part
    bare = part.status == "NOT_IN_CONTEXT" or part.code == NO_EVIDENCE
    if bare or (index == 0 and part.status != "UNVERIFIABLE"):
        reason = told("premise", language)
        return replace(part, status="UNVERIFIABLE", code="premise", reason=reason, on=())
    return part


def _worst_of(
    step: StepMeasured, parts: Sequence[Judged], found: Sequence[StepFound], language: str
) -> StepFound:
    if step.error:
        unread = step.error in _UNREAD
        reason = told(step.error, language) if unread else error_reason(step.error, language)
        return StepFound("UNVERIFIABLE", step.error, reason)
    settled = [_settled(part, found, language) for part in parts]
    part = worst(settled)
    if part is None:
        return StepFound("UNVERIFIABLE", "no_assertion", told("nothing", language))
    on = tuple(sorted({n for other in settled for n in other.on}))
    shown = _shown(part, settled)
    return StepFound(part.status, part.code, part.reason, on, part.finding.claim, shown, part.conclusion)


def _settled(part: Judged, found: Sequence[StepFound], language: str) -> Judged:
    """What earlier steps carry although the context alone speaks against it stands if they do: a conclusion may
    follow from several things that the context says. Where one of those steps is contradicted, so is this."""
    if part.opposed and any(found[n].status == "CONTRADICTED" for n in part.on):
        reason = told("only_failed", language)
        return replace(part, status="CONTRADICTED", code="contradicted", reason=reason)
    return part


def _shown(part: Judged, parts: Sequence[Judged]) -> Finding | None:
    """The finding whose budget is shown: the deciding one, or where a number decides the worst statement's."""
    if part.finding.detector == "strawberry":
        return part.finding
    statement = worst(other for other in parts if other.finding.detector == "strawberry")
    return statement.finding if statement else None


def _chained(step: StepFound, found: Sequence[StepFound], language: str) -> StepFound:
    """A step that rests on others is entailed only if they are; premises do not break the chain, and show. That it rests
    on what failed is no proof against it."""
    on = step.rests_on
    if step.status != "ENTAILED" or not on:
        return step
    failed = [n for n in on if found[n].status in _FAILED]
    unsettled = [n for n in on if found[n].status == "UNVERIFIABLE" and found[n].code != "premise"]
    premises = [n for n in on if found[n].code in ("premise", "under_premises")]
    if failed:
        code = "rests_on_failed"
        reason = told(code, language, steps=named(failed, language))
        return replace(step, status="NOT_IN_CONTEXT", code=code, reason=reason, conclusion="doubtful")
    if unsettled:
        code = "rests_on_unverified"
        reason = told(code, language, steps=named(unsettled, language))
        return replace(step, status="UNVERIFIABLE", code=code, reason=reason, conclusion="not_checked")
    if premises:
        parts = {"steps": named(on, language), "premises": named(premises, language)}
        return replace(step, code="under_premises", reason=told("under_premises", language, **parts))
    return replace(step, reason=told("follows", language, steps=named(on, language)))
