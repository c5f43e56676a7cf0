"""The rows of the list of all answers (S7): what was found, how it was written, and its review."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Substr
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from detection.access import may_review
from detection.models import Answer, DetectionRun, OwedVerification, StrictAnswer
from reviews.display import wording
from reviews.display.choices import LANGUAGES, Choice, Options
from reviews.display.wording import Badge
from reviews.lifecycle.results import effective, reviews_of
from reviews.models import HallucinationReview
from reviews.models.queue_columns import LIVE, against
from reviews.models.states import State
from reviews.queue.search import answers_saying
from reviews.rights import HIDDEN, hidden_answers

Answers = QuerySet[Answer]
EXCERPT = 220
LONGEST = 200

REVIEWED: Options = [
    ("none", _("Never in the queue")),
    ("live", _("In the queue now")),
    ("resolved", _("Resolved")),
]
WRITTEN: Options = [
    ("strict", _("Strict answers")),
    ("refused", _("Strict answers that were refused")),
    ("free", _("Other answers")),
]
VERIFICATION: Options = [("owed", _("Owed"))]
WAITING: dict[str, Badge] = {
    "queued": Badge("idle", "", _("Queued")),
    "running": Badge("idle", "", _("Running")),
    "needs_attention": Badge("warn", "", _("Needs attention")),
}
"""How a run is shown that has found nothing yet."""
ERASED = Badge("idle", "", _("Erased"))
"""How one is shown that never will."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer in the list, the beginning of its text as ``excerpt``. ``strict`` is empty for what strict generation did not write, ``flagged`` None for what
    is being judged blind, ``decided`` empty unless a person's verdict counts."""

    answer: Answer
    risk: Badge
    strict: Badge | None
    owed: Badge | None
    flagged: int | None
    total: int
    confidence: str
    review: int | None
    review_state: str
    decided: str


def narrowed(found: Answers, params: dict[str, str], user: Any) -> Answers:
    """Narrow answers by what stands in the address; an unknown value finds nothing. What ``user`` may have to judge
    blind is found by none of :data:`TELLING`."""
    for name, value in params.items():
        found = found.filter(CONDITIONS[name](value))
    if may_review(user) and any(name in TELLING for name in params):
        found = found.exclude(Exists(HallucinationReview.objects.filter(HIDDEN, answer=OuterRef("pk"))))
    return found


def _at_risk(value: str) -> Q:
    return Q(Exists(DetectionRun.objects.filter(answer=OuterRef("pk"), risk_level=value, purpose="live")))


def _reviewed(value: str) -> Q:
    reviews = HallucinationReview.objects.filter(answer=OuterRef("pk"))
    conditions = {
        "none": ~Exists(reviews),
        "live": Exists(reviews.filter(LIVE)),
        "resolved": Exists(reviews.filter(state=State.RESOLVED)),
    }
    return Q(conditions[value]) if value in conditions else NOTHING


def _written(value: str) -> Q:
    strict = StrictAnswer.objects.filter(judged=OuterRef("pk"))
    refused = strict.filter(status=StrictAnswer.Status.HALLUCINATION_DETECTED)
    conditions = {"strict": Exists(strict), "refused": Exists(refused), "free": ~Exists(strict)}
    return Q(conditions[value]) if value in conditions else NOTHING


def _verification(value: str) -> Q:
    return Q(Exists(OWED)) if value == "owed" else NOTHING


NOTHING = Q(pk__in=())
OWED = OwedVerification.objects.filter(answer=OuterRef("pk"), ended_at__isnull=True)
"""Of an answer: what its verifier owes it now."""
TELLING = ("risk", "written", "verification")
"""What would tell, by finding an answer or not, what the detectors concluded of it."""
CONDITIONS = {
    "q": lambda value: answers_saying(value[:LONGEST]),
    "risk": _at_risk,
    "property": lambda value: Q(property__code=value),
    "language": lambda value: Q(language=value),
    "review": _reviewed,
    "written": _written,
    "verification": _verification,
}


