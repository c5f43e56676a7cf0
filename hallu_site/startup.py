"""What a process checks before it serves: things the settings alone cannot know."""

import logging

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from reviews.demo.people import DEMO_DOMAIN

log = logging.getLogger(__name__)


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
