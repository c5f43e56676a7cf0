"""Who gets to the pages about thresholds: seniors and administrators read, administrators change."""

from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.utils.translation import gettext

from detection.access import changes_thresholds, roles
from reviews.display.screen import Asked, View, screen
from reviews.thresholds.gates import TEXTS


def for_tuners(view: View) -> View:
    """A page about thresholds; 403 in words for everybody but seniors and administrators."""

    @wraps(view)
    def by_a_tuner(request: Asked, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not roles(request.user) & {"senior", "admin"}:
            raise PermissionDenied(gettext("Thresholds are for seniors and administrators."))
        return view(request, *args, **kwargs)

    return screen(by_a_tuner)


def for_changers(view: View) -> View:
    """A change of thresholds; 403 in words for everybody but administrators who see every property."""

    @wraps(view)
    def by_an_administrator(request: Asked, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if "admin" not in roles(request.user):
            raise PermissionDenied(gettext("Only administrators change thresholds."))
        if not changes_thresholds(request.user):
            raise PermissionDenied(str(TEXTS["sees_part"]))
        return view(request, *args, **kwargs)

    return screen(by_an_administrator)
