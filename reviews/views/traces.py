"""Audited reasoning traces, to read (SPEC-08.23…SPEC-08.26)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from detection.access import visible_traces
from detection.core.text import direction
from detection.models import Trace, TraceStep
from detection.operations import verifying
from reviews import traces_shown, wording
from reviews.views.screen import Asked, older, screen
from reviews.wording import Shown

SIZE = 50
EXCERPT = 220


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A trace in the list."""

    id: UUID
    worst: Shown
    question: str
    excerpt: str
    direction: str
    language: str
    counts: list[tuple[Shown, int]]
    verdict: Shown
    about: str
    created: datetime
    age: str


@screen
@require_safe
def traces(request: Asked) -> HttpResponseBase:
    """The list, newest first, by search and by the worst step."""
    params = {name: request.GET.get(name, "").strip() for name in ("q", "worst")}
    found = _filtered(visible_traces(request.user), **params)
    page = list(older(found, request.GET.get("after", "")).select_related("property")[: SIZE + 1])
    context = {
        "rows": _rows(page[:SIZE]),
        "after": page[SIZE - 1].pk if len(page) > SIZE else "",
        "filtered": any(params.values()),
        "params": params,
        "statuses": traces_shown.STATUSES.items(),
        "switched_on": verifying.is_on("trace_auditing"),
        "section": "traces",
    }
    return render(request, "reviews/answers/traces.html", context)


@screen
@require_safe
def trace(request: Asked, pk: UUID) -> HttpResponseBase:
    """One trace with what was found of each step."""
    chosen = get_object_or_404(visible_traces(request.user).select_related("property", "profile"), pk=pk)
    steps = list(chosen.steps.defer("measurement").order_by("index"))
    page = traces_shown.trace_page(chosen, steps)
    return render(request, "reviews/answers/trace.html", {"page": page, "section": "traces"})


def _filtered(found: QuerySet[Trace], q: str, worst: str) -> QuerySet[Trace]:
    if q:
        found = found.filter(Q(question__icontains=q) | Q(answer__icontains=q))
    return found.filter(worst=worst) if worst in traces_shown.STATUSES else found


def _rows(page: list[Trace]) -> list[TraceRow]:
    """The rows of a page, in two queries whatever their number."""
    statuses: dict[UUID, list[str]] = {one.pk: [] for one in page}
    for pk, status in TraceStep.objects.filter(trace__in=page).values_list("trace_id", "status"):
        statuses[pk].append(status)
    return [_row(one, statuses[one.pk]) for one in page]


def _row(one: Trace, statuses: list[str]) -> TraceRow:
    return TraceRow(
        id=one.pk,
        worst=traces_shown.STATUSES[one.worst],
        question=one.question[:EXCERPT],
        excerpt=one.answer[:EXCERPT] + (" …" if len(one.answer) > EXCERPT else ""),
        direction=direction(one.answer[:EXCERPT]),
        language=one.language,
        counts=traces_shown.counts(statuses),
        verdict=traces_shown.VERDICTS[one.derivable],
        about=one.property.name if one.property else "",
        created=one.created_at,
        age=wording.age(one.created_at, timezone.now()),
    )
