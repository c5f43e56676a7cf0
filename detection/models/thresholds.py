"""Threshold profiles: versioned, immutable once in use, exactly one active, at most two shadows (contracts §6)."""

from collections.abc import Mapping
from typing import Any, Self

from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext

from detection.models.events import Event
from detection.models.profile_record import ProfileRecord
from detection.profiles.files import NotAProfile, read
from detection.profiles.gates import Gate, GateClosed

SLOTS = (1, 2)
"""Places for shadows: each costs every answer a second decision."""
MAY_BECOME_ACTIVE = {ProfileRecord.State.DRAFT, ProfileRecord.State.SHADOW}
NOT_ASKED: dict[str, Any] = {"asked_by": None, "asked_at": None, "asked_reason": ""}
NOTHING: Mapping[str, Any] = {}
ACTIVE = "SELECT id FROM detection_thresholdprofile WHERE state = %s"
"""Written out: every answer that is taken in asks this, and Django takes longer to write it than the database to answer."""


class Overtaken(Exception):
    """Another version became active since the caller looked; nothing was changed. ``version``, ``who`` and
    ``when`` say which it was."""

    def __init__(self, active: "ThresholdProfile") -> None:
        event = active.events.filter(action="active").order_by("-seq").first()
        actor = event.actor if event else None
        self.version = active.version
        self.who = actor.get_full_name() or actor.get_username() if actor else gettext("the system")
        self.when = active.activated_at
        told = {
            "n": active.version,
            "who": self.who,
            "when": f"{self.when:%Y-%m-%d %H:%M} UTC" if self.when else "–",
        }
        super().__init__(gettext("%(who)s activated version %(n)s (%(when)s). Nothing was changed.") % told)


