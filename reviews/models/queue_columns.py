"""What lists sort and narrow reviews by, kept on the review's row, so that one index serves one filter.

A filter that joins reads every review in order until it has found a page; with its column in the index the
page is there at once, however rare the value is.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from django.db import models
from django.db.models import Q

from detection.models import Claim, DetectionRun
from reviews.models.states import Against

KINDS = ("statement", "currency", "percentage", "ratio", "date", "number", "change")
"""What a claim can be; all but a statement are numbers."""
LIVE = Q(resolved_at__isnull=True, voided_at__isnull=True)
"""Neither resolved nor void. Said by times rather than states, since IS NULL lets a partial index be used."""
ORDER = ("queue_order", "created_at", "id")


def queue_columns(run: DetectionRun) -> dict[str, Any]:
    """The language of the answer of ``run``, of which kinds it has claims to decide, and what is against it. Written
    whenever the run is."""
    from detection.core.verdict import (
        DOUBTFUL,
        concluded,
    )  # loads all that judges, which most programs never need

    asked = Claim.objects.filter(
        Q(flagged=True) | Q(status__in=DOUBTFUL), run=run, origin=Claim.Origin.DETECTOR
    )
    found = set(asked.order_by().values_list("flagged", "kind", "status", "finding").distinct())
    kinds = {kind for flagged, kind, *_ in found if flagged}
    words = {concluded(*finding) for _, *finding in found if finding[1] in DOUBTFUL}
    told = {"language": run.answer.language, "against": Against.gravest(words)}
    return told | {f"has_{kind}": kind in kinds for kind in KINDS}


def against(runs: Collection[int]) -> dict[int, str]:
    """The gravest conclusion against a claim of each of these runs (ids) that has one; one query."""
    from detection.core.verdict import DOUBTFUL, concluded  # as above

    doubtful = Claim.objects.filter(run__in=runs, origin=Claim.Origin.DETECTOR, status__in=DOUBTFUL)
    words: dict[int, set[str]] = defaultdict(set)
    for run, *finding in doubtful.order_by().values_list("run", "kind", "status", "finding").distinct():
        words[run].add(concluded(*finding))
    return {run: Against.gravest(found) for run, found in words.items()}


def _live(name: str, *fields: str, also: Q | None = None) -> models.Index:
    return models.Index(fields=fields, condition=LIVE & also if also else LIVE, name=f"review_{name}")


INDEXES = [
    models.Index(fields=ORDER, name="review_order"),
    _live("queue_order", *ORDER),
    _live("queue_by_property", "property", *ORDER),
    _live("queue_by_period", "period", *ORDER),
    _live("queue_by_language", "language", *ORDER),
    _live("queue_by_reason", "selection_reason", *ORDER),
    _live("queue_by_against", "against", *ORDER),
    _live("queue_by_due", "due_at", "id"),
    _live("queue_by_age", "created_at", "id"),
    *(_live(f"queue_has_{kind}", *ORDER, also=Q(**{f"has_{kind}": True})) for kind in KINDS),
    models.Index(fields=["state", *ORDER], name="review_by_state"),
    models.Index(fields=["created_at", "id"], name="review_by_age"),
    models.Index(fields=["due_at", "id"], name="review_by_due"),
    models.Index(
        fields=["-resolved_at"], condition=Q(resolved_at__isnull=False), name="review_by_resolution"
    ),
    models.Index(fields=["-voided_at"], condition=Q(voided_at__isnull=False), name="review_by_voiding"),
    models.Index(
        fields=["resolved_by", "-resolved_at"],
        condition=Q(resolved_at__isnull=False),
        name="review_by_resolver",
    ),
    models.Index(fields=["snoozed_until"], condition=Q(state="snoozed"), name="review_snoozed"),
]
