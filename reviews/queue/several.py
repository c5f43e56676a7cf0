"""One action on several reviews of the list: first what it would do, then done (F11)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from reviews.models import Conflict, HallucinationReview, NotAllowed
from reviews.queue.visible import visible_reviews

MOST = 100
"""Reviews that one action can touch: two pages of the list."""

Act = Callable[[HallucinationReview, int], object]
"""Does something to a review, by a method of the model. The number is what was picked with it: the version in
which it was seen, or the step to take back."""


@dataclass(frozen=True, slots=True)
class Left:
    """A review that the action does not touch, and why."""

    review: int
    why: str


@dataclass(slots=True)
class Outcome:
    """The reviews that the action touched, and those that it left as they were."""

    done: list[int] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)


def do(user: User, picked: Mapping[int, int], act: Act) -> Outcome:
    """Act on the reviews ``picked`` (id → the number for ``act``), each in a transaction of its own; what the
    model refuses is left as it was."""
    outcome, seen = Outcome(), visible_reviews(user).in_bulk(list(picked))
    for pk, number in picked.items():
        why = _try(seen.get(pk), number, act)
        if why:
            outcome.left.append(Left(pk, why))
        else:
            outcome.done.append(pk)
    return outcome


@transaction.atomic
def foresee(user: User, picked: Mapping[int, int], act: Act) -> Outcome:
    """What :func:`do` would do: it is done by the same methods and taken back, so that a preview never differs
    from the rules."""
    outcome = do(user, picked, act)
    transaction.set_rollback(True)
    return outcome


def _try(review: HallucinationReview | None, number: int, act: Act) -> str:
    """Why the model refused; empty when it did not."""
    if review is None:
        return _("It is no longer there for you.")
    try:
        with transaction.atomic():
            act(review, number)
    except Conflict as conflict:
        return conflict.what
    except NotAllowed as refusal:
        return str(refusal)
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


def picked(values: Sequence[str]) -> dict[int, int]:
    """``12:3`` as review 12 with the number 3; what is no such pair is left out, and all past :data:`MOST`."""
    pairs = (value.partition(":") for value in values[:MOST])
    return {int(pk): int(number) for pk, _colon, number in pairs if _is_id(pk) and _is_id(number)}


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
