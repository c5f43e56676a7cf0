"""How the backends behind a network are put together from the configuration."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal, InvalidOperation

from detection.core.ports import TextModel, Verifier
from detection.verifiers import AT_ONCE, TIMEOUT, Config, VerifierConfigError, checked, number
from detection.verifiers.cached import EstimateCache
from detection.verifiers.endpoints.budget import Budget
from detection.verifiers.endpoints.circuit import Circuit
from detection.verifiers.endpoints.endpoint_verifier import (
    SAMPLES,
    Endpoint,
    EndpointTextModel,
    EndpointVerifier,
)
from detection.verifiers.endpoints.openai_endpoint import FRESH, OpenAIEndpoint
from detection.verifiers.endpoints.prompts import PROMPT_VERSION
from detection.verifiers.endpoints.request_guard import RequestGuard
from detection.verifiers.guarded import GuardedVerifier
from detection.verifiers.stores import SharedCache, Stores

MISSING_CLIENT = (
    "The verifier 'haiku' needs Anthropic's client: install requirements-anthropic.txt, "
    "or set HALLU_VERIFIER to another."
)


@dataclass(frozen=True, slots=True)
class OpenedEndpoint:
    """An endpoint, its guard, and what the configuration says of asking it."""

    config: Config
    endpoint: Endpoint
    guard: RequestGuard

    def verifier(self, cache: EstimateCache) -> Verifier:
        """Its model as a verifier, behind all guards."""
        name, timeout = checked(self.config), number(self.config, "timeout", TIMEOUT)
        samples = int(number(self.config, "samples", SAMPLES))
        return GuardedVerifier(
            EndpointVerifier(self.endpoint, name=name, timeout=timeout, samples=samples),
            timeout=timeout,
            cache=cache,
            at_once=int(number(self.config, "batch_size", AT_ONCE)),
            version=f"{_address(self.config)} {self.endpoint.model} {PROMPT_VERSION}",
            placeholder=str(self.config.get("placeholder") or ""),
            looked_up=self.guard.budget.looked_up,
        )

    def text_model(self) -> TextModel:
        """Its model as a writer of text, behind the guard of its requests."""
        return EndpointTextModel(
            self.endpoint, name=checked(self.config), timeout=number(self.config, "timeout", TIMEOUT)
        )


def open_endpoint(config: Config, stores: Stores) -> OpenedEndpoint:
    """The endpoint of a backend other than ``local``. Raises
    :class:`~detection.verifiers.VerifierConfigError`."""
    guard = RequestGuard(open_budget(config, stores), open_circuit(config, stores.cache))
    opened = _anthropic if checked(config) == "haiku" else _openai
    return OpenedEndpoint(config, opened(config, guard, stores), guard)


def open_budget(config: Config, stores: Stores) -> Budget:
    """The books of a backend's model, and the money of a day."""
    return Budget(
        stores.ledger,
        checked(config),
        str(config["model"]),
        price=(_money(config, "price_in"), _money(config, "price_out")),
        daily_usd=_daily(config),
    )


def open_circuit(config: Config, cache: SharedCache | None) -> Circuit:
    """The circuit of a backend's endpoint: the same for every worker that asks its model there."""
    endpoint = f"{_address(config)}\x1f{config['model']}"
    key = hashlib.sha256(endpoint.encode()).hexdigest()
    return Circuit(key, cache, probe_seconds=number(config, "timeout", TIMEOUT))


def _openai(config: Config, guard: RequestGuard, stores: Stores) -> Endpoint:
    days = config.get("probe_days")
    return OpenAIEndpoint(
        _address(config),
        str(config["model"]),
        str(config.get("api_key") or ""),
        guard=guard,
        memory=stores.memory,
        fresh=FRESH if days is None else timedelta(days=float(str(days))),
    )


def _anthropic(config: Config, guard: RequestGuard, stores: Stores) -> Endpoint:
    from detection.verifiers.endpoints.anthropic_endpoint import AnthropicEndpoint

    try:
        return AnthropicEndpoint(
            str(config["model"]),
            str(config["api_key"]),
            base_url=_address(config),
            guard=guard,
            memory=stores.memory,
        )
    except ImportError as missing:
        raise VerifierConfigError(MISSING_CLIENT) from missing


def _address(config: Mapping[str, object]) -> str:
    return str(config.get("base_url") or "")


def _money(config: Config, key: str) -> Decimal:
    return Decimal(str(config.get(key) or 0))


def _daily(config: Config) -> Decimal | None:
    given = config.get("daily_usd")
    if given is None or given == "":
        return None
    try:
        return Decimal(str(given))
    except InvalidOperation as problem:
        raise VerifierConfigError(f"{given!r} is no sum of money: set HALLU_VERIFIER_DAILY_USD.") from problem
