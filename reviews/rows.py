"""The queue list as a person sees it: rows, filters and the truth about an empty list (F05, F10)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from detection.access import visible_properties
from detection.models import Claim
from reviews import figures, queue, wording
from reviews.claims_shown import claims_shown
from reviews.highlights import Span, cut
from reviews.models import HallucinationReview, name_of
from reviews.models.record import AUDITS, State
from reviews.presentation import AnswerPiece, about_of
from reviews.wording import Shown


@dataclass(frozen=True, slots=True)
class RowShown:
    """One line of the list."""

    id: int
    priority: Shown
    question: str
    excerpt: Sequence[AnswerPiece]
    direction: str
    language: str
    flagged: int
    total: int
    deviation: str
    about: str
    created: datetime
    age: str
    due: Shown | None
    state: str
    word: str
    mine: bool


def rows_shown(rows: Sequence[queue.Row], user: Any) -> list[RowShown]:
    """The rows of a page; one query for the highlights of all of them."""
    spans: dict[int, list[Claim]] = defaultdict(list)
    flagged = Claim.objects.filter(
        run__in=[r.review.run_id for r in rows], flagged=True, start__lt=queue.EXCERPT
    )
    for claim in flagged.order_by("index"):
        spans[claim.run_id].append(claim)
    return [_row(r, spans[r.review.run_id], user) for r in rows]


def _row(row: queue.Row, flagged: Sequence[Claim], user: Any) -> RowShown:
    """A review in the list; of an audit, which is judged blind, no conclusion is shown."""
    review, now = row.review, timezone.now()
    blind = review.selection_reason in AUDITS and review.is_live
    holder = review.holder
    return RowShown(
        id=review.pk,
        priority=wording.PRIORITIES[HallucinationReview.Priority(review.priority)],
        question=row.question,
        excerpt=excerpt(row.excerpt, [] if blind else flagged),
        direction=review.answer.direction,
        language=review.answer.language,
        flagged=0 if blind else row.flagged,
        total=row.claims,
        deviation="" if blind else figures.deviation(row.deviation),
        about=about_of(review),
        created=review.created_at,
        age=wording.age(review.created_at, now),
        due=wording.due(review.due_at, now) if review.is_live else None,
        state=review.state,
        word=_state(review, holder, user),
        mine=bool(holder and holder.pk == user.pk),
    )


def excerpt(text: str, flagged: Sequence[Claim]) -> list[AnswerPiece]:
    """The beginning of an answer with its doubtful claims marked, numbers before whole statements."""
    claims = claims_shown(flagged, {}, {}, blind=False)
    numbers = {c.id: c for c in claims if c.kind != "statement"} or {c.id: c for c in claims}
    pieces = [
        AnswerPiece(p.text, numbers[int(p.keys[-1])].look if p.keys else "")
        for p in cut(text, [Span(c.start, c.end, c.id) for c in numbers.values()])
    ]
    return [*pieces, AnswerPiece(" …")] if len(text) >= queue.EXCERPT else pieces


def _state(review: HallucinationReview, holder: Any, user: Any) -> str:
    if holder:
        return "held by you" if holder.pk == user.pk else f"held by {name_of(holder)}"
    if review.state == State.RESOLVED:
        return f"{review.get_outcome_display().lower()} by {name_of(review.resolved_by)}"
    if review.assignee:
        return f"for {'you' if review.assignee_id == user.pk else name_of(review.assignee)}"
    return review.get_state_display().lower()


@dataclass(frozen=True, slots=True)
class Choice:
    """One filter: its name in the address, its options and the one chosen."""

    name: str
    label: str
    any: str
    options: Sequence[tuple[str, str]]
    value: str


def choices(params: Mapping[str, str], user: Any) -> list[Choice]:
    """The filters of the list."""
    properties = [(p.code, p.name) for p in visible_properties(user).order_by("name")[:200]]
    offered: list[tuple[str, str, str, Sequence[tuple[str, str]]]] = [
        ("mine", "Whose", "Everybody's", [("held", "Held by me"), ("assigned", "Assigned to me")]),
        ("risk", "Priority", "Any priority", [("high", "High"), ("moderate", "Medium"), ("low", "Low")]),
        ("kind", "Flagged claim", "Any claim", [(k, k.capitalize()) for k in KINDS]),
        ("property", "Property", "Any property", properties),
        ("language", "Language", "Any language", [("en", "English"), ("he", "Hebrew"), ("zh", "Chinese")]),
        ("state", "State", "To do", [*State.choices, ("all", "All states")]),
    ]
    return [
        Choice(name, label, any_, options, params.get(name, "")) for name, label, any_, options in offered
    ]


KINDS = ("currency", "percentage", "ratio", "date", "number", "statement")


@dataclass(frozen=True, slots=True)
class Empty:
    """Why the list is empty, and a way on."""

    code: str
    title: str
    text: str = ""
    lines: Sequence[str] = ()
    way: tuple[str, str] | None = None


def empty(facts: queue.Counts, *, narrowed: bool) -> Empty:
    """The truth about an empty list; it never says "done" while something waits (review-queue §3.4)."""
    if narrowed:
        return Empty(
            "filtered",
            f"0 of {queue.shown(facts.live)} match",
            "No review that you can see matches these filters.",
            way=("?", "Clear filters"),
        )
    if facts.snoozed:
        return Empty(
            "snoozed",
            "Everything left is snoozed",
            f"{queue.shown(facts.snoozed)} come back by themselves.",
            way=("?state=snoozed", "Show snoozed"),
        )
    if facts.last_resolved_at:
        last = f"The last one was resolved at {facts.last_resolved_at:%H:%M} UTC on {facts.last_resolved_at:%-d %B} by {facts.last_resolved_by}."
        return Empty("done", "Nothing waiting", last, way=("?state=resolved", "Show resolved"))
    return Empty("new", "Nothing waiting", "Doubtful answers appear here as soon as they are found.")


def nothing_to_take(facts: queue.Counts) -> str:
    """Why there is no next review for a person although the list may not be empty."""
    if facts.held_by_others:
        people = ", ".join(f"{h.name} ({h.count}, until {h.until:%H:%M} UTC)" for h in facts.holders)
        count = facts.held_by_others
        return f"{count} review{'s are' if count > 1 else ' is'} being reviewed by others: {people}."
    parts = [
        (facts.assigned_elsewhere, "assigned to others"),
        (facts.judged_by_me, "judged by you already"),
        (facts.snoozed, "snoozed"),
    ]
    told = ", ".join(f"{queue.shown(n)} {why}" for n, why in parts if n)
    return f"Nothing for you to take: {told}." if told else "Nothing is waiting."
