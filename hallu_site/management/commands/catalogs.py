"""``manage.py catalogs``: bring the catalogues of the languages to the sentences of the code."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from detection.operations.checks import INSTALLATION
from hallu_site import catalogs
from hallu_site.sentences import sentences


class Command(BaseCommand):
    """New sentences are added without a translation, old ones dropped, the ``.mo`` files written."""

    help = "Bring locale/ to the sentences of the code and the templates (needs requirements-dev.txt)."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: CommandParser) -> None:
        """``--check`` writes nothing and fails where a catalogue is not whole."""
        parser.add_argument(
            "--check", action="store_true", help="Write nothing; fail where one is not whole."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Renew every catalogue and say what is still to be translated."""
        found = sentences()
        if not options["check"]:
            for language in catalogs.PLURALS:
                catalogs.write(language, catalogs.renewed(language, found))
        faults = [fault for language in catalogs.PLURALS for fault in catalogs.faults(language, found)]
        for fault in faults:
            self.stdout.write(fault)
        if faults and options["check"]:
            raise CommandError("The catalogues are not whole: see above.")
        self.stdout.write(f"{len(found)} sentences, {len(faults)} faults.")
