"""What stands in the queue's address, as conditions on reviews."""

from collections.abc import Callable, Mapping

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from detection.models import Claim, Source
from reviews.models import HallucinationReview
from reviews.models.record import LIVE, PRIORITY_OF_RISK, State

Condition = Callable[[str, User | None], Q]
Reviews = QuerySet[HallucinationReview]
WORKABLE = (State.OPEN, State.IN_REVIEW, State.SECOND_REVIEW, State.ADJUDICATION)
"""Waiting or being worked on: what the list shows when nothing is asked for."""


def filtered(reviews: Reviews, params: Mapping[str, str], user: User | None = None) -> Reviews:
    """Narrow ``reviews`` by what stands in the address.

    ``state`` one of the seven or ``all`` (without it: whatever is waiting or being worked on), ``risk``
    high, moderate or low, ``property`` a code, ``period`` a label, ``language``, ``kind`` of a flagged
    claim, ``assignee`` and ``holder`` a user name, ``me`` (``user``) or for the assignee ``none``, ``mine``
    = ``held`` or ``assigned`` as a short form of those, ``q`` text in answer, question or source. An empty
    value narrows nothing, an unknown one finds nothing.
    """
    reviews = _in_state(reviews, params.get("state", ""))
    mine = {"held": {"holder": "me"}, "assigned": {"assignee": "me"}}.get(params.get("mine", ""), {})
    for name, condition in FILTERS.items():
        value = mine.get(name) or params.get(name, "").strip()
        if value:
            reviews = reviews.filter(condition(value, user))
    return reviews


def _in_state(reviews: Reviews, state: str) -> Reviews:
    if state == "all":
        return reviews
    return reviews.filter(state=state) if state else reviews.filter(LIVE, state__in=WORKABLE)


def _person(path: str) -> Condition:
    def condition(value: str, user: User | None) -> Q:
        if value == "none":
            return Q(**{path: None})
        return Q(**{path: user}) if value == "me" else Q(**{f"{path}__username": value})

    return condition


def _held_by(value: str, user: User | None) -> Q:
    return _person("lease__user")(value, user) & Q(lease__expires_at__gt=timezone.now())


def _flagged_kind(value: str, _user: User | None) -> Q:
    return Q(Exists(Claim.objects.filter(run=OuterRef("run"), flagged=True, kind=value)))


def _text(value: str, _user: User | None) -> Q:
    in_source = Exists(Source.objects.filter(answer=OuterRef("answer"), text__icontains=value))
    return Q(answer__text__icontains=value) | Q(answer__question__icontains=value) | Q(in_source)


FILTERS: dict[str, Condition] = {
    "risk": lambda value, _user: Q(priority=PRIORITY_OF_RISK.get(value, -1)),
    "property": lambda value, _user: Q(property__code=value),
    "period": lambda value, _user: Q(period__label=value),
    "language": lambda value, _user: Q(answer__language=value),
    "kind": _flagged_kind,
    "assignee": _person("assignee"),
    "holder": _held_by,
    "q": _text,
}
