"""Signing in by an OpenID Connect provider: who gets in as whom and with what, and who does not, whatever comes back."""

import http.client
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from detection import identity_provider
from detection.access import provider as asking
from detection.models import Identity, PersonEvent, PropertyGroup
from detection.models.standing import Change, standing
from reviews.audit.states import STATES
from tests.oidc_provider import CLIENT, SECRET, Faults, Provider, running

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("SEC-37")]
RIGHT = "correct horse battery"
MAPPED = '{"analysts": ["role:reviewer", "properties:North"], "leads": ["role:senior"]}'


@pytest.fixture(scope="module")
def served() -> Iterator[Provider]:
    """A provider that runs for all tests of the module."""
    with running() as provider:
        yield provider


@pytest.fixture(autouse=True)
def roles(db: None) -> None:
    """The roles that claims give: a test before this one may have emptied the tables that the migrations filled."""
    for name in ("viewer", "reviewer", "senior", "admin"):
        Group.objects.get_or_create(name=name)


@pytest.fixture
def provider(served: Provider) -> Provider:
    """The provider as it is without faults, which nobody has asked yet."""
    served.person, served.faults = {"sub": "u-1", "preferred_username": "noa"}, Faults()
    served.asked.clear()
    return served


@pytest.fixture
def configure(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``configure(creates=True)``: have people sign in by the provider."""

    def configured(**given: Any) -> None:
        usual: dict[str, Any] = {
            "client_id": CLIENT, "client_secret": SECRET, "scopes": "openid profile", "groups_claim": "groups",
            "groups": MAPPED, "creates": False, "emergency": ["keeper"], "second_factors": [],
        }  # fmt: skip
        monkeypatch.setattr(
            settings, "OIDC", identity_provider.configured(provider.url, **(usual | given)), raising=False
        )

    configured()
    return configured


@pytest.fixture
def noa(configure: Any, provider: Provider, make_user: Callable[..., User]) -> User:
    """A person who is linked with who the provider says is there."""
    person = make_user("noa levi")
    Identity.objects.create(person=person, issuer=provider.url, subject="u-1")
    return person


def there(client: Client, after: str = "") -> str:
    """Where a browser is sent, over the provider: the address on this site to which that sends it back."""
    sent = client.get("/login/provider/", {"next": after} if after else {})
    assert sent.status_code == 302, sent.content.decode()
    parts = urlsplit(sent["Location"])
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", f"{parts.path}?{parts.query}")
    back = urlsplit(connection.getresponse().headers["Location"])
    connection.close()
    return f"{back.path}?{back.query}"


def signed_in(client: Client, after: str = "") -> Any:
    """There and back."""
    return client.get(there(client, after))


def person_of(client: Client) -> User | None:
    """Who is logged in."""
    return User.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()


def events(person: User) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The history of a person: what, before, after."""
    rows = PersonEvent.objects.filter(subject=person).order_by("seq")
    return [(event.action, event.before, event.after) for event in rows]


# --- in ---
def test_a_linked_person_is_in_and_where_they_wanted_to_be(client: Client, noa: User) -> None:
    back = signed_in(client, after="/answers/")
    assert (back.status_code, back["Location"]) == (302, "/answers/")
    assert person_of(client) == noa
    action, before, after = events(noa)[-1]
    assert (action, before) == ("signed_in", {"signed_in": None})
    assert (after["way"], after["confirmed_by"]) == ("by_provider", None)


@pytest.mark.parametrize(
    "after", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"]
)
def test_nobody_is_led_elsewhere(client: Client, noa: User, after: str) -> None:
    assert signed_in(client, after=after)["Location"] == "/queue/"


def test_the_request_has_state_nonce_and_challenge_of_its_own_each_time(
    client: Client, configure: Any
) -> None:
    first, second = (parse_qs(urlsplit(client.get("/login/provider/")["Location"]).query) for _ in range(2))
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name][0]) >= 20
        assert first[name] != second[name]
    assert first["code_challenge_method"] == ["S256"]
    assert first["scope"] == ["openid profile"]


def test_an_account_with_the_same_name_or_mail_is_not_taken_over(
    client: Client, configure: Any, provider: Provider, make_user: Callable[..., User]
) -> None:
    configure(creates=True)
    ada = make_user("ada", "admin")
    User.objects.filter(pk=ada.pk).update(email="ada@example.com", is_superuser=True, is_staff=True)
    provider.person = {
        "sub": "u-9",
        "preferred_username": "Ada",
        "email": "ada@example.com",
        "email_verified": True,
    }
    signed_in(client)
    person = person_of(client)
    assert person is not None
    assert person != ada
    assert person.username.startswith("Ada-")
    assert not standing(person)["roles"]
    assert (person.is_staff, person.is_superuser, person.has_usable_password()) == (False, False, False)


