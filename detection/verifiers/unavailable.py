"""The verifier that stands in when the configured one cannot be opened: nothing is verified, and it says why."""

from collections.abc import Sequence

from detection.core.ports import Estimate, failed
from detection.verifiers.endpoints.failures import NotOpened


class UnavailableVerifier:
    """Fails every claim with the reason why the configured verifier is not there."""

    name = "unavailable"

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Raises :class:`NotOpened` with the reason."""
        raise NotOpened(self.reason)

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """One failed estimate for each claim."""
        return [failed(NotOpened(self.reason)) for _ in claims]
