"""How the verifiers of this installation are: for ``manage.py verifier_status`` and the metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import BaseDatabaseCache
from django.db import connection
from django.utils import timezone

from detection.models import VerifierEndpoint, VerifierSpending
from detection.operations.verifier_stores import stores, written
from detection.operations.verifying import OPERATIONS, Operation, backend_of, config_of, is_on
from detection.verifiers.cached import SHARED
from detection.verifiers.endpoints.budget import today
from detection.verifiers.stores import Capability


@dataclass(frozen=True, slots=True)
class BackendState:
    """One backend and the operations that use it. ``circuit`` is why its endpoint is left alone, empty when it
    is not, and ``wait`` for how many seconds more. ``down_since`` is since when it has failed every probe, None while it is well,
    and ``down_reason`` the code of the last one."""

    backend: str
    operations: tuple[Operation, ...]
    model: str = ""
    base_url: str = ""
    capability: Capability | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
    down_since: datetime | None = None
    down_reason: str = ""
    circuit: str = ""
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class VerifierState:
    """All backends in use; what today (UTC) was asked and cost, and may cost (None: no limit); how many estimates
    all processes share (None: the cache cannot count them)."""

    backends: Sequence[BackendState]
    spending: Sequence[VerifierSpending]
    spent_usd: Decimal
    daily_usd: Decimal | None
    shared_estimates: int | None


def state() -> VerifierState:
    """The state now, as all processes see it. Connects to nothing but the database and the cache."""
    day = today()
    limit = settings.VERIFIER["daily_usd"]
    return VerifierState(
        backends=[backend_state(name, operations) for name, operations in in_use().items()],
        spending=list(VerifierSpending.objects.filter(day=day)),
        spent_usd=VerifierSpending.spent(day),
        daily_usd=Decimal(limit) if limit else None,
        shared_estimates=shared_estimates(),
    )


def in_use() -> dict[str, tuple[Operation, ...]]:
    """The backends and the operations, switched on, that each serves."""
    served: dict[str, tuple[Operation, ...]] = {}
    for operation in OPERATIONS:
        if is_on(operation):
            served[backend_of(operation)] = (*served.get(backend_of(operation), ()), operation)
    return served


def backend_state(backend: str, operations: tuple[Operation, ...] = ()) -> BackendState:
    """The state of one backend; of one that needs no network there is nothing to say but its name."""
    if backend == "local":
        return BackendState(backend, operations)
    from detection.verifiers.opening import open_circuit

    config = config_of(backend)
    row = VerifierEndpoint.objects.filter(base_url=config["base_url"], model=config["model"]).first()
    circuit = open_circuit(config, stores().cache).state
    return BackendState(
        backend,
        operations,
        model=config["model"],
        base_url=config["base_url"],
        capability=row.capability if row else None,
        last_error=row.last_error if row else "",
        last_error_at=row.last_error_at if row else None,
        down_since=row.down_since if row else None,
        down_reason=row.down_reason if row else "",
        circuit=circuit.code,
        wait=max(0.0, circuit.until - timezone.now().timestamp()),
    )


def probe(backend: str, seconds: float | None = None) -> Capability:
    """Ask a backend's endpoint what it can do, within ``seconds`` (as long as for any question, if not said), and remember it. Costs a few tokens. Raises
    :class:`~detection.verifiers.VerifierConfigError` and :class:`~detection.core.ports.VerifierError`."""
    from detection.verifiers.opening import open_endpoint

    config = config_of(backend)
    try:
        return open_endpoint(config, stores()).endpoint.probe(seconds or config["timeout"])
    finally:
        written()


def give_up_logprobs() -> list[str]:
    """Take it for what the endpoints in use can do that they give no log-probabilities any more; the backends of which that
    was not known before."""
    given_up = []
    for backend in in_use():
        config = config_of(backend)
        if backend != "local" and VerifierEndpoint.give_up_logprobs(config["base_url"], config["model"]):
            given_up.append(backend)
    return given_up


def shared_estimates() -> int | None:
    """How many estimates the cache table holds, None where the cache is no table."""
    if not isinstance(caches["default"], BaseDatabaseCache):
        return None
    table = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*) FROM {table} WHERE cache_key LIKE %s",  # noqa: S608 — the table is a setting
            [f"%{SHARED}%"],
        )
        return int(cursor.fetchone()[0])
