"""System checks: what ``manage.py check`` and every start say about this installation.

A value that no setting accepts stops the start before (:mod:`detection.configuration`); here stands what only
the settings together can tell.
"""

from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register

from detection.operations import OPERATIONS, backend_of, is_on
from detection.verifiers import BACKENDS, NEEDED


@register()
def verifier_is_configured(**_given: Any) -> list[CheckMessage]:
    """Every verifier that an operation uses exists and has what it needs; nothing is connected to."""
    used = dict.fromkeys(backend_of(operation) for operation in OPERATIONS if is_on(operation))
    return [problem for backend in used for problem in _problems(backend)]


def _problems(backend: str) -> list[CheckMessage]:
    if backend not in BACKENDS:
        hint = f"Set HALLU_VERIFIER to one of {', '.join(BACKENDS)}."
        return [Error(f"There is no verifier {backend!r}.", hint=hint, id="detection.E001")]
    if backend == "local":
        return []
    return [
        Error(f"The verifier {backend!r} needs a {key}.", hint=f"Set {variable}.", id="detection.E002")
        for key, variable in NEEDED.items()
        if not settings.VERIFIER[key]
    ]


@register()
def every_backend_is_used(**_given: Any) -> list[CheckMessage]:
    """An operation's own backend counts where the type is ``configurable``, and nowhere else."""
    if settings.VERIFIER["backend"] == "configurable":
        return []
    return [
        checks.Warning(
            f"hallucination.{operation}.backend is not used.",
            hint="Set HALLU_VERIFIER=configurable, or leave it out.",
            id="detection.W001",
        )
        for operation in OPERATIONS
        if settings.HALLUCINATION[operation]["backend"]
    ]
