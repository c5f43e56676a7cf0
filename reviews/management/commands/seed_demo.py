"""``manage.py seed_demo``: a small portfolio, its answers of four weeks, users for each role. Safe to run twice."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from detection.core.warming import warm
from detection.models import Answer
from detection.operations.checks import INSTALLATION
from reviews.demo import history, seeding
from reviews.demo.answers import DemoAnswer, demo_answers
from reviews.demo.people import DEMO_USERS, seed_people
from reviews.demo.portfolio import seed_portfolio
from reviews.lifecycle import publishing
from reviews.toolkit import screen_now


class Command(BaseCommand):
    """Fill an installation with demo data and say how to log in."""

    help = "Make the demo portfolio, demo answers and demo users; running it again changes nothing."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: CommandParser) -> None:
        """``--now`` judges in this process; without it the workers do."""
        parser.add_argument(
            "--now", action="store_true", help="Judge the answers here instead of waiting for workers."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Seed, then print the log-ins."""
        if settings.PRODUCTION:
            raise CommandError("Demo users have known passwords; they are not made on a production database.")
        seed_portfolio()
        known = seed_people()
        made = self._answers(now=options["now"])
        self.stdout.write(f"Demo data is there ({made} new answers).")
        for name, role in DEMO_USERS.items():
            self.stdout.write(f"  {role:<9} {name} / {known[name]}")
        self.stdout.write(f"  API key   {known['API key']}")

    def _answers(self, *, now: bool) -> int:
        """Settle the history and submit what is new, or let the workers; how many are new."""
        if now:
            warm()
            history.settle_all()
        elif any(history.missing()):
            publishing.publish_history()
        return sum(self._submit(answer, now=now) for answer in demo_answers() if not answer.past)

    def _submit(self, demo: DemoAnswer, *, now: bool) -> bool:
        if Answer.objects.filter(query__external_id=demo.name).exists():
            return False
        run = seeding.submit(demo)
        if now:
            screen_now(run)
        return True
