"""Rows of lists, reviews and what a reviewer sends."""

from collections.abc import Callable, Mapping
from typing import Any, cast
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from detection.access import key_of, may_review
from detection.models import Answer, Claim, DetectionRun
from detection.serializers.fields import NumberField, TextField, WholeField
from detection.serializers.results import (
    STATUSES,
    EffectiveSerializer,
    OwedSerializer,
    ResultReviewSerializer,
)
from reviews.lifecycle.results import effective_of, review_section
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass, name_of
from reviews.rights import in_blind_lane, judges_blind

LARGEST = 2**31 - 1
VERDICTS = ClaimVerdict.Verdict.choices


class AcceptedSerializer(serializers.Serializer[Any]):
    """An answer was taken in; its result is at ``Location``."""

    id = serializers.UUIDField()
    external_id = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(STATUSES)
    ignored_fields = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Names in the body that mean nothing here."
    )


class RowVerdictSerializer(serializers.ModelSerializer[DetectionRun]):
    """A run's verdict without its reasons."""

    class Meta:
        model = DetectionRun
        fields = [
            "has_hallucinations", "answer_status", "risk_score", "risk_level", "action", "needs_review",
            "adjusted_confidence",
        ]  # fmt: skip


def _may_judge(context: Mapping[str, Any]) -> bool:
    """Whether the person that the request's key acts for may have to judge; found out once for a response."""
    kept = cast(dict[str, Any], context)
    if "may_judge" not in kept:
        kept["may_judge"] = may_review(key_of(kept["request"]).user)
    return bool(kept["may_judge"])


def _effective(row: serializers.BaseSerializer[Any], shown: Any, of: Callable[[Any], UUID]) -> Any:
    """The verdict that counts of the answer ``of`` what ``row`` shows; found out once for all rows of a response."""
    kept = cast(dict[str, Any], row.context)
    if "effective" not in kept:
        rows = (row.parent and row.parent.instance) or [shown]
        kept["effective"] = effective_of({of(one) for one in rows}, key_of(kept["request"]).user)
    counts = kept["effective"].get(of(shown))
    return counts.shown() if counts else None


