"""Calibration maps: versioned, frozen once fitted, at most one active for each verifier (review-queue §5.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.core import calibration as core
from detection.models.events import Event

LEAST = 200
"""Labels below which no map is fitted (quality §4)."""


class MapChanged(Exception):
    """Somebody else activated or deactivated a map of this verifier meanwhile; nothing was written."""


@dataclass(frozen=True, slots=True)
class Split:
    """Answers that finished from ``first`` to ``last``, both included: how many of them are labelled."""

    first: date
    last: date
    n: int


class CalibrationMap(models.Model):
    """One map from adjusted confidence to the share of answers judged right, for the answers of one ``verifier``
    (:func:`detection.runs.calibration.verifier_of`).

    It was fitted on earlier days and reported on later ones. Its coefficients never change; activating a retired
    version again brings it back, and deactivating shows raw confidences again. Finished runs keep what they have.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        ACTIVE = "active", _("Active")
        RETIRED = "retired", _("Retired")

    class Method(models.TextChoices):
        ISOTONIC = "isotonic", _("Isotonic")
        PLATT = "platt", _("Platt")

    verifier = models.CharField(max_length=300)
    version = models.PositiveIntegerField()
    method = models.CharField(max_length=10, choices=Method.choices)
    coefficients = models.JSONField()
    fitted_from = models.DateField()
    fitted_to = models.DateField()
    fitted_n = models.PositiveIntegerField()
    reported_from = models.DateField()
    reported_to = models.DateField()
    reported_n = models.PositiveIntegerField()
    report = models.JSONField(help_text="ECE, Brier score and bins on the later days, before and after.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    activated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["verifier", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["verifier", "version"], name="one_map_per_verifier_and_version"),
            models.UniqueConstraint(
                fields=["verifier"], condition=Q(state="active"), name="one_active_map_per_verifier"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "active", "retired"]), name="map_state_is_known"
            ),
            models.CheckConstraint(condition=Q(method__in=["isotonic", "platt"]), name="map_method_is_known"),
            models.CheckConstraint(condition=Q(fitted_n__gte=LEAST), name="map_has_enough_labels"),
            models.CheckConstraint(
                condition=Q(fitted_to__lt=F("reported_from")), name="map_is_reported_on_later_days"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verifier} v{self.version} ({self.state})"

    @classmethod
    @transaction.atomic
    def draft(
        cls,
        verifier: str,
        fitted: core.Map,
        *,
        on: Split,
        reported: Split,
        report: Mapping[str, Any],
        actor: Any = None,
    ) -> Self:
        """A new version, not yet used. Raises :class:`ValidationError` for a map fitted on fewer than
        :data:`LEAST` labels or reported on days that are not later."""
        if on.n < LEAST or on.last >= reported.first:
            raise ValidationError(gettext("A map needs 200 labels, and later days to report on."))
        cls._lock(verifier)
        last = cls.objects.filter(verifier=verifier).order_by("-version").first()
        made = cls.objects.create(
            verifier=verifier,
            version=last.version + 1 if last else 1,
            method=cls.Method.ISOTONIC if isinstance(fitted, core.Isotonic) else cls.Method.PLATT,
            coefficients=core.dump(fitted),
            fitted_from=on.first,
            fitted_to=on.last,
            fitted_n=on.n,
            reported_from=reported.first,
            reported_to=reported.last,
            reported_n=reported.n,
            report=dict(report),
            created_by=actor,
        )
        CalibrationEvent.append(
            made, "fitted", actor=actor, after={"method": made.method, "labels": made.fitted_n}
        )
        return made

    @classmethod
    def active(cls, verifier: str) -> Self | None:
        """The map that applies to new answers of a verifier; one query."""
        return cls.objects.filter(verifier=verifier, state=cls.State.ACTIVE).first()

    def curve(self) -> core.Map:
        """The map itself."""
        return core.load(self.method, self.coefficients)

    @transaction.atomic
    def activate(self, *, actor: Any = None, reason: str = "", instead_of: int | None = None) -> None:
        """draft or retired → active; the active map of the verifier retires.

        ``instead_of`` is the key of the map that the person saw active, None for none. Raises
        :class:`MapChanged` when another is by now, :class:`ValidationError` when this one is.
        """
        current = self._current(instead_of)
        if current is not None and current.pk == self.pk:
            raise ValidationError(gettext("This map is active already."))
        if current is not None:
            current._move(self.State.RETIRED, actor, f"replaced by version {self.version}")
        self._move(self.State.ACTIVE, actor, reason, activated_at=timezone.now())

    @transaction.atomic
    def deactivate(self, *, actor: Any = None, reason: str = "") -> None:
        """active → retired: new answers of the verifier show raw confidences again. Raises :class:`MapChanged`
        when it is not active any more."""
        self._current(self.pk)
        self._move(self.State.RETIRED, actor, reason)

    def _current(self, expected: int | None) -> "CalibrationMap | None":
        self._lock(self.verifier)
        current = type(self).active(self.verifier)
        if (current.pk if current else None) != expected:
            raise MapChanged(gettext("Another map was activated or deactivated meanwhile. Look again."))
        return current

    @classmethod
    def _lock(cls, verifier: str) -> None:
        """Let changes of one verifier's maps come one after the other."""
        list(cls.objects.select_for_update().filter(verifier=verifier).order_by("pk").values_list("pk"))

    def _move(self, state: State, actor: Any, reason: str, **changes: Any) -> None:
        self.refresh_from_db()
        before = self.state
        CalibrationMap.objects.filter(pk=self.pk).update(state=state, **changes)
        self.refresh_from_db()
        CalibrationEvent.append(
            self,
            "activated" if state == self.State.ACTIVE else "retired",
            actor=actor,
            before={"state": before},
            after={"state": state.value},
            reason=reason,
        )


class CalibrationEvent(Event):
    """What happened to a calibration map."""

    subject = models.ForeignKey(CalibrationMap, on_delete=models.PROTECT, related_name="events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [
            models.UniqueConstraint(fields=["subject", "seq"], name="calibration_event_seq_unique")
        ]
