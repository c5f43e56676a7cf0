"""Who is calling, what they may do, and which properties they may see.

Querysets are filtered here and nowhere else, so that a foreign object is not found rather than forbidden
(SEC-1). People sign in to the screens; backends send ``Authorization: Bearer KEY``.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from detection import origin
from detection.access.addresses import client_address
from detection.access.wrong_keys import WRONG
from detection.models import (
    Answer,
    ApiKey,
    Fact,
    FinancialPeriod,
    MonitoredRun,
    Property,
    RejectedFact,
    StrictAnswer,
    Trace,
)
from detection.models.finance import PropertyGroup
from detection.roles import ROLES

if TYPE_CHECKING:  # at run time it would import this module again, by DEFAULT_AUTHENTICATION_CLASSES
    from rest_framework.views import APIView

Caller = ApiKey | AbstractBaseUser | AnonymousUser

READ = {"GET": "read"}
"""The scopes of a view that whoever may read may read and only an admin may change."""


class ApiKeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer KEY`` (SEC-6). Sets ``request.user`` and ``request.auth`` to the key."""

    def authenticate(self, request: Request) -> tuple[ApiKey, ApiKey] | None:
        """The key, None without the header, :class:`AuthenticationFailed` for a key that is not live, 429 after many
        of them from one address."""
        parts = get_authorization_header(request).split()
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            raise PermissionDenied("Send keys over https:// alone, and rotate the one that was sent without.")
        if not parts or parts[0].lower() != b"bearer":
            return None
        if len(parts) != 2:
            raise AuthenticationFailed("Send one key: Authorization: Bearer KEY.")
        plain, address = parts[1].decode("ascii", "replace"), client_address(request)
        WRONG.check(address, ApiKey.digest_of(plain))
        key = ApiKey.find(plain)
        if key is None:
            WRONG.count(address)
            raise AuthenticationFailed("This API key is unknown, expired or revoked.")
        key.used()
        origin.sent_by(key)
        return key, key

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"


class HasScope(BasePermission):
    """The key carries a scope that the view's ``scopes`` names for the request's method.

    ``scopes = {"GET": "read", "POST": "submit review"}``: one of the words is enough; a method that is not
    listed needs ``admin``, one that the view does not have is left to the 405. A key with ``admin`` may do
    everything.
    """

    message = "This API key lacks the scope for that."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Whether the caller's key has the scope."""
        if not isinstance(request.auth, ApiKey):
            return False
        if request.method not in view.allowed_methods:
            return True
        method = "GET" if request.method in ("HEAD", "OPTIONS") else request.method
        wanted: list[str] = getattr(view, "scopes", {}).get(method, "admin").split()
        if {*wanted, "admin"} & set(request.auth.scopes):
            return True
        self.message = f"This API key lacks the scope {' or '.join(wanted)}."
        return False


