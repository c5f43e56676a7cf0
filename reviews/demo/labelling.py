"""Labelled answers (:mod:`reviews.demo.labelled`) as rows: judged for real, then resolved as their labels say.

An answer is taken in, measured and concluded by the functions that workers use. A flagged one is then resolved by the
demo labeller; an unflagged one is audited with the probability ``share``, stored on the run as ever, and stays
unlabelled otherwise. Passes are blind: whoever labelled the set saw no detector. They are written at once
(:mod:`reviews.demo.settling`). The times are spread over the days before ``until`` by the hash of the
group, so that splits by time keep groups whole; histories keep the time of loading.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import Group, User
from django.db import transaction

from detection import runs
from detection.models import Answer, Claim, DetectionRun
from reviews.demo import labelled, settling
from reviews.demo.labelled import LabelledAnswer
from reviews.demo.people import DEMO_DOMAIN, tell_standing
from reviews.demo.settling import Audit, Given
from reviews.lifecycle import intake

LABELLER = "labels"
STRATUM = "labelled"
LEASE_SECONDS = 600
LOOKED = timedelta(minutes=5)
"""How long after its answer a verdict is dated."""


@dataclass(frozen=True, slots=True)
class Loading:
    """How answers are loaded: who labels them, the ``share`` of unflagged ones whose label is used, the ``seed`` of
    that choice, the ``confidence`` stated for each (the sets state none), and the days that they are spread over."""

    labeller: User
    share: float
    seed: int
    confidence: float
    until: datetime
    days: float

    def when(self, answer: LabelledAnswer) -> datetime:
        """When an answer was given: whole groups together."""
        return self.until - timedelta(days=self.days * labelled.chance("time", answer.group))


def labeller() -> User:
    """The demo account whose verdicts are the labels. It cannot log in."""
    user, created = User.objects.get_or_create(
        username=LABELLER, defaults={"first_name": "Public labels", "email": f"{LABELLER}@{DEMO_DOMAIN}"}
    )
    if created:
        user.set_unusable_password()
        user.save()
    user.groups.add(Group.objects.get_or_create(name="reviewer")[0])
    tell_standing(user)
    return user


def loaded(names: Iterable[str]) -> set[str]:
    """Those of these answers that are there, judged and resolved."""
    done = Answer.objects.filter(query__external_id__startswith="labelled:", runs__finished_at__isnull=False)
    there = set(done.values_list("query__external_id", flat=True))
    return {name for name in names if name in there}


def load(answer: LabelledAnswer, loading: Loading) -> str:
    """Store, judge and settle one answer; ``flagged``, ``audited`` or ``unlabelled``, or ``held`` when a worker has it."""
    run = _held(answer, loading)
    if run is None:
        return "held"
    runs.read(run)
    prepared = runs.screen(run) or runs.prepare(run)
    with transaction.atomic():
        return _conclude(answer, run, prepared, loading)


@transaction.atomic
def _held(answer: LabelledAnswer, loading: Loading) -> DetectionRun | None:
    """The run of an answer, stored now unless an earlier load did; held before any worker can hear of it."""
    stored = DetectionRun.objects.filter(answer__query__external_id=answer.name).first()
    run = stored or intake.submit(
        intake.Submission(
            answer=answer.text,
            external_id=answer.name,
            question=answer.question,
            language=answer.language,
            original_confidence=loading.confidence,
            question_type=answer.kind,
            sources=answer.sources,
        )
    )
    return DetectionRun.take(run.pk, seconds=LEASE_SECONDS, limit=5)


def _conclude(answer: LabelledAnswer, run: DetectionRun, prepared: runs.Prepared, loading: Loading) -> str:
    flagged, when = prepared.conclusion.verdict.needs_review, loading.when(answer)
    drawn = labelled.drawn(loading.seed, answer.name, loading.share)
    review = settling.conclude(run, prepared, Audit(STRATUM, loading.share, drawn), when)
    if review is None:
        return "unlabelled"
    read = Claim.objects.filter(run=run)
    verdicts = {index: Given(*said) for index, said in labelled.verdicts(answer, read).items()}
    given = settling.judge(review, verdicts, loading.labeller, when, when + LOOKED, blind=True)
    settling.resolve(review, given, "labelled by a public set")
    return "flagged" if flagged else "audited"
