"""Strict generation: layers between a language model and a reader (RAG-01…RAG-12).

A layer that fails ends the way: the reader gets the fallback sentence and the reason, never the model's text. Only an
answer that passed every layer, the last of which is the full detection of its text, with every layer switched on, is safe. Nothing is streamed, because a token that was not
checked must not be shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from detection.core import claims, pipeline, text
from detection.core.context import Context
from detection.core.generation.grounding import ungrounded
from detection.core.generation.prompts import VERSION, prompt, system
from detection.core.generation.sentences import refusal
from detection.core.generation.sources import CitationStyle, listed, with_sources
from detection.core.generation.verified import unverified
from detection.core.ports import Text, TextModel, VerifierError
from detection.core.stores import Memory
from detection.core.text import Texts, spoken
from detection.core.thresholds import Thresholds
from detection.core.types import AnswerStatus, Case, CitationDecision, Source, Usage

Detect = Callable[[Case], pipeline.Conclusion]
"""Everything that is checked of a submitted answer, a verifier included: what it concludes of one."""
FALLBACKS: Texts = {
    "en": "I don't know based on the provided sources.",
    "he": "אינני יודע על סמך המקורות שסופקו.",
    "zh": "根据所提供的资料，我无法回答。",
}
"""The fallback sentence by language, English for others; a deployment may set its own (RAG-12)."""


@dataclass(frozen=True, slots=True)
class Strictness:
    """How strict a generation is: a preset, or one's own (RAG-11). ``minimum_confidence`` is the smallest mean source
    score; the three switches turn layers off, and an answer made with one off is never safe."""

    temperature: float = 0.1
    maximum_tokens: int = 500
    minimum_confidence: float = 0.6
    hallucination_detection: bool = True
    answer_verification: bool = True
    citations_required: bool = True
    enforce_language: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether no layer is switched off."""
        return self.hallucination_detection and self.answer_verification and self.citations_required


