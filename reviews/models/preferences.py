"""How a person wants the screens: theme, language, keys."""

from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from detection.access import keep_roles


class Preferences(models.Model):
    """One row a person, made when they first change something; without one the defaults hold."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("As the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preferences"
    )
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    language = models.CharField(max_length=10, blank=True, help_text="Empty: as the browser asks for.")
    shortcuts = models.BooleanField(default=True, help_text="Whether single keys act.")
    keymap = models.JSONField(
        default=dict, blank=True, help_text="Name of a key in reviews.display.keys → its code."
    )

    class Meta:
        verbose_name_plural = "preferences"
        constraints = [
            models.CheckConstraint(condition=Q(theme__in=["system", "light", "dark"]), name="theme_is_known"),
        ]

    def __str__(self) -> str:
        return f"preferences of {self.user}"

    @classmethod
    def of(cls, user: Any) -> Self:
        """The preferences of ``user``, unsaved defaults when they have none or nobody is signed in.

        They stay with ``user``, so that a request asks for them once.
        """
        try:
            own: Self = user.preferences
        except (AttributeError, cls.DoesNotExist):
            own = cls(user=user if getattr(user, "pk", None) else None)
        return own

    @classmethod
    def of_request(cls, user: Any) -> Self:
        """:meth:`of` the person of a request, with whom their roles stay too: one query for both."""
        if user.is_authenticated:
            people = User.objects.select_related("preferences").annotate(group=F("groups__name"))
            rows = list(people.filter(pk=user.pk))
            keep_roles(user, (row.group for row in rows))
            user.preferences = next(
                (row.preferences for row in rows if hasattr(row, "preferences")), cls(user=user)
            )
        return cls.of(user)

    @classmethod
    def keep(cls, user: Any, **changed: Any) -> Self:
        """Store what ``user`` changed; ValidationError when a value is none of its field's."""
        own, _new = cls.objects.get_or_create(user=user)
        for name, value in changed.items():
            setattr(own, name, value)
        own.full_clean()
        own.save()
        return own
