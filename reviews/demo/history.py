"""Four weeks of the demo: answers that were judged for real and, where somebody looked, settled with verdicts.

A flagged answer was resolved, an unflagged one audited with a probability that is stored as ever. What a person said
follows from what is wrong in the answer. One answer at a time, so that workers judge what is new in between.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from detection import runs
from detection.models import Answer, ApiKey, DetectionRun
from reviews.demo import seeding, settling
from reviews.demo.answers import DemoAnswer, demo_answers
from reviews.demo.labelled import chance
from reviews.demo.people import KEY_NAME
from reviews.demo.settling import Audit, Given
from reviews.models import HallucinationReview

WEEKS = timedelta(weeks=4)
AUDITED = 0.4
"""The share of unflagged answers that were audited."""
TWICE = 0.3
"""The share of reviews in which a second person judged too, and ``UNSURE`` of their claims they could not tell."""
UNSURE = 0.1
REVIEWERS = ("dana", "noam")
LEASE_SECONDS = 60


def settle_all() -> None:
    """Judge and settle here whatever of the history is missing."""
    while settle_next():
        pass


def settle_next() -> bool:
    """Judge and settle the next answer of the history that is missing; False when none is, or the demo is gone."""
    held = _hold_next()
    if held is None:
        return False
    demo, run = held
    runs.read(run)
    prepared = runs.screen(run) or runs.prepare(run)
    with transaction.atomic():
        _settle(demo, run, prepared, timezone.now())
    return True


def missing() -> Iterator[DemoAnswer]:
    """The answers of the history that are not settled yet, the oldest first."""
    done = Answer.objects.filter(runs__finished_at__isnull=False).values_list("query__external_id", flat=True)
    there = set(done)
    past = [demo for demo in demo_answers() if demo.past and demo.name not in there]
    return iter(sorted(past, key=_age, reverse=True))


def _age(demo: DemoAnswer) -> timedelta:
    """How long ago an answer came: between a day and four weeks."""
    return timedelta(days=1) + chance("age", demo.name) * (WEEKS - timedelta(days=1))


@transaction.atomic
def _hold_next() -> tuple[DemoAnswer, DetectionRun] | None:
    """The next answer that nobody works on, stored now unless it is there, held before any worker can hear of it."""
    if ApiKey.objects.select_for_update().filter(name=KEY_NAME).first() is None:
        return None
    for demo in missing():
        run = DetectionRun.objects.filter(answer__query__external_id=demo.name).first()
        run = run or seeding.submit(demo)
        held = DetectionRun.take(run.pk, seconds=LEASE_SECONDS, limit=5)
        if held:
            return demo, held
    return None


def _settle(demo: DemoAnswer, run: DetectionRun, prepared: runs.Prepared, now: datetime) -> None:
    when = now - _age(demo)
    audit = Audit("base", AUDITED, chance("audit", demo.name) < AUDITED)
    review = settling.conclude(run, prepared, audit, when)
    if review:
        _judge(demo, review, when + _waits(demo, review.due_at - when))


def _judge(demo: DemoAnswer, review: HallucinationReview, began: datetime) -> None:
    """Somebody judges it, in some cases a second person too, and it is resolved as the first one said."""
    verdicts = {index: Given(*said) for index, said in demo.verdicts(review.run.claims.all()).items()}
    reviewers = list(User.objects.filter(username__in=REVIEWERS).order_by("username"))
    if not reviewers:
        return
    first = round(chance("reviewer", demo.name) * (len(reviewers) - 1))
    seconds = 40 + round(chance("seconds", demo.name) * 200)
    ended = began + timedelta(seconds=seconds)
    given = settling.judge(
        review, verdicts, reviewers[first], began, ended, blind=review.judged_blind, active=seconds
    )
    if len(reviewers) > 1 and chance("twice", demo.name) < TWICE:
        later = ended + timedelta(seconds=seconds)
        settling.judge(
            review, _seconded(demo, verdicts), reviewers[1 - first], ended, later, blind=True, active=seconds
        )
    settling.resolve(review, given)


def _seconded(demo: DemoAnswer, verdicts: dict[int, Given]) -> dict[int, Given]:
    """The same verdicts, but for a few claims of which the second person could not tell."""
    return {
        index: Given("cannot_tell") if chance(f"unsure {index}", demo.name) < UNSURE else said
        for index, said in verdicts.items()
    }


def _waits(demo: DemoAnswer, due_in: timedelta) -> timedelta:
    """How long a review waited: within its time, and ended before now."""
    return min(due_in, _age(demo)) * (0.1 + 0.8 * chance("waits", demo.name))
