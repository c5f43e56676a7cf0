"""API keys: shown once, stored as a digest, bound to scopes and properties, revocable. And roles."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from detection.access import (
    ApiKeyAuthentication,
    HasScope,
    may_review,
    roles,
    visible_answers,
    visible_properties,
)
from detection.models import AccessEvent, Answer, ApiKey, FinancialPeriod, Property, PropertyGroup

pytestmark = pytest.mark.django_db


def _authenticate(header: str | None) -> ApiKey | None:
    request = APIRequestFactory().get("/", headers={} if header is None else {"Authorization": header})
    found = ApiKeyAuthentication().authenticate(request)
    return found[0] if found else None


def test_a_key_is_stored_as_a_digest_only() -> None:
    key, plain = ApiKey.issue("backend", ["submit", "read"])
    stored = ApiKey.objects.values().get()
    assert plain.startswith("hallu_")
    assert not any(plain in str(value) for value in stored.values())
    assert plain[6:49] not in str(stored)
    assert _authenticate(f"Bearer {plain}") == key


def test_two_keys_differ() -> None:
    assert ApiKey.issue("one", ["read"])[1] != ApiKey.issue("two", ["read"])[1]


@pytest.mark.parametrize("scopes", [[], ["submit", "fly"]])
def test_a_key_needs_known_scopes(scopes: list[str]) -> None:
    with pytest.raises(ValueError, match="Scopes are submit, read, review, admin"):
        ApiKey.issue("backend", scopes)
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize("header", [None, "", "Basic abc", "Token abc"])
def test_without_a_bearer_header_nobody_is_known(header: str | None) -> None:
    assert _authenticate(header) is None


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer wrong", "bearer hallu_", "Bearer \xff"])
def test_a_wrong_header_or_key_is_refused(header: str) -> None:
    with pytest.raises(AuthenticationFailed):
        _authenticate(header)


def test_a_revoked_key_is_refused_and_the_revocation_kept(senior: User) -> None:
    key, plain = ApiKey.issue("backend", ["read"], actor=senior)
    key.revoke(actor=senior, reason="leaked")
    key.revoke(actor=senior, reason="again")
    with pytest.raises(AuthenticationFailed):
        _authenticate(f"Bearer {plain}")
    events = AccessEvent.objects.filter(subject=key).order_by("seq")
    assert [(event.action, event.actor, event.reason) for event in events] == [
        ("issued", senior, ""),
        ("revoked", senior, "leaked"),
    ]
    assert AccessEvent.broken_at(key) is None


@pytest.mark.parametrize(("hours", "live"), [(-1, False), (1, True)])
def test_a_key_lives_until_it_expires(hours: int, live: bool) -> None:
    _, plain = ApiKey.issue("backend", ["read"], expires=timezone.now() + timedelta(hours=hours))
    assert (ApiKey.find(plain) is not None) is live


def test_use_is_remembered_once_a_minute() -> None:
    key, plain = ApiKey.issue("backend", ["read"])
    _authenticate(f"Bearer {plain}")
    key.refresh_from_db()
    first = key.last_used
    assert first is not None
    _authenticate(f"Bearer {plain}")
    key.refresh_from_db()
    assert key.last_used == first


@pytest.mark.parametrize(
    ("held", "method", "allowed"),
    [
        (["read"], "GET", True),
        (["read"], "HEAD", True),
        (["read"], "POST", False),
        (["submit"], "POST", True),
        (["submit"], "GET", False),
        (["submit", "read"], "DELETE", False),
        (["admin"], "DELETE", True),
        (["admin"], "POST", True),
    ],
)
def test_a_scope_opens_its_methods_only(held: list[str], method: str, allowed: bool) -> None:
    key, _ = ApiKey.issue("backend", held)
    assert HasScope().has_permission(_request(key, method), _Desk()) is allowed


def test_a_person_without_a_key_has_no_scope() -> None:
    assert not HasScope().has_permission(_request(None, "GET"), _Desk())


class _Desk(APIView):
    """A view that reads and takes in."""

    scopes = {"GET": "read", "POST": "submit"}

    def get(self, request: Request) -> Response:
        """Read."""
        return Response()

    post = delete = get


def _request(key: ApiKey | None, method: str) -> Request:
    request = Request(APIRequestFactory().generic(method, "/"))
    request.auth = key
    return request


@pytest.fixture
def oak_and_elm(make_period: Callable[..., FinancialPeriod]) -> tuple[Property, Property]:
    """OAK is everybody's, ELM belongs to a group."""
    oak, elm = make_period("OAK").property, make_period("ELM").property
    elm.groups.add(PropertyGroup.objects.create(name="north"))
    return oak, elm


def test_people_see_what_is_in_no_group_or_in_theirs(
    oak_and_elm: tuple[Property, Property], reviewer: User, viewer: User, make_user: Callable[..., User]
) -> None:
    oak, elm = oak_and_elm
    PropertyGroup.objects.get().members.add(reviewer)
    assert set(visible_properties(reviewer)) == {oak, elm}
    assert set(visible_properties(viewer)) == {oak}
    assert set(visible_properties(AnonymousUser())) == {oak}
    owner = make_user("owner")
    owner.is_superuser = True
    assert set(visible_properties(owner)) == {oak, elm}


def test_a_bound_key_sees_its_properties_and_what_it_submitted(
    oak_and_elm: tuple[Property, Property],
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
) -> None:
    bound, _ = ApiKey.issue("bound", ["read"])
    bound.properties.add(oak_and_elm[1])
    free, _ = ApiKey.issue("free", ["read"], all_properties=True)
    about_oak, about_elm = (make_answer(period=make_period(code)) for code in ("OAK", "ELM"))
    own, foreign = make_answer(submitted_by=bound), make_answer(submitted_by=free)
    assert set(visible_answers(bound)) == {about_elm, own}
    assert set(visible_answers(free)) == {about_oak, about_elm, own, foreign}


@pytest.mark.parametrize(
    ("groups", "held", "reviews"),
    [
        ((), set(), False),
        (("viewer",), {"viewer"}, False),
        (("reviewer",), {"reviewer"}, True),
        (("senior",), {"senior"}, True),
        (("admin",), {"admin"}, False),
        (("accounting",), set(), False),
        (("viewer", "reviewer"), {"viewer", "reviewer"}, True),
    ],
)
def test_roles_are_groups_and_an_admin_is_no_reviewer(
    make_user: Callable[..., User], groups: tuple[str, ...], held: set[str], reviews: bool
) -> None:
    user = make_user("somebody", *groups)
    assert roles(user) == held
    assert may_review(user) is reviews


def test_a_superuser_is_admin_and_nobody_else_has_roles(make_user: Callable[..., User]) -> None:
    owner = make_user("owner")
    owner.is_superuser = True
    assert roles(owner) == {"admin"}
    assert not may_review(owner)
    assert roles(AnonymousUser()) == roles(ApiKey.issue("key", ["admin"])[0]) == frozenset()
