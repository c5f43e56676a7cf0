"""Whether the endpoints that verify are well: found out by asking, which the sweep does while anybody waits for one of them."""

from datetime import datetime

from django.db.models import Q, QuerySet

from detection.core.ports import VerifierError
from detection.models import OwedVerification, VerifierEndpoint
from detection.operations import verifier_state
from detection.operations.verifying import Operation, backend_of, config_of
from detection.verifiers import VerifierConfigError
from detection.verifiers.endpoints.failures import NoLogprobs, NotOpened

ANSWERS: Operation = "output_verification"
"""The operation for which answers are owed something."""
PROBE_SECONDS = 5.0
"""So long the sweep waits for an answer."""


def look_after(now: datetime) -> None:
    """Probe the verifier of answers where it failed its last probe, or somebody is owed something since it passed one; not before its
    pause is over. What it lacks is lacked in the open: its row and the log say since when and why."""
    backend = backend_of(ANSWERS)
    if backend == "local":
        return
    row = _row(backend)
    paused = row is not None and row.probe_after is not None and row.probe_after > now
    if not paused and (_is_down(row) or _due(now).exclude(_proven(row)).exists()):
        _probe(backend, now)


def down() -> VerifierEndpoint | None:
    """The verifier of answers, where it failed its last probe."""
    row = _row(backend_of(ANSWERS))
    return row if _is_down(row) else None


def well_since() -> datetime | None:
    """When the verifier of answers came back last, None where it has not been away."""
    row = _row(backend_of(ANSWERS))
    return row.well_since if row else None


def payable(now: datetime) -> QuerySet[OwedVerification]:
    """What may be judged again now: what is due, and was noted before the verifier last showed that it is well. Nothing while it is
    down."""
    backend = backend_of(ANSWERS)
    if backend == "local":
        return _due(now)
    row = _row(backend)
    return OwedVerification.objects.none() if _is_down(row) else _due(now).filter(_proven(row))


def _due(now: datetime) -> QuerySet[OwedVerification]:
    return OwedVerification.open().filter(due_at__lte=now)


def _proven(row: VerifierEndpoint | None) -> Q:
    """Of what was noted before the endpoint last passed a probe; too much load says nothing of the endpoint."""
    load = Q(reason=OwedVerification.Reason.OVERLOAD)
    return load | Q(noted_at__lt=row.answered_at) if row and row.answered_at else load


def _is_down(row: VerifierEndpoint | None) -> bool:
    return row is not None and row.down_since is not None


def _row(backend: str) -> VerifierEndpoint | None:
    """What is known of a backend's endpoint; None of one that needs no network."""
    if backend == "local":
        return None
    base_url, model = _place(backend)
    return VerifierEndpoint.objects.filter(base_url=base_url, model=model).first()


def _place(backend: str) -> tuple[str, str]:
    config = config_of(backend)
    return str(config.get("base_url") or ""), str(config.get("model") or "")


def _probe(backend: str, now: datetime) -> None:
    place = _place(backend)
    try:
        found = verifier_state.probe(backend, min(PROBE_SECONDS, config_of(backend)["timeout"]))
        if found.has_fallen:
            raise NoLogprobs
    except VerifierError as failure:
        patience = getattr(failure, "retry_after", None)
        VerifierEndpoint.fell(*place, failure.code, now, patience)
    except VerifierConfigError:
        VerifierEndpoint.fell(*place, NotOpened.code, now)
    else:
        VerifierEndpoint.stood(*place)
