"""What was found of a trace in the language of whoever reads it (conclusion §6).

It is stored as it was delivered, in the trace's language; what was measured stands beside it, and deciding is a pure function
of that. Where it comes to something else than what is stored, as it may for a trace of an older version, the
stored sentence stays.
"""

import logging
from collections.abc import Sequence

from detection.core import codec, traces
from detection.core.thresholds import Thresholds
from detection.core.traces import post_hoc
from detection.core.types import traces as core
from detection.models import Trace, TraceStep
from detection.traces.auditing import thresholds_of

log = logging.getLogger(__name__)


def retold(row: Trace, steps: Sequence[TraceStep], language: str) -> tuple[str, list[str]]:
    """The reason of the answer and that of each of the ``steps``, which are all of the trace's, in ``language`` (ISO 639)."""
    stored = row.reason, [step.reason for step in steps]
    try:
        return _answer(row, language), _steps(row, steps, language)
    except Exception:
        log.exception("retelling_failed trace=%s", row.pk)
        return stored


def _steps(row: Trace, steps: Sequence[TraceStep], language: str) -> list[str]:
    measured = tuple(codec.load(core.StepMeasured, step.measurement) for step in steps)
    whole = core.TraceMeasured(measured, bool(row.context))
    told = traces.decide(whole, *_judging(row), language)
    return [
        found.reason if (found.status, found.code) == (step.status, step.finding) else step.reason
        for step, found in zip(steps, told, strict=True)
    ]


def _answer(row: Trace, language: str) -> str:
    if row.method == Trace.Method.NONE:
        return post_hoc.unasked("switched_off" if row.answer.strip() else "no_answer", language).reason
    if not row.measurement:
        return row.reason
    measured = codec.load(core.PostHocMeasured, row.measurement)
    found = post_hoc.decide(measured, *_judging(row), language)
    return found.reason if found.derivable == row.derivable else row.reason


def _judging(row: Trace) -> tuple[Thresholds, str]:
    """The thresholds and the scoring that the trace was judged by."""
    return thresholds_of(row.profile, row.language, row.property), row.profile.scoring
