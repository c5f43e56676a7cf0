"""The last step that can be taken back, kept with the session over the way to the next page (F07)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from reviews.models import HallucinationReview, undoable
from reviews.queue.visible import visible_reviews

SHOWN_FOR = timedelta(seconds=15)
"""How long a toast is shown; a resolution can be taken back no longer than that."""


@dataclass(frozen=True, slots=True)
class Toast:
    """A ``step`` on ``review`` that can be taken back: what it was, and until when the toast is shown."""

    review: int
    text: str
    until: datetime
    step: int | None = None


def keep_toast(request: HttpRequest, review: HallucinationReview) -> None:
    """Offer on the next pages to take back what was just done to ``review``."""
    until = timezone.now() + SHOWN_FOR
    request.session["toast"] = {"review": review.pk, "until": until.isoformat()}


def drop_toast(request: HttpRequest) -> None:
    """Offer it no longer: something newer was done, or it was taken back."""
    request.session.pop("toast", None)


def toast_of(request: HttpRequest) -> Toast | None:
    """The toast to show now, None when there is none or its time is over."""
    kept: dict[str, Any] | None = request.session.get("toast")
    until = parse_datetime(kept["until"]) if kept else None
    person = request.user
    if not kept or until is None or not isinstance(person, User):
        return None
    if until <= timezone.now():
        drop_toast(request)
        return None
    review = visible_reviews(person).filter(pk=kept["review"]).first()
    step = undoable(review, person) if review else None
    return Toast(kept["review"], step.text, min(until, step.until or until), step.step) if step else None
