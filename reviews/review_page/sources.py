"""One source of an answer as it was submitted, with the parts of its document beside it."""

from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from detection.access import visible_answers
from detection.models import Source
from reviews.display.paragraphs import direction_of, language_of
from reviews.display.screen import Asked, Erased, screen
from reviews.review_page.source_rows import page_of

SHOWN = 200_000
"""Code points of a source on one page."""


@screen
@require_safe
def source(request: Asked, pk: UUID, position: int) -> HttpResponseBase:
    """The source at ``position``, read-only; 404 when the answer is not this person's to see."""
    answer = get_object_or_404(visible_answers(request.user), pk=pk)
    if answer.erasure:
        raise Erased(answer.erasure)
    chosen = get_object_or_404(Source, answer=answer, position=position)
    text = chosen.text[:SHOWN]
    context = {
        "answer": answer,
        "source": chosen,
        "text": text,
        "left_out": f"{len(chosen.text) - SHOWN:,}" if len(chosen.text) > SHOWN else "",
        "page": f"{page_of(chosen):g}" if page_of(chosen) else "",
        "direction": direction_of(text),
        "language": language_of(text),
        "parts": _parts(chosen),
        "section": "answers",
    }
    return render(request, "reviews/answers/source.html", context)


def _parts(chosen: Source) -> list[Source]:
    """The other parts of the same document, the first fifty."""
    if not chosen.parent_ref:
        return []
    found = Source.objects.filter(answer_id=chosen.answer_id, parent_ref=chosen.parent_ref)
    return list(found.defer("text").order_by("position")[:50])
