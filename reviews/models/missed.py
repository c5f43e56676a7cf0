"""What the detectors did not ask about: the remaining claims, looked at all the same (V), and claims that they
missed (F26)."""

from bisect import bisect_right
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext

from detection.core import text
from detection.models import Answer, Claim, DetectionRun
from reviews.anchoring import Ambiguous, NotFound, anchored
from reviews.models.errors import NotAllowed
from reviews.models.holding import require_reviewer
from reviews.models.idempotency import IdempotencyRecord
from reviews.models.passes import ClaimVerdict, ReviewPass, verdict_content
from reviews.models.settling import Settling, Verdict
from reviews.models.sorting import KINDS


class Missed(Settling):
    """Claims that nobody asked about."""

    class Meta(Settling.Meta):
        abstract = True

    def claims_in(self, review_pass: ReviewPass | None) -> "models.QuerySet[Claim]":
        """The claims that whoever works on ``review_pass`` sees: those of the detectors, and the ones added
        in this very pass. What a colleague added is theirs until they submit."""
        added = ClaimVerdict.objects.filter(review_pass=review_pass, claim=OuterRef("pk"))
        seen = Q(origin=Claim.Origin.DETECTOR) | Q(Exists(added))
        return Claim.objects.filter(seen, run_id=self.run_id).order_by("index")

    @transaction.atomic
    def examine_rest(self, user: User, version: int, *, idempotency_key: str = "") -> int:
        """V: every claim that nobody asked about and that has no verdict yet was looked at and is supported.
        Returns how many.

        A suggestion of something else than "supported" waits to be confirmed or changed. Raises
        :class:`Conflict`, :class:`KeyReused`, and :class:`NotAllowed` also in a blind pass, in which every
        claim needs a verdict of its own.
        """
        require_reviewer(user)
        body = {"action": "examine_rest", "review": self.pk}
        self._lock()
        done = IdempotencyRecord.find(user, idempotency_key, body)
        if done:
            return int(done.response["count"])
        review_pass = self._enter(user, version)
        if review_pass.blind:
            raise NotAllowed(gettext("In a blind review every claim needs a verdict of its own."))
        examined = self._examine(review_pass)
        if examined["claims"]:
            self._write(version)
            before = {"suggested": examined.pop("suggested")}
            after = {**examined, "verdict": Verdict.SUPPORTED.value, "pass_no": review_pass.pass_no}
            self._log("rest_examined", actor=user, before=before, after=after)
        count = len(examined["claims"])
        IdempotencyRecord.remember(user, idempotency_key, body, {"count": count, "version": self.version})
        return count

    def _examine(self, review_pass: ReviewPass) -> dict[str, list[int]]:
        """Write the verdicts; the numbers of the claims, and of those that were suggestions before."""
        now = timezone.now()
        given = {v.claim_id: v for v in review_pass.verdicts.all()}
        rest = [c for c in self.claims_in(review_pass).filter(flagged=False) if _waits(given.get(c.pk))]
        confirmed = [given[claim.pk] for claim in rest if claim.pk in given]
        for verdict in confirmed:
            verdict.decided_at, verdict.examined = now, True
        ClaimVerdict.objects.bulk_update(confirmed, ["decided_at", "examined"], batch_size=500)
        new = [_supported(review_pass, claim) for claim in rest if claim.pk not in given]
        ClaimVerdict.objects.bulk_create(new, batch_size=500)
        suggested = [claim.index for claim in rest if claim.pk in given]
        return {"claims": [claim.index for claim in rest], "suggested": suggested}

    @transaction.atomic
    def add_claim(
        self,
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
        where; ``kind`` is one of :data:`~reviews.models.sorting.KINDS`.

        The stored result of the run stays as it was delivered. Raises what :meth:`decide` raises, and
        :class:`ValidationError` for a quote that is not in the answer, is there several times without a
        telling context, or is a claim already.
        """
        content = verdict_content(verdict, reason_code, corrected_value, note)
        place = {"quote": quote, "prefix": prefix, "suffix": suffix, "kind": kind}
        body = {"action": "add_claim", "review": self.pk, **place, **content}
        require_reviewer(user)
        self._lock()
        done = IdempotencyRecord.find(user, idempotency_key, body)
        if done:
            return self._given_by(done)
        review_pass = self._enter(user, version)
        claim = self._missed_claim(review_pass, quote, prefix, suffix, kind)
        saved = self._save_verdict(review_pass, claim, content, added=True)[1]
        self._write(version)
        after = {**_where(claim), "pass_no": review_pass.pass_no, **content}
        self._log("claim_added", actor=user, after=after)
        IdempotencyRecord.remember(
            user, idempotency_key, body, {"verdict": saved.pk, "version": self.version}
        )
        return saved

    def _missed_claim(
        self, review_pass: ReviewPass, quote: str, prefix: str, suffix: str, kind: str
    ) -> Claim:
        if kind not in KINDS:
            raise ValidationError({"kind": gettext("Say what kind of claim this is.")})
        answer = Answer.objects.get(pk=self.answer_id)
        start, end = _place(answer.text, quote, prefix, suffix)
        same = self.claims_in(review_pass).filter(start=start, end=end, kind=kind).first()
        if same:
            message = gettext("This is claim %(number)s already.") % {"number": same.index + 1}
            raise ValidationError({"quote": message})
        return added_claim(self.run_id, answer, start, end, kind)


def _where(claim: Claim) -> dict[str, Any]:
    """Which claim it is and where it stands, for the history."""
    return {
        "claim": claim.index,
        "kind": claim.kind,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
    }


def added_claim(run_id: int, answer: Answer, start: int, end: int, kind: str) -> Claim:
    """Store a reviewer's claim under the next free number of the run. The run is locked, since two reviews
    may judge it."""
    DetectionRun.objects.select_for_update().only("pk").get(pk=run_id)
    claims = Claim.objects.filter(run_id=run_id)
    around = claims.filter(kind="statement", origin=Claim.Origin.DETECTOR, start__lte=start, end__gte=end)
    statement = None if kind == "statement" else around.order_by("-start").first()
    starts = [first for first, _ in text.sentences(answer.text, answer.language or None)]
    last: int | None = claims.aggregate(last=Max("index"))["last"]
    return Claim.objects.create(
        run_id=run_id,
        index=0 if last is None else last + 1,
        kind=kind,
        origin=Claim.Origin.REVIEWER,
        text=answer.text[start:end],
        start=start,
        end=end,
        sentence=max(bisect_right(starts, start) - 1, 0),
        statement=statement.index if statement else None,
        citations=statement.citations if statement else [],
    )


def _place(answer: str, quote: str, prefix: str, suffix: str) -> tuple[int, int]:
    try:
        return anchored(answer, quote, prefix, suffix)
    except NotFound as error:
        raise ValidationError(
            {"quote": gettext("The answer does not say this. Select it in the answer.")}
        ) from error
    except Ambiguous as error:
        message = gettext("The answer says this several times. Select a little more of the text around it.")
        raise ValidationError({"quote": message}) from error


def _waits(given: ClaimVerdict | None) -> bool:
    """Whether a claim has no verdict yet, at most the suggestion that it is supported."""
    return given is None or (given.decided_at is None and given.verdict == Verdict.SUPPORTED)


def _supported(review_pass: ReviewPass, claim: Claim) -> ClaimVerdict:
    return ClaimVerdict(
        review_pass=review_pass,
        claim=claim,
        verdict=Verdict.SUPPORTED,
        detector_visible=True,
        decided_at=timezone.now(),
    )
