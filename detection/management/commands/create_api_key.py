"""``manage.py create_api_key NAME --scopes submit,read``: make a key and print it once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, transaction

from detection.answer_files import add_properties, named_property, named_user
from detection.models import ApiKey, NotHeld
from detection.models.access import SCOPES
from detection.operations.checks import INSTALLATION


class Command(BaseCommand):
    """Prints the key's plain text, which is stored nowhere."""

    help = "Make an API key and print it once; only its digest is stored."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name, scopes, what the key is bound to, whose verdicts it gives."""
        parser.add_argument("name", help="What the key is for; unique.")
        parser.add_argument("--scopes", required=True, help=f"Comma-separated: {', '.join(SCOPES)}.")
        add_properties(parser, "A property the key may see; it sees no other.")
        parser.add_argument("--all-properties", action="store_true", help="It may see every property.")
        parser.add_argument(
            "--user",
            default="",
            help="The reviewer whose verdicts the scope review gives, once they have agreed.",
        )
        parser.add_argument(
            "--requests-per-minute",
            type=int,
            help="How many requests it may send in a minute; else the setting.",
        )
        parser.add_argument("--by", default="", help="Who issues it: it may do and sees no more than they.")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` for a taken name, an unknown scope, property or user, and a key beyond its issuer."""
        properties = [named_property(code) for code in options["property"]]
        try:
            key, plain = ApiKey.issue(
                options["name"],
                [scope.strip() for scope in options["scopes"].split(",") if scope.strip()],
                actor=named_user(options["by"]),
                user=named_user(options["user"]),
                properties=properties,
                all_properties=options["all_properties"],
                requests_per_minute=options["requests_per_minute"],
            )
        except (ValueError, NotHeld) as error:
            raise CommandError(str(error)) from error
        except IntegrityError as error:
            raise CommandError(f"There is a key named {options['name']} already.") from error
        self.stdout.write(plain)
        self.stderr.write(f"{key.name}: {', '.join(key.scopes)}. Keep it now; it is not shown again.")
        named = ", ".join(sorted(one.code for one in properties)) or "no property"
        self.stderr.write(f"It sees {'all properties' if key.all_properties else named}.")
        if key.user:
            self.stderr.write(f"It acts for {key.user.username} once they have agreed, under Preferences.")
