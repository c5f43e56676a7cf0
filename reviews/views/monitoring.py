"""The four rates week by week (CIT-11)."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from detection import monitoring
from detection.access import visible_monitored_runs
from detection.models import MonitoredRun
from detection.monitoring import Rate, Stretch
from detection.serializers.monitoring import MonitoringQuery
from reviews.views.screen import Asked, screen

RATES = {
    "mean_risk": ("Mean risk", "answers"),
    "high_risk": ("High risk", "answers"),
    "invalid_citations": ("Invalid citations", "citations"),
    "uncited_claims": ("Uncited claims", "sentences"),
}
"""What each rate is called, and what it is over."""
CHOICES = {"property": "property__code", "model": "model", "language": "language"}
MOST_CHOICES = 200
ASKED = ("from", "to", *CHOICES)


@dataclass(frozen=True, slots=True)
class Cell:
    """A rate in the table: in per cent, a dash without data, and over how many things it is."""

    label: str
    shown: str
    n: int
    of: str


@dataclass(frozen=True, slots=True)
class WeekRow:
    """A week in the table, or all of them together."""

    start: date
    end: date
    answers: int
    cells: list[Cell]


@screen
@require_safe
def rates(request: Asked) -> HttpResponseBase:
    """The table, newest week first, with all weeks together on top."""
    asked = {name: request.GET[name].strip() for name in ASKED if request.GET.get(name, "").strip()}
    form = MonitoringQuery(data=asked)
    visible = visible_monitored_runs(request.user)
    found: dict[str, Any] = _found(form, visible) if form.is_valid() else {"faults": _faults(form)}
    context = {
        **found,
        "labels": [label for label, _ in RATES.values()],
        "any_at_all": visible.exists(),
        "params": asked | found.get("days", {}),
        "choices": {name: _values(visible, column, asked.get(name)) for name, column in CHOICES.items()},
        "section": "monitoring",
    }
    return render(request, "reviews/monitoring.html", context)


def _found(form: MonitoringQuery, visible: QuerySet[MonitoredRun]) -> dict[str, Any]:
    """The table's rows; none when no answer matches."""
    first, last = form.validated_data["from"], form.validated_data["to"]
    days = monitoring.by_day(visible.filter(**form.narrowed()), first, last)
    weeks = monitoring.stretches(days, first, last, "week") if days else []
    return {
        "total": _row(monitoring.stretch(days, first, last)),
        "weeks": [_row(week) for week in reversed(weeks)],
        "days": {"from": first.isoformat(), "to": last.isoformat()},
    }


def _faults(form: MonitoringQuery) -> list[str]:
    return [f"{name.capitalize()}: {faults[0]}" for name, faults in form.errors.items()]


def _row(week: Stretch) -> WeekRow:
    cells = [_cell(getattr(week, name), label, of) for name, (label, of) in RATES.items()]
    return WeekRow(week.start, week.end, week.answers, cells)


def _cell(rate: Rate, label: str, of: str) -> Cell:
    return Cell(label, "–" if rate.value is None else f"{rate.value:.1%}".replace("%", " %"), rate.n, of)


def _values(visible: QuerySet[MonitoredRun], column: str, chosen: str | None) -> list[str]:
    """What can be chosen: the values that occur, and the one that stands in the address."""
    occurring = visible.exclude(**{column: ""}).exclude(**{column: None}).order_by(column)
    values = list(occurring.values_list(column, flat=True).distinct()[:MOST_CHOICES])
    return values if not chosen or chosen in values else [chosen, *values]
