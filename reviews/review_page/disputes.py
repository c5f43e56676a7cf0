"""What evidence disagrees about, as the page tells it beside a claim. Reads the rendered Result; decides nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reviews.review_page.rule_findings import listed

LONGEST = 300
"""Characters of one side; the source itself stands below."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Who says what: a source as answers cite it, or the figures of record of a property and period."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """What carries the claim, and what is said against it."""

    carried: Voice
    against: Voice


def disputes(claim: Mapping[str, Any]) -> tuple[Dispute, ...]:
    """What evidence disagrees about in a claim of a Result; nothing in one stored before that was measured."""
    return tuple(
        Dispute(_voice(one["carried"]), _voice(one["against"])) for one in claim.get("disputed") or ()
    )


def _voice(one: Mapping[str, Any]) -> Voice:
    text = str(one["text"])
    return Voice(listed([str(one["source"])]), text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
