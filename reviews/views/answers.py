"""All answers, the unflagged ones too, to read (S7)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from detection.access import visible_answers
from detection.models import Answer, DetectionRun
from reviews import wording
from reviews.models import HallucinationReview
from reviews.presentation import answer_page
from reviews.strict_shown import strict_shown
from reviews.views.screen import Asked, number, older, screen
from reviews.wording import Shown

SIZE = 50
EXCERPT = 220


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer in the list."""

    id: UUID
    risk: Shown
    question: str
    excerpt: str
    direction: str
    language: str
    flagged: int
    total: int
    confidence: str
    about: str
    created: datetime
    age: str
    review: int | None
    review_state: str


@screen
@require_safe
def answers(request: Asked) -> HttpResponseBase:
    """The list, newest first, by search and risk."""
    found = _filtered(visible_answers(request.user), request.GET.get("q", ""), request.GET.get("risk", ""))
    page = list(older(found, request.GET.get("after", "")).select_related("property", "period")[: SIZE + 1])
    more = len(page) > SIZE
    context = {
        "rows": _rows(page[:SIZE]),
        "after": page[SIZE - 1].pk if more else "",
        "filtered": bool(request.GET.get("q") or request.GET.get("risk")),
        "params": request.GET.dict(),
        "levels": list(wording.RISKS),
        "section": "answers",
    }
    return render(request, "reviews/answers.html", context)


@screen
@require_safe
def answer(request: Asked, pk: UUID) -> HttpResponseBase:
    """One answer with what its latest run found, read-only."""
    seen = visible_answers(request.user).select_related("property", "period")
    chosen = get_object_or_404(seen, pk=pk)
    run = DetectionRun.objects.filter(answer=chosen).exclude(purpose="shadow").order_by("-id").first()
    review = HallucinationReview.objects.filter(answer=chosen).order_by("-id").first()
    page = answer_page(chosen, run, review.pk if review else None, number(request.GET.get("claim")))
    context = {"page": page, "strict": strict_shown(chosen), "section": "answers", "screen": "review"}
    return render(request, "reviews/answer.html", context)


@screen
@require_safe
def answer_text(request: Asked, pk: UUID) -> HttpResponseBase:
    """The whole answer as submitted, as plain text: of a long one the pages show a part."""
    chosen = get_object_or_404(visible_answers(request.user), pk=pk)
    return HttpResponse(chosen.text, content_type="text/plain; charset=utf-8")


def _filtered(found: QuerySet[Answer], text: str, risk: str) -> QuerySet[Answer]:
    if text.strip():
        found = found.filter(Q(text__icontains=text.strip()) | Q(question__icontains=text.strip()))
    if risk in wording.RISKS:
        found = found.filter(runs__risk_level=risk, runs__purpose="live").distinct()
    return found


def _rows(page: list[Answer]) -> list[AnswerRow]:
    """The rows of a page, in three queries whatever their number."""
    runs = {
        run.answer_id: run
        for run in DetectionRun.objects.filter(answer__in=page)
        .exclude(purpose="shadow")
        .annotate(total=Count("claims"), flagged=Count("claims", filter=Q(claims__flagged=True)))
        .defer("result")
        .order_by("id")
    }
    reviews = {r.answer_id: r for r in HallucinationReview.objects.filter(answer__in=page).order_by("id")}
    return [_row(one, runs.get(one.pk), reviews.get(one.pk)) for one in page]


def _row(one: Answer, run: DetectionRun | None, review: HallucinationReview | None) -> AnswerRow:
    about = [one.property.name if one.property else "", one.period.label if one.period else ""]
    trail = [
        wording.confidence(one.original_confidence),
        wording.confidence(run.adjusted_confidence if run else None),
    ]
    waiting = Shown("idle", "", run.state.replace("_", " ") if run else "queued")
    return AnswerRow(
        id=one.pk,
        risk=wording.RISKS.get(run.risk_level, waiting) if run else waiting,
        question=one.question,
        excerpt=one.text[:EXCERPT] + (" …" if len(one.text) > EXCERPT else ""),
        direction=one.direction,
        language=one.language,
        flagged=getattr(run, "flagged", 0),
        total=getattr(run, "total", 0),
        confidence=" → ".join(dict.fromkeys(part for part in trail if part)),
        about=" · ".join(part for part in about if part),
        created=one.created_at,
        age=wording.age(one.created_at, timezone.now()),
        review=review.pk if review else None,
        review_state=review.get_state_display().lower() if review else "",
    )