PRESETS = {
    "standard": Strictness(),
    "maximum_safety": Strictness(temperature=0.0, minimum_confidence=0.7),
    "faster_testing": Strictness(minimum_confidence=0.5, answer_verification=False),
    "multilingual": Strictness(enforce_language=True),
}
"""The document's configurations by name."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for besides the question and its sources."""

    strictness: Strictness = PRESETS["standard"]
    style: CitationStyle = "inline"
    language: str | None = None
    audience: str = ""
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer's outcome: ``reason`` says why it failed, None for a layer that passed; ``status`` is what a failed one
    makes of the answer."""

    name: str
    reason: str | None = None
    status: AnswerStatus = "hallucination_detected"


@dataclass(frozen=True, slots=True)
class Generated:
    """A strict answer. ``answer`` may be shown; ``raw`` is the model's own text, for analysts only. ``reason`` is in
    ``language``, that of the question or the one asked for.

    ``confidence`` is the mean source score, 0 for everything but a success. ``sources`` are the cited ones.
    """

    answer: str
    status: AnswerStatus
    confidence: float
    is_safe: bool
    language: str
    reason: str | None = None
    raw: str = ""
    sources: tuple[Source, ...] = ()
    layers: tuple[Layer, ...] = ()
    model: str = ""
    prompt_version: str = VERSION
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0


def generate(
    case: Case, model: TextModel | None, thresholds: Thresholds, request: Request, detect: Detect
) -> Generated:
    """Answer ``case.question`` from ``case.sources``, or refuse. Never raises for what a model does. ``detect`` is asked
    about a text that passed all other layers.

    Without sources, or with sources whose mean score is under the minimum, the model is not called (RAG-01,
    RAG-02); a source without a score counts as 0.
    """
    language = request.language or text.detect_language(case.question)
    refuse = partial(_refused, request, language)
    if not any(source.text.strip() for source in case.sources):
        return refuse("insufficient_context", "context", refusal("no_source", language))
    score = sum(source.score or 0.0 for source in case.sources) / len(case.sources)
    if score < request.strictness.minimum_confidence:
        least = request.strictness.minimum_confidence
        why = refusal("low_score", language, score=score, least=least)
        return refuse("low_confidence", "confidence", why)
    if model is None:
        return refuse("error", "model", refusal("no_model", language))
    try:
        written = _ask(case, model, thresholds, request, language)
    except VerifierError as failure:
        why = refusal("model_failed", language, why=str(failure) or failure.code)
        return refuse("error", "model", why)
    return _checked(case, written, thresholds, request, language, score, detect)


def fallback_of(request: Request, language: str) -> str:
    """The sentence that stands in for an answer (RAG-12)."""
    return request.fallback or spoken(FALLBACKS, language)


def _refused(request: Request, language: str, status: AnswerStatus, layer: str, reason: str) -> Generated:
    answer = fallback_of(request, language)
    return Generated(answer, status, 0.0, False, language, reason, layers=(Layer(layer, reason),))


def _ask(case: Case, model: TextModel, thresholds: Thresholds, request: Request, language: str) -> Text:
    rules = system(
        case,
        fallback=fallback_of(request, language),
        language=language if request.strictness.enforce_language or request.language else None,
        audience=request.audience,
    )
    return model.complete(
        rules,
        prompt(case, thresholds.placeholder),
        maximum_tokens=request.strictness.maximum_tokens,
        temperature=request.strictness.temperature,
    )


def _checked(
    case: Case,
    written: Text,
    thresholds: Thresholds,
    request: Request,
    language: str,
    score: float,
    detect: Detect,
) -> Generated:
    """The layers after the model, in order; the first that fails decides."""
    answered = replace(case, answer=written.text.strip(), language=text.detect_language(written.text))
    layers = _layers(answered, thresholds, request, language)
    if request.strictness.answer_verification and not any(layer.reason for layer in layers):
        layers = (*layers, _detected(answered, detect, language))
    failed = next((layer for layer in layers if layer.reason), None)
    told = Generated(
        fallback_of(request, language),
        failed.status if failed else "success",
        0.0,
        False,
        language,
        failed.reason if failed else None,
        raw=written.text,
        layers=layers,
        model=written.model,
        usage=written.usage,
        latency_ms=written.latency_ms,
    )
    if failed:
        return told
    cited = listed(answered)
    answer = with_sources(answered, cited, request.style)
    safe = request.strictness.is_complete
    return replace(told, answer=answer, confidence=score, is_safe=safe, sources=cited)


def _layers(case: Case, thresholds: Thresholds, request: Request, language: str) -> tuple[Layer, ...]:
    strict = request.strictness
    context = Context(case, claims.read(case), thresholds)
    checks = ("citation", "grounding", "numeric") if strict.answer_verification else ("citation",)
    found = _screened(context, checks)
    rules = found.decisions["citation"]
    layers = [Layer("answered", _declined(case, request, language), "insufficient_context")]
    if strict.enforce_language:
        layers.append(Layer("language", _foreign(case, language)))
    if strict.citations_required:
        layers.append(Layer("citations", _uncited(rules, language)))
    if strict.hallucination_detection:
        layers.append(Layer("patterns", _patterns(rules, language)))
    if strict.answer_verification:
        layers.append(Layer("grounding", ungrounded(context, found, language)))
        layers.append(Layer("sources", _fabricated(rules, language)))
    return tuple(layers)


def _detected(case: Case, detect: Detect, language: str) -> Layer:
    refused = unverified(detect(case), language)
    return Layer("detection", refused[1], refused[0]) if refused else Layer("detection")


def _screened(context: Context, checks: Sequence[str]) -> pipeline.Conclusion:
    """What the detectors find. Raises :class:`RuntimeError` when one fails: what was not checked is never shown."""
    found = pipeline.screen(context, Memory(checks))
    for name, report in found.reports.items():
        if report.measurement is None:
            raise RuntimeError(f"{name}: {report.reason}")
    return found


def _declined(case: Case, request: Request, language: str) -> str | None:
    """Whether the model itself said that it does not know, as it was told to."""
    said = case.answer.casefold()
    known = (fallback_of(request, language), *FALLBACKS.values())
    if not said or any(sentence.casefold().rstrip(".。") in said for sentence in known):
        return refusal("declined", language)
    return None


def _foreign(case: Case, language: str) -> str | None:
    """Languages are told apart by script: English and French are not (:func:`text.detect_language`)."""
    if case.language == language:
        return None
    return refusal("foreign", language, written=case.language, asked=language)


def _uncited(rules: CitationDecision, language: str) -> str | None:
    return None if rules.valid or rules.invalid else refusal("uncited", language)


def _patterns(rules: CitationDecision, language: str) -> str | None:
    if rules.indicators:
        return refusal("indicator", language, phrase=rules.indicators[0])
    if rules.invalid:
        return _fabricated(rules, language)
    return refusal("too_long", language) if rules.too_long else None


def _fabricated(rules: CitationDecision, language: str) -> str | None:
    if not rules.invalid:
        return None
    return refusal("fabricated", language, refs=", ".join(f"[{ref}]" for ref in rules.invalid[:5]))
