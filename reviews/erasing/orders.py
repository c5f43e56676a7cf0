"""An order to erase answers: what it would take, and carrying it out, so many answers at a time.

What is done stands in the rows alone: an answer that was erased is not found again, so an order that was cut off goes on
when it is given again, and one that is given twice erases nothing the second time.
"""

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Q, QuerySet

from detection.erasing.answers import empty, locked
from detection.models import Answer, Claim, DetectionRun, DetectorReport, Erasure, Query, Source, StrictAnswer
from detection.models.events import ERASED, STILL_TOLD
from detection.operations.optional import CACHE
from detection.verifiers.slot_reading import SHARED
from reviews.models import ClaimVerdict, HallucinationReview, ReviewEvent
from reviews.models.erasing import WORDLESS, empty_reviews
from reviews.models.queue_columns import LIVE

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Answers that one transaction erases, so that nobody waits long for a lock."""


def asked_by(name: str) -> "QuerySet[Answer]":
    """The answers to whatever ``name`` asked: by the word of the backend, or as the person of that user name."""
    return Answer.objects.filter(Q(query__asked_by=name) | Q(query__user__username=name))


def still_there(answers: "QuerySet[Answer]") -> list[UUID]:
    """Those of ``answers`` that were not erased, the oldest first."""
    found = answers.filter(erasure__isnull=True).order_by("created_at", "pk")
    return list(found.values_list("pk", flat=True))


def carry_out(order: Erasure, answers: Collection[UUID]) -> Iterator[int]:
    """Erase ``answers`` by ``order``, which is stored with the first; yields how many after each transaction."""
    left = list(answers)
    while some := left[:AT_ONCE]:
        left = left[AT_ONCE:]
        yield _erase(order, some)
    if order.cause == Erasure.Cause.ORDER:  # what has reached its age is older than anything in the cache
        _forget_proposals()


@transaction.atomic
def _erase(order: Erasure, answers: Collection[UUID]) -> int:
    """All or nothing, with its event."""
    found = locked(answers)
    if not found:
        return 0
    if order._state.adding:
        order.save()
    emptied = empty(found, order)
    empty_reviews([one.pk for one in found], order)
    order.tell(emptied)
    log.info("answers_erased order=%s cause=%s answers=%s", order.pk, order.cause, len(found))
    return len(found)


def _forget_proposals() -> None:
    """What a model copied out of texts is cached for a while; not where the cache is away, and then it goes by itself."""
    forget: Callable[[str], None] = cache.delete_beginning  # type: ignore[attr-defined]  # of both caches: hallu_site.caches
    CACHE.ask(lambda: forget(SHARED), None)


@dataclass(frozen=True, slots=True)
class Taken:
    """What an order would take, in numbers: rows that lose their words or go, and what would end."""

    answers: int
    sources: int
    claims: int
    measurements: int
    runs: int
    unfinished: int
    reviews: int
    live: int
    verdicts: int
    strict: int
    bodies: int
    askers: int
    newer: int

    @classmethod
    def by(cls, answers: Collection[UUID]) -> "Taken":
        """By erasing ``answers``."""
        runs = DetectionRun.objects.filter(answer__in=answers)
        reviews = HallucinationReview.objects.filter(answer__in=answers)
        written = ~Q(note="") | ~Q(corrected_value="")
        left = Count("answers", filter=Q(answers__erasure__isnull=True) & ~Q(answers__in=answers))
        versions = Answer.objects.filter(supersedes__in=answers, erasure__isnull=True).exclude(pk__in=answers)
        return cls(
            answers=len(answers),
            sources=Source.objects.filter(answer__in=answers).count(),
            claims=Claim.objects.filter(run__in=runs).count(),
            measurements=DetectorReport.objects.filter(run__in=runs).count(),
            runs=runs.count(),
            unfinished=runs.filter(finished_at=None, failed_reason="").count(),
            reviews=reviews.count(),
            live=reviews.filter(LIVE).count(),
            verdicts=ClaimVerdict.objects.filter(written, review_pass__review__in=reviews).count(),
            strict=StrictAnswer.objects.filter(judged__in=answers).count(),
            bodies=ReviewEvent.objects.filter(STILL_TOLD, subject__in=reviews)
            .exclude(action__in=(ERASED, *WORDLESS))
            .count(),
            askers=Query.objects.filter(answers__in=answers)
            .annotate(left=left)
            .filter(left=0)
            .distinct()
            .count(),
            newer=versions.count(),
        )
