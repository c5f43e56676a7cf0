"""What a process checks before it serves: things the settings alone cannot know."""

import logging
import threading

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from detection.operations import garbage
from reviews.demo.people import DEMO_DOMAIN

log = logging.getLogger(__name__)
_warming: threading.Thread | None = None


def warm_up() -> None:
    """Load beside the first requests what the first answer judged in this process would pay for."""
    global _warming
    _warming = threading.Thread(target=_warm, name="warming", daemon=True)
    _warming.start()


def _warm() -> None:
    from detection.core.warming import warm  # the detectors are loaded by processes that judge

    warm()
    garbage.settle()


def is_warming() -> bool:
    """Whether that is still going on."""
    return _warming is not None and _warming.is_alive()


def refuse_demo_users() -> None:
    """Refuse to serve production while a demo user exists. A database that is away is no reason to stop:
    the pages answer 503 until it is back."""
    if not settings.PRODUCTION:
        return
    try:
        names = list(
            User.objects.filter(email__endswith=f"@{DEMO_DOMAIN}").values_list("username", flat=True)
        )
    except DatabaseError:
        log.warning("demo_users_unchecked: the database is not reachable yet")
        return
    if names:
        raise ImproperlyConfigured(
            f"Demo users exist in a production database: {', '.join(names)}. Delete them first."
        )


def warn_of_owner() -> None:
    """Say in the log when production is served by a role that owns the tables, and so could rewrite their history."""
    if not settings.PRODUCTION:
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT rolsuper OR EXISTS (SELECT 1 FROM pg_tables WHERE tableowner = rolname"
                " AND schemaname = current_schema()) FROM pg_roles WHERE rolname = current_user"
            )
            owner = cursor.fetchone()[0]
    except DatabaseError:
        return
    if owner:
        log.warning("served_by_owner: the role of DATABASE_URL owns the tables; see manage.py runtime_role")
