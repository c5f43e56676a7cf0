"""All answers, the unflagged ones too, to read and to send to review (S7)."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from detection.access import may_review, visible_answers, visible_properties
from detection.models import Answer, DetectionRun, StrictAnswer
from reviews.answers.rows import CONDITIONS, answer_choices, answer_rows, narrowed
from reviews.display import wording
from reviews.display.choices import MOST, chips
from reviews.display.screen import Asked, Erased, judging, number, older, screen
from reviews.forms import ReasonForm
from reviews.lifecycle.results import effective_of
from reviews.models import HallucinationReview, NotAllowed, send_to_review
from reviews.review_page.presentation import answer_page
from reviews.rights import hidden_answers

SIZE = 50


@screen
@require_safe
def answers(request: Asked) -> HttpResponseBase:
    """The list, newest first, by search and filters; the ids are chosen before anything is read."""
    params = {name: value for name in CONDITIONS if (value := _given(request, name))}
    found = narrowed(visible_answers(request.user), params, request.user)
    page = older(found, request.GET.get("after", ""))
    ids = list(page.values_list("pk", flat=True)[: SIZE + 1])
    names = visible_properties(request.user).order_by("name").values_list("code", "name")[:MOST]
    controls = answer_choices(params, list(names))
    context = {
        "rows": answer_rows(ids[:SIZE], request.user),
        "after": ids[SIZE - 1] if len(ids) > SIZE else "",
        "beyond": bool(request.GET.get("after")),
        "controls": controls,
        "chips": chips(params, {}, controls),
        "params": params,
        "section": "answers",
        "screen": "queue",
    }
    return render(request, "reviews/answers/answers.html", context)


def _given(request: Asked, name: str) -> str:
    return request.GET.get(name, "").replace("\0", "").strip()


@screen
@require_safe
def answer(request: Asked, pk: UUID) -> HttpResponseBase:
    """One answer with what its latest run found, read-only."""
    return _page(request, pk)


def _found(request: Asked, pk: UUID) -> Answer:
    """The answer, or 404. Raises :class:`Erased` for one that was."""
    chosen = get_object_or_404(visible_answers(request.user).select_related("property", "period"), pk=pk)
    if chosen.erasure:
        counts, review = effective_of([pk], request.user).get(pk), _review(chosen)
        raise Erased(chosen.erasure, wording.decided(counts), review.pk if review else None)
    return chosen


def _page(request: Asked, pk: UUID, *, refused: str = "") -> HttpResponseBase:
    chosen = _found(request, pk)
    run, review = _latest_run(chosen), _review(chosen)
    blind = bool(hidden_answers(request.user, [chosen.pk]))
    counts = effective_of([chosen.pk], request.user).get(chosen.pk)
    page = answer_page(
        chosen, run, review.pk if review else None, number(request.GET.get("claim")), blind=blind
    )
    context = {
        "page": page,
        "strict": None if blind else StrictAnswer.objects.filter(judged=chosen).first(),
        "review": review,
        "counts": counts,
        "decided": wording.decided(counts),
        "found_wrong": run and run.has_hallucinations,
        "may_send": may_review(request.user) and not (review and review.is_live),
        "finished": bool(run and run.finished_at),
        "superseded": chosen.is_superseded,
        "refused": refused,
        "reason": request.POST.get("reason", ""),
        "section": "answers",
        "screen": "review",
    }
    return render(request, "reviews/answers/answer.html", context, status=422 if refused else 200)


def _latest_run(chosen: Answer) -> DetectionRun | None:
    return DetectionRun.objects.filter(answer=chosen).exclude(purpose="shadow").order_by("-id").first()


def _review(chosen: Answer) -> HallucinationReview | None:
    return HallucinationReview.objects.filter(answer=chosen).order_by("-id").first()


@judging
@require_POST
def send(request: Asked, pk: UUID) -> HttpResponseBase:
    """Put an answer into the queue by hand, with a reason; one that is there already is shown."""
    chosen, form = _found(request, pk), ReasonForm(request.POST)
    run = _latest_run(chosen)
    if not form.is_valid():
        return _page(request, pk, refused=_("Say why this answer needs a review."))
    if run is None:
        return _page(
            request, pk, refused=_("This answer has no finished check yet. Wait for it, then send it.")
        )
    try:
        review = send_to_review(chosen, run, request.user, form.cleaned_data["reason"])
    except NotAllowed as refusal:
        return _page(request, pk, refused=str(refusal))
    messages.success(request, _("The answer is in the queue as review #%(number)d.") % {"number": review.pk})
    return redirect("review", review.pk)


@screen
@require_safe
def answer_text(request: Asked, pk: UUID) -> HttpResponseBase:
    """The whole answer as submitted, as plain text: of a long one the pages show a part."""
    chosen = _found(request, pk)
    return HttpResponse(chosen.text, content_type="text/plain; charset=utf-8")
