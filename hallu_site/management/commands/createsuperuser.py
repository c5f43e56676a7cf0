"""``manage.py createsuperuser``: Django's, and the event that a person was added who may do everything."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.models import User
from django.db import transaction

from detection.models.standing import Change


class Command(createsuperuser.Command):
    """Writes the event after Django's command, which asks and stores in one go: no lock waits for who types."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Whoever is a superuser now, was not there before and has no history has been added."""
        known = set(User.objects.values_list("pk", flat=True))
        super().handle(*args, **options)
        with transaction.atomic():
            new = User.objects.filter(is_superuser=True, access_events=None).exclude(pk__in=known)
            Change(None, ()).end(*new)
