"""The body of ``POST /api/v1/answers/`` and ``/api/v1/answers:detect`` (contracts: only ``answer`` is required)."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from detection.access import visible_periods, visible_properties
from detection.core.types import RECORD, is_of_record
from detection.models import FinancialPeriod, Property
from detection.models.runs import FAST, SLOW
from detection.serializers.fields import Declared, NumberField, TextField, WholeField, WordField
from detection.serializers.lookup import Unknown, period_named, property_named

LARGEST_COUNT = 2**31 - 1
LONGEST_ID = 200
NAME = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
PERIOD = {
    "oneOf": [
        {"type": "string"},
        {"type": "integer"},
        {
            "type": "object",
            "properties": {
                "start": {"type": "string", "format": "date"},
                "end": {"type": "string", "format": "date"},
            },
            "required": ["start", "end"],
        },
    ]
}
EXAMPLE = {
    "external_id": "nlq-123",
    "question": "What was NOI in Q3 2024?",
    "answer": "NOI was $1,234,567.89 [S0].",
    "original_confidence": 0.95,
    "property": "OAK",
    "period": "Q3 2024",
    "sources": [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89.", "score": 0.88}],
}


@extend_schema_field(NAME)
class NameField(serializers.JSONField):
    """A code, label or id."""


@extend_schema_field(PERIOD)
class PeriodField(serializers.JSONField):
    """A label, an id or ``{start, end}``."""


@extend_schema_field({"type": ["string", "integer"], "maxLength": LONGEST_ID})
class ChunkField(WordField):
    """The id of a chunk; a backend that numbers its chunks may send the number."""

    def to_internal_value(self, data: Any) -> str:
        """The id as a text. Fails for what is neither a text nor a whole number."""
        return super().to_internal_value(str(data) if type(data) is int else data)


class SourceSerializer(Declared):
    """One chunk that the answer was written from; ``id`` is what ``[id]`` in the answer cites."""

    id = ChunkField(max_length=LONGEST_ID, trim_whitespace=False)
    parent_id = ChunkField(max_length=LONGEST_ID, required=False, allow_null=True, allow_blank=True)
    text = TextField(required=False, allow_null=True)
    title = TextField(max_length=500, required=False, allow_null=True)
    score = NumberField(required=False, allow_null=True)
    quality = NumberField(min_value=0, max_value=1, required=False, allow_null=True)
    metadata = serializers.DictField(required=False, allow_null=True)


@extend_schema_serializer(examples=[OpenApiExample("An answer about one figure", EXAMPLE, request_only=True)])
class SubmissionSerializer(Declared):
    """An answer to be judged. Needs ``caller`` in its context: names are looked up among what it may see."""

    answer = TextField(allow_null=True, max_length=settings.HALLU_MAX_ANSWER_CHARS)
    external_id = TextField(max_length=200, required=False, allow_null=True)
    question = TextField(required=False, allow_null=True)
    asked_by = TextField(max_length=200, required=False, allow_null=True)
    original_confidence = NumberField(min_value=0, max_value=1, required=False, allow_null=True)
    language = serializers.RegexField(
        r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=20, required=False, allow_null=True
    )
    property = NameField(required=False, allow_null=True, help_text="Code or id.")
    period = PeriodField(required=False, allow_null=True, help_text="Label, id or {start, end}.")
    sources: Any = serializers.ListSerializer(
        child=SourceSerializer(), required=False, allow_null=True, max_length=settings.HALLU_MAX_SOURCES
    )
    detectors = serializers.ListField(
        child=serializers.ChoiceField([*FAST, *SLOW]), required=False, allow_null=True, allow_empty=False
    )
    iteration = WholeField(min_value=0, max_value=LARGEST_COUNT, required=False, allow_null=True)
    max_iterations = WholeField(min_value=0, max_value=LARGEST_COUNT, required=False, allow_null=True)
    question_type = TextField(max_length=40, required=False, allow_null=True)
    model = TextField(max_length=200, required=False, allow_null=True)
    callback_url = TextField(
        max_length=500, required=False, allow_null=True, help_text="Null: nothing is called back yet."
    )

    def validate_callback_url(self, given: str | None) -> None:
        """Refused: whoever waited for a call would wait for ever."""
        if given:
            raise ValidationError(
                "Nothing is called back yet. Leave it out, and ask for the answer by its id."
            )

    def validate_sources(self, sources: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
        """Each id once, and none of figures of record: a mark in the answer must point to one chunk."""
        first: dict[str, int] = {}
        faults: dict[Any, Any] = {}
        for position, source in enumerate(sources or []):
            earlier = first.setdefault(source["id"], position)
            if earlier != position:
                faults[position] = {"id": [f"“{source['id']}” is the id of sources[{earlier}] already."]}
            elif is_of_record(source["id"]):
                faults[position] = {"id": [f"Ids that begin with “{RECORD}” are those of figures of record."]}
        if faults:
            raise ValidationError(faults)
        return sources or []

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Turn the names of property and period into rows."""
        attrs["property"] = about = self._property(attrs.get("property"))
        attrs["period"] = period = self._period(attrs.get("period"), about)
        if period is not None and about is None:
            attrs["property"] = period.property
        return attrs

    def _property(self, given: Any) -> Property | None:
        if given in (None, ""):
            return None
        try:
            return property_named(given, visible_properties(self.context["caller"]))
        except Unknown as error:
            raise ValidationError({"property": str(error)}) from error

    def _period(self, given: Any, about: Property | None) -> FinancialPeriod | None:
        if given in (None, ""):
            return None
        try:
            if about is not None:
                return period_named(given, about)
        except Unknown as error:
            raise ValidationError({"period": str(error)}) from error
        if isinstance(given, int) and not isinstance(given, bool) and 0 < given < 2**63:
            visible = visible_periods(self.context["caller"]).select_related("property")
            found = visible.filter(pk=given).first()
            if found:
                return found
        raise ValidationError({"period": "Name the property too: periods belong to one."})

    def submission(self) -> dict[str, Any]:
        """The checked values, with what was null or left out as the empty value of its kind."""
        given = {name: value for name, value in self.validated_data.items() if value is not None}
        given["external_id"] = given.get("external_id") or None
        return {"answer": "", **given}

    def ignored(self) -> list[str]:
        """Top-level names in the body that mean nothing here, perhaps misspelt."""
        given = self.initial_data if isinstance(self.initial_data, dict) else {}
        return sorted(set(given) - set(self.fields))[:20]
