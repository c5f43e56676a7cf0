"""What lists of the API can be narrowed by."""

from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from detection.access import key_of, may_review
from detection.api.queries import Moment
from detection.models import Answer, DetectionRun, OwedVerification
from reviews.models import HallucinationReview
from reviews.rights import HIDDEN

STATES = ("queued", "running", "completed", "needs_attention")


def run_in_state(state: str) -> Q:
    """The condition on a run's columns that :attr:`DetectionRun.state` reads as ``state``."""
    unfinished = Q(finished_at__isnull=True)
    held = Q(lease_until__gt=timezone.now())
    return {
        "completed": Q(finished_at__isnull=False),
        "needs_attention": unfinished & ~Q(failed_reason="") & Q(erasure__isnull=True),
        "running": unfinished & Q(failed_reason="") & held,
        "queued": unfinished & Q(failed_reason="") & (Q(lease_until__isnull=True) | ~held),
    }[state]


def _named(path: str, name: str, value: str) -> Q:
    """By name, or by id when it is a number that an id can be."""
    found = Q(**{f"{path}__{name}": value})
    if value.isascii() and value.isdigit() and len(value) < 19:
        found |= Q(**{f"{path}__id": int(value)})
    return found


class AnswerFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Answers by what became of them, what they are about and when they came. Needs ``run_pk`` annotated."""

    status = django_filters.ChoiceFilter(choices=[(s, s) for s in STATES], method="by_status")
    risk_level = django_filters.ChoiceFilter(
        choices=[(level, level) for level in ("low", "moderate", "high")], method="by_risk"
    )
    verification_owed = django_filters.ChoiceFilter(
        choices=[(reason, reason) for reason in ("any", "none", *OwedVerification.Reason.values)],
        method="by_owed",
        help_text="By what their verifier owes them; `any` for whatever reason.",
    )
    property = django_filters.CharFilter(method="by_property", help_text="Code or id.")
    period = django_filters.CharFilter(method="by_period", help_text="Label or id.")
    language = django_filters.CharFilter()
    external_id = django_filters.CharFilter(field_name="query__external_id")
    created_after = Moment(field_name="created_at", lookup_expr="gte")
    created_before = Moment(field_name="created_at", lookup_expr="lt")

    class Meta:
        model = Answer
        fields: list[str] = []

    def by_status(self, rows: QuerySet[Answer], _name: str, value: str) -> QuerySet[Answer]:
        """Answers whose latest run is in this state."""
        return rows.filter(Exists(DetectionRun.objects.filter(run_in_state(value), pk=OuterRef("run_pk"))))

    def by_risk(self, rows: QuerySet[Answer], _name: str, value: str) -> QuerySet[Answer]:
        """Answers whose latest run found this level, without those that the reader may have to judge blind."""
        return self._telling(
            rows.filter(Exists(DetectionRun.objects.filter(pk=OuterRef("run_pk"), risk_level=value)))
        )

    def by_owed(self, rows: QuerySet[Answer], _name: str, value: str) -> QuerySet[Answer]:
        """Answers that are owed a verification for this reason, without those that the reader may have to judge blind."""
        owed = OwedVerification.open().filter(answer=OuterRef("pk")).order_by()
        if value == "none":
            return self._telling(rows.filter(~Exists(owed)))
        return self._telling(rows.filter(Exists(owed if value == "any" else owed.filter(reason=value))))

    def _telling(self, found: QuerySet[Answer]) -> QuerySet[Answer]:
        blind = HallucinationReview.objects.filter(HIDDEN, answer=OuterRef("pk"))
        return found.exclude(Exists(blind)) if self._judges() else found

    def _judges(self) -> bool:
        return may_review(key_of(self.request).user)

    def by_property(self, rows: QuerySet[Answer], _name: str, value: str) -> QuerySet[Answer]:
        """Answers about this property."""
        return rows.filter(_named("property", "code", value))

    def by_period(self, rows: QuerySet[Answer], _name: str, value: str) -> QuerySet[Answer]:
        """Answers about this period."""
        return rows.filter(_named("period", "label", value))


class ReviewFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Reviews by state, priority, what is against them, outcome and what they are about."""

    status = django_filters.ChoiceFilter(field_name="state", choices=HallucinationReview.State.choices)
    priority = django_filters.ChoiceFilter(
        choices=[(p.name.lower(), p.label) for p in HallucinationReview.Priority], method="by_priority"
    )
    against = django_filters.ChoiceFilter(choices=HallucinationReview.Against.choices, method="by_against")
    outcome = django_filters.ChoiceFilter(choices=HallucinationReview.Outcome.choices)
    property = django_filters.CharFilter(field_name="property__code")
    answer = django_filters.UUIDFilter(field_name="answer")

    class Meta:
        model = HallucinationReview
        fields: list[str] = []

    def by_priority(self, rows: QuerySet[Any], _name: str, value: str) -> QuerySet[Any]:
        """Reviews of this priority (high, medium or low), without those that the reader may have to judge blind."""
        return self._telling(rows.filter(priority=HallucinationReview.Priority[value.upper()]))

    def by_against(self, rows: QuerySet[Any], _name: str, value: str) -> QuerySet[Any]:
        """Reviews with this gravest conclusion, without those that the reader may have to judge blind."""
        return self._telling(rows.filter(against=value))

    def _telling(self, found: QuerySet[Any]) -> QuerySet[Any]:
        return found.exclude(HIDDEN) if may_review(key_of(self.request).user) else found
