"""``manage.py erase --answer ID … | --asked-by NAME``: take the words of answers, and of all that was said of them."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from detection.answer_files import named_user
from detection.models import Answer, Erasure
from detection.operations.checks import INSTALLATION
from reviews.erasing import orders
from reviews.erasing.orders import Taken

GOES = (
    ("answers", "questions and answers"),
    ("sources", "sources, with their titles and what came beside them"),
    ("strict", "strict answers that these were written as"),
    ("claims", "claims: their words, numbers, periods and reasons"),
    ("measurements", "measurements of detectors"),
    ("runs", "delivered results"),
    ("verdicts", "corrections and notes of reviewers"),
    ("reviews", "corrected answers, and who the question was from"),
    ("bodies", "bodies of histories: what was before and after each step, and the words of whoever did it"),
    ("askers", "numbers of the backend for a question, and the names of who asked"),
)
REMAINS = """What remains, and why:
  the rows with their ids and times          so that counts do not fall, and a caller is told that an answer was erased
  how each claim and answer was judged       what was found right and wrong is the record that thresholds rest on
  who reviewed, decided what, and when       verdicts are given by name, and are answered for
  histories, without the words               their chains stay whole; verify_audit tells which bodies were erased
  a digest of each answer, made with a key   whoever has its text can show that it was this one; nobody else can tell it
Copies elsewhere are not reached: backups, logs with HALLU_LOG_TEXT, the verifier's own. PostgreSQL and SQLite overwrite what
was deleted in time, and at once with VACUUM FULL and VACUUM."""


class Command(BaseCommand):
    """Says what goes and what remains, asks, and erases."""

    help = (
        "Erase answers for good: texts, sources, claims, measurements, results, what reviewers wrote, and what histories "
        "tell in words. Verdicts and counts stay. May be repeated: what is erased already is left alone."
    )
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which answers, by whose order, and why."""
        which = parser.add_argument_group("which answers")
        which.add_argument("--answer", nargs="+", default=[], metavar="ID", help="These.")
        which.add_argument(
            "--asked-by",
            default="",
            metavar="NAME",
            help="All whose question is from this person: as the backend called them, or by their user name here.",
        )
        parser.add_argument(
            "--by", default="", metavar="USER", help="By whose order; else of who runs this machine."
        )
        parser.add_argument(
            "--reason", default="", help="Why. It is kept for good, so it should not say what is erased."
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="Say what would go and what remains; erase nothing."
        )
        parser.add_argument("--yes", action="store_true", help="Do not ask.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` for an answer or a person that there is not, without a reason, and where it is
        declined."""
        answers = self._found(options["answer"], options["asked_by"])
        if not answers:
            self.stdout.write("There is nothing to erase: no such answer says anything any more.")
            return
        self._explain(Taken.by(answers))
        if options["dry_run"]:
            self.stdout.write("Nothing was erased.")
            return
        if not options["reason"].strip():
            raise CommandError("Say why with --reason.")
        if not options["yes"] and input(f"Erase {len(answers)} for good? yes/no ").strip().lower() != "yes":
            raise CommandError("Nothing was erased.")
        order = Erasure(
            cause=Erasure.Cause.ORDER,
            ordered_by=named_user(options["by"]),
            reason=options["reason"].strip(),
        )
        erased = sum(orders.carry_out(order, answers))
        self.stdout.write(
            f"Erased {erased}, by order {order.pk}." if erased else "Somebody else has erased them."
        )

    def _found(self, ids: list[str], name: str) -> list[UUID]:
        if bool(ids) == bool(name):
            raise CommandError("Say which: --answer ID … or --asked-by NAME.")
        if name:
            return orders.still_there(orders.asked_by(name))
        try:
            named = Answer.objects.filter(pk__in=ids)
            unknown = sorted(set(map(UUID, ids)) - set(named.values_list("pk", flat=True)))
        except (ValidationError, ValueError) as error:
            raise CommandError("An answer is named by its id, as the API and its page have it.") from error
        if unknown:
            raise CommandError(f"There is no answer {', '.join(map(str, unknown))}.")
        return orders.still_there(named)

    def _explain(self, taken: Taken) -> None:
        self.stdout.write("What goes:")
        for name, words in GOES:
            count = getattr(taken, name)
            if count:
                self.stdout.write(f"{count:>8}  {words}")
        for count, words in (
            (taken.unfinished, "of them nobody has judged yet; nobody will"),
            (taken.live, "open reviews end without a decision"),
            (taken.newer, "newer answers to the same questions are not in this order, and stay"),
        ):
            if count:
                self.stdout.write(f"{count:>8}  {words}")
        self.stdout.write(REMAINS)
