"""Auditing a reasoning trace: measure, ask the executor, decide, store (SPEC-08.23…SPEC-08.26).

Everything has one deadline, the configuration's ``timeout`` (seconds). What was not reached by then says so; a
failure is never support. What an audit finds is stored once and never changed.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings

from detection.core import codec, text, traces
from detection.core.ports import TextModel, Verifier, VerifierError
from detection.core.thresholds import Thresholds
from detection.core.traces import post_hoc, step_named
from detection.core.types import Source, Usage
from detection.core.types import traces as core
from detection.models import ApiKey, Property, ThresholdProfile, Trace, TraceStep
from detection.operations import verifying
from detection.runs import budget_columns, budget_section, mapping_of, source_of
from detection.verifiers.deadlines import Deadline, PunctualTextModel, PunctualVerifier

log = logging.getLogger(__name__)

MOST_STEPS = 200


def trace_of(
    steps: Iterable[str | Mapping[str, Any]],
    *,
    context: Iterable[str | Mapping[str, Any]] = (),
    question: str = "",
    answer: str = "",
    language: str | None = None,
) -> core.Trace:
    """A trace from texts or mappings: steps with ``text``, ``citations``, ``confidence``; sources as in a submission,
    a bare text being cited as ``S0``, ``S1`` …

    Raises :class:`ValueError` for no steps or too many, an empty one, and ids given twice or kept for steps.
    """
    read = tuple(map(_step_of, steps))
    sources = tuple(_source_of(given, n) for n, given in enumerate(context))
    if not 0 < len(read) <= MOST_STEPS:
        raise ValueError(f"steps: give 1 to {MOST_STEPS}, not {len(read)}.")
    if any(not step.text.strip() for step in read):
        raise ValueError("steps: a step without text says nothing.")
    fault = id_fault([source.ref for source in sources])
    if fault:
        raise ValueError(f"context[{fault[0]}].id: {fault[1]}")
    said = " ".join([question, answer, *(step.text for step in read)])
    return core.Trace(read, sources, question, answer, language or text.detect_language(said))


def id_fault(refs: Sequence[str]) -> tuple[int, str] | None:
    """The first source id that cannot be cited, with the reason: one given twice, or one that names a step."""
    first: dict[str, int] = {}
    for position, ref in enumerate(refs):
        if step_named(ref) is not None:
            return position, f"“{ref}” names a step of the trace."
        if first.setdefault(ref, position) != position:
            return position, f"“{ref}” is the id of context[{first[ref]}] already."
    return None


def _step_of(given: str | Mapping[str, Any]) -> core.Step:
    if isinstance(given, str):
        return core.Step(given)
    return core.Step(
        str(given.get("text") or ""), tuple(map(str, given.get("citations") or ())), given.get("confidence")
    )


def _source_of(given: str | Mapping[str, Any], position: int) -> Source:
    return Source(f"S{position}", given) if isinstance(given, str) else source_of(given)


def audit(trace: core.Trace, *, caller: ApiKey | None = None, about: Property | None = None) -> Trace:
    """Audit a trace and store what was found with its steps, in one transaction."""
    row, steps = examine(trace, caller=caller, about=about)
    row.record(steps)
    counts = Counter(step.status for step in steps)
    log.info(
        "trace_audited trace=%s steps=%s entailed=%s contradicted=%s not_in_context=%s unverifiable=%s"
        " derivable=%s method=%s duration_ms=%.0f",
        row.pk,
        len(steps),
        counts["ENTAILED"],
        counts["CONTRADICTED"],
        counts["NOT_IN_CONTEXT"],
        counts["UNVERIFIABLE"],
        row.derivable,
        row.method,
        row.duration_ms,
    )
    return row


def examine(
    trace: core.Trace, *, caller: ApiKey | None = None, about: Property | None = None
) -> tuple[Trace, list[TraceStep]]:
    """Audit a trace without storing anything: the rows that :func:`audit` would store."""
    profile = ThresholdProfile.active()
    thresholds = thresholds_of(profile, trace.language, about)
    deadline = Deadline(float(settings.HALLUCINATION["timeout"]))
    verifier = PunctualVerifier(verifying.verifier_for("trace_auditing"), deadline)
    with ThreadPoolExecutor(1) as pool:
        executing = pool.submit(_executed, trace, thresholds, deadline)
        measured = traces.measure(trace, verifier, thresholds, deadline.expired)
        derived = _derived(trace, verifier, thresholds, executing.result(), deadline)
    found = traces.decide(measured, thresholds, profile.scoring, trace.language)
    row = _trace_row(trace, _verdict(trace, derived, thresholds, profile.scoring), derived)
    row.property, row.submitted_by, row.profile = about, caller, profile
    row.worst = min((step.status for step in found), key=traces.STATUSES.index)
    row.cost, row.duration_ms = _cost(measured, derived), deadline.spent_ms()
    parts = enumerate(zip(trace.steps, measured.steps, found, strict=True))
    return row, [_step_row(row, index, *part) for index, part in parts]


def thresholds_of(profile: ThresholdProfile, language: str, about: Property | None) -> Thresholds:
    """The flat thresholds for a trace in ``language`` that is about a property."""
    return profile.resolve({"language": language, "property": about.code if about else None})


def _trace_row(trace: core.Trace, verdict: core.PostHoc, derived: core.PostHocMeasured | None) -> Trace:
    """What was given, and whether the answer follows from it."""
    return Trace(
        question=trace.question,
        context=[mapping_of(source) for source in trace.context],
        answer=trace.answer,
        language=trace.language,
        derivable=verdict.derivable,
        executor_answer=verdict.executor_answer,
        method=verdict.method,
        reason=verdict.reason,
        measurement=codec.dump(derived) if derived else {},
    )


def _checks_post_hoc() -> bool:
    return bool(settings.HALLUCINATION["trace_auditing"]["check_post_hoc"])


def _executed(trace: core.Trace, thresholds: Thresholds, deadline: Deadline) -> core.Executed | None:
    """What the executor answers; None where there is no executor, or nothing to ask it."""
    if not (_checks_post_hoc() and trace.answer.strip() and trace.question.strip()):
        return None
    model = verifying.text_model_for("trace_auditing")
    return _written(model, trace, thresholds, deadline) if model else None


def _written(
    model: TextModel, trace: core.Trace, thresholds: Thresholds, deadline: Deadline
) -> core.Executed:
    try:
        said = PunctualTextModel(model, deadline).complete(
            post_hoc.SYSTEM, post_hoc.prompt(trace, thresholds)
        )
    except Exception as failure:  # noqa: BLE001 — whatever it is, the steps are audited without it
        code = failure.code if isinstance(failure, VerifierError) else VerifierError.code
        log.warning("executor_failed code=%s", code)
        return core.Executed(error=code)
    if not said.text.strip():
        return core.Executed(model=said.model, usage=said.usage, error="verifier_empty_choices")
    return core.Executed(said.text.strip(), said.model, said.usage)


def _derived(
    trace: core.Trace,
    verifier: Verifier,
    thresholds: Thresholds,
    executed: core.Executed | None,
    deadline: Deadline,
) -> core.PostHocMeasured | None:
    """The answer beside its steps; None where the check is off or there is no answer."""
    if not (_checks_post_hoc() and trace.answer.strip()):
        return None
    return post_hoc.measure(trace, verifier, thresholds, executed, deadline.expired)


def _verdict(
    trace: core.Trace, derived: core.PostHocMeasured | None, thresholds: Thresholds, scoring: str
) -> core.PostHoc:
    if derived is not None:
        return post_hoc.decide(derived, thresholds, scoring, trace.language)
    return post_hoc.unasked("no_answer" if _checks_post_hoc() else "switched_off", trace.language)


def _step_row(
    row: Trace, index: int, step: core.Step, measured: core.StepMeasured, found: core.StepFound
) -> TraceStep:
    section = _section(measured, found)
    return TraceStep(
        trace=row,
        index=index,
        text=step.text,
        citations=list(measured.cited or step.citations),
        unknown_citations=list(measured.unknown),
        confidence=step.confidence,
        status=found.status,
        conclusion=found.conclusion,
        finding=found.code,
        reason=found.reason,
        rests_on=list(found.rests_on),
        strawberry=section,
        measurement=codec.dump(measured),
        **(budget_columns(section) if section else {}),
    )


def _section(measured: core.StepMeasured, found: core.StepFound) -> dict[str, Any] | None:
    """The budget of the statement that decides the step, or of its worst where a number decides."""
    if measured.whole is None or found.finding is None:
        return None
    lift = measured.whole.lifts.claims.get(found.finding.claim)
    return budget_section(lift, found.finding) if lift else None


def _cost(measured: core.TraceMeasured, derived: core.PostHocMeasured | None) -> dict[str, Any]:
    """What the audit cost in all: calls, tokens, and US dollars as text."""
    texts = [step.whole for step in measured.steps]
    usage = sum((alone.usage for step in measured.steps for alone in step.alone.values()), Usage())
    if derived:
        texts += [derived.forward, derived.backward]
        usage += derived.executed.usage if derived.executed else Usage()
    for lifts in (each.lifts.claims.values() for each in texts if each):
        usage += sum((lift.usage for lift in lifts), Usage())
    return {"calls": usage.calls, "tokens": usage.tokens, "usd": str(usage.usd)}
