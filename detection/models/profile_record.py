"""What a threshold profile is: its columns, its constraints, what its values may be and how two of them differ."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from detection.core import profile_values
from detection.core import thresholds as core
from detection.profiles.files import ProfileFile, written

if TYPE_CHECKING:
    from typing import Self

FROZEN = ("version", "values", "scoring")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""What files and JSON can write as an escape and databases refuse: NUL, and halves of surrogate pairs."""


class ProfileRecord(models.Model):
    """The columns of a profile. ``values`` is ``{"base": …, "overrides": […]}``, see
    :mod:`detection.core.profile_values`; what it leaves out has its declared default."""

    class State(models.TextChoices):
        DRAFT = "draft"
        SHADOW = "shadow"
        ACTIVE = "active"
        RETIRED = "retired"

    class Scoring(models.TextChoices):
        INFORMATION_BUDGET = "information_budget", "Information budget"
        SPEC08 = "spec08", "SPEC-08 to the letter"
        PYTHEA = "pythea", "Pythea"
        GOVIL = "govil", "GovIL"

    version = models.PositiveIntegerField(unique=True)
    values = models.JSONField(default=dict, blank=True)
    scoring = models.CharField(max_length=30, choices=Scoring.choices, default=Scoring.INFORMATION_BUDGET)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT, editable=False)
    note = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    activated_at = models.DateTimeField(null=True, blank=True, editable=False)
    copied_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="copies", editable=False
    )
    shadow_slot = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    shadow_since = models.DateTimeField(null=True, blank=True, editable=False)
    gate = models.JSONField(
        null=True, blank=True, editable=False, help_text="What the gate said when it became active."
    )
    predicted_low = models.FloatField(null=True, blank=True, editable=False)
    predicted_high = models.FloatField(null=True, blank=True, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
        help_text="Who wants it active in spite of a closed gate; somebody else confirms.",
    )
    asked_at = models.DateTimeField(null=True, blank=True, editable=False)
    asked_reason = models.TextField(blank=True, editable=False)

    class Meta:
        abstract = True
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="active"), name="one_threshold_profile_is_active"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "shadow", "active", "retired"]),
                name="threshold_profile_state_is_known",
            ),
            models.UniqueConstraint(fields=["shadow_slot"], name="one_threshold_profile_a_shadow_slot"),
            models.CheckConstraint(
                condition=Q(state="shadow", shadow_slot__isnull=False, shadow_slot__in=[1, 2])
                | (~Q(state="shadow") & Q(shadow_slot__isnull=True)),
                name="at_most_two_threshold_profiles_are_shadows",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} ({self.state})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; a profile that has left draft keeps its version, values and scoring for ever."""
        stored = (
            type(self)._default_manager.filter(pk=self.pk).exclude(state=self.State.DRAFT).first()
            if self.pk
            else None
        )
        if stored and any(getattr(stored, name) != getattr(self, name) for name in FROZEN):
            raise ValidationError("A profile is frozen once it has left draft. Draft a new version instead.")
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse unknown names, wrong types and values out of bounds, all of them at once."""
        faults = profile_values.faults(self.values)
        if faults:
            raise ValidationError({"values": [str(fault) for fault in faults]})
        if any(UNSTORABLE.search(text) for text in _texts([self.note, self.values])):
            raise ValidationError("A text holds characters that cannot be stored.")

    def resolve(self, facets: Mapping[str, str | None]) -> core.Thresholds:
        """The flat thresholds for one answer; ``facets`` are its language, property, question type and
        source quality."""
        return core.resolve(self.values, facets)

    def difference(self, other: "Self") -> list[profile_values.Difference]:
        """What ``other`` has that this one has not: each threshold with this one's value and the other's."""
        return profile_values.differences(self.values, self.scoring, other.values, other.scoring)

    def to_yaml(self) -> str:
        """The profile as a file that :meth:`ThresholdProfile.from_yaml` reads, here or in another system."""
        return written(ProfileFile(self.scoring, self.values, self.note, self.version))


def _texts(value: Any) -> Iterator[str]:
    """Every text in JSON values, keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts([*value, *value.values()])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
