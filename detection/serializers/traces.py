"""Reasoning traces as the API takes and gives them."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from detection import traces
from detection.access import visible_properties
from detection.core.types import CONCLUSIONS
from detection.core.types import traces as core
from detection.models import Property, Trace, TraceStep
from detection.serializers.fields import NumberField, TextField
from detection.serializers.lookup import Unknown, property_named
from detection.serializers.results import OBJECT, ObjectField
from detection.serializers.submissions import NameField, SourceSerializer
from detection.traces import trace_results

STEP_STATUSES = TraceStep.Status.choices
MOST_CITATIONS = 200
EXCERPT = 240
EXAMPLE: dict[str, Any] = {
    "question": "What was NOI in Q3 2024?",
    "context": [{"id": "S0", "text": "In Q3 2024 revenue was $1,500,000. Operating expenses were $600,000."}],
    "steps": [
        {"text": "Revenue was $1,500,000 in Q3 2024.", "citations": ["S0"], "confidence": 0.95},
        {"text": "Operating expenses were $600,000 in Q3 2024.", "citations": ["S0"]},
        {"text": "NOI was $1,500,000 − $600,000 = $900,000.", "citations": ["step 1", "step 2"]},
    ],
    "answer": "NOI was $900,000 in Q3 2024.",
}


class StepSubmissionSerializer(serializers.Serializer[Any]):
    """One step: an id of the context or ``step 1`` … of an earlier step is cited, in the text or beside it."""

    text = TextField(max_length=settings.HALLU_MAX_ANSWER_CHARS, allow_blank=False)
    citations = serializers.ListField(
        child=TextField(max_length=200), required=False, allow_null=True, max_length=MOST_CITATIONS
    )
    confidence = NumberField(min_value=0, max_value=1, required=False, allow_null=True)

    def validate_text(self, text: str) -> str:
        """A step says something."""
        if not text.strip():
            raise ValidationError("A step without text says nothing.")
        return text


@extend_schema_serializer(examples=[OpenApiExample("Three steps to a figure", EXAMPLE, request_only=True)])
class TraceSubmissionSerializer(serializers.Serializer[Any]):
    """A trace to be audited. Needs ``caller`` in its context: the property is looked up among what it may see."""

    steps: Any = serializers.ListSerializer(
        child=StepSubmissionSerializer(), allow_empty=False, max_length=traces.MOST_STEPS
    )
    question = TextField(required=False, allow_null=True, max_length=settings.HALLU_MAX_ANSWER_CHARS)
    context: Any = serializers.ListSerializer(
        child=SourceSerializer(), required=False, allow_null=True, max_length=settings.HALLU_MAX_SOURCES
    )
    answer = TextField(required=False, allow_null=True, max_length=settings.HALLU_MAX_ANSWER_CHARS)
    language = serializers.RegexField(
        r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=20, required=False, allow_null=True
    )
    property = NameField(required=False, allow_null=True, help_text="Code or id.")

    def validate_context(self, context: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
        """Each id once, and none that names a step."""
        fault = traces.id_fault([source["id"] for source in context or []])
        if fault:
            by_position: dict[Any, Any] = {fault[0]: {"id": [fault[1]]}}
            raise ValidationError(by_position)
        return context or []

    def validate_property(self, given: Any) -> Property | None:
        """The property of that code or id."""
        if given in (None, ""):
            return None
        try:
            return property_named(given, visible_properties(self.context["caller"]))
        except Unknown as error:
            raise ValidationError(str(error)) from error

    def trace(self) -> core.Trace:
        """The trace of the checked body."""
        given = self.validated_data
        return traces.trace_of(
            given["steps"],
            context=given.get("context") or (),
            question=given.get("question") or "",
            answer=given.get("answer") or "",
            language=given.get("language"),
        )


class StepSerializer(serializers.Serializer[Any]):
    """One step with its status, the ``conclusion`` that a claim of an answer would have (``wrong`` only with proof,
    ``doubtful`` where only a verifier is against it), ``reason`` in the trace's language, and its budget. ``rests_on`` are the earlier steps without which it would not be
    entailed, ``unknown_citations`` name nothing it could cite. The figures are midpoints, bits base 2, null where
    nothing was measured; ``strawberry`` is the whole measurement of the statement that decides."""

    index = serializers.IntegerField()
    id = serializers.CharField()
    text = serializers.CharField()
    citations = serializers.ListField(child=serializers.CharField())
    unknown_citations = serializers.ListField(child=serializers.CharField())
    confidence = serializers.FloatField(allow_null=True)
    status = serializers.ChoiceField(STEP_STATUSES)
    conclusion = serializers.ChoiceField(CONCLUSIONS)
    finding = serializers.CharField()
    reason = serializers.CharField()
    rests_on = serializers.ListField(child=serializers.CharField())
    p1 = serializers.FloatField(allow_null=True)
    p0 = serializers.FloatField(allow_null=True)
    required_bits = serializers.FloatField(allow_null=True)
    observed_bits = serializers.FloatField(allow_null=True)
    budget_gap = serializers.FloatField(allow_null=True)
    strawberry = ObjectField(allow_null=True)


class PostHocSerializer(serializers.Serializer[Any]):
    """Whether the answer follows from the steps alone; null when that could not be told, and ``reason`` says why.
    ``method`` is ``executor`` (a language model answered from question and steps), ``entailment`` or ``none``."""

    derivable = serializers.BooleanField(allow_null=True)
    executor_answer = serializers.CharField(allow_null=True)
    method = serializers.ChoiceField(Trace.Method.choices)
    reason = serializers.CharField()


class TraceRowSerializer(serializers.Serializer[Trace]):
    """A trace in a list. ``worst`` is the worst status among its steps."""

    id = serializers.UUIDField()
    question = serializers.SerializerMethodField()
    property = serializers.CharField(source="property.code", allow_null=True, default=None)
    language = serializers.CharField()
    worst = serializers.ChoiceField(STEP_STATUSES)
    derivable = serializers.BooleanField(allow_null=True)
    created_at = serializers.DateTimeField()

    def get_question(self, row: Trace) -> str:
        """Its beginning."""
        return row.question[:EXCERPT]


class TraceSerializer(TraceRowSerializer):
    """An audited trace: the steps with their statuses and budgets, and whether the answer follows from them."""

    answer = serializers.CharField()
    context: Any = serializers.ListField(child=ObjectField())
    steps = serializers.SerializerMethodField()
    post_hoc = serializers.SerializerMethodField()
    profile = serializers.SerializerMethodField()
    cost = ObjectField()
    duration_ms = serializers.FloatField()

    def get_question(self, row: Trace) -> str:
        """As it was given."""
        return row.question

    @extend_schema_field(StepSerializer(many=True))
    def get_steps(self, row: Trace) -> list[dict[str, Any]]:
        """In order."""
        return [trace_results.step_section(step) for step in row.steps.defer("measurement").order_by("index")]

    @extend_schema_field(PostHocSerializer)
    def get_post_hoc(self, row: Trace) -> dict[str, Any]:
        """Of the answer."""
        return trace_results.post_hoc_section(row)

    @extend_schema_field(OBJECT)
    def get_profile(self, row: Trace) -> dict[str, Any]:
        """The thresholds it was judged by."""
        profile = row.profile
        return {"id": profile.pk, "version": profile.version, "scoring": profile.scoring}
