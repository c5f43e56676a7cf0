"""What a person says of a review: verdicts on claims, then the resolution (transition T6)."""

import math
from typing import Any, Self

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext

from detection.models import Answer, Claim
from reviews.models.errors import Undecided
from reviews.models.holding import Holding, require_reviewer
from reviews.models.idempotency import IdempotencyRecord
from reviews.models.passes import ClaimVerdict, Lease, ReviewPass, decided_claims, verdict_content
from reviews.models.record import Outcome, State

Verdict = ClaimVerdict.Verdict


class Settling(Holding):
    """Verdicts, proposals and the resolution."""

    class Meta(Holding.Meta):
        abstract = True

    def to_decide(self) -> "models.QuerySet[Claim]":
        """The claims that must have a verdict: the flagged ones; in the blind lane every one. What a reviewer added
        comes with its verdict."""
        claims = Claim.objects.filter(run_id=self.run_id, origin=Claim.Origin.DETECTOR).order_by("index")
        return claims if self.judged_blind else claims.filter(flagged=True)

    def undecided(self, user: User | None = None) -> list[Claim]:
        """The claims of :meth:`to_decide` without a verdict in ``user``'s pass, else the current one."""
        decided = decided_claims(self.pass_of(user) if user else self.current_pass())
        return [claim for claim in self.to_decide() if claim.pk not in decided]

    @transaction.atomic
    def decide(
        self,
        user: User,
        version: int,
        claim: Claim,
        verdict: str,
        *,
        reason_code: str = "",
        corrected_value: str = "",
        note: str = "",
        idempotency_key: str = "",
    ) -> ClaimVerdict:
        """Save one verdict at once, and take the review again when one's lease ran out and nobody has it.

        Raises :class:`Conflict` for a stale ``version`` or another holder, :class:`NotAllowed`,
        :class:`KeyReused`, and :class:`ValidationError` for a claim of another run, an unknown verdict or
        reason code, a correction without a value and the reason "other" without a note.
        """
        content = verdict_content(verdict, reason_code, corrected_value, note)
        body = {"action": "decide", "review": self.pk, "claim": claim.pk, **content}
        require_reviewer(user)
        self._lock()
        done = IdempotencyRecord.find(user, idempotency_key, body)
        if done:
            return self._given_by(done)
        review_pass = self._enter(user, version)
        before, saved = self._save_verdict(review_pass, claim, content)
        self._write(version)
        after = {"claim": claim.index, "pass_no": review_pass.pass_no, **content}
        self._log("decided", actor=user, before=before, after=after)
        IdempotencyRecord.remember(
            user, idempotency_key, body, {"verdict": saved.pk, "version": self.version}
        )
        return saved

    @transaction.atomic
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
        (:meth:`derived_outcome`); another one needs a ``reason``. Raises :class:`Undecided` with the
        claims that lack a verdict, :class:`Conflict`, :class:`NotAllowed`, :class:`KeyReused`, and
        :class:`ValidationError` for a confidence outside 0–1 or an override without its reason.
        """
        body = {
            "action": "resolve",
            "review": self.pk,
            "final_confidence": final_confidence,
            "corrected_answer": corrected_answer,
            "outcome": outcome,
            "reason": reason,
        }
        require_reviewer(user)
        self._lock()
        if IdempotencyRecord.find(user, idempotency_key, body):
            return self
        review_pass = self._enter(user, version)
        self._refuse_undecided(user)
        text = self._changed_text(corrected_answer or self.corrected_text())
        derived = self.derived_outcome(review_pass, edited=bool(text))
        _check_resolution(final_confidence, outcome, derived, reason)
        before = self.state
        self._end_with(user, version, review_pass, outcome or derived, final_confidence, text)
        self._log_resolution(user, review_pass, before, derived, reason)
        IdempotencyRecord.remember(user, idempotency_key, body, {"version": self.version})
        return self

    def derived_outcome(self, review_pass: ReviewPass | None = None, *, edited: bool = False) -> Outcome:
        """The outcome that a pass's verdicts mean; without one, the current pass's.

        Any correction, or an edited answer → corrected; else any rejection → rejected; else any
        "cannot tell" → no decision; else (all supported, or no claim to decide) approved.
        """
        chosen = review_pass or self.current_pass()
        given = set(chosen.decided().values_list("verdict", flat=True)) if chosen else set()
        if edited or Verdict.CORRECTED in given:
            return Outcome.CORRECTED
        if Verdict.REJECTED in given:
            return Outcome.REJECTED
        return Outcome.NO_DECISION if Verdict.CANNOT_TELL in given else Outcome.APPROVED

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
        """The answer with the current pass's corrections in place, changed at claim spans only.

        A corrected statement replaces the corrections of the numbers inside it.
        """
        text = Answer.objects.values_list("text", flat=True).get(pk=self.answer_id)
        review_pass = self.current_pass()
        if review_pass is None:
            return text
        corrections = review_pass.decided().filter(verdict=Verdict.CORRECTED).select_related("claim")
        parts, position = [], 0
        for given in sorted(corrections, key=lambda v: (v.claim.start, -v.claim.end, v.claim.index)):
            if given.claim.start >= position:
                parts += [text[position : given.claim.start], given.corrected_value]
                position = given.claim.end
        return "".join([*parts, text[position:]])

    def _enter(self, user: User, version: int) -> ReviewPass:
        """What every write of a holder begins with: nothing changed meanwhile, and the lease is mine."""
        self._check_unended()
        self._check_version(version)
        self._check_open_to(user)
        review_pass = self._hold(user)
        review_pass.touch(timezone.now())
        return review_pass

    def _given_by(self, done: IdempotencyRecord) -> ClaimVerdict:
        """The verdict that a request gave which is sent again; :class:`Conflict` when it was taken back since."""
        given = ClaimVerdict.objects.filter(pk=done.response["verdict"]).first()
        if given is None:
            raise self._last_change()
        return given

    def _save_verdict(
        self, review_pass: ReviewPass, claim: Claim, content: dict[str, str], *, added: bool = False
    ) -> tuple[dict[str, Any], ClaimVerdict]:
        """Write the verdict; also what stood there before, for the history. What a reviewer added is only
        theirs to decide; ``added`` says that they do so now."""
        saved = ClaimVerdict.objects.filter(review_pass=review_pass, claim=claim).first()
        somebody_elses = claim.origin == Claim.Origin.REVIEWER and not saved and not added
        if claim.run_id != self.run_id or somebody_elses:
            raise ValidationError({"claim": gettext("This claim is not in this review. Reload it.")})
        before = {"claim": claim.index, **saved.content(), "decided_at": _iso(saved)} if saved else {}
        saved = saved or ClaimVerdict(
            review_pass=review_pass, claim=claim, detector_visible=not review_pass.blind
        )
        for name, value in content.items():
            setattr(saved, name, value)
        saved.examined, saved.decided_at = True, timezone.now()
        saved.full_clean()
        saved.save()
        return before, saved

    def _refuse_undecided(self, user: User) -> None:
        undecided = self.undecided(user)
        if undecided:
            raise Undecided(undecided)

    def _changed_text(self, text: str) -> str:
        """``text`` when it differs from the answer, else nothing: an unchanged answer has no correction."""
        submitted = Answer.objects.values_list("text", flat=True).get(pk=self.answer_id)
        return text if text != submitted else ""

    def _end_with(
        self,
        user: User,
        version: int,
        review_pass: ReviewPass,
        outcome: str,
        confidence: float | None,
        text: str,
    ) -> None:
        now = timezone.now()
        self._write(
            version,
            state=State.RESOLVED,
            outcome=outcome,
            final_confidence=abs(confidence) if confidence is not None else None,  # -0.0 would hash anew
            corrected_answer=text,
            resolved_by=user,
            resolved_at=now,
        )
        review_pass.state, review_pass.submitted_at = ReviewPass.State.SUBMITTED, now
        review_pass.save(update_fields=["state", "submitted_at"])
        Lease.objects.filter(review_id=self.pk).delete()

    def _log_resolution(
        self, user: User, review_pass: ReviewPass, before: str, derived: Outcome, reason: str
    ) -> None:
        verdicts = review_pass.decided().values_list("claim__index", "verdict")
        self._log(
            "resolved",
            actor=user,
            profile=self.profile,
            before={"state": before},
            after={
                "state": self.state,
                **self.resolution(),
                "derived_outcome": derived.value,
                "pass_no": review_pass.pass_no,
                "verdicts": {str(index): verdict for index, verdict in verdicts},
                "active_seconds": review_pass.active_seconds,
            },
            reason=reason,
        )

    def resolution(self) -> dict[str, Any]:
        """What was decided: outcome, the three confidences and the corrected answer."""
        return {
            "outcome": self.outcome,
            "original_confidence": self.original_confidence,
            "automatic_confidence": self.automatic_confidence,
            "final_confidence": self.final_confidence,
            "corrected_answer": self.corrected_answer,
        }


def _iso(given: ClaimVerdict) -> str | None:
    """When a verdict was decided, for the history; None for a suggestion."""
    return given.decided_at.isoformat() if given.decided_at else None


def _check_resolution(confidence: float | None, outcome: str | None, derived: Outcome, reason: str) -> None:
    if confidence is not None and not (math.isfinite(confidence) and 0 <= confidence <= 1):
        raise ValidationError({"final_confidence": gettext("Give a confidence from 0 to 1.")})
    if outcome and outcome not in Outcome.values:
        known = ", ".join(Outcome.values)
        raise ValidationError({"outcome": gettext("Outcomes are %(known)s.") % {"known": known}})
    if outcome and outcome != derived and not reason.strip():
        meant, said = derived.label, Outcome(outcome).label
        why = gettext("The verdicts mean “%(meant)s”. Say why it is “%(said)s” all the same.")
        raise ValidationError({"reason": why % {"meant": meant, "said": said}})