def test_unknown_people_are_told_what_an_administrator_needs(
    client: Client, configure: Any, provider: Provider
) -> None:
    refused = signed_in(client)
    assert refused.status_code == 403
    assert f"{provider.url} u-1" in refused.content.decode()
    assert person_of(client) is None
    assert not User.objects.exists()


def test_somebody_new_comes_with_what_the_claims_give(
    client: Client, configure: Any, provider: Provider
) -> None:
    configure(creates=True)
    north = PropertyGroup.objects.create(name="North")
    provider.person |= {"given_name": "Noa", "family_name": "Levi", "groups": ["analysts", "others"]}
    signed_in(client)
    person = person_of(client)
    assert person is not None
    assert (person.username, person.get_full_name()) == ("noa", "Noa Levi")
    assert list(person.property_groups.all()) == [north]
    (added, _, after), (then, _, _) = events(person)
    assert (added, then) == ("added", "signed_in")
    assert (after["roles"], after["identities"]) == (["reviewer"], [f"{provider.url} u-1"])
    assert client.get("/queue/").status_code == 200


def test_a_closed_account_stays_closed(client: Client, noa: User) -> None:
    User.objects.filter(pk=noa.pk).update(is_active=False)
    refused = signed_in(client)
    assert refused.status_code == 403
    assert "was closed" in refused.content.decode()
    assert person_of(client) is None


# --- groups ---
def test_what_a_claim_gives_goes_with_it_and_what_people_gave_stays(
    client: Client, noa: User, provider: Provider
) -> None:
    PropertyGroup.objects.create(name="North")
    noa.groups.add(Group.objects.get_or_create(name="viewer")[0])
    provider.person["groups"] = ["analysts"]
    signed_in(client)
    assert standing(noa)["roles"] == ["reviewer", "viewer"]
    provider.person["groups"] = "leads"
    signed_in(client)
    assert (standing(noa)["roles"], standing(noa)["property_groups"]) == (["senior", "viewer"], [])
    changes = [(before, after) for action, before, after in events(noa) if action == "access_changed"]
    assert changes[-1] == (
        {"roles": ["reviewer", "viewer"], "property_groups": ["North"]},
        {"roles": ["senior", "viewer"], "property_groups": []},
    )


def test_what_was_mapped_once_is_taken_though_the_mapping_is_gone(
    client: Client, noa: User, configure: Any, provider: Provider
) -> None:
    provider.person["groups"] = ["leads"]
    signed_in(client)
    assert standing(noa)["roles"] == ["senior"]
    configure(groups="")
    signed_in(client)
    assert standing(noa)["roles"] == []


@pytest.mark.parametrize(
    "claim", [["admin"], ["role:admin"], {"analysts": True}, None, 7, [["leads"]], "superuser"]
)
def test_nobody_gets_what_is_not_mapped(client: Client, noa: User, provider: Provider, claim: Any) -> None:
    provider.person |= {"groups": claim, "is_superuser": True, "is_staff": True, "roles": ["admin"]}
    signed_in(client)
    noa.refresh_from_db()
    assert standing(noa)["roles"] == []
    assert not noa.is_superuser
    assert not noa.is_staff


def test_a_group_that_is_not_there_is_not_made(client: Client, noa: User, provider: Provider) -> None:
    provider.person["groups"] = ["analysts"]
    signed_in(client)
    assert standing(noa)["roles"] == ["reviewer"]
    assert not PropertyGroup.objects.exists()