class AnswerRowSerializer(serializers.ModelSerializer[Answer]):
    """An answer in a list: the beginnings of its texts, its state and verdict; neither ``verdict``, ``effective`` nor
    ``verification_owed`` for whoever may have to judge it blind."""

    external_id = serializers.CharField(source="query.external_id", allow_null=True)
    status = serializers.SerializerMethodField()
    question = serializers.CharField(source="question_excerpt")
    excerpt = serializers.CharField(source="answer_excerpt")
    property = serializers.CharField(source="property.code", default=None, allow_null=True)
    period = serializers.CharField(source="period.label", default=None, allow_null=True)
    verdict = serializers.SerializerMethodField()
    effective = serializers.SerializerMethodField()
    verification_owed = serializers.SerializerMethodField()
    review = serializers.SerializerMethodField()
    erased_at = serializers.DateTimeField(
        source="erasure.created_at",
        default=None,
        allow_null=True,
        help_text="When its texts were erased; null while they are there.",
    )

    class Meta:
        model = Answer
        fields = [
            "id", "external_id", "status", "question", "excerpt", "language", "property", "period",
            "original_confidence", "created_at", "verdict", "effective", "verification_owed", "review", "erased_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(STATUSES))
    def get_status(self, answer: Any) -> str:
        """The state of the latest run."""
        return str(answer.latest_runs[0].state) if answer.latest_runs else "queued"

    @extend_schema_field(RowVerdictSerializer(allow_null=True))
    def get_verdict(self, answer: Any) -> Any:
        """The verdict, none before the run has finished."""
        run = answer.latest_runs[0] if answer.latest_runs else None
        if self._is_blind(answer):
            return None
        return RowVerdictSerializer(run).data if run and run.finished_at else None

    def _is_blind(self, answer: Any) -> bool:
        return any(map(in_blind_lane, answer.latest_reviews)) and _may_judge(self.context)

    @extend_schema_field(OwedSerializer(allow_null=True))
    def get_verification_owed(self, answer: Any) -> Any:
        """What its verifier owes it now."""
        return answer.owed_now[0].shown() if answer.owed_now and not self._is_blind(answer) else None

    @extend_schema_field(EffectiveSerializer(allow_null=True))
    def get_effective(self, answer: Any) -> Any:
        """The verdict that counts now, as in the Result."""
        return _effective(self, answer, lambda row: row.pk)

    @extend_schema_field(ResultReviewSerializer(allow_null=True))
    def get_review(self, answer: Any) -> Any:
        """The latest review."""
        return review_section(answer.latest_reviews[0]) if answer.latest_reviews else None


LANE = ("priority", "against", "selection_reason", "automatic_confidence")


class ReviewRowSerializer(serializers.ModelSerializer[HallucinationReview]):
    """A review in a list; ``effective`` is its answer's, whichever review decides that. For whoever may have to judge it
    blind, ``priority``, ``against``, ``selection_reason``, ``automatic_confidence`` and ``effective`` are null until it is settled."""

    status = serializers.CharField(source="state")
    priority = serializers.SerializerMethodField()
    selection_reason = serializers.ChoiceField(
        HallucinationReview.SelectionReason.choices, allow_null=True, read_only=True
    )
    property = serializers.CharField(source="property.code", default=None, allow_null=True)
    period = serializers.CharField(source="period.label", default=None, allow_null=True)
    against = serializers.SerializerMethodField()
    holder = serializers.SerializerMethodField()
    assignee = serializers.SerializerMethodField()
    resolved_by = serializers.SerializerMethodField()
    effective = serializers.SerializerMethodField()

    class Meta:
        model = HallucinationReview
        fields = [
            "id", "answer", "status", "version", "priority", "against", "due_at", "selection_reason", "property", "period",
            "holder", "assignee", "original_confidence", "automatic_confidence", "final_confidence", "outcome",
            "corrected_answer", "created_at", "resolved_at", "resolved_by", "effective",
        ]  # fmt: skip

    def to_representation(self, review: HallucinationReview) -> dict[str, Any]:
        """Leave out what would tell an audit from the rest of the blind lane."""
        shown: dict[str, Any] = super().to_representation(review)
        hidden = in_blind_lane(review) and _may_judge(self.context)
        return {**shown, **dict.fromkeys(LANE)} if hidden else shown

    @extend_schema_field(serializers.ChoiceField(["high", "medium", "low"], allow_null=True))
    def get_priority(self, review: HallucinationReview) -> str:
        """high, medium or low."""
        return HallucinationReview.Priority(review.priority).name.lower()

    @extend_schema_field(
        serializers.ChoiceField(
            HallucinationReview.Against.choices,
            allow_null=True,
            help_text="The gravest conclusion against one of its claims; null where nothing is.",
        )
    )
    def get_against(self, review: HallucinationReview) -> str | None:
        """wrong, not_in_evidence or doubtful."""
        return review.against or None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_holder(self, review: HallucinationReview) -> str | None:
        """Who works on it now."""
        return name_of(review.holder) if review.holder else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_assignee(self, review: HallucinationReview) -> str | None:
        """Whose it is to be."""
        return name_of(review.assignee) if review.assignee else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_resolved_by(self, review: HallucinationReview) -> str | None:
        """Who resolved it."""
        return name_of(review.resolved_by) if review.resolved_by else None

    @extend_schema_field(EffectiveSerializer(allow_null=True))
    def get_effective(self, review: HallucinationReview) -> Any:
        """The verdict on the answer that counts now, as in its Result."""
        return _effective(self, review, lambda row: row.answer_id)


class GivenVerdictSerializer(serializers.ModelSerializer[ClaimVerdict]):
    """What a reviewer said of a claim."""

    class Meta:
        model = ClaimVerdict
        fields = ["verdict", "reason_code", "corrected_value", "note", "decided_at"]


CONCLUDED = ("status", "finding", "reason", "flagged")


class ReviewClaimSerializer(serializers.ModelSerializer[Claim]):
    """A claim of the reviewed run with its verdict in the pass that is shown. A blind pass is not told
    what the detectors concluded."""

    verdict = serializers.SerializerMethodField()

    class Meta:
        model = Claim
        fields = [
            "index",
            "kind",
            "text",
            "start",
            "end",
            "sentence",
            "citations",
            "origin",
            *CONCLUDED,
            "verdict",
        ]

    @extend_schema_field(GivenVerdictSerializer(allow_null=True))
    def get_verdict(self, claim: Claim) -> Any:
        """The verdict, none while undecided."""
        given = self.context["verdicts"].get(claim.pk)
        return GivenVerdictSerializer(given).data if given else None

    def to_representation(self, claim: Claim) -> dict[str, Any]:
        """Leave out the detectors' conclusion for a blind pass."""
        shown = super().to_representation(claim)
        return {n: v for n, v in shown.items() if n not in CONCLUDED} if self.context["blind"] else shown


class ReviewSerializer(ReviewRowSerializer):
    """A review with the answer's text, its claims and what is still to decide."""

    text = serializers.CharField(source="answer.text")
    question = serializers.CharField(source="answer.question")
    claims = serializers.SerializerMethodField()
    undecided = serializers.SerializerMethodField()
    proposed_confidence = serializers.SerializerMethodField()

    class Meta(ReviewRowSerializer.Meta):
        fields = [
            *ReviewRowSerializer.Meta.fields,
            "question",
            "text",
            "claims",
            "undecided",
            "proposed_confidence",
        ]

    def _pass(self, review: HallucinationReview) -> ReviewPass | None:
        person = key_of(self.context["request"]).user
        return (review.pass_of(person) if person else None) or review.current_pass()

    def _blind(self, review: HallucinationReview) -> bool:
        person = key_of(self.context["request"]).user
        return judges_blind(review, review.pass_of(person)) if person else False

    @extend_schema_field(ReviewClaimSerializer(many=True))
    def get_claims(self, review: HallucinationReview) -> Any:
        """The claims of the judged run in order, with those that were added in the pass that is shown."""
        chosen = self._pass(review)
        verdicts = {v.claim_id: v for v in chosen.decided()} if chosen else {}
        context = {"verdicts": verdicts, "blind": self._blind(review)}
        return ReviewClaimSerializer(review.claims_in(chosen), many=True, context=context).data

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_undecided(self, review: HallucinationReview) -> list[int]:
        """Indices of the claims that still need a verdict."""
        person = key_of(self.context["request"]).user
        return [claim.index for claim in review.undecided(person)] if review.is_live else []

    @extend_schema_field(serializers.FloatField(allow_null=True))
    def get_proposed_confidence(self, review: HallucinationReview) -> float | None:
        """The final confidence that the verdicts suggest."""
        return None if self._blind(review) else review.proposed_confidence()

    def to_representation(self, review: HallucinationReview) -> dict[str, Any]:
        """Leave out the automatic confidence for a blind pass."""
        shown = super().to_representation(review)
        return {**shown, "automatic_confidence": None} if self._blind(review) else shown


class ReasonSerializer(serializers.Serializer[Any]):
    """Why; needed to release somebody else's hold and to reopen."""

    reason = TextField(required=False, default="", max_length=4000)


class LeaseSerializer(serializers.Serializer[Any]):
    """Until when the review is held, and its version to send with the next decision."""

    expires_at = serializers.DateTimeField()
    version = serializers.IntegerField()


class VerdictGivenSerializer(serializers.Serializer[Any]):
    """A verdict on one claim, by its index. ``version`` is the review's as last read."""

    version = WholeField(min_value=1, max_value=LARGEST)
    claim = WholeField(min_value=0, max_value=LARGEST)
    verdict = serializers.ChoiceField(VERDICTS)
    reason_code = serializers.ChoiceField(
        ClaimVerdict.Reason.choices, required=False, allow_blank=True, default=""
    )
    corrected_value = TextField(required=False, default="", max_length=100_000)
    note = TextField(required=False, default="", max_length=10_000)


class ResolutionSerializer(serializers.Serializer[Any]):
    """The end of a review. Left out: the proposed confidence, the corrections as given, the outcome that the
    verdicts mean."""

    version = WholeField(min_value=1, max_value=LARGEST)
    final_confidence = NumberField(min_value=0, max_value=1, required=False, allow_null=True)
    corrected_answer = TextField(required=False, default="", max_length=2_000_000)
    outcome = serializers.ChoiceField(
        HallucinationReview.Outcome.choices, required=False, allow_null=True, default=None
    )
    reason = TextField(required=False, default="", max_length=4000)
