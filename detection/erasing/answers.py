"""What detection keeps of answers, erased: texts, sources, claims, measurements and results, and what was kept of them to
find or read them sooner.

The rows stay with their verdicts: which kind of claim had which status, how each answer was judged, and how surely.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Coalesce
from django.utils import timezone

from detection import keyed, search
from detection.core.marks import mark_of
from detection.models import (
    Answer,
    ChunkFrames,
    Claim,
    DetectionRun,
    DetectorReport,
    Erasure,
    Query,
    Source,
    StrictAnswer,
)
from detection.models.erasures import digest_of
from detection.models.strict import ERASED

Emptied = dict[str, dict[str, str]]
"""For each kind of row its keys, with digests of what they said."""


def locked(answers: Collection[UUID]) -> list[Answer]:
    """Those of ``answers`` that still say something, locked with their runs: who judges one now writes nothing more.

    In the order in which whoever concludes a run takes them: runs first, then answers.
    """
    runs = DetectionRun.objects.select_for_update().filter(answer__in=answers).order_by("pk")
    list(runs.values_list("pk", flat=True))
    return list(Answer.with_words().select_for_update().filter(pk__in=answers).order_by("pk"))


def empty(answers: Sequence[Answer], order: Erasure) -> Emptied:
    """Take the words of ``answers``, which are :func:`locked`, inside the transaction that tells the order's history."""
    keys = [answer.pk for answer in answers]
    said: dict[UUID, list[Any]] = {pk: [] for pk in keys}
    for pk, *source in Source.objects.filter(answer__in=keys).values_list(
        "answer", "ref", "title", "text", "metadata"
    ):
        said[pk].append(source)
    search.forget(answers)
    _empty_runs(keys, order)
    strict = list(StrictAnswer.objects.filter(judged__in=keys).values_list("pk", flat=True))
    emptied = {"strict": StrictAnswer.erase(order, strict)}
    Source.objects.filter(answer__in=keys).delete()
    Answer.objects.filter(pk__in=keys).update(erasure=order, question="", text="")
    asked = _empty_queries(keys)
    _forget_chunks({mark_of(title, text) for sources in said.values() for _, title, text, _ in sources})
    emptied["answer"] = {str(one.pk): digest_of(one.question, one.text, said[one.pk]) for one in answers}
    return {kind: rows for kind, rows in {**emptied, "query": asked}.items() if rows}


def _empty_runs(answers: Collection[UUID], order: Erasure) -> None:
    """Results, measurements and claims go. A run that is not finished ends: its fence rises, so that whoever works on it
    stores nothing more, and it counts as read, so that nobody reads its claims."""
    runs = DetectionRun.objects.filter(answer__in=answers)
    ended = {"fence": F("fence") + 1, "lease_until": None, "failed_reason": ERASED}
    runs.filter(finished_at=None).update(**ended, read_at=Coalesce("read_at", timezone.now()), erasure=order)
    runs.filter(finished_at__isnull=False).update(result={}, erasure=order)
    DetectorReport.objects.filter(run__answer__in=answers).update(measurements=None, reason="")
    Claim.objects.filter(run__answer__in=answers).update(
        text="", reading={}, citations=[], reason="", metric="", period="", value="", expected=""
    )


def _empty_queries(answers: Collection[UUID]) -> dict[str, str]:
    """Who asked, and under which number, goes with the last answer to it."""
    left = Answer.with_words().filter(query=OuterRef("pk"))
    queries = Query.objects.select_for_update().filter(~Exists(left), answers__in=answers).order_by("pk")
    found = {query.pk: query for query in queries}
    Query.objects.filter(pk__in=found).update(asked_by="", external_id=None, user=None)
    return {
        str(query.pk): keyed.signed("erased", repr((query.external_id, query.asked_by)))
        for query in found.values()
    }


def _forget_chunks(marks: Collection[str]) -> None:
    """Now, and once the erasure is there for all to see: see :meth:`detection.runs.frames.FrameRows.keep`."""
    ChunkFrames.erase(marks)
    transaction.on_commit(lambda: ChunkFrames.erase(marks))
