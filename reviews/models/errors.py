"""Why a reviewer's action was refused. Whenever one of these is raised, nothing was written."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from detection.models import Claim


def name_of(user: Any) -> str:
    """How a person is called on screens and in messages; "the system" for nobody."""
    return (user.get_full_name() or user.get_username()) if user else "the system"


class ReviewError(Exception):
    """A reviewer's action was refused and nothing was written."""


class Conflict(ReviewError):
    """Somebody else was there first (409). ``who`` did ``what``, and ``when``."""

    def __init__(self, what: str, *, who: Any = None, when: datetime | None = None) -> None:
        self.what, self.who, self.when = what, name_of(who), when
        at = f" ({when:%Y-%m-%d %H:%M} UTC)" if when else ""
        super().__init__(
            f"Not saved: {self.who} {what}{at}. Keep your input, reload the review and apply it again."
        )


class NotAllowed(ReviewError):
    """This person may not do that, or not in this state of the review (403)."""


class Undecided(ReviewError):
    """The review cannot be resolved yet: ``claims`` still need a verdict (422)."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = list(claims)
        named = ", ".join(f"{claim.index + 1} “{claim.text[:40]}”" for claim in self.claims)
        count = len(self.claims)
        super().__init__(
            f"{count} claim{'s' if count > 1 else ''} undecided: {named}. Give each a verdict, then resolve."
        )


class KeyReused(ReviewError):
    """The idempotency key was used before with another body (422)."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The idempotency key {key} was used with another body. Send a new key.")
