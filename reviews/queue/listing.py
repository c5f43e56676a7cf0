"""The queue as a list: its orders and its pages.

Pages are told apart by the row at their edge, not by an offset, so that deep pages cost what the first one does.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, F, Max, Min
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from django.db.models.functions import Substr
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from detection.models import Claim
from reviews.models import HallucinationReview
from reviews.models.queue_columns import ORDER
from reviews.queue.filters import Reviews, filtered
from reviews.queue.visible import visible_reviews

__all__ = ["ORDERS", "Order", "Page", "Row", "filtered", "page", "visible_reviews"]

EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Order:
    """One order of the list, in words and by the columns of an index; ``reverse`` reads it from its end."""

    word: str | Promise
    columns: tuple[str, ...]
    reverse: bool = False


ORDERS: dict[str, Order] = {
    "": Order(_("Most urgent first"), ORDER),
    "due": Order(_("Due first"), ("due_at", "id")),
    "oldest": Order(_("Oldest first"), ("created_at", "id")),
    "newest": Order(_("Newest first"), ("created_at", "id"), reverse=True),
}
"""The orders by their name in the address."""


@dataclass(frozen=True, slots=True)
class RowFinding:
    """Claims of one run that are alike: how many, and the range of their deviations."""

    kind: str
    flagged: bool
    status: str
    finding: str
    count: int
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list: the review with its answer's beginning, and what its claims add up to."""

    review: HallucinationReview
    excerpt: str
    question: str
    found: Sequence[RowFinding]

    @property
    def claims(self) -> int:
        """How many claims the answer has."""
        return sum(one.count for one in self.found)

    @property
    def flagged(self) -> int:
        """How many of them ask for a verdict."""
        return sum(one.count for one in self.found if one.flagged)

    @property
    def kinds(self) -> Mapping[str, tuple[int, int]]:
        """Flagged claims and all, by kind."""
        kinds: dict[str, tuple[int, int]] = {}
        for one in self.found:
            flagged, total = kinds.get(one.kind, (0, 0))
            kinds[one.kind] = (flagged + one.flagged * one.count, total + one.count)
        return kinds

    @property
    def deviation(self) -> float | None:
        """The largest relative deviation by size, with its sign."""
        ends = [value for one in self.found for value in (one.least, one.most) if value is not None]
        return max(ends, key=abs, default=None)


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, and the cursors of the pages around them; None where there is none."""

    rows: list[Row]
    next: str | None
    previous: str | None = None


def page(
    reviews: Reviews, after: str = "", size: int = 50, *, before: str = "", order: Order = ORDERS[""]
) -> Page:
    """``size`` rows that follow the cursor ``after``, or precede ``before``, in two queries. Raises
    :class:`ValueError` for a cursor that is none.

    The ids are chosen by a query inside: with everything joined that a row shows, SQLite reads every answer and sorts, and
    PostgreSQL orders no more than eight joins.
    """
    chosen = beyond(reviews, before or after, order, back=bool(before))
    found = list(_shown(chosen.values("pk")[: size + 1]).order_by(*chosen.query.order_by))
    more, found = len(found) > size, found[:size]
    if before:
        found.reverse()
    following, preceding = (bool(found), more) if before else (more, bool(found and after))
    return Page(
        _with_claims(found),
        _cursor(_place(found[-1], order)) if following else None,
        _cursor(_place(found[0], order)) if preceding else None,
    )


def beyond(reviews: Reviews, cursor: str, order: Order, *, back: bool = False) -> Reviews:
    """``reviews`` in their order behind a cursor, those before it from the nearest on where ``back``; all without one. Raises
    :class:`ValueError` for a cursor that is none."""
    down = order.reverse != back
    ordered = reviews.order_by(*(f"-{name}" if down else name for name in order.columns))
    if not cursor:
        return ordered
    further = TupleLessThan if down else TupleGreaterThan
    return ordered.filter(further(Tuple(*map(F, order.columns)), _position(cursor, order)))


def _place(review: HallucinationReview, order: Order) -> list[Any]:
    return [getattr(review, name) for name in order.columns]


def rows_of(chosen: Sequence[int]) -> list[Row]:
    """The rows of the reviews with these ids, in their order; two queries."""
    found = {review.pk: review for review in _shown(chosen)}
    return _with_claims([found[pk] for pk in chosen if pk in found])


def _shown(chosen: Any) -> Reviews:
    """The reviews with these ids, or with those that a query gives, and what a list shows of them; never a whole text."""
    rows = HallucinationReview.objects.filter(pk__in=chosen)
    return (
        rows.select_related("answer", "property", "period", "assignee", "lease__user")
        .prefetch_related("resolved_by")
        .defer("answer__text", "corrected_answer")
        .annotate(excerpt=Substr("answer__text", 1, EXCERPT), question=Substr("answer__question", 1, EXCERPT))
    )


def _cursor(place: Sequence[Any]) -> str:
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in place]
    return urlsafe_b64encode(json.dumps(plain).encode()).decode()


def _position(cursor: str, order: Order) -> tuple[Any, ...]:
    try:
        values = json.loads(urlsafe_b64decode(cursor.encode()))
        return tuple(_value(value, name) for value, name in zip(values, order.columns, strict=True))
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError("This page no longer exists. Start again from the first one.") from error


def _value(value: Any, name: str) -> Any:
    if not name.endswith("_at"):
        number = int(value)
        if abs(number) >= 2**63:
            raise ValueError(value)
        return number
    at = parse_datetime(value)
    if at is None or at.tzinfo is None:
        raise ValueError(value)
    return at.astimezone(UTC)


def _with_claims(reviews: Sequence[HallucinationReview]) -> list[Row]:
    """The rows of ``reviews``; one query for the claims of all of them that a detector judged."""
    counted = (
        Claim.objects.filter(run__in={review.run_id for review in reviews})
        .exclude(status="")
        .order_by()
        .values_list("run", "kind", "flagged", "status", "finding")
        .annotate(count=Count("id"), least=Min("deviation"), most=Max("deviation"))
    )
    by_run: dict[int, list[RowFinding]] = defaultdict(list)
    for run, *group in counted:
        by_run[run].append(RowFinding(*group))
    return [_row(review, by_run[review.run_id]) for review in reviews]


def _row(review: Any, found: list[RowFinding]) -> Row:
    return Row(review, review.excerpt, review.question, found)
