"""System checks: what ``manage.py check`` and every start say about this installation.

A value that no setting accepts stops the start before (:mod:`detection.configuration`); here stands what only
the settings together can tell. They carry a tag of their own: Django's checks are of the code, which is the same in every
installation, and cost a command a second for the pages that it never shows; ``manage.py check`` and ``prepare`` make all.
"""

from decimal import Decimal, InvalidOperation
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register

from detection.operations.verifying import OPERATIONS, backend_of, config_of, is_on
from detection.verifiers import BACKENDS, NEEDED, PRICES

INSTALLATION = "installation"
"""The tag of what is checked here: the ``requires_system_checks`` of commands."""
BROKER_SETTINGS = "broker"
"""The tag of what the broker itself is asked; only ``manage.py check`` and processes that publish ask it."""
MONEY = ("price_in", "price_out", "daily_usd")


@register(INSTALLATION)
def verifier_is_configured(**_given: Any) -> list[CheckMessage]:
    """Every verifier that an operation uses exists and has what it needs; nothing is connected to."""
    used = dict.fromkeys(backend_of(operation) for operation in OPERATIONS if is_on(operation))
    return [problem for backend in used for problem in _problems(backend)]


def _problems(backend: str) -> list[CheckMessage]:
    if backend not in BACKENDS:
        hint = f"Set HALLU_VERIFIER to one of {', '.join(BACKENDS)}."
        return [Error(f"There is no verifier {backend!r}.", hint=hint, id="detection.E001")]
    config = config_of(backend)
    missing = [(key, variable) for key, variable in NEEDED[backend].items() if not config.get(key)]
    return [
        Error(f"The verifier {backend!r} needs its {key}.", hint=f"Set {variable}.", id="detection.E002")
        for key, variable in missing
    ]


@register(INSTALLATION)
def money_can_be_counted(**_given: Any) -> list[CheckMessage]:
    """A budget of money per day needs the prices by which it is spent."""
    used = dict.fromkeys(backend_of(operation) for operation in OPERATIONS if is_on(operation))
    return [
        checks.Warning(
            f"The money of the verifier {backend!r} is limited, but its prices are not known.",
            hint=f"Set {' and '.join(PRICES[backend])}.",
            id="detection.W002",
        )
        for backend in used
        if backend in PRICES and _is_free(config_of(backend))
    ]


@register(INSTALLATION)
def money_is_money(**_given: Any) -> list[CheckMessage]:
    """A limit and prices that are no sums, or less than nothing, would stop every verifier or the books."""
    used = dict.fromkeys(backend_of(operation) for operation in OPERATIONS if is_on(operation))
    sums = {
        variable: config_of(backend).get(key)
        for backend in used
        if backend in PRICES
        for key, variable in zip(MONEY, (*PRICES[backend], "HALLU_VERIFIER_DAILY_USD"), strict=True)
    }
    return [
        Error(f"{value!r} is no sum of money.", hint=f"Set {variable}.", id="detection.E003")
        for variable, value in sums.items()
        if not _is_sum(value)
    ]


def _is_sum(value: object) -> bool:
    """Whether it is a sum of US dollars, or nothing at all."""
    if value in (None, ""):
        return True
    try:
        money = Decimal(str(value))
    except InvalidOperation:
        return False
    return money.is_finite() and money >= 0


def _is_free(config: dict[str, Any]) -> bool:
    limited = config.get("daily_usd") not in (None, "")
    return limited and not (config.get("price_in") or config.get("price_out"))


@register(INSTALLATION)
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
