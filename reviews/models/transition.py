"""The frame that every change of a review shares."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from reviews.models.events import ReviewEvent
from reviews.models.guards import check_consent, require_reviewer
from reviews.models.idempotency import IdempotencyRecord

if TYPE_CHECKING:
    from reviews.models.review import HallucinationReview


@dataclass(slots=True)
class Step:
    """One change of a review under way, its row locked. ``done`` is what was answered to the same request before, None
    when it is new; ``answer`` is what a repetition of it is told, besides the version."""

    review: "HallucinationReview"
    actor: User | None
    version: int
    done: Mapping[str, Any] | None = None
    answer: dict[str, Any] = field(default_factory=dict)

    def write(self, **changes: Any) -> None:
        """Change the row if its version is still the one that was seen; it rises. Raises :class:`Conflict`."""
        rows = type(self.review)._default_manager.filter(pk=self.review.pk, version=self.version)
        if not rows.update(version=F("version") + 1, **changes):
            raise ReviewEvent.last_change(self.review)
        self.review.refresh_from_db()

    def log(self, action: str, **content: Any) -> None:
        """Write the event of this change: what was ``before`` and ``after`` it, and the ``reason``."""
        ReviewEvent.append(self.review, action, actor=self.actor, **content)


@contextmanager
def transition(
    review: "HallucinationReview",
    actor: User | None,
    asked: Mapping[str, Any] | None = None,
    *,
    key: str = "",
    version: int | None = None,
    may: Callable[[User], None] | None = require_reviewer,
    guard: "Callable[[HallucinationReview], None] | None" = None,
) -> Iterator[Step]:
    """Change ``review`` as ``actor`` (None: the system) in one transaction, its row read anew and locked; whatever is
    raised inside leaves everything as it was.

    A key acts for whoever agreed; ``may`` refuses who may not act, ``guard`` a review in the wrong state, and a stale ``version`` is a
    :class:`Conflict`. What was ``asked`` under an idempotency ``key`` is done once: the second time
    :attr:`Step.done` is set and nothing is checked or kept. Raises :class:`KeyReused` for another request.
    """
    if actor is not None and may is not None:
        may(actor)
    with transaction.atomic():
        review.refresh_from_db(from_queryset=type(review)._default_manager.select_for_update())
        if actor is not None:
            check_consent(actor)
        body = {"review": review.pk, **(asked or {})}
        record = IdempotencyRecord.find(actor, key, body)
        if record:
            yield Step(review, actor, review.version, done=record.response)
            return
        if guard is not None:
            guard(review)
        if version not in (None, review.version):
            raise ReviewEvent.last_change(review)
        step = Step(review, actor, review.version)
        yield step
        told = {} if version is None else {"version": review.version}
        IdempotencyRecord.remember(actor, key, body, step.answer | told)
