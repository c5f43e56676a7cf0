"""A review's beginning and end: opened by a run or a person (T1), reopened (T13), void (T15)."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from detection.access import roles
from detection.models import Answer, DetectionRun
from reviews.chances import chance
from reviews.models.carrying import Carrying, columns_of, scores_of
from reviews.models.errors import NotAllowed
from reviews.models.holding import require_reviewer
from reviews.models.passes import Lease, ReviewPass
from reviews.models.record import (
    AUDITS,
    DUE_IN,
    ENDED,
    Priority,
    SelectionReason,
    State,
    VoidCause,
)
from reviews.models.sorting import LIVE

OWN_REOPENING = timedelta(hours=24)
"""How long a reviewer may reopen what they resolved themselves."""


class HallucinationReview(Carrying):
    """A doubtful answer that a person settles (NUM-11, APP-03). One is live for each answer."""

    @classmethod
    @transaction.atomic
    def open_for(
        cls, run: DetectionRun, *, audit: tuple[SelectionReason, float] | None = None
    ) -> "HallucinationReview | None":
        """T1: open the review that a finished run asks for (``run.needs_review``), or the ``audit`` it was drawn
        for (reason and probability), and end the live reviews of the answers that this one supersedes.

        None when the run asks for none, is a shadow run, its answer is superseded, or a review of this
        run has ended already. A live review of the same answer is returned: it keeps the run it judges, the
        newer run is offered beside it, and if it was snoozed until new evidence it wakes.
        """
        if run.purpose == DetectionRun.Purpose.SHADOW:
            return None
        answer = Answer.objects.select_for_update().select_related("query").get(pk=run.answer_id)
        cls._void_superseded(answer)
        live = cls._live_of(answer)
        if live and live.awaits_evidence_since and run.pk > live.run_id:
            live.wake(None, "new_detection")
        ended = cls._default_manager.filter(run=run, state__in=ENDED).exists()
        if live or ended or not (run.needs_review or audit) or answer.is_superseded:
            return live
        selection, probability = audit or (SelectionReason.FLAGGED, 1.0)
        return cls._open(answer, run, selection, probability=probability)

    @classmethod
    @transaction.atomic
    def send(cls, answer: Answer, run: DetectionRun, user: User, reason: str) -> "HallucinationReview":
        """T1 by hand: put an answer into the queue, with a reason; a live review is returned as it is.

        Raises :class:`NotAllowed` without the reviewer role or a reason, for a superseded answer and for a
        run that is not finished or judges another answer.
        """
        require_reviewer(user)
        answer = Answer.objects.select_for_update().select_related("query").get(pk=answer.pk)
        if not reason.strip():
            raise NotAllowed(gettext("Say why this answer needs a review."))
        if run.answer_id != answer.pk or run.finished_at is None:
            raise NotAllowed(
                gettext("This answer has no finished run yet. Wait for it, then send the answer.")
            )
        if answer.is_superseded:
            raise NotAllowed(gettext("A newer answer replaced this one. Send the newer one."))
        live = cls._live_of(answer)
        return live or cls._open(answer, run, SelectionReason.MANUAL, actor=user, reason=reason)

    @classmethod
    @transaction.atomic
    def audit(cls, run: DetectionRun, probability: float) -> bool:
        """T1 by a later draw: open the audit of an unflagged run, drawn with ``probability``. False when its answer
        has been superseded or reviewed meanwhile. Who drew stands with the draw: the history of a review that is
        judged blind would tell by it what it is."""
        answer = Answer.objects.select_for_update().select_related("query").get(pk=run.answer_id)
        if answer.is_superseded or answer.reviews.exists():
            return False
        cls._open(answer, run, SelectionReason.AUDIT_BOUNDARY, probability=probability)
        return True

    @classmethod
    def _live_of(cls, answer: Answer) -> "HallucinationReview | None":
        reviews = cls._default_manager.filter(LIVE, answer=answer)
        return reviews.exclude(selection_reason=SelectionReason.GOLD).first()

    @classmethod
    def _void_superseded(cls, answer: Answer) -> None:
        """End the live reviews of every older version of ``answer``."""
        for review in cls._default_manager.filter(LIVE, answer__in=_older(answer)).order_by("pk"):
            review.void(VoidCause.SUPERSEDED, replacement=answer)

    @classmethod
    def _open(
        cls,
        answer: Answer,
        run: DetectionRun,
        selection: SelectionReason,
        *,
        probability: float | None = None,
        actor: Any = None,
        reason: str = "",
    ) -> "HallucinationReview":
        columns, now = columns_of(run) | _lane(answer, selection), timezone.now()
        review = cls._default_manager.create(
            answer=answer,
            **columns,
            user=answer.query.user,
            property=answer.property,
            period=answer.period,
            created_at=now,
            due_at=now + DUE_IN[columns["priority"]],
            selection_reason=selection,
            selection_probability=probability,
            original_confidence=answer.original_confidence,
        )
        opened = {"selection_reason": selection.value, "selection_probability": probability, **scores_of(run)}
        review._log("opened", actor=actor, profile=run.profile, after=opened, reason=reason)
        review._carry_from(_older(answer))
        return review

    @transaction.atomic
    def reopen(self, user: User, reason: str) -> None:
        """T13: put a resolved review back into the queue; the earlier outcome stays in the history and
        its passes are withdrawn, so that the same person may judge again.

        A senior always may, a reviewer within 24 h of resolving it themselves. Raises :class:`Conflict`
        when it is not resolved, :class:`NotAllowed` without the right or a reason, and when a newer
        answer or another live review stands in its place.
        """
        require_reviewer(user)
        self._lock()
        if self.state != State.RESOLVED:
            raise self._last_change()
        self._check_may_reopen(user, reason)
        before = {"state": self.state, "selection_reason": self.selection_reason, **self.resolution()}
        before |= {"resolved_by": self.resolved_by_id, "reopen_count": self.reopen_count}
        ReviewPass.objects.filter(review_id=self.pk, state=ReviewPass.State.SUBMITTED).update(
            state=ReviewPass.State.WITHDRAWN
        )
        self._write(
            self.version,
            state=State.OPEN,
            outcome="",
            final_confidence=None,
            corrected_answer="",
            resolved_at=None,
            resolved_by=None,
            selection_reason=self._reason_of_reopened(),
            blind=self.judged_blind,
            due_at=timezone.now() + DUE_IN[Priority(self.priority)],
            returned_at=None,
            reopen_count=self.reopen_count + 1,
        )
        Lease.objects.filter(review_id=self.pk).delete()
        self._log(
            "reopened", actor=user, before=before, after={"reopen_count": self.reopen_count}, reason=reason
        )

    def _reason_of_reopened(self) -> str:
        """An audit stays one: without those that were corrected, estimates of what was missed would be too low."""
        return self.selection_reason if self.selection_reason in AUDITS else SelectionReason.REOPENED

    def _check_may_reopen(self, user: User, reason: str) -> None:
        fresh = self.resolved_at and timezone.now() - self.resolved_at <= OWN_REOPENING
        if "senior" not in roles(user) and not (self.resolved_by_id == user.pk and fresh):
            raise NotAllowed(
                gettext("You can reopen your own reviews for 24 hours; ask a senior for this one.")
            )
        if not reason.strip():
            raise NotAllowed(gettext("Say why you reopen this review."))
        answer = Answer.objects.select_for_update().get(pk=self.answer_id)
        if answer.is_superseded:
            raise NotAllowed(gettext("A newer answer replaced this one. Review the newer one."))
        if self._live_of(answer):
            raise NotAllowed(
                gettext("This answer is in the queue already, by another review. Work on that one.")
            )

    @transaction.atomic
    def void(self, cause: str, *, actor: User | None = None, replacement: Answer | None = None) -> None:
        """T15: end a review without a decision; drafts stay readable. ``actor`` None is the system.

        Raises :class:`Conflict` when it has ended, :class:`NotAllowed` when a person is not senior.
        """
        if actor is not None and "senior" not in roles(actor):
            raise NotAllowed(gettext("Only a senior can withdraw a review from the queue."))
        self._lock()
        if self.state in ENDED:
            raise self._last_change()
        before = {"state": self.state}
        self._write(
            self.version,
            state=State.VOID,
            void_cause=VoidCause(cause),
            voided_at=timezone.now(),
            awaits_evidence_since=None,
            replaced_by=replacement,
        )
        Lease.objects.filter(review_id=self.pk).delete()
        link = {"replaced_by": str(replacement.pk)} if replacement else {}
        self._log("voided", actor=actor, before=before, after={"cause": self.void_cause, **link})


def _lane(answer: Answer, selection: SelectionReason) -> dict[str, Any]:
    """Whether a review is judged blind, and where an audit waits: audits always are, and a share of what is flagged,
    so that neither tells itself from the other. Most audits wait among the least urgent, a few above them, or whatever
    is blind and urgent would be known to be flagged."""
    if selection in AUDITS:
        place = chance(answer, "priority")
        priority = Priority.HIGH if place < 0.05 else Priority.MEDIUM if place < 0.2 else Priority.LOW
        return {"blind": True, "priority": priority}
    mixed_in = selection == SelectionReason.FLAGGED and chance(answer, "blind") < settings.HALLU_BLIND_SHARE
    return {"blind": mixed_in}


def _older(answer: Answer) -> list[Any]:
    """The ids of all answers that ``answer`` supersedes, the newest first."""
    older, versions = answer.supersedes_id, []
    while older:
        versions.append(older)
        older = Answer.objects.values_list("supersedes_id", flat=True).get(pk=older)
    return versions
