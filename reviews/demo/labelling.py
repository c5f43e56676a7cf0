"""Labelled answers (:mod:`reviews.demo.labelled`) as rows: judged for real, then resolved as their labels say.

An answer is taken in, measured and concluded by the functions that workers use. A flagged one is then resolved by the
demo labeller; an unflagged one is audited with the probability ``share``, stored on the run as ever, and stays
unlabelled otherwise. Passes are blind: whoever labelled the set saw no detector. They are written at once instead of
step by step, in a fraction of the time. The times are spread over the days before ``until`` by the hash of the
group, so that splits by time keep groups whole; histories keep the time of loading.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import Group, User
from django.db import transaction

from detection import runs
from detection.models import Answer, Claim, DetectionRun, MonitoredRun
from reviews.demo import labelled
from reviews.demo.labelled import LabelledAnswer
from reviews.demo.people import DEMO_DOMAIN
from reviews.lifecycle import intake
from reviews.models import ClaimVerdict, HallucinationReview, ReviewEvent, ReviewPass, open_review
from reviews.models.states import SelectionReason, State

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
    audited = not flagged and labelled.drawn(loading.seed, answer.name, loading.share)
    if not flagged and loading.share:
        columns = {"audit_stratum": STRATUM, "audit_probability": loading.share}
        prepared = replace(prepared, columns=columns)
    runs.conclude(run, prepared)
    audit = (SelectionReason.AUDIT_RANDOM, loading.share) if audited else None
    review = open_review(run, audit=audit)
    _date(run, when)
    if review is None:
        return "unlabelled"
    given = _judge(answer, review, loading.labeller, when)
    _resolve(review, given, when)
    return "flagged" if flagged else "audited"


def _judge(answer: LabelledAnswer, review: HallucinationReview, user: User, when: datetime) -> ReviewPass:
    """A submitted blind pass with a verdict on every claim, given a little after ``when``."""
    later = when + LOOKED
    given = ReviewPass.objects.create(
        review=review,
        reviewer=user,
        pass_no=1,
        blind=True,
        state=ReviewPass.State.SUBMITTED,
        started_at=when,
        last_active_at=later,
        submitted_at=later,
    )
    claims = {claim.index: claim for claim in Claim.objects.filter(run=review.run_id)}
    verdicts = labelled.verdicts(answer, claims.values())
    ClaimVerdict.objects.bulk_create(
        ClaimVerdict(
            review_pass=given,
            claim=claims[index],
            verdict=verdict,
            reason_code=reason,
            detector_visible=False,
            created_at=later,
            decided_at=later,
        )
        for index, (verdict, reason) in verdicts.items()
    )
    return given


def _resolve(review: HallucinationReview, given: ReviewPass, when: datetime) -> None:
    """End the review as its pass says, with one row of history: nobody was there to leave more."""
    opened, later = review.created_at, when + LOOKED
    HallucinationReview.objects.filter(pk=review.pk, version=review.version).update(
        state=State.RESOLVED,
        version=review.version + 1,
        outcome=given.outcome(),
        final_confidence=review.proposed_confidence(),
        created_at=when,
        due_at=when + (review.due_at - opened),
        resolved_at=later,
        resolved_by=given.reviewer,
    )
    review.refresh_from_db()
    ReviewEvent.append(
        review,
        "resolved",
        actor=given.reviewer,
        profile=review.profile,
        before={"state": State.OPEN.value},
        after={
            "state": review.state,
            **review.resolution(),
            "derived_outcome": review.outcome,
            **given.account(),
        },
        reason="labelled by a public set",
    )


def _date(run: DetectionRun, when: datetime) -> None:
    """Move a run that was just written, with its answer, to ``when``."""
    Answer.objects.filter(pk=run.answer_id).update(created_at=when)
    DetectionRun.objects.filter(pk=run.pk).update(created_at=when, finished_at=when)
    MonitoredRun.objects.filter(run=run).update(finished_on=when.astimezone(UTC).date())
