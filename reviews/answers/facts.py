"""Facts that are remembered, each beside its evidence; for seniors, those that were rejected."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from detection.access import roles, visible_facts, visible_rejected_facts
from detection.models import Fact
from detection.operations import verifying
from reviews.audit.events import entries
from reviews.display.screen import Asked, Erased, older, screen
from reviews.templatetags.judged_tags import FACTS, MOST_SOURCES

SIZE = 25
EXCERPT = 400
LONGEST = 8000
"""Characters of a source on a fact's own page."""


@screen
@require_safe
def facts(request: Asked) -> HttpResponseBase:
    """What is remembered, newest first, by search and status."""
    found, status = visible_facts(request.user), request.GET.get("status", "")
    found = found.filter(status=status) if status in FACTS else found.exclude(status=Fact.Status.WITHDRAWN)
    return _page(request, found, {"statuses": [(status, look.word) for status, look in FACTS.items()]})


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
    if chosen.erasure:
        raise Erased(chosen.erasure)
    events = chosen.events.select_related("actor", "key", "profile").order_by("seq")
    context = {
        "row": chosen,
        "most": len(chosen.evidence),
        "longest": LONGEST,
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
        "rows": page[:SIZE],
        "most": MOST_SOURCES,
        "longest": EXCERPT,
        "after": page[SIZE - 1].pk if len(page) > SIZE else "",
        "filtered": bool(words or request.GET.get("status")),
        "params": request.GET.dict(),
        "gate_is_on": verifying.is_on("memory_gate"),
        "may_analyse": may_analyse(request.user),
        "section": "facts",
        **extra,
    }
    return render(request, "reviews/answers/facts.html", context)
