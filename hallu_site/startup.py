"""What a process checks before it serves: things the settings alone cannot know."""

import logging
import threading

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from reviews.demo.people import DEMO_DOMAIN

log = logging.getLogger(__name__)
_warming: threading.Thread | None = None


def warm_up() -> None:
    """Load beside the first requests what the first answer judged in this process would pay for."""
    from detection.core.warming import warm  # the detectors are loaded by processes that judge

    global _warming
    _warming = threading.Thread(target=warm, name="warming", daemon=True)
    _warming.start()


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