class ThresholdProfile(ProfileRecord):
    """One version of all thresholds. Its state moves only by the methods below, each with its event."""

    class Meta(ProfileRecord.Meta):
        abstract = False

    @classmethod
    def active(cls) -> Self:
        """The profile that new runs are judged by. Raises :class:`DoesNotExist` before the first migration."""
        return cls.objects.get(state=cls.State.ACTIVE)

    @classmethod
    def active_id(cls) -> int:
        """The number of that profile. Raises as :meth:`active` does."""
        with connection.cursor() as cursor:
            cursor.execute(ACTIVE, [cls.State.ACTIVE])
            found = cursor.fetchone()
        if found is None:
            raise cls.DoesNotExist("No version is active.")
        return int(found[0])

    @classmethod
    @transaction.atomic
    def draft(
        cls,
        values: Mapping[str, Any],
        *,
        scoring: str = "information_budget",
        note: str = "",
        actor: Any = None,
        copied_from: Self | None = None,
        learnt: Mapping[str, Mapping[str, Any]] = NOTHING,
    ) -> Self:
        """A new version to work on; ``learnt`` says what its limits of doubt were learnt from, by their names. Raises :class:`ValidationError` for values out of bounds."""
        cls._lock_all()
        last = cls.objects.order_by("-version").first()
        profile = cls(
            version=last.version + 1 if last else 1,
            values=dict(values),
            scoring=scoring,
            note=note,
            created_by=actor,
            copied_from=copied_from,
        )
        profile.full_clean()
        profile.save()
        after = {"values": profile.values, "scoring": scoring}
        if copied_from:
            after["copied_from"] = copied_from.version
        if learnt:
            after["learnt"] = dict(learnt)
        ProfileEvent.append(profile, "drafted", actor=actor, after=after)
        return profile

    @classmethod
    def from_yaml(cls, text: str, *, actor: Any = None) -> Self:
        """A draft of what a file holds. Raises :class:`ValidationError` that names the lines and keys at fault."""
        try:
            file = read(text, tuple(cls.Scoring.values))
        except NotAProfile as error:
            raise ValidationError(str(error)) from error
        return cls.draft(file.values, scoring=file.scoring, note=file.note, actor=actor)

    @transaction.atomic
    def change(
        self, values: Mapping[str, Any], *, scoring: str, note: str, actor: Any = None, reason: str = ""
    ) -> None:
        """Another wording of a draft; whoever asked to activate it asks again. Raises :class:`ValidationError` for
        values out of bounds and once it has left draft."""
        stored = type(self).objects.select_for_update().get(pk=self.pk)
        if stored.state != self.State.DRAFT:
            raise ValidationError(self._cannot(gettext("changed")))
        wanted = {"values": dict(values), "scoring": scoring, "note": note}
        before = {
            name: getattr(stored, name) for name, value in wanted.items() if getattr(stored, name) != value
        }
        if not before:
            return
        for name, value in {**wanted, **NOT_ASKED}.items():
            setattr(self, name, value)
        self.full_clean()
        self.save()
        after = {name: wanted[name] for name in before}
        ProfileEvent.append(self, "changed", actor=actor, before=before, after=after, reason=reason)

    @transaction.atomic
    def shadow(self, *, actor: Any = None, reason: str = "") -> None:
        """draft → shadow: judge live answers beside the active profile without opening reviews. Raises
        :class:`ValidationError` when two shadows run already."""
        self._lock_all()
        taken = set(type(self).objects.exclude(shadow_slot=None).values_list("shadow_slot", flat=True))
        free = [slot for slot in SLOTS if slot not in taken]
        self.refresh_from_db()
        if not free and self.state == self.State.DRAFT:
            raise ValidationError(gettext("Two shadows are running already. Retire one of them first."))
        placed: dict[str, Any] = {"shadow_slot": free[0] if free else None, "shadow_since": timezone.now()}
        self._move({self.State.DRAFT}, self.State.SHADOW, actor, reason, **placed)

    @transaction.atomic
    def activate(
        self, *, actor: Any = None, reason: str = "", gate: Gate | None = None, seen: int | None = None
    ) -> None:
        """draft or shadow → active; the profile active until now retires.

        ``gate`` is what :func:`detection.profiles.gates.gate_of` says; without one nobody was asked, which is for a shell.
        ``seen`` is the version that the caller saw active. Raises :class:`GateClosed` when the gate is closed,
        :class:`Overtaken` when another version is active by now, :class:`ValidationError` from another state and
        when a draft was worded anew since it was read.
        """
        if gate and not gate.open and self.state in MAY_BECOME_ACTIVE:
            raise GateClosed(gate)
        self._become_active(actor, reason, gate.kept() if gate else None, seen)

    @transaction.atomic
    def ask(self, *, actor: Any, reason: str, gate: Gate) -> None:
        """Ask to activate a draft or shadow in spite of a closed gate: somebody else confirms."""
        if not reason.strip():
            raise ValidationError(gettext("Say why it should become active in spite of the gate."))
        waiting = type(self).objects.filter(pk=self.pk, state__in=MAY_BECOME_ACTIVE, asked_by=None)
        if not waiting.update(asked_by=actor, asked_at=timezone.now(), asked_reason=reason.strip()):
            raise ValidationError(
                gettext("Somebody has asked for this already, or it has moved on. Reload the page.")
            )
        self.refresh_from_db()
        ProfileEvent.append(
            self, "asked", actor=actor, after={"gate": gate.text}, reason=reason, profile=self
        )

    @transaction.atomic
    def confirm(self, *, actor: Any, gate: Gate, seen: int | None = None) -> None:
        """Activate what another person has asked for in spite of a closed gate. Raises :class:`ValidationError`
        when nobody has, or the same person confirms; else as :meth:`activate`."""
        self._lock_as_read()
        self.refresh_from_db()
        if self.asked_by_id is None:
            raise ValidationError(gettext("Nobody has asked for this version, or it was changed since."))
        if actor is None or self.asked_by_id == actor.pk:
            raise ValidationError(gettext("Another administrator than the one who asked has to confirm."))
        kept = {**gate.kept(), "overridden": not gate.open, "asked_by": self.asked_by_id}
        self._become_active(actor, self.asked_reason, kept, seen)

    @transaction.atomic
    def decline(self, *, actor: Any, reason: str = "") -> None:
        """Take an :meth:`ask` off the table."""
        if not type(self).objects.filter(pk=self.pk).exclude(asked_by=None).update(**NOT_ASKED):
            raise ValidationError(gettext("Nobody has asked for this version, or it was changed since."))
        self.refresh_from_db()
        ProfileEvent.append(self, "declined", actor=actor, reason=reason, profile=self)

    @transaction.atomic
    def rollback(self, *, actor: Any = None, note: str, seen: int | None = None) -> Self:
        """Copy this version, which was active once, forward as a new one that is active at once (§5.5). It needs
        no gate: its effect was seen. Raises :class:`ValidationError` without a note or for another version,
        :class:`Overtaken` as :meth:`activate`."""
        self._lock_all()
        self.refresh_from_db()
        if not self.can_come_back:
            raise ValidationError(gettext("Only a version that was active and is no longer can come back."))
        if not note.strip():
            raise ValidationError(gettext("Say why this version comes back."))
        copy = self.draft(self.values, scoring=self.scoring, note=note.strip(), actor=actor, copied_from=self)
        gate = Gate(
            open=True,
            why="rollback",
            text=gettext("It was active before, as version %(n)s.") % {"n": self.version},
        )
        copy._become_active(actor, note.strip(), gate.kept(), seen)
        return copy

    @property
    def can_come_back(self) -> bool:
        """Whether it was active and is no longer; a shadow that retired never was."""
        retired = self.events.filter(action="retired", body__before__state="active")
        return self.state == self.State.RETIRED and retired.exists()

    @property
    def learnt_from(self) -> dict[str, dict[str, Any]]:
        """What the limits of doubt of this version were learnt from when they were drafted, by their names; nothing of
        one that somebody wrote."""
        limits = self.values.get("base", {}).get("doubt_limits", {})
        drafted = ProfileEvent.objects.filter(
            action="drafted", body__after__has_key="learnt", subject__version__lte=self.version
        )
        return {
            name: told
            for event in drafted.order_by("subject__version")
            for name, told in event.after["learnt"].items()
            if limits.get(name) == told["limit"]
        }

    def retire(self, *, actor: Any = None, reason: str = "") -> None:
        """shadow or active → retired. Retiring the active profile alone leaves none: use :meth:`activate`."""
        self._move({self.State.SHADOW, self.State.ACTIVE}, self.State.RETIRED, actor, reason)

    def end_as_shadow(self, *, actor: Any = None, reason: str = "") -> None:
        """shadow → retired. The active one ends when another takes its place, since without one nothing is judged."""
        self._move({self.State.SHADOW}, self.State.RETIRED, actor, reason)

    def _become_active(self, actor: Any, reason: str, gate: dict[str, Any] | None, seen: int | None) -> None:
        told = gate or {}
        self._lock_as_read()
        current = type(self).objects.filter(state=self.State.ACTIVE).first()
        if current and {seen, told.get("against")} - {current.version, None}:
            raise Overtaken(current)
        if current and current.pk != self.pk:
            current.retire(actor=actor, reason=f"replaced by version {self.version}")
        self._move(
            MAY_BECOME_ACTIVE,
            self.State.ACTIVE,
            actor,
            reason,
            also={"gate": told.get("text", ""), "replaced": current.version if current else None},
            activated_at=timezone.now(),
            gate=gate,
            predicted_low=told.get("low"),
            predicted_high=told.get("high"),
        )

    @classmethod
    def _lock_all(cls) -> None:
        """Let drafts and activations come one after the other: what is the last or the active version is
        asked only once nobody else is changing it."""
        list(cls.objects.select_for_update().order_by("pk").values_list("pk"))

    def _lock_as_read(self) -> None:
        """Lock all versions; what the gate said of this one holds for the wording that was read."""
        self._lock_all()
        stored = type(self).objects.get(pk=self.pk)
        if (stored.values, stored.scoring) != (self.values, self.scoring):
            raise ValidationError(gettext("It was changed meanwhile. Reload the page and look at it again."))

    @transaction.atomic
    def _move(
        self,
        allowed: set[ProfileRecord.State],
        state: ProfileRecord.State,
        actor: Any,
        reason: str,
        also: Mapping[str, Any] = NOTHING,
        **changes: Any,
    ) -> None:
        before = self.state
        written = {"state": state, "shadow_slot": None, **changes}
        if state != self.State.SHADOW:
            written |= NOT_ASKED
        if not ThresholdProfile.objects.filter(pk=self.pk, state__in=allowed).update(**written):
            raise ValidationError(self._cannot(state))
        self.refresh_from_db()
        after = {"state": state.value, **also}
        ProfileEvent.append(
            self, state.value, actor=actor, before={"state": before}, after=after, reason=reason, profile=self
        )

    def _cannot(self, become: str) -> str:
        return f"Version {self.version} is {self.state} and cannot become {become}."


class ProfileEvent(Event):
    """What happened to a threshold profile."""

    subject = models.ForeignKey(ThresholdProfile, on_delete=models.PROTECT, related_name="events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="profile_event_seq_unique")]
