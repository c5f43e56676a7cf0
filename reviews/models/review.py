"""A doubtful answer that a person resolves: its columns, and what can become of it.

It opens in :mod:`reviews.models.opening`; who works on it is a :class:`~reviews.models.leases.Lease`, what they say of its
claims a :class:`~reviews.models.passes.ReviewPass`.
"""

from datetime import datetime
from typing import Any, Self

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from detection import spans
from detection.models import Answer, Claim
from reviews.models.columns import ReviewColumns
from reviews.models.errors import Undecided
from reviews.models.events import ReviewEvent
from reviews.models.guards import (
    check_live,
    check_may_assign,
    check_may_reopen,
    check_may_snooze,
    check_not_own,
    check_resolution,
    check_workable,
    require_senior,
)
from reviews.models.leases import Lease
from reviews.models.passes import ReviewPass
from reviews.models.queue_columns import LIVE
from reviews.models.states import (
    AUDITS,
    DUE_IN,
    ENDED,
    Priority,
    SelectionReason,
    State,
    VoidCause,
)
from reviews.models.transition import Step, transition
from reviews.models.verdicts import ClaimVerdict, Verdict, iso

NEW_FIGURES = Q(period__metrics__updated_at__gt=F("awaits_evidence_since")) | Q(
    period__statement_lines__updated_at__gt=F("awaits_evidence_since")
)
UNRESOLVED: dict[str, Any] = {
    "outcome": "",
    "final_confidence": None,
    "corrected_answer": "",
    "resolved_at": None,
    "resolved_by": None,
}
"""The columns of a resolution on a review that has none."""
AWAKE: dict[str, Any] = {"state": State.OPEN, "snoozed_until": None, "awaits_evidence_since": None}


