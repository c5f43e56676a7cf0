"""The rows of the queue list as a person sees them (F10)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from detection.models import Claim
from reviews.display import figures, wording
from reviews.display.answer_text import AnswerPiece
from reviews.display.choices import KINDS
from reviews.display.claim_rows import claim_rows
from reviews.display.highlights import Span, cut
from reviews.display.wording import Badge
from reviews.models import HallucinationReview, name_of
from reviews.models.states import State
from reviews.queue import listing


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One line of the list. ``why`` says what the priority comes from; of what is judged ``blind`` neither that nor
    any conclusion is shown, so that an audit looks like the rest of its lane."""

    id: int
    version: int
    priority: Badge
    against: str
    why: Sequence[str]
    question: str
    excerpt: Sequence[AnswerPiece]
    direction: str
    language: str
    flagged: int
    total: int
    kinds: Sequence[tuple[str | Promise, int, int]]
    deviation: str
    about: str
    created: datetime
    age: str
    due: Badge | None
    assignee: str
    state: str
    word: str
    holder: str
    mine: bool
    live: bool
    returned: datetime | None
    blind: bool = False


def queue_rows(rows: Sequence[listing.Row], user: Any) -> list[QueueRow]:
    """The rows of a page; one query for the highlights of all of them."""
    spans: dict[int, list[Claim]] = defaultdict(list)
    flagged = Claim.objects.filter(
        run__in=[r.review.run_id for r in rows], flagged=True, start__lt=listing.EXCERPT
    )
    for claim in flagged.defer("reading", "reason").order_by("index"):
        spans[claim.run_id].append(claim)
    return [_row(r, spans[r.review.run_id], user) for r in rows]


def _row(row: listing.Row, flagged: Sequence[Claim], user: Any) -> QueueRow:
    review, now = row.review, timezone.now()
    blind = review.judged_blind and review.is_live
    holder = review.holder
    return QueueRow(
        id=review.pk,
        version=review.version,
        priority=wording.BLIND if blind else wording.urgency(review.priority, review.against),
        against="" if blind else review.get_against_display(),
        why=_why(row, blind=blind),
        question=row.question,
        excerpt=[AnswerPiece(_("(erased)"))]
        if row.review.answer.erasure_id
        else excerpt(row.excerpt, [] if blind else flagged),
        direction=review.answer.direction,
        language=review.answer.language,
        flagged=0 if blind else row.flagged,
        total=row.claims,
        kinds=[] if blind else _kinds(row),
        deviation="" if blind else figures.deviation(row.deviation),
        about=wording.about(review),
        created=review.created_at,
        age=wording.age(review.created_at, now),
        due=wording.due(review.due_at, now) if review.is_live else None,
        assignee=_person(review.assignee, user),
        state=review.state,
        word=state_word(review),
        holder=_person(holder, user),
        mine=bool(holder and holder.pk == user.pk),
        live=review.is_live,
        returned=review.returned_at if review.is_live else None,
        blind=blind,
    )


def _kinds(row: listing.Row) -> list[tuple[str | Promise, int, int]]:
    """The kinds that have a claim to decide, the most of them first: how many, of how many."""
    kinds = [(KINDS.get(kind, kind), *counts) for kind, counts in row.kinds.items() if counts[0]]
    return sorted(kinds, key=lambda kind: -kind[1])


def _why(row: listing.Row, *, blind: bool) -> list[str]:
    """What the priority comes from, the commonest finding first."""
    if blind:
        return [str(wording.JUDGED_BLIND)]
    reason = row.review.get_selection_reason_display()
    found = sorted((one for one in row.found if one.flagged), key=lambda one: -one.count)
    return [reason, *(_finding(one) for one in found)]


def _finding(found: listing.RowFinding) -> str:
    # Translators: how many claims of a kind were found to be what, for example "2 × currency: digits swapped"
    return _("%(count)d × %(kind)s: %(finding)s") % {
        "count": found.count,
        "kind": str(KINDS.get(found.kind, found.kind)).lower(),
        "finding": wording.badge(found.kind, found.status, found.finding).word,
    }


def excerpt(text: str, flagged: Sequence[Claim]) -> list[AnswerPiece]:
    """The beginning of an answer with its doubtful claims marked, numbers before whole statements."""
    claims = claim_rows(flagged, {}, {}, blind=False)
    numbers = {c.id: c for c in claims if c.kind != "statement"} or {c.id: c for c in claims}
    pieces = [
        AnswerPiece(p.text, numbers[int(p.keys[-1])].look if p.keys else "")
        for p in cut(text, [Span(c.start, c.end, c.id) for c in numbers.values()])
    ]
    return [*pieces, AnswerPiece(" …")] if len(text) >= listing.EXCERPT else pieces


def _person(person: Any, user: Any) -> str:
    """A person's name, "you" for whoever looks, nothing for nobody."""
    if person is None:
        return ""
    return pgettext("a person in a list", "you") if person.pk == user.pk else name_of(person)


def state_word(review: HallucinationReview) -> str:
    """Where a review stands, in a few words: who decided what, or until when it is snoozed."""
    if review.state == State.RESOLVED:
        told = {"outcome": review.get_outcome_display(), "who": name_of(review.resolved_by)}
        return _("%(outcome)s, by %(who)s") % told
    if review.state == State.SNOOZED and review.snoozed_until:
        return _("Snoozed until %(time)s UTC") % {"time": f"{review.snoozed_until:%Y-%m-%d %H:%M}"}
    return review.get_state_display()
