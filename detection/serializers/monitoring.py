"""Monitoring as the API asks for it and gives it."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from detection.observing.monitoring import MOST_DAYS, USUAL_DAYS


class MonitoringQuery(serializers.Serializer[Any]):
    """Which answers, and over which days (UTC, both inclusive; the last twelve weeks unless told otherwise)."""

    to = serializers.DateField(required=False, help_text="The last day; today unless given.")
    every = serializers.ChoiceField(
        choices=["day", "week"], default="week", help_text="Weeks begin on Monday."
    )
    property = serializers.CharField(required=False, allow_blank=True, max_length=50, help_text="Code.")
    model = serializers.CharField(required=False, allow_blank=True, max_length=200)
    language = serializers.CharField(required=False, allow_blank=True, max_length=20)

    def get_fields(self) -> dict[str, Any]:
        """With ``from``, which Python cannot name."""
        begin = serializers.DateField(required=False, help_text="The first day; twelve weeks unless given.")
        return {"from": begin, **super().get_fields()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The days in order and not too many."""
        last: date = attrs.setdefault("to", timezone.now().date())
        if last.toordinal() <= MOST_DAYS:
            raise ValidationError({"to": gettext("Give a day of our time.")})
        first: date = attrs.setdefault("from", last - timedelta(days=USUAL_DAYS - 1))
        if first > last:
            raise ValidationError({"from": gettext("Give a day that is not after the last one.")})
        if (last - first).days >= MOST_DAYS:
            raise ValidationError({"from": gettext("Give at most %(days)d days.") % {"days": MOST_DAYS}})
        return attrs

    def narrowed(self) -> dict[str, str]:
        """The conditions on rows that were asked for."""
        columns = {"property": "property__code", "model": "model", "language": "language"}
        given = self.validated_data
        return {column: given[name] for name, column in columns.items() if given.get(name)}


class RateSerializer(serializers.Serializer[Any]):
    """A rate between 0 and 1, null without data, and over how many things it is."""

    value = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()


class StretchSerializer(serializers.Serializer[Any]):
    """The four rates of some days."""

    start = serializers.DateField()
    end = serializers.DateField()
    answers = serializers.IntegerField()
    mean_risk = RateSerializer(help_text="Mean risk score; n answers.")
    high_risk = RateSerializer(help_text="Share of answers of high risk; n answers.")
    invalid_citations = RateSerializer(help_text="Share of cited ids that no source has; n cited ids.")
    uncited_claims = RateSerializer(
        help_text="Share of sentences that claim something, are long and cite nothing; n sentences."
    )


class MonitoringSerializer(serializers.Serializer[Any]):
    """Rates over time."""

    every = serializers.CharField()
    total = StretchSerializer()
    periods = StretchSerializer(many=True)
