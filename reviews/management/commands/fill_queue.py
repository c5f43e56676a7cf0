"""``manage.py fill_queue``: a queue as large as after years of use, for measuring. Never in production."""

import time
from argparse import ArgumentParser
from math import ceil
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from detection.models import Answer, Claim, DetectionRun
from detection.operations.checks import INSTALLATION
from reviews.demo.volume import add_openings, multiply
from reviews.models import HallucinationReview, Lease, ReviewPass
from reviews.toolkit import screen_now

SETTLED_EACH = 3
"""One in so many of the demo reviews is resolved before they are multiplied."""


class Command(BaseCommand):
    """Judge the demo answers for real, resolve some, then multiply their rows inside the database."""

    help = "Fill the queue with as many reviews as asked for (about five claims each), to measure screens."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many, and over how long a time."""
        parser.add_argument("--reviews", type=int, default=50_000)
        parser.add_argument("--answers", type=int, help="So many answers instead, reviewed or not.")
        parser.add_argument(
            "--without-reports",
            action="store_true",
            help="Leave out the detectors' reports, which no page reads.",
        )
        parser.add_argument("--days", type=float, default=365.0, help="How far back the oldest one lies.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fill, then print what is there."""
        if settings.PRODUCTION:
            raise CommandError("Invented reviews do not belong on a production database.")
        began = time.monotonic()
        call_command("seed_demo", now=True, stdout=self.stdout)
        for run in DetectionRun.objects.filter(finished_at=None, failed_reason=""):
            screen_now(run)
        _resolve_some(User.objects.get(username="noam"))
        wanted, there = options["reviews"], HallucinationReview.objects.count()
        if options["answers"]:
            wanted, there = options["answers"], Answer.objects.count()
        multiply(ceil(wanted / there) - 1, days=options["days"], reports=not options["without_reports"])
        add_openings()
        reviews, claims = HallucinationReview.objects.count(), Claim.objects.count()
        self.stdout.write(f"{reviews:,} reviews and {claims:,} claims in {time.monotonic() - began:.0f} s.")


def _resolve_some(senior: User) -> None:
    """Resolve every third open review as a person would, with the verdict that each claim's status suggests."""
    for review in list(HallucinationReview.objects.filter(state="open").order_by("pk"))[::SETTLED_EACH]:
        Lease.take(review, senior)
        for claim in review.to_decide():
            wrong = claim.status == "contradicted"
            reason = {"reason_code": "wrong_value"} if wrong else {}
            ReviewPass.decide(
                review, senior, review.version, claim, "rejected" if wrong else "supported", **reason
            )
        review.resolve(senior, review.version, final_confidence=review.proposed_confidence())
