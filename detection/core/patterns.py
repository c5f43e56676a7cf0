"""Patterns that are dear to make and are made when they are first used: a third of a start went into making them, and
most programs of an installation read no answer. Processes that judge make them while they warm up."""

from typing import Any, cast

import regex


class _Late:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Asked once for each name: what the pattern made has is kept here, and found as fast as there."""
        found = getattr(regex.compile(self.pattern, self.flags), name)
        setattr(self, name, found)
        return found


def late(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    """What ``regex.compile`` makes, made at its first use; a wrong pattern raises ``regex.error`` then."""
    return cast("regex.Pattern[str]", _Late(pattern, flags))
