"""What can go wrong with a verifier behind a network; each has the code its claims will carry."""

from detection.core.ports import VerifierError


class NoLogprobs(VerifierError):
    """The endpoint gave no log-probabilities."""

    code = "verifier_no_logprobs"


class NoLabel(VerifierError):
    """Less than half of the belief is on the three labels."""

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


class NotOpened(VerifierError):
    """The configured verifier could not be opened."""

    code = "verifier_unavailable"


class Unreachable(VerifierError):
    """No connection to the endpoint."""

    code = "verifier_unreachable"
