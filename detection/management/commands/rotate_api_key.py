"""``manage.py rotate_api_key NAME [--overlap DAYS]``: give a key a new secret and print it once."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from detection.answer_files import named_user
from detection.models import ApiKey, NotHeld
from detection.models.access import OVERLAP
from detection.operations.checks import INSTALLATION
from detection.serializers.lookup import nearest


class Command(BaseCommand):
    """Prints the new secret, which is stored nowhere. The key stays the same: scopes, bindings, history."""

    help = "Give an API key a new secret and print it once; the old one goes on for a while."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which key, how long the old secret goes on, who does it."""
        parser.add_argument("name", help="The key's name.")
        parser.add_argument(
            "--overlap",
            type=int,
            default=OVERLAP.days,
            choices=range(367),
            metavar="DAYS",
            help="For so many days the old secret goes on, 0 to 366; 0 ends it now. Default: %(default)s.",
        )
        parser.add_argument(
            "--by", default="", help="Who does it: the key may do and sees no more than they."
        )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` for an unknown key or user, one that has ended, and a key beyond who rotates it."""
        key = ApiKey.objects.filter(name=options["name"]).first()
        if key is None:
            names = ApiKey.objects.values_list("name", flat=True)
            raise CommandError(f"There is no key “{options['name']}”.{nearest(options['name'], names)}")
        try:
            plain = key.rotate(actor=named_user(options["by"]), overlap=timedelta(days=options["overlap"]))
        except (ValueError, NotHeld) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(plain)
        self.stderr.write(f"{key.name}: keep the new secret now; it is not shown again.")
        ends = f"goes on until {key.old_until:%Y-%m-%d %H:%M} UTC" if key.old_until else "has ended"
        self.stderr.write(f"The old secret {ends}.")
