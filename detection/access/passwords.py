"""Passwords that anybody here would guess first."""

import re
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

OWN = (
    "hallucination",
    "hallu",
    "reviewer",
    "review",
    "senior",
    "viewer",
    "admin",
    "analyst",
    "answer",
    "verdict",
    "password",
)
"""Words of this product and its roles, the longer first; docs/operations.md lists them."""
LEFT = 8
"""How many letters and digits a password has without them, at least."""
BESIDE = re.compile("|".join(OWN) + r"|[\W_]|(?:19|20)\d\d")


class OwnWords(CommonPasswordValidator):
    """Refuses, as too common, a password of which little is left without the words of this place, years and signs."""

    def __init__(self) -> None:
        """Needs no list of its own."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise :class:`ValidationError` for such a password; ``user`` does not matter."""
        found = BESIDE.findall(password.lower())
        if any(word in OWN for word in found) and len(BESIDE.sub("", password.lower())) < LEFT:
            raise ValidationError(self.get_error_message(), code="password_too_common")
