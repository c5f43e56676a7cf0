"""Strict answers: written under a deadline, checked, stored, and judged like any other (RAG-01…RAG-12).

What a model writes is shown to nobody before every layer has passed it. The text it wrote goes through the same
detection as a submitted answer, so that what is doubtful about it, and everything that was refused, comes before people.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from detection.core import pipeline, text
from detection.core.generation import (
    PRESETS,
    Detect,
    Generated,
    Layer,
    Request,
    Strictness,
    asserted,
    fallback_of,
    generate,
    refusal,
)
from detection.core.text import spoken
from detection.core.thresholds import Thresholds
from detection.core.types import Case
from detection.models import ApiKey, Property, StrictAnswer, ThresholdProfile
from detection.operations import leases, verifying
from detection.runs import build, source_of
from detection.toolkit import concluded
from detection.verifiers.deadlines import Deadline, PunctualTextModel
from reviews.lifecycle import intake, publishing

log = logging.getLogger(__name__)

LONGEST, WRITING = 90.0, 60.0
"""Seconds for one answer, and of them for its model, whatever the settings and the profile say: a worker's time limit is longer."""
NO_MODEL = {
    "en": "No language model is configured. Set HALLU_VERIFIER_BASE_URL to an endpoint and HALLU_STRICT_MODEL (or "
    "HALLU_VERIFIER_MODEL) to its model.",
    "he": "לא הוגדר מודל שפה. יש להציב ב-HALLU_VERIFIER_BASE_URL כתובת של שירות וב-HALLU_STRICT_MODEL (או "
    "ב-HALLU_VERIFIER_MODEL) את שם המודל שלו.",
    "zh": "未配置语言模型。请将 HALLU_VERIFIER_BASE_URL 设为接口地址，并将 HALLU_STRICT_MODEL（或 HALLU_VERIFIER_MODEL）设为其模型。",
}
WRITTEN = (
    StrictAnswer.Status.SUCCESS,
    StrictAnswer.Status.HALLUCINATION_DETECTED,
    StrictAnswer.Status.NOT_VERIFIED,
)
"""The outcomes whose raw text is judged: in the others the model wrote nothing, or that it does not know."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for, checked. ``sources`` are mappings with ``id``, ``text`` and the optional keys of a source."""

    question: str
    sources: Sequence[Mapping[str, Any]] = ()
    preset: str = "standard"
    strictness: Strictness = PRESETS["standard"]
    citation_style: str = "inline"
    language: str = ""
    audience: str = ""
    property: Property | None = None


def answer(question: Question, caller: ApiKey | None = None) -> StrictAnswer:
    """Answer now, within :data:`LONGEST`."""
    row = take(question, caller)
    write(row)
    return row


def take(question: Question, caller: ApiKey | None = None) -> StrictAnswer:
    """A row that this process is to :func:`write` at once; should the process die, a worker does."""
    until = timezone.now() + timedelta(seconds=settings.RUN_LEASE_SECONDS)
    return StrictAnswer.objects.create(**_columns(question, caller), lease_until=until, attempts=1)


@transaction.atomic
def enqueue(question: Question, caller: ApiKey | None = None) -> StrictAnswer:
    """Leave the answer to a worker; it is published on commit."""
    row = StrictAnswer.objects.create(**_columns(question, caller))
    publishing.publish_strict(row)
    return row


def work(pk: str) -> None:
    """Answer a pending one; nothing when it is held, finished or unknown. One that has used up its attempts is
    finished as an error."""
    row = StrictAnswer.take(pk, seconds=settings.RUN_LEASE_SECONDS)
    if row is None:
        return
    if row.attempts > settings.RUN_ATTEMPTS:
        _conclude(row, _given_up(row))
        return
    write(row)


