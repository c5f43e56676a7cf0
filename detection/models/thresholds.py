"""Threshold profiles: versioned, immutable once in use, exactly one active (contracts §6)."""

from collections.abc import Mapping
from typing import Any, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from detection.core import thresholds as core
from detection.models.events import Event

FROZEN = ("version", "values", "scoring")
FACETS = ("language", "property", "question_type", "source_quality")


class ThresholdProfile(models.Model):
    """One version of all thresholds. ``values`` is ``{"base": …, "overrides": […]}``, see
    :func:`detection.core.thresholds.resolve`; what it leaves out has its declared default."""

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

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="active"), name="one_threshold_profile_is_active"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "shadow", "active", "retired"]),
                name="threshold_profile_state_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} ({self.state})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; a profile that has left draft keeps its version, values and scoring for ever."""
        stored = (
            ThresholdProfile.objects.filter(pk=self.pk).exclude(state=self.State.DRAFT).first()
            if self.pk
            else None
        )
        if stored and any(getattr(stored, name) != getattr(self, name) for name in FROZEN):
            raise ValidationError("A profile is frozen once it has left draft. Draft a new version instead.")
        super().save(*args, **kwargs)

    @classmethod
    def active(cls) -> Self:
        """The profile that new runs are judged by. Raises :class:`DoesNotExist` before the first migration."""
        return cls.objects.get(state=cls.State.ACTIVE)

    @classmethod
    @transaction.atomic
    def draft(
        cls,
        values: Mapping[str, Any],
        *,
        scoring: str = "information_budget",
        note: str = "",
        actor: Any = None,
    ) -> Self:
        """A new version to work on. Raises :class:`ValidationError` for values out of bounds."""
        cls._lock_all()
        last = cls.objects.order_by("-version").first()
        profile = cls(
            version=last.version + 1 if last else 1,
            values=dict(values),
            scoring=scoring,
            note=note,
            created_by=actor,
        )
        profile.full_clean()
        profile.save()
        ProfileEvent.append(
            profile, "drafted", actor=actor, after={"values": profile.values, "scoring": scoring}
        )
        return profile

    def clean(self) -> None:
        """Refuse unknown names, wrong types and values out of bounds."""
        try:
            self.resolve({})
            for override in self.values.get("overrides", []):
                unknown = set(override["when"]) - set(FACETS)
                if unknown:
                    raise ValueError(f"overrides apply to {', '.join(FACETS)}; not {', '.join(unknown)}.")
                core.validated(override["values"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValidationError({"values": str(error)}) from error

    def resolve(self, facets: Mapping[str, str | None]) -> core.Thresholds:
        """The flat thresholds for one answer; ``facets`` are its language, property, question type and
        source quality."""
        return core.resolve(self.values, facets)

    def shadow(self, *, actor: Any = None, reason: str = "") -> None:
        """draft → shadow: judge live answers beside the active profile without opening reviews."""
        self._move({self.State.DRAFT}, self.State.SHADOW, actor, reason)

    @transaction.atomic
    def activate(self, *, actor: Any = None, reason: str = "") -> None:
        """draft or shadow → active; the profile active until now retires."""
        self._lock_all()
        current = ThresholdProfile.objects.filter(state=self.State.ACTIVE).exclude(pk=self.pk).first()
        if current:
            current.retire(actor=actor, reason=f"replaced by version {self.version}")
        self._move(
            {self.State.DRAFT, self.State.SHADOW},
            self.State.ACTIVE,
            actor,
            reason,
            activated_at=timezone.now(),
        )

    @classmethod
    def _lock_all(cls) -> None:
        """Let drafts and activations come one after the other: what is the last or the active version is
        asked only once nobody else is changing it."""
        list(cls.objects.select_for_update().order_by("pk").values_list("pk"))

    def retire(self, *, actor: Any = None, reason: str = "") -> None:
        """shadow or active → retired. Retiring the active profile alone leaves none: use :meth:`activate`."""
        self._move({self.State.SHADOW, self.State.ACTIVE}, self.State.RETIRED, actor, reason)

    @transaction.atomic
    def _move(self, allowed: set[State], state: State, actor: Any, reason: str, **changes: Any) -> None:
        before = self.state
        if not ThresholdProfile.objects.filter(pk=self.pk, state__in=allowed).update(state=state, **changes):
            raise ValidationError(f"Version {self.version} is {before} and cannot become {state}.")
        self.refresh_from_db()
        ProfileEvent.append(
            self,
            state.value,
            actor=actor,
            before={"state": before},
            after={"state": state.value},
            reason=reason,
            profile=self,
        )


class ProfileEvent(Event):
    """What happened to a threshold profile."""

    subject = models.ForeignKey(ThresholdProfile, on_delete=models.PROTECT, related_name="events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="profile_event_seq_unique")]
