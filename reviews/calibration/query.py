"""What the calibration page and its API may be asked for."""

from typing import Any

from rest_framework import serializers

from detection.serializers.monitoring import MonitoringQuery

NARROWED = ("property", "model", "language")


class CalibrationQuery(MonitoringQuery):
    """Which answers, judged over which days (UTC, both inclusive; the last twelve weeks unless told otherwise), and
    whether diagrams by claim kind or by language are wanted as well."""

    every = None  # type: ignore[assignment]  # how a serializer leaves out a field that it inherits
    by = serializers.ChoiceField(choices=["kind", "language"], required=False, allow_blank=True)

    def only(self) -> dict[str, Any]:
        """What the answers are narrowed to, by name."""
        given = self.validated_data
        return {name: given[name] for name in NARROWED if given.get(name)}
