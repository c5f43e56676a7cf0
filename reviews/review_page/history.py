"""The history of a review (S6): who did what, when and why, by which thresholds, of which version of the answer."""

from dataclasses import replace

from django.contrib.auth.models import User
from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from detection.access import visible_answers
from detection.models import Answer
from reviews.audit.events import entries
from reviews.audit.listing import may_read
from reviews.display.screen import Asked, number, screen
from reviews.models import HallucinationReview, ReviewEvent
from reviews.review_page.views import seen
from reviews.rights import judges_blind
from reviews.thresholds.changes import version_of

SIZE = 200
MOST_VERSIONS = 50
"""Versions of an answer that are followed in either direction."""


@screen
@require_safe
def history(request: Asked, pk: int) -> HttpResponseBase:
    """The timeline, oldest first; for a blind pass without what the detectors or others concluded."""
    review = seen(request, pk)
    after = number(request.GET.get("after")) or 0
    rows = ReviewEvent.objects.filter(subject=review, seq__gt=after).order_by("seq")
    page = list(rows.select_related("actor", "key", "profile")[: SIZE + 1])
    events = entries("review", page[:SIZE])
    if judges_blind(review, review.pass_of(request.user)):
        events = [replace(event, changes=()) for event in events]
    context = {
        "review": review,
        "events": events,
        "more": page[SIZE - 1].seq if len(page) > SIZE else None,
        "beyond": bool(after),
        "versions": versions(review.answer, request.user),
        "thresholds": version_of(review.profile) if review.profile else None,
        "may_audit": may_read(request.user),
        "section": "queue",
    }
    return render(request, "reviews/review_page/history.html", context)


def versions(answer: Answer, user: User) -> list[tuple[int, Answer, int | None]]:
    """All versions of an answer that ``user`` may see, the oldest first: its number, itself and its latest review.
    Another version may be about another property."""
    chain = _chain(answer)
    seen = set(visible_answers(user).filter(pk__in=[one.pk for one in chain]).values_list("pk", flat=True))
    reviews = dict(
        HallucinationReview.objects.filter(answer__in=chain).order_by("pk").values_list("answer_id", "pk")
    )
    return [(n, one, reviews.get(one.pk)) for n, one in enumerate(chain, start=1) if one.pk in seen]


def _chain(answer: Answer) -> list[Answer]:
    chain = [answer]
    while chain[0].supersedes_id and len(chain) < MOST_VERSIONS:
        chain.insert(0, Answer.objects.get(pk=chain[0].supersedes_id))
    while (newer := Answer.objects.filter(supersedes=chain[-1]).first()) and len(chain) < 2 * MOST_VERSIONS:
        chain.append(newer)
    return chain
