"""Who may call the API: named, revocable keys with scopes, of which only a digest is stored (SEC-6). And the histories
of access: what happened to a key, and to what a person may do and see."""

import hashlib
import secrets
import zlib
from typing import Any, Self

from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils import timezone

from detection.models.events import Event

SCOPES = ("submit", "read", "review", "admin")


class ApiKey(models.Model):
    """A caller of the API. ``properties`` empty means every property."""

    name = models.CharField(max_length=100, unique=True)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(max_length=12, editable=False)
    scopes = models.JSONField(default=list)
    properties = models.ManyToManyField("detection.Property", blank=True, related_name="api_keys")
    user = models.ForeignKey(
        "auth.User",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="api_keys",
        help_text="Whose verdicts the review scope gives.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True, blank=True, editable=False)
    expires = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_authenticated(self) -> bool:
        """A key that was found is a caller; DRF asks this of ``request.user``."""
        return True

    @classmethod
    @transaction.atomic
    def issue(cls, name: str, scopes: list[str], *, actor: Any = None, **fields: Any) -> tuple[Self, str]:
        """Make a key and return it with its plain text, which is shown once and never stored.

        Raises :class:`ValueError` for an unknown scope.
        """
        unknown = [scope for scope in scopes if scope not in SCOPES]
        if unknown or not scopes:
            raise ValueError(f"Scopes are {', '.join(SCOPES)}; not {', '.join(unknown) or 'none'}.")
        secret = secrets.token_urlsafe(32)
        plain = f"hallu_{secret}{zlib.crc32(secret.encode()):08x}"
        key = cls.objects.create(
            name=name, digest=cls.digest_of(plain), prefix=plain[:12], scopes=scopes, **fields
        )
        AccessEvent.append(key, "issued", actor=actor, after={"name": name, "scopes": scopes})
        return key, plain

    @staticmethod
    def digest_of(plain: str) -> str:
        """SHA-256 of a key's plain text, hex: 256 bits of entropy need no slow hash."""
        return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()

    @classmethod
    def find(cls, plain: str) -> "ApiKey | None":
        """The live key with this plain text, or None when it is unknown, expired or revoked."""
        key = cls.objects.filter(digest=cls.digest_of(plain), revoked=None).first()
        return key if key and (key.expires is None or key.expires > timezone.now()) else None

    @transaction.atomic
    def revoke(self, *, actor: Any = None, reason: str = "") -> None:
        """End the key now; calling it again changes nothing."""
        if ApiKey.objects.filter(pk=self.pk, revoked=None).update(revoked=timezone.now()):
            AccessEvent.append(self, "revoked", actor=actor, reason=reason)
        self.refresh_from_db()

    def used(self) -> None:
        """Remember that the key was used, at most once a minute so that reads stay reads."""
        now = timezone.now()
        if self.last_used is None or (now - self.last_used).total_seconds() > 60:
            ApiKey.objects.filter(pk=self.pk).update(last_used=now)


class AccessEvent(Event):
    """What happened to an API key."""

    subject = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="access_event_seq_unique")]


class PersonEvent(Event):
    """What changed in what a person may do and see: roles, property groups, whether they may log in."""

    subject = models.ForeignKey(User, on_delete=models.PROTECT, related_name="access_events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="person_event_seq_unique")]

    @classmethod
    def note(cls, person: User, before: dict[str, Any], *, actor: Any) -> None:
        """Write down what of :func:`standing` differs from ``before``; nothing when nothing does."""
        after = standing(person)
        changed = [name for name, value in after.items() if before.get(name) != value]
        if changed:
            was = {name: before[name] for name in changed if name in before}
            now = {name: after[name] for name in changed}
            cls.append(person, "access_changed" if before else "added", actor=actor, before=was, after=now)


def standing(person: User) -> dict[str, Any]:
    """What a person may do and see, as histories keep it."""
    return {
        "log_in": person.is_active,
        "administration": person.is_staff,
        "everything": person.is_superuser,
        "roles": sorted(person.groups.values_list("name", flat=True)),
        "property_groups": sorted(person.property_groups.values_list("name", flat=True)),
    }
