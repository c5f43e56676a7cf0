"""Who people are at an OpenID Connect provider: by its issuer and subject, never by a name or an e-mail alone."""

import hashlib
import logging
import re
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, models, transaction

from detection.identity_provider import PROPERTIES, ROLE, IdentityProvider
from detection.models.finance import PropertyGroup
from detection.models.standing import Change

log = logging.getLogger(__name__)


class Unknown(PermissionDenied):
    """Nobody here is linked with this identity, and the configuration makes nobody of it."""


class Closed(PermissionDenied):
    """The person of this identity may not log in."""


class Identity(models.Model):
    """A person at a provider. ``given`` is what the claims of their last sign-in gave, which goes with them."""

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="identities")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    given = models.JSONField(default=list, editable=False)
    linked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "identities"
        ordering = ["person", "issuer"]
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="one_person_an_identity")]

    def __str__(self) -> str:
        return f"{self.person}: {self.issuer} {self.subject}"

    @classmethod
    def signed_in(cls, provider: IdentityProvider, claims: Mapping[str, Any]) -> User:
        """The person that these claims, which were checked, are of: with the roles and property groups that they give.

        Raises :class:`Unknown` and :class:`Closed`.
        """
        try:
            return cls._signed_in(provider, claims)
        except IntegrityError:  # their first two sign-ins at once: now they are known
            return cls._signed_in(provider, claims)

    @classmethod
    @transaction.atomic
    def _signed_in(cls, provider: IdentityProvider, claims: Mapping[str, Any]) -> User:
        named = {"issuer": provider.issuer, "subject": str(claims["sub"])}
        known = cls.objects.select_for_update().filter(**named).first()
        if known is None and not provider.creates:
            raise Unknown
        change = Change(None, [known.person] if known else ())
        identity = known or cls._first(named, claims)
        if not identity.person.is_active:
            raise Closed
        identity._give(provider.given_by(claims), provider.gives)
        change.end(identity.person)
        return identity.person

    @classmethod
    def _first(cls, named: Mapping[str, str], claims: Mapping[str, Any]) -> "Identity":
        """Somebody who was not here before. Their names are shown alone; their account name is nobody else's."""
        given, family = (str(claims.get(name) or "")[:150] for name in ("given_name", "family_name"))
        person = User(username=_free_name(named, claims), first_name=given, last_name=family)
        person.set_unusable_password()
        person.save()
        return cls.objects.create(person=person, **named)

    def _give(self, wanted: set[str], managed: set[str]) -> None:
        """Give what is ``wanted``, and take what claims gave before or would give (``managed``) and do not now."""
        given = {target for target in wanted if self._put(target, held=True)}
        for target in (managed | {*self.given}) - wanted:
            self._put(target, held=False)
        self.given = sorted(given)
        self.save(update_fields=["given"])

    def _put(self, target: str, *, held: bool) -> bool:
        """Whether there is such a role or group of properties, which the person then has, or has no longer."""
        if target.startswith(ROLE):
            rows: Any = Group.objects.filter(name=target.removeprefix(ROLE))
            of_person: Any = self.person.groups
        else:
            rows = PropertyGroup.objects.filter(name=target.removeprefix(PROPERTIES))
            of_person = self.person.property_groups
        found = rows.first()
        if found is None:
            log.warning("identity_group_missing target=%s", target)
            return False
        (of_person.add if held else of_person.remove)(found)
        return True


def _free_name(named: Mapping[str, str], claims: Mapping[str, Any]) -> str:
    """The name that the provider prefers, made other where somebody has it; without one the subject's."""
    wanted = re.sub(r"[^\w.@+-]", "", str(claims.get("preferred_username") or ""))[:100]
    mark = hashlib.sha256(" ".join(named.values()).encode()).hexdigest()[:12]
    free = wanted and not User.objects.filter(username__iexact=wanted).exists()
    return wanted if free else f"{wanted or 'person'}-{mark}"
