"""Audited reasoning traces, to read (SPEC-08.23…SPEC-08.26)."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from detection import traces as audits
from detection.access import visible_traces
from detection.core import text
from detection.core.traces import step_named
from detection.models import Trace, TraceStep
from detection.operations import verifying
from reviews.display.screen import Asked, Erased, older, screen
from reviews.templatetags.judged_tags import STEPS

SIZE = 50
MOST_SOURCES = 100
"""Sources of a trace that its page shows."""


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
        "statuses": STEPS.items(),
        "switched_on": verifying.is_on("trace_auditing"),
        "section": "traces",
    }
    return render(request, "reviews/answers/traces.html", context)


@screen
@require_safe
def trace(request: Asked, pk: UUID) -> HttpResponseBase:
    """One trace with what was found of each step."""
    chosen = get_object_or_404(visible_traces(request.user).select_related("property", "profile"), pk=pk)
    if chosen.erasure:
        raise Erased(chosen.erasure)
    steps = list(chosen.steps.order_by("index"))
    reason, reasons = audits.retold(chosen, steps, get_language() or "en")
    cited = {ref for step in steps for ref in step.citations}
    kept = _kept(chosen.context, cited)
    anchors = _anchors(kept)
    context = {
        "trace": chosen,
        "reason": reason,
        "steps": [
            (step, told, [(ref, _place(ref, step.index, anchors)) for ref in step.citations])
            for step, told in zip(steps, reasons, strict=True)
        ],
        "conclusions": [step.conclusion for step in steps],
        "sources": kept,
        "sources_left": len(chosen.context) - len(kept),
        "section": "traces",
    }
    return render(request, "reviews/answers/trace.html", context)


def _place(ref: str, index: int, anchors: Mapping[str, str]) -> str:
    """Where step ``index`` leads with a citation; empty when that is no place on the page."""
    named = step_named(ref)
    if named is not None:
        return f"#step-{named + 1}" if named < index else ""
    known = text.resolve(ref, list(anchors))
    return f"#{anchors[known]}" if known else ""


def _kept(context: Sequence[Mapping[str, Any]], cited: set[str]) -> list[tuple[int, Mapping[str, Any]]]:
    """The sources that are shown, with their positions: those cited before others where there are many."""
    ranked = sorted(enumerate(context), key=lambda pair: (pair[1]["id"] not in cited, pair[0]))
    return sorted(ranked[:MOST_SOURCES], key=lambda pair: pair[0])


def _anchors(kept: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[str, str]:
    """What may be cited, ids before parent ids, and where it stands."""
    own = {str(source["id"]): f"source-{position}" for position, source in kept}
    parents = [(str(s["parent_id"]), f"source-{n}") for n, s in reversed(kept) if s.get("parent_id")]
    return {**dict(parents), **own}


def _filtered(found: QuerySet[Trace], q: str, worst: str) -> QuerySet[Trace]:
    if q:
        found = found.filter(Q(question__icontains=q) | Q(answer__icontains=q))
    return _by_worst(found, worst) if worst in STEPS else found


def _by_worst(found: QuerySet[Trace], worst: str) -> QuerySet[Trace]:
    """Traces of whose steps one has this conclusion, and none a graver one."""
    steps, order = TraceStep.objects.filter(trace=OuterRef("pk")), list(STEPS)
    graver = steps.filter(conclusion__in=order[: order.index(worst)])
    return found.filter(Exists(steps.filter(conclusion=worst)), ~Exists(graver))


def _rows(page: list[Trace]) -> list[tuple[Trace, str, list[str]]]:
    """The traces of a page with the worst conclusion and those of all their steps, in one query whatever their number."""
    concluded: dict[UUID, list[str]] = {one.pk: [] for one in page}
    for pk, word in TraceStep.objects.filter(trace__in=page).values_list("trace_id", "conclusion"):
        concluded[pk].append(word)
    return [(one, min(concluded[one.pk], key=list(STEPS).index), concluded[one.pk]) for one in page]
