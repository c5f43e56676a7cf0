"""Answer quality: how many answers are flagged, how many of those are wrong, how many of the others."""

from collections import Counter
from typing import Any

from django.db.models import Avg, Count, F, Q
from django.utils.translation import gettext as _

from reviews.dashboard.scope import Scope, by_week, day_of
from reviews.dashboard.tiles.flow import no_resolution
from reviews.dashboard.tiles.tile import Row, Tile, share, share_row
from reviews.dashboard.verdict_counts import WRONG, total
from reviews.models import ClaimVerdict

MOST_PARTS = 12
"""Rows that a list of properties or models shows, the largest first."""
FLAGGED = Count("pk", filter=Q(needs_review=True))


def flagged_share(scope: Scope) -> Tile:
    """Answers sent to review, of all answers judged; by week, property, model and language."""
    weeks = {
        day_of(week): (flagged, n)
        for week, flagged, n in scope.runs.annotate(week=by_week("finished_at"))
        .values_list("week")
        .annotate(flagged=FLAGGED, n=Count("pk"))
    }
    columns = {
        _("Property"): "answer__property__code",
        _("Model"): "answer__model",
        _("Language"): "answer__language",
    }
    rows = [row for group, column in columns.items() for row in _flagged_by(scope, group, column)]
    flagged, n = (sum(pair[at] for pair in weeks.values()) for at in (0, 1))
    trend = [(week, weeks[week][0] / weeks[week][1] if week in weeks else None) for week in scope.weeks]
    return share(flagged, n, _("No answer was judged in these days."), rows=rows, trend=trend)


def _flagged_by(scope: Scope, group: str, column: str) -> list[Row]:
    counted = scope.runs.values_list(column).annotate(n=Count("pk"), flagged=FLAGGED).order_by("-n", column)
    return [share_row(name or _("none"), flagged, n, group) for name, n, flagged in counted[:MOST_PARTS]]


def confirmed_wrong(scope: Scope) -> Tile:
    """Of the flagged answers that people judged, the share that is wrong."""
    found = scope.labelled.performance.precision
    if found.value is None:
        return Tile(None, 0, text=_("No flagged answer of these days has been judged yet."))
    trend = scope.labelled.confirmed_by_week(scope.weeks)
    return Tile(found.value, found.n, found.low, found.high, trend=trend)


def unflagged_wrong(scope: Scope) -> Tile:
    """The estimated share of wrong answers among those that were not flagged, out of random audits."""
    unflagged, missed = scope.labelled.unflagged, scope.labelled.performance.missed
    if not unflagged or missed.value is None or missed.low is None or missed.high is None:
        return Tile(
            None, missed.n, text=_("Not measured yet: no unflagged answer of these days was audited.")
        )
    value, low, high = (min(1.0, each / unflagged) for each in (missed.value, missed.low, missed.high))
    rows = [Row(_("wrong answers missed"), missed.value, unflagged, missed.low, missed.high, unit="number")]
    return Tile(value, missed.n, low, high, rows=rows)


def wrong_numbers(scope: Scope) -> Tile:
    """Numbers found wrong by people, of all numbers they judged; by reason, property and model."""
    numbers = [each for each in scope.counted if each.kind != "statement"]
    wrong = total(numbers, lambda each: each.wrong)
    reasons = Counter[str]()
    for each in numbers:
        if each.wrong:
            reasons[each.reason] += each.n
    words = dict(ClaimVerdict.Reason.choices)
    by_reason = [
        Row(str(words.get(code, _("none given"))), n, group=_("Reason"), unit="count")
        for code, n in reasons.most_common()
    ]
    columns = {
        _("Property"): "review_pass__review__property__code",
        _("Model"): "review_pass__review__answer__model",
    }
    parts = [row for group, column in columns.items() for row in _wrong_by(scope, group, column)]
    judged = wrong + total(numbers, lambda each: each.right)
    return share(wrong, judged, no_resolution(), rows=[*by_reason, *parts])


def _wrong_by(scope: Scope, group: str, column: str) -> list[Row]:
    judged = scope.verdicts.exclude(claim__kind="statement").exclude(verdict="cannot_tell")
    wrong = Count("pk", filter=Q(verdict__in=WRONG))
    counted = judged.values_list(column).annotate(n=Count("pk"), wrong=wrong).order_by("-n", column)
    return [share_row(name or _("none"), bad, n, group) for name, n, bad in counted[:MOST_PARTS]]


def confidence_change(scope: Scope) -> Tile:
    """Mean of final minus original confidence, and of the two steps between them."""
    steps = {
        "all": (F("final_confidence") - F("original_confidence"), ""),
        "detectors": (F("automatic_confidence") - F("original_confidence"), _("by the detectors")),
        "people": (F("final_confidence") - F("automatic_confidence"), _("by the reviewers")),
    }
    figures: dict[str, Any] = {f"{name}_n": Count(step) for name, (step, _word) in steps.items()}
    figures |= {f"{name}_mean": Avg(step) for name, (step, _word) in steps.items()}
    # SQLite's own deviation breaks over rows without a confidence, and over none
    figures |= {f"{name}_square": Avg(step * step) for name, (step, _word) in steps.items()}
    found = scope.resolved.aggregate(**figures)
    rows = [
        _mean(word, *(found[f"{name}_{part}"] for part in ("n", "mean", "square")))
        for name, (_step, word) in steps.items()
    ]
    if rows[0].value is None:
        return Tile(None, 0, text=_("No review of these days has both confidences."))
    return Tile(rows[0].value, rows[0].n, rows[0].low, rows[0].high, rows=rows[1:])


def _mean(word: str, n: int, mean: float | None, square: float | None) -> Row:
    """A mean with its normal interval, 1.96 standard errors to either side; ``square`` is the mean of the squares."""
    if mean is None or square is None:
        return Row(word, None, 0)
    deviation = max(square - mean * mean, 0.0) ** 0.5
    around = 1.96 * deviation / (n - 1) ** 0.5 if n > 1 else None
    return Row(word, mean, n, *((mean - around, mean + around) if around is not None else (None, None)))