def _columns(question: Question, caller: ApiKey | None) -> dict[str, Any]:
    columns = {name: getattr(question, name) for name in Question.__dataclass_fields__}
    given = [dict(source) for source in question.sources]
    return columns | {"sources": given, "strictness": asdict(question.strictness), "submitted_by": caller}


def write(row: StrictAnswer) -> None:
    """Ask the model, check what it wrote, store it, under a lease that is kept."""
    with leases.kept(row, seconds=settings.RUN_LEASE_SECONDS):
        _conclude(row, _written(row))


def _written(row: StrictAnswer) -> Generated:
    model, whole = verifying.strict_model(), Deadline(LONGEST)
    seconds = min(float(settings.HALLUCINATION["timeout"]), WRITING)
    punctual = PunctualTextModel(model, Deadline(seconds)) if model else None
    written = generate(_case(row), punctual, _thresholds(row), _request(row), _detection(row, whole))
    if model is None and written.status == "error":
        why = spoken(NO_MODEL, written.language)
        return replace(written, reason=why, layers=(Layer("model", why),))
    return written


def _case(row: StrictAnswer) -> Case:
    return Case(answer="", question=row.question, sources=tuple(source_of(given) for given in row.sources))


def _detection(row: StrictAnswer, within: Deadline) -> Detect:
    """The full detection of what was written, with the figures of record of the property that it was asked about; its
    verifiers have what the deadline leaves them."""

    def detect(written: Case) -> pipeline.Conclusion:
        case = build(
            answer=written.answer,
            question=row.question,
            sources=written.sources,
            about=row.property,
            period=None,
            language=written.language,
            submitted_by=row.submitted_by,
        )
        return concluded(case, asserted(case), ThresholdProfile.active(), within)

    return detect


def _thresholds(row: StrictAnswer) -> Thresholds:
    about = row.property
    facets = {"language": row.language or None, "property": about.code if about else None}
    return ThresholdProfile.active().resolve(facets)


def _request(row: StrictAnswer) -> Request:
    return Request(
        strictness=Strictness(**row.strictness),
        style="end" if row.citation_style == StrictAnswer.Style.END else "inline",
        language=row.language or None,
        audience=row.audience,
        fallback=settings.HALLUCINATION["strict_generation"]["fallback"],
    )


def _given_up(row: StrictAnswer) -> Generated:
    language = row.language or text.detect_language(row.question)
    shown, why = fallback_of(_request(row), language), refusal("given_up", language)
    return Generated(shown, "error", 0.0, False, language, why, layers=(Layer("model", why),))


@transaction.atomic
def _conclude(row: StrictAnswer, written: Generated) -> None:
    """Store what came out and leave to the workers the judging of what the model wrote: both or neither, and once."""
    if not row.finish(**_outcome(written)):
        return
    if row.status in WRITTEN:
        row.be_judged_as(_judged(row).answer)
    log.info(
        "strict_answer id=%s status=%s safe=%s layer=%s latency_ms=%.0f",
        row.pk,
        row.status,
        row.is_safe,
        next((layer.name for layer in written.layers if layer.reason), None),
        written.latency_ms,
    )


def _judged(row: StrictAnswer) -> Any:
    submission = intake.Submission(
        answer=row.raw,
        question=row.question,
        property=row.property,
        sources=row.sources,
        model=row.model,
    )
    return intake.submit(submission, row.submitted_by)


def _outcome(written: Generated) -> dict[str, Any]:
    usage = written.usage
    return {
        "status": written.status,
        "answer": written.answer,
        "raw": written.raw,
        "reason": written.reason or "",
        "confidence": written.confidence,
        "is_safe": written.is_safe,
        "language": written.language,
        "layers": [asdict(layer) for layer in written.layers],
        "cited": [source.ref for source in written.sources],
        "model": written.model,
        "prompt_version": written.prompt_version,
        "cost": {"calls": usage.calls, "tokens": usage.tokens, "usd": str(usage.usd)},
        "latency_ms": written.latency_ms,
    }
