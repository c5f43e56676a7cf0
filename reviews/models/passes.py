"""One reviewer's way through one review: what they say of its claims, and the end of it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from detection.models import Claim
from reviews.models.added_claims import added_claim, place_of, where
from reviews.models.errors import NotAllowed
from reviews.models.events import ReviewEvent
from reviews.models.guards import check_workable
from reviews.models.leases import Lease
from reviews.models.queue_columns import KINDS
from reviews.models.states import Outcome
from reviews.models.transition import Step, transition
from reviews.models.verdicts import ClaimVerdict, Verdict, iso, verdict_content

if TYPE_CHECKING:
    from reviews.models.review import HallucinationReview

LONGEST_PAUSE = 60
"""Seconds between two signs of life that still count as active work; a heartbeat comes every 60 s."""


class ReviewPass(models.Model):
    """One person's judging of a review. Pass 1 judges, pass 2 is the blind second opinion.

    A draft survives release and lease expiry. A reopened review's submitted passes are withdrawn: they
    stay readable, and whoever gave them may judge again.
    """

    ADJUDICATION = 3
    """The number from which on a pass settles two that differ."""

    class State(models.TextChoices):
        DRAFT = "draft"
        SUBMITTED = "submitted"
        WITHDRAWN = "withdrawn"

    review = models.ForeignKey("reviews.HallucinationReview", on_delete=models.PROTECT, related_name="passes")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="review_passes"
    )
    pass_no = models.PositiveSmallIntegerField()
    blind = models.BooleanField(
        default=False, help_text="The detector's verdict was hidden; fixed when taken."
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    started_at = models.DateTimeField(default=timezone.now)
    last_active_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    active_seconds = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "review passes"
        ordering = ["review", "pass_no", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["review", "reviewer"],
                condition=~Q(state="withdrawn"),
                name="one_pass_in_force_per_reviewer",
            ),
            models.UniqueConstraint(
                fields=["review", "pass_no"],
                condition=Q(state="submitted"),
                name="one_submitted_pass_per_number",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "submitted", "withdrawn"]), name="pass_state_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(state="submitted") | Q(submitted_at__isnull=False),
                name="submitted_pass_has_its_time",
            ),
            models.CheckConstraint(condition=Q(pass_no__gte=1), name="pass_number_starts_at_1"),
        ]

    def __str__(self) -> str:
        return f"pass {self.pass_no} of review {self.review_id} by {self.reviewer}"

    def touch(self, now: datetime) -> None:
        """Count the time since the last sign of life as active, unless the pause was longer than a beat."""
        pause = (now - self.last_active_at).total_seconds()
        self.active_seconds += int(pause) if 0 < pause <= LONGEST_PAUSE else 0
        self.last_active_at = now
        self.save(update_fields=["active_seconds", "last_active_at"])

    @property
    def rank(self) -> int:
        """How much a submitted pass counts, ascending: the second, the first, then adjudications."""
        return self.pass_no if self.pass_no >= self.ADJUDICATION else -self.pass_no

    def decided(self) -> "models.QuerySet[ClaimVerdict]":
        """The verdicts a person has given; suggestions carried from elsewhere are not among them."""
        return self.verdicts.filter(decided_at__isnull=False)

    def suggestions(self) -> "models.QuerySet[ClaimVerdict]":
        """Verdicts carried from an older answer or run that nobody has confirmed or changed yet."""
        return self.verdicts.filter(decided_at__isnull=True)

    @classmethod
    def decide(
        cls,
        review: "HallucinationReview",
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
        """Save one verdict of ``user`` at once, and take the review again when their lease ran out and nobody has it.

        Raises :class:`Conflict` for a stale ``version`` or another holder, :class:`NotAllowed`,
        :class:`KeyReused`, and :class:`ValidationError` for a claim of another run, an unknown verdict or
        reason code, a correction without a value and the reason "other" without a note.
        """
        content = verdict_content(verdict, reason_code, corrected_value, note)
        asked = {"action": "decide", "claim": claim.pk, **content}
        with transition(
            review, user, asked, key=idempotency_key, version=version, guard=check_workable
        ) as step:
            if step.done is not None:
                return _given_by(step)
            mine = Lease.renew(review, user)
            before, saved = mine._give(claim, content)
            step.write()
            after = {"claim": claim.index, "pass_no": mine.pass_no, **content}
            step.log("decided", before=before, after=after)
            step.answer = {"verdict": saved.pk}
            return saved

    @classmethod
    def examine_rest(
        cls, review: "HallucinationReview", user: User, version: int, *, idempotency_key: str = ""
    ) -> int:
        """V: every claim that nobody asked about and that has no verdict yet was looked at and is supported.
        Returns how many.

        A suggestion of something else than "supported" waits to be confirmed or changed. Raises
        :class:`Conflict`, :class:`KeyReused`, and :class:`NotAllowed` also in a blind pass, in which every
        claim needs a verdict of its own.
        """
        asked = {"action": "examine_rest"}
        with transition(
            review, user, asked, key=idempotency_key, version=version, guard=check_workable
        ) as step:
            if step.done is not None:
                return int(step.done["count"])
            mine = Lease.renew(review, user)
            if mine.blind:
                raise NotAllowed(gettext("In a blind review every claim needs a verdict of its own."))
            claims, suggested = mine._examine()
            if claims:
                step.write()
                after = {"claims": claims, "verdict": Verdict.SUPPORTED.value, "pass_no": mine.pass_no}
                step.log("rest_examined", before={"suggested": suggested}, after=after)
            step.answer = {"count": len(claims)}
            return len(claims)

    @classmethod
    def add_claim(
        cls,
        review: "HallucinationReview",
        user: User,
        version: int,
        *,
        quote: str,
        prefix: str = "",
        suffix: str = "",
        kind: str,
        verdict: str,
        reason_code: str = "",
        corrected_value: str = "",
        note: str = "",
        idempotency_key: str = "",
    ) -> ClaimVerdict:
        """F26: add a claim that the detectors missed, with its verdict. ``quote`` with the text around it says
        where; ``kind`` is one of :data:`~reviews.models.queue_columns.KINDS`.

        The stored result of the run stays as it was delivered. Raises what :meth:`decide` raises, and
        :class:`ValidationError` for a quote that is not in the answer, is there several times without a
        telling context, or is a claim already.
        """
        content = verdict_content(verdict, reason_code, corrected_value, note)
        place = {"quote": quote, "prefix": prefix, "suffix": suffix}
        asked = {"action": "add_claim", "kind": kind, **place, **content}
        with transition(
            review, user, asked, key=idempotency_key, version=version, guard=check_workable
        ) as step:
            if step.done is not None:
                return _given_by(step)
            mine = Lease.renew(review, user)
            claim = mine._new_claim(kind, **place)
            saved = mine._give(claim, content, added=True)[1]
            step.write()
            step.log("claim_added", after={**where(claim), "pass_no": mine.pass_no, **content})
            step.answer = {"verdict": saved.pk}
            return saved

    def outcome(self, *, edited: bool = False) -> Outcome:
        """The outcome that the verdicts mean.

        Any correction, or an edited answer → corrected; else any rejection → rejected; else any
        "cannot tell" → no decision; else (all supported, or no claim to decide) approved.
        """
        given = set(self.decided().values_list("verdict", flat=True))
        if edited or Verdict.CORRECTED in given:
            return Outcome.CORRECTED
        if Verdict.REJECTED in given:
            return Outcome.REJECTED
        return Outcome.NO_DECISION if Verdict.CANNOT_TELL in given else Outcome.APPROVED

    def corrected(self, text: str) -> str:
        """The answer's ``text`` with the corrections in place, changed at claim spans only.

        A corrected statement replaces the corrections of the numbers inside it.
        """
        corrections = self.decided().filter(verdict=Verdict.CORRECTED).select_related("claim")
        parts, position = [], 0
        for given in sorted(corrections, key=lambda v: (v.claim.start, -v.claim.end, v.claim.index)):
            if given.claim.start >= position:
                parts += [text[position : given.claim.start], given.corrected_value]
                position = given.claim.end
        return "".join([*parts, text[position:]])

    def submit(self, now: datetime) -> None:
        """The draft is final."""
        self.state, self.submitted_at = self.State.SUBMITTED, now
        self.save(update_fields=["state", "submitted_at"])

    def account(self) -> dict[str, Any]:
        """What the history of a resolution keeps of the pass."""
        verdicts = self.decided().values_list("claim__index", "verdict")
        return {
            "pass_no": self.pass_no,
            "verdicts": {str(index): verdict for index, verdict in verdicts},
            "active_seconds": self.active_seconds,
        }

    def _give(
        self, claim: Claim, content: dict[str, str], *, added: bool = False
    ) -> tuple[dict[str, Any], ClaimVerdict]:
        """Write a verdict; also what stood there before, for the history. What a reviewer added is only
        theirs to decide; ``added`` says that they do so now."""
        saved = self.verdicts.filter(claim=claim).first()
        somebody_elses = claim.origin == Claim.Origin.REVIEWER and not saved and not added
        if claim.run_id != self.review.run_id or somebody_elses:
            raise ValidationError({"claim": gettext("This claim is not in this review. Reload it.")})
        before = (
            {"claim": claim.index, **saved.content(), "decided_at": iso(saved.decided_at)} if saved else {}
        )
        saved = saved or ClaimVerdict(review_pass=self, claim=claim, detector_visible=not self.blind)
        for name, value in content.items():
            setattr(saved, name, value)
        saved.examined, saved.decided_at = True, timezone.now()
        saved.full_clean()
        saved.save()
        return before, saved

    def _examine(self) -> tuple[list[int], list[int]]:
        """Write the verdicts; the numbers of the claims, and of those that were suggestions before."""
        now = timezone.now()
        given = {v.claim_id: v for v in self.verdicts.all()}
        rest = [c for c in self.review.claims_in(self).filter(flagged=False) if _waits(given.get(c.pk))]
        confirmed = [given[claim.pk] for claim in rest if claim.pk in given]
        for verdict in confirmed:
            verdict.decided_at, verdict.examined = now, True
        ClaimVerdict.objects.bulk_update(confirmed, ["decided_at", "examined"], batch_size=500)
        supported = {"verdict": Verdict.SUPPORTED, "detector_visible": True, "decided_at": now}
        new = [ClaimVerdict(review_pass=self, claim=c, **supported) for c in rest if c.pk not in given]
        ClaimVerdict.objects.bulk_create(new, batch_size=500)
        return [claim.index for claim in rest], [claim.index for claim in rest if claim.pk in given]

    def _new_claim(self, kind: str, quote: str, prefix: str, suffix: str) -> Claim:
        if kind not in KINDS:
            raise ValidationError({"kind": gettext("Say what kind of claim this is.")})
        answer = self.review.answer
        start, end = place_of(answer.text, quote, prefix, suffix)
        same = self.review.claims_in(self).filter(start=start, end=end, kind=kind).first()
        if same:
            message = gettext("This is claim %(number)s already.") % {"number": same.index + 1}
            raise ValidationError({"quote": message})
        return added_claim(self.review.run_id, answer, start, end, kind)


def _given_by(step: Step) -> ClaimVerdict:
    """The verdict that a request gave which is sent again; :class:`Conflict` when it was taken back since."""
    given = ClaimVerdict.objects.filter(pk=step.done["verdict"]).first() if step.done else None
    if given is None:
        raise ReviewEvent.last_change(step.review)
    return given


def _waits(given: ClaimVerdict | None) -> bool:
    """Whether a claim has no verdict yet, at most the suggestion that it is supported."""
    return given is None or (given.decided_at is None and given.verdict == Verdict.SUPPORTED)
