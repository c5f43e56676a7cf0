"""What a dashboard is asked for in an address, the same for page, CSV and API."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from detection.access import Caller
from reviews.dashboard.claim_detectors import DETECTORS
from reviews.dashboard.scope import Scope
from reviews.models.queue_columns import KINDS

USUAL_DAYS, MOST_DAYS = 28, 366


class DashboardQuery(serializers.Serializer[Any]):
    """Which days (UTC, both inclusive; the last four weeks unless told otherwise) and which answers."""

    to = serializers.DateField(required=False, help_text="The last day; today unless given.")
    language = serializers.CharField(required=False, allow_blank=True, max_length=20)
    kind = serializers.ChoiceField(
        required=False, allow_blank=True, choices=KINDS, help_text="Kind of claim."
    )
    detector = serializers.ChoiceField(required=False, allow_blank=True, choices=DETECTORS)
    property = serializers.CharField(required=False, allow_blank=True, max_length=50, help_text="Code.")
    profile = serializers.IntegerField(
        required=False, min_value=1, max_value=10**9, help_text="Version of thresholds."
    )
    model = serializers.CharField(required=False, allow_blank=True, max_length=200)
    verifier = serializers.CharField(
        required=False, allow_blank=True, max_length=300, help_text="Method, model and prompt version."
    )

    def get_fields(self) -> dict[str, Any]:
        """With ``from``, which Python cannot name."""
        begin = serializers.DateField(required=False, help_text="The first day; four weeks unless given.")
        return {"from": begin, **super().get_fields()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The days in order and not too many."""
        last: date = attrs.setdefault("to", timezone.now().date())
        if last.toordinal() <= MOST_DAYS or last.year > 9000:
            raise ValidationError({"to": gettext("Give a day of our time.")})
        first: date = attrs.setdefault("from", last - timedelta(days=USUAL_DAYS - 1))
        if first > last:
            raise ValidationError({"from": gettext("Give a day that is not after the last one.")})
        if (last - first).days >= MOST_DAYS:
            raise ValidationError({"from": gettext("Give at most %(days)d days.") % {"days": MOST_DAYS}})
        return attrs

    def scope(self, caller: Caller) -> Scope:
        """The rows that were asked for, of those that ``caller`` may see; only for valid data."""
        given = dict(self.validated_data)
        first, last = given.pop("from"), given.pop("to")
        return Scope(caller, first, last, **given)
