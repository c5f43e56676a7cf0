"""Threshold profiles in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from detection.access import key_of
from detection.models import ThresholdProfile
from detection.serializers.fields import TextField, WholeField, WordField


@extend_schema_field({"type": ["object", "null"], "additionalProperties": True})
class GateField(serializers.JSONField):
    """What a gate said, as it is kept."""


class ProfileSerializer(serializers.ModelSerializer[ThresholdProfile]):
    """One version of all thresholds. A new one is a draft; its state moves only by the actions."""

    note = TextField(required=False)
    gate = GateField(read_only=True, help_text="What the gate said when it became active.")

    class Meta:
        model = ThresholdProfile
        fields = [
            "id", "version", "values", "scoring", "state", "note", "created_at", "activated_at", "copied_from",
            "shadow_since", "gate", "predicted_low", "predicted_high",
        ]  # fmt: skip
        read_only_fields = [name for name in fields if name not in ("values", "scoring", "note")]

    def create(self, validated_data: dict[str, Any]) -> ThresholdProfile:
        """A draft of the next version. Raises a validation error for values out of bounds."""
        return ThresholdProfile.draft(
            validated_data.get("values") or {},
            scoring=validated_data.get("scoring", ThresholdProfile.Scoring.INFORMATION_BUDGET),
            note=validated_data.get("note", ""),
            actor=key_of(self.context["request"]).acts_for,
        )

    def validate_values(self, values: Any) -> Any:
        """``{"base": {…}, "overrides": […]}``."""
        parts = {"base": dict, "overrides": list}
        if not isinstance(values, dict) or set(values) - set(parts):
            raise serializers.ValidationError("Give an object with base and overrides.")
        for name, kind in parts.items():
            if not isinstance(values.get(name, kind()), kind):
                raise serializers.ValidationError(
                    f"{name}: give {'an object' if kind is dict else 'a list'}."
                )
        return values


class MoveSerializer(serializers.Serializer[Any]):
    """Why a profile changes its state."""

    reason = WordField(required=False, allow_blank=True, default="", max_length=2000)


class ActivationSerializer(MoveSerializer):
    """Why a profile becomes active, and which version the caller has seen active."""

    seen = WholeField(required=False, allow_null=True, default=None, min_value=1)


class RollbackSerializer(ActivationSerializer):
    """Why an old version comes back."""

    reason = WordField(max_length=2000)