class HallucinationReview(ReviewColumns):
    """A doubtful answer that a person resolves (NUM-11, APP-03). One is live for each answer."""

    def __str__(self) -> str:
        return f"review {self.pk} ({self.state})"

    @property
    def is_live(self) -> bool:
        """Neither resolved nor void."""
        return self.state not in ENDED

    @property
    def is_untouched(self) -> bool:
        """Whether nobody has done anything about it: neither held, nor put off, nor skipped, nor said a word."""
        acted = self.events.exclude(actor=None).exists() or self.passes.exists()
        return self.state == State.OPEN and self.assignee_id is None and not acted

    @property
    def judged_blind(self) -> bool:
        """Whether this review belongs to the blind lane (F22): every audit, and what was mixed in."""
        return self.blind or self.selection_reason in AUDITS

    @property
    def holder(self) -> User | None:
        """Who holds the review now. ``select_related("lease__user")`` makes it free in lists."""
        lease: Lease | None = getattr(self, "lease", None)
        return lease.user if lease and lease.is_live else None

    @classmethod
    def live_of(cls, answer: Answer) -> "HallucinationReview | None":
        """The review that is going on of ``answer``; gold is none."""
        reviews = cls._default_manager.filter(LIVE, answer=answer)
        return reviews.exclude(selection_reason=SelectionReason.GOLD).first()

    def pass_of(self, user: User) -> ReviewPass | None:
        """The pass that ``user`` has here, draft or submitted; None when they have none in force."""
        return self.passes.filter(reviewer=user).exclude(state=ReviewPass.State.WITHDRAWN).first()

    def current_pass(self) -> ReviewPass | None:
        """The pass being worked on (the holder's), else the one submitted last."""
        holder = self.holder
        if holder:
            return self.passes.filter(reviewer=holder, state=ReviewPass.State.DRAFT).first()
        return self.passes.filter(state=ReviewPass.State.SUBMITTED).order_by("-pass_no").first()

    def draft_of(self, user: User) -> ReviewPass:
        """One's draft, made when missing. Blindness is fixed here: second opinions and the blind lane are."""
        submitted = self.passes.filter(state=ReviewPass.State.SUBMITTED).count()
        return self.passes.get_or_create(
            reviewer=user,
            state=ReviewPass.State.DRAFT,
            defaults={"pass_no": submitted + 1, "blind": submitted > 0 or self.judged_blind},
        )[0]

    def claims_in(self, review_pass: ReviewPass | None) -> "models.QuerySet[Claim]":
        """The claims that whoever works on ``review_pass`` sees: those of the detectors, and the ones added
        in this very pass. What a colleague added is theirs until they submit."""
        added = ClaimVerdict.objects.filter(review_pass=review_pass, claim=OuterRef("pk"))
        seen = Q(origin=Claim.Origin.DETECTOR) | Q(Exists(added))
        return Claim.objects.filter(seen, run_id=self.run_id).order_by("index")

    def to_decide(self) -> "models.QuerySet[Claim]":
        """The claims that must have a verdict: the flagged ones; in the blind lane every one. What a reviewer added
        comes with its verdict."""
        claims = Claim.objects.filter(run_id=self.run_id, origin=Claim.Origin.DETECTOR).order_by("index")
        return claims if self.judged_blind else claims.filter(flagged=True)

    def undecided(self, user: User | None = None) -> list[Claim]:
        """The claims of :meth:`to_decide` without a verdict in ``user``'s pass, else the current one."""
        given = self.pass_of(user) if user else self.current_pass()
        decided = set(given.decided().values_list("claim_id", flat=True)) if given else set()
        return [claim for claim in self.to_decide() if claim.pk not in decided]

    def proposed_confidence(self) -> float | None:
        """The final confidence that the verdicts suggest, 0–1; None when nothing was ever stated.

        The detectors' deduction is given back by the share of flagged claims in which it was a false
        alarm (supported, or not a claim): automatic + (original − automatic) · share. A correction mends
        the text, not the trust in how it was written, so it gives nothing back.
        """
        original, automatic = self.original_confidence, self.automatic_confidence
        if original is None or automatic is None:
            return automatic if original is None else original
        claims = {claim.pk for claim in self.to_decide() if claim.flagged}
        review_pass = self.current_pass()
        if not claims or review_pass is None:
            return automatic
        alarms = review_pass.decided().filter(
            claim__in=claims, verdict__in=[Verdict.SUPPORTED, Verdict.NOT_A_CLAIM]
        )
        return round(automatic + (original - automatic) * alarms.count() / len(claims), 4)

    def corrected_text(self) -> str:
        """The answer with the current pass's corrections in place."""
        text = Answer.objects.values_list("text", flat=True).get(pk=self.answer_id)
        review_pass = self.current_pass()
        return review_pass.corrected(text) if review_pass else text

    def resolution(self) -> dict[str, Any]:
        """What was decided: outcome, the three confidences and the corrected answer."""
        return {
            "outcome": self.outcome,
            "original_confidence": self.original_confidence,
            "automatic_confidence": self.automatic_confidence,
            "final_confidence": self.final_confidence,
            "corrected_answer": self.corrected_answer,
        }

    def resolve(
        self,
        user: User,
        version: int,
        *,
        final_confidence: float | None,
        corrected_answer: str = "",
        outcome: str | None = None,
        reason: str = "",
        idempotency_key: str = "",
    ) -> Self:
        """T6: submit one's pass and end the review.

        ``corrected_answer`` empty means :meth:`corrected_text`. ``outcome`` is derived
        (:meth:`ReviewPass.outcome`); another one needs a ``reason``. Raises :class:`Undecided` with the
        claims that lack a verdict, :class:`Conflict`, :class:`NotAllowed`, :class:`KeyReused`, and
        :class:`ValidationError` for a confidence outside 0–1 or an override without its reason.
        """
        asked = {
            "action": "resolve",
            "final_confidence": final_confidence,
            "corrected_answer": corrected_answer,
            "outcome": outcome,
            "reason": reason,
        }
        with (
            spans.span(
                "resolve", {"hallu.review": self.pk}, parent=lambda: self.run.traceparent, linked=True
            ),
            transition(self, user, asked, key=idempotency_key, version=version, guard=check_workable) as step,
        ):
            if step.done is None:
                self._end(step, user, final_confidence, corrected_answer, outcome, reason)
        return self

    def _end(
        self, step: Step, user: User, confidence: float | None, text: str, outcome: str | None, reason: str
    ) -> None:
        mine = Lease.renew(self, user)
        undecided = self.undecided(user)
        if undecided:
            raise Undecided(undecided)
        text = self._changed(text or self.corrected_text())
        derived = mine.outcome(edited=bool(text))
        check_resolution(confidence, outcome, derived, reason)
        before, now = self.state, timezone.now()
        step.write(
            state=State.RESOLVED,
            outcome=outcome or derived,
            final_confidence=abs(confidence) if confidence is not None else None,  # -0.0 would hash anew
            corrected_answer=text,
            resolved_by=user,
            resolved_at=now,
        )
        mine.submit(now)
        Lease.objects.filter(review_id=self.pk).delete()
        after = {"state": self.state, **self.resolution(), "derived_outcome": derived.value, **mine.account()}
        step.log("resolved", profile=self.profile, before={"state": before}, after=after, reason=reason)

    def _changed(self, text: str) -> str:
        """``text`` when it differs from the answer, else nothing: an unchanged answer has no correction."""
        submitted = Answer.objects.values_list("text", flat=True).get(pk=self.answer_id)
        return text if text != submitted else ""

    def assign(
        self,
        user: User,
        version: int,
        assignee: User | None,
        note: str = "",
        *,
        idempotency_key: str = "",
    ) -> None:
        """F11: say whose work it is; ``None`` gives it back to everybody. ``note`` is a word of handover.

        A reviewer assigns what nobody or they themselves have; a senior anything. Whoever hands over what
        they hold lets go of it, and a senior ends another's hold. Assigning to who has it already changes
        nothing. Raises :class:`Conflict` for a stale ``version``, an ended review and one that somebody else
        holds, :class:`NotAllowed`, :class:`KeyReused`, and :class:`ValidationError` for an assignee who is no
        reviewer or may not see the answer.
        """
        whose = assignee.pk if assignee else None
        asked = {"action": "assign", "assignee": whose, "note": note}
        with transition(self, user, asked, key=idempotency_key, version=version, guard=check_live) as step:
            if step.done is not None:
                return
            check_may_assign(self, user, assignee)
            before = {"assignee": self.assignee_id, "held": False}
            if before["assignee"] == whose:
                return
            if whose is not None:
                before["held"] = Lease.hand_over(self, user, whose)
            step.write(assignee=assignee)
            step.log("assigned", before=before, after={"assignee": whose}, reason=note.strip())

    def snooze(
        self,
        user: User,
        version: int,
        until: datetime,
        *,
        reason: str = "",
        on_evidence: bool = False,
        idempotency_key: str = "",
    ) -> None:
        """T4: set the review aside until ``until`` (aware), 14 days at most. With ``on_evidence`` it comes back
        earlier when a newer run or newer figures of its period arrive.

        The hold ends, the drafts stay. Raises :class:`Conflict` for a stale ``version``, an ended review and
        one that somebody else holds, :class:`NotAllowed` when it is snoozed already, assigned to another, in
        a second review, or overdue (a senior may all the same), :class:`KeyReused`, and
        :class:`ValidationError` for a time that is past or too far.
        """
        asked = {"action": "snooze", "until": until, "reason": reason, "evidence": on_evidence}
        with transition(
            self, user, asked, key=idempotency_key, version=version, guard=check_workable
        ) as step:
            if step.done is not None:
                return
            now, returned = timezone.now(), self.returned_at
            check_may_snooze(self, user, until, now)
            before = {"held": Lease.give_up(self, user), "returned_at": iso(returned)}
            since = now if on_evidence else None
            step.write(
                state=State.SNOOZED, snoozed_until=until, awaits_evidence_since=since, returned_at=None
            )
            after = {"until": until.isoformat(), "on_evidence": on_evidence}
            step.log("snoozed", before=before, after=after, reason=reason.strip())

    def wake(self, user: User | None, cause: str = "woken") -> None:
        """T5: bring a snoozed review back to the top of its priority. ``user`` None is the system; ``cause`` is
        ``woken`` (by a person), ``due``, ``new_detection`` or ``new_figures``.

        Raises :class:`Conflict` when it is not snoozed, :class:`NotAllowed` for whoever is no reviewer.
        """
        with transition(self, user) as step:
            if self.state != State.SNOOZED:
                raise ReviewEvent.last_change(self)
            step.write(**AWAKE, returned_at=timezone.now())
            step.log("woken", after={"cause": cause})

    @classmethod
    def wake_due(cls, now: datetime | None = None) -> int:
        """T5 for the sweeper: wake whatever is due by ``now``, and what waits for evidence that is there;
        returns how many."""
        now, woken = now or timezone.now(), 0
        for cause, condition in (("due", Q(snoozed_until__lte=now)), ("new_figures", NEW_FIGURES)):
            asleep = cls._default_manager.filter(condition, state=State.SNOOZED).order_by("pk")
            for pk in set(asleep.values_list("pk", flat=True)):
                review = cls._default_manager.get(pk=pk)
                with transition(review, None):
                    if asleep.filter(pk=pk).exists():  # once it is locked: somebody may have been first
                        review.wake(None, cause)
                        woken += 1
        return woken

    def reopen(self, user: User, reason: str) -> None:
        """T13: put a resolved review back into the queue; the earlier outcome stays in the history and
        its passes are withdrawn, so that the same person may judge again.

        A senior always may, a reviewer within 24 h of resolving it themselves. Raises :class:`Conflict`
        when it is not resolved, :class:`NotAllowed` without the right or a reason, and when a newer
        answer or another live review stands in its place.
        """
        with transition(self, user) as step:
            check_may_reopen(self, user, reason)
            before = {"state": self.state, "selection_reason": self.selection_reason, **self.resolution()}
            before |= {"resolved_by": self.resolved_by_id, "reopen_count": self.reopen_count}
            submitted = self.passes.filter(state=ReviewPass.State.SUBMITTED)
            submitted.update(state=ReviewPass.State.WITHDRAWN)
            # An audit stays one: without those that were corrected, estimates of what was missed would be too low.
            audit = self.selection_reason in AUDITS
            step.write(
                state=State.OPEN,
                **UNRESOLVED,
                selection_reason=self.selection_reason if audit else SelectionReason.REOPENED,
                blind=self.judged_blind,
                due_at=timezone.now() + DUE_IN[Priority(self.priority)],
                returned_at=None,
                reopen_count=self.reopen_count + 1,
            )
            Lease.objects.filter(review_id=self.pk).delete()
            step.log("reopened", before=before, after={"reopen_count": self.reopen_count}, reason=reason)

    def withdraw_untouched(self) -> bool:
        """T15 for the system: end what a newer run of the answer no longer asks for. False, and nothing changes, when somebody has
        touched it."""
        with transition(self, None):
            if self.is_untouched:
                self.void(VoidCause.VERIFIED)
            return self.state == State.VOID

    def void(self, cause: str, *, actor: User | None = None, replacement: Answer | None = None) -> None:
        """T15: end a review without a decision; drafts stay readable. ``actor`` None is the system.

        Raises :class:`Conflict` when it has ended, :class:`NotAllowed` when a person is not senior, or the answer was
        submitted for them.
        """
        with transition(self, actor, may=require_senior, guard=check_live) as step:
            if actor is not None:
                check_not_own(self, actor)
            before = {"state": self.state}
            step.write(
                state=State.VOID,
                void_cause=VoidCause(cause),
                voided_at=timezone.now(),
                awaits_evidence_since=None,
                replaced_by=replacement,
            )
            Lease.objects.filter(review_id=self.pk).delete()
            link = {"replaced_by": str(replacement.pk)} if replacement else {}
            step.log("voided", before=before, after={"cause": self.void_cause, **link})
