"""The gate before an activation: is enough known about what new thresholds would change? (review-queue §5.3)

What it says is worked out where verdicts are known; the setting ``ACTIVATION_GATE`` names the function.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string


@dataclass(frozen=True, slots=True)
class Gate:
    """What the gate says of a profile: ``why`` is a code, ``text`` the sentence shown. ``audits`` are the audited answers of
    the window and ``band_audits`` those that the change concerns; ``low`` and ``high`` bound the share of answers
    that are expected to be flagged, and ``confirm_low`` and ``confirm_high`` the share of those that are expected to be
    confirmed as wrong; None where too little is known. ``against`` is the version that was active."""

    open: bool
    why: str
    text: str = ""
    audits: int = 0
    band_audits: int = 0
    needed_audits: int = 0
    needed_band: int = 0
    low: float | None = None
    high: float | None = None
    confirm_low: float | None = None
    confirm_high: float | None = None
    against: int | None = None

    def kept(self) -> dict[str, Any]:
        """As it is stored with the version."""
        return asdict(self)


class GateClosed(Exception):
    """The gate is closed and nothing was changed; ``gate`` says why."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(gate.text)
        self.gate = gate


def gate_of(profile: Any, caller: Any) -> Gate:
    """What the gate says of ``profile``, a threshold profile, from the answers that ``caller`` may see. It holds for
    the wording of ``profile`` that was read, and for the version that was active then."""
    asked: Callable[[Any, Any], Gate] = import_string(settings.ACTIVATION_GATE)
    against = type(profile).active().version
    return replace(asked(profile, caller), against=against)
