"""Flow: how much comes and ends by the week, and how long it takes."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db.models import Count, F, Min, Q, QuerySet
from django.utils.translation import gettext as _

from reviews.dashboard.scope import Scope, by_week, day_of
from reviews.dashboard.tiles.tile import Row, Tile, median, quantile_rows, share
from reviews.display.choices import KINDS as KIND_WORDS
from reviews.models import ReviewEvent, ReviewPass, Skip
from reviews.models.queue_columns import KINDS


def no_resolution() -> str:
    """Why a figure over resolved reviews is not there."""
    return _("No review was resolved in these days.")


def weekly(scope: Scope) -> Tile:
    """Reviews resolved, and by week how many were created, resolved and reopened."""
    created = _weeks(scope.reviews.filter(**scope.within("created_at")), "created_at")
    resolved = _weeks(scope.resolved, "resolved_at")
    events = ReviewEvent.objects.filter(action="reopened", subject__in=scope.reviews)
    reopened = _weeks(events.filter(**scope.within("created_at")).order_by(), "created_at")
    counted = {_("created"): created, _("resolved"): resolved, _("reopened"): reopened}
    rows = [
        Row(name, weeks.get(week, 0), group=week.isoformat())
        for week in scope.weeks
        for name, weeks in counted.items()
    ]
    total = sum(resolved.values())
    trend = [(week, float(resolved.get(week, 0))) for week in scope.weeks]
    return Tile(total, sum(created.values()), trend=trend, rows=rows)


def _weeks(rows: QuerySet[Any], column: str) -> Mapping[date, int]:
    """How many rows there are in each week, by its Monday."""
    counted = rows.annotate(week=by_week(column)).values_list("week").annotate(n=Count("pk"))
    return {day_of(week): n for week, n in counted}


def _quantiles() -> tuple[str, str]:
    return _("half within"), _("nine in ten within")


def time_to_open(scope: Scope) -> Tile:
    """Seconds from a review's creation to the first person who took it."""
    opened = scope.resolved.annotate(opened=Min("passes__started_at")).filter(opened__isnull=False)
    return median(_spans(opened, "created_at", "opened"), _quantiles(), no_resolution())


def time_to_resolve(scope: Scope) -> Tile:
    """Seconds from a review's creation to its resolution."""
    return median(_spans(scope.resolved, "created_at", "resolved_at"), _quantiles(), no_resolution())


def _spans(rows: QuerySet[Any], begin: str, end: str) -> list[float]:
    return [max(0.0, (b - a).total_seconds()) for a, b in rows.values_list(begin, end)]


def active_seconds(scope: Scope) -> Tile:
    """Median seconds of work on a review, and by the kinds of the claims to decide in it."""
    passes = ReviewPass.objects.filter(state=ReviewPass.State.SUBMITTED, review__in=scope.resolved).order_by()
    found = list(passes.values_list("active_seconds", *(f"review__has_{kind}" for kind in KINDS)))
    rows = [
        Row(str(KIND_WORDS[kind]), row.value, row.n)
        for at, kind in enumerate(KINDS, start=1)
        for row in quantile_rows([each[0] for each in found if each[at]], ("", ""), (0.5, 0.9))[:1]
    ]
    every = quantile_rows([each[0] for each in found], ("", ""), (0.5, 0.9))
    return Tile(every[0].value, len(found), rows=rows) if every else Tile(None, 0, text=no_resolution())


def skip_share(scope: Scope) -> Tile:
    """Skips among what people did with the reviews offered to them: skips and submitted passes."""
    skips = ReviewEvent.objects.filter(action="skipped", subject__in=scope.reviews).order_by()
    within = skips.filter(**scope.within("created_at"))
    counted = dict(within.values_list("body__after__skip").annotate(n=Count("pk")))
    passes = ReviewPass.objects.filter(state=ReviewPass.State.SUBMITTED, review__in=scope.reviews)
    done = passes.filter(**scope.within("submitted_at")).count()
    skipped = sum(counted.values())
    rows = [
        Row(str(word), counted[reason], unit="count")
        for reason, word in Skip.Reason.choices
        if reason in counted
    ]
    return share(skipped, skipped + done, _("Nobody skipped or judged a review in these days."), rows=rows)


def cannot_tell_share(scope: Scope) -> Tile:
    """Claims of which a person said that they cannot tell, of all claims decided."""
    unsure = sum(each.n for each in scope.counted if each.verdict == "cannot_tell")
    return share(unsure, sum(each.n for each in scope.counted), no_resolution())


def in_time(scope: Scope) -> Tile:
    """Reviews resolved before they were due, and by week."""
    on_time = Count("pk", filter=Q(resolved_at__lte=F("due_at")))
    weeks = {
        day_of(week): (good, n)
        for week, good, n in scope.resolved.annotate(week=by_week("resolved_at"))
        .values_list("week")
        .annotate(good=on_time, n=Count("pk"))
    }
    good, n = (sum(pair[at] for pair in weeks.values()) for at in (0, 1))
    trend = [(week, weeks[week][0] / weeks[week][1] if week in weeks else None) for week in scope.weeks]
    return share(good, n, no_resolution(), trend=trend)
