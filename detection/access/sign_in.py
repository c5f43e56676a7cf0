"""How somebody comes in: by password or from the provider, then by the second factor where one is asked for.

Who has passed the first step alone is nobody yet: the session names them for :data:`MINUTES`, and no page but the second step
reads that.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from detection.access.callers import roles
from detection.access.log_in import device_of
from detection.models import PersonEvent, SecondFactor
from detection.models.second_factors import Resting

BACKEND = "django.contrib.auth.backends.ModelBackend"
PASSWORD, EMERGENCY, PROVIDER = "by_password", "by_emergency_password", "by_provider"
"""The first step: the ways in, as histories keep them."""
FIRST_STEP, CONFIRMED = "first_step", "confirmed"
"""Where a session keeps who has passed the first step, and by what the second one was."""
MINUTES = 10
EVERYBODY = "everybody"
"""The value of ``HALLU_SECOND_FACTOR`` by which all people come in by two steps."""


@dataclass(frozen=True, slots=True)
class FirstStep:
    """Who has passed it, which ``way``, where they go on to, when, and the hash that their password gives sessions."""

    person: int
    way: str
    after: str
    at: float
    proof: str


class EmergencyAlone:
    """Where people sign in by a provider, passwords open the emergency accounts alone."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None
    ) -> None:
        """Refuse the others, after as long as a wrong password takes."""
        if settings.OIDC and username not in settings.OIDC.emergency:
            User().set_password(password)
            raise PermissionDenied


class SecondFactors:
    """The second step. Its failures are counted like those of passwords, since Django tells both by the same signal."""

    def authenticate(self, request: Any, username: str, code: str) -> User | None:
        """The person with this name, when the code is theirs; ``request.confirmed`` says which kind it was."""
        person = User.objects.filter(username=username, is_active=True).first()
        if person is None:
            return None
        try:
            request.confirmed = SecondFactor.accept(
                person, code, known_device=bool(device_of(request, username))
            )
        except Resting as resting:
            request.axes_locked_out, request.opens_after = True, resting.wait
            raise PermissionDenied from resting
        return person if request.confirmed else None


def must_confirm(person: Any) -> bool:
    """Whether this person comes in by two steps alone: those with rights of administration, or everybody, unless the
    setting is off."""
    if settings.HALLU_SECOND_FACTOR in (False, EVERYBODY):
        return bool(settings.HALLU_SECOND_FACTOR)
    return person.is_staff or person.is_superuser or "admin" in roles(person)


def first_step(request: HttpRequest, person: User, way: str, after: str, *, confirmed: bool = False) -> bool:
    """Somebody has shown who they are. Whether they are in: else they have to pass the second step and then go to
    ``after``. ``confirmed``: the provider asked for a second factor already."""
    asked = must_confirm(person) or SecondFactor.objects.filter(user=person).exists()
    if asked and not confirmed:
        request.session.cycle_key()
        passed = FirstStep(person.pk, way, after, time.time(), person.get_session_auth_hash())
        request.session[FIRST_STEP] = asdict(passed)
        return False
    enter(request, person, way, PROVIDER if confirmed else "")
    return True


def passed_first_step(request: HttpRequest) -> tuple[User, FirstStep] | None:
    """Who has passed the first step in this session a short while ago; None for nobody, or when their password has changed
    or they were barred since."""
    kept = request.session.get(FIRST_STEP)
    if not kept:
        return None
    step = FirstStep(**kept)
    person = User.objects.filter(pk=step.person, is_active=True).first()
    fresh = 0 <= time.time() - step.at < MINUTES * 60
    if person is None or not fresh or not constant_time_compare(step.proof, person.get_session_auth_hash()):
        del request.session[FIRST_STEP]
        return None
    return person, step


@transaction.atomic
def enter(request: HttpRequest, person: User, way: str, confirmed: str) -> None:
    """Begin the session, and write into the person's history how they came in."""
    before = {"signed_in": _told(person.last_login)}
    login(request, person, backend=BACKEND)
    request.session.pop(FIRST_STEP, None)
    request.session[CONFIRMED] = confirmed
    after = {"signed_in": _told(timezone.now()), "way": way, "confirmed_by": confirmed or None}
    PersonEvent.append(person, "signed_in", actor=person, before=before, after=after)


def hold_back(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, after :func:`~detection.access.idle.end_idle`: end a session without a second step of somebody who has to
    pass it, as when they got their rights meanwhile."""

    def held(request: HttpRequest) -> HttpResponse:
        with_cookie = settings.SESSION_COOKIE_NAME in request.COOKIES
        asked = settings.HALLU_SECOND_FACTOR and with_cookie and request.user.is_authenticated
        if asked and not request.session.get(CONFIRMED) and must_confirm(request.user):
            logout(request)
        return get_response(request)

    return held


def _told(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
