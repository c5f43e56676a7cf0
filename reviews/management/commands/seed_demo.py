"""``manage.py seed_demo``: a small portfolio, a hundred answers, users for each role. Safe to run twice."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from detection.models import Answer, ApiKey, FinancialPeriod
from reviews.demo.answers import DemoAnswer, demo_answers
from reviews.demo.people import DEMO_USERS, KEY_NAME, seed_people
from reviews.demo.portfolio import seed_portfolio
from reviews.lifecycle import intake
from reviews.toolkit import screen_now


class Command(BaseCommand):
    """Fill an installation with demo data and say how to log in."""

    help = "Make the demo portfolio, demo answers and demo users; running it again changes nothing."

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
        made = sum(self._submit(answer, now=options["now"]) for answer in demo_answers())
        self.stdout.write(f"Demo data is there ({made} new answers).")
        for name, role in DEMO_USERS.items():
            self.stdout.write(f"  {role:<9} {name} / {known[name]}")
        self.stdout.write(f"  API key   {known['API key']}")

    def _submit(self, demo: DemoAnswer, *, now: bool) -> bool:
        if Answer.objects.filter(query__external_id=demo.name).exists():
            return False
        period = FinancialPeriod.objects.get(property__code=demo.code, label=demo.period)
        run = intake.submit(
            intake.Submission(
                answer=demo.answer,
                external_id=demo.name,
                question=demo.question,
                asked_by="analyst@example.com",
                original_confidence=demo.confidence,
                language=demo.language,
                property=period.property,
                period=period,
                sources=demo.sources,
            ),
            ApiKey.objects.get(name=KEY_NAME),
        )
        if now:
            screen_now(run)
        return True
