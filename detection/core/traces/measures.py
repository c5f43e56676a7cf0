"""Measuring a reasoning trace: each step against the context with the steps before it, and against the context alone.

The second question costs one batch for the whole trace. It tells a step that the context carries from one that
rests on earlier steps, and keeps a wrong step from vouching for those after it.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.ports import Estimate, Verifier
from detection.core.statements import SIDE_BY_SIDE, ask, full_context, lifts
from detection.core.text import strip_marks
from detection.core.threads import carried
from detection.core.thresholds import Thresholds
from detection.core.traces import reading
from detection.core.traces.reading import StepRead
from detection.core.types import Case, Claim, Expired, NumericMeasurement, Source, never
from detection.core.types.traces import Alone, StepMeasured, TextMeasured, Trace, TraceMeasured

NOTHING = NumericMeasurement({})
ARITHMETIC = "arithmetic of this step"
"""The id of the source that holds what a text reckons itself."""


def measure(
    trace: Trace, verifier: Verifier, thresholds: Thresholds, expired: Expired = never
) -> TraceMeasured:
    """Measure every step; several side by side. A step that fails, or that ``expired`` cuts off, says so and
    leaves the others alone (SPEC-08.42, SPEC-08.43)."""
    read = _read_in_time(trace, expired)
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        alone = pool.submit(carried(_alone), trace, read, verifier, thresholds, expired)
        wholes = list(pool.map(carried(lambda step: _whole(step, verifier, thresholds, expired)), read))
    numbers = _context_numbers(trace, read, thresholds, expired)
    steps = (
        replace(whole, alone=answers, context_numbers=compared)
        for whole, answers, compared in zip(wholes, alone.result(), numbers, strict=True)
    )
    unread = [StepMeasured(error="timeout")] * (len(trace.steps) - len(read))
    return TraceMeasured((*steps, *unread), bool(trace.context))


def _read_in_time(trace: Trace, expired: Expired) -> list[StepRead]:
    """The steps that could be read before the deadline."""
    read: list[StepRead] = []
    for step in reading.read(trace):
        if expired():
            break
        read.append(step)
    return read


def measure_text(
    case: Case, claims: Sequence[Claim], verifier: Verifier, thresholds: Thresholds, expired: Expired = never
) -> TextMeasured:
    """One text against the sources of its case: statements by the verifier, numbers by comparison.

    Arithmetic that holds is shown to the verifier, and not to the numbers: it proves no operand.
    """
    reckoned = reading.reckonings(case, claims)
    told = _with(case, [reckoning.text for reckoning in reckoned if reckoning.holds])
    context = Context(case, claims, thresholds, verifier=verifier, expired=expired)
    return TextMeasured(
        lifts=lifts.measure(replace(context, case=told)),
        numbers=numeric.measure(context) if _has_numbers(claims) else NOTHING,
        reckoned=reckoned,
        given=reading.asked(case, claims),
    )


def _with(case: Case, lines: Sequence[str]) -> Case:
    """The case with its own arithmetic as one more source."""
    return replace(case, sources=(*case.sources, Source(ARITHMETIC, "\n".join(lines)))) if lines else case


def _whole(step: StepRead, verifier: Verifier, thresholds: Thresholds, expired: Expired) -> StepMeasured:
    known = StepMeasured(near=step.near, recalled=step.recalled, cited=step.cited, unknown=step.unknown)
    if expired():
        return replace(known, error="timeout")
    try:
        return replace(known, whole=measure_text(step.case, step.claims, verifier, thresholds, expired))
    except Exception:  # noqa: BLE001 — one step's fault must not take the trace with it
        return replace(known, error="step_error")


def _alone(
    trace: Trace, read: Sequence[StepRead], verifier: Verifier, thresholds: Thresholds, expired: Expired
) -> list[dict[int, Alone]]:
    """For each step, its statements given the context alone; nothing for the first, which has nothing else."""
    found: list[dict[int, Alone]] = [{} for _ in read]
    if not trace.context:
        return found
    due = [(n, claim) for n, step in enumerate(read) if n for claim in step.claims if _is_due(claim)]
    plain = full_context(trace.context, thresholds.placeholder)
    asked = [
        (_own_context(trace, read[n], claim, thresholds) or plain, strip_marks(claim.text).strip())
        for n, claim in due
    ]
    for (n, claim), estimate in zip(due, ask(verifier, asked, expired), strict=True):
        found[n][claim.index] = _kept(estimate)
    return found


def _own_context(trace: Trace, step: StepRead, claim: Claim, thresholds: Thresholds) -> str:
    """The context with the arithmetic of the statement itself, which is no other step's word; empty without any."""
    lines = [r.text for r in step.reckoned if r.holds and r.statement == claim.index]
    return (
        full_context(_with(Case("", sources=trace.context), lines).sources, thresholds.placeholder)
        if lines
        else ""
    )


def _is_due(claim: Claim) -> bool:
    return claim.kind == "statement" and claim.excluded is None


def _kept(estimate: Estimate) -> Alone:
    if estimate.error:
        return Alone(usage=estimate.usage, error=estimate.error)
    return Alone(estimate.yes, estimate.no, estimate.usage)


def _context_numbers(
    trace: Trace, read: Sequence[StepRead], thresholds: Thresholds, expired: Expired
) -> list[NumericMeasurement]:
    """Each step's numbers against the context alone. All steps are compared at once, so that every chunk is
    read once; the first step has nothing but the context anyway."""
    shifted: list[Claim] = []
    offsets: list[int] = []
    for step in read[1:]:
        offsets.append(len(shifted))
        shifted += [_shifted(claim, len(shifted)) for claim in step.claims]
    if not trace.context or not _has_numbers(shifted):
        return [NOTHING] * len(read)
    case = Case(answer="", question=trace.question, language=trace.language, sources=trace.context)
    measured = numeric.measure(Context(case, shifted, thresholds, expired=expired)).claims
    parts = [
        NumericMeasurement({c.index: measured[c.index + by] for c in step.claims if c.index + by in measured})
        for step, by in zip(read[1:], offsets, strict=True)
    ]
    return [NOTHING, *parts]


def _shifted(claim: Claim, by: int) -> Claim:
    statement = None if claim.statement is None else claim.statement + by
    return replace(claim, index=claim.index + by, statement=statement)


def _has_numbers(claims: Sequence[Claim]) -> bool:
    return any(claim.number is not None for claim in claims)
