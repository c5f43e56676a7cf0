"""The four rates week by week (CIT-11)."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from rest_framework.serializers import Serializer

from detection.access import visible_monitored_runs
from detection.models import MonitoredRun
from detection.observing import monitoring
from detection.observing.monitoring import Rate, Stretch
from detection.serializers.monitoring import MonitoringQuery
from reviews.display.choices import LANGUAGES
from reviews.display.screen import Asked, screen

ANSWERS = ngettext_lazy("of %(n)d answer", "of %(n)d answers", "n")
RATES = {
    "mean_risk": (_("Mean risk"), ANSWERS),
    "high_risk": (_("High risk"), ANSWERS),
    "invalid_citations": (
        _("Invalid citations"),
        ngettext_lazy("of %(n)d citation", "of %(n)d citations", "n"),
    ),
    "uncited_claims": (_("Uncited claims"), ngettext_lazy("of %(n)d sentence", "of %(n)d sentences", "n")),
}
"""What each rate is called, and what it is over."""
FIELDS = {
    "from": pgettext_lazy("day", "From"),
    "to": pgettext_lazy("day", "To"),
    "property": _("Property"),
    "model": _("Model"),
    "language": _("Language"),
}
CHOICES = {"property": "property__code", "model": "model", "language": "language"}
MOST_CHOICES = 2000
"""Combinations of property, model and language that are looked through for what can be chosen."""
ASKED = ("from", "to", *CHOICES)


@screen
@require_safe
def rates(request: Asked) -> HttpResponseBase:
    """The table, newest week first, with all weeks together on top."""
    asked = {name: request.GET[name].strip() for name in ASKED if request.GET.get(name, "").strip()}
    form = MonitoringQuery(data=asked)
    visible = visible_monitored_runs(request.user)
    found: dict[str, Any] = _found(form, visible) if form.is_valid() else {"faults": faults(form)}
    context = {
        **found,
        "labels": [label for label, _over in RATES.values()],
        "any_at_all": visible.exists(),
        "params": asked | found.get("days", {}),
        "choices": (chosen := _choices(visible, asked)),
        "languages": [(code, dict(LANGUAGES).get(code, code)) for code in chosen["language"]],
        "section": "monitoring",
    }
    return render(request, "reviews/dashboard/monitoring.html", context)


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


def faults(form: Serializer[Any]) -> list[str]:
    """What is wrong with the days or the filters asked for, one sentence for each field."""
    said = gettext("%(field)s: %(problem)s")
    return [
        said % {"field": FIELDS.get(name, name), "problem": found[0]} for name, found in form.errors.items()
    ]


def _row(week: Stretch) -> tuple[Stretch, list[tuple[str | Promise, Rate, str]]]:
    """A week with each of its rates, what that is called and over how many things it is."""
    rates = [(label, getattr(week, name), of) for name, (label, of) in RATES.items()]
    return week, [(label, rate, of % {"n": rate.n}) for label, rate, of in rates]


def _choices(visible: QuerySet[MonitoredRun], asked: Mapping[str, str]) -> dict[str, list[str]]:
    """What can be chosen by each name: the values that occur, found in one query, and the one asked for."""
    occurring = visible.order_by().values_list(*CHOICES.values()).distinct()[:MOST_CHOICES]
    columns = list(zip(*occurring, strict=True)) or [()] * len(CHOICES)
    return {
        name: sorted({value for value in (*column, asked.get(name)) if value})
        for name, column in zip(CHOICES, columns, strict=True)
    }
