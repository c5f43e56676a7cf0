"""Who may call the API: named, revocable keys with scopes, of which only a digest is stored (SEC-6), and their history."""

import hashlib
import secrets
import zlib
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Self

from django.contrib.auth.models import User
from django.core.validators import MinValueValidator
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
OPENED_BY = "SELECT * FROM detection_apikey WHERE digest = %s OR old_digest = %s"
"""Written out: every request of the API asks this, and Django takes longer to write it than the database to answer."""
OVERLAP = timedelta(days=7)
"""How long an old secret goes on beside the new one, unless it is said."""
NOT_AGREED_TO = {"name", "requests_per_minute"}
"""What may change of a key without asking again the person that it acts for."""


class ApiKey(models.Model):
    """A caller of the API. Without ``all_properties`` it sees its ``properties``, which may be none.

    It acts for ``user``, whose verdicts the scope review gives, from when that person has agreed: ``consented_at``.
    After a rotation the secret of before opens it too, until ``old_until``.
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
    old_digest = models.CharField(max_length=64, unique=True, null=True, editable=False)
    old_prefix = models.CharField(max_length=12, default="", db_default="", editable=False)
    old_until = models.DateTimeField(null=True, editable=False)
    requests_per_minute = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="How many requests it may send in a minute. Empty: as many as the setting for all keys says.",
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=~Q(requests_per_minute=0), name="key_may_send_something"),
            models.CheckConstraint(
                condition=Q(consented_at__isnull=True) | Q(user__isnull=False),
                name="key_consent_is_of_a_person",
            ),
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
        plain = _new_secret()
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
        """Change what the key is called, may do and sees, until when, for whom and how often it acts. Whatever but its
        name and its limit changes ends the consent of the person it acts for: they agreed to something else.

        Raises as :meth:`issue` does.
        """
        key = self._locked()
        before = key.content()
        for name, value in fields.items():
            setattr(key, name, value)
        key._check_scopes()
        if properties is not None:
            key.properties.set(properties)
        if _differing(before, key.content()) - NOT_AGREED_TO:
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
            "requests_per_minute": self.requests_per_minute,
        }

    @transaction.atomic
    def rotate(self, *, actor: User | None = None, overlap: timedelta = OVERLAP) -> str:
        """Give the key a new secret and return it, shown once and never stored; the present one goes on for ``overlap``.
        ``actor`` None is whoever runs this machine. The person that the key acts for has to agree again where somebody
        gets a secret who neither is that person nor made the present one.

        Raises :class:`ValueError` where :meth:`check_rotates` does, :class:`NotHeld` for a key that may do more than
        ``actor``.
        """
        key = self._locked()
        key.check_rotates(overlap)
        key._check_held(actor)
        plain, before = _new_secret(), key._secrets()
        key.old_digest, key.old_prefix = (key.digest, key.prefix) if overlap else (None, "")
        key.old_until = timezone.now() + overlap if overlap else None
        key.digest, key.prefix = key.digest_of(plain), plain[:12]
        if actor and actor.pk not in (key.user_id, key._made_by()):
            key.consented_at = None
        key._write_secrets("rotated", actor, before)
        self.refresh_from_db()
        return plain

    def check_rotates(self, overlap: timedelta) -> None:
        """Raise :class:`ValueError` for a key that has ended, an overlap of less than nothing or more than a year, and one
        beside a secret that still goes on from the rotation before."""
        if not self.is_live:
            raise ValueError(gettext("This key has ended; issue another one."))
        if not timedelta() <= overlap <= timedelta(days=366):
            raise ValueError(gettext("The old secret goes on for 0 to 366 days."))
        if overlap and self.old_secret_lives:
            raise ValueError(
                gettext(
                    "The secret before this one goes on until %(until)s. End it first, or rotate with 0 days, which ends both."
                )
                % {"until": f"{self.old_until:%Y-%m-%d %H:%M} UTC"}
            )

    @transaction.atomic
    def end_old_secret(self, *, actor: User | None = None) -> None:
        """End the overlap of a rotation now; without one this changes nothing."""
        key = self._locked()
        if key.old_secret_lives:
            before = key._secrets()
            key.old_digest, key.old_prefix, key.old_until = None, "", None
            key._write_secrets("old_secret_ended", actor, before)
        self.refresh_from_db()

    @property
    def old_secret_lives(self) -> bool:
        """Whether the secret before the last rotation still opens the key."""
        return self.old_until is not None and self.old_until > timezone.now()

    def _secrets(self) -> dict[str, Any]:
        """Which secrets open the key, as histories keep it: their first letters."""
        until = self.old_until if self.old_secret_lives else None
        old = {"old_secret": self.old_prefix, "old_until": until.isoformat()} if until else {}
        consent = {"consent": self.content()["consent"]}
        return {"secret": self.prefix, "old_secret": None, "old_until": None} | old | consent

    def _made_by(self) -> int | None:
        """Who made the present secret."""
        made = (
            AccessEvent.objects.filter(subject=self, action__in=["issued", "rotated"])
            .order_by("-seq")
            .first()
        )
        return made.actor_id if made else None

    def _write_secrets(self, action: str, actor: User | None, before: dict[str, Any]) -> None:
        self.save(update_fields=["digest", "prefix", "old_digest", "old_prefix", "old_until", "consented_at"])
        after = self._secrets()
        changed = sorted(_differing(before, after))
        was, now = ({name: content[name] for name in changed} for content in (before, after))
        AccessEvent.append(self, action, actor=actor, before=was, after=now)

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
        digest = cls.digest_of(plain)
        for key in cls.objects.raw(OPENED_BY, [digest, digest]):
            if key.is_live and (key.digest == digest or key.old_secret_lives):
                return key
        return None

    @classmethod
    def live_digests(cls) -> frozenset[str]:
        """The digests of all secrets that open a key now."""
        now = timezone.now()
        live = cls.objects.filter(Q(expires=None) | Q(expires__gt=now), revoked=None)
        old = live.filter(old_until__gt=now).values_list("old_digest", flat=True)
        return frozenset(live.values_list("digest", flat=True)) | frozenset(filter(None, old))

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


def _new_secret() -> str:
    secret = secrets.token_urlsafe(32)
    return f"hallu_{secret}{zlib.crc32(secret.encode()):08x}"


def _differing(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {name for name, value in after.items() if before[name] != value}
