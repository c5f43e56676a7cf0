"""Verifiers: who says how likely a claim is. The only place that may talk to a language model."""

from collections.abc import Callable, Mapping

from detection.core.ports import TextModel, Verifier
from detection.verifiers.guarded import GuardedVerifier

CACHE_TTL = 3600.0
TIMEOUT = 10.0
NEEDED = {"base_url": "HALLU_VERIFIER_BASE_URL", "model": "HALLU_VERIFIER_MODEL"}


class VerifierConfigError(ValueError):
    """A backend cannot be opened as configured; the message names the environment variable to set."""


def open_verifier(config: Mapping[str, object]) -> Verifier:
    """The configured backend behind its guards (SPEC-08.27).

    ``config`` holds ``backend`` (a key of :data:`BACKENDS`, default ``local``), for endpoints ``base_url``,
    ``model`` and ``api_key``, and for all ``timeout`` and ``cache_ttl`` in seconds and ``placeholder``.
    Raises :class:`VerifierConfigError` for an unknown backend or a missing value.
    """
    backend = str(config.get("backend") or "local")
    if backend not in BACKENDS:
        known = ", ".join(BACKENDS)
        raise VerifierConfigError(f"There is no verifier {backend!r}: set HALLU_VERIFIER to one of {known}.")
    inner, version = BACKENDS[backend](config)
    return GuardedVerifier(
        inner,
        timeout=_seconds(config, "timeout", TIMEOUT),
        cache_ttl=_seconds(config, "cache_ttl", CACHE_TTL),
        version=version,
        placeholder=str(config.get("placeholder") or ""),
    )


def open_text_model(config: Mapping[str, object]) -> TextModel | None:
    """The configured backend's language model, None for one that writes no text (``local``)."""
    return None


def _local(config: Mapping[str, object]) -> tuple[Verifier, str]:
    from detection.verifiers.local import LocalVerifier

    verifier = LocalVerifier()
    return verifier, verifier.model.date


def _endpoint(config: Mapping[str, object]) -> tuple[Verifier, str]:
    for key, variable in NEEDED.items():
        if not config.get(key):
            raise VerifierConfigError(f"The verifier {config['backend']!r} needs a {key}: set {variable}.")
    from detection.verifiers.openai_compatible import PROMPT_VERSION, OpenAICompatibleVerifier

    model, base_url = str(config["model"]), str(config["base_url"])
    verifier = OpenAICompatibleVerifier(
        base_url,
        model,
        str(config.get("api_key") or ""),
        _seconds(config, "timeout", TIMEOUT),
        name=str(config["backend"]),
    )
    return verifier, f"{base_url}\x1f{model}\x1f{PROMPT_VERSION}"


def _seconds(config: Mapping[str, object], key: str, default: float) -> float:
    value = config.get(key)
    return default if value is None else float(str(value))


BACKENDS: Mapping[str, Callable[[Mapping[str, object]], tuple[Verifier, str]]] = {
    "local": _local,
    "self": _endpoint,
    "external": _endpoint,
}
