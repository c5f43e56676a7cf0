"""Facts as the API takes and gives them."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from detection.access import visible_properties
from detection.facts import LONGEST_FACT, Gated
from detection.models import Fact, Property, RejectedFact
from detection.runs import middle
from detection.serializers.fields import NumberField, TextField
from detection.serializers.lookup import Unknown, property_named
from detection.serializers.submissions import NameField, SourceSerializer

MOST_SOURCES = 200
STATUSES = Fact.Status.choices
EXAMPLE = {
    "content": "Net operating income was $1,234,567.89 in Q3 2024.",
    "confidence": 0.9,
    "evidence": [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89."}],
}


@extend_schema_serializer(examples=[OpenApiExample("A fact with its evidence", EXAMPLE, request_only=True)])
class FactSubmissionSerializer(serializers.Serializer[Any]):
    """A fact to be remembered: one assertion, how sure its source is of it, and what it is known from. Needs
    ``caller`` in its context: the property is looked up among what it may see."""

    content = TextField(max_length=LONGEST_FACT, allow_blank=False)
    confidence = NumberField(min_value=0, max_value=1)
    evidence: Any = serializers.ListSerializer(
        child=SourceSerializer(), required=False, allow_null=True, max_length=MOST_SOURCES
    )
    property = NameField(required=False, allow_null=True, help_text="Code or id.")
    language = serializers.RegexField(
        r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=20, required=False, allow_null=True
    )

    def validate_property(self, given: Any) -> Property | None:
        """The property of that code or id."""
        if given in (None, ""):
            return None
        try:
            return property_named(given, visible_properties(self.context["caller"]))
        except Unknown as error:
            raise ValidationError(str(error)) from error


class GatedSerializer(serializers.Serializer[Gated]):
    """What became of a fact. The figures are midpoints, bits base 2, null where nothing was measured; ``reduced`` says
    that it is trusted less than its evidence might carry, ``reason`` why."""

    id = serializers.UUIDField()
    stored = serializers.BooleanField()
    status = serializers.ChoiceField(STATUSES)
    confidence = serializers.FloatField()
    p0 = serializers.FloatField(allow_null=True)
    p1 = serializers.FloatField(allow_null=True)
    required_bits = serializers.FloatField(allow_null=True)
    observed_bits = serializers.FloatField(allow_null=True)
    budget_gap = serializers.FloatField(allow_null=True)
    reduced = serializers.BooleanField()
    finding = serializers.CharField()
    reason = serializers.CharField()


FIGURES = [
    "id", "content", "language", "property", "stated_confidence", "confidence", "finding", "reason", "p0", "p1",
    "required_bits", "observed_bits", "budget_gap", "method", "model", "evidence", "created_at",
]  # fmt: skip


class _GatedFactSerializer(serializers.ModelSerializer[Any]):
    """What facts and rejected facts have in common."""

    property = serializers.SlugRelatedField[Property](slug_field="code", read_only=True, allow_null=True)
    p0 = serializers.SerializerMethodField()
    p1 = serializers.SerializerMethodField()
    evidence = SourceSerializer(many=True, read_only=True)

    def get_p0(self, row: Fact | RejectedFact) -> float | None:
        """P(true | without the evidence), the midpoint."""
        return middle(row.p0)

    def get_p1(self, row: Fact | RejectedFact) -> float | None:
        """P(true | with the evidence), the midpoint."""
        return middle(row.p1)


class FactSerializer(_GatedFactSerializer):
    """A remembered fact with its provenance. ``verify_after`` is when its verification is tried again."""

    class Meta:
        model = Fact
        fields = [*FIGURES, "status", "reduced", "verify_after", "withdrawn_at", "withdrawn_reason"]


class RejectedFactSerializer(_GatedFactSerializer):
    """A fact that its evidence did not carry; ``fact`` is the one that was withdrawn for it, if it had been stored."""

    class Meta:
        model = RejectedFact
        fields = [*FIGURES, "fact"]
