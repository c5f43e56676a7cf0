"""Verifiers: who says how likely a claim is. The only place that may talk to a language model."""

from collections.abc import Mapping

from detection.core.ports import TextModel, Verifier
from detection.verifiers.cached import EstimateCache
from detection.verifiers.guarded import GuardedVerifier
from detection.verifiers.stores import Stores

Config = Mapping[str, object]

CACHE_TTL = 3600.0
TIMEOUT = 10.0
AT_ONCE = 10

AN_ENDPOINT = {"base_url": "HALLU_VERIFIER_BASE_URL", "model": "HALLU_VERIFIER_MODEL"}
NEEDED: Mapping[str, Mapping[str, str]] = {
    "local": {},
    "self": AN_ENDPOINT,
    "external": AN_ENDPOINT,
    "haiku": {"model": "HALLU_HAIKU_MODEL", "api_key": "HALLU_HAIKU_API_KEY"},
}
"""What a backend cannot do without, and the variable that holds it."""

ENDPOINT_PRICES = ("HALLU_VERIFIER_PRICE_IN", "HALLU_VERIFIER_PRICE_OUT")
PRICES = {
    "self": ENDPOINT_PRICES,
    "external": ENDPOINT_PRICES,
    "haiku": ("HALLU_HAIKU_PRICE_IN", "HALLU_HAIKU_PRICE_OUT"),
}
"""The variables that hold what a million tokens in and out of a backend cost."""

BACKENDS = tuple(NEEDED)


class VerifierConfigError(ValueError):
    """A backend cannot be opened as configured; the message names what to set or to install."""


def open_verifier(config: Config, stores: Stores | None = None) -> Verifier:
    """The configured backend behind its guards (SPEC-08.27).

    ``config`` holds ``backend`` (one of :data:`BACKENDS`, default ``local``), what it needs (:data:`NEEDED`, and
    ``api_key``), and for all ``timeout`` and ``cache_ttl`` in seconds, ``batch_size`` (claims asked at once) and
    ``placeholder``. Endpoints also take ``samples`` (answers for one estimate without log-probabilities),
    ``probe_days`` (how long their capability counts), ``price_in`` and ``price_out`` (US dollars for a million
    tokens) and ``daily_usd`` (money of a day). Without ``stores`` the verifier remembers for itself. Raises
    :class:`VerifierConfigError` for an unknown backend, a missing value or a client that is not installed.
    """
    given = stores or Stores()
    cache = EstimateCache(number(config, "cache_ttl", CACHE_TTL), shared=given.cache)
    if checked(config) == "local":
        return _local(config, cache)
    from detection.verifiers.opening import open_endpoint

    return open_endpoint(config, given).verifier(cache)


def open_text_model(config: Config, stores: Stores | None = None) -> TextModel | None:
    """The configured backend's language model, None for one that writes no text (``local``). Takes and raises
    what :func:`open_verifier` does."""
    if checked(config) == "local":
        return None
    from detection.verifiers.opening import open_endpoint

    return open_endpoint(config, stores or Stores()).text_model()


def checked(config: Config) -> str:
    """The backend's name. Raises :class:`VerifierConfigError` for an unknown one and for a missing value."""
    backend = str(config.get("backend") or "local")
    if backend not in NEEDED:
        known = ", ".join(BACKENDS)
        raise VerifierConfigError(f"There is no verifier {backend!r}: set HALLU_VERIFIER to one of {known}.")
    for key, variable in NEEDED[backend].items():
        if not config.get(key):
            raise VerifierConfigError(f"The verifier {backend!r} needs its {key}: set {variable}.")
    return backend


def number(config: Config, key: str, default: float) -> float:
    """A number of the configuration, ``default`` where there is none."""
    value = config.get(key)
    return default if value is None else float(str(value))


def _local(config: Config, cache: EstimateCache) -> Verifier:
    """The embedded verifier. It is quicker than a shared cache, so its estimates stay in the process."""
    from detection.verifiers.embedded.local import LocalVerifier

    verifier = LocalVerifier()
    cache.shared = None
    return GuardedVerifier(
        verifier,
        timeout=number(config, "timeout", TIMEOUT),
        cache=cache,
        version=verifier.model.date,
        placeholder=str(config.get("placeholder") or ""),
    )
