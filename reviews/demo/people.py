"""Demo users, one for each role, and the demo API key. Never made in production."""

import json
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction

from detection.access import ROLES
from detection.models import ApiKey, PersonEvent
from detection.models.standing import standing

DEMO_USERS = {"vera": "viewer", "dana": "reviewer", "noam": "senior", "ada": "admin"}
KEY_NAME = "demo"
DEMO_KEY: dict[str, Any] = {"scopes": ["submit", "read"], "all_properties": True, "user": None}
# An address that can never be real; a production start refuses users who have one.
DEMO_DOMAIN = "demo.invalid"


def kept() -> Path:
    """Where the demo log-ins of this installation are kept, readable by its owner only."""
    path: Path = settings.HALLU_VAR / "demo.json"
    return path


@transaction.atomic
def seed_people() -> dict[str, str]:
    """Make roles, users and the key that are missing; returns log-in name → password, and ``API key``.

    Passwords are drawn for each installation and kept beside its database, so that no two demos share one.
    """
    for role in ROLES:
        Group.objects.get_or_create(name=role)
    known: dict[str, str] = json.loads(kept().read_text()) if kept().exists() else {}
    for name, role in DEMO_USERS.items():
        known[name] = _seed_user(name, role, known.get(name))
    known["API key"] = _seed_key(known.get("API key"))
    kept().touch(mode=0o600)
    kept().write_text(json.dumps(known, indent=1))
    return known


def _seed_user(name: str, role: str, password: str | None) -> str:
    password = password or f"{name}-{secrets.token_hex(4)}"
    user, _ = User.objects.get_or_create(
        username=name, defaults={"first_name": name.title(), "email": f"{name}@{DEMO_DOMAIN}"}
    )
    if not user.check_password(password):
        user.set_password(password)
    user.is_staff = user.is_superuser = role == "admin"
    user.save()
    user.groups.set([Group.objects.get(name=role)])
    tell_standing(user)
    return password


@transaction.atomic
def tell_standing(user: User) -> None:
    """Write down what a person may do, unless their history ends with it."""
    told, held = user.access_events.filter(action__in=["added", "access_changed"]), standing(user)
    last = told.order_by("-seq").first()
    if last is None or last.after != held:
        PersonEvent.append(user, "access_changed" if last else "added", after=held)


def _seed_key(plain: str | None) -> str:
    """The key of a backend. It acts for nobody: whoever it acted for could not settle what it submits."""
    known = ApiKey.find(plain) if plain else None
    if plain and known:
        known.change(**DEMO_KEY)
        return plain
    for old in ApiKey.objects.filter(name=KEY_NAME):
        old.revoke(reason="its plain text was lost")
        ApiKey.objects.filter(pk=old.pk).update(name=f"{KEY_NAME} (revoked {old.pk})")
    return ApiKey.issue(KEY_NAME, **DEMO_KEY)[1]
