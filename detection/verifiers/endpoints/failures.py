"""What can go wrong with a verifier behind a network; each has the code its claims will carry."""

from detection.core.ports import VerifierError, VerifierTimeout


class NoLogprobs(VerifierError):
    """The endpoint gave no log-probabilities."""

    code = "verifier_no_logprobs"


class NoLabel(VerifierError):
    """Less than half of the belief, or of the answers, is on the three labels."""

    code = "verifier_no_label"


class NoAnswer(VerifierError):
    """No choices, a refusal or a filtered answer."""

    code = "verifier_empty_choices"


class Malformed(VerifierError):
    """The body is not what the protocol promises."""

    code = "verifier_bad_json"


class Unauthorized(VerifierError):
    """The endpoint refused the key."""

    code = "verifier_auth"


class TooLong(VerifierError):
    """The question with its context is longer than the model can read."""

    code = "verifier_context_too_long"


class NotAsked(VerifierTimeout):
    """The time was over before the endpoint was asked, which says nothing of the endpoint."""


class NotOpened(VerifierError):
    """The configured verifier could not be opened."""

    code = "verifier_unavailable"


class Unreachable(VerifierError):
    """No connection to the endpoint, or none tried: ``retry_after`` is then how many seconds the endpoint is
    left alone after it failed repeatedly."""

    code = "verifier_unreachable"

    def __init__(self, message: str = "", retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BudgetSpent(VerifierError):
    """The money for this day is spent; nothing is asked until the next."""

    code = "budget_spent"


class Refused(VerifierError):
    """The endpoint does not take a request as it was put. ``said`` is its explanation in lower case, to be
    read and never shown: it may repeat what was sent."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said
