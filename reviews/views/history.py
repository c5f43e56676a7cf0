"""The history of a review (S6): who did what, when and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from detection.models import Event
from reviews import wording
from reviews.models import ReviewEvent, name_of
from reviews.views.review import found
from reviews.views.screen import Asked, screen


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in words; ``changes`` are (name, before, after)."""

    action: str
    title: str
    actor: str
    at: datetime
    reason: str
    changes: tuple[tuple[str, str, str], ...]


@screen
@require_safe
def history(request: Asked, pk: int) -> HttpResponseBase:
    """The timeline, oldest first."""
    review = found(request, pk)
    events = ReviewEvent.objects.filter(subject=review).select_related("actor").order_by("seq")
    context = {"review": review, "events": [entry(e) for e in events], "section": "queue"}
    return render(request, "reviews/history.html", context)


def entry(event: Event) -> Entry:
    """An event as the timeline shows it."""
    title = wording.DONE.get(event.action, event.action.replace("_", " ").capitalize())
    claim = event.after.get("claim")
    return Entry(
        action=event.action,
        title=f"{title} on claim {claim + 1}" if isinstance(claim, int) else title,
        actor=name_of(event.actor),
        at=event.created_at,
        reason=event.reason,
        changes=tuple(_changes(event.before, event.after)),
    )


HIDDEN = frozenset(
    {"claim", "claims", "verdicts", "pass_no", "run", "selection_probability", "derived_outcome"}
)


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What differs, in words; what only machines read is left out."""
    names = [n for n in {**before, **after} if n not in HIDDEN and before.get(n) != after.get(n)]
    return [
        (n.replace("_", " "), _text(before.get(n)), _text(after.get(n)))
        for n in names
        if after.get(n) not in (None, "")
    ]


def _text(value: Any) -> str:
    return (
        ""
        if value in (None, "")
        else str(wording.WORDS.get(value, value) if isinstance(value, str) else value)
    )