class ForEveryProperty(BasePermission):
    """What applies to all answers is read by everybody and changed by keys that see every property."""

    message = "It decides about every property; this API key sees only some."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Whether the request only reads, or the key sees every property."""
        return request.method in SAFE_METHODS or sees_everything(key_of(request))


def key_of(request: Request) -> ApiKey:
    """The key that sent the request. Only for views behind :class:`HasScope`, which lets nobody else in."""
    key: Any = request.auth
    return cast(ApiKey, key)


def visible_properties(caller: Caller) -> QuerySet[Property]:
    """The properties that a key or a person may see."""
    if isinstance(caller, ApiKey):
        return Property.objects.all() if caller.all_properties else caller.properties.all()
    return Property.seen_by(caller)


def sees_everything(caller: Caller) -> bool:
    """Whether a key or a person may see every property: what applies to all answers is decided by nobody else, and not
    by a key that sees none while there is none."""
    if isinstance(caller, ApiKey) and caller.sees_nothing:
        return False
    return visible_properties(caller).count() == Property.objects.count()


def seen_with(about: Property) -> QuerySet[Property]:
    """The properties that everybody who may see ``about`` may see as well, ``about`` among them.

    What is found out about one property is shown to all who may see it; so only these may be compared with it.
    """
    groups = PropertyGroup.objects.filter(properties=about)
    elsewhere = groups.filter(all_properties=False).exclude(properties=OuterRef("pk"))
    in_no_group = ~Exists(PropertyGroup.objects.filter(properties=OuterRef("pk")))
    people = in_no_group | (Exists(groups) & ~Exists(elsewhere))
    bound = _bound_keys().filter(properties=about)
    return Property.objects.filter(people, ~Exists(bound.exclude(properties=OuterRef("pk"))))


def seen_by_all() -> QuerySet[Property]:
    """The properties that everybody may see who sees an answer about none: every person, and every key bound to some."""
    in_no_group = ~Exists(PropertyGroup.objects.filter(properties=OuterRef("pk")))
    bound = _bound_keys().filter(properties__isnull=False)
    return Property.objects.filter(in_no_group, ~Exists(bound.exclude(properties=OuterRef("pk"))))


def _bound_keys() -> QuerySet[ApiKey]:
    """The live keys that do not see every property."""
    live = Q(expires=None) | Q(expires__gt=Now())
    return ApiKey.objects.filter(live, revoked=None, all_properties=False)


def visible_periods(caller: Caller) -> QuerySet[FinancialPeriod]:
    """The periods of the properties that a key or a person may see."""
    return FinancialPeriod.objects.filter(property__in=visible_properties(caller))


def visible_answers(caller: Caller) -> QuerySet[Answer]:
    """The answers that a key or a person may see.

    An answer about no property belongs to whoever submitted it: every person sees it, a key that does not
    see all properties sees only its own. A text that strict generation refused is for analysts (RAG-09).
    """
    return Answer.objects.filter(answer_scope(caller))


def answer_scope(caller: Caller, prefix: str = "") -> Q:
    """The condition behind :func:`visible_answers`, for rows that reach an answer through ``prefix``."""
    scope = property_scope(caller, prefix)
    if may_read_refused(caller):
        return scope
    shown = Q(**{f"{prefix}strict": None}) | Q(**{f"{prefix}strict__status": StrictAnswer.Status.SUCCESS})
    return scope & shown


def may_read_refused(caller: Caller) -> bool:
    """Whether a caller may read what strict generation refused to show: people at the screens, and keys that review."""
    return not isinstance(caller, ApiKey) or bool({"review", "admin"} & set(caller.scopes))


def property_scope(caller: Caller, prefix: str = "") -> Q:
    """Rows about a property that the caller may see, and rows about none, for rows that reach theirs by ``prefix``."""
    about = Q(**{f"{prefix}property__in": visible_properties(caller)})
    unbound = Q(**{f"{prefix}property": None})
    if isinstance(caller, ApiKey) and not caller.all_properties:
        return about | (unbound & Q(**{f"{prefix}submitted_by": caller}))
    return about | unbound


def visible_facts(caller: Caller) -> QuerySet[Fact]:
    """The facts that a key or a person may see; one about no property is seen like such an answer."""
    return Fact.objects.filter(property_scope(caller))


def visible_rejected_facts(caller: Caller) -> QuerySet[RejectedFact]:
    """The rejected facts that a key or a person may see."""
    return RejectedFact.objects.filter(property_scope(caller))


def visible_traces(caller: Caller) -> QuerySet[Trace]:
    """The audited traces that a key or a person may see; one about no property is seen like such an answer."""
    return Trace.objects.filter(property_scope(caller))


def visible_monitored_runs(caller: Caller) -> QuerySet[MonitoredRun]:
    """What monitoring keeps of the answers that a key or a person may see; of a refused text it holds nothing."""
    return MonitoredRun.objects.filter(property_scope(caller))


def visible_strict_answers(caller: Caller) -> QuerySet[StrictAnswer]:
    """The strict answers that a key or a person may see; one about no property is seen like any such answer."""
    return StrictAnswer.objects.filter(property_scope(caller))


def roles(user: Any) -> frozenset[str]:
    """The roles of a person (their Django groups); a superuser is admin, and nobody is reviewer by that."""
    if not getattr(user, "is_authenticated", False) or isinstance(user, ApiKey):
        return frozenset()
    kept: frozenset[str] | None = getattr(user, _KEPT, None)
    return _roles(user, user.groups.values_list("name", flat=True)) if kept is None else kept


def keep_roles(user: Any, groups: Iterable[str | None]) -> None:
    """Let :func:`roles` ask no more for the person of this request, who is in ``groups``. The next request asks anew."""
    setattr(user, _KEPT, _roles(user, groups))


def _roles(user: Any, groups: Iterable[str | None]) -> frozenset[str]:
    held = {name for name in groups if name in ROLES}
    return frozenset(held | ({"admin"} if user.is_superuser else set()))


_KEPT = "_roles_of_request"


def changes_thresholds(user: Any) -> bool:
    """Whether a person changes thresholds and calibration maps: administrators who see every property."""
    return "admin" in roles(user) and sees_everything(user)


def may_review(user: Any) -> bool:
    """Whether a person may give verdicts: reviewers and seniors."""
    return bool(roles(user) & {"reviewer", "senior"})
