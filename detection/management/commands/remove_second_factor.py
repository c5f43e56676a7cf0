"""``manage.py remove_second_factor NAME``: for whoever has lost it, when no administrator is left who could."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from detection.access import sessions
from detection.models import SecondFactor
from detection.operations.checks import INSTALLATION


class Command(BaseCommand):
    """Takes it away, which is an event in the person's history; the next log-in asks for a new one where one must be."""

    help = "Take the second factor of a person away, who has lost it."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: CommandParser) -> None:
        """The log-in name."""
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> str:
        """Raise :class:`CommandError` for an unknown person."""
        person = User.objects.filter(username=options["name"]).first()
        if person is None:
            raise CommandError(f"user '{options['name']}' does not exist")
        SecondFactor.remove(person, actor=None)
        sessions.end_of(person)
        return f"{person} has no second factor now."
