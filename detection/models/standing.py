"""What a person holds, and the one way to change it: nobody gives more than they hold themselves (SEC-2).

Whatever is done to people's rights, roles, property groups and ways to sign in happens inside a :class:`Change`, which locks
the rows that it judges by and writes the histories.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.models.events import Event

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Standing = Mapping[str, Any]
FLAGS: "dict[str, StrOrPromise]" = {
    "everything": _("everything"),
    "administration": _("administration"),
    "all_properties": _("all properties"),
}
LISTS = ("roles", "permissions", "property_groups")


class NotHeld(PermissionDenied):
    """Somebody would give, or change, what they do not hold themselves; nothing was written."""


class PersonEvent(Event):
    """What changed in what a person may do and see: roles, property groups, how they sign in and whether; and each time
    that they did."""

    subject = models.ForeignKey(User, on_delete=models.PROTECT, related_name="access_events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="person_event_seq_unique")]


def standing(person: User) -> dict[str, Any]:
    """What a person may do and see, as histories keep it. A superuser's permissions are not listed."""
    groups = person.property_groups
    return {
        "user_name": person.username,
        "log_in": person.is_active,
        "administration": person.is_staff,
        "everything": person.is_superuser,
        "roles": sorted(person.groups.values_list("name", flat=True)),
        "permissions": [] if person.is_superuser else _permissions(Q(user=person) | Q(group__user=person)),
        "property_groups": sorted(groups.values_list("name", flat=True)),
        "all_properties": groups.filter(all_properties=True).exists(),
        "second_factor": User.objects.filter(pk=person.pk, second_factor__isnull=False).exists(),
        "identities": sorted(" ".join(names) for names in person.identities.values_list("issuer", "subject")),
    }


def _permissions(whose: Q) -> list[str]:
    named = Permission.objects.filter(whose).values_list("content_type__app_label", "codename")
    return sorted({f"{app}.{name}" for app, name in named})


def lacking(held: Standing, given: Standing) -> list[str]:
    """What of ``given`` somebody with the standing ``held`` does not hold; of a superuser nothing."""
    if held["everything"]:
        return []
    flags = [str(word) for name, word in FLAGS.items() if given.get(name) and not held[name]]
    seen = "property_groups" if held["all_properties"] else ""
    return flags + [
        item for name in LISTS if name != seen for item in given.get(name, ()) if item not in held[name]
    ]


def refuse(lacks: Iterable[str]) -> None:
    """Raise :class:`NotHeld`, naming what somebody lacks, when it is anything."""
    named = ", ".join(lacks)
    if named:
        raise NotHeld(gettext("Nobody gives what they do not hold themselves: %(named)s.") % {"named": named})


@dataclass(frozen=True, slots=True)
class _Seen:
    """A person's standing, and what of them no history keeps."""

    standing: Standing
    password: str
    email: str
    usable: bool

    @classmethod
    def of(cls, person: User) -> Self:
        return cls(standing(person), person.password, person.email, person.has_usable_password())

    def told(self, other: "_Seen | None") -> dict[str, Any]:
        """What histories keep of the differences to ``other``, as it is here."""
        kept = {
            name: value for name, value in self.standing.items() if not other or other.standing[name] != value
        }
        if other and other.password != self.password:
            kept["password"] = self.usable
        return kept


class Change:
    """A change of what ``people`` may do and see by ``actor``, under way; None is whoever runs this machine, and holds
    everything. ``bundles`` are roles and property groups that are changed with what they give.

    Begins inside the transaction of the change, in which :meth:`end` judges it by what the actor held before.
    """

    def __init__(
        self, actor: User | None, people: Iterable[User], *, bundles: Iterable[models.Model] = ()
    ) -> None:
        self.actor, self.bundles = actor, [_locked(bundle) for bundle in bundles]
        self.given_before = [_gives(bundle) for bundle in self.bundles]
        whose = {person.pk for person in people}
        rows = User.objects.select_for_update().filter(pk__in=whose | ({actor.pk} if actor else set()))
        found = {person.pk: person for person in rows.order_by("pk")}
        self.held = standing(found[actor.pk]) if actor else None
        self.before = {pk: _Seen.of(person) for pk, person in found.items() if pk in whose}

    def end(self, *added: User) -> None:
        """Judge what was done to the people, and to those ``added`` meanwhile, and write it down. Raises
        :class:`NotHeld`, on which the transaction has to end without it."""
        for bundle, before in zip(self.bundles, self.given_before, strict=True):
            self._refuse(_more(before, _gives(bundle)))
        people = {*self.before, *(person.pk for person in added)}
        for person in User.objects.filter(pk__in=people).order_by("pk"):
            was, now = self.before.get(person.pk), _Seen.of(person)
            if was != now:
                self._judge(person, was, now)
                self._write(person, was, now)

    def check_opens(self, person: User) -> None:
        """Raise :class:`NotHeld` when ``person`` is another one and holds more than the actor."""
        if self.actor is not None and self.actor.pk != person.pk:
            self._refuse(self.before[person.pk].standing)

    def _judge(self, person: User, was: _Seen | None, now: _Seen) -> None:
        """A password, an identity, the log-in and a second factor that is gone open everything that the person holds."""
        if self.held and not self.held["everything"] and was and was.standing["everything"]:
            raise NotHeld(gettext("Only superusers change a superuser."))
        own = self.actor is not None and self.actor.pk == person.pk
        opened = was and (
            (was.password != now.password and not own)
            or (now.standing["log_in"] and not was.standing["log_in"])
            or (was.standing["second_factor"] and not now.standing["second_factor"] and not own)
            or not {*now.standing["identities"]} <= {*was.standing["identities"]}
        )
        self._refuse(now.standing if opened or not was else _more(was.standing, now.standing))

    def _refuse(self, given: Standing) -> None:
        if self.held is not None:
            refuse(lacking(self.held, given))

    def _write(self, person: User, was: _Seen | None, now: _Seen) -> None:
        before, after = was.told(now) if was else {}, now.told(was)
        if after:
            action = (
                "added" if not was else "password_changed" if [*after] == ["password"] else "access_changed"
            )
            PersonEvent.append(person, action, actor=self.actor, before=before, after=after)


@contextmanager
def setting_password(actor: User, person: User) -> Iterator[None]:
    """Inside, ``actor`` sets a password of ``person``, which opens all that they hold: judged before anything is done."""
    with transaction.atomic():
        change = Change(actor, [person])
        change.check_opens(person)
        yield
        change.end()


@contextmanager
def changing(actor: User | None, *people: User) -> Iterator[None]:
    """Whatever is done inside to ``people`` is one :class:`Change`, in one transaction."""
    with transaction.atomic():
        change = Change(actor, people)
        yield
        change.end()


def _locked(bundle: models.Model) -> models.Model:
    rows = type(bundle)._default_manager.select_for_update(no_key=True)
    return rows.filter(pk=bundle.pk).first() or bundle


def _gives(bundle: Any) -> Standing:
    """What a role or a property group gives to those who have it, as it is stored."""
    if isinstance(bundle, Group):
        return {"permissions": _permissions(Q(group=bundle))}
    flags = type(bundle)._default_manager.filter(pk=bundle.pk).values_list("all_properties", flat=True)
    return {"all_properties": any(flags)}


def _more(before: Standing, after: Standing) -> Standing:
    """What is in ``after`` and was not in ``before``."""
    return {
        name: [item for item in value if item not in before[name]] if name in LISTS else value
        for name, value in after.items()
        if value != before[name]
    }