def answer_choices(params: dict[str, str], properties: Options) -> list[Choice]:
    """The filters of the list."""
    risks = [(level, shown.word) for level, shown in wording.RISKS.items()]
    offered: list[tuple[str, str | Promise, str | Promise, Options]] = [
        ("risk", _("Risk"), _("Any risk"), risks),
        ("review", _("Review"), _("Any"), REVIEWED),
        ("written", _("How it was written"), _("Any"), WRITTEN),
        ("verification", _("Verification"), _("Any"), VERIFICATION),
        ("property", _("Property"), _("Any property"), properties),
        ("language", _("Language"), _("Any language"), LANGUAGES),
    ]
    return [
        Choice(name, label, any_, options, params.get(name, "")) for name, label, any_, options in offered
    ]


def answer_rows(chosen: Sequence[UUID], user: Any) -> list[AnswerRow]:
    """The rows of these answers as ``user`` sees them, in their order; six queries whatever their number."""
    answers = Answer.objects.filter(pk__in=chosen).select_related("property", "period").defer("text")
    newer = {"newer": F("superseded_by"), "newer_at": F("superseded_by__created_at"), "owed": Exists(OWED)}
    found = {one.pk: one for one in answers.annotate(excerpt=Substr("text", 1, EXCERPT + 1), **newer)}
    runs = {
        run.answer_id: run
        for run in DetectionRun.objects.filter(answer__in=chosen)
        .exclude(purpose="shadow")
        .annotate(
            total=Count("claims", filter=Q(claims__origin="detector")),
            flagged=Count("claims", filter=Q(claims__flagged=True)),
        )
        .defer("result")
        .order_by("id")
    }
    reviews = reviews_of(chosen)
    strict = {row.judged_id: row for row in StrictAnswer.objects.filter(judged__in=chosen)}
    grave = against([run.pk for run in runs.values()])
    rows = [
        _row(found[pk], run, reviews.get(pk, ()), strict.get(pk), grave.get(run.pk, "") if run else "")
        for pk, run in ((pk, runs.get(pk)) for pk in chosen if pk in found)
    ]
    hidden = hidden_answers(user, chosen)
    return [_blind(row) if row.answer.pk in hidden else row for row in rows]


def _blind(row: AnswerRow) -> AnswerRow:
    """A row of what is being judged blind: nothing that was concluded."""
    stated = row.confidence.partition(" → ")[0]
    return replace(
        row, risk=wording.BLIND, strict=None, owed=None, flagged=None, confidence=stated, decided=""
    )


def _row(
    one: Any,
    run: DetectionRun | None,
    reviews: Sequence[HallucinationReview],
    strict: StrictAnswer | None,
    against: str,
) -> AnswerRow:
    trail = [
        wording.confidence(one.original_confidence),
        wording.uncalibrated(run) if run else "",
        wording.confidence(run.adjusted_confidence if run else None),
    ]
    review = reviews[0] if reviews else None
    counts = effective(run, reviews, (one.newer, one.newer_at) if one.newer else None)
    waiting = ERASED if one.erasure_id else WAITING.get(run.state if run else "queued", WAITING["queued"])
    return AnswerRow(
        answer=one,
        risk=(run and wording.risk(run.risk_level, against)) or waiting,
        strict=_strict(strict),
        owed=wording.OWED if one.owed else None,
        flagged=getattr(run, "flagged", 0),
        total=getattr(run, "total", 0),
        confidence=" → ".join(dict.fromkeys(part for part in trail if part)),
        review=review.pk if review else None,
        review_state=str(review.get_state_display()) if review else "",
        decided=wording.decided(counts),
    )


def _strict(row: StrictAnswer | None) -> Badge | None:
    if row is None:
        return None
    if row.status != StrictAnswer.Status.SUCCESS:
        return Badge("bad", "", _("strict, refused"))
    return Badge("ok", "", _("strict")) if row.is_safe else Badge("warn", "", _("strict, a layer was off"))
