"""Calibration in the API."""

from typing import Any

from rest_framework import serializers

from detection.models import CalibrationMap


class FigureSerializer(serializers.Serializer[Any]):
    """A figure with its 95 % interval, null without data, over ``n`` labels."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()


class BinSerializer(serializers.Serializer[Any]):
    """Scores from ``low`` to ``high``: their weighted ``mean`` and the weighted ``share`` judged right."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    n = serializers.IntegerField()
    mean = serializers.FloatField()
    share = serializers.FloatField()
    weight = serializers.FloatField(help_text="How many answers they speak for.")
    effective = serializers.FloatField(help_text="How many equally weighted labels say as much.")


class ReliabilitySerializer(serializers.Serializer[Any]):
    """How reliable one confidence is."""

    n = serializers.IntegerField()
    ece = FigureSerializer(help_text="Expected calibration error over the bins.")
    brier = FigureSerializer(help_text="Mean squared distance between confidence and truth.")
    bins = BinSerializer(many=True)


class ConfidencesSerializer(serializers.Serializer[Any]):
    """The confidence delivered, the one reviewers settled on, and the verifier's probability of statements."""

    automatic = ReliabilitySerializer()
    final = ReliabilitySerializer()
    p1 = ReliabilitySerializer()


class AgreementSerializer(serializers.Serializer[Any]):
    """Judged claims: ``counts[flagged][wrong]``, and Cohen's kappa of detectors and people."""

    counts = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    kappa = FigureSerializer()


class WeekSerializer(serializers.Serializer[Any]):
    """A week from Monday (UTC) with the control limits of a p-chart (three standard errors)."""

    start = serializers.DateField()
    n = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    outside = serializers.BooleanField()


class DriftSerializer(serializers.Serializer[Any]):
    """A share week by week around its ``centre``, that of all weeks together."""

    centre = serializers.FloatField(allow_null=True)
    weeks = WeekSerializer(many=True)


class DriftsSerializer(serializers.Serializer[Any]):
    """Precision of what was sent to review, and the share of wrong answers among the audited."""

    precision = DriftSerializer()
    missed = DriftSerializer()


class MapSerializer(serializers.ModelSerializer[CalibrationMap]):
    """A calibration map with its figures on the later days, before and after."""

    class Meta:
        model = CalibrationMap
        fields = [
            "id", "verifier", "version", "method", "coefficients", "state", "fitted_from", "fitted_to", "fitted_n",
            "reported_from", "reported_to", "reported_n", "report", "created_at", "activated_at",
        ]  # fmt: skip


class CalibrationSerializer(serializers.Serializer[Any]):
    """Do confidences mean what they say?"""

    answers = serializers.IntegerField()
    labels = serializers.IntegerField()
    confidence = ConfidencesSerializer()
    by = serializers.DictField(
        child=ReliabilitySerializer(), help_text="Automatic confidence by claim kind or language."
    )
    agreement = AgreementSerializer()
    drift = DriftsSerializer()
    maps = MapSerializer(many=True)