# --- not in ---
FORGERIES: dict[str, Faults] = {
    "another nonce": Faults(claims={"nonce": "of somebody else's sign-in"}),
    "no nonce": Faults(claims={"nonce": None}),
    "another audience": Faults(claims={"aud": "another client"}),
    "another audience, ours as authorized party": Faults(claims={"aud": "another client", "azp": CLIENT}),
    "no audience": Faults(claims={"aud": None}),
    "another issuer": Faults(claims={"iss": "https://elsewhere.example"}),
    "no issuer": Faults(claims={"iss": None}),
    "over": Faults(claims={"exp": 1_700_000_000}),
    "no end": Faults(claims={"exp": None}),
    "not yet": Faults(claims={"nbf": 4_000_000_000}),
    "another key": Faults(forged=True),
    "no signature": Faults(algorithm="none"),
    "signed with the public key": Faults(algorithm="HS256"),
    "no subject": Faults(claims={"sub": None}),
    "an empty subject": Faults(claims={"sub": ""}),
    "a subject that is no text": Faults(claims={"sub": ["u-1"]}),
    "no token": Faults(without_token=True),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_what_the_provider_would_not_say_lets_nobody_in(
    client: Client, noa: User, provider: Provider, kind: str
) -> None:
    provider.faults = FORGERIES[kind]
    refused = signed_in(client)
    assert refused.status_code == 403
    assert "Begin again." in refused.content.decode()
    assert person_of(client) is None
    assert events(noa) == []


def test_a_provider_that_calls_itself_otherwise_is_not_asked(
    client: Client, noa: User, provider: Provider
) -> None:
    provider.faults = Faults(issuer="https://elsewhere.example")
    assert client.get("/login/provider/").status_code == 403
    provider.faults = Faults()
    assert signed_in(client).status_code == 302


def test_another_site_begins_no_sign_in(client: Client, noa: User, provider: Provider) -> None:
    sent = client.get("/login/provider/", headers={"Sec-Fetch-Site": "cross-site"})
    assert (sent.status_code, sent["Location"]) == (302, "/login/")
    assert provider.asked == []


def test_what_another_browser_began_is_ended_by_nobody(client: Client, noa: User, provider: Provider) -> None:
    back = there(Client())
    assert client.get(back).status_code == 403
    assert person_of(client) is None
    assert "/token" not in provider.asked


def test_another_state_or_code_opens_nothing(client: Client, noa: User) -> None:
    back = there(client)
    state = parse_qs(urlsplit(back).query)["state"][0]
    assert client.get("/login/provider/back/", {"code": "guessed", "state": state}).status_code == 403
    assert client.get("/login/provider/back/", {"code": "guessed", "state": "guessed"}).status_code == 403
    assert client.get("/login/provider/back/").status_code == 403
    assert person_of(client) is None


def test_a_way_back_is_gone_once(client: Client, noa: User) -> None:
    back = there(client)
    assert client.get(back).status_code == 302
    client.post("/logout/")
    assert client.get(back).status_code == 403


def test_a_code_that_was_stolen_is_no_use_to_another_browser(client: Client, noa: User) -> None:
    """Whose own sign-in has another verifier than the one that the code was given for."""
    stolen = parse_qs(urlsplit(there(Client())).query)["code"][0]
    state = parse_qs(urlsplit(there(client)).query)["state"][0]
    assert client.get("/login/provider/back/", {"code": stolen, "state": state}).status_code == 403
    assert person_of(client) is None


def test_who_gives_up_there_is_told_so(client: Client, noa: User, provider: Provider) -> None:
    provider.faults = Faults(refuses=True)
    refused = signed_in(client)
    assert refused.status_code == 403
    assert "let nobody in" in refused.content.decode()


# --- the second step ---
@pytest.mark.parametrize(("amr", "in_at_once"), [(["pwd", "mfa"], True), (["pwd"], False), (None, False)])
def test_whoever_administers_passes_a_second_step_here_unless_one_there_counts(
    client: Client,
    noa: User,
    configure: Any,
    provider: Provider,
    monkeypatch: pytest.MonkeyPatch,
    amr: Any,
    in_at_once: bool,
) -> None:
    configure(second_factors=["mfa"])
    monkeypatch.setattr(settings, "HALLU_SECOND_FACTOR", True)
    User.objects.filter(pk=noa.pk).update(is_staff=True)
    provider.person["amr"] = amr
    assert signed_in(client, after="/help/")["Location"] == (
        "/help/" if in_at_once else "/login/second-step/"
    )
    assert client.get("/help/").status_code == (200 if in_at_once else 302)
    assert [after.get("confirmed_by") for _, _, after in events(noa)] == ["by_provider"] * in_at_once


# --- away, and who still gets in ---
@pytest.mark.parametrize("from_the_start", [True, False])
def test_a_provider_that_is_away_is_a_sentence(
    client: Client, noa: User, provider: Provider, from_the_start: bool
) -> None:
    back = "/login/provider/" if from_the_start else there(client)
    provider.faults = Faults(away=True)
    away = client.get(back)
    assert away.status_code == 503
    assert "does not answer" in away.content.decode()
    assert 'data-testid="emergency"' in away.content.decode()


def test_a_provider_that_hangs_holds_few(
    noa: User, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "SECONDS", 0.2)
    monkeypatch.setattr(asking, "PATIENCE", 0)
    over = threading.Event()
    provider.faults = Faults(hangs=over)
    assert Client().get("/login/provider/").status_code == 503
    taken = [asking._asking.acquire() for _ in range(asking.AT_ONCE)]
    asked = len(provider.asked)
    assert Client().get("/login/provider/").status_code == 503
    assert len(provider.asked) == asked
    for _ in taken:
        asking._asking.release()
    over.set()


def test_passwords_open_the_emergency_accounts_alone_and_each_use_is_told(
    client: Client, noa: User, make_user: Callable[..., User]
) -> None:
    keeper = make_user("keeper", "admin")
    refused = client.post("/login/", {"username": noa.username, "password": RIGHT})
    assert refused.status_code == 200
    assert person_of(client) is None
    entered = client.post("/login/", {"username": "keeper", "password": RIGHT})
    assert entered.status_code == 302
    assert person_of(client) == keeper
    action, _, after = events(keeper)[-1]
    assert (action, after["way"]) == ("signed_in", "by_emergency_password")


def test_without_a_provider_passwords_open_every_account(
    client: Client, make_user: Callable[..., User]
) -> None:
    dana = make_user("dana", "reviewer")
    assert "provider" not in client.get("/login/").content.decode()
    assert client.post("/login/", {"username": "dana", "password": RIGHT}).status_code == 302
    action, before, after = events(dana)[-1]
    assert (action, before, after["way"]) == ("signed_in", {"signed_in": None}, "by_password")
    assert PersonEvent.broken_at(dana) is None


def test_in_the_dialog_one_logs_in_in_another_window(client: Client, noa: User) -> None:
    headers = {"HX-Request": "true"}
    dialog = client.get("/queue/", headers=headers)
    assert dialog.status_code == 401
    assert 'href="/login/provider/"' in dialog.content.decode()
    signed_in(client)
    assert 'data-testid="signed-in"' in client.get("/login/", headers=headers).content.decode()


# --- linking ---
def test_linking_opens_all_that_a_person_holds_so_nobody_links_one_above(
    make_user: Callable[..., User],
) -> None:
    admin, above, below = make_user("admin", "admin"), make_user("above", "senior"), make_user("below")
    User.objects.filter(pk=admin.pk).update(is_staff=True)
    browser = Client()
    browser.force_login(admin)
    role = Group.objects.get(name="admin")
    role.permissions.add(*Permission.objects.filter(codename__contains="identity"))
    for person, subject in ((above, "u-1"), (below, "u-2")):
        sent = {"person": person.pk, "issuer": "https://id.example", "subject": subject}
        browser.post("/admin/detection/identity/add/", sent)
    assert [identity.person for identity in Identity.objects.all()] == [below]
    action, before, after = events(below)[-1]
    assert (action, before, after) == (
        "access_changed",
        {"identities": []},
        {"identities": ["https://id.example u-2"]},
    )
    identity = Identity.objects.get()
    browser.post(f"/admin/detection/identity/{identity.pk}/delete/", {"post": "yes"})
    assert events(below)[-1][2] == {"identities": []}


def test_an_identity_that_was_put_in_behind_our_back_is_found(make_user: Callable[..., User]) -> None:
    ada = make_user("ada")
    Change(None, ()).end(ada)
    chain = list(PersonEvent.objects.filter(subject=ada))
    assert STATES["person"].unexplained(ada, chain) == ""
    Identity.objects.create(person=ada, issuer="https://id.example", subject="mallory")
    assert "identities" in STATES["person"].unexplained(ada, chain)


# --- configuration ---
USUAL: dict[str, Any] = {
    "client_id": "c", "client_secret": "s", "scopes": "openid", "groups_claim": "groups", "groups": "",
    "creates": False, "emergency": (), "second_factors": (),
}  # fmt: skip


@pytest.mark.parametrize(
    ("issuer", "given", "said"),
    [
        ("http://id.example", {}, "https"),
        ("id.example", {}, "https"),
        ("https://id.example", {"client_secret": ""}, "CLIENT_SECRET"),
        ("https://id.example", {"groups": "analysts=reviewer"}, "JSON"),
        ("https://id.example", {"groups": '{"a": ["role:superuser"]}'}, "role:superuser"),
        ("https://id.example", {"groups": '{"a": ["reviewer"]}'}, "'reviewer'"),
        ("https://id.example", {"groups": "[]"}, "JSON"),
    ],
)
def test_a_configuration_that_is_no_use_is_refused_in_a_sentence(
    issuer: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        identity_provider.configured(issuer, **(USUAL | given))


def test_its_secret_is_told_in_no_report_of_the_settings() -> None:
    provider = identity_provider.configured(
        "https://id.example", **(USUAL | {"client_secret": "k3pt-s3cr3t"})
    )
    assert provider
    assert "k3pt-s3cr3t" not in repr(provider)


def test_it_is_off_unless_configured() -> None:
    assert identity_provider.configured("", **USUAL) is None
    assert settings.OIDC is None
    assert Client().get("/login/provider/").status_code == 404
