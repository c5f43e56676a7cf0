"""The three operations that verify, each switched on for itself, with the verifier configured for it (SPEC-08.02, SPEC-08.27)."""

import functools
import logging
from collections.abc import Collection
from typing import Any, Literal, get_args

from django.conf import settings

from detection.core.ports import Judges, SlotReader, TextModel, Verifier
from detection.operations.verifier_stores import stores
from detection.verifiers import open_text_model, open_verifier
from detection.verifiers.slot_reading import ModelSlotReader
from detection.verifiers.unavailable import UnavailableVerifier

log = logging.getLogger(__name__)

Operation = Literal["output_verification", "memory_gate", "trace_auditing"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)


def is_on(operation: Operation) -> bool:
    """Whether an operation is switched on; ``enabled`` switches off all of them."""
    tree = settings.HALLUCINATION
    return bool(tree["enabled"] and tree[operation]["enabled"])


def backend_of(operation: Operation) -> str:
    """The name of the backend that serves an operation: its own where the backend is ``configurable``."""
    if settings.VERIFIER["backend"] != "configurable":
        return str(settings.VERIFIER["backend"])
    tree = settings.HALLUCINATION
    return str(tree[operation]["backend"] or tree["backend"]["default"])


def config_of(backend: str) -> dict[str, Any]:
    """The settings of a backend: those for all, overlaid by its own."""
    own: dict[str, Any] = settings.VERIFIER.get(backend, {})
    return {**settings.VERIFIER, **own, "backend": backend}


def asks_a_network(due: Collection[str]) -> bool:
    """Whether judging by these detectors may wait for another machine."""
    asks = {
        "numeric": slot_reader() is not None,
        "strawberry": is_on("output_verification") and backend_of("output_verification") != "local",
        "judge": judges() is not None,
    }
    return any(asks.get(name) for name in due)


def flag_threshold_bits() -> float | None:
    """How many bits the doubtful statements of an answer may lack together before it is flagged; None where
    its statements are not verified (SPEC-08.22)."""
    bits: float = settings.HALLUCINATION["output_verification"]["flag_threshold_bits"]
    return bits if is_on("output_verification") else None


def verifier_for(operation: Operation) -> Verifier:
    """The verifier of an operation, one for each process; one that fails every claim when it cannot be
    opened, so that a wrong setting costs the verification and not the answer. It is tried again each time."""
    try:
        return _verifier(backend_of(operation))
    except Exception as error:
        log.exception("verifier_unavailable operation=%s", operation)
        return UnavailableVerifier(f"The verifier could not be opened: {error}")


@functools.cache
def _verifier(backend: str) -> Verifier:
    return open_verifier(config_of(backend), stores())


def text_model_for(operation: Operation) -> TextModel | None:
    """The language model that writes text for an operation; None where its backend has none (``local``)."""
    return _writer_at(backend_of(operation))


def forget() -> None:
    """Open everything anew, as a process does that starts; for tests that change the settings."""
    _verifier.cache_clear()
    _text_model.cache_clear()
    _naming.cache_clear()


def judges() -> Judges | None:
    """The judge's two models, None where the judge is switched off or its endpoint cannot be opened."""
    chosen = settings.HALLUCINATION["judge"]
    if not (settings.HALLUCINATION["enabled"] and chosen["enabled"]):
        return None
    critic = _writer(chosen["backend"], chosen["model"])
    clerk = _writer(chosen["backend"], chosen["small_model"] or chosen["model"])
    return Judges(critic, clerk) if critic and clerk else None


def strict_model() -> TextModel | None:
    """The model that writes strict answers, None where no endpoint is configured."""
    chosen = settings.HALLUCINATION["strict_generation"]
    return _writer(chosen["backend"], chosen["model"])


def slot_reader() -> SlotReader | None:
    """The model that names slots of numbers, None where that is switched off or its endpoint cannot be opened."""
    chosen = settings.HALLUCINATION["slot_reading"]
    if not (settings.HALLUCINATION["enabled"] and chosen["enabled"]):
        return None
    model = _writer(chosen["backend"], chosen["model"])
    return _naming(model, str(chosen["model"])) if model else None  # type: ignore[arg-type]  # a model is hashed as the object that it is


@functools.cache
def _naming(model: TextModel, called: str) -> SlotReader:
    """A reader of slots that remembers by itself where processes share no cache."""
    verifier = settings.VERIFIER
    return ModelSlotReader(
        model,
        seconds=verifier["timeout"],
        ttl=verifier["cache_ttl"],
        identity=f"{model.name} {verifier.get('base_url') or ''} {called or verifier.get('model') or ''}",
        cache=stores().cache,
    )


def _writer(backend: str, model: str) -> TextModel | None:
    """A language model at its own or the verifier's endpoint; ``local`` writes no text, so that an endpoint
    that is configured beside it serves."""
    used = backend or backend_of("output_verification")
    return _writer_at("external" if used == "local" else used, model)


def _writer_at(backend: str, model: str = "") -> TextModel | None:
    try:
        return _text_model(backend, model)
    except Exception as error:  # noqa: BLE001 — a wrong setting costs this model and nothing else
        log.warning("text_model_unavailable backend=%s reason=%s", backend, error)
        return None


@functools.cache
def _text_model(backend: str, model: str) -> TextModel | None:
    return open_text_model(config_of(backend) | ({"model": model} if model else {}), stores())
