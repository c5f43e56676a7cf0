"""``manage.py changepassword NAME``: a new password, which is an event in the person's history."""

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from detection.models.standing import changing


class Command(changepassword.Command):
    """Asks as Django's command does; nothing is locked while somebody types."""

    def handle(self, *args: Any, **options: Any) -> str:
        """Raise :class:`CommandError` for an unknown person and a password that will not do."""
        name = options["username"] or getpass.getuser()
        person = User.objects.filter(username=name).first()
        if person is None:
            raise CommandError(f"user '{name}' does not exist")
        password = getpass.getpass()
        if password != getpass.getpass("Password (again): "):
            raise CommandError("Passwords do not match.")
        try:
            validate_password(password, person)
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from error
        with changing(None, person):
            person.set_password(password)
            person.save(update_fields=["password"])
        return f"Password changed successfully for user '{person}'"
