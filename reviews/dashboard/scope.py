"""Which rows a dashboard is about: those of the days and filters asked for that the caller may see."""

import builtins
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import TruncWeek
from django.utils import timezone

from detection.access import Caller, answer_scope
from detection.models import Claim, DetectionRun
from reviews.dashboard import verdict_counts
from reviews.dashboard.claim_detectors import decided_by
from reviews.dashboard.pairs import Pairs, pairs_of
from reviews.models import ClaimVerdict, ReviewPass
from reviews.models.states import SelectionReason, State
from reviews.queue.filters import Reviews
from reviews.queue.visible import visible_reviews
from reviews.tuning.labelled import Labelled, labelled, runs_by_kind


@dataclass(frozen=True)
class Scope:
    """Days (UTC, both inclusive) and filters, empty where nothing was asked for. ``verifier`` is method, model and
    prompt version (:func:`detection.runs.calibration.verifier_of`)."""

    caller: Caller
    first: date
    last: date
    language: str = ""
    kind: str = ""
    detector: str = ""
    property: str = ""
    profile: int | None = None
    model: str = ""
    verifier: str = ""

    @cached_property
    def now(self) -> datetime:
        """The moment that "now" means on this dashboard."""
        return timezone.now()

    @builtins.property
    def days(self) -> tuple[datetime, datetime]:
        """From the first moment of the first day to that after the last day."""
        begin = datetime.combine(self.first, time(), UTC)
        return begin, datetime.combine(self.last + timedelta(days=1), time(), UTC)

    @builtins.property
    def weeks(self) -> list[date]:
        """The Mondays on which the weeks of these days begin, oldest first."""
        monday = self.first - timedelta(days=self.first.weekday())
        return [monday + timedelta(days=7 * n) for n in range((self.last - monday).days // 7 + 1)]

    @cached_property
    def reviews(self) -> Reviews:
        """The reviews under the filters, of any day; copies made to test reviewers are none of them."""
        about = Q(language=self.language) if self.language else Q()
        about &= Q(property__code=self.property) if self.property else Q()
        about &= Q(profile__version=self.profile) if self.profile is not None else Q()
        about &= Q(answer__model=self.model) if self.model else Q()
        about &= Q(run__verifier=self.verifier) if self.verifier else Q()
        about &= self._claims("run")
        rows = visible_reviews(self.caller).order_by().exclude(selection_reason=SelectionReason.GOLD)
        return rows.filter(about)

    @cached_property
    def resolved(self) -> Reviews:
        """Those of them resolved in these days."""
        return self.reviews.filter(state=State.RESOLVED, **self.within("resolved_at"))

    @cached_property
    def judged(self) -> QuerySet[DetectionRun]:
        """The runs that concluded in these days, those of answers checked again among them; no shadow runs."""
        about = Q(answer__language=self.language) if self.language else Q()
        about &= Q(answer__property__code=self.property) if self.property else Q()
        about &= Q(profile__version=self.profile) if self.profile is not None else Q()
        about &= Q(answer__model=self.model) if self.model else Q()
        about &= Q(verifier=self.verifier) if self.verifier else Q()
        about &= answer_scope(self.caller, "answer__") & self._claims("pk")
        concluded = DetectionRun.objects.filter(about, **self.within("finished_at")).order_by()
        return concluded.exclude(purpose=DetectionRun.Purpose.SHADOW)

    @cached_property
    def runs(self) -> QuerySet[DetectionRun]:
        """The runs in which answers were first judged, so that each answer counts once."""
        return self.judged.filter(purpose=DetectionRun.Purpose.LIVE)

    @cached_property
    def labelled(self) -> Labelled:
        """Those answers with what people said of them, by the latest run of each."""
        return labelled(self.judged)

    @cached_property
    def runs_by_kind(self) -> dict[str, set[int]]:
        """The runs with a claim of each kind."""
        return runs_by_kind(self.judged)

    @cached_property
    def pairs(self) -> Pairs:
        """The claims that two people judged."""
        given = ClaimVerdict.objects.filter(self.claims("claim__"), review_pass__review__in=self.resolved)
        return pairs_of(given)

    @cached_property
    def verdicts(self) -> QuerySet[ClaimVerdict]:
        """What was decided of claims, in the first pass of the reviews resolved in these days."""
        passes = Q(review_pass__state=ReviewPass.State.SUBMITTED, review_pass__pass_no=1)
        given = ClaimVerdict.objects.filter(passes, self.claims("claim__"), decided_at__isnull=False)
        return given.filter(review_pass__review__in=self.resolved).order_by()

    @cached_property
    def counted(self) -> list[verdict_counts.Counted]:
        """Those verdicts as counts, which several tiles read."""
        return verdict_counts.counts(self.verdicts)

    def within(self, column: str) -> dict[str, Any]:
        """The conditions that a time lies in these days."""
        begin, end = self.days
        return {f"{column}__gte": begin, f"{column}__lt": end}

    def claims(self, prefix: str = "") -> Q:
        """The condition on claims: their kind and their detector."""
        found = Q(**{f"{prefix}kind": self.kind}) if self.kind else Q()
        return found & decided_by(self.detector, prefix) if self.detector else found

    def _claims(self, run: str) -> Q:
        """Rows whose run has a claim of the kind and detector asked for."""
        if not (self.kind or self.detector):
            return Q()
        return Q(Exists(Claim.objects.filter(self.claims(), run=OuterRef(run))))


def by_week(column: str) -> TruncWeek:
    """The Monday of a time's week, in UTC."""
    return TruncWeek(column, tzinfo=UTC)


def day_of(week: datetime | date) -> date:
    """A week as databases give it, as its first day."""
    return week.date() if isinstance(week, datetime) else week
