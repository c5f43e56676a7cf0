"""System checks: what ``manage.py check`` and every start say about this installation."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from detection.verifiers import BACKENDS, NEEDED


@register()
def verifier_is_configured(**_given: Any) -> list[CheckMessage]:
    """The configured verifier exists and has what it needs; nothing is connected to."""
    config = settings.VERIFIER
    if config["backend"] not in BACKENDS:
        hint = f"Set HALLU_VERIFIER to one of {', '.join(BACKENDS)}."
        return [Error(f"There is no verifier {config['backend']!r}.", hint=hint, id="detection.E001")]
    if config["backend"] == "local":
        return []
    return [
        Error(
            f"The verifier {config['backend']!r} needs a {key}.", hint=f"Set {variable}.", id="detection.E002"
        )
        for key, variable in NEEDED.items()
        if not config[key]
    ]
