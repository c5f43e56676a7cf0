"""Who may call the API: named, revocable keys with scopes, of which only a digest is stored (SEC-6), and their history."""

import hashlib
import secrets
import zlib
from collections.abc import Iterable
from typing import Any, Self

from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from detection.models.events import Event
from detection.models.finance import Property
from detection.models.standing import NotHeld, Standing, lacking, refuse, standing

SCOPES = ("submit", "read", "review", "admin")
JUDGES = frozenset({"reviewer", "senior"})
SCOPE_ROLES = {
    "submit": JUDGES | {"viewer", "admin"},
    "read": JUDGES | {"viewer", "admin"},
    "review": JUDGES,
    "admin": frozenset({"admin"}),
}
"""Who may do themselves what a scope allows, by roles; the scope admin allows all of it."""


class ApiKey(models.Model):
    """A caller of the API. Without ``all_properties`` it sees its ``properties``, which may be none.

    It acts for ``user``, whose verdicts the scope review gives, from when that person has agreed: ``consented_at``.
    """

    name = models.CharField(max_length=100, unique=True)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(max_length=12, editable=False)
    scopes = models.JSONField(default=list)
    all_properties = models.BooleanField(
        default=False,
        db_default=False,
        help_text="It sees every property, those to come too. Without it, the properties that are named, and no others.",
    )
    properties = models.ManyToManyField("detection.Property", blank=True, related_name="api_keys")
    user = models.ForeignKey(
        "auth.User",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="api_keys",
        help_text="Whose verdicts the review scope gives, once that person has agreed.",
    )
    consented_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True, blank=True, editable=False)
    expires = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(consented_at__isnull=True) | Q(user__isnull=False),
                name="key_consent_is_of_a_person",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_authenticated(self) -> bool:
        """A key that was found is a caller; DRF asks this of ``request.user``."""
        return True

    @property
    def is_live(self) -> bool:
        """Neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or self.expires > timezone.now())

    @property
    def sees_nothing(self) -> bool:
        """Whether no property is named, nor all of them."""
        return not self.all_properties and not self.properties.exists()

    @property
    def acts_for(self) -> User | None:
        """The person who agreed that this key acts for them and may still log in; None without."""
        return self.user if self.consented_at and self.user and self.user.is_active else None

    @classmethod
    @transaction.atomic
    def issue(
        cls,
        name: str,
        scopes: list[str],
        *,
        actor: User | None = None,
        properties: Iterable[Property] = (),
        **fields: Any,
    ) -> tuple[Self, str]:
        """Make a key and return it with its plain text, which is shown once and never stored. ``actor`` None is whoever
        runs this machine.

        Raises :class:`ValueError` for an unknown scope, :class:`NotHeld` for a key that may do more than ``actor``.
        """
        secret = secrets.token_urlsafe(32)
        plain = f"hallu_{secret}{zlib.crc32(secret.encode()):08x}"
        key = cls(name=name, digest=cls.digest_of(plain), prefix=plain[:12], scopes=scopes, **fields)
        key._check_scopes()
        key.save(force_insert=True)
        key.properties.set(properties)
        key._check_held(actor)
        AccessEvent.append(key, "issued", actor=actor, after=key.content())
        return key, plain

    @transaction.atomic
    def change(
        self, *, actor: User | None = None, properties: Iterable[Property] | None = None, **fields: Any
    ) -> None:
        """Change what the key is called, may do and sees, until when and for whom it acts. Whatever but its name
        changes ends the consent of the person it acts for: they agreed to something else.

        Raises as :meth:`issue` does.
        """
        key = self._locked()
        before = key.content()
        for name, value in fields.items():
            setattr(key, name, value)
        key._check_scopes()
        if properties is not None:
            key.properties.set(properties)
        if _differing(before, key.content()) - {"name"}:
            key.consented_at = None
        key.save(update_fields=[*fields, "consented_at"])
        after = key.content()
        changed = _differing(before, after)
        if changed:
            key._check_held(actor)
            was, now = ({name: content[name] for name in sorted(changed)} for content in (before, after))
            AccessEvent.append(key, "changed", actor=actor, before=was, after=now)
        self.refresh_from_db()

    def content(self) -> dict[str, Any]:
        """What the key may do and sees, as histories keep it."""
        return {
            "name": self.name,
            "scopes": sorted(self.scopes),
            "all_properties": self.all_properties,
            "properties": sorted(self.properties.values_list("code", flat=True)),
            "user": self.user.username if self.user else None,
            "expires": self.expires.isoformat() if self.expires else None,
            "consent": self.consented_at.isoformat() if self.consented_at else None,
        }

    def agree(self, person: User, seen: int | None) -> None:
        """``person`` lets the key act for them, as it stood in its event number ``seen``.

        Raises :class:`NotHeld` for anybody but the one it would act for, and for a key that has changed since or ended.
        """
        self._consent(person, timezone.now(), "consented", seen)

    def withdraw(self, person: User) -> None:
        """``person`` no longer lets the key act for them. Raises :class:`NotHeld` for anybody else."""
        self._consent(person, None, "consent_withdrawn")

    @transaction.atomic
    def _consent(self, person: User, when: Any, action: str, seen: int | None = None) -> None:
        key = self._locked()
        if key.user_id != person.pk:
            raise NotHeld(gettext("This key does not act for you."))
        if bool(key.consented_at) == bool(when):
            return
        if when and not (key.is_live and seen == key.last_event()):
            raise NotHeld(gettext("This key has changed meanwhile. Look at it again."))
        before = key.content()
        key.consented_at = when
        key.save(update_fields=["consented_at"])
        was, now = ({"consent": content["consent"]} for content in (before, key.content()))
        AccessEvent.append(key, action, actor=person, before=was, after=now)
        self.refresh_from_db()

    def last_event(self) -> int:
        """The number of the last event in the key's history; 0 for none."""
        last = AccessEvent.objects.filter(subject=self).order_by("-seq").first()
        return last.seq if last else 0

    def _locked(self) -> "ApiKey":
        return type(self)._default_manager.select_for_update().get(pk=self.pk)

    def _check_scopes(self) -> None:
        unknown = [scope for scope in self.scopes if scope not in SCOPES]
        if unknown or not self.scopes:
            raise ValueError(f"Scopes are {', '.join(SCOPES)}; not {', '.join(unknown) or 'none'}.")

    def _check_held(self, actor: User | None) -> None:
        """Raise :class:`NotHeld` unless ``actor`` may do and sees all that the key does."""
        if actor is None:
            return
        person = User.objects.select_for_update().get(pk=actor.pk)
        held = standing(person)
        if not held["everything"]:
            opened = SCOPES if "admin" in self.scopes else self.scopes
            scopes = [scope for scope in opened if not SCOPE_ROLES[scope] & {*held["roles"]}]
            unseen = self.properties.exclude(pk__in=Property.seen_by(person).values("pk"))
            wanted: Standing = {"all_properties": self.all_properties}
            refuse([*scopes, *lacking(held, wanted), *unseen.values_list("code", flat=True)])

    @staticmethod
    def digest_of(plain: str) -> str:
        """SHA-256 of a key's plain text, hex: 256 bits of entropy need no slow hash."""
        return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()

    @classmethod
    def find(cls, plain: str) -> "ApiKey | None":
        """The live key with this plain text, or None when it is unknown, expired or revoked."""
        key = cls.objects.filter(digest=cls.digest_of(plain), revoked=None).first()
        return key if key and key.is_live else None

    @transaction.atomic
    def revoke(self, *, actor: Any = None, reason: str = "") -> None:
        """End the key now; calling it again changes nothing."""
        now = timezone.now()
        if ApiKey.objects.filter(pk=self.pk, revoked=None).update(revoked=now):
            ended = {"revoked": None}, {"revoked": now.isoformat()}
            AccessEvent.append(self, "revoked", actor=actor, before=ended[0], after=ended[1], reason=reason)
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


def _differing(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {name for name, value in after.items() if before[name] != value}
