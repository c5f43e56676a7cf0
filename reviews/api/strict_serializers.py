"""Strict answers as the API takes and gives them."""

from dataclasses import fields, replace
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from detection.access import key_of, may_read_refused, visible_properties
from detection.core.generation import PRESETS, Strictness
from detection.models import Property, StrictAnswer
from detection.serializers.fields import NumberField, SwitchField, TextField, WholeField
from detection.serializers.lookup import Unknown, property_named
from detection.serializers.submissions import NameField, SourceSerializer, SubmissionSerializer
from reviews.lifecycle.strict import Question

EXCERPT = 240
STATUSES = (*StrictAnswer.Status.values, "queued", "running")
STYLES = StrictAnswer.Style.choices
EXAMPLE = {
    "question": "What was NOI in Q3 2024?",
    "sources": [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89.", "score": 0.88}],
    "preset": "standard",
    "citation_style": "inline",
}
ANSWERED = {
    "id": "0f3c6c1e-7d0a-4a53-9f0e-0d5f3f1d9a11",
    "answer": "Net operating income was $1,234,567.89 [S0].\n\n**Sources:**\n- [S0]",
    "status": "success",
    "confidence": 0.88,
    "is_safe": True,
    "hallucination_reason": None,
    "sources": [{"id": "S0", "title": "", "metadata": {}}],
    "language": "en",
    "layers": [{"name": "citations", "reason": None}],
}


class OwnStrictnessSerializer(serializers.Serializer[Any]):
    """Settings of one's own over the preset's (RAG-11). An answer made with a layer off is never safe."""

    temperature = NumberField(min_value=0, max_value=2, required=False)
    maximum_tokens = WholeField(min_value=1, max_value=8192, required=False)
    minimum_confidence = NumberField(min_value=0, max_value=1, required=False)
    hallucination_detection = SwitchField(required=False)
    answer_verification = SwitchField(required=False)
    citations_required = SwitchField(required=False)
    enforce_language = SwitchField(required=False)

    def to_internal_value(self, data: Any) -> Any:
        """Known names only: a misspelt switch would leave a layer other than the caller believes."""
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            known = ", ".join(each.name for each in fields(Strictness))
            raise ValidationError({name: [f"This is no setting. Known: {known}."] for name in unknown[:20]})
        return super().to_internal_value(data)


@extend_schema_serializer(
    examples=[OpenApiExample("A question about one figure", EXAMPLE, request_only=True)]
)
class StrictQuestionSerializer(serializers.Serializer[Any]):
    """A question to be answered from its sources alone. Needs ``caller`` in its context: the property is looked up
    among what it may see."""

    question = TextField(max_length=settings.HALLU_MAX_ANSWER_CHARS, allow_blank=False)
    sources: Any = serializers.ListSerializer(
        child=SourceSerializer(), required=False, allow_null=True, max_length=settings.HALLU_MAX_SOURCES
    )
    preset = serializers.ChoiceField(list(PRESETS), default="standard")
    strictness = OwnStrictnessSerializer(required=False, allow_null=True)
    citation_style = serializers.ChoiceField(STYLES, default=StrictAnswer.Style.INLINE)
    language = serializers.RegexField(
        r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=20, required=False, allow_null=True
    )
    audience = TextField(max_length=200, required=False, allow_null=True)
    property = NameField(required=False, allow_null=True, help_text="Code or id.")

    validate_sources = SubmissionSerializer.validate_sources

    def validate_question(self, question: str) -> str:
        """A question asks something."""
        if not question.strip():
            raise ValidationError("Ask something.")
        return question

    def validate_property(self, given: Any) -> Property | None:
        """The property of that code or id."""
        if given in (None, ""):
            return None
        try:
            return property_named(given, visible_properties(self.context["caller"]))
        except Unknown as error:
            raise ValidationError(str(error)) from error

    def asked(self) -> Question:
        """The question of the checked body."""
        given = {name: value for name, value in self.validated_data.items() if value is not None}
        own = given.pop("strictness", {})
        return Question(strictness=replace(PRESETS[given["preset"]], **own), **given)


REFUSED = ("raw", "judged_as")


class CitedSourceSerializer(serializers.Serializer[Any]):
    """A source that the answer cites, as it was given, without its text."""

    id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    metadata = serializers.DictField()


class LayerSerializer(serializers.Serializer[Any]):
    """One layer of safety; ``reason`` says why it refused, in the language of the question (English, Hebrew, Chinese;
    English for others), null where the answer passed."""

    name = serializers.CharField()
    reason = serializers.CharField(allow_null=True)


class StrictRowSerializer(serializers.Serializer[StrictAnswer]):
    """A strict answer in a list. ``status`` is queued or running until it is finished."""

    id = serializers.UUIDField()
    question = serializers.SerializerMethodField()
    status = serializers.ChoiceField(STATUSES, source="state")
    is_safe = serializers.BooleanField()
    confidence = serializers.FloatField()
    hallucination_reason = serializers.SerializerMethodField()
    language = serializers.CharField()
    preset = serializers.CharField()
    property = serializers.CharField(source="property.code", allow_null=True, default=None)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_question(self, row: StrictAnswer) -> str:
        """Its beginning."""
        return row.question[:EXCERPT]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_hallucination_reason(self, row: StrictAnswer) -> str | None:
        """Why the reader got the fallback; null for a success."""
        return row.reason or None


@extend_schema_serializer(examples=[OpenApiExample("A safe answer", ANSWERED, response_only=True)])
class StrictAnswerSerializer(StrictRowSerializer):
    """A strict answer: only ``is_safe`` may be relied on. ``answer`` is empty until it is finished, then the checked text
    or the fallback; ``sources`` are those it cites. ``raw``, what the model wrote, and ``judged_as``, the answer by
    which that is judged, are given only to keys that review."""

    answer = serializers.CharField()
    sources = serializers.SerializerMethodField()
    layers = LayerSerializer(many=True)
    strictness = OwnStrictnessSerializer()
    citation_style = serializers.ChoiceField(STYLES)
    audience = serializers.CharField()
    model = serializers.CharField()
    prompt_version = serializers.CharField()
    cost = serializers.DictField()
    latency_ms = serializers.FloatField()
    raw = serializers.CharField(required=False)
    judged_as = serializers.UUIDField(source="judged_id", required=False, allow_null=True)

    def get_question(self, row: StrictAnswer) -> str:
        """As it was given."""
        return row.question

    @extend_schema_field(CitedSourceSerializer(many=True))
    def get_sources(self, row: StrictAnswer) -> list[dict[str, Any]]:
        """In the order of their first marks."""
        given = {source["id"]: source for source in row.sources}
        return [_cited(given[ref]) for ref in row.cited]

    def to_representation(self, row: StrictAnswer) -> dict[str, Any]:
        """Leave out what the model wrote, unless the caller may read that."""
        shown = super().to_representation(row)
        if may_read_refused(key_of(self.context["request"])):
            return shown
        return {name: value for name, value in shown.items() if name not in REFUSED}


def _cited(source: dict[str, Any]) -> dict[str, Any]:
    return {"id": source["id"], "title": source.get("title") or "", "metadata": source.get("metadata") or {}}
