"""Facts that are remembered, each beside its evidence; for seniors, those that were rejected."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.views.decorators.http import require_safe

from detection.access import roles, visible_facts, visible_rejected_facts
from detection.core import text
from detection.models import Fact, RejectedFact
from detection.operations import verifying
from detection.runs import middle
from reviews import wording
from reviews.budgets import Budget, budget
from reviews.history_shown import entries
from reviews.views.screen import Asked, older, screen
from reviews.wording import Shown

SIZE = 25
MOST_SOURCES = 3
EXCERPT = 400
LONGEST = 8000
"""Characters of a source on a fact's own page."""

STATUSES = {
    Fact.Status.VERIFIED: Shown("ok", "✓", pgettext_lazy("fact", "verified")),
    Fact.Status.UNVERIFIED: Shown("idle", "…", pgettext_lazy("fact", "not verified")),
    Fact.Status.WITHDRAWN: Shown("plain", "", pgettext_lazy("fact", "withdrawn")),
}
REJECTED = Shown("bad", "≠", pgettext_lazy("fact", "rejected"))


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A piece of evidence; ``left_out`` is how many characters are not shown."""

    ref: str
    title: str
    excerpt: str
    direction: str
    left_out: int


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact as the pages show it."""

    id: UUID
    stored: bool
    shown: Shown
    reduced: bool
    content: str
    direction: str
    language: str
    confidence: str
    budget: Budget | None
    reason: str
    about: str
    source: str
    created: datetime
    age: str
    due: datetime | None
    withdrawn: str
    evidence: tuple[SourceRow, ...]
    more: int


@screen
@require_safe
def facts(request: Asked) -> HttpResponseBase:
    """What is remembered, newest first, by search and status."""
    found, status = visible_facts(request.user), request.GET.get("status", "")
    found = found.filter(status=status) if status in STATUSES else found.exclude(status=Fact.Status.WITHDRAWN)
    return _page(request, found, {"statuses": [(s.value, shown.word) for s, shown in STATUSES.items()]})


@screen
@require_safe
def rejected(request: Asked) -> HttpResponseBase:
    """What was not remembered, for seniors and admins (SPEC-08.18)."""
    if not may_analyse(request.user):
        raise PermissionDenied(gettext("Rejected facts are for senior reviewers."))
    return _page(request, visible_rejected_facts(request.user), {"rejected": True})


@screen
@require_safe
def fact(request: Asked, pk: UUID) -> HttpResponseBase:
    """One remembered fact with all its evidence and its history."""
    chosen = get_object_or_404(visible_facts(request.user).select_related("property", "submitted_by"), pk=pk)
    events = chosen.events.select_related("actor", "key", "profile").order_by("seq")
    context = {
        "row": _row(chosen, sources=len(chosen.evidence), length=LONGEST),
        "events": entries("fact", events),
        "section": "facts",
        "whole": True,
    }
    return render(request, "reviews/answers/fact.html", context)


def may_analyse(user: Any) -> bool:
    """Whether a person may see what was rejected."""
    return bool(roles(user) & {"senior", "admin"})


def _page(request: Asked, found: QuerySet[Any], extra: Mapping[str, Any]) -> HttpResponseBase:
    words = request.GET.get("q", "").strip()
    found = found.filter(content__icontains=words) if words else found
    found = older(found, request.GET.get("after", "")).select_related("property", "submitted_by")
    page = list(found.defer("measurement")[: SIZE + 1])
    context = {
        "rows": [_row(each) for each in page[:SIZE]],
        "after": page[SIZE - 1].pk if len(page) > SIZE else "",
        "filtered": bool(words or request.GET.get("status")),
        "params": request.GET.dict(),
        "gate_is_on": verifying.is_on("memory_gate"),
        "may_analyse": may_analyse(request.user),
        "section": "facts",
        **extra,
    }
    return render(request, "reviews/answers/facts.html", context)


def _row(row: Fact | RejectedFact, sources: int = MOST_SOURCES, length: int = EXCERPT) -> FactRow:
    kept = row if isinstance(row, Fact) else None
    trail = [wording.confidence(row.stated_confidence), wording.confidence(row.confidence)]
    return FactRow(
        id=row.pk,
        stored=kept is not None,
        shown=STATUSES[Fact.Status(kept.status)] if kept else REJECTED,
        reduced=bool(kept and kept.reduced),
        content=row.content,
        direction=text.direction(row.content),
        language=row.language,
        confidence=" → ".join(dict.fromkeys(trail)),
        budget=budget({"strawberry": _measured(row)}),
        reason=row.reason,
        about=row.property.name if row.property else "",
        source=row.submitted_by.name if row.submitted_by else "",
        created=row.created_at,
        age=wording.age(row.created_at, timezone.now()),
        due=kept.verify_after if kept else None,
        withdrawn=kept.withdrawn_reason if kept else "",
        evidence=tuple(_source(source, length) for source in row.evidence[:sources]),
        more=max(len(row.evidence) - sources, 0),
    )


def _measured(row: Fact | RejectedFact) -> dict[str, Any]:
    """A fact's columns as the budget of a statement is rendered."""
    return {
        "p1": middle(row.p1),
        "p0": middle(row.p0),
        "required_bits": row.required_bits,
        "observed_bits": row.observed_bits,
        "finding": _carried(row),
        "scrubbed": [source["id"] for source in row.evidence[:MOST_SOURCES]],
        "method": row.method,
        "model": row.model,
    }


def _carried(row: Fact | RejectedFact) -> str:
    """Whether the evidence carries a fact, in the words of a statement's finding."""
    if row.finding == "contradicted":
        return "contradicted"
    if isinstance(row, RejectedFact):
        return "unsupported"
    return "supported" if (row.budget_gap or 0) <= 0 else "borderline"


def _source(source: Mapping[str, Any], length: int) -> SourceRow:
    whole = source["text"]
    return SourceRow(
        source["id"],
        source["title"],
        whole[:length],
        text.direction(whole[:length]),
        max(len(whole) - length, 0),
    )
