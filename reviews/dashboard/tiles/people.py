"""Reviewers: one's own work, and for seniors everybody's, by name and in no order of merit. Speed is never shown without
how often the work was overturned."""

from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import User
from django.db.models import OuterRef
from django.utils.translation import gettext as _

from detection.access import roles
from detection.models import ApiKey
from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.flow import no_resolution
from reviews.dashboard.tiles.tile import Row, Tile, share_row
from reviews.models import ReviewEvent, ReviewPass, name_of


@dataclass(frozen=True)
class Worked:
    """What one person did: passes ``submitted`` with their ``seconds``, how many of them were ``reopened`` by somebody
    else."""

    name: str
    submitted: int
    seconds: float | None
    reopened: int


def _whose(scope: Scope) -> User | None:
    """Whose work alone is shown; None for seniors and administrators, who see everybody's."""
    if isinstance(scope.caller, ApiKey) or roles(scope.caller) & {"senior", "admin"}:
        return None
    return User.objects.filter(pk=scope.caller.pk or 0).first()


def _may_see_people(scope: Scope) -> bool:
    """A key that only reads learns of nobody's work."""
    return not isinstance(scope.caller, ApiKey) or bool({"review", "admin"} & set(scope.caller.scopes))


def worked(scope: Scope) -> list[Worked]:
    """The people who submitted a pass in these days, by name; three queries whatever their number."""
    if not _may_see_people(scope):
        return []
    passes = ReviewPass.objects.filter(review__in=scope.reviews, **scope.within("submitted_at")).order_by()
    whose = _whose(scope)
    passes = passes.filter(reviewer=whose) if whose else passes
    seconds: dict[int, list[int]] = {}
    for person, spent in passes.values_list("reviewer_id", "active_seconds"):
        seconds.setdefault(person, []).append(spent)
    reopened = _reopened(scope)
    people = {person.pk: name_of(person) for person in User.objects.filter(pk__in=seconds)}
    return [
        Worked(name, len(seconds[pk]), float(np.median(seconds[pk])), reopened.get(pk, 0))
        for pk, name in sorted(people.items(), key=lambda each: each[1].casefold())
    ]


def _reopened(scope: Scope) -> dict[int, int]:
    """How many reviews that a person resolved somebody else reopened, by the person."""
    events = ReviewEvent.objects.filter(
        action="reopened", subject__in=scope.reviews, **scope.within("created_at")
    )
    resolved = ReviewEvent.objects.filter(
        action="resolved", subject=OuterRef("subject"), seq__lt=OuterRef("seq")
    )
    by = events.order_by().annotate(resolver=resolved.order_by("-seq").values("actor_id")[:1])
    counted: dict[int, int] = {}
    for resolver, actor in by.values_list("resolver", "actor_id"):
        if resolver and resolver != actor:
            counted[resolver] = counted.get(resolver, 0) + 1
    return counted


def submitted(scope: Scope) -> Tile:
    """Passes submitted, by person, each with how often others reopened the work and how long it took."""
    found = worked(scope)
    if not found:
        return Tile(None, 0, text=_nobody(scope))
    rows = [row for each in found for row in _rows(each)]
    submitted = sum(each.submitted for each in found)
    return Tile(submitted, submitted, rows=rows)


def _rows(each: Worked) -> list[Row]:
    kept = share_row(_("reopened by others"), each.reopened, each.submitted, each.name, "share")
    return [
        Row(_("submitted"), each.submitted, group=each.name),
        kept,
        Row(_("median of active work"), each.seconds, each.submitted, group=each.name, unit="seconds"),
    ]


def reopened(scope: Scope) -> Tile:
    """Of the passes submitted, how many reviews somebody else reopened."""
    found = worked(scope)
    if not found:
        return Tile(None, 0, text=_nobody(scope))
    rows = [share_row(each.name, each.reopened, each.submitted) for each in found]
    every = share_row("", sum(each.reopened for each in found), sum(each.submitted for each in found))
    return Tile(every.value, every.n, every.low, every.high, rows=rows)


def unseen(_scope: Scope) -> Tile:
    """Verdicts given without opening the evidence; whether somebody opened it is not recorded."""
    return Tile(None, 0, text=_("Not measured yet: whether evidence was opened is not recorded."))


def gold_accuracy(_scope: Scope) -> Tile:
    """Accuracy on answers whose verdict is known; there are none yet."""
    return Tile(None, 0, text=_("Not measured yet: there is no pool of gold answers."))


def overturned(_scope: Scope) -> Tile:
    """Verdicts that an adjudication changed; nobody adjudicates yet."""
    return Tile(None, 0, text=_("Not measured yet: no review is adjudicated."))


def _nobody(scope: Scope) -> str:
    if not _may_see_people(scope):
        return _("This key may not see who judged what.")
    return _("You submitted no review in these days.") if _whose(scope) else no_resolution()
